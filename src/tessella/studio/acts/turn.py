"""Turn pieces, each in its cell or all as one block."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tessella.studio.acts._moving import moved
from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import TRAY, Change, Spot, State


@dataclass(frozen=True)
class Turn:
    """Turn pieces counter-clockwise.

    Attributes
    ----------
    pieces : which
    times : by so many quarters
    together : as one block about its upper left corner; they must lie on one sheet
    """

    pieces: tuple[int, ...]
    times: int = 1
    together: bool = False

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        for piece in self.pieces:
            state.check_free(piece)
        spots = {piece: state.spot(piece) for piece in self.pieces}
        turned = {
            piece: replace(spot, turns=(spot.turns + self.times) % 4)
            for piece, spot in spots.items()
        }
        return moved(state, facts, self._block(turned) if self.together else turned)

    def _block(self, spots: dict[int, Spot]) -> dict[int, Spot]:
        sheets = {spot.sheet for spot in spots.values()}
        if len(sheets) != 1 or TRAY in sheets:
            raise Refused("Pieces that are turned together must lie on one sheet.")
        for _ in range(self.times % 4):
            top = min(spot.row for spot in spots.values())
            left = min(spot.col for spot in spots.values())
            right = max(spot.col for spot in spots.values())
            spots = {
                piece: replace(spot, row=top + right - spot.col, col=left + spot.row - top)
                for piece, spot in spots.items()
            }
        return spots
