"""How good an answer or a measure is, judged against the truth."""

from __future__ import annotations

from collections.abc import Sequence
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
    laid, true = _pairs(arrangement.joins()), _pairs(truth.arrangement.joins())
    hit = len(laid & true)
    neighbor = hit / len(true) if true else 1.0
    false = (len(laid) - hit) / len(laid) if laid else 0.0
    return Score(
        neighbor=neighbor,
        false_joins=false,
        direct=_direct(arrangement, truth, upright, shape_known),
        perfect=hit == len(true) == len(laid),
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
    true, laid = (
        class_pairs(joins[counted[joins // 4].any(axis=1)], truth)
        for joins in (truth.arrangement.joins(), arrangement.joins())
    )
    total = sum(true.values())
    return sum((true & laid).values()) / total if total else 1.0


def _direct(arrangement: Arrangement, truth: Truth, upright: bool, shape_known: bool) -> float:
    """Pieces in their true cell: each true sheet takes the found sheet that serves it best.

    It may lie anywhere unless the shape is known, and turned any way unless pieces are upright. All
    sheets are compared at once: a store room's answer has thousands.
    """
    true = _places(truth.arrangement.sheets, truth.pieces)
    best = np.zeros(len(truth.arrangement.sheets), np.int64)
    for times in (0,) if upright else range(4):
        turned = [sheet.turned(times) for sheet in arrangement.sheets] if times else None
        places = _places(turned or arrangement.sheets, truth.pieces)
        some = (true[:, 0] >= 0) & (places[:, 0] >= 0) & (true[:, 3] == places[:, 3])
        shift = true[some, 1:3] - places[some, 1:3]
        same = np.column_stack([true[some, 0], places[some, 0], shift])
        if shape_known:
            same = same[(shift == 0).all(axis=1)]
        cases, counts = np.unique(same, axis=0, return_counts=True)
        np.maximum.at(best, cases[:, 0], counts)
    return int(best.sum()) / int((true[:, 0] >= 0).sum())


def _places(sheets: Sequence[Sheet], pieces: int) -> NDArray[np.int64]:
    """Return sheet, row, column and turns of every piece, -1 of one that lies nowhere, (N, 4)."""
    out = np.full((pieces, 4), -1, np.int64)
    for number, sheet in enumerate(sheets):
        rows, cols = np.nonzero(sheet.piece != EMPTY)
        out[sheet.piece[rows, cols]] = np.column_stack(
            [np.full(len(rows), number), rows, cols, sheet.turns[rows, cols]]
        )
    return out


def top(scores: Scores | Compatibility, truth: Truth, upto: int = 20) -> NDArray[np.float64]:
    """Return Top-1 to Top-`upto` of a measure: how often the true partner ranks that high.

    Over every edge with a true partner; a tie among m counts 1/m for each place it spans.
    Give `Scores` for "before", `Compatibility` for "after" post-processing.
    """
    partner = truth.partners()
    which = np.flatnonzero(partner >= 0).astype(np.int32)
    if len(which) == 0:
        raise InputError("Top-i needs a truth with at least one join; this one has none.")
    above, tied = _ranks(scores, which, partner[which])
    places = np.arange(1, upto + 1)[None, :]
    chance = np.clip((places - above[:, None]) / tied[:, None], 0, 1)
    return np.asarray(chance.mean(axis=0), np.float64)


def _ranks(
    scores: Scores | Compatibility, which: NDArray[np.int32], partner: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many candidates beat the true one, and how many (itself included) equal it."""
    above = np.empty(len(which), np.int64)
    tied = np.empty(len(which), np.int64)
    for row, (e, f) in enumerate(zip(which.tolist(), partner.tolist(), strict=True)):
        values, own = _candidates(scores, e, f)
        # An unlisted partner ranks behind all that are listed; how far is unknown.
        above[row] = 4 * scores.pieces if np.isneginf(own) else (values > own).sum()
        tied[row] = max(1, (values == own).sum())
    return above, tied


def _candidates(
    scores: Scores | Compatibility, e: int, f: int
) -> tuple[NDArray[np.float32], np.float32]:
    """Return the values of all candidates of edge `e`, and that of `f` among them."""
    if scores.dense is not None:
        row = scores.dense[e]
        allowed = np.ones(len(row), bool)
        allowed[e // 4 if scores.upright else slice(e // 4 * 4, e // 4 * 4 + 4)] = False
        if not scores.upright and not scores.square:
            allowed[(np.arange(len(row)) - e) % 2 == 1] = False
        own = row[column(np.array([f], np.int32), scores.upright)[0]]
        return row[allowed], own
    if isinstance(scores, Scores):
        listed = scores.partner[e] >= 0
        names, values = scores.partner[e][listed], scores.score[e][listed]
    else:
        part = slice(scores.start[e], scores.start[e + 1])
        names, values = scores.partner[part], scores.score[part]
    hit = np.flatnonzero(names == f)
    if len(hit):
        return values, values[hit[0]]
    return np.append(values, np.float32(-np.inf)), np.float32(-np.inf)
