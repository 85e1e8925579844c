"""Shifting blocks: two neighbouring rectangles of an arrangement change places.

In flat regions whole blocks are laid a few cells beside their place, and every single piece of
them fits where it lies. Here two rectangles that share a side, side by side or one above the
other, are exchanged; a band that is shifted round is the case of full width. With running sums
over rows and along diagonals every such exchange costs a few additions, so all are tried.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.board import ACROSS, DOWN
from tessella.kernels.jit import compiled, inner
from tessella.kernels.tables import Tables, find

_BETTER = 1e-4
MOST_TRIES = 50_000_000
"""Beyond so many exchanges only those of full width and full height are tried."""

MOST_SUMS = 40_000_000
"""Arrangements that need more running sums, sprawling ones, are left as they are."""

MOST_SHIFTS = 100


@inner
def running_sums(
    tables: Tables,
    right: NDArray[np.int32],
    left: NDArray[np.int32],
    below: NDArray[np.int32],
    above: NDArray[np.int32],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the sums that make an exchange cheap to judge.

    Parameters
    ----------
    right, left, below, above : the edges that face there in every cell, -1 where it is empty,
        ``(R, C)``

    Returns
    -------
    beside : ``[r, x, y]`` sums, over the rows above r, what column x would give left of column y,
        ``(R + 1, C, C)``
    slanted : ``[r, x, y]`` sums, along the diagonal up to x and y, what row r - 1 would give above
        row r, ``(R, C + 1, C + 1)``
    """
    start, known, value, dense = tables.start, tables.known, tables.value, tables.dense
    upright = tables.upright
    rows, cols = right.shape
    beside = np.zeros((rows + 1, cols, cols))
    slanted = np.zeros((rows, cols + 1, cols + 1))
    for r in range(rows):
        for x in range(cols):
            for y in range(cols):
                gained = 0.0
                if x != y and right[r, x] >= 0 and left[r, y] >= 0:
                    gained = find(start, known, value, dense, upright, right[r, x], left[r, y])
                beside[r + 1, x, y] = beside[r, x, y] + gained
                gained = 0.0
                if r > 0 and below[r - 1, x] >= 0 and above[r, y] >= 0:
                    gained = find(start, known, value, dense, upright, below[r - 1, x], above[r, y])
                slanted[r, x + 1, y + 1] = slanted[r, x, y] + gained
    return beside, slanted


@inner
def band(
    beside: NDArray[np.float64],
    slanted: NDArray[np.float64],
    top: int,
    bottom: int,
    within: NDArray[np.float64],
    across: NDArray[np.float64],
) -> None:
    """Gather what exchanges in rows top .. bottom are judged by.

    Parameters
    ----------
    within : filled with what column x would give left of column y in these rows, ``(C, C)``
    across : filled with the sums along diagonals of what column y of these rows, laid in column x,
        would give to the rows above and below, ``(C + 1, C + 1)``
    """
    cols = len(within)
    for x in range(cols):
        for y in range(cols):
            within[x, y] = beside[bottom + 1, x, y] - beside[top, x, y]
    for x in range(cols + 1):
        for y in range(cols + 1):
            total = slanted[top, x, y]
            if bottom + 1 < len(slanted):
                total += slanted[bottom + 1, y, x]
            across[x, y] = total


@inner
def gain(within: NDArray[np.float64], across: NDArray[np.float64], a: int, b: int, c: int) -> float:
    """Return what exchanging columns a .. b - 1 with b .. c - 1 of a band gains."""
    gained = within[c - 1, a] - within[b - 1, b]
    if a > 0:
        gained += within[a - 1, b] - within[a - 1, a]
    if c < len(within):
        gained += within[b - 1, c] - within[c - 1, c]
    to_right, to_left = c - b, b - a
    gained += across[b + to_right, b] - across[a + to_right, a]
    gained += across[c - to_left, c] - across[b - to_left, b]
    return gained - across[c, c] + across[a, a]


@inner
def best_exchange(
    beside: NDArray[np.float64],
    slanted: NDArray[np.float64],
    narrow: bool,
    found: NDArray[np.int64],
) -> float:
    """Find the exchange that gains most, and write it to `found`: top, bottom, a, b, c.

    Parameters
    ----------
    narrow : whether parts of a row may be exchanged, or whole rows alone
    """
    rows, cols = len(beside) - 1, beside.shape[1]
    within = np.empty((cols, cols))
    across = np.empty((cols + 1, cols + 1))
    best = 0.0
    for top in range(rows):
        for bottom in range(top, rows):
            band(beside, slanted, top, bottom, within, across)
            for a in range(cols - 1 if narrow else 1):
                for c in range(a + 2 if narrow else cols, cols + 1):
                    for b in range(a + 1, c):
                        gained = gain(within, across, a, b, c)
                        if gained > best:
                            best = gained
                            found[0], found[1] = top, bottom
                            found[2], found[3], found[4] = a, b, c
    return best


@inner
def exchange(grid: NDArray[np.int32], found: NDArray[np.int64]) -> None:
    """Exchange columns a .. b - 1 with b .. c - 1 in rows top .. bottom of `grid` ``(R, C)``."""
    a, b, c = found[2], found[3], found[4]
    moved = np.empty(c - a, np.int32)
    for r in range(found[0], found[1] + 1):
        for i in range(c - a):
            moved[i] = grid[r, b + i if b + i < c else a + b + i - c]
        for i in range(c - a):
            grid[r, a + i] = moved[i]


@inner
def faces(piece: NDArray[np.int32], turns: NDArray[np.int32], direction: int) -> NDArray[np.int32]:
    """Return the edges that face `direction` in every cell, -1 where it is empty."""
    out = np.empty_like(piece)
    for r in range(piece.shape[0]):
        for c in range(piece.shape[1]):
            side = (direction - turns[r, c]) % 4
            out[r, c] = 4 * piece[r, c] + side if piece[r, c] >= 0 else -1
    return out


@inner
def is_whole(piece: NDArray[np.int32]) -> bool:
    """Say whether all pieces hang together."""
    rows, cols = piece.shape
    left = np.zeros((rows, cols), np.int64)  # 1 where a piece has not been reached
    total, first = 0, 0
    for r in range(rows):
        for c in range(cols):
            if piece[r, c] >= 0:
                left[r, c] = 1
                first = r * cols + c
                total += 1
    if total == rows * cols:
        return True
    stack = np.zeros((rows * cols, 2), np.int64)
    stack[0, 0], stack[0, 1] = first // cols, first % cols
    left[first // cols, first % cols] = 0
    reached, waiting = 1, 1
    while waiting > 0:
        waiting -= 1
        r, c = stack[waiting, 0], stack[waiting, 1]
        for side in range(4):
            y, x = r + DOWN[side], c + ACROSS[side]
            if 0 <= y < rows and 0 <= x < cols and left[y, x]:
                left[y, x], stack[waiting, 0], stack[waiting, 1] = 0, y, x
                waiting += 1
                reached += 1
    return reached == total


@compiled
def shift_blocks(tables: Tables, piece: NDArray[np.int32], turns: NDArray[np.int32]) -> float:
    """Exchange neighbouring rectangles, best first, as long as that gains; return the gain.

    Around empty cells an exchange can tear an arrangement apart; the first that would ends it.

    Parameters
    ----------
    piece, turns : an arrangement, -1 where a cell is empty, changed in place, ``(R, C)``
    """
    found = np.zeros((2, 5), np.int64)
    rows, cols = piece.shape
    if rows * cols * max(rows, cols) > MOST_SUMS:
        return 0.0
    narrow = (rows * cols) ** 2 / 12.0 * (rows + cols) <= MOST_TRIES
    total = 0.0
    for _ in range(MOST_SHIFTS):
        right, above = faces(piece, turns, 0), faces(piece, turns, 1)
        left, below = faces(piece, turns, 2), faces(piece, turns, 3)
        beside, slanted = running_sums(tables, right, left, below, above)
        across = best_exchange(beside, slanted, narrow, found[0])
        beside, slanted = running_sums(
            tables,
            np.ascontiguousarray(below.T),
            np.ascontiguousarray(above.T),
            np.ascontiguousarray(right.T),
            np.ascontiguousarray(left.T),
        )
        down = best_exchange(beside, slanted, narrow, found[1])
        if max(across, down) < _BETTER:
            break
        kept, lay = piece.copy(), turns.copy()
        if across >= down:
            exchange(piece, found[0])
            exchange(turns, found[0])
        else:
            exchange(piece.T, found[1])
            exchange(turns.T, found[1])
        if not is_whole(piece):
            for r in range(rows):
                for c in range(cols):
                    piece[r, c], turns[r, c] = kept[r, c], lay[r, c]
            break
        total += max(across, down)
    return total
