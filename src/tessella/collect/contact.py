"""The contact sheet: every piece small and numbered, so that a person can check them at a glance.

Doubtful pieces have a question mark before the number and a hatched frame, and the sheet ends with
what is doubtful about each: nothing is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from tessella.collect.piece import Piece

WIDTH = 1400
"""Pixels across the sheet."""

LISTED = 60
"""Doubtful pieces that the sheet lists in words; collect.json has all."""

_GAP, _LINE, _TEXT = 10, 22, 16
_PAPER, _INK, _UNKNOWN = (104, 104, 104), (255, 255, 255), (64, 64, 64)


def contact_sheet(pieces: Sequence[Piece], title: str) -> NDArray[np.uint8]:
    """Draw all pieces, ``(H, W, 3)``, in their order."""
    font = ImageFont.load_default(_TEXT)
    height, width = _cell(pieces)
    columns = max(1, (WIDTH - _GAP) // (width + _GAP))
    rows = -(-len(pieces) // columns)
    words = _words(pieces)
    top = _LINE + 2 * _GAP
    deep = top + rows * (height + _LINE + _GAP) + len(words) * _LINE + 2 * _GAP
    sheet = Image.new("RGB", (WIDTH, deep), _PAPER)
    draw = ImageDraw.Draw(sheet)
    draw.text((_GAP, _GAP), title, _INK, font)
    for number, piece in enumerate(pieces):
        x = _GAP + number % columns * (width + _GAP)
        y = top + number // columns * (height + _LINE + _GAP)
        small = _small(piece, height, width)
        left = x + (width - small.width) // 2
        draw.text((x, y), _label(number, piece), _INK, font)
        sheet.paste(small, (left, y + _LINE))
        if piece.doubts:
            box = (left - 5, y + _LINE - 5, left + small.width + 5, y + _LINE + small.height + 5)
            _hatched(sheet, box, small)
    for line, text in enumerate(words):
        draw.text((_GAP, deep - _GAP - (len(words) - line) * _LINE), text, _INK, font)
    return np.array(sheet)


def _cell(pieces: Sequence[Piece]) -> tuple[int, int]:
    """Return height and width of a cell that most pieces fill well."""
    sides = np.array([piece.image.shape[:2] for piece in pieces], np.float64)
    tall, wide = np.percentile(sides, 90, axis=0)
    most = 460 if tall > 3 * wide else 170 if len(pieces) <= 200 else 90
    width = most * wide / max(tall, wide)
    return round(most * tall / max(tall, wide)), max(52, round(width))


def _small(piece: Piece, height: int, width: int) -> Image.Image:
    """Return a piece that fits the cell; what is unknown is dark."""
    picture = Image.fromarray(piece.image)
    ground = Image.new("RGBA", picture.size, (*_UNKNOWN, 255))
    ground.alpha_composite(picture)
    factor = min(height / picture.height, width / picture.width)
    size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
    return ground.convert("RGB").resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)


def _label(number: int, piece: Piece) -> str:
    return f"? {number + 1}" if piece.doubts else f"{number + 1}"


def _words(pieces: Sequence[Piece]) -> list[str]:
    """Return a line for every doubtful piece."""
    lines = [
        f"? {number}  {'; '.join(piece.doubts)}"
        for number, piece in enumerate(pieces, 1)
        if piece.doubts
    ]
    more = len(lines) - LISTED
    return lines if more <= 0 else [*lines[:LISTED], f"and {more} more: see collect.json"]


def _hatched(sheet: Image.Image, box: tuple[int, int, int, int], small: Image.Image) -> None:
    """Draw a frame of slanting lines around a doubtful piece."""
    left, top, right, bottom = box
    y, x = np.mgrid[0 : bottom - top, 0 : right - left]
    stripe = np.where((x + y) // 4 % 2 == 0, 255, 0).astype(np.uint8)
    sheet.paste(Image.fromarray(stripe).convert("RGB"), (left, top))
    sheet.paste(small, (left + 5, top + 5))
