"""A board: a growing nucleus of placed pieces and the open cells around it."""

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
"""What `Board.tally` counts: pieces placed, cells open, and the extent of the nucleus."""

ROW, COL, BEST, TURNS, BUDDIES, RATED, PROPS, PROP = range(8)
"""Columns of `Board.cell`."""

_RIM = 4
"""Ratings look this far beyond the nucleus."""

_MOST_PROPS = 2 + 1 + 3 * (1 + 3 * 2)
"""The most pieces that a rating can rest on: the two best for the cell, a rival for its one
neighbour, and on each free side a buddy with two rivals for each of three neighbours."""


class Box(NamedTuple):
    """What the nucleus must fit into.

    Attributes
    ----------
    rows, cols : the shape; larger than any nucleus where it is unknown
    either : 1 where `rows` and `cols` may change places
    """

    rows: int
    cols: int
    either: int


class Rules(NamedTuple):
    """What decides the growth; nothing here changes.

    Attributes
    ----------
    tables : compatibilities
    buddy : the best buddy of every edge or -1, int32 ``(4N,)``
    rank : which of two equal pieces goes first, int32 ``(N,)``
    turn_step : turns come in steps of this: 1, 2 for rectangular pieces, 4 for upright ones
    box : what the nucleus must fit into
    foresight : how much it counts what a piece's best buddies would meet in the nucleus
    """

    tables: Tables
    buddy: NDArray[np.int32]
    rank: NDArray[np.int32]
    turn_step: int
    box: Box
    foresight: float


class Board(NamedTuple):
    """The nucleus, and the open cells around it with what they would take.

    Attributes
    ----------
    piece, turns : the nucleus, -1 where no piece lies, int32 ``(H, W)``
    slot : which open cell this is, -1 for others, int32 ``(H, W)``
    joined : whether an edge already lies against another, bool ``(4N,)``
    placed : whether a piece lies in the nucleus, bool ``(N,)``
    changed : after how many placements a piece or one of its neighbours was placed, ``(N,)``
    cell : what is known of every open cell, int64 ``(F, 7 + 24)``; its columns are:
        row and column; which piece it would take, -1 for just any, and how turned; 1 where that
        is a best buddy of a neighbour, 0 where not; after how many placements this was found, -1
        for never; how many pieces it rests on (if they change, it may change); and those pieces
    confidence : how sure that is, float64 ``(F,)``
    tally : see `PLACED` and its like, int64 ``(6,)``
    """

    piece: NDArray[np.int32]
    turns: NDArray[np.int32]
    slot: NDArray[np.int32]
    joined: NDArray[np.bool_]
    placed: NDArray[np.bool_]
    changed: NDArray[np.int64]
    cell: NDArray[np.int64]
    confidence: NDArray[np.float64]
    tally: NDArray[np.int64]


def empty_board(pieces: int) -> Board:
    """Return a board without a piece; its nucleus will start in the middle."""
    side = 2 * int(np.ceil(np.sqrt(pieces))) + 2 * _RIM + 1
    cells = 2 * pieces + 4
    return Board(
        piece=np.full((side, side), -1, np.int32),
        turns=np.zeros((side, side), np.int32),
        slot=np.full((side, side), -1, np.int32),
        joined=np.zeros(4 * pieces, np.bool_),
        placed=np.zeros(pieces, np.bool_),
        changed=np.zeros(pieces, np.int64),
        cell=np.zeros((cells, PROP + _MOST_PROPS), np.int64),
        confidence=np.zeros(cells, np.float64),
        tally=np.array([0, 0, side, -1, side, -1], np.int64),
    )


def with_room(board: Board) -> Board:
    """Return the board with a wider rim wherever the nucleus has come close to it."""
    if has_room(board.piece, board.tally):
        return board
    height, width = board.piece.shape
    north, south, west, east = board.tally[[NORTH, SOUTH, WEST, EAST]]
    above, below = height // 2 * (north < _RIM), height // 2 * (south >= height - _RIM)
    before, behind = width // 2 * (west < _RIM), width // 2 * (east >= width - _RIM)
    rim = ((above, below), (before, behind))
    cell = board.cell.copy()
    cell[:, ROW] += above
    cell[:, COL] += before
    return board._replace(
        piece=np.pad(board.piece, rim, constant_values=-1),
        turns=np.pad(board.turns, rim),
        slot=np.pad(board.slot, rim, constant_values=-1),
        cell=cell,
        tally=board.tally + np.array([0, 0, above, above, before, before]),
    )


@compiled
def has_room(piece: NDArray[np.int32], tally: NDArray[np.int64]) -> bool:
    """Say whether the nucleus can take another piece without leaving the board."""
    height, width = piece.shape
    if tally[NORTH] < _RIM or tally[SOUTH] >= height - _RIM:
        return False
    return tally[WEST] >= _RIM and tally[EAST] < width - _RIM


@compiled
def place(box: Box, board: Board, row: int, col: int, piece: int, turns: int) -> None:
    """Lay `piece` into a cell, note what that changes, and open the free cells beside it."""
    tally = board.tally
    if board.slot[row, col] >= 0:
        close(board.cell, board.confidence, board.slot, tally, board.slot[row, col])
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
        elif board.slot[r, c] < 0 and fits(box, tally, r, c):
            last = tally[OPEN]
            board.slot[r, c] = last
            board.cell[last, ROW], board.cell[last, COL] = r, c
            tally[OPEN] += 1
    for r in range(row - 2, row + 3):
        reach = 2 - abs(r - row)
        for c in range(col - reach, col + reach + 1):
            if board.slot[r, c] >= 0:
                board.cell[board.slot[r, c], RATED] = -1


@compiled
def close(
    cell: NDArray[np.int64],
    confidence: NDArray[np.float64],
    slot: NDArray[np.int32],
    tally: NDArray[np.int64],
    i: int,
) -> None:
    """Strike open cell `i` off; the last one takes its number."""
    last = tally[OPEN] - 1
    slot[cell[i, ROW], cell[i, COL]] = -1
    if i < last:
        slot[cell[last, ROW], cell[last, COL]] = i
        for column in range(cell.shape[1]):
            cell[i, column] = cell[last, column]
        confidence[i] = confidence[last]
    tally[OPEN] = last


@compiled
def fits(box: Box, tally: NDArray[np.int64], row: int, col: int) -> bool:
    """Say whether the nucleus with this cell would fit the box, which slides until it is full."""
    height = max(tally[SOUTH], row) - min(tally[NORTH], row) + 1
    width = max(tally[EAST], col) - min(tally[WEST], col) + 1
    if height <= box.rows and width <= box.cols:
        return True
    return box.either == 1 and height <= box.cols and width <= box.rows


@compiled
def edges_around(
    piece: NDArray[np.int32], turns: NDArray[np.int32], row: int, col: int
) -> NDArray[np.int32]:
    """Return the edges that a cell's right, top, left and bottom neighbour show it, or -1."""
    around = np.empty(4, np.int32)
    for side in range(4):
        r, c = row + DOWN[side], col + ACROSS[side]
        shown = 4 * piece[r, c] + (side + 2 - turns[r, c]) % 4
        around[side] = shown if piece[r, c] >= 0 else -1
    return around
