"""Evidence kept as it is: one scale for all edges, and no evidence is 0.5.

For measures whose scores add up, such as the logarithm of how much likelier a pair is joined than
not. The sum of compatibilities then ranks arrangements as the sum of scores does, which no scale
per edge would leave so. Both directions are averaged.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.compatibility import Compatibility, from_dense, from_lists
from tessella.scores import Scores

NONE = 0.5
"""The compatibility of two edges about which nothing is known."""


@dataclass(frozen=True)
class Evidence:
    """C'(e, f) = (1 + C(e, f) / M) / 2, M the largest |C| in the puzzle; then symmetrised."""

    def adjust(self, scores: Scores, threads: int | None = None) -> Compatibility:
        """Return the compatibilities that `scores` amount to."""
        kept = scores.score.shape[1]
        facts = scores.pieces, scores.upright, scores.square
        most = _largest(scores)
        if scores.dense is not None:
            return from_dense(*facts, _scale(scores.dense, most), kept, threads)
        return from_lists(*facts, scores.partner, _scale(scores.score, most))


def _largest(scores: Scores) -> float:
    """Return the largest absolute score, 1 where all are 0."""
    ends = np.concatenate([scores.lo, scores.hi])
    ends = ends[np.isfinite(ends)]
    return float(np.abs(ends).max(initial=0)) or 1.0


def _scale(values: NDArray[np.float32], most: float) -> NDArray[np.float32]:
    scaled = values / np.float32(most)
    scaled += 1
    scaled *= np.float32(0.5)
    return scaled
