"""Neighbouring blocks of the answer change places, as long as that makes it fitter.

What moving segments leaves is often one block that lies a few cells beside its place, with all
between pushed along. `tessella.kernels.exchange` tries every exchange of two rectangles.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tessella.arrangement import Arrangement
from tessella.kernels.exchange import exchange_blocks
from tessella.solving import Job
from tessella.stages.stage import Answer


@dataclass(frozen=True)
class Exchange:
    """What it is worth is in docs/experiments/shifting_blocks.md.

    Attributes
    ----------
    most : exchanges at most; each looks at all rectangles, which of 4,096 pieces takes a second
    """

    name: str = "exchange"
    most: int = 20

    def __call__(self, answer: Answer, job: Job) -> Answer:
        """Return an answer without holes with its blocks exchanged where that is fitter."""
        if not answer.open:
            return answer
        assert answer.arrangement is not None
        sheet, *others = answer.arrangement.sheets
        if others or (sheet.piece < 0).any():
            return answer
        # Row by row, however the sheet was turned: else the kernel were compiled once more.
        piece, turns = sheet.piece.astype(np.int32, "C"), sheet.turns.astype(np.int32, "C")
        if not exchange_blocks(job.compatibility.tables, piece, turns, self.most):
            return answer
        arrangement = Arrangement.single(piece, turns.astype(np.int8))
        history = (*answer.history, job.compatibility.fitness(arrangement))
        return replace(answer, arrangement=arrangement, history=history)
