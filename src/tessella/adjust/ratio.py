"""Gallagher's ratio: a distance counts by how it compares with the edge's second best.

A. C. Gallagher, "Jigsaw puzzles with pieces of unknown orientation", CVPR 2012. The ratio
r = d / (second-best d) is unbounded; ``exp(-r / scale)`` brings it to (0, 1], higher is better,
and leaves the order of an edge's candidates as it was. Both directions are averaged. A scale of 1
leaves candidates far from the best so little that lists, where those count 0, lose little.

A score that is no distance is read as a logarithm of odds, as learned ones are: then
``exp(second-best score - score)`` is the ratio.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.compatibility import Compatibility, from_dense, from_lists
from tessella.errors import InputError
from tessella.scores import Scores

_FAR = 60.0
"""Where a ratio's logarithm is larger, nothing is left of it: exp(-exp(60)) is 0."""


@dataclass(frozen=True)
class Ratio:
    """C'(e, f) = exp(-d(e, f) / (scale * d(e, second best))); then symmetrised.

    Attributes
    ----------
    scale : how many times the second best's distance brings a compatibility down to 1 / e
    """

    scale: float = 1.0

    def __post_init__(self) -> None:
        if not self.scale > 0:
            raise InputError(f"The scale of the ratio must be greater than 0; got {self.scale}.")

    def adjust(self, scores: Scores, threads: int | None = None) -> Compatibility:
        """Return the compatibilities that `scores` amount to."""
        kept = scores.score.shape[1]
        facts = scores.pieces, scores.upright, scores.square
        second = scores.score[:, min(1, kept - 1)][:, None]
        compare = self._distances if scores.distance else self._odds
        if scores.dense is not None:
            return from_dense(*facts, compare(scores.dense, second), kept, threads)
        return from_lists(*facts, scores.partner, compare(scores.score, second))

    def _distances(
        self, values: NDArray[np.float32], second: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return C'; an edge whose two best distances are 0 compares with 1 grey level."""
        allowed = ~np.isneginf(values)
        distance = np.expm1(-np.where(allowed, values, 0))
        reference = np.expm1(-second)
        reference = np.where(np.isfinite(reference) & (reference > 0), reference, 1)
        compared = np.exp(-distance / (self.scale * reference))
        return np.where(allowed, compared, -np.inf).astype(np.float32)

    def _odds(
        self, values: NDArray[np.float32], second: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return C'; an edge with one candidate compares with even odds."""
        allowed = ~np.isneginf(values)
        reference = np.where(np.isfinite(second), second, 0)
        behind = np.clip(reference - np.where(allowed, values, 0), -_FAR, _FAR)
        compared = np.exp(-np.exp(behind.astype(np.float64)) / self.scale)
        return np.where(allowed, compared, -np.inf).astype(np.float32)
