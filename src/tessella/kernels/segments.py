"""Segments: connected regions of an arrangement whose pieces are mostly best buddies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.board import ACROSS, DOWN
from tessella.kernels.jit import compiled


@compiled
def segments(
    piece: NDArray[np.int32], turns: NDArray[np.int32], buddy: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Return the segment of every cell, ``(H, W)``, numbered from 0; -1 where no piece lies.

    A segment grows from the first piece in reading order that belongs to none. A piece beside it
    is taken up if more than half of its joins with the segment are of best buddies, and is looked
    at again whenever another of its neighbours is taken up.

    Parameters
    ----------
    piece, turns : of every cell, -1 where free, with a rim that is free, ``(H, W)``
    buddy : the best buddy of every edge or -1, ``(4N,)``
    """
    height, width = piece.shape
    label = np.full(piece.shape, -1, np.int32)
    stack = np.empty((piece.size, 2), np.int64)
    count = 0
    for row in range(1, height - 1):
        for col in range(1, width - 1):
            if piece[row, col] < 0 or label[row, col] >= 0:
                continue
            label[row, col], stack[0, 0], stack[0, 1], waiting = count, row, col, 1
            while waiting > 0:
                waiting -= 1
                r, c = stack[waiting, 0], stack[waiting, 1]
                for side in range(4):
                    y, x = r + DOWN[side], c + ACROSS[side]
                    if piece[y, x] < 0 or label[y, x] >= 0:
                        continue
                    if belongs(piece, turns, buddy, label, y, x, count):
                        label[y, x], stack[waiting, 0], stack[waiting, 1] = count, y, x
                        waiting += 1
            count += 1
    return label


@compiled
def belongs(
    piece: NDArray[np.int32],
    turns: NDArray[np.int32],
    buddy: NDArray[np.int32],
    label: NDArray[np.int32],
    row: int,
    col: int,
    segment: int,
) -> bool:
    """Say whether most joins of a cell's piece with a segment are of best buddies."""
    joins = buddies = 0
    for side in range(4):
        r, c = row + DOWN[side], col + ACROSS[side]
        if label[r, c] == segment:
            joins += 1
            buddies += are_buddies(piece, turns, buddy, row, col, side)
    return 2 * buddies > joins


@compiled
def are_buddies(
    piece: NDArray[np.int32],
    turns: NDArray[np.int32],
    buddy: NDArray[np.int32],
    row: int,
    col: int,
    side: int,
) -> bool:
    """Say whether a cell's piece and its neighbour on `side` are best buddies there."""
    r, c = row + DOWN[side], col + ACROSS[side]
    mine = 4 * piece[row, col] + (side - turns[row, col]) % 4
    return bool(buddy[mine] == 4 * piece[r, c] + (side + 2 - turns[r, c]) % 4)


@compiled
def share_of_buddies(
    piece: NDArray[np.int32], turns: NDArray[np.int32], buddy: NDArray[np.int32]
) -> float:
    """Return which share of all joins are of best buddies, 1 where there is no join."""
    joins = buddies = 0
    for row in range(1, piece.shape[0] - 1):
        for col in range(1, piece.shape[1] - 1):
            for side in (0, 3):
                r, c = row + DOWN[side], col + ACROSS[side]
                if piece[row, col] >= 0 and piece[r, c] >= 0:
                    joins += 1
                    buddies += are_buddies(piece, turns, buddy, row, col, side)
    return buddies / joins if joins else 1.0
