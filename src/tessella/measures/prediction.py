"""Pomeranz's prediction-based compatibility: each piece foretells the other's border.

D. Pomeranz, M. Shemesh, O. Ben-Shahar, "A fully automated greedy square jigsaw puzzle solver",
CVPR 2011, Section 3. The paper's (L_p)^q is a power of the whole sum; the exponents 3/10 and 5/24
that it prints are p and q / p.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.errors import InputError
from tessella.imaging.color import lab
from tessella.kernels.border import sum_powers
from tessella.measures.l1 import flat
from tessella.measuring import Distance, rim


@dataclass(frozen=True)
class Prediction(Distance):
    """d(i, j) = (sum of |(2 x_i - y_i) - x_j|^p + |(2 x_j - y_j) - x_i|^p)^(q / p) in LAB.

    x_i and y_i are the last column of i and the one before it, x_j and y_j the first column of j
    and the one after it.

    Attributes
    ----------
    p, q : the norm and the power it is raised to
    """

    p: float = 3 / 10
    q: float = 1 / 16

    def __post_init__(self) -> None:
        if not 0 < self.p <= 1 or not self.q > 0:
            raise InputError(f"prediction needs 0 < p <= 1 and q > 0; got p={self.p}, q={self.q}.")

    def right(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[np.float32]:
        """Return what is foretold beyond the right side, and the last columns, ``(A, 6H)``."""
        seen = lab(rim(pieces, eroded, edges.RIGHT))  # (A, H, 2, 3)
        near = seen[:, :, 0]
        return flat(np.concatenate([2 * near - seen[:, :, 1], near], axis=1))

    def left(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[np.float32]:
        """Return the first columns, and what is foretold beyond the left side, ``(B, 6H)``."""
        seen = lab(rim(pieces, eroded, edges.LEFT))  # (B, H, 2, 3)
        near = seen[:, :, 0]
        return flat(np.concatenate([near, 2 * near - seen[:, :, 1]], axis=1))

    def raw(self, right: NDArray[np.float32], left: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return minus the sums, not yet raised to q / p, ``(A, B)``."""
        out = np.empty((len(right), len(left)), np.float32)
        sum_powers(right, left, np.float32(self.p), out)
        return np.negative(out, out=out)

    def score(self, raw: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
        """Return ``-log(1 + d)``, d being the sum raised to q / p."""
        return super().score(-(np.maximum(-raw, 0) ** np.float32(self.q / self.p)))
