"""How strips lie on a page that is to be read: by how much each slipped, seen by lines of print.

Lines of print stand equally high on both sides of a cut. How much lower they stand on the next
strip is the lag at which the ink of both, row by row, agrees best. Strips of unequal height may
have lost their tops, over the scan's end: then they are looked at with their lower ends level too.
Where there is hardly any print nothing is known, and a strip stays near where it is.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import scipy
from numpy.typing import NDArray

from tessella import edges
from tessella.arrangement import EMPTY, Sheet
from tessella.documents.strips import Strips

SKIP, DEEP = 3, 40
"""Columns behind a side that are looked at: from, and up to."""

LAG = 15
"""Rows that a strip may lie lower, or higher, than the one before it."""

SURE = 0.5
"""Correlation from which on two sides show the same lines."""

LEAST = 5.0
"""Rows full of ink without which a side says nothing."""

LIKELY = 6.0
"""Pixels that strips usually slip."""

Floats = NDArray[np.float64]


def laid(puzzle: Strips, sheet: Sheet) -> Sheet:
    """Return a page with the shift of every strip filled in, by which its lines become level."""
    row = list(zip(sheet.piece[0].tolist(), sheet.turns[0].tolist(), strict=True))
    slips = [
        (place, *_slip(puzzle, one, two))
        for place, (one, two) in enumerate(pairwise(row))
        if EMPTY not in (one[0], two[0])
    ]
    shift = -np.rint(_settled(len(row), slips)).astype(np.int32)
    return Sheet(sheet.piece, sheet.turns, sheet.gap, shift[None])


def _slip(puzzle: Strips, one: tuple[int, int], two: tuple[int, int]) -> tuple[float, float]:
    """Return by how much the right strip lies lower than the left, and how much that weighs."""
    left, right = (
        ink_by_row(puzzle, *strip, direction)
        for strip, direction in ((one, edges.RIGHT), (two, edges.LEFT))
    )
    if min(left.sum(), right.sum()) < LEAST:
        return 0.0, 0.0
    left, right = left - left.mean(), right - right.mean()
    longer = int(puzzle.sizes[two[0], 0]) - int(puzzle.sizes[one[0], 0])
    every = [_lag(left, right, about) for about in ((0, longer) if abs(longer) > LAG else (0,))]
    return max(every, key=lambda pair: pair[1])


def _lag(left: Floats, right: Floats, about: int) -> tuple[float, float]:
    """Return the lag near `about` at which ink agrees best, and how well; 0 where it does not."""
    room = LAG + abs(about)
    inside = slice(room, len(left) - room)
    if inside.stop - inside.start < LAG:
        return 0.0, 0.0
    lags = range(about - LAG, about + LAG + 1)
    agreement = np.array([_correlation(left[inside], np.roll(right, -lag)[inside]) for lag in lags])
    best = int(agreement.argmax())
    if not 0 < best < 2 * LAG or agreement[best] < SURE:
        return 0.0, 0.0
    before, middle, after = agreement[best - 1 : best + 2]
    bent = before - 2 * middle + after
    part = 0.5 * (before - after) / bent if bent < 0 else 0.0
    return lags[best] + part, float(agreement[best])


def ink_by_row(puzzle: Strips, piece: int, turns: int, direction: int) -> Floats:
    """Return how much ink there is in every row behind the side that faces `direction`."""
    edge = np.array([4 * piece + (direction - turns) % 4], np.int32)
    seen = puzzle.facing(edge, direction)[0, :, :, 0]
    seen = seen[:, ::-1] if direction == edges.RIGHT else seen
    wide = min(DEEP, max(1, int(puzzle.sizes[piece, 1]) // 2))
    near = seen[:, min(SKIP, wide - 1) : wide].astype(np.float64)
    ink = (np.clip(235 - near, 0, None) / 235).mean(axis=1)
    return np.asarray(scipy.ndimage.gaussian_filter1d(ink, 1.5))


def _correlation(one: Floats, two: Floats) -> float:
    norm = float(np.sqrt((one @ one) * (two @ two)))
    return float(one @ two) / norm if norm > 0 else 0.0


def _settled(count: int, slips: list[tuple[int, float, float]]) -> Floats:
    """Return how low every strip lies, ``(count,)``, near 0 where nothing is known.

    Least squares: differences are as seen, each with its weight, and strips rather stay.
    """
    steps = np.zeros(count)  # of tops that were lost, which is no slip to rather leave alone
    for left, slip, _ in slips:
        steps[left + 1] = slip if abs(slip) > LAG else 0.0
    home = np.cumsum(steps)
    matrix, wanted = np.eye(count) / LIKELY**2, (home - np.median(home)) / LIKELY**2
    for left, slip, weight in slips:
        pair = np.array([left, left + 1])
        matrix[np.ix_(pair, pair)] += weight * np.array([[1.0, -1.0], [-1.0, 1.0]])
        wanted[pair] += weight * slip * np.array([-1.0, 1.0])
    return np.asarray(np.linalg.solve(matrix, wanted))
