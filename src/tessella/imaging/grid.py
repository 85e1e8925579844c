"""A picture as a grid of pieces, and back."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tessella.errors import InputError
from tessella.puzzle import Shape

Pixel = TypeVar("Pixel", bound=np.generic)

PIECE_MIN = 2
"""A piece has at least this many pixels each way."""


def tiles(image: NDArray[Pixel], piece: Shape) -> tuple[NDArray[Pixel], Shape]:
    """Cut `image` from its top-left corner, in reading order; a remainder is dropped.

    Parameters
    ----------
    image : ``(H, W, 3)``, or a mask, ``(H, W)``
    piece : height and width of a piece

    Returns
    -------
    pieces ``(rows * cols, h, w, 3)``, or ``(rows * cols, h, w)``, and (rows, cols)
    """
    height, width = piece
    if min(piece) < PIECE_MIN:
        raise InputError(
            f"A piece needs at least {PIECE_MIN} x {PIECE_MIN} px; got {height} x {width}."
        )
    rows, cols = image.shape[0] // height, image.shape[1] // width
    if rows == 0 or cols == 0:
        raise InputError(
            f"A picture of {image.shape[0]} x {image.shape[1]} px (height x width) is smaller "
            f"than one piece of {height} x {width} px; give a smaller piece size."
        )
    used = image[: rows * height, : cols * width]
    rest = image.shape[2:]
    grid = used.reshape(rows, height, cols, width, *rest).swapaxes(1, 2)  # (rows, cols, h, w, ...)
    return grid.reshape(rows * cols, height, width, *rest), (rows, cols)
