"""Wishes as a spreadsheet: one row a tile, as a museum keeps its lists.

``locked`` says how sure a row is. *yes*: the tile lies there. Empty: what the row says is written
on the tile's back, as far as it can be read: a panel, a row, a column, each by itself. *no*: the
row is no wish. A list with the column ``sheet`` in place of ``panel`` is a placement list that
somebody went on with: there a row is a wish if it is locked, and only then.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tessella.errors import FormatError, InputError, shown
from tessella.placement import FIRST, SURE
from tessella.wishes.names import Names
from tessella.wishes.wish import Code, Fixed, Pair, Wishes, is_number

COLUMNS = ("file", "panel", "row", "col", "turns", "locked", "note")
YES = {"yes", "y", "true", "1", "x", "ja", "oui", "si", "sí", "sim"}
NO = {"no", "n", "false", "0", "nein", "non", "não", "nao"}


@dataclass(frozen=True)
class _Row:
    """One row, read: people's counting is undone."""

    piece: int
    panel: str | None
    row: int | None
    col: int | None
    turns: int | None
    locked: bool | None


def read_spreadsheet(path: Path, names: Names, *, upright: bool, several: bool = False) -> Wishes:
    """Read a CSV file; commas, semicolons or tabs, with or without a byte order mark.

    Parameters
    ----------
    upright : whether no piece is turned, so that a locked row needs no turns
    several : whether there may be several sheets, so that a locked row without a panel is on any
    """
    try:
        raw = path.read_bytes()
    except OSError as problem:
        raise FormatError(f"Cannot read {path}: {problem.strerror or problem}.") from problem
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", errors="replace")  # As spreadsheets of Windows write it.
    return wishes_from_csv(text, names, upright=upright, several=several)


def wishes_from_csv(text: str, names: Names, *, upright: bool, several: bool = False) -> Wishes:
    """Read CSV text; see `read_spreadsheet`."""
    text = text.removeprefix("\ufeff")
    head = text.partition("\n")[0]
    mark = max(",;\t", key=head.count)
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=mark))
    except csv.Error as problem:
        raise FormatError(f"{names.file} is not valid CSV: {problem}.") from problem
    lines = [[cell.strip() for cell in line] for line in lines]
    header = [cell.lower() for cell in lines[0]] if lines else []
    _check_header(header, names)
    rows = [
        _row(dict(zip(header, line, strict=False)), number, names)
        for number, line in enumerate(lines[1:], start=2)
        if any(line)
    ]
    if "sheet" in header:
        rows = [row for row in rows if row.locked]
    return _wishes(rows, names, upright, several)


def _check_header(header: Sequence[str], names: Names) -> None:
    known = {*COLUMNS, "sheet", SURE}
    named = [name for name in header if name]
    wrong = [name for name in named if name not in known]
    if "file" not in named or wrong or len(set(named)) < len(named):
        got = f"got {shown(', '.join(named))!r}" if named else "it is empty"
        raise FormatError(
            f"The first line of {names.file} must name columns of {', '.join(COLUMNS)}, file among "
            f"them; {got}."
        )
    if "sheet" in header and "panel" in header:
        raise FormatError(f"{names.file} has both a column sheet and a column panel; keep one.")


def _row(cells: dict[str, str], number: int, names: Names) -> _Row:
    where = f"Line {number} of {names.file}"

    def count(column: str, first: int, most: int = 10**6) -> int | None:
        text = cells.get(column, "").removesuffix(".0")
        if not text:
            return None
        if not (text.isascii() and text.isdigit()) or not first <= int(text[:9]) <= most:
            raise FormatError(
                f"{where} needs a whole number from {first} under {column}, or nothing; "
                f"got {shown(cells[column])!r}."
            )
        return int(text[:9]) - first

    locked = cells.get("locked", "").casefold()
    if locked and locked not in YES | NO:
        raise FormatError(f"{where} needs yes, no or nothing under locked; got {shown(locked)!r}.")
    try:
        piece = names.piece(cells.get("file", ""))
    except FormatError as problem:
        raise FormatError(f"{where} cannot be used: {problem}") from problem
    row = _Row(
        piece=piece,
        panel=cells.get("panel") or cells.get("sheet") or None,
        row=count("row", FIRST),
        col=count("col", FIRST),
        turns=count("turns", 0, 3),
        locked=locked in YES if locked else None,
    )
    if row.locked and (row.row is None or row.col is None):
        raise FormatError(f"{where} is locked, which needs a row and a col; fill them in.")
    return row


def _wishes(rows: Sequence[_Row], names: Names, upright: bool, several: bool) -> Wishes:
    """Return what rows say."""
    sheets = _numbered([row.panel for row in rows if row.locked and row.panel])
    fixed: list[Fixed] = []
    turned: list[Pair] = []
    codes: list[Code] = []
    for row in rows:
        if row.locked is False:
            continue
        turns = 0 if upright and row.turns is None else row.turns
        if row.locked and turns is not None and (row.panel or not several):
            sheet = sheets[row.panel] if row.panel else 0
            fixed.append(Fixed(row.piece, sheet, row.row or 0, row.col or 0, turns))
            if row.panel and not row.panel.isdigit():
                codes.append(Code(row.piece, panel=row.panel))
            continue
        if row.row is not None or row.col is not None or row.panel:
            codes.append(Code(row.piece, row.row, row.col, row.panel))
        if row.turns is not None or (row.locked and turns is not None):
            turned.append((row.piece, turns or 0))
    try:
        return Wishes(
            fixed=tuple(fixed), upright=tuple(turned), codes=tuple(codes), names=names.known
        )
    except InputError as problem:
        raise FormatError(f"{names.file} cannot be used: {problem}") from problem


def _numbered(panels: Sequence[str]) -> dict[str, int]:
    """Return the sheet of every panel: its number, or for a name the first that nobody has."""
    sheets = {panel: int(panel[:6]) - FIRST for panel in panels if is_number(panel)}
    free = (n for n in range(len(panels) + len(sheets) + 1) if n not in set(sheets.values()))
    for panel in panels:
        if panel not in sheets:
            sheets[panel] = next(free)
    return sheets
