"""What is sure: the joins that hardly anything speaks against, and whether an answer breaks them.

A full rectangle is not found by chance, so it is believed where worth alone would prefer something
with holes: in a sky no join is worth anything, and what has holes always looks a little better.
What a rectangle must not do is to break joins that are sure. Where pieces are missing, closing the
holes breaks many of them (docs/experiments/odds.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement
from tessella.odds.chances import Odds

LEAST = 0.97
"""The chance of a join that is sure."""

_SPARE = 2.0
"""More may be broken by so much than are thought to be false, and by as many times as that."""


@dataclass(frozen=True, eq=False)
class Sure:
    """Joins that are sure.

    Attributes
    ----------
    pairs : the two edges of each, the lower first, ``(J, 2)``
    false : how many of them are thought to be false
    """

    pairs: NDArray[np.int64]
    false: float

    @classmethod
    def by(cls, odds: Odds) -> Sure:
        """Return what is sure by `odds`."""
        chance, _ = odds.chances()
        edge = odds.edge()
        some = (chance > LEAST) & (edge < odds.partner)
        pairs = np.stack([edge[some], odds.partner[some]], axis=1).astype(np.int64)
        return cls(pairs, float((1 - chance[some]).sum()))

    def broken(self, arrangement: Arrangement) -> int:
        """Return how many `arrangement` does not have."""
        joins = np.sort(arrangement.joins().astype(np.int64), axis=1)
        most = 1 + max(int(some.max(initial=0)) for some in (joins, self.pairs))
        return int((~np.isin(self.pairs @ [most, 1], joins @ [most, 1])).sum())

    def speaks_against(self, arrangement: Arrangement, share: float = 0.0) -> bool:
        """Say whether `arrangement` breaks more than may be false, and more than `share` of all."""
        allowed = max(_SPARE * (1 + self.false), share * len(self.pairs))
        return self.broken(arrangement) > allowed
