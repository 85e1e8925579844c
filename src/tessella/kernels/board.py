"""A board: a growing kernel of placed pieces and the open cells around it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.jit import compiled
from tessella.kernels.tables import Tables

DOWN = np.array([0, -1, 0, 1])
ACROSS = np.array([1, 0, -1, 0])
"""Steps to the neighbour on the right, top, left and bottom."""

PLACED, OPEN, NORTH, SOUTH, WEST, EAST = range(6)
"""What `Board.tally` counts: pieces placed, cells open, and the extent of the kernel."""

_RIM = 3
_RESTS_ON = 6


class Rules(NamedTuple):
    """What decides the growth; nothing here changes.

    Attributes
    ----------
    tables : compatibilities
    buddy : the best buddy of every edge or -1, int32 ``(4N,)``
    rank : which of two equal pieces goes first, int32 ``(N,)``
    turn_step : turns come in steps of this: 1, 2 for rectangular pieces, 4 for upright ones
    rows, cols : what the kernel must fit into
    either : 1 where `rows` and `cols` may change places
    """

    tables: Tables
    buddy: NDArray[np.int32]
    rank: NDArray[np.int32]
    turn_step: int
    rows: int
    cols: int
    either: int


class Board(NamedTuple):
    """The kernel, and the open cells around it with what they would take.

    Attributes
    ----------
    piece, turns : the kernel, -1 where no piece lies, int32 ``(H, W)``
    slot : which open cell this is, -1 for others, int32 ``(H, W)``
    joined : whether an edge already lies against another, bool ``(4N,)``
    placed : whether a piece lies in the kernel, bool ``(N,)``
    changed : after how many placements a piece or one of its neighbours was placed, ``(N,)``
    row, col : of an open cell, int64 ``(F,)``
    best, best_turns : what the cell would take, -1 for just any piece, ``(F,)``
    buddies : 1 where that is a best buddy of a neighbour, 0 where not, ``(F,)``
    confidence : how sure that is, float64 ``(F,)``
    rated : after how many placements this was found, -1 for never, int64 ``(F,)``
    rests_on : pieces whose change changes the rating, -1 for none, int32 ``(F, 6)``
    tally : see `PLACED` and its like, int64 ``(6,)``
    """

    piece: NDArray[np.int32]
    turns: NDArray[np.int32]
    slot: NDArray[np.int32]
    joined: NDArray[np.bool_]
    placed: NDArray[np.bool_]
    changed: NDArray[np.int64]
    row: NDArray[np.int64]
    col: NDArray[np.int64]
    best: NDArray[np.int32]
    best_turns: NDArray[np.int32]
    buddies: NDArray[np.int64]
    confidence: NDArray[np.float64]
    rated: NDArray[np.int64]
    rests_on: NDArray[np.int32]
    tally: NDArray[np.int64]


def empty_board(pieces: int) -> Board:
    """Return a board without a piece; its kernel will start in the middle."""
    side = 2 * int(np.ceil(np.sqrt(pieces))) + 2 * _RIM + 1
    cells = 2 * pieces + 4
    return Board(
        piece=np.full((side, side), -1, np.int32),
        turns=np.zeros((side, side), np.int32),
        slot=np.full((side, side), -1, np.int32),
        joined=np.zeros(4 * pieces, np.bool_),
        placed=np.zeros(pieces, np.bool_),
        changed=np.zeros(pieces, np.int64),
        row=np.zeros(cells, np.int64),
        col=np.zeros(cells, np.int64),
        best=np.zeros(cells, np.int32),
        best_turns=np.zeros(cells, np.int32),
        buddies=np.zeros(cells, np.int64),
        confidence=np.zeros(cells, np.float64),
        rated=np.zeros(cells, np.int64),
        rests_on=np.full((cells, _RESTS_ON), -1, np.int32),
        tally=np.array([0, 0, side, -1, side, -1], np.int64),
    )


def with_room(board: Board) -> Board:
    """Return the board with a wider rim wherever the kernel has come close to it."""
    height, width = board.piece.shape
    tally = board.tally
    above, below = (
        height // 2 * near for near in (tally[NORTH] < _RIM, tally[SOUTH] >= height - _RIM)
    )
    before, behind = (
        width // 2 * near for near in (tally[WEST] < _RIM, tally[EAST] >= width - _RIM)
    )
    rim = ((above, below), (before, behind))
    return board._replace(
        piece=np.pad(board.piece, rim, constant_values=-1),
        turns=np.pad(board.turns, rim),
        slot=np.pad(board.slot, rim, constant_values=-1),
        row=board.row + above,
        col=board.col + before,
        tally=tally + np.array([0, 0, above, above, before, before]),
    )


@compiled
def has_room(board: Board) -> bool:
    """Say whether the kernel can take another piece without leaving the board."""
    height, width = board.piece.shape
    north, south, west, east = board.tally[NORTH : EAST + 1]
    return min(north, west) >= _RIM and south < height - _RIM and east < width - _RIM


@compiled
def place(rules: Rules, board: Board, row: int, col: int, piece: int, turns: int) -> None:
    """Lay `piece` into a cell, note what that changes, and open the free cells beside it."""
    tally = board.tally
    if board.slot[row, col] >= 0:
        close(board, board.slot[row, col])
    board.piece[row, col] = piece
    board.turns[row, col] = turns
    board.placed[piece] = True
    tally[PLACED] += 1
    tally[NORTH], tally[SOUTH] = min(tally[NORTH], row), max(tally[SOUTH], row)
    tally[WEST], tally[EAST] = min(tally[WEST], col), max(tally[EAST], col)
    board.changed[piece] = tally[PLACED]
    for side in range(4):
        r, c = row + DOWN[side], col + ACROSS[side]
        other = board.piece[r, c]
        if other >= 0:
            board.joined[4 * piece + (side - turns) % 4] = True
            board.joined[4 * other + (side + 2 - board.turns[r, c]) % 4] = True
            board.changed[other] = tally[PLACED]
        elif board.slot[r, c] >= 0:
            board.rated[board.slot[r, c]] = -1
        elif fits(rules, tally, r, c):
            last = tally[OPEN]
            board.slot[r, c] = last
            board.row[last], board.col[last], board.rated[last] = r, c, -1
            tally[OPEN] += 1


@compiled
def close(board: Board, i: int) -> None:
    """Strike open cell `i` off; the last one takes its number."""
    last = board.tally[OPEN] - 1
    board.slot[board.row[i], board.col[i]] = -1
    if i < last:
        board.slot[board.row[last], board.col[last]] = i
        board.row[i], board.col[i] = board.row[last], board.col[last]
        board.best[i], board.best_turns[i] = board.best[last], board.best_turns[last]
        board.buddies[i], board.confidence[i] = board.buddies[last], board.confidence[last]
        board.rated[i] = board.rated[last]
        board.rests_on[i] = board.rests_on[last]
    board.tally[OPEN] = last


@compiled
def fits(rules: Rules, tally: NDArray[np.int64], row: int, col: int) -> bool:
    """Say whether the kernel with this cell would fit the shape; the box slides until full."""
    height = max(tally[SOUTH], row) - min(tally[NORTH], row) + 1
    width = max(tally[EAST], col) - min(tally[WEST], col) + 1
    if height <= rules.rows and width <= rules.cols:
        return True
    return rules.either == 1 and height <= rules.cols and width <= rules.rows


@compiled
def first_left(rules: Rules, board: Board) -> int:
    """Return the unplaced piece of the lowest rank."""
    found = -1
    for p in range(len(rules.rank)):
        if not board.placed[p] and (found < 0 or rules.rank[p] < rules.rank[found]):
            found = p
    return found


@compiled
def edges_around(board: Board, row: int, col: int) -> NDArray[np.int32]:
    """Return the edges that a cell's right, top, left and bottom neighbour show it, or -1."""
    around = np.full(4, -1, np.int32)
    for side in range(4):
        r, c = row + DOWN[side], col + ACROSS[side]
        if board.piece[r, c] >= 0:
            around[side] = 4 * board.piece[r, c] + (side + 2 - board.turns[r, c]) % 4
    return around
