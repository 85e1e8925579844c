"""Say that pieces lie right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import TRAY, Change, State


@dataclass(frozen=True)
class Lock:
    """Lock pieces where they lie; no act and no later answer moves them.

    Attributes
    ----------
    pieces : which
    """

    pieces: tuple[int, ...]

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        del facts
        for piece in self.pieces:
            state.check_piece(piece)
            if state.spot(piece).sheet == TRAY:
                raise Refused(f"Piece {piece} lies in the tray; lay it in a cell to lock it.")
        return [state.change("lock", piece, True) for piece in self.pieces]
