"""Guided growth: a crossover that always makes the surest placement next.

Where the paper's crossover asks its phases in turn and takes a random proposal of the first phase
that has any, this one rates every open cell and fills the surest. A piece's worth in a cell is its
mean compatibility with all pieces around the cell; a join that a parent has counts for more, by
`Guide.inherit` and by how well both pieces fit in that parent. A cell's rating is the worth of its
best piece, plus `Guide.margin` times its lead over the second best, plus a little noise. Without
parents this is greedy growth, which makes the first population.

Measured gains are in docs/experiments/guided_search.md.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.chance import below, unit
from tessella.kernels.crossover import Parent, any_edge
from tessella.kernels.heap import drop_first, push
from tessella.kernels.jit import compiled
from tessella.kernels.nucleus import OPEN, PLACED, Nucleus, clear, middle, put
from tessella.kernels.tables import Tables, find

NOBODY = -9.0
"""Rating of a cell for which no listed piece is left; it waits for all others."""


class Guide(NamedTuple):
    """What guided growth follows.

    Attributes
    ----------
    margin : weight of a cell's lead over its second-best piece
    inherit : what a join that a parent has adds to its compatibility, before fit
    noise : greatest random addition to a rating
    depth : how many unused candidates of each edge around a cell are tried
    square : 1 when any two sides have the same length
    """

    margin: float
    inherit: float
    noise: float
    depth: int
    square: int


class Ratings(NamedTuple):
    """Memory of a growth: the heap, the edges around one cell, how far lists were read."""

    key: NDArray[np.float64]
    item: NDArray[np.int64]
    around: NDArray[np.int64]
    walked: NDArray[np.int64]


def make_ratings(pieces: int) -> Ratings:
    """Allocate the memory of a growth; every placement rates at most four cells."""
    return Ratings(
        key=np.empty(4 * pieces + 8, np.float64),
        item=np.empty((4 * pieces + 8, 3), np.int64),
        around=np.zeros((4, 2), np.int64),
        walked=np.zeros(4 * pieces, np.int64),
    )


def nobody(pieces: int) -> Parent:
    """Return a parent that has no joins: guided growth is then greedy."""
    return Parent(np.full(4 * pieces, -1, np.int32), np.zeros(pieces, np.float32), 0.0)


@compiled
def grow(
    tables: Tables,
    better: Parent,
    worse: Parent,
    guide: Guide,
    first: int,
    state: NDArray[np.uint64],
    nucleus: Nucleus,
    ratings: Ratings,
) -> None:
    """Grow `nucleus` from piece `first` to an arrangement of all pieces."""
    grid, where, step, box = nucleus.grid, nucleus.where, nucleus.step, nucleus.box
    clear(grid, where, box)
    put(grid, where, step, box, first, 0, middle(grid, step))
    only = np.full(1, first, np.int64)
    grow_on(tables, better, worse, guide, only, state, nucleus, ratings)


@compiled
def grow_on(
    tables: Tables,
    better: Parent,
    worse: Parent,
    guide: Guide,
    rim: NDArray[np.int64],
    state: NDArray[np.uint64],
    nucleus: Nucleus,
    ratings: Ratings,
) -> None:
    """Grow a `nucleus` that holds pieces already; `rim` names those beside open cells, ``(M,)``."""
    start, partner, known, value = tables.start, tables.partner, tables.known, tables.value
    dense, upright = tables.dense, tables.upright
    a_neighbor, a_score = better.neighbor, better.score
    b_neighbor, b_score = worse.neighbor, worse.score
    grid, where, step, box = nucleus.grid, nucleus.where, nucleus.step, nucleus.box
    key, item, around, walked = ratings.key, ratings.item, ratings.around, ratings.walked
    margin, inherit, noise, depth = guide.margin, guide.inherit, guide.noise, guide.depth
    pieces = len(where)
    for e in range(len(walked)):
        walked[e] = start[e]
    piece = rim[0]
    begun = 1
    size = 0
    side = 0
    while True:
        if side == 4 and begun < len(rim):
            piece = rim[begun]
            begun += 1
            side = 0
        if side < 4:
            cell = where[piece, 0] + step[side]
            side += 1
            if grid[cell] != OPEN:
                continue
        else:
            if box[PLACED] == pieces:
                return
            cell, what, near = item[0, 0], item[0, 1], item[0, 2]
            size = drop_first(key, item, size)
            if grid[cell] != OPEN or occupied(grid, step, cell) != near:
                continue
            if what < 0 or where[what >> 2, 0] < 0:
                piece, turns = what >> 2, what & 3
                if what < 0:
                    e = beside(grid, where, step, cell)
                    f = any_edge(upright, guide.square, state, where, e)
                    piece, turns = f >> 2, (e + where[e >> 2, 1] + 2 - f) & 3
                put(grid, where, step, box, piece, turns, cell)
                side = 0
                continue
        rating, what, near = rate(
            start, partner, known, value, dense, upright,
            a_neighbor, a_score, b_neighbor, b_score,
            grid, where, step, around, walked, cell, margin, inherit, depth,
        )  # fmt: skip
        size = push(key, item, size, rating + noise * unit(state), cell, what, near)


@compiled
def occupied(grid: NDArray[np.int32], step: NDArray[np.int64], cell: int) -> int:
    """Return how many neighbours of `cell` hold a piece."""
    count = 0
    for direction in range(4):
        count += grid[cell + step[direction]] > 0
    return count


@compiled
def beside(
    grid: NDArray[np.int32], where: NDArray[np.int32], step: NDArray[np.int64], cell: int
) -> int:
    """Return a nucleus edge that faces `cell`, the first counter-clockwise from the right."""
    edge = -1
    for direction in range(3, -1, -1):
        q = grid[cell + step[direction]] - 1
        if q >= 0:
            edge = 4 * q + ((direction + 2 - where[q, 1]) & 3)
    return edge


@compiled
def rate(
    start: NDArray[np.int64],
    partner: NDArray[np.int32],
    known: NDArray[np.int32],
    value: NDArray[np.float32],
    dense: NDArray[np.float32],
    upright: int,
    a_neighbor: NDArray[np.int32],
    a_score: NDArray[np.float32],
    b_neighbor: NDArray[np.int32],
    b_score: NDArray[np.float32],
    grid: NDArray[np.int32],
    where: NDArray[np.int32],
    step: NDArray[np.int64],
    around: NDArray[np.int64],
    walked: NDArray[np.int64],
    cell: int,
    margin: float,
    inherit: float,
    depth: int,
) -> tuple[float, int, int]:
    """Rate an open cell: its rating, 4 * piece + turns of its best piece or -1, its neighbours."""
    near = 0
    for direction in range(4):
        q = grid[cell + step[direction]] - 1
        if q >= 0:
            around[near, 0] = 4 * q + ((direction + 2 - where[q, 1]) & 3)
            around[near, 1] = direction
            near += 1
    best, second, what = -1.0, 0.0, -1
    for i in range(near):
        e, direction = around[i, 0], around[i, 1]
        place, end = walked[e], start[e + 1]
        while place < end and where[partner[place] >> 2, 0] >= 0:
            place += 1
        walked[e] = place
        tried = -2
        while tried < depth:
            if tried < 0:
                f = a_neighbor[e] if tried == -2 else b_neighbor[e]
                tried += 1
                if f < 0 or where[f >> 2, 0] >= 0:
                    continue
            else:
                if place >= end:
                    break
                f = partner[place]
                place += 1
                if where[f >> 2, 0] >= 0:
                    continue
                tried += 1
            p, turns = f >> 2, (direction - f) & 3
            if 4 * p + turns == what:
                continue
            worth = 0.0
            for j in range(near):
                g = around[j, 0]
                h = 4 * p + ((around[j, 1] - turns) & 3)
                worth += find(start, known, value, dense, upright, g, h)
                if a_neighbor[g] == h:
                    worth += inherit * a_score[p] * a_score[g >> 2]
                if b_neighbor[g] == h:
                    worth += inherit * b_score[p] * b_score[g >> 2]
            worth /= near
            if worth > best:
                second = max(best, 0.0)
                best, what = worth, 4 * p + turns
            elif worth > second:
                second = worth
    if what < 0:
        best = NOBODY
        second = NOBODY
    return best + margin * (best - second), what, near


@compiled
def good_start(score: NDArray[np.float32], state: NDArray[np.uint64]) -> int:
    """Return a random piece that is no worse than an average one, if a few tries find it."""
    mean = score.mean()
    piece = below(state, len(score))
    for _ in range(16):
        if score[piece] >= mean:
            break
        piece = below(state, len(score))
    return piece
