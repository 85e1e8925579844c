"""From what a person did in a project to what a solver is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tessella.studio.acts._verdicts import FORBIDDEN, JOINED
from tessella.studio.laying import Laid
from tessella.studio.state import TRAY, State, parted

if TYPE_CHECKING:
    from tessella.wishes import Wishes


def wishes(state: State, laid: Laid) -> Wishes | None:
    """Return locks, joins, forbidden joins, barred cells and codes as wishes; None without any.

    Places count from the upper left cell of what lies on a sheet, as in `laid`.
    """
    from tessella.wishes import Barred, Code, Fixed, Wishes

    fixed, barred = [], []
    for key in state.tables["lock"]:
        spot = state.spot(int(key))
        where = laid.cell(spot.sheet, spot.row, spot.col)
        if spot.sheet != TRAY and where is not None:
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
        joined=tuple(parted(key) for key, word in said.items() if word == JOINED),
        forbidden=tuple(parted(key) for key, word in said.items() if word == FORBIDDEN),
        barred=tuple(barred),
        codes=tuple(codes),
    )
    return made if fixed or barred or codes or said else None
