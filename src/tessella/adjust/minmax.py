"""The paper's post-processing: per-edge min-max, then the mean of both directions.

Rika et al., "A Generic Hybrid Framework for 2D Visual Reconstruction", Section III-C.

Where only one of two edges lists the other, the score of a distance counts for both: each edge's
worst and best are known. Most distances are the same either way, and lists then say of the pairs
that they hold what the full table would; of `l1`, which is not, they say nearly that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.compatibility import Compatibility, from_dense, from_lists
from tessella.kernels.tables import one_way
from tessella.scores import Scores


@dataclass(frozen=True)
class Minmax:
    """C'(e, f) = (C(e, f) - lo) / (hi - lo) over the candidates of e; then symmetrised."""

    def adjust(self, scores: Scores, threads: int | None = None) -> Compatibility:
        """Return the compatibilities that `scores` amount to."""
        kept = scores.score.shape[1]
        facts = scores.pieces, scores.upright, scores.square
        if scores.dense is not None:
            return from_dense(*facts, _scale(scores.dense, scores), kept, threads)
        scaled = _scale(scores.score, scores)
        if scores.distance:
            scaled += _other_way(scores)
        return from_lists(*facts, scores.partner, scaled)


def _scale(values: NDArray[np.float32], scores: Scores) -> NDArray[np.float32]:
    """Bring every row to [0, 1]; where all candidates are equal, all are the best: 1."""
    lo, hi = scores.lo[:, None], scores.hi[:, None]
    flat = ~(hi > lo)
    span = np.where(flat, 1, hi - lo)
    scaled = values - np.where(np.isfinite(lo), lo, 0)
    scaled /= span  # In place: a large puzzle's table is not copied once more.
    scaled[flat.ravel()] = np.where(np.isneginf(values[flat.ravel()]), -np.inf, 1)
    return scaled.astype(np.float32, copy=False)


def _other_way(scores: Scores) -> NDArray[np.float32]:
    """Return C'(f, e) for every listed (e, f) whose f does not list e, else 0, ``(4N, K)``."""
    alone = np.empty(scores.partner.shape, np.bool_)
    one_way(scores.partner, alone)
    e, k = np.nonzero(alone)
    f = scores.partner[e, k]
    lo, hi = scores.lo[f], scores.hi[f]
    flat = ~(hi > lo)
    value = (scores.score[e, k] - lo) / np.where(flat, 1, hi - lo)
    reverse = np.zeros_like(scores.score)
    reverse[e, k] = np.where(flat, 1, np.clip(value, 0, 1))
    return reverse
