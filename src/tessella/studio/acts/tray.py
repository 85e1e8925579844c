"""Take pieces off the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tessella.studio.acts._moving import moved
from tessella.studio.facts import Facts
from tessella.studio.state import TRAY, Change, Spot, State


@dataclass(frozen=True)
class Tray:
    """Put pieces into the tray.

    Attributes
    ----------
    pieces : which
    """

    pieces: tuple[int, ...]

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        for piece in self.pieces:
            state.check_free(piece)
        spots = {p: Spot(TRAY, 0, 0, state.spot(p).turns) for p in self.pieces}
        return moved(state, facts, spots)
