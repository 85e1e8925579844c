"""Take some pieces of a sheet to one of their own."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from tessella.studio.acts._moving import moved
from tessella.studio.acts.new_sheet import NewSheet
from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import TRAY, Change, Spot, State


@dataclass(frozen=True)
class SplitSheet:
    """Lay pieces of one sheet on a new one, as they lay; those of the tray row by row.

    Attributes
    ----------
    sheet : from where; -1 is the tray
    pieces : which
    """

    sheet: int
    pieces: tuple[int, ...]

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        made = NewSheet().changes(state, facts)
        after = State(state.pieces, state.tables)
        after.apply(made)
        number = after.sheets()[-1]
        for piece in self.pieces:
            state.check_piece(piece)
            if state.spot(piece).sheet != self.sheet:
                raise Refused(f"Piece {piece} does not lie on sheet {self.sheet + 1}.")
        return [*made, *moved(after, facts, self._spots(state, number))]

    def _spots(self, state: State, number: int) -> dict[int, Spot]:
        """Return where the pieces come to lie on the new sheet."""
        if self.sheet != TRAY:
            return {piece: replace(state.spot(piece), sheet=number) for piece in self.pieces}
        across = math.ceil(math.sqrt(len(self.pieces)))
        return {
            piece: Spot(number, k // across, k % across, state.spot(piece).turns)
            for k, piece in enumerate(self.pieces)
        }
