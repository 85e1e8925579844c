"""Convolution over 3 x 3 pixels by few products: Winograd's way, sixteen results from 6 x 6 pixels.

Windows of 6 x 6 pixels, four apart, are taken to another base, where a convolution is one product a
number, 36 matrix products for all windows; what these give is taken back to 4 x 4 results. A
quarter of the products of a plain convolution are left [1]_. Convolving along a line of six pixels
with three weights has the same form; that is what `_six` and `_four` do, along columns and along
rows in turn.

References
----------
.. [1] A. Lavin, S. Gray: Fast algorithms for convolutional neural networks. CVPR 2016.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.jit import fused, inlined

Floats = NDArray[np.float32]

FOUR = 4
"""Results of a window along either side."""

SIX = 6
"""Pixels of a window along either side."""

_BASE = np.array(
    [
        [1 / 4, 0, 0],
        [-1 / 6, -1 / 6, -1 / 6],
        [-1 / 6, 1 / 6, -1 / 6],
        [1 / 24, 1 / 12, 1 / 6],
        [1 / 24, -1 / 12, 1 / 6],
        [0, 0, 1],
    ]
)


def taken(weight: Floats) -> Floats:
    """Take weights ``(9 C, D)``, by rows, columns, channels, to the base, ``(36, C, D)``."""
    cut = weight.reshape(3, 3, -1, weight.shape[1]).astype(np.float64)
    lifted = np.einsum("ia,jb,abcd->ijcd", _BASE, _BASE, cut)
    return lifted.reshape(SIX * SIX, -1, weight.shape[1]).astype(np.float32)


@inlined
def _six(given: tuple[Floats, ...], out: tuple[Floats, ...]) -> None:
    """Take six numbers to the base, for as many lines as there are side by side."""
    a, b, c, d, e, f = given
    # A loop for every result: none writes what another reads, and each is done many at once.
    first, second, third, fourth, fifth, sixth = out
    for k in range(len(a)):
        first[k] = 4 * a[k] - 5 * c[k] + e[k]
    for k in range(len(a)):
        second[k] = d[k] + e[k] - 4 * (b[k] + c[k])
    for k in range(len(a)):
        third[k] = e[k] - d[k] + 4 * (b[k] - c[k])
    for k in range(len(a)):
        fourth[k] = e[k] - c[k] + 2 * (d[k] - b[k])
    for k in range(len(a)):
        fifth[k] = e[k] - c[k] + 2 * (b[k] - d[k])
    for k in range(len(a)):
        sixth[k] = 4 * b[k] - 5 * d[k] + f[k]


@inlined
def _four(given: tuple[Floats, ...], out: tuple[Floats, ...]) -> None:
    """Take what came of six numbers back to four results."""
    a, b, c, d, e, f = given
    first, second, third, fourth = out
    for k in range(len(a)):
        first[k] = a[k] + (b[k] + c[k]) + (d[k] + e[k])
    for k in range(len(a)):
        second[k] = (b[k] - c[k]) + 2 * (d[k] - e[k])
    for k in range(len(a)):
        third[k] = (b[k] + c[k]) + 4 * (d[k] + e[k])
    for k in range(len(a)):
        fourth[k] = (b[k] - c[k]) + 8 * (d[k] - e[k]) + f[k]


@fused
def analyse(seen: Floats, lines: Floats, out: Floats) -> None:
    """Take windows of pixels to the base.

    Parameters
    ----------
    seen : pixels, a rim of zeros around them, ``(4 R + 2, 4 S + 2, C)``
    lines : room for what is half done, ``(4 R + 2, 6, S C)``
    out : ``(36, R, S C)``, filled
    """
    tall, _, channels = seen.shape
    for y in range(tall):
        row = seen[y]
        for window in range(lines.shape[2] // channels):
            x, k = FOUR * window, channels * window
            _six(
                (row[x], row[x + 1], row[x + 2], row[x + 3], row[x + 4], row[x + 5]),
                (
                    lines[y, 0, k : k + channels],
                    lines[y, 1, k : k + channels],
                    lines[y, 2, k : k + channels],
                    lines[y, 3, k : k + channels],
                    lines[y, 4, k : k + channels],
                    lines[y, 5, k : k + channels],
                ),
            )
    for r in range(out.shape[1]):
        y = FOUR * r
        for j in range(SIX):
            _six(
                (
                    lines[y, j],
                    lines[y + 1, j],
                    lines[y + 2, j],
                    lines[y + 3, j],
                    lines[y + 4, j],
                    lines[y + 5, j],
                ),
                (
                    out[j, r],
                    out[SIX + j, r],
                    out[2 * SIX + j, r],
                    out[3 * SIX + j, r],
                    out[4 * SIX + j, r],
                    out[5 * SIX + j, r],
                ),
            )


@fused
def synthesise(products: Floats, lines: Floats, bias: Floats, out: Floats) -> None:
    """Take products back to results.

    Parameters
    ----------
    products : ``(36, R, S D)``
    lines : room for what is half done, ``(4, 6, S D)``
    bias : is added, ``(D,)``
    out : ``(4 R, 4 S, D)``, filled
    """
    made = len(bias)
    for r in range(products.shape[1]):
        for j in range(SIX):
            _four(
                (
                    products[j, r],
                    products[SIX + j, r],
                    products[2 * SIX + j, r],
                    products[3 * SIX + j, r],
                    products[4 * SIX + j, r],
                    products[5 * SIX + j, r],
                ),
                (lines[0, j], lines[1, j], lines[2, j], lines[3, j]),
            )
        for i in range(FOUR):
            row = out[FOUR * r + i]
            for window in range(lines.shape[2] // made):
                x, k = FOUR * window, made * window
                _four(
                    (
                        lines[i, 0, k : k + made],
                        lines[i, 1, k : k + made],
                        lines[i, 2, k : k + made],
                        lines[i, 3, k : k + made],
                        lines[i, 4, k : k + made],
                        lines[i, 5, k : k + made],
                    ),
                    (row[x], row[x + 1], row[x + 2], row[x + 3]),
                )
            for x in range(row.shape[0]):
                one = row[x]
                for k in range(made):
                    one[k] += bias[k]
