"""Comparing every right border with every left border.

Borders are rows of K numbers. Where no matrix product will do, columns of the result are worked
through in tiles that fit the cache, transposed so that neighbouring results lie in neighbouring
lanes of the processor. Every sum runs in the order of k, so a result does not depend on the block
in which it was computed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.jit import compiled, fused

_TILE = 256

GRAIN = 2.0**-14
"""Distances from matrix products are rounded to multiples of this: well above what cancellation
leaves behind, well below what tells two borders apart. Equal borders then tie exactly."""

_ONE = np.float32(1)
# Fits of log2(1 + m) / m and (2**f - 1) / f on [0, 1], by interpolation at Chebyshev nodes.
_LOG = tuple(
    np.float32(c)
    for c in (1.442693, -0.7211441, 0.4774964, -0.3383772, 0.2139432, -0.09462681, 0.02001665)
)
_EXP = tuple(np.float32(c) for c in (0.6931476, 0.2402072, 0.05565705, 0.009199388, 0.001788369))


@compiled
def sum_abs(
    right: NDArray[np.float32], left: NDArray[np.float32], out: NDArray[np.float32]
) -> None:
    """Fill `out` ``(A, B)`` with the sums over k of |right - left|.

    Parameters
    ----------
    right, left : borders, ``(A, K)`` and ``(B, K)``
    """
    rows, length = right.shape
    tile = np.zeros((length, _TILE), np.float32)
    total = np.empty(_TILE, np.float32)
    for start in range(0, left.shape[0], _TILE):
        wide = min(_TILE, left.shape[0] - start)
        _lay_out(left, start, wide, tile)
        for a in range(rows):
            total[:] = 0
            for k in range(0, length - 3, 4):
                # Four at a time: the running total is read and written once, not four times.
                r0, r1, r2, r3 = right[a, k], right[a, k + 1], right[a, k + 2], right[a, k + 3]
                for t in range(_TILE):
                    total[t] = (
                        total[t]
                        + abs(r0 - tile[k, t])
                        + abs(r1 - tile[k + 1, t])
                        + abs(r2 - tile[k + 2, t])
                        + abs(r3 - tile[k + 3, t])
                    )
            for k in range(length // 4 * 4, length):
                r0 = right[a, k]
                for t in range(_TILE):
                    total[t] += abs(r0 - tile[k, t])
            out[a, start : start + wide] = total[:wide]


def sum_abs_plain(
    right: NDArray[np.float32], left: NDArray[np.float32], out: NDArray[np.float32]
) -> None:
    """Do what `sum_abs` does, written plainly."""
    for a, border in enumerate(right):
        out[a] = np.abs(border - left).sum(axis=1)


@fused
def sum_powers(
    right: NDArray[np.float32],
    left: NDArray[np.float32],
    p: np.float32,
    out: NDArray[np.float32],
) -> None:
    """Fill `out` ``(A, B)`` with the sums over k of |right - left| to the power `p`.

    Parameters
    ----------
    right, left : borders, ``(A, K)`` and ``(B, K)``
    p : between 0 and 1
    """
    rows, length = right.shape
    tile = np.zeros((length, _TILE), np.float32)
    total = np.empty(_TILE, np.float32)
    for start in range(0, left.shape[0], _TILE):
        wide = min(_TILE, left.shape[0] - start)
        _lay_out(left, start, wide, tile)
        for a in range(rows):
            total[:] = 0
            for k in range(length):
                r = right[a, k]
                for t in range(_TILE):
                    total[t] += to_power(abs(r - tile[k, t]), p)
            out[a, start : start + wide] = total[:wide]


def sum_powers_plain(
    right: NDArray[np.float32],
    left: NDArray[np.float32],
    p: np.float32,
    out: NDArray[np.float32],
) -> None:
    """Do what `sum_powers` does, written plainly."""
    for a, border in enumerate(right):
        out[a] = (np.abs(border - left) ** p).sum(axis=1)


@fused
def to_power(x: np.float32, p: np.float32) -> np.float32:
    """Return `x` to the power `p`, six digits of it, for x >= 0 and p between 0 and 1.

    Without a branch, so that it runs in all lanes at once: the exponent field of x is the whole
    part of its binary logarithm, polynomials give the rest and the way back. 0 gives about 0.
    """
    bits = np.float32(x).view(np.int32)
    m = np.int32((bits & np.int32(0x7FFFFF)) | np.int32(0x3F800000)).view(np.float32) - _ONE
    log = _LOG[5] + m * _LOG[6]
    log = _LOG[2] + m * (_LOG[3] + m * (_LOG[4] + m * log))
    log = m * (_LOG[0] + m * (_LOG[1] + m * log))
    y = p * (np.float32((bits >> np.int32(23)) - np.int32(127)) + log)
    whole = np.floor(y)
    f = y - whole
    scale = np.int32((np.int32(whole) + np.int32(127)) << np.int32(23)).view(np.float32)
    return scale * (
        _ONE + f * (_EXP[0] + f * (_EXP[1] + f * (_EXP[2] + f * (_EXP[3] + f * _EXP[4]))))
    )


@compiled
def _lay_out(left: NDArray[np.float32], start: int, wide: int, tile: NDArray[np.float32]) -> None:
    """Copy `wide` rows of `left` into the columns of `tile`."""
    for t in range(wide):
        for k in range(left.shape[1]):
            tile[k, t] = left[start + t, k]


@compiled
def settle(distance: NDArray[np.float64], out: NDArray[np.float32]) -> None:
    """Fill `out` with minus `distance`, rounded to `GRAIN`; what rounding made negative is 0."""
    for a in range(distance.shape[0]):
        for b in range(distance.shape[1]):
            out[a, b] = 0 - max(0.0, np.rint(distance[a, b] / GRAIN) * GRAIN)


def settle_plain(distance: NDArray[np.float64], out: NDArray[np.float32]) -> None:
    """Do what `settle` does, written plainly."""
    out[...] = 0 - np.maximum(np.rint(distance / GRAIN) * GRAIN, 0)


def products(right: NDArray[np.float64], left: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return minus the inner products of all rows, ``(A, B)``, where these are distances.

    The rows hold a distance's terms such that one matrix product adds them up.
    """
    out = np.empty((len(right), len(left)), np.float32)
    settle(right @ left.T, out)
    return out
