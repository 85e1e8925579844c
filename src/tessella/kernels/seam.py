"""The glue between the matrix products of `tessella.networks.seam`.

A 3 x 3 convolution of n columns is one matrix product: every pixel with the pixels above and below
it, ``(n, 3 C)``, by the kernel's three columns side by side, ``(3 C, 3 C')``. What each input
column gives to the output columns before, at and behind it then lies ready to be added up: the
part of kernel column t goes from input column i to output column i + 1 - t. Output columns are
counted from the one before the first input column, so there are n + 2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.jit import compiled

Floats = NDArray[np.float32]


@compiled
def unfold(values: Floats, out: Floats) -> None:
    """Put every pixel of `values` ``(A, R, n, C)`` with its neighbours above and below.

    Parameters
    ----------
    out : filled, ``(A, R, n, 3, C)``; 0 beyond the first and last row
    """
    for a in range(values.shape[0]):
        for r in range(values.shape[1]):
            for j in range(values.shape[2]):
                _place(values[a, r, j], out[a], r, j)


def unfold_plain(values: Floats, out: Floats) -> None:
    """Do what `unfold` does, written plainly."""
    padded = np.pad(values, ((0, 0), (1, 1), (0, 0), (0, 0)))
    for k in range(3):
        out[:, :, :, k] = padded[:, k : k + values.shape[1]]


@compiled
def _place(pixel: Floats, out: Floats, r: int, j: int) -> None:
    """Copy one pixel to the three places of `out` ``(R, n, 3, C)`` where it is seen."""
    last = out.shape[0] - 1
    out[r, j, 1, :] = pixel
    if r == 0:
        out[0, j, 0, :] = 0
    else:
        out[r - 1, j, 2, :] = pixel
    if r == last:
        out[last, j, 2, :] = 0
    else:
        out[r + 1, j, 0, :] = pixel


@compiled
def _add(product: Floats, j: int, row: Floats) -> None:
    """Add to `row` what input columns ``(n, 3, C)`` give to output column `j`."""
    inner = product.shape[0]
    if 2 <= j < inner:
        # The most frequent case in one go.
        before, at, behind = product[j - 2, 0], product[j - 1, 1], product[j, 2]
        for c in range(len(row)):
            row[c] += before[c] + at[c] + behind[c]
        return
    for i in range(max(0, j - 2), min(inner, j + 1)):
        part = product[i, i - j + 2]
        for c in range(len(row)):
            row[c] += part[c]


def fold_plain(product: Floats) -> Floats:
    """Return all output columns of products ``(A, R, n, 3, C)``, ``(A, R, n + 2, C)``."""
    count, rows, inner, _, channels = product.shape
    out = np.zeros((count, rows, inner + 2, channels), np.float32)
    for t in range(3):
        out[:, :, 2 - t : 2 - t + inner] += product[:, :, :, t]
    return out


@compiled
def _raise(best: Floats, other: Floats) -> None:
    for c in range(len(best)):
        best[c] = max(best[c], other[c])


@compiled
def spill(product: Floats, start: int, out: Floats) -> None:
    """Fill `out` ``(A, R, 2, C)`` with the output columns `start` and the next; no ReLU."""
    for a in range(out.shape[0]):
        for r in range(out.shape[1]):
            for j in range(2):
                out[a, r, j, :] = 0
                _add(product[a, r], start + j, out[a, r, j])


@compiled
def hold(product: Floats, column: int, out: Floats) -> None:
    """Fill `out` ``(A, R', C)`` with one output column after ReLU, pooled over pairs of rows."""
    row = np.empty(out.shape[2], np.float32)
    for a in range(out.shape[0]):
        for r in range(out.shape[1]):
            best = out[a, r]
            best[:] = 0
            for half in range(2):
                row[:] = 0
                _add(product[a, 2 * r + half], column, row)
                _raise(best, row)


@compiled
def carry(product: Floats, start: int, out: Floats) -> None:
    """Unfold output columns from `start` on, after ReLU, for the next convolution.

    Parameters
    ----------
    product : ``(A, R, n, 3, C)``
    out : filled, ``(A, R, m, 3, C)``
    """
    row = np.empty(out.shape[4], np.float32)
    for a in range(out.shape[0]):
        for r in range(out.shape[1]):
            for j in range(out.shape[2]):
                row[:] = 0
                _add(product[a, r], start + j, row)
                for c in range(len(row)):
                    row[c] = max(row[c], np.float32(0))
                _place(row, out[a], r, j)


@compiled
def carry_pooled(product: Floats, start: int, out: Floats) -> None:
    """Do as `carry`, with max pooling of 2 x 2; `out` is ``(A, R', m', 3, C)``."""
    best = np.empty(out.shape[4], np.float32)
    row = np.empty(out.shape[4], np.float32)
    for a in range(out.shape[0]):
        for r in range(out.shape[1]):
            for q in range(out.shape[2]):
                best[:] = 0  # All values are 0 or more, after ReLU.
                for half in range(2):
                    for j in range(2):
                        row[:] = 0
                        _add(product[a, 2 * r + half], start + 2 * q + j, row)
                        _raise(best, row)
                _place(best, out[a], r, q)


@compiled
def weigh(product: Floats, start: int, head: Floats, out: Floats) -> None:
    """Fill `out` ``(A,)`` with the output columns from `start` on, after ReLU, times `head`.

    Parameters
    ----------
    head : ``(R, m, C)``
    """
    lanes = np.empty(head.shape[2], np.float32)
    row = np.empty(head.shape[2], np.float32)
    for a in range(len(out)):
        lanes[:] = 0
        for r in range(head.shape[0]):
            for j in range(head.shape[1]):
                row[:] = 0
                _add(product[a, r], start + j, row)
                weight = head[r, j]
                for c in range(len(lanes)):
                    lanes[c] += max(row[c], np.float32(0)) * weight[c]
        out[a] = lanes.sum()


@compiled
def _line(product: Floats, left: Floats, right: Floats, line: Floats) -> None:
    """Fill `line` ``(m, C)`` with one row of the columns of one pair: sums, then ReLU.

    `product` ``(m - 2, 3, C)`` is what the pair's own columns give, `left` and `right` ``(2, C)``
    what the pieces give to the first two columns and to the last two.
    """
    inner = len(line) - 2
    for j in range(len(line)):
        row = line[j]
        if j < 2:
            row[:] = left[j]
        else:
            row[:] = 0
        if j >= inner:
            part = right[j - inner]
            for c in range(len(row)):
                row[c] += part[c]
        _add(product, j, row)
        for c in range(len(row)):
            row[c] = max(row[c], np.float32(0))


@compiled
def join(
    product: Floats,
    left: Floats,
    right: Floats,
    pairs: NDArray[np.int64],
    out: Floats,
) -> None:
    """Finish a convolution's pair columns and unfold them for the next one.

    Parameters
    ----------
    product : what the pair columns before it give, ``(B, R, m - 2, 3, C)``
    left, right : what the pieces give, ``(E, R, 2, C)`` and ``(F, R, 2, C)``
    pairs : rows of `left` and `right`, ``(B, 2)``
    out : filled, ``(B, R, m, 3, C)``
    """
    line = np.empty((out.shape[2], out.shape[4]), np.float32)
    for b in range(out.shape[0]):
        mine, yours = left[pairs[b, 0]], right[pairs[b, 1]]
        for r in range(out.shape[1]):
            _line(product[b, r], mine[r], yours[r], line)
            for j in range(out.shape[2]):
                _place(line[j], out[b], r, j)


@compiled
def join_pooled(
    product: Floats,
    left: Floats,
    right: Floats,
    pairs: NDArray[np.int64],
    held_left: Floats,
    held_right: Floats,
    odd: int,
    out: Floats,
) -> None:
    """Do as `join`, with max pooling of 2 x 2 between the convolutions.

    Parameters
    ----------
    odd : 1 where a window begins one column before the first pair column
    held_left : that column of the left pieces, pooled over rows, ``(E, R', C)``
    held_right : the column behind the last pair column, ``(F, R', C)``; read if a window has it
    out : filled, ``(B, R', m', 3, C)``
    """
    columns, channels = product.shape[2] + 2, out.shape[4]
    upper = np.empty((columns, channels), np.float32)
    lower = np.empty((columns, channels), np.float32)
    best = np.empty(channels, np.float32)
    for b in range(out.shape[0]):
        e, f = pairs[b, 0], pairs[b, 1]
        for r in range(out.shape[1]):
            _line(product[b, 2 * r], left[e, 2 * r], right[f, 2 * r], upper)
            _line(product[b, 2 * r + 1], left[e, 2 * r + 1], right[f, 2 * r + 1], lower)
            for q in range(out.shape[2]):
                best[:] = 0  # All values are 0 or more, after ReLU.
                for j in range(2 * q - odd, 2 * q - odd + 2):
                    if j < 0:
                        _raise(best, held_left[e, r])
                    elif j == columns:
                        _raise(best, held_right[f, r])
                    else:
                        _raise(best, upper[j])
                        _raise(best, lower[j])
                _place(best, out[b], r, q)


@compiled
def finish(
    product: Floats,
    left: Floats,
    right: Floats,
    pairs: NDArray[np.int64],
    head: Floats,
    out: Floats,
) -> None:
    """Finish the last convolution's pair columns and weigh them by `head` ``(R, m, C)``.

    Parameters
    ----------
    out : what the pairs amount to is added to it, ``(B,)``
    """
    line = np.empty(head.shape[1:], np.float32)
    lanes = np.empty(head.shape[2], np.float32)
    for b in range(len(out)):
        mine, yours = left[pairs[b, 0]], right[pairs[b, 1]]
        lanes[:] = 0
        for r in range(head.shape[0]):
            _line(product[b, r], mine[r], yours[r], line)
            for j in range(head.shape[1]):
                row, weight = line[j], head[r, j]
                for c in range(len(lanes)):
                    lanes[c] += row[c] * weight[c]
        out[b] += lanes.sum()
