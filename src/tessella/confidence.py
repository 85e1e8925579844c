"""How sure a join is: what a person should look at first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement, Sheet
from tessella.compatibility import Compatibility
from tessella.edges import BOTTOM, LEFT, RIGHT, TOP

CROWD = 32
"""The candidate of an edge, counted from its best, that stands for the crowd."""


@dataclass(frozen=True)
class Join:
    """Two neighbouring cells and how sure their join is.

    Attributes
    ----------
    sheet, row, col : the left or upper cell
    down : True when the other cell lies below, False when it lies to the right
    edges : the two edges that meet
    compatibility : their compatibility
    confidence : in [0, 1]; 0.5 when another partner would be as good for either edge, more when
        this one is better than all others for both
    """

    sheet: int
    row: int
    col: int
    down: bool
    edges: tuple[int, int]
    compatibility: float
    confidence: float


def judge(arrangement: Arrangement, compatibility: Compatibility) -> tuple[Join, ...]:
    """Return every join of `arrangement` with its confidence, sheet by sheet, in reading order.

    Confidence compares the join with the best other partner that either of its edges has: with
    lead = c - c_other, counted in units of what sets the edge's best candidates apart from the
    crowd (its `CROWD`-th candidate), it is ``(1 + lead) / 2``, the smaller of both edges. So it
    does not depend on how an adjustment spreads its values, and since it asks no solver, a solver
    cannot flatter itself.
    """
    found = []
    for number, sheet in enumerate(arrangement.sheets):
        for down in (False, True):
            cells, pairs = _cells_and_pairs(sheet, down)
            scores = compatibility.of(pairs)
            lead = np.minimum(
                _lead(compatibility, pairs, scores), _lead(compatibility, pairs[:, ::-1], scores)
            )
            found += [
                Join(number, r, c, down, (e, f), float(s), float(v))
                for (r, c), (e, f), s, v in zip(
                    cells.tolist(), pairs.tolist(), scores, (1 + lead) / 2, strict=True
                )
            ]
    return tuple(sorted(found, key=lambda j: (j.sheet, j.row, j.col, j.down)))


def _lead(
    compatibility: Compatibility, pairs: NDArray[np.int32], scores: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Return how far every pair leads its first edge's other candidates, in [-1, 1], ``(J,)``."""
    rival = best_other(compatibility, pairs)[1].astype(np.float64)
    first, end = compatibility.start[pairs[:, 0]], compatibility.start[pairs[:, 0] + 1]
    crowd = np.zeros(len(pairs))
    some = first < end
    crowd[some] = compatibility.score[np.minimum(first + CROWD, end)[some] - 1]
    # Two candidates alone are no crowd: what stands out is then measured from 0.
    crowd[end - first < 3] = 0
    span = np.maximum(scores, rival) - crowd
    ahead = scores - rival
    lead = np.divide(ahead, span, out=np.sign(ahead), where=span > 0)
    return np.asarray(np.clip(lead, -1, 1), np.float64)


def _cells_and_pairs(sheet: Sheet, down: bool) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """Return the first cells ``(J, 2)`` and the edges ``(J, 2)`` of joins in one direction."""
    if down:
        pairs = np.stack([sheet.edges_facing(BOTTOM)[:-1], sheet.edges_facing(TOP)[1:]], -1)
    else:
        pairs = np.stack([sheet.edges_facing(RIGHT)[:, :-1], sheet.edges_facing(LEFT)[:, 1:]], -1)
    both = (pairs >= 0).all(axis=-1)
    return np.argwhere(both), pairs[both]


def best_other(
    compatibility: Compatibility, pairs: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return the best partner, beside the second edge, of the first edge of every pair ``(J, 2)``.

    Returns
    -------
    the partner, -1 where no other is listed, ``(J,)``, and its compatibility, 0 there, ``(J,)``
    """
    partner, score = compatibility.partner, compatibility.score
    if len(partner) == 0:
        return np.full(len(pairs), -1, np.int32), np.zeros(len(pairs), np.float32)
    first, end = compatibility.start[pairs[:, 0]], compatibility.start[pairs[:, 0] + 1]
    last = len(partner) - 1
    own = partner[np.minimum(first, last)] == pairs[:, 1]
    at = np.minimum(first + own, last)
    known = first + own < end
    return np.where(known, partner[at], -1), np.where(known, score[at], 0)


def local_fitness(compatibility: Compatibility, sheet: Sheet) -> NDArray[np.float64]:
    """Return the mean compatibility of every piece with its neighbours, ``(rows, cols)``.

    The paper's heatmaps (Section V-C) show this. It is nan where a cell is empty or its piece has
    no neighbour.
    """
    total = np.zeros(sheet.shape)
    count = np.zeros(sheet.shape, np.int64)
    for down in (False, True):
        cells, pairs = _cells_and_pairs(sheet, down)
        scores = compatibility.of(pairs)
        for rows, cols in (cells.T, (cells + ((1, 0) if down else (0, 1))).T):
            total[rows, cols] += scores
            count[rows, cols] += 1
    mean = np.full(sheet.shape, np.nan)
    np.divide(total, count, out=mean, where=count > 0)
    return mean


def to_json(joins: Iterable[Join], arrangement: Arrangement) -> list[dict[str, Any]]:
    """Return the confidence of every join, sheet by sheet, null where cells do not join.

    ``right`` has rows x (cols - 1) numbers, for a cell and the one to its right; ``down`` has
    (rows - 1) x cols, for a cell and the one below.
    """
    sheets: list[dict[str, Any]] = []
    for rows, cols in (sheet.shape for sheet in arrangement.sheets):
        right: list[list[float | None]] = [[None] * (cols - 1) for _ in range(rows)]
        down: list[list[float | None]] = [[None] * cols for _ in range(rows - 1)]
        sheets.append({"right": right, "down": down})
    for join in joins:
        table = sheets[join.sheet]["down" if join.down else "right"]
        table[join.row][join.col] = round(join.confidence, 4)
    return sheets
