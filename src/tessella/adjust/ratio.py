"""Gallagher's ratio: a distance counts by how it compares with the edge's second best.

A. C. Gallagher, "Jigsaw puzzles with pieces of unknown orientation", CVPR 2012. The ratio
r = d / (second-best d) is unbounded; ``exp(-r / scale)`` brings it to (0, 1], higher is better,
and leaves the order of an edge's candidates as it was. Both directions are averaged. A scale of 1
leaves candidates far from the best so little that lists, where those count 0, lose little.
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
    """C'(e, f) = exp(-d(e, f) / (scale * d(e, second best))); then symmetrised."""

    scale: float = 1.0

    def __post_init__(self) -> None:
        if not self.scale > 0:
            raise InputError(f"The scale of the ratio must be greater than 0; got {self.scale}.")

    def adjust(self, scores: Scores, threads: int | None = None) -> Compatibility:
        """Return the compatibilities that `scores` amount to."""
        if not scores.distance:
            raise InputError("The ratio adjustment needs a distance measure; use adjust=minmax.")
        kept = scores.score.shape[1]
        facts = scores.pieces, scores.upright, scores.square
        second = np.expm1(-scores.score[:, min(1, kept - 1)])[:, None]
        if scores.dense is not None:
            return from_dense(*facts, self._compare(scores.dense, second), kept, threads)
        return from_lists(*facts, scores.partner, self._compare(scores.score, second))

    def _compare(
        self, values: NDArray[np.float32], second: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return C'; an edge whose two best distances are 0 compares with 1 grey level."""
        allowed = ~np.isneginf(values)
        distance = np.expm1(-np.where(allowed, values, 0))
        reference = np.where(np.isfinite(second) & (second > 0), second, 1)
        compared = np.exp(-distance / (self.scale * reference))
        return np.where(allowed, compared, -np.inf).astype(np.float32)
