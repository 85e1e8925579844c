"""Columns: strips of a row that hold together, be it by print, a picture or a page number.

Where two blank borders meet, a row holds by nothing: there it is cut. A column wider than a page is
cut at its weakest join. Columns whose strokes go on into each other become one again: what a
picture at the cut says against a join weighs in pixels more than all the letters that go on beside
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Sheet
from tessella.compatibility import Compatibility
from tessella.documents.reading import Ends, ends_of, lines_of
from tessella.documents.strips import INK, Strips
from tessella.documents.strokes import strokes_that_go_on
from tessella.documents.uprightness import uprightness
from tessella.edges import LEFT, RIGHT

STROKES = 3
"""So many more strokes must go on into the next column than end there to make one of both."""

_PROFILE = 600  # rows to which a column's lines of print are brought for comparison


@dataclass(frozen=True)
class Column:
    """Strips that hold together, from left to right.

    Attributes
    ----------
    piece, turns : the strips and how they lie
    width : in pixels
    lines : how the column's ink is spread over its height, ``(_PROFILE,)``, of norm 1
    head, tail : where most lines begin, from the left border, and end, from the right one
    ends : how its print begins and ends, None where it is not a column of print
    """

    piece: tuple[int, ...]
    turns: tuple[int, ...]
    width: int
    lines: NDArray[np.float64]
    head: int
    tail: int
    ends: Ends | None = None

    def begins_like(self, other: Column) -> bool:
        """Whether lines begin at the same place of a strip, but for a pixel."""
        return abs(self.head - other.head) <= 1

    def ends_like(self, other: Column) -> bool:
        """Whether lines end at the same place of a strip, but for a pixel."""
        return abs(self.tail - other.tail) <= 1

    @property
    def middle(self) -> float:
        """Where the middle of the column's ink lies, from its left border."""
        return (self.head + self.width - self.tail) / 2


CERTAIN = 1e3
"""How much a join holds that somebody told."""


def are_joined(row: Sheet, joined: Sequence[tuple[int, int]]) -> NDArray[np.bool_]:
    """Say of all neighbours in a row whether they are among pairs of edges, ``(n - 1,)``."""
    right, left = row.edges_facing(RIGHT)[0][:-1], row.edges_facing(LEFT)[0][1:]
    known = {frozenset(pair) for pair in joined}
    pairs = zip(right.tolist(), left.tolist(), strict=True)
    return np.array([frozenset(pair) in known for pair in pairs], np.bool_)


def split(
    puzzle: Strips,
    compatibility: Compatibility,
    row: Sheet,
    room: float,
    known: NDArray[np.bool_] | None = None,
) -> tuple[list[Column], list[int]]:
    """Cut a row where nothing holds it, and where it is too wide for a page of width `room`.

    Parameters
    ----------
    known : marks joins that somebody told, which are not cut, ``(n - 1,)``; None: there are none

    Returns
    -------
    the columns from left to right, and the strips that are blank
    """
    known = np.zeros(row.shape[1] - 1, np.bool_) if known is None else known
    blank = puzzle.blank()
    loose = bare_sides(puzzle)
    right, left = row.edges_facing(RIGHT)[0], row.edges_facing(LEFT)[0]
    seam = loose[right[:-1]] & loose[left[1:]]  # (n - 1,)
    seam |= blank[row.piece[0, :-1]] | blank[row.piece[0, 1:]]
    seam &= ~known
    hold = np.where(known, CERTAIN, holds(compatibility, row)).astype(np.float32)
    pieces = row.piece[0]
    parts = np.split(np.arange(len(pieces)), np.flatnonzero(seam) + 1)
    made = []
    for part in parts:
        for piece in _narrowed(part, puzzle.sizes[pieces, 1], hold, room):
            if not blank[pieces[piece]].all():
                cells = Sheet(row.piece[:, piece], row.turns[:, piece])
                made.append(upright(puzzle, cells))
    columns = [_column(puzzle, cells) for cells in _rejoined(puzzle, made, room)]
    held = {i for column in columns for i in column.piece}
    return columns, [int(i) for i in pieces if int(i) not in held]


def _rejoined(puzzle: Strips, parts: list[Sheet], room: float) -> list[Sheet]:
    """Join rows of strips whose strokes go on into each other, the most first, up to `room`."""
    if len(parts) < 2:
        return parts
    right, left = (_borders(puzzle, parts, place) for place in (-1, 0))
    going = strokes_that_go_on(right, left)
    np.fill_diagonal(going, 0)
    width = [int(puzzle.sizes[part.piece[0], 1].sum()) for part in parts]
    chain = [[i] for i in range(len(parts))]  # of every part, shared by all that are joined
    for flat in np.argsort(-going, axis=None, kind="stable")[: int((going >= STROKES).sum())]:
        first, second = (chain[i] for i in divmod(int(flat), len(parts)))
        at_ends = first[-1] == flat // len(parts) and second[0] == flat % len(parts)
        if first is second or not at_ends or sum(width[i] for i in first + second) > room:
            continue
        first += second
        for i in second:
            chain[i] = first
    rows = [chain[i] for i in range(len(parts)) if chain[i][0] == i]
    return [
        Sheet(*(np.hstack([getattr(parts[i], of) for i in row]) for of in ("piece", "turns")))
        for row in rows
    ]


def _borders(puzzle: Strips, parts: list[Sheet], place: int) -> NDArray[np.bool_]:
    """Say where the first (0) or last (-1) pixels of every row of strips are ink, ``(B, H)``."""
    made = np.zeros((len(parts), int(puzzle.sizes[:, 0].max())), np.bool_)
    for ink, part in zip(made, parts, strict=True):
        border = puzzle.one(int(part.piece[0, place]), int(part.turns[0, place]))[:, place]
        ink[: len(border)] = border < INK
    return made


def _narrowed(
    part: NDArray[np.intp],
    width: NDArray[np.int32],
    hold: NDArray[np.float32],
    room: float,
) -> list[NDArray[np.intp]]:
    """Cut places that lie side by side at their weakest joins until each part fits `room`."""
    parts, waiting = [], [part]  # the leftmost waits at the end
    while waiting:
        part = waiting.pop()
        if len(part) == 1 or width[part].sum() <= room:
            parts.append(part)
        else:
            cut = int(hold[part[:-1]].argmin()) + 1
            waiting += [part[cut:], part[:cut]]
    return parts


def bare_sides(puzzle: Strips) -> NDArray[np.bool_]:
    """Say which edges, ``(4N,)``, have no ink in their outermost pixels; ends of strips do not."""
    count = len(puzzle)
    bare = np.zeros((count, 4), np.bool_)
    for i in range(count):
        strip, (first, last) = puzzle.one(i), puzzle.rim(i)
        rows = np.flatnonzero(last > first)
        bare[i, LEFT] = (strip[rows, first[rows]] >= INK).all()
        bare[i, RIGHT] = (strip[rows, last[rows] - 1] >= INK).all()
    return bare.ravel()


def _column(puzzle: Strips, cells: Sheet) -> Column:
    pieces, turns = cells.piece[0].tolist(), cells.turns[0].tolist()
    lines = np.zeros(_PROFILE)
    strips = [puzzle.one(piece, turn) for piece, turn in zip(pieces, turns, strict=True)]
    for strip in strips:
        ink = np.maximum(INK - strip.astype(np.float64), 0).sum(axis=1)
        at = np.arange(len(ink)) * _PROFILE // puzzle.piece_size[0]
        lines += np.bincount(at, ink, _PROFILE)[:_PROFILE]
    lines = np.sqrt(lines)
    lines -= lines.mean()
    norm = float(np.sqrt((lines * lines).sum()))
    width = int(puzzle.sizes[pieces, 1].sum())
    low = min(len(strip) for strip in strips)
    printed = lines_of(np.hstack([strip[:low] for strip in strips]))  # (n, 5)
    head, tail = (int(np.bincount(at).argmax()) for at in (printed[:, 2], width - printed[:, 3]))
    lines = lines / norm if norm else lines
    ends = ends_of(printed, low)
    return Column(tuple(pieces), tuple(turns), width, lines, head, tail, ends)


def upright(puzzle: Strips, row: Sheet) -> Sheet:
    """Turn a row over if its print stands on its head and strips may be turned."""
    if puzzle.upright or uprightness(puzzle, row) >= uprightness(puzzle, row.turned(2)):
        return row
    return row.turned(2)


def holds(compatibility: Compatibility, row: Sheet) -> NDArray[np.float32]:
    """Return how well neighbours in a row hold together, ``(n - 1,)``."""
    right, left = row.edges_facing(RIGHT)[0], row.edges_facing(LEFT)[0]
    return compatibility.of(np.stack([right[:-1], left[1:]], axis=1))
