"""Sum of squared differences of the touching pixels, in RGB.

T. S. Cho, S. Avidan, W. T. Freeman, "A probabilistic image jigsaw puzzle solver", CVPR 2010
(there in LAB: see `ssd_lab`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.kernels.border import products
from tessella.measuring import Distance, rim


@dataclass(frozen=True)
class Ssd(Distance):
    """d(i, j) = sum of |x_i - x_j|^2, x_i the last column of i and x_j the first of j."""

    def right(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[np.float64]:
        """Return ``[-2 x, |x|^2, 1]`` of the last columns, ``(A, 3H + 2)``."""
        return square_right(self._border(pieces, eroded, edges.RIGHT))

    def left(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[np.float64]:
        """Return ``[x, 1, |x|^2]`` of the first columns, ``(B, 3H + 2)``."""
        return square_left(self._border(pieces, eroded, edges.LEFT))

    def raw(self, right: NDArray[np.float64], left: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return minus the squared distances, ``(A, B)``, as one matrix product."""
        return products(right, left)

    def _border(
        self, pieces: NDArray[np.uint8], eroded: int, direction: int
    ) -> NDArray[np.float64]:
        # About 0, which lets less cancel. Whole numbers: the product is exact.
        near = rim(pieces, eroded, direction)[:, :, 0].astype(np.float64) - 128
        return near.reshape(len(near), -1)


def square_right(border: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows whose inner products with those of `square_left` are squared distances."""
    norm = (border * border).sum(axis=1, keepdims=True)
    return np.hstack([-2 * border, norm, np.ones_like(norm)])


def square_left(border: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return rows whose inner products with those of `square_right` are squared distances."""
    norm = (border * border).sum(axis=1, keepdims=True)
    return np.hstack([border, np.ones_like(norm), norm])
