"""Deep Zoom: every sheet as tiles at all sizes, and a page that shows them by itself."""

from __future__ import annotations

from pathlib import Path

from tessella.arrangement import Sheet
from tessella.exports import Target
from tessella.files import write_text
from tessella.imaging.pyramid import Draw, Pyramid, write_pyramid
from tessella.imaging.render import render
from tessella.puzzle import Puzzle
from tessella.report.viewer import viewer


def write(target: Target) -> None:
    """Write assembled.html, assembled.dzi and assembled_files/, then assembled-002.html, ..."""
    for number, sheet in enumerate(target.arrangement.sheets, 1):
        name = target.named(number, "assembled", "").name
        write_zoomable(target.folder, target.puzzle, sheet, name)


def write_zoomable(folder: Path, puzzle: Puzzle, sheet: Sheet, name: str) -> None:
    """Write the tiles of a sheet and the page that shows them into `folder`."""
    pyramid, draw = puzzle.layout.large(sheet) or _whole(puzzle, sheet)
    write_pyramid(folder, name, pyramid, draw)
    cell = pyramid.height / sheet.shape[0], pyramid.width / sheet.shape[1]
    write_text(folder / f"{name}.html", viewer(name, pyramid, cell, name))


def _whole(puzzle: Puzzle, sheet: Sheet) -> tuple[Pyramid, Draw]:
    """Return a picture that is drawn at once, and how to cut parts out of it."""
    image = render(puzzle, sheet)
    return Pyramid(*image.shape[:2]), lambda top, left, down, across: image[
        top : top + down, left : left + across
    ]
