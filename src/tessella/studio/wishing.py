"""From what a person did in a project to what a solver is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tessella.studio.acts._verdicts import FORBIDDEN, JOINED
from tessella.studio.facts import Facts
from tessella.studio.laying import Laid
from tessella.studio.state import TRAY, State, parted

if TYPE_CHECKING:
    from tessella.panels import Panels
    from tessella.wishes import Wishes


def panels(state: State, facts: Facts) -> Panels | None:
    """Return how many sheets are wanted; None where all pieces lie on one."""
    from tessella.panels import Panels

    known = state.tables["about"].get("known")
    count, missing, shape = facts.panels, facts.missing, facts.shape
    if known is not None:
        count, missing = known["panels"] or None, known["missing"]
        shape = None if known["rows"] is None else (known["rows"], known["cols"])
    if facts.kind != "grid" or (count == 1 and not missing):
        return None
    return Panels(count, (shape,) if shape is not None and count == 1 else ())


def wishes(state: State, laid: Laid, facts: Facts) -> Wishes | None:
    """Return locks, joins, forbidden joins, barred cells and codes as wishes; None without any.

    Places count from the upper left cell of what lies on a sheet, as in `laid`. Where the shape
    is known and a sheet does not fill it, nobody knows which cell of the shape that is: then only
    locked neighbours stay together.
    """
    from tessella.wishes import Barred, Code, Fixed, Wishes

    fixed, barred = [], []
    filled = _filled(laid, facts)
    for key in state.tables["lock"]:
        spot = state.spot(int(key))
        where = laid.cell(spot.sheet, spot.row, spot.col)
        if spot.sheet != TRAY and where is not None and filled[where[0]]:
            fixed.append(Fixed(int(key), *where, spot.turns))
    for key in state.tables["bar"]:
        piece, sheet, row, col = map(int, key.split(":"))
        where = laid.cell(sheet, row, col)
        if where is not None and min(where) >= 0:
            barred.append(Barred(piece, *where))
    codes = [
        Code(int(key), told.get("row"), told.get("col"), told.get("panel"))
        for key, told in state.tables["code"].items()
    ]
    said = state.tables["join"]
    made = Wishes(
        fixed=tuple(fixed),
        joined=(
            *(parted(key) for key, word in said.items() if word == JOINED),
            *_neighbours(state, laid, filled),
        ),
        forbidden=tuple(parted(key) for key, word in said.items() if word == FORBIDDEN),
        barred=tuple(barred),
        codes=tuple(codes),
    )
    return made or None


def _filled(laid: Laid, facts: Facts) -> list[bool]:
    """Say of every sheet whether its cells are those of the answer, as far as that is known."""
    if laid.arrangement is None:
        return []
    return [facts.shape is None or sheet.shape == facts.shape for sheet in laid.arrangement.sheets]


def _neighbours(state: State, laid: Laid, filled: list[bool]) -> list[tuple[int, int]]:
    """Return the joins of locked pieces on sheets whose cells are not known."""
    if laid.arrangement is None:
        return []
    found = []
    for sheet, whole in zip(laid.arrangement.sheets, filled, strict=True):
        for first, second in [] if whole else sheet.joins().tolist():
            if state.locked(first // 4) and state.locked(second // 4):
                found.append((first, second))
    return found
