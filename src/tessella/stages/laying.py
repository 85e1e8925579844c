"""Laying fragments down: on a sheet each, apart from each other on one sheet, or within a shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation

from tessella.arrangement import EMPTY, Sheet
from tessella.puzzle import Shape


@dataclass(frozen=True, eq=False)
class Fragment:
    """Pieces that lie in fixed places among each other.

    Attributes
    ----------
    piece : ``(M,)``
    cell : their rows and columns, from 0, ``(M, 2)``
    turns : ``(M,)``
    """

    piece: NDArray[np.intp]
    cell: NDArray[np.int64]
    turns: NDArray[np.int64]

    @property
    def shape(self) -> Shape:
        """Rows and columns that it takes."""
        rows, cols = (self.cell.max(axis=0) + 1).tolist()
        return rows, cols

    def turned(self, times: int) -> Fragment:
        """Return it turned counter-clockwise as a whole."""
        cell = self.cell
        for _ in range(times % 4):
            cell = np.stack([-cell[:, 1], cell[:, 0]], axis=1)
        return Fragment(self.piece, cell - cell.min(axis=0), (self.turns + times) % 4)

    def sheet(self) -> Sheet:
        """Return it on a sheet of its own."""
        return _sheet(self.shape, [(self, 0, 0)])

    def singles(self) -> list[Fragment]:
        """Return its pieces one by one."""
        none = np.zeros((1, 2), np.int64)
        return [
            Fragment(self.piece[k : k + 1], none, self.turns[k : k + 1])
            for k in range(len(self.piece))
        ]


def _sheet(shape: Shape, placed: Sequence[tuple[Fragment, int, int]]) -> Sheet:
    piece, turns = np.full(shape, EMPTY, np.int32), np.zeros(shape, np.int8)
    for fragment, row, col in placed:
        rows, cols = (fragment.cell + np.array([row, col])).T
        piece[rows, cols], turns[rows, cols] = fragment.piece, fragment.turns
    return Sheet(piece, turns)


def sheets_of(fragments: Sequence[Fragment]) -> tuple[Sheet, ...]:
    """Return a sheet for every fragment of several pieces; single ones belong nowhere.

    Where there are only single ones, the first is laid all the same: no answer is empty.
    """
    joined = [fragment.sheet() for fragment in fragments if len(fragment.piece) > 1]
    return tuple(joined) or (fragments[0].sheet(),)


def laid_apart(fragments: Sequence[Fragment], gap: int, rim: int = 0) -> Sheet:
    """Return one sheet with `gap` empty cells between fragments, and `rim` around all of them.

    They stand in shelves, in the order given.
    """
    area = sum((f.shape[0] + gap) * (f.shape[1] + gap) for f in fragments)
    wide = max(max(f.shape[1] for f in fragments), int(np.ceil(np.sqrt(area))))
    placed, row, col, high = [], 0, 0, 0
    for fragment in fragments:
        rows, cols = fragment.shape
        if col and col + cols > wide:
            row, col, high = row + high + gap, 0, 0
        placed.append((fragment, row + rim, col + rim))
        col, high = col + cols + gap, max(high, rows)
    used = max(c - rim + f.shape[1] for f, _, c in placed)
    return _sheet((row + high + 2 * rim, used + 2 * rim), placed)


def laid_within(fragments: Sequence[Fragment], shape: Shape, ways: int) -> Sheet:
    """Return a sheet of `shape` that holds all fragments, the first ones as wholes.

    Each lies where it touches no other if there is such a place, else where there is room, else its
    pieces are laid one by one into what is left. There must be as many cells as pieces.

    Parameters
    ----------
    ways : in how many ways a fragment may be turned as a whole
    """
    taken = np.zeros(shape, np.bool_)
    placed = []
    waiting = list(fragments)
    while waiting:
        fragment = waiting.pop(0)
        place = _place(fragment, taken, ways)
        if place is None:
            waiting = fragment.singles() + waiting
            continue
        rows, cols = (place[0].cell + place[1:]).T
        taken[rows, cols] = True
        placed.append(place)
    return _sheet(shape, placed)


def _place(
    fragment: Fragment, taken: NDArray[np.bool_], ways: int
) -> tuple[Fragment, int, int] | None:
    """Return where a fragment can lie, touching nothing if that can be, and turned how."""
    for blocked in (binary_dilation(taken), taken):
        for times in range(ways):
            turned = fragment.turned(times)
            high, wide = (n - m + 1 for n, m in zip(taken.shape, turned.shape, strict=True))
            if high < 1 or wide < 1:
                continue
            free = np.ones((high, wide), np.bool_)
            for row, col in turned.cell.tolist():
                free &= ~blocked[row : row + high, col : col + wide]
            if free.any():
                row, col = np.argwhere(free)[0].tolist()
                return turned, row, col
    return None
