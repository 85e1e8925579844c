"""Guests: what holds together with pieces that belong on another sheet, and goes there with them.

A guest lies there as a whole: where wishes have its pieces, else apart from what lies there, by an
empty cell. Where there is no room it stays, and only what is wished moves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Sheet
from tessella.stages.laying import Fragment
from tessella.wishes.boards import Board
from tessella.wishes.groups import Known
from tessella.wishes.wish import Code, Fixed


@dataclass(frozen=True, eq=False)
class Guest:
    """Pieces that hold together.

    Attributes
    ----------
    pieces : ``(M,)``
    start, home : the boards that they lie on and belong on
    room : cells that they and one empty cell beside them take, either way
    """

    pieces: NDArray[np.int32]
    start: int
    home: int
    room: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Spot:
    """Where a fragment may lie, turned so.

    Attributes
    ----------
    met : how much of what wishes say of its rows, columns and turns is so there
    located : how much of that is about rows and columns
    """

    fragment: Fragment
    row: int
    col: int
    met: int
    located: int


def guests_of(sheets: Sequence[Sheet], goes: Mapping[int, int]) -> list[Guest]:
    """Return what leaves its sheet together, the largest first.

    Single pieces are none: who fills boards finds the cells that they fit best.

    Parameters
    ----------
    goes : the sheets of pieces that belong on certain ones
    """
    from scipy.ndimage import find_objects, label

    guests = []
    for start, sheet in enumerate(sheets if goes else ()):
        home = np.full(sheet.shape, start)
        for row, col in np.argwhere(sheet.piece != EMPTY).tolist():
            home[row, col] = goes.get(int(sheet.piece[row, col]), start)
        for other in np.setdiff1d(home, start).tolist():
            names, _ = label(home == other)
            for number, box in enumerate(find_objects(names), start=1):
                pieces = sheet.piece[box][names[box] == number]
                high, wide = names[box].shape
                if len(pieces) > 1:
                    guests.append(Guest(pieces, start, other, (high + 1, wide + 1)))
    return sorted(guests, key=lambda guest: (-len(guest.pieces), int(guest.pieces.min())))


def room_for(guests: Sequence[Guest], home: int) -> int:
    """Return how much room beside an answer without bounds is enough for all guests of a board."""
    rooms = [guest.room for guest in guests if guest.home == home]
    widest = max((max(room) for room in rooms), default=0)
    return widest + 2 * int(np.ceil(np.sqrt(sum(high * wide for high, wide in rooms))))


def bring(guests: Sequence[Guest], boards: list[Board], known: Known) -> None:
    """Lay guests on the boards where they belong; those that find no room stay."""
    lifted = [_lifted(boards[guest.start], guest.pieces) for guest in guests]
    for guest, (fragment, row, col) in zip(guests, lifted, strict=True):
        if not len(fragment.piece):  # All of it lay outside of its board.
            continue
        board = boards[guest.home]
        anchored = board.bounded or any(w.piece in board.piece for w in known.wishes.located)
        spot = _best(fragment, board, known if anchored else None, known)
        if spot is None:
            _lay(boards[guest.start], fragment, row, col)
            continue
        _lay(board, spot.fragment, spot.row, spot.col)
        if not anchored:
            boards[guest.home] = _anchored(board, spot, known)


def drawn_together(board: Board, known: Known) -> None:
    """Let what lies apart on a board lie where wishes have pieces of it, as a whole."""
    from scipy.ndimage import label

    located = [w.piece for w in known.wishes.located]
    names, count = label(board.piece != EMPTY) if located else (board.piece, 0)
    for number in np.unique(names[np.isin(board.piece, located)]).tolist():
        pieces = board.piece[names == number]
        if count < 2 or len(pieces) < 2:
            continue
        fragment, row, col = _lifted(board, pieces)
        before = _met(fragment, row, col, board, known)
        spot = None if before else _best(fragment, board, known, known)
        if spot is None or not spot.located:
            _lay(board, fragment, row, col)
        else:
            _lay(board, spot.fragment, spot.row, spot.col)


def _lifted(board: Board, pieces: NDArray[np.int32]) -> tuple[Fragment, int, int]:
    """Take pieces off a board; return them, and where they lay."""
    cell = np.argwhere(np.isin(board.piece, pieces))
    rows, cols = cell.T
    low = cell.min(axis=0) if len(cell) else np.zeros(2, np.int64)
    piece, turns = board.piece[rows, cols], board.turns[rows, cols]
    fragment = Fragment(piece.astype(np.intp), cell - low, turns.astype(np.int64))
    board.piece[rows, cols], board.turns[rows, cols] = EMPTY, 0
    return fragment, int(low[0]), int(low[1])


def _lay(board: Board, fragment: Fragment, row: int, col: int) -> None:
    """Lay a fragment down where cells are free; what finds none is laid by who fills boards."""
    rows, cols = (fragment.cell + np.array([row, col])).T
    free = board.piece[rows, cols] == EMPTY
    board.piece[rows[free], cols[free]] = fragment.piece[free]
    board.turns[rows[free], cols[free]] = fragment.turns[free]


def _best(fragment: Fragment, board: Board, by: Known | None, known: Known) -> Spot | None:
    """Return where a fragment lies best among what lies on a board, None where it has no room.

    That is where most wishes hold, then apart from others, then where all take least room.

    Parameters
    ----------
    by : tells rows and columns; None where no cell of the board is called anything yet
    """
    best, most = None, (-1, False, -np.inf)
    taken = board.piece != EMPTY
    for quarter in known.facts.quarters:
        turned = fragment.turned(quarter)
        free = _windows(taken | ~board.usable, turned)
        if not free.any():
            continue
        apart = _windows(_grown(taken) | ~board.usable, turned)
        turns = _turns_met(turned, known)
        asked = np.zeros(free.shape, np.int64) if by is None else _asked(turned, board, by, free)
        worth = asked + turns
        some = free & (worth == worth[free].max())
        some = some & apart if (some & apart).any() else some
        area = np.where(some, _area(taken, turned), np.inf)
        row, col = np.unravel_index(int(area.argmin()), area.shape)
        rank = int(worth[row, col]), bool(apart[row, col]), -float(area[row, col])
        if rank > most:
            spot = Spot(turned, int(row), int(col), rank[0], int(asked[row, col]))
            best, most = spot, rank
    return best


def _windows(blocked: NDArray[np.bool_], fragment: Fragment) -> NDArray[np.bool_]:
    """Return where the corner of a fragment may lie so that none of its cells is blocked."""
    from scipy.signal import fftconvolve

    if any(np.greater(fragment.shape, blocked.shape)):
        return np.zeros((0, 0), np.bool_)
    own = np.zeros(fragment.shape)
    own[tuple(fragment.cell.T)] = 1
    met = fftconvolve(blocked.astype(np.float64), own[::-1, ::-1], "valid")
    return np.asarray(met < 0.5, np.bool_)


def _grown(taken: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return cells that are taken or lie beside one that is."""
    grown = taken.copy()
    grown[1:] |= taken[:-1]
    grown[:-1] |= taken[1:]
    grown[:, 1:] |= taken[:, :-1]
    grown[:, :-1] |= taken[:, 1:]
    return grown


def _area(taken: NDArray[np.bool_], fragment: Fragment) -> NDArray[np.float64]:
    """Return what all take up if the corner of a fragment lies in every cell; squares are best."""
    spans = []
    for axis in (0, 1):
        size = fragment.shape[axis]
        corner = np.arange(taken.shape[axis] - size + 1)
        lies = np.flatnonzero(taken.any(axis=1 - axis))
        low, high = (lies[0], lies[-1] + 1) if len(lies) else (len(corner), 0)
        spans.append(np.maximum(high, corner + size) - np.minimum(low, corner))
    rows, cols = spans[0][:, None], spans[1][None]
    return np.asarray(rows * cols + np.abs(rows - cols) / 1000, np.float64)


def _located(fragment: Fragment, known: Known) -> list[tuple[Fixed | Code, int, int]]:
    """Return wishes about rows and columns of a fragment's pieces, and where these lie in it."""
    at = {int(p): cell for p, cell in zip(fragment.piece, fragment.cell.tolist(), strict=True)}
    return [(w, *at[w.piece]) for w in known.wishes.located if w.piece in at]


def _asked(
    fragment: Fragment, board: Board, known: Known, like: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return how many rows and columns are as wished if a fragment's corner lies in a cell."""
    asked = np.zeros(like.shape, np.int64)
    for wish, row, col in _located(fragment, known):
        if wish.row is not None and 0 <= (at := wish.row + board.origin[0] - row) < like.shape[0]:
            asked[at] += 1
        if wish.col is not None and 0 <= (at := wish.col + board.origin[1] - col) < like.shape[1]:
            asked[:, at] += 1
    return asked


def _turns_met(fragment: Fragment, known: Known) -> int:
    """Return how many pieces are turned as wished."""
    both = zip(fragment.piece.tolist(), fragment.turns.tolist(), strict=True)
    return sum(known.turns.get(piece) == turns for piece, turns in both)


def _met(fragment: Fragment, row: int, col: int, board: Board, known: Known) -> int:
    """Return how many rows and columns are as wished where a fragment lies."""
    return sum(
        (wish.row is not None and wish.row + board.origin[0] == row + down)
        + (wish.col is not None and wish.col + board.origin[1] == col + across)
        for wish, down, across in _located(fragment, known)
    )


def _anchored(board: Board, spot: Spot, known: Known) -> Board:
    """Return a board whose cells are called as wishes call those of its first guest."""
    origin = board.origin
    for wish, row, col in _located(spot.fragment, known)[::-1]:
        down = origin[0] if wish.row is None else spot.row + row - wish.row
        origin = down, origin[1] if wish.col is None else spot.col + col - wish.col
    return replace(board, origin=origin)
