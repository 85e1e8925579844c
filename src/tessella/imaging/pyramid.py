"""Pyramids: a picture too large for one file, as tiles at every size, drawn part by part.

The files are those of Deep Zoom, which many viewers of large pictures read: ``NAME.dzi``, and
``NAME_files/LEVEL/COLUMN_ROW.jpg``. Level 0 is one pixel; each following one is twice as large, the
last is the whole. No more than a few tiles of every level are in the memory at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tessella.files import write_text

TILE = 512
QUALITY = 88

Draw = Callable[[int, int, int, int], NDArray[np.uint8]]
"""Given top, left, height and width: that part of the picture, ``(height, width, 3)``."""


@dataclass(frozen=True)
class Pyramid:
    """A picture of `height` x `width` pixels and how it is cut.

    Examples
    --------
    >>> Pyramid(1000, 3000).levels, Pyramid(1000, 3000).size(11)
    (13, (500, 1500))
    """

    height: int
    width: int

    @property
    def levels(self) -> int:
        """How many sizes there are."""
        return (max(self.height, self.width) - 1).bit_length() + 1

    def size(self, level: int) -> tuple[int, int]:
        """Return height and width of a level."""
        down = self.levels - 1 - level
        return -(-self.height >> down), -(-self.width >> down)

    def tiles(self, level: int) -> tuple[int, int]:
        """Return how many rows and columns of tiles a level has."""
        height, width = self.size(level)
        return -(-height // TILE), -(-width // TILE)


def write_pyramid(folder: Path, name: str, pyramid: Pyramid, draw: Draw) -> None:
    """Write ``NAME.dzi`` and all tiles into `folder`."""
    files = folder / f"{name}_files"
    for level in range(pyramid.levels):
        (files / str(level)).mkdir(parents=True)
    _tile(files, pyramid, draw, 0, 0, 0)
    write_text(
        folder / f"{name}.dzi",
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<Image xmlns="http://schemas.microsoft.com/deepzoom/2008" '
        f'Format="jpg" Overlap="0" TileSize="{TILE}">'
        f'<Size Height="{pyramid.height}" Width="{pyramid.width}"/></Image>\n',
    )


def _tile(
    files: Path, pyramid: Pyramid, draw: Draw, level: int, row: int, col: int
) -> NDArray[np.uint8]:
    """Write one tile and all that lie below it; return it."""
    height, width = pyramid.size(level)
    top, left = row * TILE, col * TILE
    if level == pyramid.levels - 1:
        image = draw(top, left, min(TILE, height - top), min(TILE, width - left))
    else:
        rows, cols = pyramid.tiles(level + 1)
        below = [
            [
                _tile(files, pyramid, draw, level + 1, r, c)
                for c in range(2 * col, min(2 * col + 2, cols))
            ]
            for r in range(2 * row, min(2 * row + 2, rows))
        ]
        whole = np.concatenate([np.concatenate(each, axis=1) for each in below])
        image = np.array(Image.fromarray(whole).reduce(2))
    picture = Image.fromarray(np.ascontiguousarray(image))
    picture.save(files / str(level) / f"{col}_{row}.jpg", quality=QUALITY, subsampling=0)
    return image
