"""From one row of strips to pages: cut where nothing holds, group, turn upright.

A solver lays all strips in a row. It is cut into columns that hold together. Strips without any
ink are taken out. Columns are dealt to pages of equal width, those first that share their lines of
print.

What holds by nothing is laid out as pages usually are: columns side by side, a narrow one such as a
page number in the gutter between them, and what is blank in the margins but for a little in
gutters. Which of two columns is the left one shows where pages of full width begin and end their
lines, or in the text, which reads on from one column into the other.

Worn strips hold by less than ink that goes on. Their row keeps its order;
`tessella.documents.division` cuts it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.confidence import judge
from tessella.documents.columns import Column, are_joined, split, upright
from tessella.documents.division import divided, guess_pages
from tessella.documents.reading import read_before
from tessella.documents.strips import Strips, check_pages
from tessella.result import Result

NARROW = 0.1
"""A column narrower than this share of a page holds no print but a number or a mark."""

WHOLE = 0.6
"""A column wider than this share of a page shows both margins of the print."""

GUTTER = 0.04
"""What lies between two columns of print, as a share of the page."""

_SLACK = 1.03  # strips are cut and trimmed unevenly


def paginate(
    puzzle: Strips, result: Result, pages: int | None, joined: Sequence[tuple[int, int]] = ()
) -> Result:
    """Cut the row of `result` into pages; pages that it has already make one row again.

    Parameters
    ----------
    pages : how many; None finds it by the width of all strips and the usual paper sizes, and for
        worn strips by where they hold
    joined : pairs of edges that somebody knows to lie against each other: no cut parts them
    """
    if pages is not None:
        check_pages(pages, len(puzzle))
    row = _row(result.arrangement)
    known = are_joined(row, joined)
    if puzzle.worn:
        sheets = [upright(puzzle, page) for page in divided(puzzle, result, row, pages, known)]
    else:
        count = guess_pages(puzzle) if pages is None else pages
        room = _room(puzzle, count)
        columns, blank = split(puzzle, result.compatibility, row, room, known)
        whole = [column for column in columns if column.width > WHOLE * room]
        dealt = deal(puzzle, columns, blank, room, count)
        sheets = [lay_out(*page, room, whole) for page in dealt]
    arrangement = Arrangement(tuple(sheets))
    return replace(
        result,
        arrangement=arrangement,
        fitness=result.compatibility.fitness(arrangement),
        joins=judge(arrangement, result.compatibility, result.odds),
        settings={**result.settings, "pages": "unknown" if pages is None else pages},
    )


def _row(arrangement: Arrangement) -> Sheet:
    """Return an answer as one row without empty cells, sheet after sheet."""
    piece, turns = (
        np.concatenate([getattr(sheet, of).ravel() for sheet in arrangement.sheets])
        for of in ("piece", "turns")
    )
    held = piece != EMPTY
    return Sheet(piece[held][None], turns[held][None])


def _room(puzzle: Strips, pages: int) -> float:
    """Return how wide a page may become."""
    return _SLACK * float(puzzle.sizes[:, 1].sum()) / pages


def deal(
    puzzle: Strips, columns: list[Column], blank: list[int], room: float, pages: int
) -> list[tuple[list[Column], list[int]]]:
    """Deal columns to pages so that none gets too wide, then blank strips until all are equal.

    Every column begins as a page of its own. The two pages whose lines of print agree best become
    one, if they fit together, until there are few enough. Columns whose lines begin and end at the
    same places of their strips are the same column of two pages and hardly of one. Narrow columns
    come last, to the page that has fewest.
    """
    wide = [column for column in columns if column.width > NARROW * room]
    dealt = [[column] for column in wide]
    while len(dealt) > pages:
        first, second = _pair(dealt, room)
        dealt[first] += dealt.pop(second)
    dealt += [[] for _ in range(pages - len(dealt))]
    for column in columns:
        if column.width <= NARROW * room:
            min(dealt, key=lambda page: (_narrow(page, room), _width(page))).append(column)
    margins: list[list[int]] = [[] for _ in dealt]
    taken = [_width(page) for page in dealt]
    for strip in blank:
        least = int(np.argmin(taken))
        margins[least].append(strip)
        taken[least] += int(puzzle.sizes[strip, 1])
    return [(p, m) for p, m in zip(dealt, margins, strict=True) if p or m]


def _pair(pages: list[list[Column]], room: float) -> tuple[int, int]:
    """Return which two pages to make one: of those that fit together, the ones that agree best.

    Where none fit, the two that are narrowest together.
    """
    every = [(i, j) for j in range(len(pages)) for i in range(j)]
    wide = {ij: _width(pages[ij[0]]) + _width(pages[ij[1]]) for ij in every}
    fitting = [ij for ij in every if wide[ij] <= room]
    if not fitting:
        return min(every, key=lambda ij: wide[ij])
    if len(fitting) == len(every) and sum(map(_width, pages)) <= room:
        return 0, 1  # all make one page: they stay in the order of the row
    return max(fitting, key=lambda ij: _agreement(pages[ij[0]], pages[ij[1]]))


def _agreement(one: list[Column], other: list[Column]) -> tuple[bool, float]:
    """Say whether two pages have no column in common, and how well lines agree, at most 1."""
    pairs = [(a, b) for a in one for b in other]
    apart = not any(a.begins_like(b) and a.ends_like(b) for a, b in pairs)
    return apart, max(float(a.lines @ b.lines) for a, b in pairs)


def _width(page: list[Column]) -> int:
    return sum(column.width for column in page)


def _narrow(page: list[Column], room: float) -> int:
    """Return how many narrow columns a page has."""
    return sum(column.width <= NARROW * room for column in page)


def lay_out(
    columns: list[Column], blank: list[int], room: float, whole: Sequence[Column] = ()
) -> Sheet:
    """Lay a page out in one row.

    Parameters
    ----------
    columns : of the page, from left to right
    blank : its blank strips
    room : the width of a page
    whole : columns as wide as a page's print, of any page
    """
    wide = [column for column in columns if column.width > NARROW * room]
    narrow = [column for column in columns if column.width <= NARROW * room]
    if len(wide) == 2 and _swapped(wide[0], wide[1], narrow, whole):
        wide.reverse()
    middle = len(wide) // 2 if len(wide) > 1 else len(wide)
    parts = [*wide[:middle], *narrow, *wide[middle:]]
    total = sum(column.width for column in parts)
    each = max(1.0, (room - total) / len(blank)) if blank else room
    inner = [_gutter(pair, room, each) for pair in pairwise(parts)]
    outer = max(0, len(blank) - sum(inner))
    shares = [outer // 2, *inner, len(blank)] if parts else [len(blank)]
    piece: list[int] = []
    turns: list[int] = []
    left = list(blank)
    for share, column in zip(shares, [*parts, None], strict=True):
        gap, left = left[:share], left[share:]
        piece += [*gap, *(column.piece if column else ())]
        turns += [*[0] * len(gap), *(column.turns if column else ())]
    return Sheet(np.array([piece]), np.array([turns]))


def _swapped(left: Column, right: Column, narrow: list[Column], whole: Sequence[Column]) -> bool:
    """Say whether of two columns the second is the left one.

    It is where its lines begin as those of whole pages do, or the other's end so; else by how the
    text reads on, else by a number in the gutter.
    """
    begin = sum(column.begins_like(left) - column.begins_like(right) for column in whole)
    end = sum(column.ends_like(right) - column.ends_like(left) for column in whole)
    if begin + end:
        return begin + end < 0
    reads = read_before(left.ends, right.ends)
    if reads or len(narrow) != 1:
        return reads < 0
    return _lopsided(right, narrow[0], left) < _lopsided(left, narrow[0], right)


def _lopsided(left: Column, between: Column, right: Column) -> float:
    """Return by how much a narrow column would stand off the middle of the gutter.

    Columns of equal width stand off by as much either way; then it says nothing.
    """
    return abs(left.tail + between.middle - (between.width - between.middle + right.head))


def _gutter(pair: tuple[Column, Column], room: float, each: float) -> int:
    """Return how many blank strips of width `each` lie between two columns of a page.

    A narrow column stands in the gutter itself, so beside it there is only what it leaves free.
    """
    inside = sum(column.width for column in pair if column.width <= NARROW * room)
    if inside:
        return max(0, int((GUTTER * room - inside) / 2 / each))
    return max(1, int(GUTTER * room / each))
