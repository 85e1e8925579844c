"""What all acts share that lay pieces: nothing locked moves, and no cell holds two pieces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import REACH, TRAY, Change, Spot, State


def moved(
    state: State, facts: Facts, spots: Mapping[int, Spot], new: Iterable[int] = ()
) -> list[Change]:
    """Return the changes that lay every piece of `spots`; who lay there goes to the tray.

    Sheets that are `new` need not be there yet.
    """
    taken: dict[tuple[int, int, int], int] = {}
    changes = []
    for piece, spot in spots.items():
        if state.spot(piece) != spot:
            state.check_free(piece)
        state.check_piece(piece)
        if spot.sheet not in (TRAY, *new):
            state.check_sheet(spot.sheet)
        check_spot(state, facts, piece, spot)
        if spot.sheet == TRAY:
            spot = Spot(TRAY, 0, 0, spot.turns)
        else:
            cell = (spot.sheet, spot.row, spot.col)
            if cell in taken:
                raise Refused(f"Pieces {taken[cell]} and {piece} cannot lie in one cell.")
            taken[cell] = piece
        if spot != state.spot(piece):  # also of one that lay in the tray from the beginning
            changes.append(state.change("place", piece, spot.to_json()))
    return changes + _displaced(state, taken, spots)


def check_spot(state: State, facts: Facts, piece: int, spot: Spot) -> None:
    """Raise unless a piece can lie so."""
    if max(abs(spot.row), abs(spot.col)) > REACH:
        raise Refused(f"Rows and columns lie within {REACH} of 0; got {spot.row}, {spot.col}.")
    if not 0 <= spot.turns <= 3:
        raise Refused(f"A piece is turned 0 to 3 times; got {spot.turns}.")
    if spot.turns and facts.upright:
        raise Refused("The pieces of this project are upright and are not turned.")
    if spot.turns % 2 and not facts.square:
        raise Refused("The pieces of this project are not square; turn them twice.")
    if f"{piece}:{spot.sheet}:{spot.row}:{spot.col}" in state.tables["bar"]:
        raise Refused(f"Piece {piece} is barred from that cell; take that back first.")


def _displaced(
    state: State, taken: Mapping[tuple[int, int, int], int], moving: Mapping[int, Spot]
) -> list[Change]:
    changes = []
    for cell in taken:
        other = state.cells.get(cell)
        if other is not None and other not in moving:
            state.check_free(other)
            spot = Spot(TRAY, 0, 0, state.spot(other).turns)
            changes.append(state.change("place", other, spot.to_json()))
    return changes
