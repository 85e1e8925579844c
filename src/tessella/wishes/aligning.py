"""An answer brought onto boards: each sheet turned and shifted so that most wishes hold already."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.belonging import Belonging, held_by
from tessella.odds import Odds
from tessella.placement import places
from tessella.puzzle import Shape
from tessella.sorting import COUNTED
from tessella.wishes.boards import Board
from tessella.wishes.groups import Group, Known
from tessella.wishes.guests import bring, drawn_together, guests_of, room_for
from tessella.wishes.sheets import belonging, on_panels
from tessella.wishes.wish import pieces_of

_TRIED = 3
"""Shifts of rows, and of columns, that most wishes ask for and that are looked at."""


@dataclass(frozen=True, eq=False)
class Boards:
    """Boards on which all sheets of an answer lie.

    Attributes
    ----------
    every : the boards
    home : on which of them every piece belongs that a wish has put on a sheet
    numbers : what wishes call the boards
    before : where pieces lay that are in `Group`s to be laid; they lie on no board now
    islands : boards beside those of the panels, where these are counted
    """

    every: list[Board]
    home: dict[int, int]
    numbers: list[int]
    before: dict[int, tuple[int, int, int, int]]
    islands: frozenset[int] = frozenset()


def blocks(known: Known) -> list[Group]:
    """Return the groups that must be laid as wholes, or into certain rows or columns."""
    marked = {c.piece for c in known.wishes.codes if c.row is not None or c.col is not None}
    return [
        group
        for group in known.groups
        if len(group.pieces) > 1 or group.sheet is not None or group.pieces[0] in marked
    ]


def aligned(
    arrangement: Arrangement, known: Known, shape: Shape | None, odds: Odds | None = None
) -> Boards:
    """Return boards with the answer on them, but for the pieces of groups to be laid.

    What holds together with a piece that belongs on another sheet comes along with it, wherever
    there is room for it.

    Parameters
    ----------
    odds : tell which joins are surest where what holds together must be parted; None: nobody says
    """
    sheets, home, goes = _homes(arrangement, known, odds)
    called = _called(home, known)
    panels = _panels(sheets, known)
    frames = _shapes(sheets, panels, called, known)
    guests = guests_of(sheets, goes)
    every = []
    for number, sheet in enumerate(sheets):
        frame = frames.get(number, shape)
        every.append(_onto_board(sheet, known, frame, room_for(guests, number)))
    bring(guests, every, known)
    if not known.facts.whole:
        for board in every:
            drawn_together(board, known)
    before = _lifted(every, home, known)
    numbers = _numbers(called, len(every))
    islands = frozenset(range(len(arrangement.sheets))) - set(panels)
    return Boards(every, home, numbers, before, islands - set(home.values()))


def _lifted(
    every: list[Board], home: dict[int, int], known: Known
) -> dict[int, tuple[int, int, int, int]]:
    """Take off the pieces of groups, and those that belong elsewhere; return where they lay."""
    before = {}
    moving = {piece for group in blocks(known) for piece in group.pieces}
    for number, board in enumerate(every):
        for row, col in np.argwhere(board.piece != EMPTY).tolist():
            piece = int(board.piece[row, col])
            if piece in moving or home.get(piece, number) != number:
                before[piece] = (number, row, col, int(board.turns[row, col]))
                board.lay((row, col), EMPTY, 0)
            elif piece in known.turns:
                board.turns[row, col] = known.turns[piece]
    return before


def _numbers(called: dict[int, int], count: int) -> list[int]:
    """Return the numbers of all boards: as they are called, else as counted, no two the same."""
    taken, numbers = set(called.values()), []
    for k in range(count):
        free = (n for n in (k, *range(len(called) + count)) if n not in taken)
        numbers.append(called[k] if k in called else next(free))
        taken.add(numbers[-1])
    return numbers


def _called(home: dict[int, int], known: Known) -> dict[int, int]:
    """Return what wishes call the boards that they call by a number."""
    numbered = ((pieces_of(wish)[0], number) for wish, number in known.wishes.numbered())
    return {home[piece]: number for piece, number in numbered if piece in home}


def _shapes(
    sheets: list[Sheet], panels: list[int], called: dict[int, int], known: Known
) -> dict[int, Shape]:
    """Return the shapes of sheets, where those of panels are known one by one.

    If all are, sheets of which nothing is wished have those that are left, the largest first.
    """
    frames = {k: known.frames[n] for k, n in called.items() if n in known.frames}
    told = known.facts.frames
    if not told or len(told) != known.facts.sheets:
        return frames
    left = [shape for number, shape in enumerate(told) if number not in called.values()]
    left.sort(key=lambda shape: -shape[0] * shape[1])
    located = {wish.piece for wish in known.wishes.located}
    for k in panels:
        if k not in called and located.isdisjoint(sheets[k].piece.ravel().tolist()) and left:
            frames[k] = left.pop(0)
    return frames


def _homes(
    arrangement: Arrangement, known: Known, odds: Odds | None
) -> tuple[list[Sheet], dict[int, int], dict[int, int]]:
    """Return the sheets, new ones among them, and on which of them pieces belong.

    Returns
    -------
    the sheets, where the pieces belong that wishes name, and where all belong that hold together
    with one of these
    """
    sheets = list(arrangement.sheets)
    if known.facts.sheets == 1 and known.facts.whole:
        largest = max(sheets, key=lambda sheet: int((sheet.piece != EMPTY).sum()))
        named = {piece for group in known.groups for piece in group.pieces}
        return [largest], dict.fromkeys(named, 0), {}
    told = belonging(known)
    cluster = _clusters(arrangement, told, known, odds)
    held = _held_by(cluster, told)
    chosen, count = _chosen(arrangement, known, told, held, _foes(told, cluster))
    empty = Sheet(np.full((1, 1), EMPTY), np.zeros((1, 1), np.int8))
    sheets += [empty] * (count - len(sheets))
    goes = {piece: chosen[first] for first, pieces in held.items() for piece in pieces}
    home = {piece: goes[piece] for piece in np.flatnonzero(told.name >= 0).tolist()}
    return sheets, home, {} if known.facts.whole else goes


def _clusters(
    arrangement: Arrangement, told: Belonging, known: Known, odds: Odds | None
) -> NDArray[np.intp]:
    """Return what holds together, by wishes and by joins, ``(N,)``; on pages, by wishes alone."""
    joins = arrangement.joins()[: 0 if known.facts.whole else None].astype(np.intp)

    def sure() -> NDArray[np.float64]:
        return np.zeros(len(joins)) if odds is None else held_by(arrangement, odds)

    return told.clusters(joins // 4, sure)


def _held_by(cluster: NDArray[np.intp], told: Belonging) -> dict[int, list[int]]:
    """Return the pieces of every cluster with one that is named, the largest cluster first."""
    named = np.unique(cluster[told.name >= 0])
    pieces = np.flatnonzero(np.isin(cluster, named))
    held: defaultdict[int, list[int]] = defaultdict(list)
    for piece, first in zip(pieces.tolist(), cluster[pieces].tolist(), strict=True):
        held[first].append(piece)
    return dict(sorted(held.items(), key=lambda each: -len(each[1])))


def _foes(told: Belonging, cluster: NDArray[np.intp]) -> defaultdict[int, set[int]]:
    """Return with which others every cluster may not share a sheet."""
    foes: defaultdict[int, set[int]] = defaultdict(set)
    for one, two in told.foes(cluster).tolist():
        foes[one].add(two)
    return foes


def _chosen(
    arrangement: Arrangement,
    known: Known,
    told: Belonging,
    held: dict[int, list[int]],
    foes: defaultdict[int, set[int]],
) -> tuple[dict[int, int], int]:
    """Return the sheet of every cluster, and how many sheets there are then.

    It is the one where most of it lies, of those that no foe has. What has lain somewhere goes to
    no other picture as long as there may be a sheet more.
    """
    at = {place.piece: place.sheet for place in places(arrangement)}
    count, panels = len(arrangement.sheets), _panels(list(arrangement.sheets), known)
    free = known.facts.sheets is None and not known.facts.whole
    waiting, chosen = list(held), dict[int, int]()
    taken: defaultdict[int, set[int]] = defaultdict(set)
    named = on_panels(known)
    while waiting:  # Whose sheets are mostly taken comes first (D. Brelaz, CACM 1979).
        first = max(waiting, key=lambda each: len(taken[each])) if foes else waiting[0]
        waiting.remove(first)
        votes = Counter(at[piece] for piece in held[first] if piece in at)
        wanted = [sheet for sheet, _ in votes.most_common()]
        wanted += [] if free and votes else panels
        mine = [piece for piece in held[first] if told.name[piece] >= 0]
        if len(mine) >= COUNTED or not named.isdisjoint(mine):
            wanted = [sheet for sheet in wanted if sheet in panels]
        chosen[first] = next((s for s in wanted if s not in taken[first]), count)
        for other in foes.get(first, ()):
            taken[other].add(chosen[first])
        if chosen[first] == count:
            panels.append(count)
            count += 1
    return chosen, count


def _panels(sheets: list[Sheet], known: Known) -> list[int]:
    """Return which sheets may be panels: of so many as are told, those with most pieces."""
    every = list(range(len(sheets)))
    if known.facts.sheets is None or known.facts.whole:
        return every
    held = [int((sheet.piece != EMPTY).sum()) for sheet in sheets]
    return sorted(sorted(every, key=lambda k: -held[k])[: known.facts.sheets])


def _onto_board(sheet: Sheet, known: Known, shape: Shape | None, room: int) -> Board:
    """Return a board with `sheet` on it, and so much room around; what is outside is left."""
    turned = {turns: sheet.turned(turns) for turns in known.facts.quarters}
    lying = {turns: _lying(each) for turns, each in turned.items()}
    best, down, across = max(
        _ways(turned, lying, known, shape), key=lambda way: _held(lying[way[0]], way, known)
    )
    rows, cols = turned[best].shape
    if shape is None:
        pad = _pad(known) + room
        wide = 0 if known.facts.flat and rows == 1 else pad
        board = Board.empty(rows + 2 * wide, cols + 2 * pad, (wide - down, pad - across), False)
        down, across = wide, pad
    else:
        board = Board.empty(*shape, (0, 0), True)
    for piece, (row, col, turns) in lying[best].items():
        there = row + down + 1, col + across + 1
        if 0 < there[0] < board.piece.shape[0] - 1 and 0 < there[1] < board.piece.shape[1] - 1:
            board.lay(there, piece, turns)
    return board


def _lying(sheet: Sheet) -> dict[int, tuple[int, int, int]]:
    rows, cols = np.nonzero(sheet.piece != EMPTY)
    found = zip(rows.tolist(), cols.tolist(), sheet.turns[rows, cols].tolist(), strict=True)
    return dict(zip(sheet.piece[rows, cols].tolist(), found, strict=True))


def _pad(known: Known) -> int:
    """Return how much room beside an answer without bounds is enough for all groups."""
    cells = sum(len(group.pieces) for group in known.groups)
    widest = max((_extent(group) for group in known.groups), default=1)
    return 2 + widest + 2 * int(np.ceil(np.sqrt(cells)))


def _extent(group: Group) -> int:
    rows = [pose.row for pose in group.poses]
    cols = [pose.col for pose in group.poses]
    return 1 + max(max(rows) - min(rows), max(cols) - min(cols))


def _ways(
    turned: dict[int, Sheet],
    lying: dict[int, dict[int, tuple[int, int, int]]],
    known: Known,
    shape: Shape | None,
) -> Iterator[tuple[int, int, int]]:
    """Yield turns and shifts of a sheet that wishes ask for, those that fit the shape."""
    fits = [
        turns
        for turns, sheet in turned.items()
        if shape is None or (sheet.shape[0] <= shape[0] and sheet.shape[1] <= shape[1])
    ]
    for turns in fits or list(turned):
        at_turn = lying[turns]
        there = [(at_turn[w.piece], w) for w in known.wishes.located if w.piece in at_turn]
        rows = Counter(w.row - at[0] for at, w in there if w.row is not None)
        cols = Counter(w.col - at[1] for at, w in there if w.col is not None)
        high, wide = turned[turns].shape
        downs = _likely(rows, None if shape is None else max(0, shape[0] - high))
        rights = _likely(cols, None if shape is None else max(0, shape[1] - wide))
        yield from ((turns, down, right) for down, right in product(downs, rights))


def _likely(votes: Counter[int], spare: int | None) -> Sequence[int]:
    """Return the shifts that most wishes ask for, and none at all; at most `spare` where known."""
    found = [shift for shift, _ in votes.most_common(_TRIED)]
    return [s for s in dict.fromkeys([*found, 0]) if spare is None or 0 <= s <= spare]


def _held(
    lying: dict[int, tuple[int, int, int]], way: tuple[int, int, int], known: Known
) -> tuple[int, bool, bool]:
    """Return how many wishes hold when a sheet lies so; of equals, as it is."""
    _, down, across = way
    count = 0
    for fixed in known.wishes.fixed:
        if fixed.piece in lying:
            row, col, turns = lying[fixed.piece]
            cell = (row + down, col + across) == (fixed.row, fixed.col)
            count += (turns == fixed.turns) * (1 + 2 * cell)
    for code in known.wishes.codes:
        if code.piece in lying:
            row, col, _ = lying[code.piece]
            count += code.row == row + down
            count += code.col == col + across
    for piece, turns in known.wishes.upright:
        count += piece in lying and lying[piece][2] == turns
    return count, way[0] == 0, (down, across) == (0, 0)
