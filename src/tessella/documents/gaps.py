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
    missing = np.zeros(sheet.shape[1], np.bool_)
    right, left = sheet.edges_facing(edges.RIGHT)[0], sheet.edges_facing(edges.LEFT)[0]
    both = np.flatnonzero((right[:-1] >= 0) & (left[1:] >= 0))
    if odds is None or not len(both):
        return missing
    pairs = np.stack([right[both], left[both + 1]], axis=1).astype(np.int32)
    held = Worth.by(odds).joins(pairs) - RELIEF
    for place in both[held < SURE].tolist():
        printed = (
            ink_by_row(puzzle, int(sheet.piece[0, at]), int(sheet.turns[0, at]), side).sum()
            for at, side in ((place, edges.RIGHT), (place + 1, edges.LEFT))
        )
        missing[place + 1] = min(printed) >= LEAST
    return missing


def parted(puzzle: Strips, sheet: Sheet, odds: Odds | None, apart: int | None = None) -> Sheet:
    """Return a page with its strips so many pixels apart, and a strip's width more where one lacks.

    Parameters
    ----------
    apart : None where nobody knows; a page that lacks no strip then has no gaps at all
    """
    missing = missing_before(puzzle, sheet, odds)
    if apart is None and not missing.any():
        return Sheet(sheet.piece, sheet.turns, None, sheet.shift)
    wide = round(float(np.median(puzzle.widths())))
    # The missing strip was cut at both its sides.
    gap = np.where(missing, wide + 2 * (apart or 0), apart or 0)
    gap[0] = 0
    return Sheet(sheet.piece, sheet.turns, gap[None].astype(np.int32), sheet.shift)


def holds_strip(gap: NDArray[np.int32], puzzle: Strips) -> NDArray[np.bool_]:
    """Say which gaps have room for a strip, and are not only what a blade took."""
    return np.asarray(2 * gap > int(np.median(puzzle.sizes[:, 1])))
