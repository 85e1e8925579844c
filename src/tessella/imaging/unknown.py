"""What is broken off pieces: guessed for measures, never shown to people as if it were there.

Pixels that nobody knows hold the colour of the nearest one that is known, so that no measure takes
a broken corner for a white border. Whoever draws a piece shows the checker that stands for missing
pieces there, or leaves it transparent.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tessella.puzzle import Puzzle, Shape

OPAQUE = 128
"""What is less opaque, of 255, is unknown: more than half of it is not there."""

_CHECKER = (205, 230)


def known_of(alpha: NDArray[np.uint8] | None) -> NDArray[np.bool_] | None:
    """Return what of a picture is known, given how opaque it is, ``(H, W)``; None: all of it."""
    known = None if alpha is None else alpha >= OPAQUE
    return None if known is None or known.all() else known


def filled(image: NDArray[np.uint8], known: NDArray[np.bool_] | None) -> NDArray[np.uint8]:
    """Return a picture whose unknown pixels go on from the nearest that is known.

    A picture of which nothing is known stays as it is.
    """
    if known is None or not known.any():
        return image
    from scipy import ndimage

    rows, cols = ndimage.distance_transform_edt(~known, return_distances=False, return_indices=True)
    return np.asarray(image[rows, cols])


def at_size(known: NDArray[np.bool_], size: Shape) -> NDArray[np.bool_]:
    """Return what is known of a piece, ``(h, w)``, once it is brought to `size`."""
    mask = Image.fromarray(known.astype(np.uint8))
    return np.asarray(mask.resize(size[::-1], Image.Resampling.NEAREST)).astype(np.bool_)


def checker(height: int, width: int) -> NDArray[np.uint8]:
    """Return the picture of a missing piece: a checker in two light greys, ``(h, w, 3)``."""
    square = max(1, min(height, width) // 4)
    odd = (np.arange(height)[:, None] // square + np.arange(width) // square) % 2
    return np.repeat(np.array(_CHECKER, np.uint8)[odd][..., None], 3, axis=2)


def drawn(puzzle: Puzzle, piece: int, turns: int = 0) -> NDArray[np.uint8]:
    """Return a piece as people see it: a checker where it is unknown; strips are grey."""
    image, known = puzzle.one(piece, turns), puzzle.known_of(piece, turns)
    if known is None:
        return image
    return np.where(known[..., None], image, checker(*known.shape))


def cut_out(puzzle: Puzzle, piece: int, turns: int = 0) -> NDArray[np.uint8]:
    """Return a piece with alpha, ``(h, w, 4)``, where some of it is unknown; else as it is."""
    image, known = puzzle.one(piece, turns), puzzle.known_of(piece, turns)
    return image if known is None else np.dstack([image, 255 * known.astype(np.uint8)])
