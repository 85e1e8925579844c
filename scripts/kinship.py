"""Choose what makes fragments akin: mixtures of photographs, many of them with large flat parts.

    python scripts/kinship.py FOLDER... [--try pieces=16 least=0.04 heard=0.05] [--only 5-0]

Of all photographs of 672 x 504 px and more, the 20 with most flat pieces and 20 drawn at random are
mixed, four times five and eight times two, upright and turned, whole and with a tenth missing and
20 strangers. Told is, for every `--try`, how many pieces would lie on the right sheet (mean and
least), how often the number of sheets of 8 pieces and more is right, and the strangers left over.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tessella import api, shuffle
from tessella.arrangement import Arrangement, Sheet
from tessella.imaging.cut import cut_panels
from tessella.imaging.read import SUFFIXES, read_image
from tessella.panels import Panels
from tessella.plan import make_plan
from tessella.solving import Job
from tessella.sorting import Sorting, sort
from tessella.stages.complete import is_closed
from tessella.stages.kinship import Bonds, kin
from tessella.stages.spare import adopted
from tessella.stages.stage import Answer
from tessella.stages.unite import Unite

PIECE, SIZE = 28, (504, 672)
FLAT = 4.0
"""Pieces whose grey values spread less are flat."""


class Mixture(NamedTuple):
    """What is mixed, and how."""

    name: str
    pictures: list[NDArray[np.uint8]]
    stranger: NDArray[np.uint8]
    turned: bool
    lossy: bool


def middle(path: Path) -> NDArray[np.uint8] | None:
    """Return 18 x 24 pieces from the middle of a picture; None where it is too small."""
    image = read_image(path)
    size = SIZE if image.shape[1] >= image.shape[0] else SIZE[::-1]
    top, left = (image.shape[0] - size[0]) // 2, (image.shape[1] - size[1]) // 2
    if min(top, left) < 0:
        return None
    return image[top : top + size[0], left : left + size[1]].copy()


def flat(image: NDArray[np.uint8]) -> float:
    """Return the share of flat pieces."""
    rows, cols = image.shape[0] // PIECE, image.shape[1] // PIECE
    grey = image.astype(float).mean(axis=2).reshape(rows, PIECE, cols, PIECE)
    return float((grey.transpose(0, 2, 1, 3).reshape(rows * cols, -1).std(axis=1) < FLAT).mean())


def mixtures(folders: Sequence[Path]) -> Iterator[Mixture]:
    """Yield all mixtures."""
    paths = [p for f in folders for p in sorted(f.iterdir()) if p.suffix.lower() in SUFFIXES]
    every = [image for image in map(middle, paths) if image is not None]
    chance = np.random.default_rng(0)
    order = np.argsort([-flat(image) for image in every])
    *drawn, last = [*order[:20], *chance.permutation(order[20:])[:21]]
    drawn = chance.permutation(drawn)
    groups = {f"5-{k}": drawn[5 * k : 5 * k + 5] for k in range(4)}
    groups |= {f"2-{k}": drawn[20 + 2 * k : 22 + 2 * k] for k in range(8)}
    for name, group in groups.items():
        for turned in (False, True):
            for lossy in (False, True)[: 1 + (int(name[2]) < 4)]:
                yield Mixture(name, [every[k] for k in group], every[last], turned, lossy)


def judged(mixture: Mixture, ways: Sequence[Bonds]) -> list[Sorting]:
    """Return how each of `ways` would sort a mixture."""
    puzzle, truth = cut_panels(
        mixture.pictures,
        PIECE,
        turned=mixture.turned,
        missing=0.1 * mixture.lossy,
        foreign=20 * mixture.lossy,
        foreign_from=[mixture.stranger] * mixture.lossy,
        seed=1,
    )
    prepared = api.prepare(puzzle, make_plan("mgc", "genetic", puzzle=puzzle), seed=1)
    job = Job(prepared.evidence, seed=1, panels=Panels().known(puzzle))
    found = Unite()(Answer(searched=job.compatibility), job).arrangement
    odds = prepared.evidence.odds
    assert found is not None
    assert odds is not None
    closed = [is_closed(sheet) for sheet in found.sheets]
    whole = [s.piece[s.piece >= 0] for s, shut in zip(found.sheets, closed, strict=True) if shut]
    sortings = []
    for bonds in ways:
        blank = prepared.evidence.blank
        akin = kin(found.sheets, odds, bonds, closed, blank >= 0)
        takes = adopted(akin, found.sheets, blank)
        firm = [part for knot in akin.knots for part in ([knot] if knot.firm else knot.parts)]
        own = [[takes[seed] for seed in knot.seeds if seed in takes] for knot in firm]
        groups = [*whole, *(np.concatenate([k.pieces, *o]) for k, o in zip(firm, own, strict=True))]
        rows = [np.asarray(some, np.int32)[None] for some in groups if len(some) > 1]
        sheets = tuple(Sheet(row, np.zeros(row.shape, np.int8)) for row in rows)
        answer = shuffle.restore(Arrangement(sheets), prepared.order)
        sortings.append(sort(answer, truth, upright=not mixture.turned))
    return sortings


def main() -> None:
    """Judge every way on every mixture; print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--try", dest="ways", nargs="*", action="append", default=[])
    parser.add_argument("--only", default="", help="a part of the names of mixtures")
    options = parser.parse_args()
    fields = Bonds.__annotations__
    asked = [dict(pair.split("=") for pair in way) for way in options.ways or [[]]]
    ways = [
        Bonds(**{k: (int if fields[k] == "int" else float)(v) for k, v in a.items()}) for a in asked
    ]
    seen: dict[tuple[bool, bool], list[list[Sorting]]] = {}
    for mixture in mixtures(options.folders):
        if options.only in mixture.name:
            seen.setdefault((mixture.lossy, mixture.turned), []).append(judged(mixture, ways))
    for number, bonds in enumerate(ways):
        print(bonds)
        for (lossy, turned), every in seen.items():
            some = [each[number] for each in every]
            purity = [100 * each.purity for each in some]
            right = sum(each.sheets == each.sheets_true for each in some)
            aside, foreign = (
                sum(getattr(e, n) for e in some) for n in ("foreign_left_over", "foreign")
            )
            kind = f"{'lossy' if lossy else 'whole'} {'turned' if turned else 'upright'}"
            print(
                f"  {kind}: {np.mean(purity):.2f} % (least {min(purity):.1f}), "
                f"sheets right {right}/{len(some)}, strangers {aside}/{foreign}"
            )


if __name__ == "__main__":
    main()
