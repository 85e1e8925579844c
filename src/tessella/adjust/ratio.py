"""Gallagher's ratio: a distance counts by how it compares with the edge's second best.

A. C. Gallagher, "Jigsaw puzzles with pieces of unknown orientation", CVPR 2012. The ratio
r = d / (second-best d) is unbounded; ``exp(-r / 2)`` brings it to (0, 1], higher is better, and
leaves the order of an edge's candidates as it was. Both directions are averaged.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.compatibility import Compatibility, from_dense, from_lists
from tessella.errors import InputError
from tessella.scores import Scores


@dataclass(frozen=True)
class Ratio:
    """C'(e, f) = exp(-d(e, f) / (2 d(e, second best))); then symmetrised."""

    def adjust(self, scores: Scores, threads: int | None = None) -> Compatibility:
        """Return the compatibilities that `scores` amount to."""
        if not scores.distance:
            raise InputError("The ratio adjustment needs a distance measure; use adjust=minmax.")
        kept = scores.score.shape[1]
        facts = scores.pieces, scores.upright, scores.square
        second = np.expm1(-scores.score[:, min(1, kept - 1)])[:, None]
        if scores.dense is not None:
            return from_dense(*facts, _compare(scores.dense, second), kept, threads)
        return from_lists(*facts, scores.partner, _compare(scores.score, second))


def _compare(values: NDArray[np.float32], second: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return exp(-r / 2); an edge whose two best distances are 0 compares with 1 grey level."""
    allowed = ~np.isneginf(values)
    distance = np.expm1(-np.where(allowed, values, 0))
    reference = np.where(np.isfinite(second) & (second > 0), second, 1)
    compared = np.exp(-distance / (2 * reference))
    return np.where(allowed, compared, -np.inf).astype(np.float32)
