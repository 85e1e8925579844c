"""Drawing: an arrangement as a picture, and the pieces as they came."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tessella.arrangement import EMPTY, Sheet
from tessella.errors import InputError
from tessella.imaging.resize import drawn_at
from tessella.puzzle import Puzzle

Color = tuple[int, int, int]
WHITE: Color = (255, 255, 255)


def render(
    puzzle: Puzzle,
    sheet: Sheet,
    *,
    gap: int = 0,
    background: Color = WHITE,
    missing: Color | None = None,
) -> NDArray[np.uint8]:
    """Draw a sheet: every piece in its cell, turned as the sheet says; strips lie rim to rim.

    Parameters
    ----------
    gap : pixels between neighbouring pieces
    background : colour of the gaps
    missing : colour of cells that hold no piece; a grey checker when not given

    Returns
    -------
    RGB, ``(rows * (h + gap) - gap, cols * (w + gap) - gap, 3)``
    """
    drawn = puzzle.layout.draw(sheet, gap=gap, background=background, missing=missing)
    return _in_colour(drawn)


def scrambled(puzzle: Puzzle, *, gap: int = 0, background: Color = WHITE) -> NDArray[np.uint8]:
    """Draw the pieces in their given order, in a grid whose picture is nearly square.

    A puzzle whose known shape it fills keeps that shape. Strips lie in one row.
    """
    return _in_colour(puzzle.layout.scrambled(gap=gap, background=background))


def _in_colour(drawn: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return RGB as it is, and greys ``(H, W)`` as RGB."""
    return drawn if drawn.ndim == 3 else np.repeat(drawn[..., None], 3, axis=2)


def overview(puzzle: Puzzle, sheet: Sheet, max_side: int) -> NDArray[np.uint8]:
    """Draw a sheet so that no side exceeds `max_side`, RGB; of a very large one never the whole."""
    if puzzle.layout.large(sheet) is None:
        return shrunk(render(puzzle, sheet), max_side)
    held = np.unique(sheet.piece[sheet.piece != EMPTY])
    longest = max(n * side for n, side in zip(sheet.shape, puzzle.piece_size, strict=True))
    height, width = (max(2, -(-side * max_side // longest)) for side in puzzle.piece_size)
    small = drawn_at(puzzle, held, (height, width), Image.Resampling.BOX)
    cells = np.where(sheet.piece == EMPTY, EMPTY, np.searchsorted(held, sheet.piece))
    return shrunk(small.layout.draw(Sheet(cells.astype(np.int32), sheet.turns)), max_side)


def shrunk(image: NDArray[np.uint8], max_side: int) -> NDArray[np.uint8]:
    """Return `image` scaled down so that no side exceeds `max_side`; small ones stay as they are.

    >>> shrunk(np.zeros((100, 300, 3), np.uint8), 60).shape
    (20, 60, 3)
    """
    if max_side < 1:
        raise InputError(f"A picture's longest side must be at least 1 px; got {max_side}.")
    longest = max(image.shape[:2])
    if longest <= max_side:
        return image
    height, width = (max(1, round(side * max_side / longest)) for side in image.shape[:2])
    smaller = Image.fromarray(image).resize(
        (width, height), Image.Resampling.LANCZOS, reducing_gap=3.0
    )
    return np.array(smaller)
