"""Keep a rectangle of a sheet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tessella.studio.acts.tray import Tray
from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import Change, State


@dataclass(frozen=True)
class Crop:
    """Put every piece of a sheet outside a rectangle of cells into the tray.

    Attributes
    ----------
    sheet : which
    top, left, bottom, right : the first and the last row and column that stay
    """

    sheet: int
    top: int
    left: int
    bottom: int
    right: int

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        state.check_sheet(self.sheet)
        if self.top > self.bottom or self.left > self.right:
            raise Refused("A rectangle to keep needs a row and a column at least.")
        outside = tuple(
            piece
            for (row, col), piece in state.held(self.sheet).items()
            if not (self.top <= row <= self.bottom and self.left <= col <= self.right)
        )
        return Tray(outside).changes(state, facts)
