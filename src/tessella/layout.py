"""Layouts: how the answers to a kind of puzzle lie, are drawn, told and written.

Whoever shows an answer asks `puzzle.layout`, never what kind of puzzle it is. Pieces of a picture
lie in a grid; strips of paper on pages (`tessella.documents.layout`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.errors import InputError
from tessella.imaging.manifest import Manifest
from tessella.imaging.pyramid import Draw, Pyramid
from tessella.imaging.read import PIXELS_MAX, write_image
from tessella.imaging.render import WHITE, Color
from tessella.imaging.resize import drawn_at
from tessella.imaging.shelf import shelved
from tessella.imaging.unknown import checker, drawn
from tessella.puzzle import Puzzle, Shape
from tessella.result import Result
from tessella.sorting import COUNTED
from tessella.wishes import Wishes
from tessella.wishes.facts import Facts

LARGE = 2**26
"""A sheet of more pixels is written as a pyramid of tiles instead of one picture."""

SPRAWLING = 2**32
"""A sheet of more pixels than this, most of them empty cells, is drawn smaller."""

FRAGMENTS = "fragments.png"
"""The file that shows all sheets of few pieces."""

SHOWN = 3
"""Sheets whose shapes are told."""


class Layout(Protocol):
    """What can be asked about answers to one puzzle."""

    def known(self) -> Facts:
        """Return what decides which wishes can be met."""

    def searched(self, wishes: Wishes) -> Wishes:
        """Return what a solver's answer must hold to, before it is `paged`."""

    def paged(self, result: Result, wishes: Wishes | None = None) -> Result:
        """Return a solver's answer as people want it: what lies in one row is cut into pages.

        The pages hold to `wishes`.
        """

    def draw(
        self, sheet: Sheet, *, gap: int = 0, background: Color = WHITE, missing: Color | None = None
    ) -> NDArray[np.uint8]:
        """Draw a sheet, RGB ``(H, W, 3)`` or greys ``(H, W)``; see `tessella.imaging.render`."""

    def large(self, sheet: Sheet) -> tuple[Pyramid, Draw] | None:
        """Return how to draw a sheet part by part; None where one picture will do."""

    def scrambled(self, *, gap: int = 0, background: Color = WHITE) -> NDArray[np.uint8]:
        """Draw the pieces in their given order, RGB or greys."""

    def drawable(self, arrangement: Arrangement, most: int | None = None) -> Puzzle:
        """Return the puzzle, made smaller if a sheet of `arrangement` were too large to draw.

        `most` pixels may be drawn; None: as many as one picture may have.
        """

    def fragments(self, arrangement: Arrangement) -> tuple[int, ...]:
        """Return the sheets of so few pieces that they are shown small, all together."""

    def write_besides(self, folder: Path, arrangement: Arrangement) -> None:
        """Write the files that answers of this kind have besides a picture of every sheet."""

    def described(self, arrangement: Arrangement) -> str:
        """Say in a few words what the sheets are."""

    def facts(self, arrangement: Arrangement) -> dict[str, Any]:
        """Return what ``run.json`` tells about a puzzle of this kind besides."""

    def manifest(self, names: tuple[str, ...]) -> Manifest:
        """Return the puzzle's ``puzzle.json``, its pieces in files called `names`."""


@dataclass(frozen=True, eq=False)
class GridLayout:
    """Pieces of one size in rows and columns."""

    puzzle: Puzzle

    def known(self) -> Facts:
        """Return that there is one sheet, of the puzzle's shape."""
        puzzle = self.puzzle
        return Facts(len(puzzle), puzzle.upright, puzzle.square, puzzle.shape)

    def searched(self, wishes: Wishes) -> Wishes:
        """Return all of them."""
        return wishes

    def paged(self, result: Result, wishes: Wishes | None = None) -> Result:
        """Return the answer as it is: a grid is what solvers lay."""
        del wishes
        return result

    def draw(
        self, sheet: Sheet, *, gap: int = 0, background: Color = WHITE, missing: Color | None = None
    ) -> NDArray[np.uint8]:
        """Draw every piece in its cell, ``(rows * (h + gap) - gap, cols * (w + gap) - gap, 3)``.

        What is unknown of a piece shows the checker, whatever colour stands for missing ones.
        """
        self._check(sheet, gap)
        height, width = self.puzzle.piece_size
        rows, cols = sheet.shape
        image = np.empty((rows * (height + gap) - gap, cols * (width + gap) - gap, 3), np.uint8)
        image[:] = background
        empty = checker(height, width) if missing is None else np.array(missing, np.uint8)
        for (row, col), piece in np.ndenumerate(sheet.piece):
            top, left = row * (height + gap), col * (width + gap)
            cell = image[top : top + height, left : left + width]
            if piece == EMPTY:
                cell[:] = empty
            else:
                cell[:] = drawn(self.puzzle, int(piece), int(sheet.turns[row, col]))
        return image

    def large(self, sheet: Sheet) -> tuple[Pyramid, Draw] | None:
        """Return how to draw a sheet of more than `LARGE` pixels: of every part only its cells."""
        size = self.puzzle.piece_size
        height, width = (n * side for n, side in zip(sheet.shape, size, strict=True))
        if height * width <= LARGE:
            return None

        def draw(top: int, left: int, down: int, across: int) -> NDArray[np.uint8]:
            rows, cols = (
                slice(start // side, -(-(start + length) // side))
                for start, length, side in ((top, down, size[0]), (left, across, size[1]))
            )
            part = self.draw(Sheet(sheet.piece[rows, cols], sheet.turns[rows, cols]))
            top, left = top - rows.start * size[0], left - cols.start * size[1]
            return part[top : top + down, left : left + across]

        return Pyramid(height, width), draw

    def _check(self, sheet: Sheet, gap: int) -> None:
        puzzle, held = self.puzzle, sheet.piece != EMPTY
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

    def scrambled(self, *, gap: int = 0, background: Color = WHITE) -> NDArray[np.uint8]:
        """Draw the pieces in a grid whose picture is nearly square, or of the known shape."""
        rows, cols = _near_square(self.puzzle)
        cells = np.full(rows * cols, EMPTY, np.int32)
        cells[: len(self.puzzle)] = np.arange(len(self.puzzle))
        sheet = Sheet(cells.reshape(rows, cols), np.zeros((rows, cols), np.int8))
        return self.draw(sheet, gap=gap, background=background, missing=background)

    def drawable(self, arrangement: Arrangement, most: int | None = None) -> Puzzle:
        """Return the puzzle, its pieces smaller if a sprawling sheet would be too large to draw.

        A long search must not end without an answer because its picture is too large.
        """
        puzzle, cells = self.puzzle, max(sheet.piece.size for sheet in arrangement.sheets)
        size, most = puzzle.piece_size, PIXELS_MAX if most is None else most
        if cells * math.prod(size) <= most:
            return puzzle
        factor = math.sqrt(most / cells / math.prod(size))
        height, width = (max(2, int(side * factor)) for side in size)
        return drawn_at(puzzle, np.arange(len(puzzle)), (height, width), Image.Resampling.BICUBIC)

    def fragments(self, arrangement: Arrangement) -> tuple[int, ...]:
        """Return the sheets that do not count as one, where another does."""
        held = [int((sheet.piece != EMPTY).sum()) for sheet in arrangement.sheets]
        if max(held) < COUNTED:
            return ()
        return tuple(number for number, count in enumerate(held) if count < COUNTED)

    def write_besides(self, folder: Path, arrangement: Arrangement) -> None:
        """Write all fragments as one picture; nothing where there are none."""
        small = [self.draw(arrangement.sheets[k]) for k in self.fragments(arrangement)]
        if small:
            write_image(
                folder / FRAGMENTS, shelved(small, gap=max(2, self.puzzle.piece_size[0] // 4))
            )

    def described(self, arrangement: Arrangement) -> str:
        """Return rows and columns of the first sheets, and how much more there is."""
        small = self.fragments(arrangement)
        shapes = [s.shape for number, s in enumerate(arrangement.sheets) if number not in small]
        sheets = [f"{rows} rows x {cols} columns" for rows, cols in shapes]
        more = len(sheets) - SHOWN
        said = ", ".join(sheets[:SHOWN]) + (f" and {more} more sheets" if more > 0 else "")
        loose = len(self.puzzle) - len(arrangement.placed())
        besides = [counted(len(small), "fragment")] if small else []
        besides += [f"{counted(loose, 'piece')} left over"] if loose > 0 else []
        return "; ".join([said, *besides])

    def facts(self, arrangement: Arrangement) -> dict[str, Any]:
        """Return nothing: what is told of every puzzle says all."""
        del arrangement
        return {}

    def manifest(self, names: tuple[str, ...]) -> Manifest:
        """Return the ``puzzle.json`` of equal pieces."""
        puzzle = self.puzzle
        grey = bool((puzzle.pieces == puzzle.pieces[..., :1]).all())
        return Manifest(
            piece=puzzle.piece_size,
            channels=1 if grey else 3,
            upright=puzzle.upright,
            shape=puzzle.shape,
            eroded=puzzle.eroded,
            pieces=names,
        )


def counted(count: int, what: str) -> str:
    """Return a number and what it is of.

    >>> counted(1, "piece"), counted(2, "piece")
    ('1 piece', '2 pieces')
    """
    return f"{count} {what}{'' if count == 1 else 's'}"


def _near_square(puzzle: Puzzle) -> Shape:
    count = len(puzzle)
    if puzzle.shape is not None and math.prod(puzzle.shape) == count:
        return puzzle.shape
    height, width = puzzle.piece_size
    cols = min(count, max(1, round(math.sqrt(count * height / width))))
    return -(-count // cols), cols
