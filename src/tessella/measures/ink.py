"""Ink that goes on across a seam, for documents: blank against blank says nothing.

Every side foretells the column beyond it by going on as its last two columns did. Ink that is
foretold and found speaks for a join; ink that only one of the two has speaks against it. With a
the ink of the left strip's last column, a' what that strip foretells, b and b' likewise of the
right strip, the score is the mean over (a', b) and (a, b') of

    sum of min(a', b) - penalty * |a' - b|  =  (|a'| + |b|) / 2 - (penalty + 1 / 2) |a' - b|

so two blank borders score exactly 0, whatever their height.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.errors import InputError
from tessella.kernels.border import GRAIN, sum_abs
from tessella.measuring import rim


@dataclass(frozen=True)
class Ink:
    """Ink foretold and found minus ink that stands alone; in pixels, about 0 for strangers.

    Attributes
    ----------
    penalty : weight of a pixel of ink that finds none on the other side
    paper : grey from which on a pixel is paper, whatever its shade
    """

    penalty: float = 0.4
    paper: int = 240

    def __post_init__(self) -> None:
        if not 0 <= self.penalty < np.inf:
            raise InputError(f"Setting penalty must be 0 or more; got {self.penalty}.")
        if not 1 <= self.paper <= 255:
            raise InputError(f"Setting paper must be 1 to 255; got {self.paper}.")

    @property
    def distance(self) -> bool:
        """Scores are evidence, not distances."""
        return False

    def right(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[np.float32]:
        """Return ``[a', a]`` of the right sides, ``(A, 2H)``."""
        return np.hstack(self._columns(pieces, eroded, edges.RIGHT))

    def left(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[np.float32]:
        """Return ``[b, b']`` of the left sides, ``(B, 2H)``."""
        return np.hstack(self._columns(pieces, eroded, edges.LEFT)[::-1])

    def raw(self, right: NDArray[np.float32], left: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the evidence for every pair, ``(A, B)``."""
        out = np.empty((len(right), len(left)), np.float32)
        sum_abs(right, left, out)
        held = right.sum(axis=1, dtype=np.float64)[:, None] + left.sum(axis=1, dtype=np.float64)
        evidence = held / 4 - (0.5 + self.penalty) / 2 * out
        # Rounded well above what the order of sums leaves behind, so that equals tie exactly.
        return np.asarray(np.rint(evidence / GRAIN) * GRAIN, np.float32)

    def score(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
        """Return the evidence as it is."""
        return raw.astype(np.float32)

    def _columns(
        self, pieces: NDArray[np.uint8], eroded: int, direction: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the ink beyond a side, as foretold, and at its border, both ``(A, H)``."""
        seen = rim(pieces, eroded, direction).mean(axis=3, dtype=np.float32)  # (A, H, 2)
        ink = np.clip(self.paper - seen, 0, None) / self.paper
        return np.clip(2 * ink[..., 0] - ink[..., 1], 0, 1), ink[..., 0]
