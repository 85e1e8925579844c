"""How sure a join is: what a person should look at first.

Confidence is the chance that a join is right, given the whole answer: of joins said to be 90 %
sure, 90 % should be. It goes by what the join itself is worth by odds, by the loops of four pieces
that it closes, by the other joins of its two pieces, and by how the answer as a whole fares. The
weights were fitted once to answers whose truth was known (docs/experiments/odds.md); since nothing
here asks a solver, none can flatter itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement, Sheet
from tessella.compatibility import Compatibility
from tessella.edges import BOTTOM, LEFT, RIGHT, TOP
from tessella.odds import Odds, Worth
from tessella.odds.worth import RELIEF


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


WEIGHTS = np.array(
    [2.354, 0.211, 0.414, 0.284, 0.115, 0.585, -0.422, -1.311, -0.036, 0.052, 0.246, -0.253]
)
"""Of the columns of `evidence_for`, fitted by ``scripts/calibrate_confidence.py``."""

ALONE = np.eye(len(WEIGHTS))[1]
"""The same where pieces lie in one row and close no loops: the logarithm of the join's own odds."""

_Looked = tuple[int, bool, NDArray[np.intp], NDArray[np.int32], NDArray[np.float64]]
_LOW, _HIGH = -8.0, 12.0
"""What a join is worth is cut off at these, in logarithms of odds."""


def judge(
    arrangement: Arrangement, compatibility: Compatibility, odds: Odds | None
) -> tuple[Join, ...]:
    """Return every join of `arrangement` with its confidence, sheet by sheet, in reading order.

    Without `odds` nothing is known, and the confidence of every join is that of a coin.
    """
    found = []
    for number, down, cells, pairs, seen in _looked_at(arrangement, odds):
        single = min(arrangement.sheets[number].shape) == 1
        weights = ALONE if single else WEIGHTS
        sure = 1 / (1 + np.exp(-seen @ weights))
        found += [
            Join(number, r, c, down, (e, f), float(s), float(v))
            for (r, c), (e, f), s, v in zip(
                cells.tolist(), pairs.tolist(), compatibility.of(pairs), sure, strict=True
            )
        ]
    return tuple(sorted(found, key=lambda j: (j.sheet, j.row, j.col, j.down)))


def evidence_of(
    arrangement: Arrangement, odds: Odds | None
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Return the joins of `arrangement` ``(J, 2)`` and what speaks for each, ``(J, K)``."""
    every = list(_looked_at(arrangement, odds))
    return np.concatenate([e[3] for e in every]), np.concatenate([e[4] for e in every])


def _looked_at(arrangement: Arrangement, odds: Odds | None) -> Iterator[_Looked]:
    """Yield sheet, direction, cells, edges and evidence of the joins, sheet by sheet."""
    worth = None if odds is None else Worth.by(odds)
    grids = [_grids(sheet, worth) for sheet in arrangement.sheets]
    every = np.concatenate([grid[~np.isnan(grid)] for pair in grids for grid in pair])
    fares = (float(every.mean()), float((every < 0).mean())) if len(every) else (0.0, 0.0)
    for number, (sheet, pair) in enumerate(zip(arrangement.sheets, grids, strict=True)):
        for down in (False, True):
            cells, pairs = _cells_and_pairs(sheet, down)
            seen = evidence_for(pair[down], pair[not down], down, fares)
            known = seen[cells[:, 0], cells[:, 1]] * (worth is not None)
            yield number, down, cells, pairs, known


def _grids(sheet: Sheet, worth: Worth | None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what every cell's join to the right and downwards is worth, nan where it has none."""
    made = []
    for down in (False, True):
        cells, pairs = _cells_and_pairs(sheet, down)
        grid = np.full(sheet.shape, np.nan)
        if worth is not None and len(pairs):
            value = worth.joins(pairs) - RELIEF
            grid[cells[:, 0], cells[:, 1]] = np.clip(value, _LOW, _HIGH)
        made.append(grid)
    return made[0], made[1]


def evidence_for(
    along: NDArray[np.float64],
    across: NDArray[np.float64],
    down: bool,
    fares: tuple[float, float],
) -> NDArray[np.float64]:
    """Return what speaks for every cell's join, ``(rows, cols, K)``; meaningless where it has none.

    Parameters
    ----------
    along, across : what joins in the same direction and in the other are worth, ``(rows, cols)``
    down : whether the direction is downwards
    fares : mean worth of all joins of the answer, and the share of those worth less than nobody
    """
    if down:
        turned = evidence_for(along.T, across.T, False, fares)
        return np.asarray(turned.swapaxes(0, 1))
    loops = []
    for step, above in ((-1, -1), (1, 0)):
        others = [_shifted(along, step, 0), _shifted(across, above, 0), _shifted(across, above, 1)]
        loops.append(np.stack(others))
    closed = [~np.isnan(loop).any(axis=0) for loop in loops]
    filled = [np.nan_to_num(loop) for loop in loops]
    total = sum(np.where(c, f.sum(axis=0), 0) for c, f in zip(closed, filled, strict=True)) / 3
    weakest = np.maximum(
        *(np.where(c, f.min(axis=0), _LOW) for c, f in zip(closed, filled, strict=True))
    )
    beside = np.stack([
        _shifted(along, 0, -1), _shifted(across, -1, 0), across,
        _shifted(along, 0, 1), _shifted(across, -1, 1), _shifted(across, 0, 1),
    ])  # fmt: skip
    count = (~np.isnan(beside)).sum(axis=0)
    others = np.nansum(beside, axis=0) / np.maximum(count, 1)
    own, total = np.nan_to_num(along), np.clip(total, _LOW, _HIGH)
    one = np.ones(along.shape)
    return np.stack([
        one, own, closed[0] + closed[1].astype(float) - 1, total, weakest, count - 3.0,
        one * (fares[0] - 4), one * 5 * (fares[1] - 0.1), own * (count - 3) / 3, others,
        np.maximum(own, 0), np.maximum(total, 0),
    ], axis=-1)  # fmt: skip


def _shifted(grid: NDArray[np.float64], rows: int, cols: int) -> NDArray[np.float64]:
    """Return in every cell what lies `rows` below it and `cols` to its right; nan off the grid."""
    padded = np.pad(grid, 1, constant_values=np.nan)
    high, wide = grid.shape
    return padded[1 + rows : 1 + rows + high, 1 + cols : 1 + cols + wide]


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
