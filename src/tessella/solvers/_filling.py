"""From assemblies of pieces to a whole answer: the largest is kept, the rest placed greedily.

The greedy nucleus is that of `tessella.solvers.paikin_tal`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.kernels.assembly import Assemblies, cells_of
from tessella.kernels.board import (
    EAST,
    NORTH,
    PLACED,
    SOUTH,
    WEST,
    Board,
    Rules,
    empty_board,
    place,
    with_room,
)
from tessella.kernels.greedy import grow
from tessella.puzzle import Shape
from tessella.solving import Job, Solution

_STEP = 256
"""How many pieces are placed between two looks at the clock."""

_MARGIN = 8
"""Free cells around what lies on a board at first."""


def fill(job: Job, rules: Rules, assemblies: Assemblies, *, stopped: bool = False) -> Solution:
    """Keep the largest assembly, place all other pieces around and in it, and put it in its frame.

    Parameters
    ----------
    rules : what the growth follows; its box is that of the job's shape
    stopped : whether a stop already ended what came before
    """
    board = board_with(rules, assemblies)
    return completed(job, rules, board, "filling", stopped=stopped)


def completed(
    job: Job, rules: Rules, board: Board, stage: str, *, stopped: bool = False
) -> Solution:
    """Place what is not yet on the board greedily, and put the nucleus in its frame.

    Parameters
    ----------
    stage : what the watcher is told
    """
    count = job.compatibility.pieces
    watch = job.watch
    watch.stage(stage, count)
    watch.advance(int(board.tally[PLACED]))
    while board.tally[PLACED] < count and not stopped:
        before = int(board.tally[PLACED])
        grow(rules, board, min(before + _STEP, count))
        board = with_room(board)
        watch.advance(int(board.tally[PLACED]) - before)
        stopped = bool(board.tally[PLACED] < count) and job.stop()
    arrangement = Arrangement((_framed(rules, board, job.shape),))
    return Solution(arrangement, job.compatibility.fitness(arrangement), stopped=stopped)


def board_with(rules: Rules, assemblies: Assemblies) -> Board:
    """Return a board on which the largest assembly lies; of equal ones the first by rank."""
    home = min(
        np.flatnonzero(assemblies.size == assemblies.size.max()).tolist(),
        key=lambda h: int(rules.rank[h]),
    )
    members, cell = cells_of(assemblies, home)
    height, width = cell[:, :2].max(axis=0) + 1 + 2 * _MARGIN
    board = empty_board(len(rules.rank))._replace(
        piece=np.full((height, width), -1, np.int32),
        turns=np.zeros((height, width), np.int32),
        slot=np.full((height, width), -1, np.int32),
        tally=np.array([0, 0, height, -1, width, -1], np.int64),
    )
    for piece, (row, col, turns) in zip(members.tolist(), cell.tolist(), strict=True):
        place(rules.box, board, row + _MARGIN, col + _MARGIN, piece, turns)
    return board


def _framed(rules: Rules, board: Board, shape: Shape | None) -> Sheet:
    """Return the nucleus in its frame; pieces that a stop left over fill the first free cells."""
    tally = board.tally
    nucleus = np.s_[tally[NORTH] : tally[SOUTH] + 1, tally[WEST] : tally[EAST] + 1]
    height, width = board.piece[nucleus].shape
    left = np.flatnonzero(~board.placed)
    left = left[np.argsort(rules.rank[left])]
    frame = _frame((height, width), len(rules.rank), len(left)) if shape is None else shape
    sideways = not (height <= frame[0] and width <= frame[1])
    cells = frame[::-1] if sideways else frame
    piece: NDArray[np.int32] = np.full(cells, EMPTY, np.int32)
    turns = np.zeros(cells, np.int32)
    piece[:height, :width] = board.piece[nucleus]
    turns[:height, :width] = board.turns[nucleus]
    piece.flat[np.flatnonzero(piece == EMPTY)[: len(left)]] = left
    return Sheet(piece, turns).turned(1 if sideways else 0)


def _frame(nucleus: Shape, pieces: int, left: int) -> Shape:
    """Return a frame for an unknown shape: the nucleus's own, grown if pieces are left over."""
    if left == 0:
        return nucleus
    cols = max(nucleus[1], math.ceil(math.sqrt(pieces)))
    return max(nucleus[0], -(-pieces // cols)), cols
