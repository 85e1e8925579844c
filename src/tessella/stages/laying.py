"""Laying fragments down: on a sheet each, apart from each other on one sheet, or within a shape."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Sheet
from tessella.kernels.board import ACROSS, DOWN
from tessella.puzzle import Shape

SIDES = range(4)
Value = Callable[[NDArray[np.int32]], NDArray[np.float64]]


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

    def part(self, some: NDArray[np.bool_]) -> Fragment:
        """Return some of its pieces, in their places."""
        return Fragment(self.piece[some], self.cell[some], self.turns[some])

    def singles(self) -> list[Fragment]:
        """Return its pieces one by one."""
        none = np.zeros((1, 2), np.int64)
        return [
            Fragment(self.piece[k : k + 1], none, self.turns[k : k + 1])
            for k in range(len(self.piece))
        ]


def fragment_of(sheet: Sheet) -> Fragment:
    """Return what lies on a sheet, as one fragment."""
    cell = np.argwhere(sheet.piece != EMPTY)
    rows, cols = cell.T
    piece, turns = sheet.piece[rows, cols], sheet.turns[rows, cols]
    return Fragment(piece.astype(np.intp), cell - cell.min(axis=0), turns.astype(np.int64))


HOLES = 0.04
"""Where pieces are missing here and there, this share of cells lies empty between four others."""


def has_holes(sheet: Sheet) -> bool:
    """Say whether more cells lie empty between four others than the flat parts of a picture leave.

    Of a tenth of all pieces missing, one in fifteen cells is such a hole.
    """
    full = np.pad(sheet.piece != EMPTY, 1)
    around = full[:-2, 1:-1] & full[2:, 1:-1] & full[1:-1, :-2] & full[1:-1, 2:]
    empty = int((around & ~full[1:-1, 1:-1]).sum())
    return empty > max(1, HOLES * int(full.sum()))


def trimmed(sheet: Sheet, own: NDArray[np.bool_] | None = None) -> Sheet:
    """Return `sheet` without outer rows and columns that are less than half full.

    Parameters
    ----------
    own : marks the pieces of which a row or a column must hold one, ``(N,)``; None: any will do
    """
    top, left, (bottom, right) = 0, 0, sheet.shape
    full = sheet.piece >= 0
    mine = full if own is None else full & own[sheet.piece]
    while bottom - top > 1 and right - left > 1:
        held, some = (each[top:bottom, left:right] for each in (full, mine))
        lines = ((each[0], each[-1], each[:, 0], each[:, -1]) for each in (held, some))
        sides = [line.mean() * own_line.any() for line, own_line in zip(*lines, strict=True)]
        worst = int(np.argmin(sides))
        if sides[worst] >= 0.5:
            break
        top, left = top + (worst == 0), left + (worst == 2)
        bottom, right = bottom - (worst == 1), right - (worst == 3)
    return Sheet(sheet.piece[top:bottom, left:right], sheet.turns[top:bottom, left:right])


Place = tuple[Fragment, int, int]


def _sheet(shape: Shape, placed: Sequence[Place]) -> Sheet:
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


def laid_within(fragments: Sequence[Fragment], shape: Shape, ways: int, value: Value) -> Sheet:
    """Return a sheet of `shape` that holds all fragments, the first ones as wholes.

    Each lies where it overlaps least what lies there already and its joins with that are worth
    most, touching nothing being worth 0. Pieces whose cells are taken are laid one by one in the
    end. There must be as many cells as pieces. Where the frame lies about them is only settled
    then.

    Parameters
    ----------
    ways : in how many ways a fragment may be turned as a whole
    value : tells what pairs of edges ``(J, 2)`` are worth
    """
    canvas = _Canvas(shape)
    waiting = deque(fragments)
    while waiting:
        fragment = waiting.popleft()
        place = _place(fragment, canvas, ways, value)
        if place is None:
            waiting += fragment.singles()
            continue
        turned, row, col = place
        rows, cols = (turned.cell + np.array([row, col])).T
        free = ~canvas.taken[rows, cols]
        canvas.lay(turned.part(free), row, col)
        waiting += turned.part(~free).singles()
    return canvas.framed()


class _Canvas:
    """Room around a frame of `shape`, and what lies there already; it grows piece by piece.

    Attributes
    ----------
    taken : cells where a piece lies, ``(R, C)``
    facing : by side, the edge that the piece in every cell turns to who lies on the opposite side,
        with a rim of empty cells, ``(4, R + 2, C + 2)``
    low, high : first and last row and column of what lies there; low is above high while nothing
        does
    """

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        rows, cols = 3 * shape[0], 3 * shape[1]
        self.piece = np.full((rows, cols), EMPTY, np.int32)
        self.turns = np.zeros((rows, cols), np.int8)
        self.taken = np.zeros((rows, cols), np.bool_)
        self.facing = np.full((len(SIDES), rows + 2, cols + 2), -1, np.int32)
        self.low, self.high = np.array([rows, cols]), np.array([-1, -1])

    def lay(self, fragment: Fragment, row: int, col: int) -> None:
        """Lay a fragment down, all of whose cells are free."""
        if not len(fragment.piece):
            return
        cell = fragment.cell + np.array([row, col])
        rows, cols = cell.T
        self.piece[rows, cols], self.turns[rows, cols] = fragment.piece, fragment.turns
        self.taken[rows, cols] = True
        for side in SIDES:
            edge = 4 * fragment.piece + (side + 2 - fragment.turns) % 4
            self.facing[side, rows + 1, cols + 1] = edge
        self.low = np.minimum(self.low, cell.min(axis=0))
        self.high = np.maximum(self.high, cell.max(axis=0))

    def framed(self) -> Sheet:
        """Return what lies there within the frame, which begins where the first pieces lie."""
        last = np.array(self.taken.shape) - self.shape
        row, col = np.minimum(self.low, last).tolist()
        window = slice(row, row + self.shape[0]), slice(col, col + self.shape[1])
        return Sheet(self.piece[window], self.turns[window])


def _place(fragment: Fragment, canvas: _Canvas, ways: int, value: Value) -> Place | None:
    """Return where a fragment lies best, and turned how; None where it does not fit the frame."""
    shape = canvas.shape
    if canvas.high[0] < 0:
        fits = [t for t in map(fragment.turned, range(ways)) if np.less_equal(t.shape, shape).all()]
        return (fits[0], *shape) if fits else None
    best: Place | None = None
    most = -np.inf, -np.inf
    for times in range(ways):
        turned = fragment.turned(times)
        free, where = _room(turned, canvas.taken, canvas.low, canvas.high, shape)
        if len(where):
            worth = _worths(turned, where, canvas.facing, value)
            at = int(worth.argmax())
            if (free, worth[at]) > most:
                best, most = (turned, *where[at].tolist()), (free, float(worth[at]))
    return best


def _room(
    fragment: Fragment,
    taken: NDArray[np.bool_],
    low: NDArray[np.intp],
    high: NDArray[np.intp],
    shape: Shape,
) -> tuple[int, NDArray[np.intp]]:
    """Return where a fragment overlaps least, so that all still fit the frame.

    Parameters
    ----------
    low, high : first and last row and column of what lies there

    Returns
    -------
    how many of its cells are free there, and the places, ``(P, 2)``; 0 and none if all are taken
    """
    size = np.array(fragment.shape)
    first = np.maximum(high + 1 - np.array(shape), 0)
    last = np.minimum(low + np.array(shape) - size, np.array(taken.shape) - size)
    if (last < first).any():
        return 0, np.empty((0, 2), np.intp)
    rows, cols = (last - first + 1).tolist()
    free = np.zeros((rows, cols), np.int64)
    for row, col in (fragment.cell + first).tolist():
        free += ~taken[row : row + rows, col : col + cols]
    most = int(free.max())
    where = np.argwhere(free == most) if most else np.empty((0, 2), np.intp)
    return most, np.asarray(where + first, np.intp)


def _worths(
    fragment: Fragment, where: NDArray[np.intp], facing: NDArray[np.int32], value: Value
) -> NDArray[np.float64]:
    """Return what a fragment's joins with others are worth at every place ``(P, 2)``, ``(P,)``.

    Parameters
    ----------
    facing : see `_Canvas`
    """
    total = np.zeros(len(where))
    for k, side in itertools.product(range(len(fragment.piece)), SIDES):
        row, col = (where + fragment.cell[k] + (1 + DOWN[side], 1 + ACROSS[side])).T
        other = facing[side][row, col]
        met = np.flatnonzero(other >= 0)
        if len(met):
            mine = 4 * int(fragment.piece[k]) + int(side - fragment.turns[k]) % 4
            pairs = np.stack([np.full(len(met), mine, np.int32), other[met]], axis=1)
            total[met] += value(pairs)
    return total
