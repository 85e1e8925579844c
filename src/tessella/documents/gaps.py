"""Where a strip is missing: two sides are printed, and yet hardly likelier joined than alone.

Lines of print stand equally high on both sides of a missing strip, so that what lies on its left
and right is often put together, rightly as far as reading goes. What tells it is that the join has
no lead over its rivals. Sides without print say nothing: there no gap is looked for.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.arrangement import Sheet
from tessella.documents.lie import LEAST, ink_by_row
from tessella.documents.strips import Strips
from tessella.odds import Odds, Worth
from tessella.odds.worth import RELIEF

SURE = 1.0
"""Logarithm of a join's odds against nobody below which a strip is thought to be missing; see
docs/experiments/documents.md."""


def missing_before(puzzle: Strips, sheet: Sheet, odds: Odds | None) -> NDArray[np.bool_]:
    """Say before which strips of a page another seems to be missing, ``(cells,)``."""
    found = np.zeros(sheet.shape[1], np.bool_)
    right, left = sheet.edges_facing(edges.RIGHT)[0], sheet.edges_facing(edges.LEFT)[0]
    both = np.flatnonzero((right[:-1] >= 0) & (left[1:] >= 0))
    if odds is None or not len(both):
        return found
    pairs = np.stack([right[both], left[both + 1]], axis=1).astype(np.int32)
    held = Worth.by(odds).joins(pairs) - RELIEF
    for place in both[held < SURE].tolist():
        printed = (
            ink_by_row(puzzle, int(sheet.piece[0, at]), int(sheet.turns[0, at]), side).sum()
            for at, side in ((place, edges.RIGHT), (place + 1, edges.LEFT))
        )
        found[place + 1] = min(printed) >= LEAST
    return found


def parted(puzzle: Strips, sheet: Sheet, odds: Odds | None) -> Sheet:
    """Return a page with a gap as wide as a strip before each that another is missing before."""
    wide = round(float(np.median(puzzle.widths())))
    gap = np.where(missing_before(puzzle, sheet, odds), wide, 0)
    return Sheet(sheet.piece, sheet.turns, gap[None].astype(np.int32), sheet.shift)
