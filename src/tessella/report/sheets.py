"""The sheets of an answer: picture with file names on every cell, heatmap, table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.compatibility import Compatibility
from tessella.confidence import Join, local_fitness, to_json
from tessella.imaging.render import overview
from tessella.placement import FIRST, printable
from tessella.plots.heatmap import colours, scale_of
from tessella.puzzle import Puzzle
from tessella.report.charts import heatmap_chart
from tessella.report.doubts import anchor
from tessella.report.embed import exact, photograph, text

PICTURE_SIDE = 1600
"""Longest side of a picture in the report, in pixels; less where there are many sheets."""

SHEETS_LARGE = 4
"""How many sheets are shown at full size; more share the room of these."""

AGREES = "How well every piece agrees with its neighbours"

TABLE_CELLS = 1500
"""Above this many cells a sheet's table is left to placement.csv."""

OPEN_CELLS = 60
"""Up to this many cells the table is open from the start."""


def picture_name(number: int, *, large: bool = False) -> str:
    """Return the name of the file that shows a sheet; `number` counts from 0.

    >>> picture_name(0), picture_name(1), picture_name(1, large=True)
    ('assembled.png', 'assembled-002.png', 'assembled-002.html')
    """
    name = "assembled" if number == 0 else f"assembled-{number + FIRST:03d}"
    return f"{name}.{'html' if large else 'png'}"


def sheet_section(
    puzzle: Puzzle, compatibility: Compatibility, arrangement: Arrangement, number: int
) -> str:
    """Return the section of one sheet."""
    sheet = arrangement.sheets[number]
    fitness = local_fitness(compatibility, sheet)
    many = len(arrangement.sheets) > 1
    called = f"sheet {number + FIRST}"
    title = f"Sheet {number + FIRST}" if many else "Reassembled"
    return (
        f"<section id='sheet-{number + FIRST}'><h2>{title}</h2>{_held(sheet) if many else ''}"
        f"{_map(puzzle, sheet, fitness, number, _side(_large(puzzle, arrangement)))}"
        f"{_table(puzzle, sheet, number)}"
        f"{_folded(_heatmap(puzzle, fitness, called), _large(puzzle, arrangement))}</section>"
    )


def _held(sheet: Sheet) -> str:
    """Say how many pieces a sheet has, and how many cells hold none."""
    rows, cols = sheet.shape
    empty = int((sheet.piece == EMPTY).sum())
    holes = f", {empty} of them empty" if empty else ""
    count = sheet.piece.size - empty
    return f"<p>{count} pieces in {rows} × {cols} cells (rows × columns){holes}.</p>"


def _large(puzzle: Puzzle, arrangement: Arrangement) -> int:
    """Return how many sheets are not shown small."""
    return len(arrangement.sheets) - len(puzzle.layout.fragments(arrangement))


def _side(sheets: int) -> int:
    """Return the longest side of a picture, so that many sheets do not make the page heavy."""
    return round(PICTURE_SIDE / math.sqrt(max(1, sheets / SHEETS_LARGE)))


def _map(puzzle: Puzzle, sheet: Sheet, fitness: NDArray[np.float64], number: int, side: int) -> str:
    """Return the picture with a cursor that tells every cell's file."""
    called = f"sheet {number + FIRST}"
    picture = overview(puzzle, sheet, side)
    height, width = picture.shape[:2]
    scaled = width < sheet.shape[1] * puzzle.piece_size[1] // 2
    small = " It is scaled down here; the file is not." if scaled else ""
    file = picture_name(number, large=puzzle.layout.large(sheet) is not None)
    return (
        "<p class='hint'>Point at a piece, or focus the picture and use the arrow keys, to read "
        f"which file lies there. The picture itself is <a href='{file}'>{file}</a>.{small}</p>"
        f"<div class='tools'><fieldset><legend>show</legend>"
        f"<label><input type='radio' name='layer-{number}' value='picture' checked> picture"
        f"</label> <label><input type='radio' name='layer-{number}' value='heat'> local fitness"
        f"</label>"
        f"</fieldset><label class='find'>find a file <input type='search' data-sheet='{number}' "
        "autocomplete='off' spellcheck='false'></label></div>"
        f"<div class='map' id='map-{number}' data-sheet='{number}' tabindex='0' role='application' "
        f"aria-label='Placement map of {called}; arrow keys move from piece to piece' "
        f"aria-describedby='readout-{number}' style='max-width:{max(width, 560)}px'>"
        f"<img class='picture' src='{photograph(picture)}' width='{width}' height='{height}' "
        f"alt='The pieces put together, {called}'>"
        f"<img class='heat' src='{exact(colours(fitness, scale_of(fitness)))}' alt='' hidden>"
        "<span class='mark mate' hidden></span><span class='mark cursor' hidden></span></div>"
        f"<p class='readout' id='readout-{number}' role='status'>&nbsp;</p>"
    )


def _heatmap(puzzle: Puzzle, fitness: NDArray[np.float64], called: str) -> str:
    if not np.isfinite(fitness).any():
        return ""
    drawn = heatmap_chart(fitness, puzzle.piece_size, scale_of(fitness))
    return (
        f"<h3>{AGREES}</h3>"
        f"<figure><img class='plot' src='{drawn}' alt='Heatmap of local fitness, {called}'>"
        "<figcaption>Every cell is a piece; its colour is the mean compatibility with its "
        "neighbours. Brighter agrees better, dark cells deserve a look. The scale begins at the "
        "figure shown, not at 0.</figcaption></figure>"
    )


def _folded(heatmap: str, sheets: int) -> str:
    """Fold a heatmap away where there are many: the picture's layer shows the same."""
    if sheets <= SHEETS_LARGE or not heatmap:
        return heatmap
    return f"<details><summary>{AGREES}</summary>{heatmap}</details>"


def _table(puzzle: Puzzle, sheet: Sheet, number: int) -> str:
    """Return the file names as a grid, or say where they are when it would be too large."""
    rows, cols = sheet.shape
    if rows * cols > TABLE_CELLS:
        return (
            f"<p>A table of {rows} × {cols} file names would be too large for this page: "
            "<a href='placement.csv'>placement.csv</a> lists them all.</p>"
        )
    head = "".join(f"<th scope='col'>{c + FIRST}</th>" for c in range(cols))
    body = "".join(
        f"<tr><th scope='row'>{r + FIRST}</th>"
        + "".join(_cell(puzzle, sheet, (number, r, c)) for c in range(cols))
        + "</tr>"
        for r in range(rows)
    )
    opened = " open" if rows * cols <= OPEN_CELLS else ""
    return (
        f"<details{opened}><summary>All file names as a table</summary><div class='scroll' "
        "tabindex='0' role='region' aria-label='File names'><table class='names'><caption>"
        "↺ 1 means: one quarter turn counter-clockwise.</caption>"
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div></details>"
    )


def _cell(puzzle: Puzzle, sheet: Sheet, cell: tuple[int, int, int]) -> str:
    piece, turns = int(sheet.piece[cell[1:]]), int(sheet.turns[cell[1:]])
    if piece == EMPTY:
        return f"<td id='{anchor(cell)}' class='empty'>empty</td>"
    turned = f" <span>↺ {turns}</span>" if turns else ""
    return f"<td id='{anchor(cell)}'>{text(puzzle.names[piece])}{turned}</td>"


def map_data(
    puzzle: Puzzle, compatibility: Compatibility, arrangement: Arrangement, joins: Sequence[Join]
) -> dict[str, Any]:
    """Return what the page's script needs to tell about every cell."""
    sure = to_json(joins, arrangement)
    sheets = [
        {
            "rows": sheet.shape[0],
            "cols": sheet.shape[1],
            "piece": sheet.piece.ravel().tolist(),
            "turns": "".join(map(str, sheet.turns.ravel().tolist())),
            "fit": _percent(local_fitness(compatibility, sheet)),
            "sure": _whole(sure[number]["piece"]),
            "right": _whole(sure[number]["right"]),
            "down": _whole(sure[number]["down"]),
        }
        for number, sheet in enumerate(arrangement.sheets)
    ]
    return {"first": FIRST, "names": [printable(n) for n in puzzle.names], "sheets": sheets}


def _percent(values: NDArray[np.float64]) -> list[int]:
    """Return hundredths, -1 where there is nothing to tell: short to write, exact to two digits."""
    return (
        np.where(np.isnan(values), -1, np.rint(100 * np.nan_to_num(values)))
        .astype(int)
        .ravel()
        .tolist()
    )


def _whole(table: list[list[float | None]]) -> list[int]:
    return [-1 if v is None else round(100 * v) for row in table for v in row]
