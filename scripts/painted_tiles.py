"""Paint the sheet of tile panels that docs/tiles.md shows.

    python scripts/painted_tiles.py docs/images/tiles-painted.webp

Needs torch. The pictures are those that come with tessella and with scikit-image.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from skimage import data

from tessella.learning.domain import Domain
from tessella.learning.painter import Painter
from tessella.pictures import demo_picture

GRID, SIZE, GAP, ACROSS, DOWN = 4, 64, 3, 6, 3


def main() -> None:
    """Paint a sheet and write it to the file that is named."""
    pictures = [
        demo_picture(),
        *(getattr(data, name)() for name in ("astronaut", "coffee", "chelsea", "rocket")),
        data.camera(),
        data.brick(),
    ]
    painter = Painter(pictures, Domain(), torch.device("cpu"), grid=GRID, size=SIZE)
    panels = painter.panels(ACROSS * DOWN, np.random.default_rng(5)).numpy().astype(np.uint8)
    side = GRID * (SIZE + GAP) + 3 * GAP
    sheet = np.full((DOWN * side, ACROSS * side, 3), 255, np.uint8)
    for number, panel in enumerate(panels):
        top, left = number // ACROSS * side, number % ACROSS * side
        for row in range(GRID):
            for col in range(GRID):
                y, x = top + row * (SIZE + GAP), left + col * (SIZE + GAP)
                sheet[y : y + SIZE, x : x + SIZE] = panel[row, col]
    Image.fromarray(sheet).save(Path(sys.argv[1]), quality=72, method=6)


if __name__ == "__main__":
    main()
