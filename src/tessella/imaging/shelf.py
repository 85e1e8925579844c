"""Shelves: several pictures in one, side by side and row by row, about as wide as high."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tessella.imaging.render import WHITE, Color
from tessella.puzzle import Shape

Place = tuple[int, int]
"""Top and left."""


def places(sizes: Sequence[Shape], gap: int) -> tuple[list[Place], Shape]:
    """Return where pictures of these heights and widths stand, and the size of the whole.

    >>> places([(10, 20), (10, 20), (4, 4)], 2)
    ([(0, 0), (12, 0), (12, 22)], (22, 26))
    """
    area = sum((height + gap) * (width + gap) for height, width in sizes)
    room = max(math.isqrt(round(1.2 * area)), *(width for _, width in sizes))
    corners: list[Place] = []
    top = left = depth = widest = 0
    for height, width in sizes:
        if left and left + width > room:
            top, left, depth = top + depth + gap, 0, 0
        corners.append((top, left))
        depth, widest = max(depth, height), max(widest, left + width)
        left += width + gap
    return corners, (top + depth, widest)


def shelved(
    pictures: Sequence[NDArray[np.uint8]], gap: int = 6, background: Color = WHITE
) -> NDArray[np.uint8]:
    """Return `pictures`, RGB ``(h, w, 3)`` each, in one picture, in their order."""
    corners, size = places([(p.shape[0], p.shape[1]) for p in pictures], gap)
    whole = np.empty((*size, 3), np.uint8)
    whole[:] = background
    for (top, left), picture in zip(corners, pictures, strict=True):
        whole[top : top + picture.shape[0], left : left + picture.shape[1]] = picture
    return whole
