"""Strips of shredded pages, one folder a page: one by one and mixed, upright or turned.

    python speed/strips.py FOLDER... [--measure M] [--solver path] [--turned] [--lost 0.1]
        [--no-mixed] [--threads N] [--seed S]

The natural order of the files in a folder is the true order of its strips; it serves to judge
answers and is hidden from the solver, which sees the strips shuffled and, with --turned, half of
them upside down. Blank strips are interchangeable: a join counts by what it joins, all blank
strips of a page being one. With --lost so many of the strips are taken out, and only joins count
whose strips are both left and were neighbours.
"""

from __future__ import annotations

import argparse
import itertools
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tessella import api
from tessella.arrangement import Arrangement
from tessella.documents.pages import to_grey
from tessella.documents.strips import strips_of
from tessella.imaging.folder import natural
from tessella.imaging.read import SUFFIXES, read_image
from tessella.plan import make_plan

RIM = 5
"""Columns at either side that may show more than print."""

DARK = 200
LEAST = 40
"""A strip with fewer dark pixels is blank."""

Join = tuple[int, int, int, int]
"""Left strip and its turns, right strip and its turns; a blank strip is -1 of no turns."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--measure")
    parser.add_argument("--solver")
    parser.add_argument("--model")
    parser.add_argument("--turned", action="store_true")
    parser.add_argument("--lost", type=float, default=0.0)
    parser.add_argument("--no-mixed", action="store_true")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    print("| strips | count | joins | neighbor | pages | measuring | solving |")
    print("|---|---|---|---|---|---|---|")
    found = [_tell(folder.name, [folder], asked) for folder in asked.folders]
    print(f"| mean, one by one | | | {np.mean(found):.4f} | | | |")
    if len(asked.folders) > 1 and not asked.no_mixed:
        _tell("all mixed", asked.folders, asked)


def _tell(what: str, folders: list[Path], asked: argparse.Namespace) -> float:
    chance = np.random.default_rng(asked.seed)
    greys, true, blank = _read(folders, asked.lost, chance)
    turned = chance.random(len(greys)) < (0.5 if asked.turned else 0.0)
    images = [np.rot90(g, 2) if t else g for g, t in zip(greys, turned, strict=True)]
    puzzle = strips_of(images, upright=not asked.turned)
    settings = {"model": asked.model} if asked.model else None
    plan = make_plan(asked.measure, asked.solver, settings, puzzle=puzzle)
    prepared = api.prepare(puzzle, plan, threads=asked.threads, seed=asked.seed)
    result = puzzle.layout.paged(api.search(prepared, threads=asked.threads))
    found = Counter(_joins(result.arrangement, turned, blank))
    wanted = Counter(_cleared(join, blank) for join in true)
    share = sum((found & wanted).values()) / max(1, len(true))
    took = result.seconds
    print(
        f"| {what} | {len(puzzle)} | {len(true)} | {share:.4f} | {len(result.arrangement.sheets)} "
        f"| {took['measuring']:.1f} | {took['solving']:.1f} |",
        flush=True,
    )
    return share


def _read(
    folders: list[Path], lost: float, chance: np.random.Generator
) -> tuple[list[NDArray[np.uint8]], list[Join], NDArray[np.bool_]]:
    """Return the strips that are left, their true joins, and which are blank."""
    greys: list[NDArray[np.uint8]] = []
    true: list[Join] = []
    for folder in folders:
        names = [file.name for file in folder.iterdir() if file.suffix.lower() in SUFFIXES]
        row = [to_grey(read_image(folder / name))[0] for name in sorted(names, key=natural)]
        gone = set(chance.permutation(len(row))[: round(lost * len(row))].tolist())
        before = None
        for place, grey in enumerate(row):
            if place in gone:
                before = None
                continue
            if before is not None:
                true.append((before, 0, len(greys), 0))
            before = len(greys)
            greys.append(grey)
    return greys, true, np.array([_blank(grey) for grey in greys])


def _blank(grey: NDArray[np.uint8]) -> bool:
    return int((grey[RIM:-RIM, RIM:-RIM] < DARK).sum()) < LEAST


def _joins(
    arrangement: Arrangement, turned: NDArray[np.bool_], blank: NDArray[np.bool_]
) -> list[Join]:
    """Return the joins of an answer, each page the way up that most of its strips have."""
    found: list[Join] = []
    for sheet in arrangement.sheets:
        held = sheet.piece[0] >= 0
        piece = sheet.piece[0][held].tolist()
        over = (sheet.turns[0][held] // 2 + turned[sheet.piece[0][held]]) % 2
        row = [(p, int(t)) for p, t in zip(piece, over, strict=True)]
        if sum(t for p, t in row if not blank[p]) * 2 > sum(not blank[p] for p in piece):
            row = [(p, 1 - t) for p, t in reversed(row)]
        for (one, first), (two, second) in itertools.pairwise(row):
            found.append(_cleared((one, first, two, second), blank))
    return found


def _cleared(join: Join, blank: NDArray[np.bool_]) -> Join:
    one, first, two, second = join
    left = (-1, 0) if blank[one] else (one, first)
    right = (-1, 0) if blank[two] else (two, second)
    return (*left, *right)


if __name__ == "__main__":
    main()
