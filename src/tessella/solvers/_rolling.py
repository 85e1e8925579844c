"""A picture that lies across its own frame, rolled back.

Where the large fragment of a very large puzzle has grown too near to one side, what belongs there
lies beyond the opposite side, and hardly a join holds along the whole seam between. No move of a
segment leads out of that; rolling the picture until this seam is its frame costs nothing.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement, Sheet
from tessella.compatibility import Compatibility
from tessella.edges import BOTTOM, LEFT, RIGHT, TOP
from tessella.solving import Solution

_TORN = 0.05
"""A seam whose joins are worth less than this on average holds nothing together."""


def rolled(found: Solution, compatibility: Compatibility) -> Solution:
    """Return `found`, upright and without holes, with its weakest seams as its frame."""
    sheet = found.arrangement.sheets[0]
    piece = sheet.piece
    if not compatibility.upright or (piece < 0).any():
        return found
    for axis, side, other in ((0, BOTTOM, TOP), (1, RIGHT, LEFT)):
        worth = _seams(piece, axis, side, other, compatibility)
        weakest = int(worth[:-1].argmin()) if len(worth) > 1 else 0
        if worth[weakest] < _TORN:
            piece = np.roll(piece, len(worth) - 1 - weakest, axis)
    if piece is sheet.piece:
        return found
    arrangement = Arrangement((Sheet(piece, sheet.turns.copy()),))
    fitness = compatibility.fitness(arrangement)
    after = found.history[-1] + fitness - compatibility.fitness(found.arrangement)
    history = (*found.history, after)
    return replace(found, arrangement=arrangement, fitness=fitness, history=history)


def _seams(
    piece: NDArray[np.int32], axis: int, side: int, other: int, compatibility: Compatibility
) -> NDArray[np.float64]:
    """Return the mean compatibility along every seam; the last is between the last and first."""
    beyond = np.roll(piece, -1, axis)
    pairs = np.stack([4 * piece + side, 4 * beyond + other], axis=-1).reshape(-1, 2)
    value = compatibility.of(pairs.astype(np.int32)).reshape(piece.shape)
    return np.asarray(value.mean(axis=1 - axis, dtype=np.float64))
