"""Cutting a picture into a puzzle, and keeping the truth apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement
from tessella.errors import InputError
from tessella.imaging.erode import erode as wear
from tessella.imaging.grid import tiles
from tessella.puzzle import Puzzle, Shape
from tessella.truth import Truth, edge_classes


def cut(
    image: NDArray[np.uint8],
    piece: int | Shape = 28,
    *,
    turned: bool = False,
    erode: int = 0,
    seed: int = 0,
) -> tuple[Puzzle, Truth]:
    """Cut `image` into equal pieces from its top-left corner and shuffle them.

    Parameters
    ----------
    image : RGB, ``(H, W, 3)``; what is left over at the right and bottom is dropped
    piece : side of a square piece, or (height, width)
    turned : turn pieces at random: quarter turns, or half turns when not square
    erode : how many pixels every side of every piece loses to a black frame
    seed : of the shuffle and the turns

    Returns
    -------
    the puzzle, whose shape is known, and the truth about it

    Examples
    --------
    >>> puzzle, truth = cut(np.zeros((60, 90, 3), np.uint8), 28)
    >>> len(puzzle), puzzle.shape
    (6, (2, 3))
    """
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise InputError(
            "A picture to cut must be uint8 of shape (height, width, 3); "
            f"got {image.dtype} of shape {image.shape}."
        )
    size = (piece, piece) if isinstance(piece, int) else piece
    ordered, shape = tiles(image, size)
    rng = np.random.default_rng(seed)
    count = len(ordered)
    order = rng.permutation(count)  # piece k is the order[k]-th in reading order
    turns = _random_turns(rng, count, square=size[0] == size[1]) if turned else np.zeros(count, int)
    pieces = wear(_turn_each(ordered[order], turns), erode)
    puzzle = Puzzle(pieces, upright=not turned, shape=shape, eroded=erode)

    where = np.argsort(order)  # which piece lies in each cell
    arrangement = Arrangement.single(where.reshape(shape), (-turns[where] % 4).reshape(shape))
    return puzzle, Truth(arrangement, edge_classes(puzzle))


def _random_turns(rng: np.random.Generator, count: int, *, square: bool) -> NDArray[np.int64]:
    return rng.integers(4, size=count) if square else 2 * rng.integers(2, size=count)


def _turn_each(pieces: NDArray[np.uint8], turns: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Turn piece k counter-clockwise ``turns[k]`` times; odd turns need square pieces."""
    out = pieces.copy()
    for times in (1, 2, 3):
        chosen = turns == times
        if chosen.any():
            out[chosen] = np.rot90(pieces[chosen], times, axes=(1, 2))
    return out
