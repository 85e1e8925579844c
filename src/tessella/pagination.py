"""From one row of strips to pages: cut where nothing holds, group, turn upright.

A solver lays all strips in a row. Where two blank borders meet, the row holds by nothing: there it
is cut into *blocks*, such as a column of print. Strips without any ink are taken out. Blocks are
dealt to pages of equal width, those first that share their lines of print. A block wider than a
page is cut at its weakest join.

What holds by nothing is laid out as pages usually are: columns side by side, a narrow block such as
a page number in the gutter between them, and what is blank in the margins but for a little in
gutters.

Ragged shreds hold by their contours where there is no ink. Their row is cut where it holds least,
into pages of about equal width, and keeps its order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.compatibility import Compatibility
from tessella.confidence import judge
from tessella.edges import LEFT, RIGHT
from tessella.errors import InputError
from tessella.imaging.pages_upright import uprightness
from tessella.result import Result
from tessella.strips import INK, Strips

RATIOS = (0.7071, 0.7727)
"""Width by height of a page that strips are taken to come from: A4 and Letter."""

NARROW = 0.1
"""A block narrower than this share of a page is no column of print."""

GUTTER = 0.04
"""What lies between two columns of print, as a share of the page."""

UNEVEN = 0.25
"""By so much of its width a page of shreds may be wider or narrower than the others for nothing."""

_UNFAIR = 10.0
_SLACK = 1.03  # strips are cut and trimmed unevenly
_PROFILE = 600  # rows to which a block's lines of print are brought for comparison


@dataclass(frozen=True)
class Block:
    """Strips that hold together, from left to right.

    Attributes
    ----------
    piece, turns : the strips and how they lie
    width : in pixels
    lines : how the block's ink is spread over its height, ``(_PROFILE,)``, of norm 1
    head, tail : blank columns before the first ink and behind the last
    """

    piece: tuple[int, ...]
    turns: tuple[int, ...]
    width: int
    lines: NDArray[np.float64]
    head: int
    tail: int

    @property
    def middle(self) -> float:
        """Where the middle of the block's ink lies, from its left border."""
        return (self.head + self.width - self.tail) / 2


def paginate(puzzle: Strips, result: Result, pages: int | None) -> Result:
    """Cut the row of `result` into pages.

    Parameters
    ----------
    pages : how many; None guesses it from the width of all strips and the usual paper sizes
    """
    count = guess_pages(puzzle) if pages is None else pages
    if not 1 <= count <= len(puzzle):
        raise InputError(
            f"--pages must be 1 to the number of strips, {len(puzzle)}, or unknown; got {count}."
        )
    row = _row(result.arrangement)
    if puzzle.rims is not None:
        sheets = cut_evenly(puzzle, result.compatibility, row, count)
    else:
        blocks, blank = split(puzzle, result.compatibility, row, count)
        room = _room(puzzle, count)
        sheets = [lay_out(*page, room) for page in deal(puzzle, blocks, blank, room, count)]
    arrangement = Arrangement(tuple(sheets))
    return replace(
        result,
        arrangement=arrangement,
        fitness=result.compatibility.fitness(arrangement),
        joins=judge(arrangement, result.compatibility),
        settings={**result.settings, "pages": "unknown" if pages is None else pages},
    )


def guess_pages(puzzle: Strips) -> int:
    """Return how many pages of a usual paper size all strips make."""
    across = float(puzzle.widths().sum()) / float(np.median(puzzle.sizes[:, 0]))
    counts = np.arange(1, min(len(puzzle), int(across / min(RATIOS)) + 2) + 1)
    misfit = np.abs(np.log(across / counts[:, None] / np.array(RATIOS))).min(axis=1)
    return int(counts[misfit.argmin()])


def _row(arrangement: Arrangement) -> Sheet:
    """Return the solver's answer as one row without empty cells."""
    sheet = arrangement.sheets[0]
    held = sheet.piece != EMPTY
    return Sheet(sheet.piece[held][None], sheet.turns[held][None])


def _upright(puzzle: Strips, row: Sheet) -> Sheet:
    """Turn a row over if its print stands on its head and strips may be turned."""
    if puzzle.upright or uprightness(puzzle, row) >= uprightness(puzzle, row.turned(2)):
        return row
    return row.turned(2)


def cut_evenly(puzzle: Strips, compatibility: Compatibility, row: Sheet, pages: int) -> list[Sheet]:
    """Cut a row at its weakest joins into pages of about equal width, each turned upright."""
    hold = _holds(compatibility, row)
    ends = np.concatenate([[0.0], np.cumsum(puzzle.widths()[row.piece[0]])])
    # best[p][k]: least that p pages lose which end before place k; where[p][k]: the last's start.
    count = len(hold) + 1
    best = np.full((pages + 1, count + 1), np.inf)
    where = np.zeros((pages + 1, count + 1), np.int64)
    best[0, 0] = 0
    fair = ends[-1] / pages
    for page in range(1, pages + 1):
        for k in range(page, count + 1):
            start = np.arange(page - 1, k)
            off = np.abs((ends[k] - ends[start]) / fair - 1)
            lost = best[page - 1, start] + np.maximum(0, off - UNEVEN) * _UNFAIR
            lost += np.where(start > 0, hold[np.maximum(start, 1) - 1], 0)
            where[page, k] = start[lost.argmin()]
            best[page, k] = lost.min()
    cuts = [count]
    for page in range(pages, 0, -1):
        cuts.append(int(where[page, cuts[-1]]))
    parts = pairwise(reversed(cuts))
    return [_upright(puzzle, Sheet(row.piece[:, a:b], row.turns[:, a:b])) for a, b in parts]


def _holds(compatibility: Compatibility, row: Sheet) -> NDArray[np.float32]:
    """Return how well neighbours in a row hold together, ``(n - 1,)``."""
    right, left = row.edges_facing(RIGHT)[0], row.edges_facing(LEFT)[0]
    return compatibility.of(np.stack([right[:-1], left[1:]], axis=1))


def split(
    puzzle: Strips, compatibility: Compatibility, row: Sheet, pages: int
) -> tuple[list[Block], list[int]]:
    """Cut a row where nothing holds it, and where it is too wide for a page.

    Returns
    -------
    the blocks from left to right, and the strips that are blank
    """
    room = _room(puzzle, pages)
    blank = puzzle.blank()
    loose = bare_sides(puzzle)
    right, left = row.edges_facing(RIGHT)[0], row.edges_facing(LEFT)[0]
    seam = loose[right[:-1]] & loose[left[1:]]  # (n - 1,)
    seam |= blank[row.piece[0, :-1]] | blank[row.piece[0, 1:]]
    hold = _holds(compatibility, row)
    pieces = row.piece[0]
    parts = np.split(np.arange(len(pieces)), np.flatnonzero(seam) + 1)
    blocks = []
    for part in parts:
        if not blank[pieces[part[0]]]:
            for piece in _narrowed(part, puzzle.sizes[pieces, 1], hold, room):
                cells = Sheet(row.piece[:, piece], row.turns[:, piece])
                blocks.append(_block(puzzle, _upright(puzzle, cells)))
    return blocks, [int(i) for i in pieces if blank[i]]


def _room(puzzle: Strips, pages: int) -> float:
    """Return how wide a page may become."""
    return _SLACK * float(puzzle.sizes[:, 1].sum()) / pages


def _narrowed(
    part: NDArray[np.intp],
    width: NDArray[np.int32],
    hold: NDArray[np.float32],
    room: float,
) -> list[NDArray[np.intp]]:
    """Cut places that lie side by side at their weakest joins until each part fits `room`."""
    found, waiting = [], [part]  # the leftmost waits at the end
    while waiting:
        part = waiting.pop()
        if len(part) == 1 or width[part].sum() <= room:
            found.append(part)
        else:
            cut = int(hold[part[:-1]].argmin()) + 1
            waiting += [part[cut:], part[:cut]]
    return found


def bare_sides(puzzle: Strips) -> NDArray[np.bool_]:
    """Say which edges, ``(4N,)``, have no ink in their outermost column; ends of strips do not."""
    count = len(puzzle)
    bare = np.zeros((count, 4), np.bool_)
    for i in range(count):
        strip, (first, last) = puzzle.one(i), puzzle.rim(i)
        rows = np.flatnonzero(last > first)
        bare[i, LEFT] = (strip[rows, first[rows]] >= INK).all()
        bare[i, RIGHT] = (strip[rows, last[rows] - 1] >= INK).all()
    return bare.ravel()


def _block(puzzle: Strips, cells: Sheet) -> Block:
    pieces, turns = cells.piece[0].tolist(), cells.turns[0].tolist()
    lines = np.zeros(_PROFILE)
    for piece, turn in zip(pieces, turns, strict=True):
        strip = puzzle.one(piece, turn)
        ink = np.maximum(INK - strip.astype(np.float64), 0).sum(axis=1)
        at = np.arange(len(ink)) * _PROFILE // puzzle.piece_size[0]
        lines += np.bincount(at, ink, _PROFILE)[:_PROFILE]
    lines = np.sqrt(lines)
    lines -= lines.mean()
    norm = float(np.sqrt((lines * lines).sum()))
    width = int(puzzle.sizes[pieces, 1].sum())
    head, tail = (_bare(puzzle.one(pieces[k], turns[k])[:, :: 1 + 2 * k]) for k in (0, -1))
    return Block(tuple(pieces), tuple(turns), width, lines / norm if norm else lines, head, tail)


def _bare(strip: NDArray[np.uint8]) -> int:
    """Return how many columns of a strip ``(h, w)`` come before its print sets in.

    That is where lines of print begin, not a stroke that sticks out of them.
    """
    ink = (strip < INK).sum(axis=0)
    return int((ink >= np.median(ink[ink > 0]) / 4).argmax()) if ink.any() else len(ink)


def deal(
    puzzle: Strips, blocks: list[Block], blank: list[int], room: float, pages: int
) -> list[tuple[list[Block], list[int]]]:
    """Deal blocks to pages so that none gets too wide, then blank strips until all are equal.

    Every block begins as a page of its own. The two pages whose lines of print agree best become
    one, if they fit together, until there are few enough. Narrow blocks come last, to the page
    that has fewest.
    """
    wide = [block for block in blocks if block.width > NARROW * room]
    dealt = [[block] for block in wide]
    while len(dealt) > pages:
        first, second = _pair(dealt, room)
        dealt[first] += dealt.pop(second)
    dealt += [[] for _ in range(pages - len(dealt))]
    for block in blocks:
        if block.width <= NARROW * room:
            min(dealt, key=lambda page: (_narrow(page, room), _width(page))).append(block)
    margins: list[list[int]] = [[] for _ in dealt]
    taken = [_width(page) for page in dealt]
    for strip in blank:
        least = int(np.argmin(taken))
        margins[least].append(strip)
        taken[least] += int(puzzle.sizes[strip, 1])
    return [(p, m) for p, m in zip(dealt, margins, strict=True) if p or m]


def _pair(pages: list[list[Block]], room: float) -> tuple[int, int]:
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


def _agreement(one: list[Block], other: list[Block]) -> float:
    """Return how well the lines of print of two pages agree, at most 1."""
    return max(float(a.lines @ b.lines) for a in one for b in other)


def _width(page: list[Block]) -> int:
    return sum(block.width for block in page)


def _narrow(page: list[Block], room: float) -> int:
    """Return how many narrow blocks a page has."""
    return sum(block.width <= NARROW * room for block in page)


def lay_out(blocks: list[Block], blank: list[int], room: float) -> Sheet:
    """Lay a page out in one row.

    Parameters
    ----------
    blocks : of the page, columns from left to right
    blank : its blank strips
    room : the width of a page
    """
    columns = [block for block in blocks if block.width > NARROW * room]
    narrow = [block for block in blocks if block.width <= NARROW * room]
    if len(columns) == 2 and len(narrow) == 1:
        as_given, swapped = (_lopsided(a, narrow[0], b) for a, b in (columns, columns[::-1]))
        columns = columns[::-1] if swapped < as_given else columns
    middle = len(columns) // 2 if len(columns) > 1 else len(columns)
    parts = [*columns[:middle], *narrow, *columns[middle:]]
    total = sum(block.width for block in parts)
    each = max(1.0, (room - total) / len(blank)) if blank else room
    inner = [_gutter(pair, room, each) for pair in pairwise(parts)]
    outer = max(0, len(blank) - sum(inner))
    shares = [outer // 2, *inner, len(blank)] if parts else [len(blank)]
    piece: list[int] = []
    turns: list[int] = []
    left = list(blank)
    for share, block in zip(shares, [*parts, None], strict=True):
        gap, left = left[:share], left[share:]
        piece += [*gap, *(block.piece if block else ())]
        turns += [*[0] * len(gap), *(block.turns if block else ())]
    return Sheet(np.array([piece]), np.array([turns]))


def _lopsided(left: Block, between: Block, right: Block) -> float:
    """Return by how much a narrow block would stand off the middle of the gutter.

    It is what tells the left of two columns from the right one.
    """
    return abs(left.tail + between.middle - (between.width - between.middle + right.head))


def _gutter(pair: tuple[Block, Block], room: float, each: float) -> int:
    """Return how many blank strips of width `each` lie between two blocks of a page.

    A narrow block stands in the gutter itself, so beside it there is only what it leaves free.
    """
    inside = sum(block.width for block in pair if block.width <= NARROW * room)
    if inside:
        return max(0, int((GUTTER * room - inside) / 2 / each))
    return max(1, int(GUTTER * room / each))
