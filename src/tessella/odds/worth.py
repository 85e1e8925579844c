"""The worth of an arrangement: the sum over its joins of what each says for it, or against it.

A join's worth is the logarithm of its chance less that of nobody. A hole costs nothing, a doubtful
join costs something; a sheet falls apart where nothing holds it together.

Edge by edge that would be too strict. Of a sky's edges none knows its partner, and each by itself
had rather be alone; but the seams of a piece, all of them doubtful, have one partner among few in
common. Chances that are not independent must not be multiplied as if they were, so every join is
relieved of `RELIEF`; who unites two fragments pays it once, so that what is relieved in the end are
the joins that close loops, and a single seam must speak for itself. With it the true arrangement of
validation pictures is worth about as much as the worthiest that is found, without it much less
(docs/experiments/odds.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement
from tessella.compatibility import Compatibility
from tessella.odds.chances import Odds

RELIEF = 4.5

FLOOR, CEILING = -8.0, 16.0
"""What a join is worth at least and at most, before relief: no single join outweighs all others."""


@dataclass(frozen=True, eq=False)
class Worth:
    """What joins are worth, as kernels take it.

    Attributes
    ----------
    compatibility : worths brought to [0, 1]; a pair that is not listed has the least
    zero : the compatibility of nobody
    """

    compatibility: Compatibility
    zero: float

    def of(self, arrangement: Arrangement) -> float:
        """Return the worth of `arrangement` in logarithms of odds."""
        return float(self.joins(arrangement.joins()).sum())

    def joins(self, pairs: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the worth of every pair of edges ``(J, 2)``, ``(J,)``."""
        value = self.compatibility.of(pairs).astype(np.float64)
        return (value - self.zero) * (CEILING - FLOOR)

    @classmethod
    def by(cls, odds: Odds) -> Worth:
        """Return the worth of joins by `odds`."""
        value = np.clip((odds.lead - odds.nobody - FLOOR) / (CEILING - FLOOR), 0, 1)
        value = value.astype(np.float32)
        order = np.lexsort((odds.partner, -value, odds.edge()))
        compatibility = Compatibility(
            odds.pieces,
            odds.upright,
            odds.square,
            odds.start,
            odds.partner[order],
            value[order],
            by_partner=(odds.partner, value),
        )
        return cls(compatibility, (-FLOOR - RELIEF) / (CEILING - FLOOR))
