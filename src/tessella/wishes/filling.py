"""Pieces that lost their cells find others; pieces that break a wish change places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY
from tessella.wishes.boards import BROKEN, Board, Judge
from tessella.wishes.groups import Known

_PAIRS = 2**21
"""So many pairs of edges are looked up together."""

_LOOKED = 24
"""Exchanges that are looked at closely, of those that promise most."""


@dataclass(frozen=True, eq=False)
class Filler:
    """Fills boards on which groups are laid.

    Attributes
    ----------
    boards, numbers : what is filled, and what wishes call the sheets
    known, judge : what is wished, and how well pieces lie
    home : boards that pieces are bound to
    complete : whether every piece must lie somewhere
    islands : boards of a few pieces, which take no others
    """

    boards: list[Board]
    numbers: list[int]
    known: Known
    judge: Judge
    home: dict[int, int]
    complete: bool
    islands: frozenset[int] = frozenset()

    def turns_of(self, piece: int) -> tuple[int, ...]:
        """Return how a piece may be turned."""
        if piece in self.known.turns:
            return (self.known.turns[piece],)
        return self.known.facts.quarters

    def options(self, pieces: Sequence[int]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return every piece as often as it can be turned, and those turns, ``(D,)`` each."""
        every = [(piece, turns) for piece in pieces for turns in self.turns_of(piece)]
        both = np.array(every, np.intp).reshape(-1, 2)
        return both[:, 0], both[:, 1]

    def fill(self, left: Sequence[int]) -> list[int]:
        """Lay the pieces of `left` into free cells, the surest first; return what found none."""
        waiting = list(left)
        while waiting:
            placed: set[int] = set()
            for number, board in enumerate(self.boards):
                anybody = -1 if number in self.islands else number
                mine = [p for p in waiting if self.home.get(p, anybody) == number]
                placed |= self._fill_some([p for p in mine if p not in placed], number, board)
            if not placed:
                break
            waiting = [piece for piece in waiting if piece not in placed]
        return waiting

    def _fill_some(self, pieces: list[int], number: int, board: Board) -> set[int]:
        """Lay as many pieces as have places that do not depend on each other."""
        rows, cols = board.free()
        if not pieces or not len(rows):
            return set()
        ways = max(1, _PAIRS // (4 * len(rows) * len(self.known.facts.quarters)))
        which, turns = self.options(pieces[:ways])
        worth = self.judge.worth(which, turns, board.around(rows, cols))
        self._bar(worth, which, rows, cols, board, number)
        best = np.argsort(-worth, axis=None, kind="stable")[: 4 * len(pieces) + 64]
        placed: set[int] = set()
        near: set[tuple[int, int]] = set()
        for k in best.tolist():
            i, j = divmod(k, len(rows))
            piece, cell = int(which[i]), (int(rows[j]), int(cols[j]))
            if placed and worth[i, j] < -BROKEN / 2:
                break
            if worth[i, j] <= 0 and not (self.complete or piece in self.home):
                continue
            if piece in placed or cell in near:
                continue
            board.lay(cell, piece, int(turns[i]))
            placed.add(piece)
            r, c = cell
            near |= {cell, (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)}
        return placed

    def _bar(
        self,
        worth: NDArray[np.float64],
        which: NDArray[np.intp],
        rows: NDArray[np.intp],
        cols: NDArray[np.intp],
        board: Board,
        number: int,
    ) -> None:
        for piece in {b.piece for b in self.judge.wishes.barred} & set(which.tolist()):
            some = np.flatnonzero(which == piece)
            part = worth[some]
            for k in range(len(some)):
                self.judge.bar(part[k : k + 1], [piece], (rows, cols), board, self.numbers[number])
            worth[some] = part

    def mend(self, rng: np.random.Generator, patience: int) -> bool:
        """Let pieces that break a wish change places; return whether all wishes hold then."""
        for _ in range(patience):
            wrong = [
                (number, cell)
                for number, board in enumerate(self.boards)
                for cell in self.wrong(number, board)
            ]
            if not wrong:
                return True
            number, cell = wrong[int(rng.integers(len(wrong)))]
            self._exchange(number, self.boards[number], cell, rng)
        return not any(self.wrong(number, board) for number, board in enumerate(self.boards))

    def wrong(self, number: int, board: Board) -> list[tuple[int, int]]:
        """Return the cells whose pieces are not held and break a wish."""
        rows, cols = np.nonzero((board.piece != EMPTY) & ~board.held)
        if not len(rows):
            return []
        around = board.around(rows, cols)
        mine = (
            4 * board.piece[rows, cols][:, None]
            + (np.arange(4) - board.turns[rows, cols][:, None]) % 4
        )
        met = around >= 0
        breaks = np.zeros(around.shape, np.bool_)
        breaks[met] = self.judge.wishes.forbids(np.stack([mine[met], around[met]], axis=1))
        bad = breaks.any(axis=1)
        for barred in self.judge.wishes.barred:
            if barred.sheet == self.numbers[number]:
                down, across = board.origin
                there = (rows == barred.row + down) & (cols == barred.col + across)
                bad |= there & (board.piece[rows, cols] == barred.piece)
        return list(zip(rows[bad].tolist(), cols[bad].tolist(), strict=True))

    def _exchange(
        self, number: int, board: Board, cell: tuple[int, int], rng: np.random.Generator
    ) -> None:
        """Let a piece change its place, or its turns, so that fewest wishes are broken."""
        piece, turns = int(board.piece[cell]), int(board.turns[cell])
        free = board.free()
        held = board.held | (board.piece == EMPTY)
        rows = np.concatenate([np.nonzero(~held)[0], free[0]])
        cols = np.concatenate([np.nonzero(~held)[1], free[1]])
        which, quarter = self.options([piece])
        there = self.judge.worth(which, quarter, board.around(rows, cols))
        self._bar(there, which, rows, cols, board, number)
        others = board.piece[rows, cols]
        here, coming = self._coming(others, cell, board, number)
        promise = there.max(axis=0) + here + 1e-9 * rng.random(len(rows))
        best = np.argsort(-promise)[:_LOOKED].tolist()
        before = board.copy()
        exchanges: list[tuple[float, int, tuple[int, int], int, int, int]] = []
        for k in best:
            target = int(rows[k]), int(cols[k])
            other = int(others[k])
            near = abs(target[0] - cell[0]) + abs(target[1] - cell[1]) <= 1
            for mine in self.turns_of(piece) if near else (int(quarter[there[:, k].argmax()]),):
                known = (coming.get(other, 0),)
                for its in self.turns_of(other) if near and other not in (EMPTY, piece) else known:
                    if target == cell and mine == turns:
                        continue
                    board.lay(cell, other if other != piece else EMPTY, its)
                    board.lay(target, piece, mine)
                    worth = self._local(board, (cell, target), number)
                    exchanges.append((worth, -len(exchanges), target, mine, other, its))
                    board.piece[:], board.turns[:] = before.piece, before.turns
        if not exchanges:
            return
        few = sorted(exchanges, reverse=True)[:3]
        sure = few[0][0] > -BROKEN / 2
        _, _, target, mine, other, its = few[0 if sure else int(rng.integers(len(few)))]
        board.lay(cell, other if other != piece else EMPTY, its)
        board.lay(target, piece, mine)

    def _coming(
        self, others: NDArray[np.int32], cell: tuple[int, int], board: Board, number: int
    ) -> tuple[NDArray[np.float64], dict[int, int]]:
        """Return what is gained at `cell` by the pieces of other cells, 0 by none, ``(F,)``.

        How each must be turned for that comes second.
        """
        gain = np.zeros(len(others))
        some = [int(p) for p in others if p != EMPTY]
        if not some:
            return gain, {}
        row, col = np.array([cell[0]]), np.array([cell[1]])
        which, quarter = self.options(some)
        worth = self.judge.worth(which, quarter, board.around(row, col))
        self._bar(worth, which, row, col, board, number)
        best: dict[int, tuple[float, int]] = {}
        each = zip(which.tolist(), quarter.tolist(), worth[:, 0].tolist(), strict=True)
        for piece, turns, value in each:
            if value > best.get(piece, (-np.inf, 0))[0]:
                best[piece] = value, turns
        for k, piece in enumerate(others.tolist()):
            gain[k] = best.get(piece, (0.0, 0))[0]
        return gain, {piece: turns for piece, (_, turns) in best.items()}

    def _local(self, board: Board, cells: Sequence[tuple[int, int]], number: int) -> float:
        """Return how well the pieces of some cells lie, broken wishes counted."""
        total = 0.0
        for cell in cells:
            if board.piece[cell] == EMPTY:
                continue
            row, col = np.array([cell[0]]), np.array([cell[1]])
            which, turns = np.array([board.piece[cell]]), np.array([board.turns[cell]])
            worth = self.judge.worth(which, turns, board.around(row, col))
            self._bar(worth, which, row, col, board, number)
            total += float(worth[0, 0])
        return total
