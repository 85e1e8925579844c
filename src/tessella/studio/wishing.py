"""From what a person did in a project to what a solver is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tessella.studio.acts._verdicts import FORBIDDEN, JOINED
from tessella.studio.facts import Facts
from tessella.studio.laying import Laid
from tessella.studio.state import State, parted

if TYPE_CHECKING:
    from tessella.panels import Panels
    from tessella.wishes import Wishes


def panels(state: State, facts: Facts) -> Panels | None:
    """Return how many sheets are wanted; None where all pieces lie on one."""
    from tessella.panels import Panels

    known = facts_of(state, facts)
    if known.kind != "grid" or (known.panels == 1 and not known.missing):
        return None
    shape = known.shape if known.panels == 1 else None
    return Panels(known.panels, () if shape is None else (shape,))


def facts_of(state: State, facts: Facts) -> Facts:
    """Return what is known of the whole by now."""
    return facts.told(state.tables["about"].get("known"))


def wishes(state: State, laid: Laid, facts: Facts) -> Wishes | None:
    """Return locks, joins, forbidden joins, barred cells and codes as wishes; None without any.

    Where the shape is unknown, places count from the upper left cell of what lies on a sheet.
    Where it is known, a sheet whose pieces lie within the shape's cells is bound to them, also
    when it lies on its side; of another nobody knows which cells it has, and only locked
    neighbours stay together.
    """
    from tessella.wishes import Barred, Code, Fixed, Wishes

    fixed, barred = [], []
    facts = facts_of(state, facts)
    frames = [_frame(laid, facts, number) for number in range(len(laid.origins))]
    where = {origin[0]: frames[number] for number, origin in enumerate(laid.origins)}
    for key in state.tables["lock"]:
        spot = state.spot(int(key))
        frame = where.get(spot.sheet)
        if frame is not None:
            fixed.append(Fixed(int(key), *frame.cell(spot.row, spot.col, spot.turns)))
    for key in state.tables["bar"]:
        piece, sheet, row, col = map(int, key.split(":"))
        frame = where.get(sheet)
        if frame is not None and min(cell := frame.cell(row, col, 0)) >= 0:
            barred.append(Barred(piece, *cell[:3]))
    codes = [
        Code(int(key), code.get("row"), code.get("col"), code.get("panel"))
        for key, code in state.tables["code"].items()
    ]
    said = state.tables["join"]
    made = Wishes(
        fixed=tuple(fixed),
        joined=(
            *joined(state),
            *_neighbours(state, laid, frames),
        ),
        forbidden=tuple(parted(key) for key, word in said.items() if word == FORBIDDEN),
        barred=tuple(barred),
        codes=tuple(codes),
    )
    return made or None


def joined(state: State) -> list[tuple[int, int]]:
    """Return the pairs of edges that a person joined."""
    return [parted(key) for key, word in state.tables["join"].items() if word == JOINED]


@dataclass(frozen=True)
class _Frame:
    """How the cells of a sheet are counted in the answer.

    Attributes
    ----------
    sheet : its number there
    top, left : the row and the column, as the project counts, that are 0 there
    cols : where not None, the answer lies turned by a quarter, and the sheet has so many columns
    """

    sheet: int
    top: int
    left: int
    cols: int | None = None

    def cell(self, row: int, col: int, turns: int) -> tuple[int, int, int, int]:
        """Return sheet, row, col and turns in the answer."""
        row, col = row - self.top, col - self.left
        if self.cols is None:
            return self.sheet, row, col, turns
        return self.sheet, self.cols - 1 - col, row, (turns + 1) % 4


def _frame(laid: Laid, facts: Facts, number: int) -> _Frame | None:
    """Return how the cells of a sheet are counted; None where nobody knows."""
    assert laid.arrangement is not None
    _, top, left = laid.origins[number]
    if facts.shape is None:
        return _Frame(number, top, left)
    (rows, cols), shape = facts.shape, laid.arrangement.sheets[number].shape
    if top >= 0 and left >= 0 and top + shape[0] <= rows and left + shape[1] <= cols:
        return _Frame(number, 0, 0)
    if shape == facts.shape:
        return _Frame(number, top, left)
    if shape == (cols, rows) and facts.square and not facts.upright:
        return _Frame(number, top, left, shape[1])
    return None


def _neighbours(state: State, laid: Laid, frames: Sequence[_Frame | None]) -> list[tuple[int, int]]:
    """Return the joins of locked pieces on sheets whose cells are not known."""
    if laid.arrangement is None:
        return []
    joins = []
    for sheet, frame in zip(laid.arrangement.sheets, frames, strict=True):
        for first, second in [] if frame is not None else sheet.joins().tolist():
            if state.locked(first // 4) and state.locked(second // 4):
                joins.append((first, second))
    return joins
