"""Worn pieces: the outermost pixels are lost, a black frame stays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.errors import InputError


def erode(pieces: NDArray[np.uint8], width: int) -> NDArray[np.uint8]:
    """Return a copy of `pieces` whose outer `width` pixels on every side are black.

    Parameters
    ----------
    pieces : ``(N, H, W, 3)``
    width : 0 leaves the pieces as they are; at least 2 px of picture must remain
    """
    height, across = pieces.shape[1:3]
    if width < 0 or min(height, across) - 2 * width < 2:
        raise InputError(
            f"Pieces of {height} x {across} px cannot lose {width} px on every side: the loss "
            "must be 0 or more and leave at least 2 px of picture."
        )
    worn = np.zeros_like(pieces)
    kept = (slice(None), slice(width, height - width), slice(width, across - width))
    worn[kept] = pieces[kept]
    return worn
