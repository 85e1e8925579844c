"""Gallagher's Mahalanobis gradient compatibility, both directions, in RGB.

A. C. Gallagher, "Jigsaw puzzles with pieces of unknown orientation", CVPR 2012, Section 3.

The gradients across the seam should be distributed as those just inside either piece: a piece i
with mean gradient m and inverse covariance S at its right side foretells q = x + m beyond its
last column x, and piece j with first column x' is at the distance

    sum over rows of (x' - q)^T S (x' - q)  =  <S, M'> - 2 <S q, x'> + c

with M' = sum of x' x'^T and c = sum of q^T S q. That is an inner product of 6 + 3H + 1 numbers of
one piece with as many of the other, so both directions over all pairs are one matrix product.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.kernels.border import products
from tessella.measuring import Distance, rim
from tessella.odds.calibration import Calibration

DUMMIES = np.array(
    [
        [0, 0, 0],
        [1, 1, 1],
        [-1, -1, -1],
        [0, 0, 1],
        [0, 1, 0],
        [1, 0, 0],
        [-1, 0, 0],
        [0, -1, 0],
        [0, 0, -1],
    ],
    np.float64,
)
"""Gallagher's nine dummy gradients: the covariance of a flat border stays invertible."""

_UPPER = np.triu_indices(3)


@dataclass(frozen=True)
class Mgc(Distance):
    """d(i, j) = Mahalanobis distance of the seam's gradients, by i's statistics plus by j's."""

    calibration: ClassVar[Calibration] = Calibration(slope=7.9, offset=1.4)

    def right(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[np.float64]:
        """Return what the right sides foretell, then what they show, ``(A, 6H + 14)``."""
        foretold, shown = _statistics(rim(pieces, eroded, edges.RIGHT))
        return np.hstack([foretold, shown])

    def left(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[np.float64]:
        """Return what the left sides show, then what they foretell, ``(B, 6H + 14)``."""
        foretold, shown = _statistics(rim(pieces, eroded, edges.LEFT))
        return np.hstack([shown, foretold])

    def raw(self, right: NDArray[np.float64], left: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return minus the sums of both directions, ``(A, B)``."""
        return products(right, left)


def _statistics(
    seen: NDArray[np.uint8],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return ``[S, -2 S q, c]`` and ``[M, x, 1]`` of borders ``(A, H, 2, 3)``.

    S lists the upper triangle with off-diagonals doubled, M the upper triangle.
    """
    columns = seen.astype(np.float64) - 128  # About 0, which lets less cancel.
    near = columns[:, :, 0]  # (A, H, 3)
    gradient = near - columns[:, :, 1]
    inverse = np.linalg.inv(_covariance(gradient))  # (A, 3, 3)
    ahead = near + gradient.mean(axis=1, keepdims=True)  # q, (A, H, 3)
    weighted = ahead @ inverse  # (S q)^T, (A, H, 3)
    count = len(seen)
    ones = np.ones((count, 1))
    both = np.where(_UPPER[0] == _UPPER[1], 1, 2)
    upper = inverse[:, _UPPER[0], _UPPER[1]] * both
    constant = (weighted * ahead).sum(axis=(1, 2))[:, None]
    outer = (near.transpose(0, 2, 1) @ near)[:, _UPPER[0], _UPPER[1]]
    foretold = np.hstack([upper, -2 * weighted.reshape(count, -1), constant])
    shown = np.hstack([outer, near.reshape(count, -1), ones])
    return foretold, shown


def _covariance(gradient: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the covariance of gradients ``(A, H, 3)`` and the dummies, ``(A, 3, 3)``."""
    count = gradient.shape[1] + len(DUMMIES)
    mean = gradient.sum(axis=1)[:, None] / count  # The dummies add up to 0. (A, 1, 3)
    scatter = gradient.transpose(0, 2, 1) @ gradient + DUMMIES.T @ DUMMIES
    return np.asarray((scatter - count * mean.transpose(0, 2, 1) @ mean) / (count - 1))
