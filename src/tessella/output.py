"""The files of a result: pictures, lists, report, record."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tessella import confidence
from tessella.arrangement import Sheet
from tessella.claim import Kind, claimed, staged
from tessella.files import write_json
from tessella.imaging.read import PIXELS_MAX, write_image
from tessella.imaging.render import render
from tessella.imaging.strips_render import render_strips, write_pdf
from tessella.placement import write_placement
from tessella.provenance import provenance
from tessella.puzzle import Puzzle
from tessella.report import write_report
from tessella.result import Result
from tessella.strips import Strips

TITLE = "Reassembled by tessella"


CUT = Kind("truth.json", ("puzzle",))
_DRAWN = ("assembled.png", "assembled-[0-9][0-9][0-9].png")
_LISTS = ("arrangement.json", "placement.csv", "report.html")
SOLVED = Kind("run.json", (*_LISTS, *_DRAWN, "pages.pdf"))
DEMO = Kind("run.json", (*SOLVED.others, "puzzle", "truth.json", "score.json"))


def write_result(
    folder: Path | str, puzzle: Puzzle, result: Result, *, title: str = TITLE, force: bool = False
) -> None:
    """Write `result` as the command ``tessella solve`` does: pictures, lists, report."""
    folder = Path(folder)
    with claimed(folder, SOLVED, force=force), staged(folder, SOLVED) as stage:
        write_files(stage, puzzle, result, title=title)


def write_files(
    folder: Path,
    puzzle: Puzzle,
    result: Result,
    *,
    title: str = TITLE,
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Write all files of a result into `folder`, ``run.json`` last.

    Parameters
    ----------
    facts : what ``run.json`` tells besides
    """
    arrangement = result.arrangement
    judged = confidence.to_json(result.joins, arrangement)
    value = arrangement.to_json(puzzle.names) | {"confidence": judged}
    write_json(folder / "arrangement.json", value)
    write_placement(folder / "placement.csv", arrangement, puzzle.names)
    drawn = _drawable(puzzle, result)
    for number, sheet in enumerate(arrangement.sheets, 1):
        name = "assembled.png" if number == 1 else f"assembled-{number:03d}.png"
        _draw(folder / name, drawn, sheet)
    if isinstance(drawn, Strips):
        sheets = arrangement.sheets
        write_pdf(folder / "pages.pdf", [render_strips(drawn, sheet) for sheet in sheets])
    write_report(folder / "report.html", drawn, result, title=title)
    write_json(folder / SOLVED.marker, _record(puzzle, result, facts or {}))


def _draw(path: Path, puzzle: Puzzle, sheet: Sheet) -> None:
    """Write a sheet as a picture; strips are grey."""
    if isinstance(puzzle, Strips):
        write_image(path, render_strips(puzzle, sheet))
    else:
        write_image(path, render(puzzle, sheet))


def _record(puzzle: Puzzle, result: Result, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return what ``run.json`` holds."""
    kind = {}
    if isinstance(puzzle, Strips):
        pages = len(result.arrangement.sheets)
        kind = {"kind": "strips", "pages": pages, "notes": list(puzzle.notes)}
    known = {
        **kind,
        "pieces": len(puzzle),
        "piece_height": puzzle.piece_size[0],
        "piece_width": puzzle.piece_size[1],
        "upright": puzzle.upright,
        "shape": puzzle.shape,
        "eroded": puzzle.eroded,
    }
    return {"version": 1, "puzzle": known, **result.to_json(), **provenance().to_json(), **facts}


def _drawable(puzzle: Puzzle, result: Result) -> Puzzle:
    """Return the puzzle, its pieces made smaller if a sprawling sheet would be too large to draw.

    A long search must not end without an answer because its picture is too large.
    """
    if isinstance(puzzle, Strips):
        return puzzle  # as many pixels as were read
    most = max(sheet.piece.size for sheet in result.arrangement.sheets)
    size = puzzle.piece_size
    if most * math.prod(size) <= PIXELS_MAX:
        return puzzle
    factor = math.sqrt(PIXELS_MAX / most / math.prod(size))
    height, width = (max(2, int(side * factor)) for side in size)
    smaller = [np.array(Image.fromarray(piece).resize((width, height))) for piece in puzzle.pieces]
    return replace(puzzle, pieces=np.stack(smaller), eroded=0)
