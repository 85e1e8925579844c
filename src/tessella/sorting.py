"""Sorting: which sheet every piece was put on, judged against the truth.

Pixel-identical pieces are interchangeable here: nobody could tell which of them belongs where.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Arrangement, unplaced
from tessella.truth import Truth

COUNTED = 8
"""A sheet of fewer pieces is a fragment and is not counted as a sheet."""

Kinds = Counter[int]


@dataclass(frozen=True)
class Sorting:
    """The sheets of an answer against those of the truth, up to pixel-identical pieces.

    Attributes
    ----------
    false_joins_up_to_identical : found joins that are not true, of all found
    false_join_count : how many these are
    sheets, sheets_true : sheets of at least `COUNTED` pieces, in the answer and in the truth
    purity : fraction of the pieces that lie on the right sheet: sheets are matched one to one to
        those of the truth so that they have most in common. A foreign piece is right on none.
    left_over : pieces that the answer leaves on no sheet
    foreign : pieces that the truth has on no sheet
    foreign_left_over : how many of the foreign ones are left over
    """

    false_joins_up_to_identical: float
    false_join_count: int
    sheets: int
    sheets_true: int
    purity: float
    left_over: int
    foreign: int
    foreign_left_over: int


def counted(arrangement: Arrangement) -> list[int]:
    """Return the sheets that count as one, by their numbers."""
    held = ((sheet.piece != EMPTY).sum() for sheet in arrangement.sheets)
    return [number for number, count in enumerate(held) if count >= COUNTED]


def applies(arrangement: Arrangement, truth: Truth) -> bool:
    """Whether there is anything to sort: several sheets, holes, or pieces on no sheet."""
    return any(
        len(each.sheets) > 1
        or (each.sheets[0].piece == EMPTY).any()
        or len(each.placed()) < truth.pieces
        for each in (arrangement, truth.arrangement)
    )


def sort(arrangement: Arrangement, truth: Truth, *, upright: bool = False) -> Sorting:
    """Judge on which sheets `arrangement` puts the pieces.

    Parameters
    ----------
    upright : pieces could not be turned, so that one that looks like another turned is not its twin
    """
    kinds = piece_kinds(truth, upright=upright)
    laid, true = _sheets(arrangement, kinds), _sheets(truth.arrangement, kinds)
    loose, foreign = (
        Counter(kinds[list(unplaced(each, truth.pieces))].tolist())
        for each in (arrangement, truth.arrangement)
    )
    aside = (loose & foreign).total()
    joins = class_pairs(arrangement.joins(), truth)
    false = (joins - class_pairs(truth.arrangement.joins(), truth)).total()
    return Sorting(
        false_joins_up_to_identical=false / joins.total() if joins else 0.0,
        false_join_count=false,
        sheets=sum(sheet.total() >= COUNTED for sheet in laid),
        sheets_true=sum(sheet.total() >= COUNTED for sheet in true),
        purity=(_common(laid, true) + aside) / truth.pieces,
        left_over=loose.total(),
        foreign=foreign.total(),
        foreign_left_over=aside,
    )


def piece_kinds(truth: Truth, *, upright: bool) -> NDArray[np.int32]:
    """Return a number for every piece, equal for pixel-identical ones, ``(N,)``."""
    classes = truth.edge_class.reshape(-1, 4)
    # Pieces that are the same but for a turn have the same four classes, in another order.
    return classes[:, 0] if upright else classes.min(axis=1)


def class_pairs(joins: NDArray[np.int32], truth: Truth) -> Counter[tuple[int, int]]:
    """Return the joins ``(J, 2)`` by the classes of their edges, with how often each occurs."""
    pairs = np.sort(truth.edge_class[joins], axis=1)
    return Counter((one, two) for one, two in pairs.tolist())


def _sheets(arrangement: Arrangement, kinds: NDArray[np.int32]) -> list[Kinds]:
    """Return the kinds of pieces that lie on every sheet."""
    return [Counter(kinds[s.piece[s.piece != EMPTY]].tolist()) for s in arrangement.sheets]


def _common(laid: list[Kinds], true: list[Kinds]) -> int:
    """Return how many pieces lie on the sheet that is matched to theirs."""
    from scipy.optimize import linear_sum_assignment

    holds: dict[int, list[int]] = {}  # the sheets of the truth that have pieces of a kind
    for number, sheet in enumerate(true):
        for kind in sheet:
            holds.setdefault(kind, []).append(number)
    shared = np.zeros((len(laid), len(true)), np.int64)
    for row, sheet in zip(shared, laid, strict=True):
        for kind, count in sheet.items():
            for number in holds.get(kind, ()):
                row[number] += min(count, true[number][kind])
    return int(shared[linear_sum_assignment(shared, maximize=True)].sum())
