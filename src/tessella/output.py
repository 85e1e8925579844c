"""The files of a result: pictures, lists, report, record."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tessella import confidence
from tessella.arrangement import unplaced
from tessella.claim import Kind, claimed, staged
from tessella.exports.deepzoom import write_zoomable
from tessella.files import write_json
from tessella.imaging.read import write_image
from tessella.layout import SPRAWLING
from tessella.placement import write_placement
from tessella.provenance import provenance
from tessella.puzzle import Puzzle
from tessella.report import write_report
from tessella.report.sheets import picture_name
from tessella.result import Result

TITLE = "Reassembled by tessella"


CUT = Kind("truth.json", ("puzzle",))
_ZOOMED = ("assembled*.html", "assembled*.dzi", "assembled*_files")
_DRAWN = ("assembled.png", "assembled-[0-9][0-9][0-9]*.png", "fragments.png", *_ZOOMED)
_LISTS = ("arrangement.json", "placement.csv", "report.html")
_PIECES = ("puzzle", "contact.png", "collect.json")  # where pictures were collected first
SOLVED = Kind("run.json", (*_LISTS, *_DRAWN, "pages.pdf", *_PIECES))
COLLECTED = Kind("collect.json", ("puzzle", "contact.png", "truth.json"))
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
    loose = list(unplaced(arrangement, len(puzzle)))
    value |= {"left_over": loose} if loose else {}
    write_json(folder / "arrangement.json", value)
    sure = confidence.of_pieces(result.joins)
    write_placement(folder / "placement.csv", arrangement, puzzle.names, sure)
    drawn = puzzle.layout.drawable(arrangement, SPRAWLING)
    small = puzzle.layout.fragments(arrangement)
    for number, sheet in enumerate(arrangement.sheets):
        if number in small:
            continue
        if drawn.layout.large(sheet) is None:
            write_image(folder / picture_name(number), drawn.layout.draw(sheet))
        else:
            write_zoomable(folder, drawn, sheet, Path(picture_name(number)).stem)
    drawn.layout.write_besides(folder, arrangement)
    write_report(folder / "report.html", puzzle, result, title=title)
    write_json(folder / SOLVED.marker, _record(puzzle, result, facts or {}))


def _record(puzzle: Puzzle, result: Result, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return what ``run.json`` holds."""
    known = {
        **puzzle.layout.facts(result.arrangement),
        "pieces": len(puzzle),
        "piece_height": puzzle.piece_size[0],
        "piece_width": puzzle.piece_size[1],
        "upright": puzzle.upright,
        "shape": puzzle.shape,
        "eroded": puzzle.eroded,
    }
    return {"version": 1, "puzzle": known, **result.to_json(), **provenance().to_json(), **facts}
