"""Take up what the solver answered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import TRAY, Change, Spot, State


@dataclass(frozen=True)
class Answer:
    """Lay all pieces as an answer says; locked pieces stay, and the answer is laid around them.

    Attributes
    ----------
    pieces : of every sheet, cell by cell in reading order, -1 where empty
    turns : of every sheet, the same
    cols : how many columns every sheet has
    fitness : how good the solver thinks the answer is
    seconds : how long it took
    stopped : whether it was ended early
    """

    pieces: tuple[tuple[int, ...], ...]
    turns: tuple[tuple[int, ...], ...]
    cols: tuple[int, ...]
    fitness: float = 0.0
    seconds: float = 0.0
    stopped: bool = False

    def summary(self) -> dict[str, Any]:
        """Return everything but the cells, which the changes hold."""
        return {"fitness": self.fitness, "seconds": self.seconds, "stopped": self.stopped}

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        del facts
        spots = self._laid(state)
        moves = []
        for piece in range(state.pieces):
            spot = spots.get(piece, Spot(TRAY, 0, 0, state.spot(piece).turns))
            if spot == state.spot(piece):
                continue
            if state.locked(piece):
                raise Refused(f"The answer moves piece {piece}, which is locked.")
            moves.append(state.change("place", piece, spot.to_json()))
        new = {spot.sheet for spot in spots.values()} - set(state.sheets())
        made = [state.change("sheet", number, {"name": ""}) for number in sorted(new)]
        return [*moves, *made, state.change("about", "answer", self.summary())]

    def _laid(self, state: State) -> dict[int, Spot]:
        """Return where every piece comes to lie, each sheet brought to its locked pieces."""
        counts = {len(self.pieces), len(self.turns), len(self.cols)}
        if len(counts) > 1 or min(self.cols, default=1) < 1:
            raise Refused("Every sheet of an answer needs pieces, turns and columns.")
        sheets = [self._cells(state, number) for number in range(len(self.cols))]
        brought = [_brought(state, cells) for cells in sheets]
        anchored = {where for where, _ in brought if where is not None}
        free = iter(n for n in range(len(sheets) + len(anchored)) if n not in anchored)
        spots: dict[int, Spot] = {}
        for where, cells in brought:
            sheet = next(free) if where is None else where
            for piece, spot in cells.items():
                if piece in spots:
                    raise Refused(f"The answer lays piece {piece} twice.")
                spots[piece] = replace(spot, sheet=sheet)
        return spots

    def _cells(self, state: State, number: int) -> dict[int, Spot]:
        pieces, turns, cols = self.pieces[number], self.turns[number], self.cols[number]
        if len(pieces) != len(turns) or len(pieces) % cols:
            raise Refused("A sheet of an answer has a turn for every piece, in whole rows.")
        spots: dict[int, Spot] = {}
        for at, (piece, turn) in enumerate(zip(pieces, turns, strict=True)):
            if piece < 0:
                continue
            state.check_piece(piece)
            if piece in spots:
                raise Refused(f"The answer lays piece {piece} twice.")
            spots[piece] = Spot(number, at // cols, at % cols, turn % 4)
        return spots


def _brought(state: State, cells: dict[int, Spot]) -> tuple[int | None, dict[int, Spot]]:
    """Turn and shift a sheet as a whole so that a locked piece of it lies where it was locked.

    Returns
    -------
    the number of the sheet that it then is, None where nothing on it is locked; and its cells
    """
    anchor = next((piece for piece in cells if state.locked(piece)), None)
    if anchor is None:
        return None, cells
    there = state.spot(anchor)
    for _ in range((there.turns - cells[anchor].turns) % 4):
        cells = {p: Spot(s.sheet, -s.col, s.row, (s.turns + 1) % 4) for p, s in cells.items()}
    down, right = there.row - cells[anchor].row, there.col - cells[anchor].col
    shifted = {p: replace(s, row=s.row + down, col=s.col + right) for p, s in cells.items()}
    return there.sheet, shifted
