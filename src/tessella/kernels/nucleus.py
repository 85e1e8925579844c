"""The growing nucleus: pieces on a grid, added one at a time, bounded by a box.

The papers call the partial arrangement that a crossover grows from one piece a "kernel"; here a
kernel is a compiled loop, and what grows is the nucleus. It starts in the middle of a grid large
enough for every way it may grow. Once it is as high or as wide as the shape allows, the cells
beyond are walled off, so that a single look at the grid says whether a cell is open.

Compiled code here takes plain arrays, not tuples of them: each array taken out of a tuple inside
a loop costs an atomic reference count, which was two thirds of a crossover's time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.jit import compiled

OPEN, WALL = 0, -1
LONGEST = 4096
"""No nucleus of unknown shape grows longer than this."""

# Places in `Nucleus.box`.
TOP, BOTTOM, LEFT, RIGHT, ROWS, COLS, EITHER_WAY, KNOWN, PLACED = range(9)


class Nucleus(NamedTuple):
    """A nucleus's memory; one a thread, used again for every growth.

    Attributes
    ----------
    grid : piece + 1, 0 where open, -1 where walled off, int32 ``(cells,)``
    where : the cell of every piece (-1 while unused) and its turns, int32 ``(N, 2)``
    step : from a cell to its neighbour right, top, left, bottom; then the grid's width, ``(5,)``
    box : extent of the nucleus and what bounds it, int64 ``(9,)``; see `make_nucleus`
    """

    grid: NDArray[np.int32]
    where: NDArray[np.int32]
    step: NDArray[np.int64]
    box: NDArray[np.int64]


def make_nucleus(pieces: int, shape: tuple[int, int] | None, *, either_way: bool) -> Nucleus:
    """Allocate an empty nucleus.

    Parameters
    ----------
    shape : rows and columns that bound the nucleus, or None
    either_way : whether the nucleus may lie on its side (turned square pieces); the box then holds
        its short and long side, and otherwise its height and width
    """
    longest = min(pieces + 1, LONGEST)
    rows, cols = shape or (longest, longest)
    if either_way:
        rows, cols = min(rows, cols), max(rows, cols)
    most_rows = max(rows, cols) if either_way else rows
    high, wide = 2 * most_rows + 1, 2 * cols + 1
    return Nucleus(
        grid=np.zeros(high * wide, np.int32),
        where=np.full((pieces, 2), -1, np.int32),
        step=np.array([1, -wide, -1, wide, wide], np.int64),
        box=np.array([0, 0, 0, 0, rows, cols, either_way, shape is not None, 0], np.int64),
    )


@compiled
def clear(grid: NDArray[np.int32], where: NDArray[np.int32], box: NDArray[np.int64]) -> None:
    """Empty the nucleus."""
    walled = box[BOTTOM] - box[TOP] + 1 == box[ROWS] or box[RIGHT] - box[LEFT] + 1 == box[COLS]
    if box[KNOWN] or walled:
        grid[:] = OPEN
    else:
        for p in range(len(where)):
            if where[p, 0] >= 0:
                grid[where[p, 0]] = OPEN
    where[:, 0] = -1
    box[PLACED] = 0


@compiled
def put(
    grid: NDArray[np.int32],
    where: NDArray[np.int32],
    step: NDArray[np.int64],
    box: NDArray[np.int64],
    piece: int,
    turns: int,
    cell: int,
) -> None:
    """Place `piece` in an open cell, and wall off what the box no longer allows."""
    grid[cell] = piece + 1
    where[piece, 0] = cell
    where[piece, 1] = turns
    row, col = cell // step[4], cell % step[4]
    if box[PLACED] == 0:
        box[TOP] = box[BOTTOM] = row
        box[LEFT] = box[RIGHT] = col
        wall_off(grid, step, box)
    elif row < box[TOP] or row > box[BOTTOM] or col < box[LEFT] or col > box[RIGHT]:
        box[TOP] = min(box[TOP], row)
        box[BOTTOM] = max(box[BOTTOM], row)
        box[LEFT] = min(box[LEFT], col)
        box[RIGHT] = max(box[RIGHT], col)
        wall_off(grid, step, box)
    box[PLACED] += 1


@compiled
def wall_off(grid: NDArray[np.int32], step: NDArray[np.int64], box: NDArray[np.int64]) -> None:
    """Close the cells next to the nucleus's extent where it may not grow any more."""
    wide = step[4]
    high = len(grid) // wide
    rows = box[BOTTOM] - box[TOP] + 1
    cols = box[RIGHT] - box[LEFT] + 1
    most_rows, most_cols = box[ROWS], box[COLS]
    if box[EITHER_WAY]:
        most_rows = box[COLS] if cols <= box[ROWS] else box[ROWS]
        most_cols = box[COLS] if rows <= box[ROWS] else box[ROWS]
    if rows == most_rows:
        for row in (box[TOP] - 1, box[BOTTOM] + 1):
            if 0 <= row < high:
                grid[row * wide : (row + 1) * wide] = WALL
    if cols == most_cols:
        for col in (box[LEFT] - 1, box[RIGHT] + 1):
            if 0 <= col < wide:
                grid[col::wide] = WALL


@compiled
def middle(grid: NDArray[np.int32], step: NDArray[np.int64]) -> int:
    """Return the cell in the middle of the grid."""
    wide = step[4]
    return (len(grid) // wide // 2) * wide + wide // 2
