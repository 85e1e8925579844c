"""How sure a join is: what a person should look at first.

Confidence is the chance that a join is right, given the whole answer: of joins said to be 90 %
sure, 90 % should be. `tessella.witnesses` says what it goes by, `tessella.sureness` how that is
weighed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement, Sheet
from tessella.compatibility import Compatibility
from tessella.odds import Odds
from tessella.sureness import chances
from tessella.witnesses import cells_and_pairs, rows_of

DOUBTFUL = 0.9
"""A join that is less sure than this counts as doubtful."""


@dataclass(frozen=True)
class Join:
    """Two neighbouring cells and how sure their join is.

    Attributes
    ----------
    sheet, row, col : the left or upper cell
    down : True when the other cell lies below, False when it lies to the right
    edges : the two edges that meet
    compatibility : their compatibility
    confidence : the chance that it is right
    """

    sheet: int
    row: int
    col: int
    down: bool
    edges: tuple[int, int]
    compatibility: float
    confidence: float


def judge(
    arrangement: Arrangement,
    compatibility: Compatibility,
    odds: Odds | None,
    joined: Iterable[tuple[int, int]] = (),
) -> tuple[Join, ...]:
    """Return every join of `arrangement` with its confidence, sheet by sheet, in reading order.

    Without `odds` nothing is known, and the confidence of every join is that of a coin.

    Parameters
    ----------
    joined : pairs of edges that somebody knows to lie against each other: these are certain
    """
    if odds is None:
        known = [(row, np.full(len(row.pairs), 0.5)) for row in rows_of(arrangement)]
    else:
        known = chances(arrangement, odds)
    certain = {pair for e, f in joined for pair in ((e, f), (f, e))}
    joins = [
        Join(row.sheet, r, c, row.down, (e, f), float(s), 1.0 if (e, f) in certain else float(v))
        for row, sure in known
        for (r, c), (e, f), s, v in zip(
            row.cells.tolist(), row.pairs.tolist(), compatibility.of(row.pairs), sure, strict=True
        )
    ]
    return tuple(sorted(joins, key=lambda j: (j.sheet, j.row, j.col, j.down)))


def of_pieces(joins: Iterable[Join]) -> dict[int, float]:
    """Return how sure pieces lie right among their neighbours: the mean of their joins.

    That is the share of its neighbours beside which a piece may be expected to lie right. Pieces
    without a neighbour are not among them.
    """
    sums: dict[int, list[float]] = {}
    for join in joins:
        for edge in join.edges:
            sums.setdefault(edge // 4, []).append(join.confidence)
    return {piece: sum(several) / len(several) for piece, several in sums.items()}


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
        cells, pairs = cells_and_pairs(sheet, down)
        scores = compatibility.of(pairs)
        for rows, cols in (cells.T, (cells + ((1, 0) if down else (0, 1))).T):
            total[rows, cols] += scores
            count[rows, cols] += 1
    mean = np.full(sheet.shape, np.nan)
    np.divide(total, count, out=mean, where=count > 0)
    return mean


def to_json(joins: Iterable[Join], arrangement: Arrangement) -> list[dict[str, Any]]:
    """Return the confidence of every join and piece, sheet by sheet, null where there is none.

    ``right`` has rows x (cols - 1) numbers, for a cell and the one to its right; ``down`` has
    (rows - 1) x cols, for a cell and the one below; ``piece`` has rows x cols.
    """
    joins = tuple(joins)
    pieces = of_pieces(joins)
    sheets: list[dict[str, Any]] = []
    for sheet in arrangement.sheets:
        rows, cols = sheet.shape
        right: list[list[float | None]] = [[None] * (cols - 1) for _ in range(rows)]
        down: list[list[float | None]] = [[None] * cols for _ in range(rows - 1)]
        own = [[_rounded(pieces.get(piece)) for piece in row] for row in sheet.piece.tolist()]
        sheets.append({"right": right, "down": down, "piece": own})
    for join in joins:
        table = sheets[join.sheet]["down" if join.down else "right"]
        table[join.row][join.col] = round(join.confidence, 4)
    return sheets


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
