"""A learned measure read as what it was trained to be: a distribution over an edge's candidates.

The score of a candidate is a logarithm up to a constant of its edge, so the softmax over the
candidates is the chance p(f | e) that f is the partner of e. The compatibility is its logarithm,
cut off and brought to [0, 1]; both directions are averaged. A sum of such compatibilities is the
logarithm of how likely an arrangement is, were its joins independent. Min-max per edge loses that:
where nothing is certain, as in a sky, it spreads guesses over the whole range. But it is easier to
search, since a wrong join costs less on the way to a right one; so solvers get it too, as the
coarse reading of the same scores (`tessella.evidence`).

Scores that are distances have no such meaning and get the paper's min-max.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tessella.adjust.minmax import Minmax
from tessella.compatibility import Compatibility, from_dense, from_lists
from tessella.errors import InputError
from tessella.scores import Scores

_ROWS = 2**22
"""How many scores are worked on at a time."""


@dataclass(frozen=True)
class Posterior:
    """C'(e, f) = 1 + max(ln p(f | e), -depth) / depth; then symmetrised.

    Attributes
    ----------
    depth : the logarithm of a chance below which all candidates are worth nothing, without its sign
    """

    coarse: ClassVar[str] = "minmax"

    depth: float = 15.0

    def __post_init__(self) -> None:
        if not self.depth > 0:
            raise InputError(f"The depth of posterior must be greater than 0; got {self.depth}.")

    def adjust(self, scores: Scores, threads: int | None = None) -> Compatibility:
        """Return the compatibilities that `scores` amount to."""
        if scores.distance:
            return Minmax().adjust(scores, threads)
        kept = scores.score.shape[1]
        facts = scores.pieces, scores.upright, scores.square
        if scores.dense is not None:
            return from_dense(*facts, self._chances(scores.dense), kept, threads)
        allowed = np.where(scores.partner >= 0, scores.score, -np.inf)
        return from_lists(*facts, scores.partner, self._chances(allowed))

    def _chances(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return C' of every row's candidates before both directions are averaged, ``(E, K)``."""
        out = np.empty_like(values, np.float32)
        step = max(1, _ROWS // values.shape[1])
        for start in range(0, len(values), step):
            some = values[start : start + step]
            best = some.max(axis=1, keepdims=True)
            behind = some - np.where(np.isfinite(best), best, 0)
            total = np.exp(behind).sum(axis=1, keepdims=True)
            chance = behind - np.log(np.maximum(total, 1))  # 1 or more where anyone is allowed.
            cut = np.maximum(chance, -self.depth) / self.depth + 1
            out[start : start + step] = np.where(np.isneginf(some), -np.inf, cut)
        return out
