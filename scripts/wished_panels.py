"""What wishes do to mixtures: photographs sorted with none, with harmless ones, and with codes.

    python scripts/wished_panels.py FOLDER --pictures 3,40 [--missing 0.2] [--turned] [--panels 2]

Mixtures are those of ``told_panels.py``. A line each tells what comes out with no wish, with two
tiles of the first picture together, with a panel's name on one tile of each picture, with a tile of
the first and one of the second apart, and with what somebody says who sees the answer without a
wish: a tile of each sheet that is mostly of one picture has that picture's name. All of it is
true. Tiles are drawn with one seed.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time

import numpy as np
from told_panels import PIECE, picture

from tessella import api
from tessella.arrangement import Arrangement
from tessella.imaging.cut import cut_panels
from tessella.panels import Panels
from tessella.plan import make_plan
from tessella.sorting import counted, sort
from tessella.truth import Truth
from tessella.wishes import Code, Wishes


def drawn(truth: Truth, seed: int) -> dict[str, Wishes | None]:
    """Return wishes that the truth meets, by what to call them."""
    rng = np.random.default_rng(seed)
    sheets = [sheet.piece[sheet.piece >= 0] for sheet in truth.arrangement.sheets]
    tiles = [rng.choice(sheet, 2, replace=False).tolist() for sheet in sheets]
    codes = (Code(two[0], panel=f"picture {k}") for k, two in enumerate(tiles))
    return {
        "no wish": None,
        "together": Wishes(together=(tuple(tiles[0]),)),
        "codes": Wishes(codes=tuple(codes)),
        "apart": Wishes(apart=((tiles[0][0], tiles[1][0]),)),
    }


def seen(found: Arrangement, truth: Truth, seed: int) -> Wishes:
    """Return the names of the pictures that a person sees on the sheets of an answer."""
    rng = np.random.default_rng(seed)
    picture = np.full(truth.pieces, -1)
    for number, sheet in enumerate(truth.arrangement.sheets):
        picture[sheet.piece[sheet.piece >= 0]] = number
    codes = []
    for number in counted(found):
        pieces = found.sheets[number].piece
        pieces = pieces[pieces >= 0]
        most = int(np.bincount(picture[pieces]).argmax())
        tile = int(rng.choice(pieces[picture[pieces] == most]))
        codes.append(Code(tile, panel=f"picture {most}"))
    return Wishes(codes=tuple(codes))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", required=True)
    parser.add_argument("--missing", type=float, default=0.0)
    parser.add_argument("--turned", action="store_true")
    parser.add_argument("--panels", type=int)
    parser.add_argument(
        "--only", default="", help="wishes to try, by the beginnings of their names"
    )
    given = parser.parse_args()
    files = sorted(path for path in given.folder.iterdir() if path.suffix == ".jpg")
    pictures = [picture(files[int(number)]) for number in given.pictures.split(",")]
    puzzle, truth = cut_panels(pictures, PIECE, missing=given.missing, turned=given.turned, seed=1)
    prepared = api.prepare(puzzle, make_plan())
    print("wished, neighbor %, false joins, sheets, purity %, left over, processor s")
    plain = api.search(prepared, panels=Panels(given.panels))
    tried = {**drawn(truth, 1), "names on sheets": seen(plain.arrangement, truth, 1)}
    for name, wishes in tried.items():
        began = process_time()
        result = api.search(prepared, panels=Panels(given.panels), wishes=wishes)
        took = process_time() - began
        found = sort(result.arrangement, truth, upright=not given.turned)
        neighbor = 100 * (api.score(result, truth).neighbor_up_to_identical or 0)
        print(
            f"{name}, {neighbor:.1f}, {found.false_join_count}, {found.sheets}, "
            f"{100 * found.purity:.1f}, {found.left_over}, {took:.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
