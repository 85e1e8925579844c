"""Boards on which an answer is laid anew, and how well pieces would lie in their cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Sheet
from tessella.compatibility import Compatibility
from tessella.kernels.board import ACROSS, DOWN
from tessella.wishes.wish import Wishes

BROKEN = 1000.0
"""What a broken wish costs: more than any join can gain."""


@dataclass(frozen=True, eq=False)
class Board:
    """One sheet that is being laid, with a rim of cells that hold nothing.

    Attributes
    ----------
    piece, turns : of every cell, -1 where none lies, ``(H, W)``
    held : cells whose pieces stay, ``(H, W)``
    usable : cells of the sheet, all but the rim, ``(H, W)``
    origin : the cell that wishes call row 0, column 0
    bounded : whether the shape is known; the board is then no larger
    """

    piece: NDArray[np.int32]
    turns: NDArray[np.int32]
    held: NDArray[np.bool_]
    usable: NDArray[np.bool_]
    origin: tuple[int, int]
    bounded: bool

    @classmethod
    def empty(cls, rows: int, cols: int, origin: tuple[int, int], bounded: bool) -> Board:
        """Return a board of so many usable cells; `origin` is counted in these."""
        shape = rows + 2, cols + 2
        usable = np.zeros(shape, np.bool_)
        usable[1:-1, 1:-1] = True
        return cls(
            np.full(shape, EMPTY, np.int32),
            np.zeros(shape, np.int32),
            np.zeros(shape, np.bool_),
            usable,
            (origin[0] + 1, origin[1] + 1),
            bounded,
        )

    def copy(self) -> Board:
        """Return another board that is laid likewise."""
        return Board(
            self.piece.copy(), self.turns.copy(), self.held.copy(), self.usable,
            self.origin, self.bounded,
        )  # fmt: skip

    def lay(self, cell: tuple[int, int], piece: int, turns: int) -> None:
        """Lay a piece, or nothing, into a cell."""
        self.piece[cell] = piece
        self.turns[cell] = turns if piece != EMPTY else 0

    def around(self, rows: NDArray[np.intp], cols: NDArray[np.intp]) -> NDArray[np.int32]:
        """Return the edges that the neighbours of cells show them, -1 where none lies, ``(F, 4)``.

        They come in the order of directions: from the right, the top, the left and the bottom.
        """
        r = rows[:, None] + DOWN
        c = cols[:, None] + ACROSS
        piece = self.piece[r, c]
        edge = 4 * piece + (np.arange(4) + 2 - self.turns[r, c]) % 4
        return np.where(piece == EMPTY, EMPTY, edge).astype(np.int32)

    def free(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the empty cells that may be filled: without bounds, those beside pieces."""
        empty = self.usable & (self.piece == EMPTY)
        if not self.bounded and (self.piece != EMPTY).any():
            lies = self.piece != EMPTY
            beside = np.zeros_like(lies)
            beside[1:] |= lies[:-1]
            beside[:-1] |= lies[1:]
            beside[:, 1:] |= lies[:, :-1]
            beside[:, :-1] |= lies[:, 1:]
            empty &= beside
        rows, cols = np.nonzero(empty)
        return rows, cols

    def sheet(self) -> Sheet:
        """Return the board as a sheet: of its shape, or without bounds as large as is laid."""
        inner = np.s_[1:-1, 1:-1]
        piece, turns = self.piece[inner], self.turns[inner]
        if not self.bounded:
            rows, cols = np.nonzero(piece != EMPTY)
            window = np.s_[rows.min() : rows.max() + 1, cols.min() : cols.max() + 1]
            piece, turns = piece[window], turns[window]
        return Sheet(piece, turns.astype(np.int8))


@dataclass(frozen=True, eq=False)
class Judge:
    """Says how well pieces would lie in cells.

    Attributes
    ----------
    compatibility : of pairs of edges
    wishes : of which forbidden joins cost `BROKEN` each, and barred cells too
    """

    compatibility: Compatibility
    wishes: Wishes

    def worth(
        self,
        pieces: NDArray[np.intp],
        turns: NDArray[np.intp],
        around: NDArray[np.int32],
        firm: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.float64]:
        """Return what every piece, turned so, would gain in every cell, ``(D, F)``.

        Parameters
        ----------
        pieces, turns : ``(D,)`` each
        around : see `Board.around`, ``(F, 4)``
        firm : with which of them a forbidden join costs; others may still go, ``(F, 4)``
        """
        mine = 4 * pieces[:, None] + (np.arange(4) - turns[:, None]) % 4  # (D, 4)
        shape = len(pieces), len(around), 4
        one = np.broadcast_to(mine[:, None], shape)
        other = np.broadcast_to(around[None], shape)
        met = other >= 0
        total = np.zeros(shape)
        pairs = np.stack([one[met], other[met]], axis=1).astype(np.int32)
        value = self.compatibility.of(pairs).astype(np.float64)
        cost = -BROKEN if firm is None else np.where(np.broadcast_to(firm, shape)[met], -BROKEN, 0)
        value = np.where(self.wishes.forbids(pairs), cost, value)
        own = pairs[:, 0] // 4 == pairs[:, 1] // 4  # The piece itself lies there still.
        value[own] = 0
        total[met] = value
        summed: NDArray[np.float64] = total.sum(axis=2)
        return summed

    def bar(
        self,
        worth: NDArray[np.float64],
        pieces: Sequence[int],
        cells: tuple[NDArray[np.intp], NDArray[np.intp]],
        board: Board,
        number: int,
    ) -> None:
        """Make cells that pieces are barred from cost what a broken wish costs.

        Parameters
        ----------
        number : of the sheet that the board is, as wishes count them
        """
        row = {piece: k for k, piece in enumerate(pieces)}
        for barred in self.wishes.barred:
            if barred.piece in row and barred.sheet == number:
                there = (cells[0] == barred.row + board.origin[0]) & (
                    cells[1] == barred.col + board.origin[1]
                )
                worth[row[barred.piece], there] -= BROKEN
