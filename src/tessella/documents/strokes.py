"""Strokes of ink that go on across a seam, each counted once however long it is.

A picture that happens to end at a cut leaves a long run of ink with nothing beside it. Counted in
pixels it outweighs a caption of which every letter goes on; counted in strokes it is one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SHARE = 0.5
"""A stroke goes on if so much of it finds ink on the other side."""


def strokes_that_go_on(right: NDArray[np.bool_], left: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count strokes that go on less those that do not, for every pair of borders, ``(A, B)``.

    Parameters
    ----------
    right : where the right borders of A columns have ink, ``(A, H)``
    left : the same of the left borders of B columns, ``(B, H)``
    """
    return _strokes(right, left) + _strokes(left, right).T


def _strokes(border: NDArray[np.bool_], other: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count strokes of `border` that other borders have less those they have not, ``(A, B)``."""
    ends = np.pad(np.cumsum(other, axis=1), ((0, 0), (1, 0)))  # (B, H + 1)
    made = np.zeros((len(border), len(other)), np.int64)
    for i, ink in enumerate(border):
        step = np.diff(ink.astype(np.int8), prepend=0, append=0)
        begins, stops = np.flatnonzero(step == 1), np.flatnonzero(step == -1)  # (r,)
        inked = ends[:, stops] - ends[:, begins] >= SHARE * (stops - begins)  # (B, r)
        made[i] = np.where(inked, 1, -1).sum(axis=1)
    return made
