"""Evidence that knows the last answer: what was sure there holds together, as far as it was sure.

Where a picture is dark and flat the fittest answer is not the true one, and every search finds
another that is as fit: so whoever searches anew after an answer loses what was right before. A join
that can be trusted counts as if somebody had told it, to the degree that it can; blocks may move,
but hold together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement
from tessella.compatibility import Compatibility
from tessella.evidence import Evidence
from tessella.odds import Odds
from tessella.sureness import chances, trusted


def settled(evidence: Evidence, arrangement: Arrangement, odds: Odds) -> Evidence:
    """Return `evidence` moved towards what `arrangement` joins, as far as that can be trusted.

    Parameters
    ----------
    odds : by which joins are judged; pairs that do not fit by `evidence` are let be
    """
    known = chances(arrangement, odds)
    pairs = np.concatenate([row.pairs for row, _ in known])
    share = trusted(np.concatenate([sure for _, sure in known]))
    share[evidence.compatibility.of(pairs) <= 0] = 0
    held = _Held.of(pairs, share, 4 * evidence.compatibility.pieces)
    coarse = None if evidence.coarse is None else held.applied(evidence.coarse)
    moved = held.applied(evidence.compatibility)
    return replace(evidence, compatibility=moved, coarse=coarse, anew=None)  # A part stays so, too.


@dataclass(frozen=True, eq=False)
class _Held:
    """What holds together.

    Attributes
    ----------
    mate : the partner of every edge, -1 where it has none, ``(4N,)``
    free : 1 less how far that can be trusted, ``(4N,)``
    """

    mate: NDArray[np.int64]
    free: NDArray[np.float32]

    @classmethod
    def of(cls, pairs: NDArray[np.int32], share: NDArray[np.float64], edges: int) -> _Held:
        mate, free = np.full(edges, -1, np.int64), np.ones(edges, np.float32)
        for one, other in (pairs.T, pairs.T[::-1]):
            mate[one], free[one] = other, 1 - share
        return cls(mate, free)

    def applied(self, compatibility: Compatibility) -> Compatibility:
        """Return compatibilities moved towards 1 of mates, and towards 0 of their rivals."""
        e = np.repeat(np.arange(len(self.mate)), np.diff(compatibility.start))
        f, score = compatibility.partner, compatibility.score
        less = self.free[e] * self.free[f]
        score = np.where(self.mate[e] == f, 1 - self.free[e] * (1 - score), less * score)
        order = np.lexsort((f, -score, e))
        dense = compatibility.dense
        return replace(
            compatibility,
            partner=f[order],
            score=score[order],
            dense=None if dense is None else self._dense(dense, compatibility.upright),
            by_partner=None,
        )

    def _dense(self, table: NDArray[np.float32], upright: bool) -> NDArray[np.float32]:
        """Return a table of all pairs, moved likewise."""
        own = np.flatnonzero(self.mate >= 0)
        at = own, self.mate[own] // 4 if upright else self.mate[own]
        out = table * self.free[:, None]
        if upright:  # The column of piece p is its edge that faces back.
            facing = self.free.reshape(-1, 4)[:, [2, 3, 0, 1]]
            out = (out.reshape(-1, 4, table.shape[1]) * facing.T).reshape(table.shape)
        else:
            out = out * self.free
        out[at] = 1 - self.free[own] * (1 - table[at])
        return out
