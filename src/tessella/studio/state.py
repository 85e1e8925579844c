"""State: what lies where, what is locked, joined, forbidden and noted; the fold of all changes.

Everything is held in named tables of plain JSON values under text keys, and a change says what one
entry was and what it is now. So any act can be undone by its changes alone, and a project made by
an older version is read without its code.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from tessella.studio.errors import Refused

TRAY = -1
"""The sheet of pieces that lie on no sheet."""

STEPS = ((0, 1), (-1, 0), (0, -1), (1, 0))
"""The row and the column that lie in a direction: right, top, left, bottom."""

REACH = 1_000_000
"""Rows and columns lie within this of 0."""

TABLES = ("place", "lock", "sheet", "join", "bar", "note", "asked", "code", "lie", "about")
"""place: [sheet, row, col, turns] of a piece; lock: true for a piece that stays;
sheet: {name} of a sheet; join: "joined" or "forbidden" for two edges "e-f"; bar: true for a piece
that must not lie in a cell "piece:sheet:row:col"; note: a text for "piece:3", "join:e-f" or
"sheet:0"; asked: what a person said about "e-f"; code: what is written on a piece's back;
lie: of a strip on a page [gap, shift, before]: pixels between it and the strip `before` it, -1 for
none, and by which it is moved down;
about: what is known of the whole puzzle, and of the last answer."""


class Change(NamedTuple):
    """One entry of a table, before and after; None where there is none."""

    table: str
    key: str
    before: Any
    after: Any

    def undone(self) -> Change:
        """Return the change that takes this one back."""
        return Change(self.table, self.key, self.after, self.before)


@dataclass(frozen=True)
class Spot:
    """Where a piece lies: a sheet or the tray, a cell of it, and turned how."""

    sheet: int
    row: int
    col: int
    turns: int

    def to_json(self) -> list[int]:
        """Return what the table `place` holds."""
        return [self.sheet, self.row, self.col, self.turns]


class State:
    """All tables, and which piece lies in which cell.

    Attributes
    ----------
    pieces : how many pieces the project has
    tables : by name, key -> value
    cells : (sheet, row, col) -> piece; made from the table `place`
    """

    def __init__(self, pieces: int, tables: dict[str, dict[str, Any]] | None = None) -> None:
        self.pieces = pieces
        self.tables: dict[str, dict[str, Any]] = {name: {} for name in TABLES}
        self.cells: dict[tuple[int, int, int], int] = {}
        for name, entries in (tables or {}).items():
            self.tables[name] = dict(entries)
        for key, (sheet, row, col, _) in self.tables["place"].items():
            if sheet != TRAY:
                self.cells[sheet, row, col] = int(key)

    def apply(self, changes: Iterable[Change]) -> None:
        """Take up changes; what they say was before is not looked at."""
        moved = []
        for change in changes:
            table = self.tables.setdefault(change.table, {})
            if change.table == "place":
                moved.append(change)
                self._lift(int(change.key), table.get(change.key))
            if change.after is None:
                table.pop(change.key, None)
            else:
                table[change.key] = change.after
        for change in moved:  # only now: pieces may have changed places
            if change.after is not None and change.after[0] != TRAY:
                sheet, row, col, _ = change.after
                self.cells[sheet, row, col] = int(change.key)

    def _lift(self, piece: int, spot: list[int] | None) -> None:
        if spot is not None and self.cells.get((spot[0], spot[1], spot[2])) == piece:
            del self.cells[spot[0], spot[1], spot[2]]

    def change(self, table: str, key: object, after: Any) -> Change:
        """Return the change that makes an entry `after`."""
        return Change(table, str(key), self.tables[table].get(str(key)), after)

    def spot(self, piece: int) -> Spot:
        """Return where a piece lies; at first all lie in the tray."""
        return Spot(*self.tables["place"].get(str(piece), (TRAY, 0, 0, 0)))

    def locked(self, piece: int) -> bool:
        """Whether a piece must stay as it lies."""
        return str(piece) in self.tables["lock"]

    def sheets(self) -> list[int]:
        """Return the numbers of all sheets; the first is always there."""
        return sorted({0, *map(int, self.tables["sheet"])})

    def used(self) -> set[int]:
        """Return the sheets on which something lies, or of which something was said."""
        lying = {sheet for sheet, _, _ in self.cells}
        barred = {int(key.split(":")[1]) for key in self.tables["bar"]}
        about = (key.partition(":") for key in self.tables["note"])
        return lying | barred | {int(which) for what, _, which in about if what == "sheet"}

    def held(self, sheet: int) -> dict[tuple[int, int], int]:
        """Return the pieces of a sheet by row and column."""
        return {(r, c): piece for (s, r, c), piece in self.cells.items() if s == sheet}

    def check_piece(self, piece: int) -> None:
        """Raise unless there is such a piece."""
        if not 0 <= piece < self.pieces:
            raise Refused(f"The project has pieces 0 to {self.pieces - 1}; got {piece}.")

    def check_sheet(self, sheet: int) -> None:
        """Raise unless there is such a sheet."""
        if sheet not in self.sheets():
            raise Refused(f"There is no sheet {sheet + 1}; make one first.")

    def check_free(self, piece: int) -> None:
        """Raise if a piece is locked."""
        self.check_piece(piece)
        if self.locked(piece):
            raise Refused(f"Piece {piece} is locked; unlock it first.")

    def to_json(self) -> dict[str, dict[str, Any]]:
        """Return the tables that hold something."""
        return {name: entries for name, entries in self.tables.items() if entries}

    def same(self, other: State) -> bool:
        """Whether both hold the same."""
        return self.to_json() == other.to_json() and self.cells == other.cells


def pair(first: int, second: int) -> str:
    """Return the key of two edges, whichever comes first.

    >>> pair(9, 4)
    '4-9'
    """
    low, high = sorted((first, second))
    return f"{low}-{high}"


def parted(key: str) -> tuple[int, int]:
    """Return the two edges of a key.

    >>> parted("4-9")
    (4, 9)
    """
    low, _, high = key.partition("-")
    return int(low), int(high)
