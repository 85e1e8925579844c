"""Drawing: an arrangement as a picture, and the pieces as they came."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tessella.arrangement import EMPTY, Sheet
from tessella.documents.render import in_colour, render_strips, scrambled_strips
from tessella.documents.strips import Strips
from tessella.errors import InputError
from tessella.imaging.read import PIXELS_MAX
from tessella.puzzle import Puzzle, Shape

Color = tuple[int, int, int]
WHITE: Color = (255, 255, 255)
_CHECKER = (205, 230)


def render(
    puzzle: Puzzle,
    sheet: Sheet,
    *,
    gap: int = 0,
    background: Color = WHITE,
    missing: Color | None = None,
) -> NDArray[np.uint8]:
    """Draw a sheet: every piece in its cell, turned as the sheet says.

    Parameters
    ----------
    gap : pixels between neighbouring pieces
    background : colour of the gaps
    missing : colour of cells that hold no piece; a grey checker when not given

    Returns
    -------
    RGB, ``(rows * (h + gap) - gap, cols * (w + gap) - gap, 3)``
    """
    if isinstance(puzzle, Strips):
        return in_colour(render_strips(puzzle, sheet, gap=gap))
    _check(puzzle, sheet, gap)
    height, width = puzzle.piece_size
    rows, cols = sheet.shape
    image = np.empty((rows * (height + gap) - gap, cols * (width + gap) - gap, 3), np.uint8)
    image[:] = background
    empty = _checker(height, width) if missing is None else np.array(missing, np.uint8)
    for (row, col), piece in np.ndenumerate(sheet.piece):
        top, left = row * (height + gap), col * (width + gap)
        cell = image[top : top + height, left : left + width]
        if piece == EMPTY:
            cell[:] = empty
        else:
            cell[:] = np.rot90(puzzle.pieces[piece], int(sheet.turns[row, col]))
    return image


def scrambled(puzzle: Puzzle, *, gap: int = 0, background: Color = WHITE) -> NDArray[np.uint8]:
    """Draw the pieces in their given order, in a grid whose picture is nearly square.

    A puzzle whose known shape it fills keeps that shape. Strips lie in one row.
    """
    if isinstance(puzzle, Strips):
        return in_colour(scrambled_strips(puzzle, gap=gap))
    rows, cols = _near_square(puzzle)
    cells = np.full(rows * cols, EMPTY, np.int32)
    cells[: len(puzzle)] = np.arange(len(puzzle))
    sheet = Sheet(cells.reshape(rows, cols), np.zeros((rows, cols), np.int8))
    return render(puzzle, sheet, gap=gap, background=background, missing=background)


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


def _check(puzzle: Puzzle, sheet: Sheet, gap: int) -> None:
    held = sheet.piece != EMPTY
    largest = int(sheet.piece.max())
    if largest >= len(puzzle):
        raise InputError(
            f"The sheet names piece {largest}, but the puzzle has {len(puzzle)} pieces "
            f"(0 to {len(puzzle) - 1})."
        )
    if not puzzle.square and (sheet.turns[held] % 2).any():
        height, width = puzzle.piece_size
        raise InputError(
            f"Pieces of {height} x {width} px can lie with 0 or 2 turns; the sheet turns piece "
            f"{int(sheet.piece[held & (sheet.turns % 2 == 1)][0])} a quarter."
        )
    if gap < 0:
        raise InputError(f"The gap between pieces must be 0 px or more; got {gap}.")
    pixels = math.prod(
        cells * (side + gap) for cells, side in zip(sheet.shape, puzzle.piece_size, strict=True)
    )
    if pixels > PIXELS_MAX:
        raise InputError(
            f"A sheet of {sheet.shape[0]} x {sheet.shape[1]} cells makes a picture of {pixels} "
            f"pixels; at most {PIXELS_MAX} are drawn."
        )


def _checker(height: int, width: int) -> NDArray[np.uint8]:
    """Return the picture of a missing piece: a checker in two light greys, ``(h, w, 3)``."""
    square = max(1, min(height, width) // 4)
    odd = (np.arange(height)[:, None] // square + np.arange(width) // square) % 2
    return np.repeat(np.array(_CHECKER, np.uint8)[odd][..., None], 3, axis=2)


def _near_square(puzzle: Puzzle) -> Shape:
    count = len(puzzle)
    if puzzle.shape is not None and math.prod(puzzle.shape) == count:
        return puzzle.shape
    height, width = puzzle.piece_size
    cols = min(count, max(1, round(math.sqrt(count * height / width))))
    return -(-count // cols), cols
