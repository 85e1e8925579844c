"""A placer: free cells beside what already lies are filled, those with most neighbours first.

Of two cells with as many neighbours, the one goes first whose best piece suits it better. Which
piece that is depends only on the cell's neighbours and on the pieces that are left, so a rating
holds until a neighbour or its piece is placed. Ratings wait in a heap; one that no longer holds is
renewed, or dropped, when it is taken out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.board import ACROSS, DOWN, EAST, NORTH, PLACED, SOUTH, WEST, edges_around
from tessella.kernels.heap import drop_first, push
from tessella.kernels.jit import compiled
from tessella.kernels.tables import Tables, look_up

_WAITING = 1
"""Where `Layout.tally` counts the proposals in the heap; the rest is as in `Board.tally`."""

_PER_NEIGHBOUR = 16.0
_PER_BUDDY = 2.0
"""A further neighbour counts more than four best buddies, a best buddy more than any score."""

_ANY = -1
"""Proposed where no piece that is left has any listed score here."""


class Bounds(NamedTuple):
    """What decides the filling; nothing here changes.

    Attributes
    ----------
    tables : compatibilities
    buddy : the best buddy of every edge or -1, int32 ``(4N,)``
    rank : which of two equal pieces goes first, int32 ``(N,)``
    turn_step : turns come in steps of this: 1, 2 for rectangular pieces, 4 for upright ones
    rows, cols : what lies never extends over more than this
    """

    tables: Tables
    buddy: NDArray[np.int32]
    rank: NDArray[np.int32]
    turn_step: int
    rows: int
    cols: int


class Layout(NamedTuple):
    """What lies where, and the proposals for free cells; `fill` changes the arrays.

    Attributes
    ----------
    piece, turns : of every cell, -1 where free, with a rim that stays free, int32 ``(H, W)``
    placed : whether a piece lies, bool ``(N,)``
    order : all pieces by rank, int32 ``(N,)``
    key, item : a heap of proposals, see `tessella.kernels.heap`
    tally : pieces placed, proposals waiting, and the extent of what lies, int64 ``(6,)``; then
        how many of `order` are known to lie
    """

    piece: NDArray[np.int32]
    turns: NDArray[np.int32]
    placed: NDArray[np.bool_]
    order: NDArray[np.int32]
    key: NDArray[np.float64]
    item: NDArray[np.int64]
    tally: NDArray[np.int64]


_PASSED = 6


def make_layout(bounds: Bounds, piece: NDArray[np.int32], turns: NDArray[np.int32]) -> Layout:
    """Return a layout of these cells, -1 where free, with the proposals for those beside pieces.

    What is given must hold at least one piece, and leave the outermost rows and columns free. The
    layout may later extend over `bounds`, about the pieces or within the given cells.
    """
    count = len(bounds.rank)
    rows, cols = np.nonzero(piece >= 0)
    placed = np.zeros(count, np.bool_)
    placed[piece[rows, cols]] = True
    room = 4 * (len(rows) + count) + 8
    extent = [rows.min(), rows.max(), cols.min(), cols.max()]
    layout = Layout(
        piece=np.array(piece, np.int32),
        turns=np.array(turns, np.int32),
        placed=placed,
        order=np.argsort(bounds.rank).astype(np.int32),
        key=np.empty(room),
        item=np.empty((room, 3), np.int64),
        tally=np.array([len(rows), 0, *extent, 0], np.int64),
    )
    propose_all(bounds, layout)
    return layout


@compiled
def propose_all(bounds: Bounds, layout: Layout) -> None:
    """Propose a piece for every free cell beside another."""
    height, width = layout.piece.shape
    for row in range(1, height - 1):
        for col in range(1, width - 1):
            if layout.piece[row, col] < 0:
                propose(bounds, layout, row, col)


@compiled
def fill(bounds: Bounds, layout: Layout, until: int) -> None:
    """Fill free cells until `until` pieces lie, or none is left that the bounds allow."""
    tally, width = layout.tally, layout.piece.shape[1]
    while tally[PLACED] < until and tally[_WAITING] > 0:
        cell, what, near = layout.item[0, 0], layout.item[0, 1], layout.item[0, 2]
        tally[_WAITING] = drop_first(layout.key, layout.item, tally[_WAITING])
        row, col = cell // width, cell % width
        if layout.piece[row, col] >= 0 or not allows(bounds, layout, row, col):
            continue
        if near != neighbours(layout.piece, row, col):
            continue  # A newer proposal knows all neighbours.
        if what != _ANY and layout.placed[what >> 2]:
            propose(bounds, layout, row, col)
            continue
        lay(bounds, layout, row, col, 4 * first_left(layout) if what == _ANY else what)


@compiled
def lay(bounds: Bounds, layout: Layout, row: int, col: int, what: int) -> None:
    """Lay piece ``what // 4`` with ``what % 4`` turns, and propose pieces for the cells beside."""
    tally = layout.tally
    layout.piece[row, col], layout.turns[row, col] = what >> 2, what & 3
    layout.placed[what >> 2] = True
    tally[PLACED] += 1
    tally[NORTH], tally[SOUTH] = min(tally[NORTH], row), max(tally[SOUTH], row)
    tally[WEST], tally[EAST] = min(tally[WEST], col), max(tally[EAST], col)
    for side in range(4):
        r, c = row + DOWN[side], col + ACROSS[side]
        if layout.piece[r, c] < 0 and allows(bounds, layout, r, c):
            propose(bounds, layout, r, c)


@compiled
def allows(bounds: Bounds, layout: Layout, row: int, col: int) -> bool:
    """Say whether what lies may extend to this cell; the rim of the layout is out of bounds."""
    tally = layout.tally
    height, width = layout.piece.shape
    if not (0 < row < height - 1 and 0 < col < width - 1):
        return False
    tall = max(tally[SOUTH], row) - min(tally[NORTH], row) + 1
    wide = max(tally[EAST], col) - min(tally[WEST], col) + 1
    return bool(tall <= bounds.rows and wide <= bounds.cols)


@compiled
def neighbours(piece: NDArray[np.int32], row: int, col: int) -> int:
    """Count the pieces beside a cell."""
    count = 0
    for side in range(4):
        count += piece[row + DOWN[side], col + ACROSS[side]] >= 0
    return count


@compiled
def first_left(layout: Layout) -> int:
    """Return the piece of the lowest rank that is left."""
    place = layout.tally[_PASSED]
    while layout.placed[layout.order[place]]:
        place += 1
    layout.tally[_PASSED] = place
    return int(layout.order[place])


@compiled
def propose(bounds: Bounds, layout: Layout, row: int, col: int) -> None:
    """Rate a free cell and put what it would take into the heap."""
    around = edges_around(layout.piece, layout.turns, row, col)
    near = 0
    for e in around:
        near += e >= 0
    if near == 0:
        return
    what, value = best_piece(bounds, layout.placed, around)
    key = _PER_NEIGHBOUR * near + value / near
    cell = row * layout.piece.shape[1] + col
    tally = layout.tally
    tally[_WAITING] = push(layout.key, layout.item, tally[_WAITING], key, cell, what, near)


@compiled
def best_piece(
    bounds: Bounds, placed: NDArray[np.bool_], around: NDArray[np.int32]
) -> tuple[int, float]:
    """Return 4 * piece + turns of the piece left that suits these edges best, and how well.

    Best is who is a best buddy of most of them, then the greatest sum of compatibilities, then
    the lowest rank. Candidates are what the edges list, all lists side by side, until no later
    entry can be better; if that gives none and the table is dense, every piece is one.
    """
    tables = bounds.tables
    start, partner, score = tables.start, tables.partner, tables.score
    best, most, depth = _ANY, -1.0, 0
    while True:
        limit, listed = 0.0, False
        for side in range(4):
            e = around[side]
            if e < 0 or start[e] == start[e + 1]:
                continue
            k = start[e] + depth
            if k >= start[e + 1]:
                # Who is not listed is at most as good as the last, or 0 without a dense table.
                limit += float(score[start[e + 1] - 1]) if len(tables.dense) > 0 else 0.0
                continue
            listed = True
            limit += float(score[k])
            f = partner[k]
            if not placed[f >> 2]:
                what = 4 * (f >> 2) + (side - f) % 4
                best, most = better(bounds, around, what, best, most)
        # Who stands deeper in every list is no one's buddy, and sums up to at most the limit.
        if not listed or (best != _ANY and limit < most):
            break
        depth += 1
    if best == _ANY and len(tables.dense) > 0:
        for p in range(len(placed)):
            if not placed[p]:
                for t in range(0, 4, bounds.turn_step):
                    best, most = better(bounds, around, 4 * p + t, best, most)
    return best, most


@compiled
def better(
    bounds: Bounds, around: NDArray[np.int32], what: int, best: int, most: float
) -> tuple[int, float]:
    """Return the better of 4 * piece + turns `what` and `best`, and its value."""
    if what == best:
        return best, most
    value = 0.0
    for side in range(4):
        if around[side] >= 0:
            f = 4 * (what >> 2) + (side - what) % 4
            value += float(look_up(bounds.tables, around[side], f))
            value += _PER_BUDDY * (bounds.buddy[around[side]] == f)
    if value > most:
        return what, value
    if value == most and best != _ANY:
        rank, other = bounds.rank[what >> 2], bounds.rank[best >> 2]
        if rank < other or (rank == other and what < best):
            return what, value
    return best, most
