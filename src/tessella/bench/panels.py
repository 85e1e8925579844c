"""Panels: simulated azulejos to compare measures and solvers on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tessella.imaging import azulejo
from tessella.imaging.read import read_image

PER_PICTURE = 3
"""How many panels a picture gives: one small, one middling, one large."""

FEWEST, MOST = 90, 460
"""Tiles of the smallest and the largest of the museum's panels (Rika et al., Section V-A)."""


@dataclass(frozen=True)
class Panel:
    """One simulated panel of a picture.

    Attributes
    ----------
    number : of the panel among those of its picture, from 1
    tiles : how many are wanted; whole rows and columns may make it a few more or less
    """

    file: Path
    number: int
    tiles: int
    seed: int

    @property
    def name(self) -> str:
        """The picture's name and the panel's number."""
        return f"{self.file.name}#{self.number}"

    def paint(self, tile: int = azulejo.TILE) -> NDArray[np.uint8]:
        """Return the worn panel in tiles of `tile` pixels, ``(rows * tile, cols * tile, 3)``."""
        picture = read_image(self.file)
        shape = azulejo.shape_for(picture, self.tiles, FEWEST, MOST)
        return azulejo.panel(picture, shape, tile, self.seed)


def panels(files: Sequence[Path], per_picture: int = PER_PICTURE) -> tuple[Panel, ...]:
    """Return the fixed list of panels of some pictures, those of one picture together.

    The numbers of tiles run from `FEWEST` to `MOST` over the whole list, with a mean of about 200,
    and every picture has its share of small and large panels.
    """
    count = len(files)
    sizes = _sizes(count * per_picture)
    made: list[Panel] = []
    for nth, file in enumerate(files):
        for number in range(per_picture):
            turn = number * (count // per_picture)  # Else one picture would have all the largest.
            tiles = sizes[number * count + (nth + turn) % count]
            made.append(Panel(file, number + 1, tiles, seed=len(made)))
    return tuple(made)


def _sizes(count: int) -> list[int]:
    """Return `count` numbers of tiles in rising order."""
    share = np.linspace(0, 1, count) ** 1.4  # Small panels are more frequent than large ones.
    return [int(size) for size in np.rint(FEWEST * (MOST / FEWEST) ** share)]
