"""Polishing an arrangement: doubtful pieces change places as well as they possibly can.

Cells of which no two are neighbours do not influence each other, so the best way to deal their
pieces out again is a linear assignment problem, solved exactly. One such step searches all k! ways
at once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.chance import below
from tessella.kernels.jit import compiled, inner
from tessella.kernels.kernel import Kernel
from tessella.kernels.tables import Tables, find

_BETTER = 1e-6
_FAR = 1e18


@compiled
def assign(cost: NDArray[np.float64], n: int, row_of: NDArray[np.int64]) -> float:
    """Match the first `n` rows and columns of `cost` one to one, at the least total cost.

    Shortest augmenting paths with potentials (Jonker and Volgenant, Computing 38, 1987).

    Parameters
    ----------
    row_of : filled with the row of every column, ``(n,)`` or longer

    Returns
    -------
    the total cost
    """
    row_potential = np.zeros(n + 1)
    column_potential = np.zeros(n + 1)
    matched = np.zeros(n + 1, np.int64)  # row of column j, both counted from 1; 0 is the source
    before = np.zeros(n + 1, np.int64)
    distance = np.empty(n + 1)
    done = np.empty(n + 1, np.bool_)
    for row in range(1, n + 1):
        matched[0] = row
        distance[:] = _FAR
        done[:] = False
        column = 0
        while True:
            done[column] = True
            i = matched[column]
            nearest, shift = 0, _FAR
            for j in range(1, n + 1):
                if done[j]:
                    continue
                reduced = cost[i - 1, j - 1] - row_potential[i] - column_potential[j]
                if reduced < distance[j]:
                    distance[j] = reduced
                    before[j] = column
                if distance[j] < shift:
                    nearest, shift = j, distance[j]
            for j in range(n + 1):
                if done[j]:
                    row_potential[matched[j]] += shift
                    column_potential[j] -= shift
                else:
                    distance[j] -= shift
            column = nearest
            if matched[column] == 0:
                break
        while column != 0:
            matched[column] = matched[before[column]]
            column = before[column]
    total = 0.0
    for j in range(n):
        row_of[j] = matched[j + 1] - 1
        total += cost[row_of[j], j]
    return total


@inner
def fit_in(
    start: NDArray[np.int64],
    known: NDArray[np.int32],
    value: NDArray[np.float32],
    dense: NDArray[np.float32],
    upright: int,
    grid: NDArray[np.int32],
    where: NDArray[np.int32],
    step: NDArray[np.int64],
    cell: int,
    piece: int,
    turns: int,
) -> tuple[float, int]:
    """Return the sum of compatibilities of `piece` in `cell`, and its number of neighbours."""
    total = 0.0
    near = 0
    for direction in range(4):
        q = grid[cell + step[direction]] - 1
        if q >= 0:
            e = 4 * piece + ((direction - turns) & 3)
            f = 4 * q + ((direction + 2 - where[q, 1]) & 3)
            total += find(start, known, value, dense, upright, f, e)
            near += 1
    return total, near


@inner
def polish(
    tables: Tables,
    kernel: Kernel,
    score: NDArray[np.float32],
    doubtful: float,
    cells_at_once: int,
    coverage: float,
    quarter_turns: int,
    state: NDArray[np.uint64],
) -> float:
    """Deal doubtful pieces out again until each had its turns; return the fitness gained.

    Parameters
    ----------
    kernel : a full arrangement; changed in place
    score : mean compatibility of every piece with its neighbours, ``(N,)``; kept up to date
    doubtful : pieces that score less take part; and one in 32 of the others
    cells_at_once : how many cells one assignment takes
    coverage : how often, on average, a doubtful piece takes part
    quarter_turns : 1 for upright pieces, 2 for turned rectangles, 4 for turned squares
    """
    start, known, value, dense = tables.start, tables.known, tables.value, tables.dense
    upright = tables.upright
    grid, where, step = kernel.grid, kernel.where, kernel.step
    pieces = len(where)
    weak = np.empty(pieces, np.int64)
    count = 0
    for p in range(pieces):
        if score[p] < doubtful or below(state, 32) == 0:
            weak[count] = p
            count += 1
    cost = np.empty((cells_at_once, cells_at_once))
    turned = np.empty((cells_at_once, cells_at_once), np.int64)
    cells = np.empty(cells_at_once, np.int64)
    taken = np.empty(cells_at_once, np.int64)
    row_of = np.empty(cells_at_once, np.int64)
    chosen = np.zeros(len(grid), np.uint8)
    gained = 0.0
    for _ in range(int(np.ceil(coverage * count / cells_at_once))):
        n = apart(weak, count, where, step, chosen, cells, taken, state)
        now = 0.0
        for a in range(n):
            for b in range(n):
                best = -1.0
                for turn in range(quarter_turns):
                    turns = turn * 4 // quarter_turns
                    worth, _ = fit_in(
                        start, known, value, dense, upright,
                        grid, where, step, cells[b], taken[a], turns,
                    )  # fmt: skip
                    if worth > best:
                        best = worth
                        turned[a, b] = turns
                cost[a, b] = -best
            worth, _ = fit_in(
                start, known, value, dense, upright,
                grid, where, step, cells[a], taken[a], where[taken[a], 1],
            )  # fmt: skip
            now += worth
        then = -assign(cost, n, row_of)
        if then < now + _BETTER:
            continue
        gained += then - now
        for b in range(n):
            p = taken[row_of[b]]
            grid[cells[b]] = p + 1
            where[p, 0] = cells[b]
            where[p, 1] = turned[row_of[b], b]
        for b in range(n):
            for direction in range(5):
                cell = cells[b] + (step[direction] if direction < 4 else 0)
                q = grid[cell] - 1
                if q >= 0:
                    total, near = fit_in(
                        start, known, value, dense, upright,
                        grid, where, step, cell, q, where[q, 1],
                    )  # fmt: skip
                    score[q] = total / max(near, 1)
    return gained


@inner
def apart(
    weak: NDArray[np.int64],
    count: int,
    where: NDArray[np.int32],
    step: NDArray[np.int64],
    chosen: NDArray[np.uint8],
    cells: NDArray[np.int64],
    taken: NDArray[np.int64],
    state: NDArray[np.uint64],
) -> int:
    """Pick random pieces of the first `count` in `weak`, no two of them neighbours.

    Fills `cells` and `taken`; `chosen` is all zero before and after. Returns how many.
    """
    n = 0
    for i in range(count):
        if n == len(cells):
            break
        j = i + below(state, count - i)
        weak[i], weak[j] = weak[j], weak[i]
        cell = where[weak[i], 0]
        beside = 0
        for direction in range(4):
            beside += chosen[cell + step[direction]]
        if beside == 0:
            chosen[cell] = 1
            cells[n] = cell
            taken[n] = weak[i]
            n += 1
    for i in range(n):
        chosen[cells[i]] = 0
    return n
