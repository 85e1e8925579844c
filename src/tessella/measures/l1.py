"""Paikin and Tal's asymmetric dissimilarity: one piece foretells the other's border.

G. Paikin, A. Tal, "Solving multiple square jigsaw puzzles with missing pieces", CVPR 2015,
Section 3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.imaging.color import lab
from tessella.kernels.border import sum_abs
from tessella.measuring import Distance, rim


@dataclass(frozen=True)
class L1(Distance):
    """d(i, j) = sum of |(2 x_i - y_i) - x_j| in LAB.

    x_i and y_i are the last column of i and the one before it, x_j is the first column of j. Only
    i, the piece that is asked, foretells: d(e, f) and d(f, e) differ.
    """

    def right(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[np.float32]:
        """Return the columns foretold beyond the right side, ``(A, 3H)``."""
        seen = lab(rim(pieces, eroded, edges.RIGHT))  # (A, H, 2, 3)
        return flat(2 * seen[:, :, 0] - seen[:, :, 1])

    def left(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[np.float32]:
        """Return the first columns, ``(B, 3H)``."""
        return flat(lab(rim(pieces, eroded, edges.LEFT)[:, :, 0]))

    def raw(self, right: NDArray[np.float32], left: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return minus the sums of absolute differences, ``(A, B)``."""
        out = np.empty((len(right), len(left)), np.float32)
        sum_abs(right, left, out)
        return np.negative(out, out=out)


def flat(columns: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return columns of pixels ``(A, H, 3)`` as rows of numbers ``(A, 3H)``."""
    return columns.reshape(len(columns), -1).astype(np.float32)
