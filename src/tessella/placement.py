"""The placement list: which file lies where, turned how; for people and their spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tessella.arrangement import EMPTY, Arrangement, unplaced
from tessella.files import write_text

FIRST = 1
"""What people call the first sheet, row and column (files and code count from 0 inside)."""

COLUMNS = ("file", "sheet", "row", "col", "turns")

SURE = "confidence"
"""The column that tells how sure pieces lie right among their neighbours, where that is known."""


@dataclass(frozen=True)
class Place:
    """Where a piece lies; sheet, row and col count from 0."""

    piece: int
    sheet: int
    row: int
    col: int
    turns: int


def places(arrangement: Arrangement) -> Iterator[Place]:
    """Yield the place of every piece that lies somewhere, sheet by sheet, in reading order."""
    for number, sheet in enumerate(arrangement.sheets):
        for row, col in np.argwhere(sheet.piece != EMPTY).tolist():
            piece, turns = int(sheet.piece[row, col]), int(sheet.turns[row, col])
            yield Place(piece, number, row, col, turns)


def printable(name: object) -> str:
    """Return `name` so that it can be written as UTF-8; odd bytes of a file name are spelt out."""
    return str(name).encode("utf-8", "backslashreplace").decode("utf-8")


def to_csv(
    arrangement: Arrangement, names: Sequence[str], sure: Mapping[int, float] | None = None
) -> str:
    """Return the placement list as CSV text.

    Sheet 1, row 1, col 1 is the top left cell of the first sheet; turns are quarter turns
    counter-clockwise to apply to the file's picture. Pieces without a place come last, their
    cells left blank. Where it is told how `sure` pieces lie right, that is a column more.

    >>> print(to_csv(Arrangement.single([[1, 0]]), ["a.png", "b.png"]), end="")
    file,sheet,row,col,turns
    b.png,1,1,1,0
    a.png,1,1,2,0
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS if sure is None else (*COLUMNS, SURE))
    for at in places(arrangement):
        where = (at.sheet + FIRST, at.row + FIRST, at.col + FIRST)
        known = sure is not None and at.piece in sure
        sureness = [] if sure is None else [f"{sure[at.piece]:.3f}" if known else ""]
        writer.writerow((printable(names[at.piece]), *where, at.turns, *sureness))
    blank = [""] * (len(COLUMNS) - 1 + (sure is not None))
    for piece in unplaced(arrangement, len(names)):
        writer.writerow((printable(names[piece]), *blank))
    return text.getvalue()


def write_placement(
    path: Path,
    arrangement: Arrangement,
    names: Sequence[str],
    sure: Mapping[int, float] | None = None,
) -> None:
    """Write the placement list to `path`; see `to_csv`."""
    arrangement.fits(len(names))
    write_text(path, to_csv(arrangement, names, sure))
