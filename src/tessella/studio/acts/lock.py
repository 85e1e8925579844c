"""Say that pieces lie right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tessella.studio.acts._moving import moved
from tessella.studio.acts.new_sheet import SHEETS_MAX
from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import TRAY, Change, Spot, State


@dataclass(frozen=True)
class Lock:
    """Lock pieces where they lie, or were seen; no act and no later answer moves them.

    Attributes
    ----------
    pieces : which
    spots : where the person saw each: sheet, row, column and turns. One that lies elsewhere by now
        is laid there, and who lies there takes its place; where they lie when left out
    """

    pieces: tuple[int, ...]
    spots: tuple[tuple[int, ...], ...] | None = None

    @property
    def says_where(self) -> bool:
        """Whether it holds wherever the pieces were laid since they were seen."""
        return self.spots is not None

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        for piece in self.pieces:
            state.check_piece(piece)
        seen = self._seen(state)
        for piece, spot in seen.items():
            if spot.sheet == TRAY:
                raise Refused(f"Piece {piece} lies in the tray; lay it in a cell to lock it.")
        elsewhere = {p: spot for p, spot in seen.items() if spot != state.spot(p)}
        new = sorted({spot.sheet for spot in elsewhere.values()} - set(state.sheets()))
        if new and not 0 <= new[0] <= new[-1] < SHEETS_MAX:
            raise Refused(f"Sheets are 0 to {SHEETS_MAX - 1}; got {new[0]}.")
        moves = moved(state, facts, elsewhere | _exchanged(state, elsewhere), new)
        made = [state.change("sheet", number, {"name": ""}) for number in new]
        return [*made, *moves, *(state.change("lock", piece, True) for piece in self.pieces)]

    def _seen(self, state: State) -> dict[int, Spot]:
        if self.spots is None:
            return {piece: state.spot(piece) for piece in self.pieces}
        if len(self.spots) != len(self.pieces) or any(len(spot) != 4 for spot in self.spots):
            raise Refused("Every piece needs one spot: sheet, row, column and turns.")
        return {p: Spot(*spot) for p, spot in zip(self.pieces, self.spots, strict=True)}


def _exchanged(state: State, moving: Mapping[int, Spot]) -> dict[int, Spot]:
    """Return where those go who lie in the cells that are wanted: where the others came from."""
    wanted = {(spot.sheet, spot.row, spot.col) for spot in moving.values()}
    spots = {}
    for piece, spot in moving.items():
        other = state.cells.get((spot.sheet, spot.row, spot.col))
        here = state.spot(piece)
        free = here.sheet != TRAY and (here.sheet, here.row, here.col) not in wanted
        if other is not None and other not in moving and free:
            spots[other] = Spot(here.sheet, here.row, here.col, state.spot(other).turns)
    return spots
