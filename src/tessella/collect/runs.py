"""Runs of a mask's rows: how wide strips are that run up and down."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_SHORT = 6
"""Pixels; shorter runs are dust."""


def runs_of(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the runs of all rows of ``(H, W)`` as ``(n, 3)``: row, first column, behind the last.

    >>> runs_of(np.array([[0, 1, 1, 0, 1]], np.bool_)).tolist()
    [[0, 1, 3], [0, 4, 5]]
    """
    framed = np.pad(mask, ((0, 0), (1, 1))).astype(np.int8)
    step = np.diff(framed, axis=1)
    row, first = np.nonzero(step == 1)
    last = np.nonzero(step == -1)[1]
    return np.stack([row, first, last], axis=1)


def usual_width(mask: NDArray[np.bool_]) -> float:
    """Return how wide one strip usually is in ``(H, W)``, 0 where there is none.

    Where strips touch, runs are two or three strips wide: the smallest width counts that many
    runs have.
    """
    runs = runs_of(mask[:: max(1, len(mask) // 600)])
    length = (runs[:, 2] - runs[:, 1]).astype(np.float64)
    length = length[length >= _SHORT]
    if len(length) < 3:
        return 0.0
    bins = np.log(length) / np.log(1.06)
    count = np.bincount(bins.astype(int), weights=length)  # by area: dust has many short runs
    count = np.convolve(count, [1, 2, 3, 3, 3, 2, 1], mode="same")
    peaks = [
        k
        for k in range(len(count))
        if count[k] >= 0.3 * count.max() and count[k] == count[max(0, k - 5) : k + 6].max()
    ]
    near = np.abs(bins - peaks[0] - 0.5) < 5
    return float(np.median(length[near]))


def without_border(mask: NDArray[np.bool_], rows: int) -> NDArray[np.bool_]:
    """Return ``(H, W)`` without columns of up to `rows` pixels from its upper or lower end on.

    Scanners leave a light line there, which would make all strips one that reach over the end.

    >>> mask = np.array([[1, 1, 0], [0, 1, 0], [0, 1, 1]], np.bool_)
    >>> without_border(mask, 2).astype(int).tolist()
    [[0, 1, 0], [0, 1, 0], [0, 1, 0]]
    """
    kept = mask.copy()
    for end in (kept, kept[::-1]):
        near = end[: rows + 1]
        through = np.logical_and.accumulate(near, axis=0)
        near &= ~through | through[-1]
    return kept


def rims_of(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the first column of each row of ``(H, W)`` and the one behind the last, ``(2, H)``.

    Rows without any have the same number twice, that of the nearest row that has some.
    """
    some = np.flatnonzero(mask.any(axis=1))
    first, last = mask.argmax(axis=1), mask.shape[1] - mask[:, ::-1].argmax(axis=1)
    rows = np.arange(len(mask))
    middle = np.interp(rows, some, (first[some] + last[some]) // 2) if len(some) else 0 * rows
    empty = ~mask.any(axis=1)
    first, last = (np.where(empty, middle, side).astype(np.int64) for side in (first, last))
    return np.stack([first, last])
