"""Say that a piece does not belong in a cell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tessella.studio.acts._moving import moved
from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import REACH, TRAY, Change, Spot, State


@dataclass(frozen=True)
class Bar:
    """Bar a piece from a cell; if it lies there, it goes to the tray.

    Attributes
    ----------
    piece : which
    sheet, row, col : from where
    barred : False takes it back
    """

    piece: int
    sheet: int
    row: int
    col: int
    barred: bool = True

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        state.check_piece(self.piece)
        state.check_sheet(self.sheet)
        if max(abs(self.row), abs(self.col)) > REACH:
            raise Refused(f"Rows and columns lie within {REACH} of 0.")
        cell = f"{self.piece}:{self.sheet}:{self.row}:{self.col}"
        changes = [state.change("bar", cell, self.barred or None)]
        if self.barred and state.cells.get((self.sheet, self.row, self.col)) == self.piece:
            spot = Spot(TRAY, 0, 0, state.spot(self.piece).turns)
            changes += moved(state, facts, {self.piece: spot})
        return changes
