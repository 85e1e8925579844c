"""Lay one sheet beside another, as one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tessella.studio.acts._moving import moved
from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import Change, Spot, State


@dataclass(frozen=True)
class MergeSheets:
    """Lay the pieces of a sheet on another, and take the empty one away.

    Attributes
    ----------
    sheet : whose pieces move
    into : where to
    row, col : where the upper left corner of the moving pieces comes to lie; to the right of what
        lies there when left out
    """

    sheet: int
    into: int
    row: int | None = None
    col: int | None = None

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        state.check_sheet(self.sheet)
        state.check_sheet(self.into)
        if self.sheet == self.into:
            raise Refused("A sheet cannot be merged with itself.")
        held, there = state.held(self.sheet), state.held(self.into)
        top = min((row for row, _ in there), default=0) if self.row is None else self.row
        left = max((col + 1 for _, col in there), default=0) if self.col is None else self.col
        first_row = min((row for row, _ in held), default=0)
        first_col = min((col for _, col in held), default=0)
        spots = {
            piece: Spot(
                self.into, row - first_row + top, col - first_col + left, state.spot(piece).turns
            )
            for (row, col), piece in held.items()
        }
        for spot in spots.values():
            if (spot.row, spot.col) in there:
                raise Refused(
                    f"Row {spot.row + 1}, column {spot.col + 1} of sheet {self.into + 1} is taken; "
                    "merge them elsewhere."
                )
        moves = moved(state, facts, spots)
        return [*moves, state.change("sheet", self.sheet, None)] if self.sheet else moves
