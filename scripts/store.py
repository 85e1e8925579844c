"""Make a mix of pictures as large as a store room, solve it, and write down what it gave.

    python scripts/store.py RESULTS.jsonl FOLDER... --pictures 20 --grid 85x59 [--turned]

Pictures are taken by name, one crop of each before a second of any; crops of one picture lie a
piece or more apart, so that nothing goes on from one to the other. A picture too small for its
grid is enlarged. One line of JSON a run is appended: what was mixed, neighbor, purity, sheets of 50
pieces and more, seconds by stage, peak memory.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tessella import api
from tessella.arrangement import EMPTY, Arrangement
from tessella.cli.options import read_settings
from tessella.console import Lines
from tessella.imaging.cut import cut_panels
from tessella.imaging.read import SUFFIXES, read_image
from tessella.panels import Panels
from tessella.plan import make_plan
from tessella.provenance import provenance
from tessella.puzzle import Shape
from tessella.threads import available

SHEET = 50
"""A sheet of fewer pieces is a fragment here."""


def crops(image: NDArray[np.uint8], shape: Shape, piece: int) -> list[NDArray[np.uint8]]:
    """Return as many parts of `image` as have room, each of `shape` pieces, a piece or more apart.

    A picture that lies the other way than `shape` is cut into grids that lie so, too.
    """
    if (image.shape[0] > image.shape[1]) != (shape[0] > shape[1]):
        shape = shape[::-1]
    wanted = np.array(shape) * piece
    short = float((wanted / image.shape[:2]).max())
    if short > 1:
        size = [max(int(w), round(n * short)) for w, n in zip(wanted, image.shape[:2], strict=True)]
        enlarged = Image.fromarray(image).resize((size[1], size[0]), Image.Resampling.LANCZOS)
        image = np.asarray(enlarged)
    count = [(n + piece) // (int(w) + piece) for w, n in zip(wanted, image.shape[:2], strict=True)]
    starts = [
        np.linspace(0, n - int(w), c).round().astype(int).tolist() if c > 1 else [(n - int(w)) // 2]
        for w, n, c in zip(wanted, image.shape[:2], count, strict=True)
    ]
    return [
        image[top : top + wanted[0], left : left + wanted[1]].copy()
        for top in starts[0]
        for left in starts[1]
    ]


def drawn(
    folders: Sequence[Path], names: str, shape: Shape, piece: int, most: int | None
) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Yield crops of all pictures of `folders`: the first of each, then the second of each."""
    paths = [p for f in folders for p in sorted(f.glob(names)) if p.suffix.lower() in SUFFIXES]
    turn = 0
    while True:
        found = 0
        for path in paths:
            every = crops(read_image(path), shape, piece)
            if turn < min(len(every), most or len(every)):
                found += 1
                yield f"{path.parent.name}/{path.stem}/{turn}", every[turn]
        if not found:
            return
        turn += 1


class Stages(Lines):
    """A watcher that prints, and remembers the seconds of every stage."""

    def __init__(self, stream: Any) -> None:
        super().__init__(stream)
        self.seconds: dict[str, float] = {}
        self._began = time.monotonic()
        self._current = "cutting"

    def stage(self, name: str, total: int) -> None:
        """Begin the next; what is told again adds up."""
        self.end()
        self._current = name
        super().stage(name, total)

    def end(self) -> None:
        """Close the stage that goes on."""
        now = time.monotonic()
        took = now - self._began
        self.seconds[self._current] = round(self.seconds.get(self._current, 0.0) + took, 1)
        self._began = now


def sheets(arrangement: Arrangement) -> list[int]:
    """Return the pieces of every sheet of `SHEET` and more."""
    sizes = [int((sheet.piece != EMPTY).sum()) for sheet in arrangement.sheets]
    return sorted((size for size in sizes if size >= SHEET), reverse=True)


def read_options() -> argparse.Namespace:
    """Read the command line."""
    raw = argparse.RawTextHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("results", type=Path, help="a JSONL file to append to")
    parser.add_argument("folders", type=Path, nargs="+", help="folders of pictures")
    parser.add_argument("--names", default="*", help="a pattern of files to take")
    parser.add_argument("--pictures", type=int, default=20)
    parser.add_argument("--grid", default="85x59", help="columns x rows of each picture")
    parser.add_argument("--piece", type=int, default=28)
    parser.add_argument("--crops", type=int, help="at most so many of one picture")
    parser.add_argument("--turned", action="store_true")
    parser.add_argument("--erode", type=int, default=0)
    parser.add_argument("--missing", type=float, default=0.0)
    parser.add_argument("--foreign", type=int, default=0, help="pieces of a further picture")
    parser.add_argument(
        "--panels", default="unknown", help="unknown, a number, or one for one sheet"
    )
    parser.add_argument("--measure", default="mgc")
    parser.add_argument("--solver", default="genetic")
    parser.add_argument("--set", action="append", dest="setting", metavar="KEY=VALUE")
    parser.add_argument("--keep", type=int, help="candidates an edge keeps")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=available())
    parser.add_argument("--note", default="", help="a remark that is kept with the result")
    parser.add_argument("--save", type=Path, help="where arrangement.json and truth.json go")
    return parser.parse_args()


def mixed(options: argparse.Namespace) -> tuple[list[str], Any, Any]:
    """Return what was drawn, the puzzle and its truth."""
    cols, rows = (int(number) for number in options.grid.split("x"))
    wanted = options.pictures + bool(options.foreign)
    found = list(
        islice(
            drawn(options.folders, options.names, (rows, cols), options.piece, options.crops),
            wanted,
        )
    )
    if len(found) < wanted:
        raise SystemExit(f"{wanted} crops are wanted; the folders give {len(found)}.")
    images = [image for _, image in found]
    puzzle, truth = cut_panels(
        images[: options.pictures],
        options.piece,
        missing=options.missing,
        foreign=options.foreign,
        foreign_from=images[options.pictures :],
        turned=options.turned,
        erode=options.erode,
        seed=options.seed,
    )
    return [name for name, _ in found], puzzle, truth


def main() -> None:
    """Mix, solve, judge, write one line."""
    options = read_options()
    watch = Stages(sys.stderr)
    names, puzzle, truth = mixed(options)
    panels = {"unknown": Panels(), "one": None}.get(options.panels, options.panels)
    panels = Panels(int(panels)) if isinstance(panels, str) else panels
    plan = make_plan(options.measure, options.solver, read_settings(options.setting), puzzle=puzzle)
    before = resource.getrusage(resource.RUSAGE_SELF)
    keep: Any = options.keep or "usual"
    prepared = api.prepare(
        puzzle, plan, keep=keep, seed=options.seed, threads=options.threads, watch=watch
    )
    result = api.search(
        prepared, threads=options.threads, watch=watch, seconds=options.seconds, panels=panels
    )
    watch.end()
    after = resource.getrusage(resource.RUSAGE_SELF)
    judged = api.score(result, truth, upright=not options.turned)
    line = {
        "pieces": len(puzzle),
        **{k: v for k, v in vars(options).items() if k not in ("results", "folders", "save")},
        "from": names,
        "score": judged.to_json(),
        "sheets": sheets(result.arrangement),
        "sheets_true": sheets(truth.arrangement),
        "sheets_of_any_size": len(result.arrangement.sheets),
        "seconds": {name: round(took, 1) for name, took in result.seconds.items()},
        "stages": watch.seconds,
        "cpu_s": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1),
        "peak_gb": round(after.ru_maxrss / 2**20, 2),
        "provenance": provenance().to_json(),
    }
    with options.results.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, default=str) + "\n")
    if options.save:
        options.save.mkdir(parents=True, exist_ok=True)
        kept = {"arrangement": result.arrangement.to_json(puzzle.names), "truth": truth.to_json()}
        for name, value in kept.items():
            (options.save / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    shown = ("score", "sheets", "sheets_true", "seconds", "stages", "cpu_s", "peak_gb")
    print(json.dumps({name: line[name] for name in shown}, indent=1))


if __name__ == "__main__":
    main()
