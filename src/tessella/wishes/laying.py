"""Groups laid as wholes: where most of their pieces lie already, or where they fit best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY
from tessella.kernels.board import ACROSS, DOWN
from tessella.wishes.aligning import Boards, blocks
from tessella.wishes.boards import BROKEN, Board, Judge
from tessella.wishes.groups import Group, Known
from tessella.wishes.wish import Code

_PLACES = 20_000
"""So many places are tried before it is said that groups find no room beside each other."""

_RATED = 40_000
"""Cells of places that are rated; of more, the nearest are taken."""


@dataclass(frozen=True)
class Spot:
    """Where a group may lie: the board, and row, column and turns of every member."""

    board: int
    rows: NDArray[np.intp]
    cols: NDArray[np.intp]
    turns: NDArray[np.intp]


def layouts(boards: Boards, known: Known, judge: Judge) -> Iterator[list[Board]]:
    """Yield boards on which all groups are laid and held; the likeliest first.

    What lay in their cells is covered: `tessella.wishes.filling` finds another place for it.
    """
    groups = sorted(blocks(known), key=lambda g: (g.sheet is None, -len(g.pieces), g.pieces))
    laid = [board.copy() for board in boards.every]
    choices: list[Iterator[Spot]] = []
    done: list[tuple[Spot, NDArray[np.int32], NDArray[np.int32]]] = []
    tried = 0
    while True:
        if len(done) == len(groups):
            yield [board.copy() for board in laid]
        else:
            choices.append(_spots(groups[len(done)], laid, boards, known, judge))
        spot = None
        while choices and spot is None:
            if len(done) == len(choices):
                _lift(laid, *done.pop())
            spot = next(choices[-1], None)
            if spot is None:
                choices.pop()
        tried += 1
        if spot is None or tried > _PLACES:
            return
        board = laid[spot.board]
        cells = spot.rows, spot.cols
        done.append((spot, board.piece[cells].copy(), board.turns[cells].copy()))
        board.piece[cells] = groups[len(done) - 1].pieces
        board.turns[cells] = spot.turns
        board.held[cells] = True


def _lift(
    laid: list[Board], spot: Spot, piece: NDArray[np.int32], turns: NDArray[np.int32]
) -> None:
    """Take a group off again."""
    board, cells = laid[spot.board], (spot.rows, spot.cols)
    board.piece[cells], board.turns[cells] = piece, turns
    board.held[cells] = False


def _spots(
    group: Group, laid: list[Board], boards: Boards, known: Known, judge: Judge
) -> Iterator[Spot]:
    """Yield where a group may lie, the best first."""
    likely = boards.home.get(group.pieces[0])
    if likely is None:
        likely = boards.before.get(group.pieces[0], (0,))[0]
    yield from _spots_on(likely, group, laid, boards, known, judge)
    if group.pieces[0] not in boards.home:
        for other in range(len(laid)):
            if other != likely:
                yield from _spots_on(other, group, laid, boards, known, judge)


def _spots_on(
    number: int, group: Group, laid: list[Board], boards: Boards, known: Known, judge: Judge
) -> Iterator[Spot]:
    """Yield where a group may lie on one board: where members lie already, then elsewhere."""
    board = laid[number]
    stay = _votes(number, group, boards)
    seen = []
    for turns in group.quarters:
        poses = np.array([pose[1:] for _, pose in group.at(turns)], np.intp)  # (k, 2)
        quarter = np.array([pose.turns for _, pose in group.at(turns)], np.intp)
        for row, col in _bases(group, poses, board, known):
            spot = Spot(number, poses[:, 0] + row, poses[:, 1] + col, quarter)
            seen.append((stay[turns, row, col], spot))
    _, down, across, _ = boards.before.get(group.pieces[0], (0, *board.origin, 0))
    far = [abs(s.rows[0] - down) + abs(s.cols[0] - across) for _, s in seen]
    order = sorted(range(len(seen)), key=lambda i: (-seen[i][0], far[i], i))
    rated = order[: max(1, _RATED // len(group.pieces))]
    worth = _rates([seen[i][1] for i in rated], group, board, boards.numbers[number], judge)
    better = sorted(range(len(rated)), key=lambda k: (-(worth[k] + seen[rated[k]][0]), k))
    for k in better:
        if worth[k] > -BROKEN / 2:
            yield seen[rated[k]][1]
    yield from (seen[i][1] for i in order[len(rated) :])


def _votes(number: int, group: Group, boards: Boards) -> Counter[tuple[int, int, int]]:
    """Return how many members lie already where a turn and a place of the group have them."""
    votes: Counter[tuple[int, int, int]] = Counter()
    for turns in group.quarters:
        for piece, pose in group.at(turns):
            where, row, col, lies = boards.before.get(piece, (-1, 0, 0, 0))
            if where == number and lies == pose.turns:
                votes[turns, row - pose.row, col - pose.col] += 1
    return votes


def _bases(
    group: Group, poses: NDArray[np.intp], board: Board, known: Known
) -> list[tuple[int, int]]:
    """Return the rows and columns at which a group of such poses lies on free cells."""
    down, across = board.origin
    height, width = board.piece.shape
    rows, cols = np.arange(-height, 2 * height), np.arange(-width, 2 * width)
    if group.sheet is not None:
        rows, cols = np.array([down]), np.array([across])
    codes = [c for c in known.wishes.codes if c.piece in group.pieces]
    for code in codes:
        at = poses[group.pieces.index(code.piece)]
        rows, cols = _narrowed(code, at, rows, cols, board)
    rows = rows[(rows + poses[:, 0].min() >= 0) & (rows + poses[:, 0].max() < height)]
    cols = cols[(cols + poses[:, 1].min() >= 0) & (cols + poses[:, 1].max() < width)]
    if not len(rows) or not len(cols):
        return []
    free = board.usable & ~board.held
    fine = np.ones((len(rows), len(cols)), np.bool_)
    for row, col in poses:
        fine &= free[np.ix_(rows + row, cols + col)]
    where = np.argwhere(fine)
    return list(zip(rows[where[:, 0]].tolist(), cols[where[:, 1]].tolist(), strict=True))


def _narrowed(
    code: Code,
    at: NDArray[np.intp],
    rows: NDArray[np.intp],
    cols: NDArray[np.intp],
    board: Board,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows and columns at which a code holds, its piece lying at `at` in its group."""
    if code.row is not None:
        rows = rows[rows + at[0] == code.row + board.origin[0]]
    if code.col is not None:
        cols = cols[cols + at[1] == code.col + board.origin[1]]
    return rows, cols


def _rates(
    spots: list[Spot], group: Group, board: Board, number: int, judge: Judge
) -> NDArray[np.float64]:
    """Return what is gained if a group lies at each spot, and what it covers is lost, ``(S,)``."""
    if not spots:
        return np.zeros(0)
    total = np.zeros(len(spots))
    lies = board.piece != EMPTY
    rows, cols = np.nonzero(lies & ~board.held)
    own = np.zeros(board.piece.shape)
    if len(rows):
        own[rows, cols] = _each(board, rows, cols, board.piece[rows, cols], board.turns, judge)
    for k, piece in enumerate(group.pieces):
        r = np.array([spot.rows[k] for spot in spots])
        c = np.array([spot.cols[k] for spot in spots])
        turns = np.array([spot.turns[k] for spot in spots])
        around = board.around(r, c)
        for quarter in np.unique(turns):
            some = np.flatnonzero(turns == quarter)
            near = r[some, None] + DOWN, c[some, None] + ACROSS
            worth = judge.worth(
                np.array([piece]), np.array([quarter]), around[some], board.held[near]
            )
            judge.bar(worth, [piece], (r[some], c[some]), board, number)
            total[some] += worth[0]
        total -= own[r, c]
    return total


def _each(
    board: Board,
    rows: NDArray[np.intp],
    cols: NDArray[np.intp],
    pieces: NDArray[np.int32],
    turns: NDArray[np.int32],
    judge: Judge,
) -> NDArray[np.float64]:
    """Return how well the pieces of cells lie where they are, ``(F,)``."""
    around = board.around(rows, cols)
    mine = 4 * pieces[:, None] + (np.arange(4) - turns[rows, cols][:, None]) % 4
    met = around >= 0
    total = np.zeros(around.shape)
    total[met] = judge.compatibility.of(np.stack([mine[met], around[met]], 1).astype(np.int32))
    summed: NDArray[np.float64] = total.sum(axis=1)
    return summed
