"""A picture that lies across its own frame, rolled back.

Where the large fragment of a very large puzzle has grown too near to one side, what belongs there
lies beyond the opposite side, and hardly a join holds along the whole seam between. No move of a
segment leads out of that; rolling the picture until this seam is its frame costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement, Sheet
from tessella.compatibility import Compatibility
from tessella.edges import BOTTOM, LEFT, RIGHT, TOP
from tessella.solving import Job
from tessella.stages.merge import strengthened
from tessella.stages.stage import Answer


@dataclass(frozen=True)
class Roll:
    """Of one picture of 22,755 pieces, rolled by nine rows (docs/experiments/beliefs.md).

    Attributes
    ----------
    torn : a seam whose joins are worth less than this on average holds nothing together; no true
        seam of seven pictures was worth less than 0.4
    """

    name: str = "roll"
    torn: float = 0.05

    def __call__(self, answer: Answer, job: Job) -> Answer:
        """Return an upright answer without holes with its weakest seams as its frame."""
        if not answer.open or answer.merged is None or not answer.searched.upright:
            return answer
        assert answer.arrangement is not None
        counted = strengthened(answer.searched, answer.merged.firm)
        sheet = answer.arrangement.sheets[0]
        piece = self.rolled(sheet.piece, counted)
        if piece is sheet.piece:
            return answer
        arrangement = Arrangement((Sheet(piece, sheet.turns.copy()),))
        history = (*answer.history, job.compatibility.fitness(arrangement))
        return replace(answer, arrangement=arrangement, history=history)

    def rolled(self, piece: NDArray[np.int32], counted: Compatibility) -> NDArray[np.int32]:
        """Return upright pieces with their weakest seams as their frame, ``(R, C)``."""
        if (piece < 0).any():
            return piece
        for axis, side, other in ((0, BOTTOM, TOP), (1, RIGHT, LEFT)):
            worth = _seams(piece, axis, side, other, counted)
            weakest = int(worth[:-1].argmin()) if len(worth) > 1 else 0
            if worth[weakest] < self.torn:
                piece = np.roll(piece, len(worth) - 1 - weakest, axis)
        return piece


def _seams(
    piece: NDArray[np.int32], axis: int, side: int, other: int, compatibility: Compatibility
) -> NDArray[np.float64]:
    """Return the mean compatibility along every seam; the last is between the last and first."""
    beyond = np.roll(piece, -1, axis)
    pairs = np.stack([4 * piece + side, 4 * beyond + other], axis=-1).reshape(-1, 2)
    value = compatibility.of(pairs.astype(np.int32)).reshape(piece.shape)
    return np.asarray(value.mean(axis=1 - axis, dtype=np.float64))
