"""A window: where a frame laid over scattered pieces holds the most of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.jit import compiled


@compiled
def densest_window(
    row: NDArray[np.int32], col: NDArray[np.int32], rows: int, cols: int
) -> tuple[int, int, int]:
    """Return how many pieces the best window holds, its top row and its left column.

    Parameters
    ----------
    row, col : where the pieces lie, from 0 on, ``(N,)``
    rows, cols : the window's size; it lies within the pieces' extent where it is not larger
    """
    height, width = row.max() + 1, col.max() + 1
    order = np.argsort(row)
    column = np.zeros(width, np.int64)  # pieces of the window's rows in every column
    best, best_top, best_left = -1, 0, 0
    entered = left_behind = 0
    for top in range(max(1, height - rows + 1)):
        while entered < len(order) and row[order[entered]] < top + rows:
            column[col[order[entered]]] += 1
            entered += 1
        while row[order[left_behind]] < top:
            column[col[order[left_behind]]] -= 1
            left_behind += 1
        held = column[:cols].sum()
        for left in range(max(1, width - cols + 1)):
            if left > 0:
                held += column[left + cols - 1] - column[left - 1]
            if held > best:
                best, best_top, best_left = held, top, left
    return best, best_top, best_left
