"""Keeping the best candidates of every edge."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.jit import compiled


def keep_best(
    values: NDArray[np.float32],
    row_piece: NDArray[np.int32],
    column_piece: NDArray[np.int32],
    lo: NDArray[np.float32],
    hi: NDArray[np.float32],
    column: NDArray[np.int32],
    value: NDArray[np.float32],
) -> None:
    """Find the K best columns of every row, and the row's range; own pieces do not count.

    Parameters
    ----------
    values : ``(A, B)``, higher is better
    row_piece, column_piece : which piece a row or column belongs to, ``(A,)`` and ``(B,)``
    lo, hi : filled with the least and greatest value of every row, ``(A,)``
    column, value : filled with the K best, best first, ties by the lower column, ``(A, K)``;
        ``column`` is -1 behind the last; ``-inf`` is never listed
    """
    lo[:], hi[:] = np.inf, -np.inf
    column[:], value[:] = -1, -np.inf
    keep_better(values, row_piece, column_piece, 0, lo, hi, column, value)


@compiled
def keep_better(
    values: NDArray[np.float32],
    row_piece: NDArray[np.int32],
    column_piece: NDArray[np.int32],
    first: int,
    lo: NDArray[np.float32],
    hi: NDArray[np.float32],
    column: NDArray[np.int32],
    value: NDArray[np.float32],
) -> None:
    """Go on with what `keep_best` did, given the next columns of every row.

    Parameters
    ----------
    values : ``(A, B)``
    first : the number of the first of these columns; all lower ones were given before
    """
    rows, columns = values.shape
    k = column.shape[1]
    for a in range(rows):
        own = row_piece[a]
        least, greatest = lo[a], hi[a]
        kept = k
        while kept > 0 and column[a, kept - 1] < 0:
            kept -= 1
        bar = np.float32(-np.inf)  # What a value must beat to be listed.
        if k > 0 and kept == k:
            bar = value[a, k - 1]
        for b in range(columns):
            v = values[a, b]
            if v <= bar and v >= least:
                continue
            if column_piece[b] == own:
                continue
            least = min(least, v)
            greatest = max(greatest, v)
            if v <= bar or k == 0:
                continue
            if kept < k:
                kept += 1
            place = kept - 1
            while place > 0 and value[a, place - 1] < v:
                value[a, place] = value[a, place - 1]
                column[a, place] = column[a, place - 1]
                place -= 1
            value[a, place] = v
            column[a, place] = first + b
            if kept == k:
                bar = value[a, k - 1]
        lo[a] = least
        hi[a] = greatest


def keep_best_plain(
    values: NDArray[np.float32],
    row_piece: NDArray[np.int32],
    column_piece: NDArray[np.int32],
    k: int,
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int32], NDArray[np.float32]]:
    """Return what `keep_best` fills in, written plainly: lo, hi, column, value."""
    own = row_piece[:, None] == column_piece[None, :]
    lo = np.where(own, np.inf, values).min(axis=1).astype(np.float32)
    allowed = np.where(own, -np.inf, values).astype(np.float32)
    hi = allowed.max(axis=1)
    column = np.argsort(-allowed, axis=1, kind="stable")[:, :k].astype(np.int32)
    value = np.take_along_axis(allowed, column, axis=1)
    column[np.isneginf(value)] = -1
    return lo, hi, column, value


_SORT_FROM = 256


def best_of(
    values: NDArray[np.float32],
    row_piece: NDArray[np.int32],
    column_piece: NDArray[np.int32],
    k: int,
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int32], NDArray[np.float32]]:
    """Return lo, hi, column and value of `keep_best`; sorts instead where k is large."""
    if k > _SORT_FROM:
        return keep_best_plain(values, row_piece, column_piece, k)
    rows = len(values)
    lo, hi = np.empty(rows, np.float32), np.empty(rows, np.float32)
    column, value = np.empty((rows, k), np.int32), np.empty((rows, k), np.float32)
    keep_best(values, row_piece, column_piece, lo, hi, column, value)
    return lo, hi, column, value
