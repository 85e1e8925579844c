"""The page: all parts of a report in one self-contained HTML file."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from tessella import sureness
from tessella.arrangement import EMPTY, unplaced
from tessella.files import write_text
from tessella.imaging.render import scrambled, shrunk
from tessella.placement import FIRST
from tessella.puzzle import Puzzle
from tessella.report import facts
from tessella.report.doubts import doubts
from tessella.report.embed import data, part, photograph, text
from tessella.report.evolution import evolution_section, has_evolution
from tessella.report.fragments import fragments_section, left_over_section
from tessella.report.overview import SECTIONS, overview_section
from tessella.report.sheets import PICTURE_SIDE, map_data, sheet_section
from tessella.result import Result


def write_report(
    path: Path, puzzle: Puzzle, result: Result, *, title: str = "Reassembled by tessella"
) -> None:
    """Write the report of `result` to `path`, one HTML file that works offline.

    It shows the pieces before and after, which file lies in which cell, a heatmap of local
    fitness, the most doubtful joins, the evolution where there was one, and all settings. It links
    to the other files of a run by name: assembled.png, placement.csv, arrangement.json, run.json.
    """
    result.arrangement.fits(len(puzzle))
    write_text(path, page(puzzle, result, title))


def page(puzzle: Puzzle, result: Result, title: str) -> str:
    """Return the report of `result` as HTML text."""
    script = part("script.js")
    cells = map_data(puzzle, result.compatibility, result.arrangement, result.joins)
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<meta http-equiv='Content-Security-Policy' content=\"{_policy(script)}\">"
        f"<title>{text(title)}</title><style>{part('style.css')}</style></head><body>"
        f"<header><h1>{text(title)}</h1>{facts.headline(puzzle, result)}"
        f"{facts.notices(puzzle, result)}{_contents(puzzle, result)}</header><main>"
        f"{_body(puzzle, result)}</main>"
        f"<script type='application/json' id='data'>{data(cells)}</script>"
        f"<script>{script}</script></body></html>\n"
    )


def _policy(script: str) -> str:
    """Return the rule that lets this page run its own script and load nothing from anywhere."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )


def _contents(puzzle: Puzzle, result: Result) -> str:
    count, small = len(result.arrangement.sheets), puzzle.layout.fragments(result.arrangement)
    links = [("overview", "all sheets")] if len(_large(puzzle, result)) > 1 else []
    links.append(("before", "as they came"))
    links += [
        (f"sheet-{k + FIRST}", f"sheet {k + FIRST}" if count > 1 else "reassembled")
        for k in _large(puzzle, result)[:12]
    ]
    links += [("fragments", "fragments")] if small else []
    links += [("left-over", "left over")] if _loose(puzzle, result) else []
    links.append(("doubts", "doubtful joins"))
    if has_evolution(puzzle, result):
        links.append(("evolution", "evolution"))
    links.append(("settings", "settings"))
    items = "".join(f"<li><a href='#{place}'>{label}</a></li>" for place, label in links)
    return f"<nav aria-label='Contents'><ul>{items}</ul></nav>"


def _body(puzzle: Puzzle, result: Result) -> str:
    small = puzzle.layout.fragments(result.arrangement)
    large = _large(puzzle, result)
    sections = sorted(_by_size(result, large)[:SECTIONS])
    sheets = [
        sheet_section(puzzle, result.compatibility, result.arrangement, number)
        for number in sections
    ]
    apart = fragments_section(puzzle, result.arrangement, small)
    apart += left_over_section(puzzle, _loose(puzzle, result))
    checked = sureness.checked(result.arrangement, result.odds, result.measure)
    listed = doubts(puzzle, result.arrangement, result.compatibility, result.joins, checked)
    return (
        f"{overview_section(puzzle, result.arrangement, result.joins, large)}"
        f"{_before(puzzle)}{''.join(sheets)}{apart}{_reading()}"
        f"<section id='doubts'><h2>Doubtful joins</h2>{listed}</section>"
        f"{evolution_section(puzzle, result)}"
        f"<section id='settings'><h2>Settings</h2>{facts.settings(result)}"
        "<p>Everything that is needed to repeat this run is in <a href='run.json'>run.json</a>.</p>"
        "</section>"
    )


def _large(puzzle: Puzzle, result: Result) -> list[int]:
    """Return the sheets that are not fragments."""
    small = set(puzzle.layout.fragments(result.arrangement))
    return [number for number in range(len(result.arrangement.sheets)) if number not in small]


def _by_size(result: Result, numbers: list[int]) -> list[int]:
    sheets = result.arrangement.sheets
    return sorted(numbers, key=lambda k: (-int((sheets[k].piece != EMPTY).sum()), k))


def _loose(puzzle: Puzzle, result: Result) -> list[int]:
    return list(unplaced(result.arrangement, len(puzzle)))


def _before(puzzle: Puzzle) -> str:
    picture = shrunk(scrambled(puzzle), PICTURE_SIDE)
    height, width = picture.shape[:2]
    return (
        "<section id='before'><h2>As they came</h2><figure>"
        f"<img class='picture' src='{photograph(picture)}' width='{width}' height='{height}' "
        f"style='max-width:min(100%,36rem)' alt='The pieces before'>"
        "<figcaption>The pieces before anything was moved or turned.</figcaption>"
        "</figure></section>"
    )


def _reading() -> str:
    return (
        "<section id='reading'><h2>How to lay it out</h2><p>Rows count from the top and columns "
        f"from the left, both beginning at {FIRST}. <b>Turns are quarter turns "
        "counter-clockwise</b> to give the piece as it is in its file before laying it down: 1 = a "
        "quarter turn to the left, 2 = upside down, 3 = a quarter turn to the right. "
        "<a href='placement.csv'>placement.csv</a> has one line for every piece (file, sheet, row, "
        "col, turns; blank for a piece that is left over); <a href='arrangement.json'>"
        "arrangement.json</a> holds the same with a confidence for every join.</p></section>"
    )
