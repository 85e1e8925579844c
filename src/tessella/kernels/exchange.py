"""Exchanging blocks: two neighbouring rectangles of a full arrangement change places.

In flat regions a whole block is laid a few cells beside its place: every piece of it fits where it
lies, and moving a segment would have to push half a row along. Here any two rectangles that share a
side, side by side or one above the other, are exchanged. With running sums over rows and along
diagonals every exchange costs a few additions, so all are tried, and the best is made.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.jit import compiled
from tessella.kernels.tables import Tables, find

_BETTER = 1e-4

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


@compiled
def exchange_blocks(tables: Tables, piece: Ints, turns: Ints, most: int) -> float:
    """Make the exchange that gains most, up to `most` times, while one gains; return the gain.

    Parameters
    ----------
    piece, turns : an arrangement without empty cells, changed in place, ``(R, C)``
    """
    across, down = np.zeros(5, np.int64), np.zeros(5, np.int64)
    total = 0.0
    for _ in range(most):
        right, above = facing(piece, turns, 0), facing(piece, turns, 1)
        left, below = facing(piece, turns, 2), facing(piece, turns, 3)
        wide = best_exchange(tables, right, left, below, above, across)
        high = best_exchange(
            tables, below.T.copy(), above.T.copy(), right.T.copy(), left.T.copy(), down
        )
        if max(wide, high) < _BETTER:
            break
        total += max(wide, high)
        for grid in (piece, turns):
            if wide >= high:
                exchange(grid, across, 0)
            else:
                exchange(grid, down, 1)
    return total


@compiled
def facing(piece: Ints, turns: Ints, direction: int) -> Ints:
    """Return the edges that face `direction` in every cell, ``(R, C)``."""
    out = np.empty_like(piece)
    for r in range(piece.shape[0]):
        for c in range(piece.shape[1]):
            out[r, c] = 4 * piece[r, c] + (direction - turns[r, c]) % 4
    return out


@compiled
def best_exchange(
    tables: Tables, right: Ints, left: Ints, below: Ints, above: Ints, best: NDArray[np.int64]
) -> float:
    """Find the exchange of two blocks side by side that gains most; return the gain.

    Parameters
    ----------
    right, left, below, above : the edges that face there in every cell, ``(R, C)``
    best : filled with it: rows top .. bottom, columns a .. b - 1 and b .. c - 1
    """
    rows, cols = right.shape
    beside, slanted = running_sums(tables, right, left, below, above)
    within, across = np.empty((cols, cols)), np.empty((cols + 1, cols + 1))
    most = 0.0
    for top in range(rows):
        for bottom in range(top, rows):
            gather(beside, slanted, top, bottom, within, across)
            for a in range(cols - 1):
                for c in range(a + 2, cols + 1):
                    for b in range(a + 1, c):
                        gained = gain(within, across, a, b, c)
                        if gained > most:
                            most = gained
                            best[0], best[1], best[2], best[3], best[4] = top, bottom, a, b, c
    return most


@compiled
def running_sums(
    tables: Tables, right: Ints, left: Ints, below: Ints, above: Ints
) -> tuple[Floats, Floats]:
    """Return the sums that make an exchange cheap to judge.

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
    beside, slanted = np.zeros((rows + 1, cols, cols)), np.zeros((rows, cols + 1, cols + 1))
    for r in range(rows):
        for x in range(cols):
            for y in range(cols):
                fit = 0.0
                if x != y:
                    fit = find(start, known, value, dense, upright, right[r, x], left[r, y])
                beside[r + 1, x, y] = beside[r, x, y] + fit
                fit = 0.0
                if r > 0:
                    fit = find(start, known, value, dense, upright, below[r - 1, x], above[r, y])
                slanted[r, x + 1, y + 1] = slanted[r, x, y] + fit
    return beside, slanted


@compiled
def gather(
    beside: Floats, slanted: Floats, top: int, bottom: int, within: Floats, across: Floats
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
            across[x, y] = slanted[top, x, y]
            if bottom + 1 < len(slanted):
                across[x, y] += slanted[bottom + 1, y, x]


@compiled
def gain(within: Floats, across: Floats, a: int, b: int, c: int) -> float:
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


@compiled
def exchange(grid: Ints, which: NDArray[np.int64], down: int) -> None:
    """Exchange columns a .. b - 1 with b .. c - 1 in rows top .. bottom of `grid` ``(R, C)``.

    Parameters
    ----------
    down : 1 where rows and columns have changed their names
    """
    a, b, c = which[2], which[3], which[4]
    for lane in range(which[0], which[1] + 1):
        line = grid[a:c, lane].copy() if down else grid[lane, a:c].copy()
        for k in range(c - a):
            cell = line[(k + b - a) % (c - a)]
            if down:
                grid[a + k, lane] = cell
            else:
                grid[lane, a + k] = cell


def exchanged_plain(grid: Ints, which: tuple[int, int, int, int, int]) -> Ints:
    """Return what `exchange` makes of `grid` where `down` is 0, written plainly."""
    top, bottom, a, b, c = which
    out = grid.copy()
    out[top : bottom + 1, a:c] = np.roll(grid[top : bottom + 1, a:c], a - b, axis=1)
    return out
