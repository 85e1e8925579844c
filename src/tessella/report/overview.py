"""The overview: all sheets at a glance, by size or by sureness, before any of them is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tessella.arrangement import EMPTY, Arrangement
from tessella.confidence import DOUBTFUL, Join
from tessella.imaging.render import overview
from tessella.placement import FIRST
from tessella.puzzle import Puzzle
from tessella.report.embed import photograph

SHOWN = 300
"""So many sheets are listed; the others are in placement.csv."""

SECTIONS = 48
"""So many sheets have a section of their own."""

SIDE = 112
"""Longest side of a sheet's picture here, in pixels."""


@dataclass(frozen=True)
class Line:
    """What is told of a sheet.

    Attributes
    ----------
    sure : mean confidence of its joins; None where it has none
    doubtful : how many of its joins lie below `DOUBTFUL`
    wrong : how many may be wrong
    """

    number: int
    pieces: int
    shape: tuple[int, int]
    sure: float | None
    doubtful: int
    wrong: float


def lines(
    arrangement: Arrangement, joins: Sequence[Join], numbers: Sequence[int]
) -> tuple[Line, ...]:
    """Return what there is to tell of sheets `numbers`, the largest first."""
    count = len(arrangement.sheets)
    sheet = np.array([join.sheet for join in joins], np.int64)
    sure = np.array([join.confidence for join in joins], np.float64)
    total = np.bincount(sheet, minlength=count)
    right = np.bincount(sheet, weights=sure, minlength=count)
    doubtful = np.bincount(sheet, weights=sure < DOUBTFUL, minlength=count)
    made = [
        Line(
            number,
            int((arrangement.sheets[number].piece != EMPTY).sum()),
            arrangement.sheets[number].shape,
            float(right[number] / total[number]) if total[number] else None,
            int(doubtful[number]),
            float(total[number] - right[number]),
        )
        for number in numbers
    ]
    return tuple(sorted(made, key=lambda line: (-line.pieces, line.number)))


def overview_section(
    puzzle: Puzzle, arrangement: Arrangement, joins: Sequence[Join], numbers: Sequence[int]
) -> str:
    """Return the section that lists sheets `numbers`; nothing where there is one."""
    if len(numbers) < 2:
        return ""
    listed = lines(arrangement, joins, numbers)
    rows = "".join(
        _row(puzzle, arrangement, line, place) for place, line in enumerate(listed[:SHOWN])
    )
    more = (
        f" The {SHOWN} largest are listed; <a href='placement.csv'>placement.csv</a> has all."
        if len(listed) > SHOWN
        else ""
    )
    head = "".join(
        f"<th scope='col'><button type='button' data-column='{k}' data-up='{up}'>{name}</button>"
        "</th>"
        for k, (name, up) in enumerate(
            (("pieces", -1), ("mean confidence", 1), ("doubtful joins", -1), ("may be wrong", -1)),
            2,
        )
    )
    return (
        f"<section id='overview'><h2>All {len(listed)} sheets</h2><p>A join below {DOUBTFUL:.2f} "
        "counts as doubtful; how many may be wrong is the sum of all doubts. The headings sort."
        f"{more}</p><div class='scroll' tabindex='0' role='region' aria-label='All sheets'>"
        "<table class='overview'><thead><tr><th scope='col'>sheet</th><th scope='col'>rows × "
        f"columns</th>{head}<td></td></tr></thead><tbody>{rows}</tbody></table></div></section>"
    )


def _row(puzzle: Puzzle, arrangement: Arrangement, line: Line, place: int) -> str:
    picture = overview(puzzle, arrangement.sheets[line.number], SIDE)
    height, width = picture.shape[:2]
    called = f"sheet {line.number + FIRST}"
    linked = f"<a href='#sheet-{line.number + FIRST}'>{called}</a>" if place < SECTIONS else called
    sure = "" if line.sure is None else f"{line.sure:.3f}"
    cells = (str(line.pieces), sure, str(line.doubtful), f"{line.wrong:.1f}")
    return (
        f"<tr><th scope='row'>{linked}</th><td>{line.shape[0]} × {line.shape[1]}</td>"
        + "".join(f"<td>{cell}</td>" for cell in cells)
        + f"<td><img src='{photograph(picture, quality=72)}' width='{width}' height='{height}' "
        f"alt='{called}' loading='lazy'></td></tr>"
    )
