"""Neighbor accuracy of ``tessella solve``, called by default, on photographs of real panels.

    python scripts/check_panels.py OUT --data DIR [--crop F...] [--only TEXT...] [--jobs J]
                                   [--threads T] [--runs R] [--model M] [--ways WAY...]
                                   [--set NAME=VALUE...]

DIR holds NAME_COLSxROWS_PITCH.png, panels that are cut every PITCH pixels (``speed/tiles.py``).
Every tile loses the share F of its side on every side and is brought to one size; ``tessella
solve`` is called with neither --measure nor --worn, R runs from seed 1 on, the best by fitness,
and ``tessella score`` judges. A WAY is upright or turned, known or unknown: "turned-unknown". What
is in OUT is not run again; OUT/CELL/solved/assembled.png shows every answer. The mean is over walls
whose pitch is 50 px or more; photographs of one wall are weighed as one.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

sys.path.insert(0, str(Path(__file__).parent.parent / "speed"))
from tiles import LEAST_PITCH, WALLS, Photograph

WAYS = ("upright-known", "upright-unknown", "turned-known", "turned-unknown")


@dataclass(frozen=True)
class Cell:
    """One panel, cropped and solved in one way."""

    photograph: Photograph
    crop: float
    way: str

    @property
    def name(self) -> str:
        """The name of its folder."""
        return f"{self.photograph.name}-{100 * self.crop:g}-{self.way}"

    def run(self, out: Path, options: argparse.Namespace) -> dict[str, object]:
        """Cut, solve and score, unless that was done; return what was found."""
        kept = out / self.name / "told.json"
        if not kept.exists():
            folder = kept.parent
            folder.mkdir(parents=True, exist_ok=True)
            panel, side = self.photograph.panel(self.crop, options.size)
            Image.fromarray(panel).save(folder / "panel.png")
            turned = ["--turned"] if self.way.startswith("turned") else []
            cut = [folder / "panel.png", folder / "cut", "--piece", side, *turned, "--force"]
            _tessella("cut", *cut)
            unknown = ["--shape", "unknown"] if self.way.endswith("unknown") else []
            more = ["--model", options.model] if options.model else []
            more += [word for each in options.set for word in ("--set", each)]
            asked = [*unknown, *more, "--runs", options.runs, "--seed", 1]
            began = time.monotonic()
            solving = [folder / "cut" / "puzzle", folder / "solved", *asked, "--force"]
            said = _tessella("solve", *solving, "--threads", options.threads).stderr
            took = time.monotonic() - began
            files = folder / "solved" / "arrangement.json", folder / "cut" / "truth.json"
            score = json.loads(_tessella("score", *files).stdout)
            said = [line for line in said.splitlines() if line.startswith(("Measure", "The outer"))]
            row = {"neighbor": 100 * score["neighbor"], "seconds": took, "said": said}
            kept.write_text(json.dumps(row), encoding="utf-8")
        return dict(json.loads(kept.read_text(encoding="utf-8")))


def _tessella(*words: object) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "tessella", *map(str, words)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(call)}\n{done.stderr}")
    return done


def mean_over_walls(rows: dict[str, float]) -> float:
    """Return the mean of panels' figures, photographs of one wall weighed as one."""
    walls: dict[str, list[float]] = {}
    for name, value in rows.items():
        walls.setdefault(WALLS.get(name, name), []).append(value)
    return float(np.mean([np.mean(values) for values in walls.values()]))


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="folder to write")
    parser.add_argument("--data", type=Path, required=True, help="folder of panels")
    parser.add_argument("--crop", nargs="+", type=float, default=[0.02, 0.04])
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    parser.add_argument("--only", nargs="+", default=[""], help="panels with this in their names")
    parser.add_argument("--size", type=int, default=64, help="pixels of a tile")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--model", help="a model to name; its measure is then taken")
    parser.add_argument("--set", nargs="*", default=[], help="settings of the measure")
    parser.add_argument("--jobs", type=int, default=1, help="cells that run at once")
    parser.add_argument("--threads", type=int, default=2, help="threads of each")
    options = parser.parse_args()
    files = sorted(options.data.glob("*_*x*_*.png"))
    photographs = [Photograph(f) for f in files if any(text in f.stem for text in options.only)]
    cells = [
        Cell(p, crop, way) for crop in options.crop for way in options.ways for p in photographs
    ]
    cells.sort(key=lambda cell: -_tiles(cell.photograph))  # The longest first.
    with ThreadPoolExecutor(options.jobs) as pool:
        found = dict(zip(cells, pool.map(lambda c: _told(c, options), cells), strict=True))
    names = [p.name for p in photographs]
    print(f"| crop | way | {' | '.join(names)} | mean over walls |")
    print("|---|---|" + "---:|" * (len(names) + 1))
    for crop in options.crop:
        for way in options.ways:
            row = {p.name: float(found[Cell(p, crop, way)]["neighbor"]) for p in photographs}
            large = {p.name: row[p.name] for p in photographs if p.pitch >= LEAST_PITCH}
            mean = f"{mean_over_walls(large):.1f}" if large else "-"
            each = " | ".join(f"{value:.1f}" for value in row.values())
            print(f"| {100 * crop:g} % | {way} | {each} | {mean} |")


def _tiles(photograph: Photograph) -> int:
    cols, rows = map(int, photograph.file.stem.rsplit("_", 2)[1].split("x"))
    return cols * rows


def _told(cell: Cell, options: argparse.Namespace) -> dict[str, object]:
    row = cell.run(options.out, options)
    print(
        f"{cell.name}: {row['neighbor']:.1f} %, {row['seconds']:.0f} s. {row['said']}", flush=True
    )
    return row


if __name__ == "__main__":
    main()
