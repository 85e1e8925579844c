"""How sure a join is: what a person should look at first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement, Sheet
from tessella.compatibility import Compatibility
from tessella.edges import BOTTOM, LEFT, RIGHT, TOP


@dataclass(frozen=True)
class Join:
    """Two neighbouring cells and how sure their join is.

    Attributes
    ----------
    sheet, row, col : the left or upper cell
    down : True when the other cell lies below, False when it lies to the right
    edges : the two edges that meet
    compatibility : their compatibility
    confidence : in [0, 1]; 0.5 when another partner would be as good for either edge
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

    Confidence compares the join with the best other partner that either of its edges has:
    ``(1 + c - c_other) / 2``. It asks no solver, so a solver cannot flatter itself.
    """
    found = []
    for number, sheet in enumerate(arrangement.sheets):
        for down in (False, True):
            cells, pairs = _cells_and_pairs(sheet, down)
            scores = compatibility.of(pairs)
            rivals = np.maximum(
                _best_other(compatibility, pairs), _best_other(compatibility, pairs[:, ::-1])
            )
            sure = np.clip((1 + scores - rivals) / 2, 0, 1)
            found += [
                Join(number, r, c, down, (e, f), float(s), float(v))
                for (r, c), (e, f), s, v in zip(
                    cells.tolist(), pairs.tolist(), scores, sure, strict=True
                )
            ]
    return tuple(sorted(found, key=lambda j: (j.sheet, j.row, j.col, j.down)))


def _cells_and_pairs(sheet: Sheet, down: bool) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """Return the first cells ``(J, 2)`` and the edges ``(J, 2)`` of joins in one direction."""
    if down:
        pairs = np.stack([sheet.edges_facing(BOTTOM)[:-1], sheet.edges_facing(TOP)[1:]], -1)
    else:
        pairs = np.stack([sheet.edges_facing(RIGHT)[:, :-1], sheet.edges_facing(LEFT)[:, 1:]], -1)
    both = (pairs >= 0).all(axis=-1)
    return np.argwhere(both), pairs[both]


def _best_other(compatibility: Compatibility, pairs: NDArray[np.int32]) -> NDArray[np.float32]:
    """Return the best compatibility that the first edge of every pair has elsewhere, ``(J,)``."""
    start, partner, score = compatibility.start, compatibility.partner, compatibility.score
    best = np.zeros(len(pairs), np.float32)
    for j, (e, f) in enumerate(pairs.tolist()):
        for k in range(start[e], min(start[e] + 2, start[e + 1])):
            if partner[k] != f:
                best[j] = score[k]
                break
    return best
