"""Fragments and left-over pieces: small pictures, apart from the sheets, with their names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tessella.arrangement import EMPTY, Arrangement
from tessella.imaging.render import render, shrunk
from tessella.imaging.unknown import drawn
from tessella.placement import FIRST
from tessella.puzzle import Puzzle
from tessella.report.doubts import anchor
from tessella.report.embed import photograph, text

SHOWN = 200
"""So many fragments, and so many left-over pieces, are drawn; the others are in placement.csv."""

CELL = 72
"""Longest side of a piece in the picture of a fragment, and of a left-over piece, in pixels.

Smaller pieces are shown larger, by a whole number."""


def fragments_section(puzzle: Puzzle, arrangement: Arrangement, numbers: Sequence[int]) -> str:
    """Return the section of all sheets of few pieces; nothing where there are none."""
    if not numbers:
        return ""
    shown = "".join(_fragment(puzzle, arrangement, number) for number in numbers[:SHOWN])
    many = "s" if len(numbers) > 1 else ""
    return (
        f"<section id='fragments'><h2>Fragments</h2><p>{len(numbers)} sheet{many} of few pieces, "
        "which nothing joins to a larger one. <a href='fragments.png'>fragments.png</a> shows "
        f"them in the same order.{_more(len(numbers))}</p>"
        f"<ul class='fragments'>{shown}</ul></section>"
    )


def _fragment(puzzle: Puzzle, arrangement: Arrangement, number: int) -> str:
    sheet = arrangement.sheets[number]
    picture = shrunk(render(puzzle, sheet), CELL * max(sheet.shape))
    height, width = (side * _zoom(puzzle) for side in picture.shape[:2])
    called = f"sheet {number + FIRST}"
    names = ", ".join(
        _name(puzzle, int(sheet.piece[row, col]), int(sheet.turns[row, col]), (number, row, col))
        for row, col in np.argwhere(sheet.piece != EMPTY).tolist()
    )
    return (
        f"<li id='sheet-{number + FIRST}'><div class='map' id='map-{number}' "
        f"data-sheet='{number}' tabindex='0' role='application' aria-label='Placement map of "
        f"{called}; arrow keys move from piece to piece' aria-describedby='readout-{number}' "
        f"style='max-width:{width}px'><img class='picture' src='{photograph(picture)}' "
        f"width='{width}' height='{height}' alt='The pieces put together, {called}'>"
        "<span class='mark mate' hidden></span><span class='mark cursor' hidden></span></div>"
        f"<p><b>Sheet {number + FIRST}</b>: {names}</p>"
        f"<p class='readout' id='readout-{number}' role='status'></p></li>"
    )


def _name(puzzle: Puzzle, piece: int, turns: int, cell: tuple[int, int, int]) -> str:
    turned = f" ↺ {turns}" if turns else ""
    return f"<span id='{anchor(cell)}'>{text(puzzle.names[piece])}{turned}</span>"


def left_over_section(puzzle: Puzzle, loose: Sequence[int]) -> str:
    """Return the section of the pieces that lie on no sheet; nothing where there are none."""
    if not loose:
        return ""
    shown = "".join(_piece(puzzle, piece) for piece in loose[:SHOWN])
    said = "1 piece found" if len(loose) == 1 else f"{len(loose)} pieces found"
    return (
        f"<section id='left-over'><h2>Left over</h2><p>{said} no place on any sheet: "
        "none of their sides fits well enough, or they belong to another picture. They are shown "
        f"as they are in their files.{_more(len(loose))}</p><ul class='loose'>{shown}</ul>"
        "</section>"
    )


def _piece(puzzle: Puzzle, piece: int) -> str:
    name = text(puzzle.names[piece])
    picture = shrunk(np.asarray(drawn(puzzle, piece)), CELL)
    height, width = (side * _zoom(puzzle) for side in picture.shape[:2])
    return (
        f"<li><img src='{photograph(picture)}' width='{width}' height='{height}' "
        f"alt='{name}'><span>{name}</span></li>"
    )


def _zoom(puzzle: Puzzle) -> int:
    return max(1, CELL // max(puzzle.piece_size))


def _more(count: int) -> str:
    if count <= SHOWN:
        return ""
    return (
        f" The first {SHOWN} are shown; <a href='placement.csv'>placement.csv</a> lists all of "
        "them."
    )
