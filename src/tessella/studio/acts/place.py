"""Lay pieces in cells: one, or many at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tessella.studio.acts._moving import moved
from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import Change, Spot, State


@dataclass(frozen=True)
class Place:
    """Lay every piece in its cell; who lay there before goes to the tray.

    Attributes
    ----------
    pieces : which
    sheet : on which sheet
    rows, cols : in which cells, one for each piece
    turns : turned how, one for each piece; as they are when left out
    """

    pieces: tuple[int, ...]
    sheet: int
    rows: tuple[int, ...]
    cols: tuple[int, ...]
    turns: tuple[int, ...] | None = None

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        turns = self.turns
        if turns is None:
            turns = tuple(state.spot(piece).turns for piece in self.pieces)
        counts = {len(self.pieces), len(self.rows), len(self.cols), len(turns)}
        if len(counts) > 1 or len(set(self.pieces)) < len(self.pieces):
            raise Refused("Every piece needs one row, one column and one turn, and comes once.")
        every = zip(self.pieces, self.rows, self.cols, turns, strict=True)
        return moved(state, facts, {p: Spot(self.sheet, r, c, t) for p, r, c, t in every})
