"""Take up what the solver answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tessella.studio.acts._verdicts import FORBIDDEN
from tessella.studio.errors import Refused
from tessella.studio.facts import Facts
from tessella.studio.state import STEPS, TRAY, Change, Spot, State, parted


@dataclass(frozen=True)
class Answer:
    """Lay all pieces as an answer says, around those that are locked or kept: they stay.

    What a person said after the search began holds too: of pieces that must not lie so, one goes
    to the tray.

    Attributes
    ----------
    pieces : of every sheet, cell by cell in reading order, -1 where empty
    turns : of every sheet, the same
    cols : how many columns every sheet has
    fitness : how good the solver thinks the answer is
    seconds : how long it took
    stopped : whether it was ended early
    kept : pieces that a person moved while the answer was sought
    lies : of strips on pages piece, gap, shift and the piece before it; see `Sheet`
    """

    pieces: tuple[tuple[int, ...], ...]
    turns: tuple[tuple[int, ...], ...]
    cols: tuple[int, ...]
    fitness: float = 0.0
    seconds: float = 0.0
    stopped: bool = False
    kept: tuple[int, ...] = ()
    lies: tuple[tuple[int, ...], ...] = ()

    @property
    def records(self) -> bool:
        """Whether it is an event though nothing changes: a search ended, and found the same."""
        return True

    def summary(self) -> dict[str, Any]:
        """Return everything but the cells, which the changes hold."""
        told = {"fitness": self.fitness, "seconds": self.seconds, "stopped": self.stopped}
        return {**told, "kept": list(self.kept)} if self.kept else told

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes."""
        spots = self.spots(state, facts)
        moves = []
        for piece in range(state.pieces):
            spot = spots.get(piece, Spot(TRAY, 0, 0, state.spot(piece).turns))
            if spot != state.spot(piece):
                moves.append(state.change("place", piece, spot.to_json()))
        new = {spot.sheet for spot in spots.values()} - {*state.sheets(), TRAY}
        made = [state.change("sheet", number, {"name": ""}) for number in sorted(new)]
        told = state.change("about", "answer", self.summary())
        return [*moves, *made, *self._lying_so(state), told]

    def _lying_so(self, state: State) -> list[Change]:
        """Return the changes that say by how much strips lie apart and were shifted."""
        if any(len(lie) != 4 for lie in self.lies):
            raise Refused("A strip lies by four numbers: piece, gap, shift and the one before it.")
        after = {str(piece): list(lie) for piece, *lie in self.lies}
        return [state.change("lie", key, after.get(key)) for key in {*state.tables["lie"], *after}]

    def spots(self, state: State, facts: Facts) -> dict[int, Spot]:
        """Return where every piece comes to lie; those left out go to the tray."""
        for piece in self.kept:
            state.check_piece(piece)
        facts = facts.told(state.tables["about"].get("known"))
        stay = {p: state.spot(p) for p in {*map(int, state.tables["lock"]), *self.kept}}
        spots = _around(self._laid(state, facts), stay)
        for piece in _amiss(state, spots, stay):
            spots.pop(piece, None)
        return spots

    def _laid(self, state: State, facts: Facts) -> dict[int, Spot]:
        """Return where every piece is to lie, each sheet brought to what stays on it."""
        counts = {len(self.pieces), len(self.turns), len(self.cols)}
        if len(counts) > 1 or min(self.cols, default=1) < 1:
            raise Refused("Every sheet of an answer needs pieces, turns and columns.")
        sheets = [self._cells(state, number) for number in range(len(self.cols))]
        lying = self._lying(state, facts)
        brought = [_brought(cells, lying, facts) for cells in sheets]
        anchored = {where for where, _ in brought if where is not None}
        free = iter(n for n in range(len(sheets) + len(anchored)) if n not in anchored)
        spots: dict[int, Spot] = {}
        taken: set[int] = set()
        for where, cells in brought:
            sheet = where if where is not None and where not in taken else None
            if sheet is None:
                sheet = next(free)
            taken.add(sheet)
            for piece, spot in cells.items():
                if piece in spots:
                    raise Refused(f"The answer lays piece {piece} twice.")
                spots[piece] = replace(spot, sheet=sheet)
        return spots

    def _lying(self, state: State, facts: Facts) -> dict[int, Spot]:
        """Return the pieces that say where the sheets of the answer lie."""
        locked = map(int, state.tables["lock"])
        every: Iterable[int] = () if facts.shape or not self.kept else state.cells.values()
        return {p: state.spot(p) for p in (list(locked) or every)}

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


def _brought(
    cells: Mapping[int, Spot], lying: Mapping[int, Spot], facts: Facts
) -> tuple[int | None, Mapping[int, Spot]]:
    """Turn and shift a sheet as a whole so that as many pieces as can be lie where they lay.

    Returns
    -------
    the number of the sheet that it then is, None where nothing says so; and its cells
    """
    quarters = (0,) if facts.upright else (0, 1, 2, 3) if facts.square else (0, 2)
    votes: Counter[tuple[int, int, int, int]] = Counter()
    framed = _framed(lying.values(), facts.shape)
    for piece in sorted(cells.keys() & lying.keys()):
        there = lying[piece]
        times = (there.turns - cells[piece].turns) % 4
        if times in quarters:
            here = _turned(cells[piece], times)
            votes[there.sheet, times, there.row - here.row, there.col - here.col] += 1
    for (sheet, times, down, right), _ in votes.most_common():
        turned = {piece: _turned(spot, times) for piece, spot in cells.items()}
        shifted = {p: replace(s, row=s.row + down, col=s.col + right) for p, s in turned.items()}
        frame = facts.shape if times % 2 == 0 or facts.shape is None else facts.shape[::-1]
        if not framed or _framed(shifted.values(), frame):
            return sheet, shifted
    return None, cells


def _framed(spots: Iterable[Spot], shape: tuple[int, int] | None) -> bool:
    """Whether the shape is known and all pieces lie in its cells."""
    return shape is not None and all(
        0 <= spot.row < shape[0] and 0 <= spot.col < shape[1] for spot in spots
    )


def _turned(spot: Spot, times: int) -> Spot:
    for _ in range(times):
        spot = Spot(spot.sheet, -spot.col, spot.row, (spot.turns + 1) % 4)
    return spot


def _around(lying: Mapping[int, Spot], stay: Mapping[int, Spot]) -> dict[int, Spot]:
    """Return where pieces lie when some stay: who lay in their cells goes where they would lie."""
    held = {_cell(spot) for spot in stay.values()}
    spots = {p: s for p, s in lying.items() if p not in stay and _cell(s) not in held}
    spots |= stay
    taken = {_cell(spot) for spot in spots.values()}
    at = {_cell(spot): piece for piece, spot in lying.items()}
    for piece, spot in stay.items():
        other, free = at.get(_cell(spot)), lying.get(piece)
        if other is None or other in stay or free is None or _cell(free) in taken:
            continue
        spots[other] = replace(free, turns=lying[other].turns)
        taken.add(_cell(free))
    return spots


def _amiss(state: State, spots: Mapping[int, Spot], stay: Mapping[int, Spot]) -> list[int]:
    """Return pieces that cannot lie so: barred from their cells, or beside whom they must not."""
    found = []
    for key in state.tables["bar"]:
        piece, *cell = map(int, key.split(":"))
        if piece in spots and piece not in stay and _cell(spots[piece]) == tuple(cell):
            found.append(piece)
    for key, word in state.tables["join"].items():
        first, second = parted(key)
        if word == FORBIDDEN and _meet(spots, first, second):
            found += [p for p in (second // 4, first // 4) if p not in stay][:1]
    return found


def _meet(spots: Mapping[int, Spot], first: int, second: int) -> bool:
    """Whether two edges lie against each other."""
    here, there = spots.get(first // 4), spots.get(second // 4)
    if here is None or there is None or TRAY in (here.sheet, there.sheet):
        return False
    direction = (first + here.turns) % 4
    down, right = STEPS[direction]
    beside = here.sheet, here.row + down, here.col + right
    return beside == _cell(there) and (second + there.turns) % 4 == (direction + 2) % 4


def _cell(spot: Spot) -> tuple[int, int, int]:
    return spot.sheet, spot.row, spot.col
