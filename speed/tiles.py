"""Top-1 of edges and neighbor accuracy on photographs of real panels, cropped inside the joints.

    python speed/tiles.py --data DIR [--measures NAME[:MODEL]...] [--crop F...] [--turned]
                          [--size P] [--runs R] [--only TEXT...] [--rank] [--unknown]
                          [--worn T] [--keep-size]

DIR holds NAME_COLSxROWS_PITCH.png: panels that are cut every PITCH pixels. Every tile loses the
share F of its side on every side and is brought to one size (P px; with --keep-size it keeps its
own), so that no photograph goes on across the cut. Tiles are shuffled, and turned with --turned.
A measure is a name or NAME:MODEL. --worn T makes tiles smaller inside a black frame of T px that
stands for the gap, as dlcm:eroded-64 knows it. Of R runs, seeds 1 to R, the best by fitness counts.
The mean is over walls whose pitch is 50 px or more; photographs of one wall are weighed as one.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

import tessella
from tessella import metrics, registry
from tessella.adjust.minmax import Minmax
from tessella.imaging.cut import cut
from tessella.imaging.erode import erode
from tessella.measuring import Learned, measure
from tessella.puzzle import Puzzle
from tessella.recall import recall
from tessella.truth import Truth

WALLS = {
    "conquista_1": "conquista",
    "conquista_2": "conquista",
    "conquista_oblique": "conquista",
    "porto_cloister": "cloister",
    "porto_cloister_close": "cloister",
}
LEAST_PITCH = 50


@dataclass(frozen=True)
class Photograph:
    """A rectified photograph of a panel."""

    file: Path

    @property
    def name(self) -> str:
        """What the panel is called."""
        return self.file.stem.rsplit("_", 2)[0]

    @property
    def pitch(self) -> int:
        """Pixels from joint to joint."""
        return int(self.file.stem.rsplit("_", 1)[1])

    def panel(self, share: float, size: int | None) -> tuple[np.ndarray, int]:
        """Return the panel of cropped tiles, and the side of a tile in pixels."""
        cols, rows = map(int, self.file.stem.rsplit("_", 2)[1].split("x"))
        pitch, off = self.pitch, round(share * self.pitch)
        inner = pitch - 2 * off
        side = size or inner
        out = np.empty((rows * side, cols * side, 3), np.uint8)
        with Image.open(self.file) as opened:
            whole = opened.convert("RGB")
        for r in range(rows):
            for c in range(cols):
                top, left = r * pitch + off, c * pitch + off
                # Cut out first: resizing a box of the whole would look beyond the box.
                tile = whole.crop((left, top, left + inner, top + inner))
                tile = tile.resize((side, side), Image.Resampling.LANCZOS)
                out[r * side : (r + 1) * side, c * side : (c + 1) * side] = np.asarray(tile)
        return out, side


def framed(puzzle: Puzzle, width: int) -> Puzzle:
    """Return a puzzle whose pieces are smaller inside a black frame, as if `width` px were lost."""
    if not width:
        return puzzle
    side = puzzle.piece_size[0]
    inner = side - 2 * width
    pieces = np.zeros_like(puzzle.pieces)
    for piece, made in zip(puzzle.pieces, pieces, strict=True):
        small = Image.fromarray(piece).resize((inner, inner), Image.Resampling.LANCZOS)
        made[width:-width, width:-width] = np.asarray(small)
    pieces = erode(pieces, width)
    return Puzzle(pieces, upright=puzzle.upright, shape=puzzle.shape, eroded=width)


def asked(text: str) -> object:
    """Return the measure that ``NAME`` or ``NAME:MODEL`` means."""
    name, _, model = text.partition(":")
    return registry.make("measure", name, {"model": model} if model else {})


def judged(
    puzzle: Puzzle, truth: Truth, text: str, options: argparse.Namespace
) -> dict[str, float]:
    """Return Top-1 after post-processing and, unless only ranked, neighbor; in per cent."""
    by = asked(text)
    began = time.monotonic()
    if options.rank:
        scores = measure(puzzle, by)
        told = {"top1": 100 * metrics.top(Minmax().adjust(scores), truth, 1)[0]}
        if isinstance(by, Learned):
            told["recall"] = 100 * recall(scores, truth)
        return told | {"seconds": time.monotonic() - began}
    result = tessella.solve(puzzle, measure=by, seed=1, runs=options.runs)
    neighbor = 100 * tessella.score(result, truth).neighbor
    return {"neighbor": neighbor, "seconds": time.monotonic() - began}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of panels")
    parser.add_argument("--measures", nargs="+", default=["mgc"], metavar="NAME[:MODEL]")
    parser.add_argument("--crop", nargs="+", type=float, default=[0.02])
    parser.add_argument("--turned", action="store_true")
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--keep-size", action="store_true", help="do not bring tiles to one size")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=[""], help="panels with this in their names")
    parser.add_argument("--rank", action="store_true", help="Top-1 alone, nothing is solved")
    parser.add_argument("--unknown", action="store_true", help="the shape is not known")
    parser.add_argument("--worn", type=int, default=0, help="px of a frame that stands for the gap")
    options = parser.parse_args()
    files = sorted(options.data.glob("*_*x*_*.png"))
    photographs = [Photograph(f) for f in files if any(text in f.stem for text in options.only)]
    for share in options.crop:
        for text in options.measures:
            walls: dict[str, list[dict[str, float]]] = {}
            for photograph in photographs:
                panel, side = photograph.panel(share, None if options.keep_size else options.size)
                puzzle, truth = cut(panel, side, turned=options.turned)
                puzzle = framed(puzzle, options.worn)
                if options.unknown:
                    puzzle = Puzzle(puzzle.pieces, upright=puzzle.upright, eroded=puzzle.eroded)
                told = judged(puzzle, truth, text, options)
                if photograph.pitch >= LEAST_PITCH:
                    walls.setdefault(WALLS.get(photograph.name, photograph.name), []).append(told)
                _say(share, text, photograph.name, told)
            if walls:
                keys = next(iter(walls.values()))[0]
                mean = {
                    k: float(np.mean([np.mean([t[k] for t in w]) for w in walls.values()]))
                    for k in keys
                }
                _say(share, text, "mean over walls", mean)


def _say(share: float, text: str, name: str, told: dict[str, float]) -> None:
    figures = ", ".join(f"{key} {value:.1f}" for key, value in told.items())
    print(f"crop {100 * share:g} %, {text}, {name}: {figures}", flush=True)


if __name__ == "__main__":
    main()
