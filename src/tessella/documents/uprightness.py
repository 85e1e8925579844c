"""Which end of a page is up: more letters rise above a line of print than hang below it.

In Latin print ascenders, capitals and figures are several times as frequent as descenders. The core
of a line is where its rows are dark; the ink just above it is weighed against the ink just below.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from tessella.arrangement import EMPTY, Sheet
from tessella.documents.strips import INK, Strips

_ROWS = 3300
"""Pages are looked at with about so many rows, at which a line is some 40 rows high."""

_LINE = 41
_CORE = 0.5  # of the darkest row of a line
_HEIGHTS = (8, 40)  # rows that the core of a line may have: rules are thinner, pictures higher
_REACH = 0.6  # of the core's height, above and below it
_FAINT = 0.01
_BLUR = 2.0


def uprightness(puzzle: Strips, cells: Sheet) -> float:
    """Return how surely a row of strips stands upright as it lies: below 0 for upside down.

    Clean strips are looked at together, ragged ones, which lie higher or lower, one by one.
    """
    rows = [
        _profile(puzzle.one(piece, turns))
        for piece, turns in zip(cells.piece[0].tolist(), cells.turns[0].tolist(), strict=True)
        if piece != EMPTY
    ]
    if puzzle.rims is not None:
        return sum(overhang(row) for row in rows)
    total = np.zeros(max(map(len, rows), default=0))
    for row in rows:
        total[: len(row)] += row
    return overhang(total / max(1, len(rows)))


def _profile(strip: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the share of ink in every row of a strip ``(h, w)``, brought to about `_ROWS` rows."""
    fold = max(1, round(strip.shape[0] / _ROWS))
    rows = strip.shape[0] // fold * fold
    ink = (np.maximum(INK - strip[:rows].astype(np.float64), 0) / INK).mean(axis=1)  # (h,)
    return np.asarray(ink.reshape(-1, fold).mean(axis=1))


def overhang(ink: NDArray[np.float64]) -> float:
    """Return how much more ink lies above the lines of print than below, given rows ``(h,)``."""
    soft = gaussian_filter1d(ink, _BLUR)
    core = (soft > _CORE * maximum_filter1d(soft, _LINE)) & (soft > _FAINT)
    change = np.diff(np.concatenate([[0], core.astype(np.int8), [0]]))
    below = np.concatenate([[0.0], np.cumsum(ink)])  # ink in the rows before each
    total = 0.0
    tops, ends = (np.flatnonzero(change == sign).tolist() for sign in (1, -1))
    for top, end in zip(tops, ends, strict=True):
        if _HEIGHTS[0] <= end - top <= _HEIGHTS[1]:
            reach = max(4, int(_REACH * (end - top)))
            high, low = max(0, top - reach), min(len(ink), end + reach)
            total += (below[top] - below[high]) - (below[low] - below[end])
    return float(total)
