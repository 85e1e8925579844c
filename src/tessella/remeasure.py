"""Asking a measure about some pieces once more: about every pair of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.describing import describe
from tessella.edges import BOTTOM, LEFT, RIGHT, TOP
from tessella.measuring import Learned, Measure, Selective
from tessella.puzzle import Puzzle
from tessella.scores import Scores
from tessella.threads import chunks, spread

_ROWS = 256


@dataclass(frozen=True)
class Pairs:
    """Measures every pair of some pieces of an upright puzzle, which its lists leave out."""

    puzzle: Puzzle
    by: Measure

    def __call__(
        self, pieces: NDArray[np.int32], side: int, threads: int | None
    ) -> NDArray[np.float32]:
        """Return the score of every pair, the second at `side` of the first, ``(M, M)``.

        Parameters
        ----------
        pieces : which, ``(M,)``
        side : `edges.RIGHT` or `edges.BOTTOM`
        """
        other = {RIGHT: LEFT, BOTTOM: TOP}[side]
        right = describe(self.puzzle, (4 * pieces + side).astype(np.int32), RIGHT, self.by)
        left = describe(self.puzzle, (4 * pieces + other).astype(np.int32), LEFT, self.by)
        out = np.empty((len(pieces), len(pieces)), np.float32)

        def fill(rows: slice) -> None:
            out[rows] = self.by.score(self.by.raw(right[rows], left))

        for _ in spread(fill, chunks(len(pieces), _ROWS), threads):
            pass
        np.fill_diagonal(out, -np.inf)
        return out


def remeasure(puzzle: Puzzle, scores: Scores, by: Measure | Learned) -> Pairs | None:
    """Return who can be asked again: only if `puzzle` is upright, listed, and has distances."""
    if scores.dense is not None or not puzzle.upright:
        return None
    if isinstance(by, Learned | Selective) or not by.distance:
        return None
    return Pairs(puzzle, by)
