"""The most doubtful joins, as pictures: what a person should look at first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tessella.arrangement import Arrangement
from tessella.compatibility import Compatibility
from tessella.confidence import DOUBTFUL, Join, best_other
from tessella.documents.strips import colourless
from tessella.imaging.unknown import drawn
from tessella.placement import FIRST, places
from tessella.puzzle import Puzzle
from tessella.report.embed import exact, number, text

SHOWN = 10
SIDE = 160
"""Longest side of a piece in a picture of a join, in pixels."""

UNCHECKED = "an estimate that was not checked for such pieces and this measure"

SIDES = ("right", "top", "left", "bottom")
Cell = tuple[int, int, int]


@dataclass(frozen=True)
class Rival:
    """The best partner that one of a join's edges has elsewhere."""

    second: bool
    edge: int
    compatibility: float


def most_doubtful(joins: Sequence[Join], count: int = SHOWN) -> list[Join]:
    """Return the joins with the least confidence, the most doubtful first."""
    return sorted(joins, key=lambda j: (j.confidence, j.compatibility))[:count]


def rival(compatibility: Compatibility, join: Join) -> Rival | None:
    """Return the stronger of the best other partners of a join's two edges."""
    pairs = np.array([join.edges, join.edges[::-1]], np.int32)
    edge, score = best_other(compatibility, pairs)
    stronger = int(score[1] > score[0])
    if edge[stronger] < 0:
        return None
    return Rival(bool(stronger), int(edge[stronger]), float(score[stronger]))


def doubts(
    puzzle: Puzzle,
    arrangement: Arrangement,
    compatibility: Compatibility,
    joins: Sequence[Join],
    checked: bool,
) -> str:
    """Return the most doubtful joins as a list with pictures.

    Parameters
    ----------
    checked : whether confidence was fitted to answers whose truth was known (`sureness.checked`)
    """
    if not joins:
        return "<p>No two pieces lie side by side, so there is no join to doubt.</p>"
    where = {p.piece: (p.sheet, p.row, p.col) for p in places(arrangement)}
    many = len(arrangement.sheets) > 1
    entries = [
        _entry(puzzle, arrangement, join, rival(compatibility, join), where, many, checked)
        for join in most_doubtful(joins)
    ]
    return _summary(joins, checked) + f"<ol class='doubts'>{''.join(entries)}</ol>"


def _summary(joins: Sequence[Join], checked: bool) -> str:
    doubtful = sum(join.confidence < DOUBTFUL for join in joins)
    wrong = sum(1 - join.confidence for join in joins)
    known = (
        "the chance that a join is right, as often as joins marked so were right in answers whose "
        "truth was known"
        if checked
        else f"how likely it is that a join is right, {UNCHECKED}"
    )
    return (
        f"<p>Confidence is {known}. "
        f"<strong>{doubtful} of {len(joins)} joins lie below {DOUBTFUL:.2f}, and "
        f"{_about(wrong)} of all joins may be wrong.</strong> "
        "Look at these first; a join that is right all the same may be locked.</p>"
    )


def _about(count: float) -> str:
    return "hardly any" if count < 0.5 else f"about {round(count)}"


def in_words(confidence: float) -> str:
    """Say what a confidence means: how many of such joins were wrong where the truth was known."""
    wrong = 1 - confidence
    of = 10 if wrong >= 0.095 else 100
    count = round(of * wrong)
    said = f"{count} in {of} {'was' if count == 1 else 'were'}" if count else "hardly any was"
    return f"of joins marked so, {said} wrong on validation pictures"


def _entry(
    puzzle: Puzzle,
    arrangement: Arrangement,
    join: Join,
    other: Rival | None,
    where: dict[int, Cell],
    many: bool,
    checked: bool,
) -> str:
    meaning = in_words(join.confidence) if checked else UNCHECKED
    first = (join.sheet, join.row, join.col)
    second = (join.sheet, join.row + join.down, join.col + (not join.down))
    names = [text(puzzle.names[e // 4]) for e in join.edges]
    relation = "above" if join.down else "left of"
    apart, joined = (_pair(puzzle, arrangement, first, second, join.down, gap) for gap in (3, 0))
    zoom = _zoom(joined)
    said = f"{names[0]} {relation} {names[1]}"
    return (
        f"<li class='doubt'><div class='pair {'down' if join.down else 'across'}'>"
        f"<img src='{exact(apart)}' alt='{said}, apart' width='{apart.shape[1] * zoom}'>"
        f"<img src='{exact(joined)}' alt='{said}, joined' width='{joined.shape[1] * zoom}'></div>"
        f"<p><a href='#{anchor(first)}' data-cell='{_key(first)}' data-mate='{_key(second)}'>"
        f"<b>{names[0]}</b> ({cell_name(first, many)}, {_turns(arrangement, first)}) "
        f"{relation} <b>{names[1]}</b> ({cell_name(second, many)}, {_turns(arrangement, second)})"
        f"</a><br>confidence <b>{number(join.confidence)}</b> ({meaning}), "
        f"compatibility {number(join.compatibility)}"
        f"{_rival(puzzle, join, other, where, many)}</p></li>"
    )


def _rival(
    puzzle: Puzzle, join: Join, other: Rival | None, where: dict[int, Cell], many: bool
) -> str:
    """Say who else would fit, and where that piece lies now."""
    if other is None:
        return ""
    owner = join.edges[1] if other.second else join.edges[0]
    seam = ("bottom", "top") if join.down else ("right", "left")
    place = where.get(other.edge // 4)
    lies = "unplaced" if place is None else cell_name(place, many)
    link = f"<b>{text(puzzle.names[other.edge // 4])}</b> ({lies})"
    if place is not None:
        link = f"<a href='#{anchor(place)}' data-cell='{_key(place)}'>{link}</a>"
    return (
        f"<br>best other partner for the {seam[other.second]} side of "
        f"{text(puzzle.names[owner // 4])}: {link}, its {SIDES[other.edge % 4]} side as in the "
        f"file, compatibility {number(other.compatibility)}"
    )


def _pair(
    puzzle: Puzzle, arrangement: Arrangement, first: Cell, second: Cell, down: bool, gap: int
) -> NDArray[np.uint8]:
    """Return two neighbouring pieces as they lie, `gap` pixels apart."""
    one, two = (_placed(puzzle, arrangement, cell, down) for cell in (first, second))
    along = 1 if down else 0
    length = max(one.shape[along], two.shape[along])
    one, two = (_lengthened(image, along, length) for image in (one, two))
    shape = (gap, length, 3) if down else (length, gap, 3)
    return np.concatenate([one, np.full(shape, 255, np.uint8), two], axis=0 if down else 1)


def _lengthened(image: NDArray[np.uint8], along: int, length: int) -> NDArray[np.uint8]:
    """Fill a picture up with white, so that strips of different heights can lie side by side."""
    room = [(0, 0), (0, 0), (0, 0)]
    room[along] = (0, length - image.shape[along])
    return np.pad(image, room, constant_values=255)


def _placed(puzzle: Puzzle, arrangement: Arrangement, cell: Cell, down: bool) -> NDArray[np.uint8]:
    """Return one piece as it lies, cut to its middle along a very long seam, and not too large."""
    sheet = arrangement.sheets[cell[0]]
    image = drawn(puzzle, int(sheet.piece[cell[1:]]), int(sheet.turns[cell[1:]]))
    if image.ndim == 2:
        image = colourless(image)
    along = 1 if down else 0
    length, depth = image.shape[along], image.shape[1 - along]
    if length > 4 * depth:
        start = (length - 4 * depth) // 2
        image = np.take(image, range(start, start + 4 * depth), axis=along)
    if max(image.shape[:2]) > SIDE:
        factor = SIDE / max(image.shape[:2])
        size = (max(1, round(image.shape[1] * factor)), max(1, round(image.shape[0] * factor)))
        image = np.asarray(Image.fromarray(np.ascontiguousarray(image)).resize(size))
    return np.asarray(image, np.uint8)


def _zoom(image: NDArray[np.uint8]) -> int:
    """Return the whole number by which to magnify a pair of small pieces."""
    height, width = image.shape[:2]
    return max(1, round(260 / int(max(height, width))))


def cell_name(cell: Cell, many: bool) -> str:
    """Return what people call a cell; the sheet is told where there are several."""
    sheet, row, col = (n + FIRST for n in cell)
    return (f"sheet {sheet}, " if many else "") + f"row {row}, column {col}"


def anchor(cell: Cell) -> str:
    """Return the name of a cell's place in the page."""
    return "cell-" + "-".join(str(n + FIRST) for n in cell)


def _key(cell: Cell) -> str:
    return ",".join(map(str, cell))


def _turns(arrangement: Arrangement, cell: Cell) -> str:
    count = int(arrangement.sheets[cell[0]].turns[cell[1:]])
    return f"{count} turn{'' if count == 1 else 's'}"
