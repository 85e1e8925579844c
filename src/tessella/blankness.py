"""Blank edges: sides of one colour throughout, as overexposed skies and black borders have.

Such an edge fits every other of its colour, of whatever picture, so that it tells nothing about who
belongs together.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.puzzle import Puzzle

DEEP = 2
"""Lines of pixels that must be of one colour: what measures of gradients look at."""


def blank_edges(puzzle: Puzzle) -> NDArray[np.int32]:
    """Return the colour of every edge that has one alone, exactly, and -1 of all others, ``(4N,)``.

    >>> pieces = np.zeros((1, 8, 8, 3), np.uint8)
    >>> pieces[0, 4, 7] = 1
    >>> blank_edges(Puzzle(pieces)).tolist()
    [-1, 0, 0, 0]
    """
    frame = puzzle.eroded
    height, width = puzzle.piece_size
    inside = puzzle.pieces[:, frame : height - frame, frame : width - frame]
    sides = inside[:, :, -DEEP:], inside[:, :DEEP], inside[:, :, :DEEP], inside[:, -DEEP:]
    colours = []
    for lines in sides:
        first = lines[:, :1, :1]
        colour = first.reshape(-1, 3).astype(np.int32) @ np.array([1 << 16, 1 << 8, 1], np.int32)
        colours.append(np.where((lines == first).all(axis=(1, 2, 3)), colour, -1))
    return np.stack(colours, axis=1).ravel().astype(np.int32)
