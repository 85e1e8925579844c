"""What a sub-network sees of a piece: its inside near the seam, as numbers about 0."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.errors import InputError
from tessella.networks.architecture import PLANES

LUMA = (0.299, 0.587, 0.114)
"""Weights of red, green and blue in luma (ITU-R BT.601)."""

CENTRE, SPREAD = 128.0, 64.0
"""Pixels enter as ``(x - CENTRE) / SPREAD``."""

FRAME = 4.0
"""A worn frame of t pixels enters as a plane of ``t / FRAME``."""


def window(size: int, eroded: int, rows: int, depth: int, direction: int) -> tuple[slice, slice]:
    """Return which rows and columns of a piece are seen: central rows, columns up to the frame.

    Parameters
    ----------
    direction : `edges.RIGHT` for the piece at the left of a pair, `edges.LEFT` for the other
    """
    inside = size - 2 * eroded
    if inside < max(rows, depth):
        raise InputError(
            f"A piece of {size} px with a worn frame of {eroded} px shows {inside} px; the model "
            f"looks at {rows} x {depth}."
        )
    top = eroded + (inside - rows) // 2
    start = size - eroded - depth if direction == edges.RIGHT else eroded
    return slice(top, top + rows), slice(start, start + depth)


def seen(
    pieces: NDArray[np.uint8], eroded: int, planes: str, rows: int, depth: int, direction: int
) -> NDArray[np.float32]:
    """Return the planes of square pieces ``(A, P, P, 3)``, float32 ``(A, rows, depth, planes)``."""
    down, across = window(pieces.shape[1], eroded, rows, depth, direction)
    pixels = (pieces[:, down, across].astype(np.float32) - CENTRE) / SPREAD
    out = np.empty((*pixels.shape[:3], len(planes)), np.float32)  # (A, rows, depth, planes)
    for i, plane in enumerate(planes):
        kind = PLANES.index(plane)
        if kind < 3:
            out[..., i] = pixels[..., kind]
        elif plane == "y":
            out[..., i] = pixels @ np.array(LUMA, np.float32)
        else:
            out[..., i] = eroded / FRAME
    return out
