"""Take up what the solver answered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
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

    def told(self) -> dict[str, Any]:
        """Return everything but the cells, which the changes hold."""
        return {"fitness": self.fitness, "seconds": self.seconds, "stopped": self.stopped}

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        del facts
        spots = self._laid(state)
        found = []
        for piece in range(state.pieces):
            spot = spots.get(piece, Spot(TRAY, 0, 0, state.spot(piece).turns))
            if spot == state.spot(piece):
                continue
            if state.locked(piece):
                raise Refused(f"The answer moves piece {piece}, which is locked.")
            found.append(state.change("place", piece, spot.to_json()))
        new = {spot.sheet for spot in spots.values()} - set(state.sheets())
        made = [state.change("sheet", number, {"name": ""}) for number in sorted(new)]
        return [*found, *made, state.change("about", "answer", self.told())]

    def _laid(self, state: State) -> dict[int, Spot]:
        """Return where every piece comes to lie, each sheet shifted to its locked pieces."""
        counts = {len(self.pieces), len(self.turns), len(self.cols)}
        if len(counts) > 1 or min(self.cols, default=1) < 1:
            raise Refused("Every sheet of an answer needs pieces, turns and columns.")
        spots: dict[int, Spot] = {}
        used: set[int] = set()
        shifts = [self._shift(state, number) for number in range(len(self.cols))]
        anchored = {shift[0] for shift in shifts if shift is not None}
        for number, shift in enumerate(shifts):
            free = next(n for n in range(len(shifts) + len(used) + 1) if n not in anchored | used)
            sheet, row, col = shift if shift is not None else (free, 0, 0)
            used.add(sheet)
            for piece, spot in self._cells(number):
                if piece in spots:
                    raise Refused(f"The answer lays piece {piece} twice.")
                state.check_piece(piece)
                spots[piece] = Spot(sheet, spot.row + row, spot.col + col, spot.turns)
        return spots

    def _cells(self, number: int) -> Iterable[tuple[int, Spot]]:
        pieces, turns, cols = self.pieces[number], self.turns[number], self.cols[number]
        if len(pieces) != len(turns) or len(pieces) % cols:
            raise Refused("A sheet of an answer has a turn for every piece, in whole rows.")
        for at, (piece, turn) in enumerate(zip(pieces, turns, strict=True)):
            if piece >= 0:
                yield piece, Spot(number, at // cols, at % cols, turn % 4)

    def _shift(self, state: State, number: int) -> tuple[int, int, int] | None:
        """Return the sheet, and how far to shift, that bring a locked piece to its place."""
        for piece, spot in self._cells(number):
            if 0 <= piece < state.pieces and state.locked(piece):
                there = state.spot(piece)
                return there.sheet, there.row - spot.row, there.col - spot.col
        return None
