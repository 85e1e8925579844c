"""Lay one sheet beside another, as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tessella.studio.acts._moving import moved
from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import REACH, Change, Spot, State


@dataclass(frozen=True)
class MergeSheets:
    """Lay the pieces of a sheet on another, and take the empty one away.

    Barred cells and the sheet's note go with them, so that no later sheet of that number has them.

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
        down = top - min((row for row, _ in held), default=0)
        right = left - min((col for _, col in held), default=0)
        spots = {
            piece: Spot(self.into, row + down, col + right, state.spot(piece).turns)
            for (row, col), piece in held.items()
        }
        for spot in spots.values():
            if (spot.row, spot.col) in there:
                raise Refused(
                    f"Row {spot.row + 1}, column {spot.col + 1} of sheet {self.into + 1} is taken; "
                    "merge them elsewhere."
                )
        gone = [state.change("sheet", self.sheet, None)] if self.sheet else []
        along = [*self._bars(state, down, right), *self._notes(state)]
        return [*moved(state, facts, spots), *along, *gone]

    def _bars(self, state: State, down: int, right: int) -> Iterator[Change]:
        """Yield what takes bars along; not where nothing lay, or who is barred lies there."""
        empty = not state.held(self.sheet)
        for key in state.tables["bar"]:
            piece, sheet, row, col = map(int, key.split(":"))
            if sheet != self.sheet:
                continue
            yield state.change("bar", key, None)
            row, col = row + down, col + right
            there = state.cells.get((self.into, row, col))
            if not empty and there != piece and max(abs(row), abs(col)) <= REACH:
                yield state.change("bar", f"{piece}:{self.into}:{row}:{col}", True)

    def _notes(self, state: State) -> Iterator[Change]:
        """Yield what adds the sheet's note to that of the other."""
        known, here, there = state.tables["note"], f"sheet:{self.sheet}", f"sheet:{self.into}"
        if here in known:
            both = (known[key] for key in (there, here) if key in known)
            yield state.change("note", there, "\n".join(both))
            yield state.change("note", here, None)
