"""Witnesses: what speaks for every join of an answer, or against it.

A join is judged by its own odds, by how many rivals its edges have, by what would lie in its cells
otherwise, by the loops of four pieces that it closes, by the joins beside it, and by how the answer
fares around it and as a whole. Nothing here asks a solver, so none can flatter itself; and nothing
depends on which way a sheet lies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement, Sheet
from tessella.edges import BOTTOM, LEFT, RIGHT, TOP
from tessella.odds import Odds

Floats = NDArray[np.float64]

LOW, HIGH = -8.0, 12.0
"""What a join is worth is cut off at these, in logarithms of odds."""

_CROWD = 8.0
"""As are logarithms of how much rivals amount to."""

_ROOM = 3 * HIGH
"""As are the margins of cells."""

NEAR, WIDE = 1, 3
"""Cells on every side that count as around a join."""


@dataclass(frozen=True, eq=False)
class Row:
    """The joins of one sheet in one direction.

    Attributes
    ----------
    sheet, down : which
    cells : the first cell of every join, ``(J, 2)``
    pairs : its edges, ``(J, 2)``
    """

    sheet: int
    down: bool
    cells: NDArray[np.intp]
    pairs: NDArray[np.int32]

    def grid(self, values: Floats, shape: tuple[int, int]) -> Floats:
        """Return `values` ``(J,)`` in the joins' first cells, nan elsewhere."""
        made = np.full(shape, np.nan)
        made[self.cells[:, 0], self.cells[:, 1]] = values
        return made


def rows_of(arrangement: Arrangement) -> list[Row]:
    """Return the joins of `arrangement`, sheet by sheet, those to the right first."""
    return [
        Row(number, down, *cells_and_pairs(sheet, down))
        for number, sheet in enumerate(arrangement.sheets)
        for down in (False, True)
    ]


def cells_and_pairs(sheet: Sheet, down: bool) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """Return the first cells ``(J, 2)`` and the edges ``(J, 2)`` of joins in one direction."""
    if down:
        pairs = np.stack([sheet.edges_facing(BOTTOM)[:-1], sheet.edges_facing(TOP)[1:]], -1)
    else:
        pairs = np.stack([sheet.edges_facing(RIGHT)[:, :-1], sheet.edges_facing(LEFT)[:, 1:]], -1)
    both = (pairs >= 0).all(axis=-1)
    return np.argwhere(both), pairs[both]


def alone(odds: Odds, pairs: NDArray[np.int32]) -> Floats:
    """Return what is known of pairs ``(J, 2)`` whatever lies around them, ``(J, 4)``.

    Worth, logit of the balanced chance, the rivals of the edge that has more and of the other.
    """
    at = odds.places(pairs)
    listed, at = at >= 0, np.maximum(at, 0)

    def of(values: NDArray[np.floating], least: float) -> Floats:
        """Return `values` ``(M,)`` of listed pairs where `pairs` are; `least` elsewhere."""
        if not len(values):
            return np.full(len(pairs), least)
        return np.where(listed, values[at], least).astype(np.float64)

    chance, _ = odds.chances()
    logit = np.clip(np.log(np.maximum(chance, 1e-9) / np.maximum(1 - chance, 1e-9)), LOW, -LOW)
    worth = np.clip(of(odds.lead, -np.inf) - odds.nobody, LOW, HIGH)
    weight = np.exp(np.clip(odds.lead.astype(np.float64), -30, 30))
    heard = np.bincount(odds.edge(), weight, minlength=len(odds.start) - 1)
    rest = np.log(np.maximum(heard[pairs] - of(weight, 0.0)[:, None], np.exp(-_CROWD)))  # (J, 2)
    rest = np.clip(rest, -_CROWD, _CROWD)
    return np.stack([worth, of(logit, LOW), rest.max(axis=1), rest.min(axis=1)], axis=1)


def margins(arrangement: Arrangement, odds: Odds) -> list[tuple[Floats, Floats]]:
    """Return of every sheet's cells by how much their pieces suit them better than any other.

    The first of the two margins asks only what the cell's neighbours say of another piece, the
    second takes off what that piece has where it lies now. Both are ``(rows, cols)``, 0 in empty
    cells.
    """
    heard = [_heard(sheet, odds) for sheet in arrangement.sheets]
    has = np.zeros(odds.pieces)
    for each in heard:
        has[each.piece[each.lies]] = each.total[each.lies]
    made = []
    for sheet, each in zip(arrangement.sheets, heard, strict=True):
        own = has[np.maximum(sheet.piece, 0)].ravel()
        other = sheet.piece.ravel()[each.cell] != each.piece
        pair = []
        for value in (each.total, each.total - has[each.piece]):
            best = np.zeros(sheet.piece.size)
            np.maximum.at(best, each.cell[other], value[other])
            margin = np.clip(own - best, -_ROOM, _ROOM).reshape(sheet.shape)
            pair.append(np.where(sheet.piece >= 0, margin, 0.0))
        made.append((pair[0], pair[1]))
    return made


@dataclass(frozen=True, eq=False)
class _Heard:
    """What the neighbours of cells say for pieces that could lie there, ``(H,)`` each.

    Attributes
    ----------
    cell, piece : which, cells counted in reading order
    lies : whether the piece lies there now
    total : the sum over the neighbours of its joins' worth, less the least there is
    """

    cell: NDArray[np.int64]
    piece: NDArray[np.int64]
    lies: NDArray[np.bool_]
    total: Floats


_BESIDE = (
    (RIGHT, np.s_[:, :-1], np.s_[:, 1:]),
    (LEFT, np.s_[:, 1:], np.s_[:, :-1]),
    (BOTTOM, np.s_[:-1], np.s_[1:]),
    (TOP, np.s_[1:], np.s_[:-1]),
)
"""Where a side faces, who has such a side, and who lies there."""


def _heard(sheet: Sheet, odds: Odds) -> _Heard:
    cells, edges, faces = [], [], []
    number = np.arange(sheet.piece.size).reshape(sheet.shape)
    for direction, here, there in _BESIDE:
        edge = sheet.edges_facing(direction)[here]
        asked = (edge >= 0) & (sheet.piece[there] >= 0)
        cells.append(number[there][asked])
        edges.append(edge[asked])
        faces.append(np.full(int(asked.sum()), (direction + 2) % 4))
    edge = np.concatenate(edges)
    length = np.diff(odds.start)[edge]
    first = np.repeat(odds.start[edge] - np.concatenate([[0], np.cumsum(length)])[:-1], length)
    at = first + np.arange(len(first))
    partner = odds.partner[at].astype(np.int64)
    turns = (np.repeat(np.concatenate(faces), length) - partner) % 4
    code = (np.repeat(np.concatenate(cells), length) * odds.pieces + partner // 4) * 4 + turns
    known, where = np.unique(code, return_inverse=True)
    worth = np.clip(odds.lead[at].astype(np.float64) - odds.nobody, LOW, HIGH) - LOW
    total = np.bincount(where, worth, minlength=len(known)).astype(np.float64)
    cell, piece = known // 4 // odds.pieces, known // 4 % odds.pieces
    lies = (sheet.piece.ravel()[cell] == piece) & (sheet.turns.ravel()[cell] == known % 4)
    return _Heard(cell, piece, lies, total)


def loops(along: Floats, across: Floats) -> tuple[Floats, Floats]:
    """Return the three other joins of both loops of every join to the right, sorted.

    Returns
    -------
    ``(2, 3, rows, cols)``, the weakest first, nan where the loop is open; and how many are closed
    """
    made = []
    for step, above in ((-1, -1), (1, 0)):
        three = [_shifted(along, step, 0), _shifted(across, above, 0), _shifted(across, above, 1)]
        others = np.stack(three)
        made.append(np.where(np.isnan(others).any(axis=0), np.nan, np.sort(others, axis=0)))
    both = np.stack(made)
    return both, (~np.isnan(both[:, 0])).sum(axis=0).astype(np.float64)


def around(along: Floats, across: Floats, reach: int) -> Floats:
    """Return the mean of all joins within `reach` cells of every join to the right but itself."""
    total, count = np.zeros(along.shape), np.zeros(along.shape)
    high, wide = along.shape
    for grid, cols in ((along, range(-reach, reach + 1)), (across, range(-reach, reach + 2))):
        rows = range(-reach, reach + 1) if grid is along else range(-reach - 1, reach + 1)
        pad = reach + 1
        padded = np.pad(grid, pad, constant_values=np.nan)
        value, known = np.nan_to_num(padded), ~np.isnan(padded)
        for row in rows:
            for col in cols:
                if grid is along and row == col == 0:
                    continue
                there = np.s_[pad + row : pad + row + high, pad + col : pad + col + wide]
                total += value[there]
                count += known[there]
    return np.divide(total, count, out=np.zeros(along.shape), where=count > 0)


def beside(along: Floats, across: Floats) -> tuple[Floats, Floats]:
    """Return what the other joins of a join's two pieces sum up to, the weaker piece's first.

    Returns
    -------
    sums ``(2, rows, cols)``, and how many joins there are ``(rows, cols)``
    """
    first = np.stack([_shifted(along, 0, -1), _shifted(across, -1, 0), across])
    second = np.stack([_shifted(along, 0, 1), _shifted(across, -1, 1), _shifted(across, 0, 1)])
    sums = np.sort(np.stack([np.nansum(first, axis=0), np.nansum(second, axis=0)]), axis=0)
    count = (~np.isnan(first)).sum(axis=0) + (~np.isnan(second)).sum(axis=0)
    return sums, count.astype(np.float64)


def _shifted(grid: Floats, rows: int, cols: int) -> Floats:
    """Return in every cell what lies `rows` below it and `cols` to its right; nan off the grid."""
    pad = max(abs(rows), abs(cols), 1)
    padded = np.pad(grid, pad, constant_values=np.nan)
    high, wide = grid.shape
    return padded[pad + rows : pad + rows + high, pad + cols : pad + cols + wide]


FIRST = (
    "worth", "chance", "rivals", "rivals of the other", "loops", "best loop", "worst loop",
    "loops' sum", "weaker piece", "stronger piece", "neighbours", "margin", "greater margin",
    "margin in all", "greater margin in all", "near", "wide", "answer", "answer's doubts", "nobody",
)  # fmt: skip
"""What `seen` tells of a join."""


def seen(arrangement: Arrangement, odds: Odds) -> list[tuple[Row, Floats]]:
    """Return the joins of `arrangement` and what speaks for each, ``(J, len(FIRST))``."""
    rows = rows_of(arrangement)
    every = alone(odds, np.concatenate([row.pairs for row in rows]))
    known = np.split(every, np.cumsum([len(row.pairs) for row in rows])[:-1])
    worth = every[:, 0]
    fares = (worth.mean(), (worth < 0).mean(), odds.share) if len(worth) else (0.0, 0.0, 0.0)
    margin = margins(arrangement, odds)
    made = []
    for at, (row, own) in enumerate(zip(rows, known, strict=True)):
        shape = arrangement.sheets[row.sheet].shape
        other = at + (-1 if row.down else 1)
        along, across = row.grid(own[:, 0], shape), rows[other].grid(known[other][:, 0], shape)
        cells = margin[row.sheet]
        if not len(own):
            made.append((row, np.empty((0, len(FIRST)))))
            continue
        if row.down:  # As if all lay on its side: one way to look serves both.
            support = _support(along.T, across.T, [cell.T for cell in cells]).swapaxes(0, 1)
        else:
            support = _support(along, across, list(cells))
        whole = np.broadcast_to(np.array(fares), (len(own), len(fares)))
        made.append((row, np.concatenate([own, support[tuple(row.cells.T)], whole], axis=1)))
    return made


def _support(along: Floats, across: Floats, margin: list[Floats]) -> Floats:
    """Return what speaks for every join to the right besides itself, ``(rows, cols, K)``."""
    both, closed = loops(along, across)
    pieces, count = beside(along, across)
    weakest = both[:, 0]
    worst = np.where(closed > 0, np.fmin(*weakest), LOW)
    best = np.where(closed > 0, np.fmax(*weakest), LOW)
    total = np.nansum(both, axis=(0, 1)) / np.maximum(3 * closed, 1)
    cells = []
    for each in margin:
        pair = np.sort(np.stack([each, np.nan_to_num(_shifted(each, 0, 1))]), axis=0)
        cells += [pair[0], pair[1]]
    means = [around(along, across, reach) for reach in (NEAR, WIDE)]
    return np.stack([closed, best, worst, total, *pieces, count, *cells, *means], axis=-1)


SECOND = (
    "itself", "loops", "best loop", "worst loop", "loops' sum", "weaker piece", "stronger piece",
    "near", "wide", "answer",
)  # fmt: skip
"""What `again` tells of a join."""


def again(arrangement: Arrangement, rows: list[Row], first: list[Floats]) -> list[Floats]:
    """Return what the first judgements ``(J,)`` of all joins say of each, ``(J, len(SECOND))``."""
    every = np.concatenate(first)
    fares = float(every.mean()) if len(every) else 0.0
    made = []
    for at, (row, own) in enumerate(zip(rows, first, strict=True)):
        shape = arrangement.sheets[row.sheet].shape
        other = at + (-1 if row.down else 1)
        along, across = row.grid(own, shape), rows[other].grid(first[other], shape)
        support = (
            _second_support(along.T, across.T).swapaxes(0, 1)
            if row.down
            else _second_support(along, across)
        )
        whole = np.full((len(own), 1), fares)
        made.append(np.concatenate([own[:, None], support[tuple(row.cells.T)], whole], axis=1))
    return made


def _second_support(along: Floats, across: Floats) -> Floats:
    both, closed = loops(along, across)
    pieces, count = beside(along, across)
    weakest = both[:, 0]
    worst = np.where(closed > 0, np.fmin(*weakest), 0.0)
    best = np.where(closed > 0, np.fmax(*weakest), 0.0)
    total = np.nansum(both, axis=(0, 1)) / np.maximum(3 * closed, 1)
    pieces = pieces / np.maximum(count, 1)
    means = [around(along, across, reach) for reach in (NEAR, WIDE)]
    return np.stack([closed, best, worst, total, *pieces, *means], axis=-1)
