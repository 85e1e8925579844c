"""How good an answer or a measure is, judged against the truth."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.compatibility import Compatibility
from tessella.errors import InputError
from tessella.scores import Scores, column
from tessella.sorting import Sorting, applies, class_pairs, sort
from tessella.truth import Truth


@dataclass(frozen=True)
class Score:
    """An arrangement against the truth; all fractions.

    Attributes
    ----------
    neighbor : true joins that were found
    false_joins : found joins that are not true, of all found
    direct : pieces in their true cell
    perfect : every true join found and no false one
    neighbor_up_to_identical : as `neighbor`, edges of pixel-identical pieces interchangeable
    content : the same over true joins of which at least one strip is not blank; None where the
        truth does not tell blank strips
    sorting : on which sheets the pieces were put; None where all of them fill one sheet, in the
        answer and in the truth
    """

    neighbor: float
    false_joins: float
    direct: float
    perfect: bool
    neighbor_up_to_identical: float
    content: float | None = None
    sorting: Sorting | None = None

    def to_json(self) -> dict[str, float | bool]:
        """Return the fields as a flat JSON object, without those that do not apply."""
        value = asdict(self)
        value |= value.pop("sorting") or {}
        return {name: each for name, each in value.items() if each is not None}


def score(
    arrangement: Arrangement, truth: Truth, *, upright: bool = False, shape_known: bool = False
) -> Score:
    """Judge `arrangement`.

    Parameters
    ----------
    upright : pieces could not be turned, so `direct` tries no whole turns, and a piece that looks
        like another turned is not its twin
    shape_known : the frame was given, so `direct` tries no shifts
    """
    arrangement.fits(truth.pieces)
    found, true = _pairs(arrangement.joins()), _pairs(truth.arrangement.joins())
    hit = len(found & true)
    neighbor = hit / len(true) if true else 1.0
    false = (len(found) - hit) / len(found) if found else 0.0
    return Score(
        neighbor=neighbor,
        false_joins=false,
        direct=_direct(arrangement, truth, upright, shape_known),
        perfect=hit == len(true) == len(found),
        neighbor_up_to_identical=_up_to_identical(arrangement, truth),
        content=None if truth.blank is None else _up_to_identical(arrangement, truth, ~truth.blank),
        sorting=sort(arrangement, truth, upright=upright) if applies(arrangement, truth) else None,
    )


def _pairs(joins: NDArray[np.int32]) -> set[tuple[int, int]]:
    return {(min(e, f), max(e, f)) for e, f in joins.tolist()}


def _up_to_identical(
    arrangement: Arrangement, truth: Truth, of: NDArray[np.bool_] | None = None
) -> float:
    """Match found joins to true ones as multisets of class pairs.

    Parameters
    ----------
    of : pieces ``(N,)``, at least one of which a join must have to count; all when None
    """
    counted = np.ones(truth.pieces, np.bool_) if of is None else of
    true, found = (
        class_pairs(joins[counted[joins // 4].any(axis=1)], truth)
        for joins in (truth.arrangement.joins(), arrangement.joins())
    )
    total = sum(true.values())
    return sum((true & found).values()) / total if total else 1.0


def _direct(arrangement: Arrangement, truth: Truth, upright: bool, shape_known: bool) -> float:
    """Pieces in their true cell: each true sheet takes the found sheet that serves it best."""
    turns = (0,) if upright else range(4)
    total = sum(int((s.piece != EMPTY).sum()) for s in truth.arrangement.sheets)
    hits = 0
    for true in truth.arrangement.sheets:
        hits += max(
            _cells_right(found.turned(t), true, shape_known)
            for found in arrangement.sheets
            for t in turns
        )
    return hits / total


def _cells_right(found: Sheet, true: Sheet, shape_known: bool) -> int:
    """Count pieces in their true cell, the best over all shifts unless the shape is known."""
    where = {
        int(p): (r, c, int(true.turns[r, c]))
        for (r, c), p in np.ndenumerate(true.piece)
        if p != EMPTY
    }
    shifts: Counter[tuple[int, int]] = Counter()
    for (r, c), p in np.ndenumerate(found.piece):
        if p != EMPTY and int(p) in where:
            row, col, turn = where[int(p)]
            if turn == int(found.turns[r, c]):
                shifts[row - r, col - c] += 1
    if shape_known:
        return shifts[0, 0]
    return max(shifts.values(), default=0)


def top(told: Scores | Compatibility, truth: Truth, upto: int = 20) -> NDArray[np.float64]:
    """Return Top-1 to Top-`upto` of a measure: how often the true partner ranks that high.

    Over every edge with a true partner; a tie among m counts 1/m for each place it spans.
    Give `Scores` for "before", `Compatibility` for "after" post-processing.
    """
    partner = truth.partners()
    which = np.flatnonzero(partner >= 0).astype(np.int32)
    if len(which) == 0:
        raise InputError("Top-i needs a truth with at least one join; this one has none.")
    above, tied = _ranks(told, which, partner[which])
    places = np.arange(1, upto + 1)[None, :]
    chance = np.clip((places - above[:, None]) / tied[:, None], 0, 1)
    return np.asarray(chance.mean(axis=0), np.float64)


def _ranks(
    told: Scores | Compatibility, which: NDArray[np.int32], partner: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many candidates beat the true one, and how many (itself included) equal it."""
    above = np.empty(len(which), np.int64)
    tied = np.empty(len(which), np.int64)
    for row, (e, f) in enumerate(zip(which.tolist(), partner.tolist(), strict=True)):
        values, own = _candidates(told, e, f)
        # An unlisted partner ranks behind all that are listed; how far is unknown.
        above[row] = 4 * told.pieces if np.isneginf(own) else (values > own).sum()
        tied[row] = max(1, (values == own).sum())
    return above, tied


def _candidates(
    told: Scores | Compatibility, e: int, f: int
) -> tuple[NDArray[np.float32], np.float32]:
    """Return the values of all candidates of edge `e`, and that of `f` among them."""
    if told.dense is not None:
        row = told.dense[e]
        allowed = np.ones(len(row), bool)
        allowed[e // 4 if told.upright else slice(e // 4 * 4, e // 4 * 4 + 4)] = False
        if not told.upright and not told.square:
            allowed[(np.arange(len(row)) - e) % 2 == 1] = False
        own = row[column(np.array([f], np.int32), told.upright)[0]]
        return row[allowed], own
    if isinstance(told, Scores):
        listed = told.partner[e] >= 0
        names, values = told.partner[e][listed], told.score[e][listed]
    else:
        part = slice(told.start[e], told.start[e + 1])
        names, values = told.partner[part], told.score[part]
    hit = np.flatnonzero(names == f)
    if len(hit):
        return values, values[hit[0]]
    return np.append(values, np.float32(-np.inf)), np.float32(-np.inf)
