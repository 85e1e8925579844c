"""What it is worth to say how many panels there are: mixtures of photographs, told and untold.

    python scripts/told_panels.py FOLDER --pictures 3,40 [--missing 0.2] [--strangers 10] [--turned]

Of photographs of a folder, called by their numbers in alphabetical order, the upper left 10 x 10
pieces of 28 px are mixed, after each was made so small that its longer side is 560 px; strangers
come from the last of the folder. A line each tells what `--panels unknown`, 1, 2, ... one more than
there are come to, with one seed.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tessella import api
from tessella.imaging.cut import cut_panels
from tessella.panels import Panels
from tessella.plan import make_plan
from tessella.sorting import sort

PIECE, SIDE = 28, 10


def picture(path: Path) -> NDArray[np.uint8]:
    """Return the upper left of a picture made smaller."""
    with Image.open(path) as image:
        small = image.convert("RGB")
    small.thumbnail((2 * SIDE * PIECE, 2 * SIDE * PIECE))
    return np.array(small)[: SIDE * PIECE, : SIDE * PIECE]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", required=True)
    parser.add_argument("--missing", type=float, default=0.0)
    parser.add_argument("--strangers", type=int, default=0)
    parser.add_argument("--turned", action="store_true")
    given = parser.parse_args()
    files = sorted(path for path in given.folder.iterdir() if path.suffix == ".jpg")
    pictures = [picture(files[int(number)]) for number in given.pictures.split(",")]
    puzzle, truth = cut_panels(
        pictures,
        PIECE,
        missing=given.missing,
        foreign=given.strangers,
        foreign_from=[picture(files[-1])],
        turned=given.turned,
        seed=1,
    )
    prepared = api.prepare(puzzle, make_plan())
    print("told, neighbor %, false joins, sheets, purity %, left over, strangers among them")
    for count in (None, *range(1, len(pictures) + 2)):
        result = api.search(prepared, panels=Panels(count))
        found = sort(result.arrangement, truth, upright=not given.turned)
        neighbor = 100 * (api.score(result, truth).neighbor_up_to_identical or 0)
        print(
            f"{count or 'unknown'}, {neighbor:.1f}, {found.false_join_count}, {found.sheets}, "
            f"{100 * found.purity:.1f}, {found.left_over}, {found.foreign_left_over}",
            flush=True,
        )


if __name__ == "__main__":
    main()
