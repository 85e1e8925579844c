"""From a project's state to an arrangement, and from a person's acts to wishes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.studio.state import State

CELLS_MAX = 4_000_000
"""A sheet that sprawls over more cells is not drawn."""


@dataclass(frozen=True)
class Laid:
    """An arrangement of what lies on the sheets of a project.

    Attributes
    ----------
    arrangement : the sheets that hold pieces; None where all lie in the tray
    origins : of every sheet of it, its number and the row and column of its upper left cell
    """

    arrangement: Arrangement | None
    origins: tuple[tuple[int, int, int], ...]

    def cell(self, sheet: int, row: int, col: int) -> tuple[int, int, int] | None:
        """Return where a cell of the state lies in the arrangement; None where it does not."""
        for number, (name, top, left) in enumerate(self.origins):
            if name == sheet:
                return number, row - top, col - left
        return None


def laid(state: State) -> Laid:
    """Return the arrangement of everything that lies on a sheet."""
    sheets, origins = [], []
    groups: dict[int, list[tuple[int, int, int]]] = {}
    for (number, row, col), piece in state.cells.items():
        groups.setdefault(number, []).append((row, col, piece))
    for number in sorted(groups):
        held = np.array(groups[number])  # (P, 3)
        low, high = held[:, :2].min(axis=0), held[:, :2].max(axis=0)
        shape = tuple((high - low + 1).tolist())
        if shape[0] * shape[1] > CELLS_MAX:
            continue
        cells = np.full(shape, EMPTY, np.int32)
        turns = np.zeros(shape, np.int8)
        at = tuple((held[:, :2] - low).T)
        cells[at] = held[:, 2]
        turns[at] = [state.spot(int(piece)).turns for piece in held[:, 2]]
        sheets.append(Sheet(cells, turns, *_lies(state, cells)))
        origins.append((number, int(low[0]), int(low[1])))
    return Laid(Arrangement(tuple(sheets)) if sheets else None, tuple(origins))


def _lies(
    state: State, cells: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]] | tuple[None, None]:
    """Return gaps and shifts of strips; a gap counts beside the strip that it was told of."""
    known = state.tables["lie"]
    if not known:
        return None, None
    gap, shift = np.zeros_like(cells), np.zeros_like(cells)
    for (row, col), piece in np.ndenumerate(cells):
        if piece != EMPTY and (lie := known.get(str(piece))) is not None:
            before = cells[row, col - 1] if col else EMPTY
            gap[row, col] = lie[0] if before == lie[2] else 0
            shift[row, col] = lie[1]
    return gap, shift
