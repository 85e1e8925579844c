"""Adopting: an answer meets what a person did while it was sought.

Every act holds. Pieces that were moved meanwhile stay where they were laid, and where wishes were
told or taken back the answer is laid anew so that it holds to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.errors import InputError
from tessella.studio import laying, wishing
from tessella.studio.facts import Facts
from tessella.studio.log import Event
from tessella.studio.state import State

if TYPE_CHECKING:
    from tessella.compatibility import Compatibility
    from tessella.puzzle import Puzzle

_WISHES = ("lock", "join", "bar", "code")


class Meanwhile:
    """What a person did since a search began.

    Attributes
    ----------
    told : whether wishes were told, or taken back
    """

    def __init__(self, state: State) -> None:
        self.told = False
        self._before = dict(state.tables["place"])
        self._moved: set[int] = set()

    def hear(self, event: Event) -> None:
        """Take note of what was done."""
        if event.by != "person":
            return
        moved = {int(change.key) for change in event.changes if change.table == "place"}
        if event.act in ("undo", "retract") or event.args.get("by") == "solver":
            self._moved -= moved  # taken back: it rests on nobody's word
        else:
            self._moved |= moved
        self.told |= any(
            change.table in _WISHES or change.key == "known" for change in event.changes
        )

    def kept(self, state: State) -> tuple[int, ...]:
        """Return the pieces that a person laid elsewhere."""
        place = state.tables["place"]
        return tuple(
            sorted(p for p in self._moved if place.get(str(p)) != self._before.get(str(p)))
        )


def refitted(
    answer: Mapping[str, Any],
    kept: tuple[int, ...],
    state: State,
    facts: Facts,
    puzzle: Puzzle,
    compatibility: Compatibility,
) -> dict[str, Any]:
    """Return an answer laid anew, as little as can be, so that it holds to what was said since.

    As it was, where there is no way; then the act `answer` sees to what was said.
    """
    from tessella.wishes.contradictions import check_wishes
    from tessella.wishes.honouring import laid_anew

    still = State(state.pieces, state.tables)
    for piece in kept:
        if str(piece) in still.tables["place"] and still.spot(piece).sheet >= 0:
            still.tables["lock"][str(piece)] = True
    wishes = wishing.wishes(still, laying.laid(still), facts)
    if wishes is None:
        return dict(answer)
    known = puzzle.layout.known().with_panels(wishing.panels(still, facts))
    try:
        held = check_wishes(wishes.called(puzzle.names), known)
        anew = plain(laid_anew(arrangement_of(answer), held, compatibility))
        return {**anew, "lies": answer.get("lies", [])}
    except InputError:
        return dict(answer)


def arrangement_of(answer: Mapping[str, Any]) -> Arrangement:
    """Return the arrangement that the act `answer` is given."""
    every = zip(answer["pieces"], answer["turns"], answer["cols"], strict=True)
    return Arrangement(
        tuple(
            Sheet(np.array(pieces).reshape(-1, cols), np.array(turns).reshape(-1, cols))
            for pieces, turns, cols in every
            if max(pieces, default=EMPTY) != EMPTY
        )
    )


def plain(arrangement: Arrangement) -> dict[str, Any]:
    """Return an arrangement as the act `answer` takes it."""
    return {
        "pieces": [sheet.piece.ravel().tolist() for sheet in arrangement.sheets],
        "turns": [sheet.turns.ravel().tolist() for sheet in arrangement.sheets],
        "cols": [sheet.shape[1] for sheet in arrangement.sheets],
        "lies": [row for sheet in arrangement.sheets for row in _lies(sheet)],
    }


def _lies(sheet: Sheet) -> Iterator[list[int]]:
    """Yield piece, gap, shift and the piece before it of all strips on a page."""
    if sheet.gap is None and sheet.shift is None:
        return
    none = np.zeros_like(sheet.piece)
    gap = none if sheet.gap is None else sheet.gap
    shift = none if sheet.shift is None else sheet.shift
    for (row, col), piece in np.ndenumerate(sheet.piece):
        if piece != EMPTY:
            before = sheet.piece[row, col - 1] if col else EMPTY
            yield [int(each) for each in (piece, gap[row, col], shift[row, col], before)]
