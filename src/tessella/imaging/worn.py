"""Worn sides: how many of the outermost pixels of pieces show nothing of the picture.

A black frame, mortar, the bed of a scanner or a joint all around: such lines run along the side
without what the piece shows inside. They are found from all pieces together. A joint that only
covers part of the sides, or shows the picture through, is left in: there the measure for tiles
finds more with it than without.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.puzzle import Puzzle

WIDEST = 0.2
"""The widest frame that is looked for, as a share of a piece's shorter side."""

EMPTY = 0.4
"""A line along the side is empty if its contrast is below this share of that inside: median of all
sides. Of the real panels cut as they are, the outermost line has 0.61 to 0.98
(scripts/worn_frames.py)."""

MIXED = 2.5
"""A line at which the picture changes that many times as fast as inside is a mixture of frame and
picture, as resizing makes it."""

SMALLEST = 12
"""Of smaller pieces too little is left inside to compare with."""

_LUMA = np.array((0.299, 0.587, 0.114), np.float32)
_SAMPLE = 400
_PLAIN = 2.0
"""Pieces with less contrast than this say nothing."""


def find(puzzle: Puzzle) -> int:
    """Return how many pixels at every side show nothing of the picture; 0 where all do.

    Examples
    --------
    >>> find(Puzzle(np.zeros((4, 20, 20, 3), np.uint8)))
    0
    """
    contrast, change = profile(puzzle)
    width = 0
    while width < len(contrast) - 2 and contrast[width] < EMPTY:
        width += 1
    # Between frame and picture one line may be both, and change fast on either side.
    if width and min(change[width - 1], change[width]) > MIXED:
        width += 1
    return width if width < len(contrast) - 2 else 0


def profile(puzzle: Puzzle) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the contrast of the outer lines and their change to the next, medians of all sides.

    Returns
    -------
    as shares of what is usual inside the pieces, ``(lines,)`` each, the outermost first; none where
    pieces are too small, or too plain, to say
    """
    nothing = np.empty(0)
    if min(puzzle.piece_size) < SMALLEST:
        return nothing, nothing
    contrast, change = _lines(puzzle.pieces[:: max(1, len(puzzle) // _SAMPLE)])
    if not len(contrast):
        return nothing, nothing
    return np.median(contrast, axis=0), np.median(change, axis=0)


def _lines(pieces: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the contrast along the outer lines of all sides, and the change to the next line.

    Returns
    -------
    as shares of what is usual inside the piece, ``(sides, lines)`` each, the outermost first
    """
    gray = pieces.astype(np.float32) @ _LUMA  # (N, H, W)
    deep = max(4, round(WIDEST * min(gray.shape[1:]))) + 2
    contrasts, changes = [], []
    for turn in range(4):
        side = np.rot90(gray, turn, (1, 2))
        margin = min(deep, side.shape[1] // 3)
        inner = side[:, margin : side.shape[1] - margin, margin : side.shape[2] - margin]
        usual = inner.std(axis=1).mean(axis=1)
        moving = np.abs(np.diff(inner, axis=2)).mean(axis=(1, 2))
        textured = usual > _PLAIN
        rows = side[textured][:, margin : side.shape[1] - margin]
        contrasts.append(rows[:, :, :deep].std(axis=1) / usual[textured, None])
        steps = np.abs(np.diff(rows[:, :, : deep + 1], axis=2)).mean(axis=1)
        changes.append(steps / np.maximum(moving[textured, None], 0.5))
    return np.concatenate(contrasts), np.concatenate(changes)
