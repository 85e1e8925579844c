"""Boards with a rim of empty cells, so that every cell has four neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.jit import compiled


@compiled
def unfold(
    piece: NDArray[np.int32],
    turns: NDArray[np.int32],
    laid: NDArray[np.int32],
    lies: NDArray[np.int32],
    queue: NDArray[np.int64],
    waiting: NDArray[np.uint8],
) -> int:
    """Lay an arrangement out on a board with a rim; all its cells go into the queue.

    Returns
    -------
    ahead : how many they are
    """
    rows, cols = piece.shape
    ahead = 0
    for row in range(rows):
        for col in range(cols):
            if piece[row, col] >= 0:
                cell = (row + 1) * (cols + 2) + col + 1
                laid[cell] = 4 * piece[row, col] + turns[row, col]
                lies[piece[row, col]] = cell
                queue[ahead] = cell
                waiting[cell] = 1
                ahead += 1
    return ahead


@compiled
def fold(laid: NDArray[np.int32], piece: NDArray[np.int32], turns: NDArray[np.int32]) -> None:
    """Read an arrangement off a board with a rim."""
    rows, cols = piece.shape
    for row in range(rows):
        for col in range(cols):
            cell = (row + 1) * (cols + 2) + col + 1
            piece[row, col], turns[row, col] = laid[cell] >> 2, max(laid[cell], 0) & 3
