"""Atlases: thumbnails of all pieces, many to a picture, made once into the project's cache."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tessella.files import read_json, replacing, write_json
from tessella.imaging.unknown import drawn
from tessella.puzzle import Puzzle

SIDE = 2048
"""Pixels along a side of an atlas."""

LARGE, SMALL = 64, 32
FEW = 4096
"""So many pieces have large thumbnails."""

_INDEX = "atlas.json"


def thumbnail_side(pieces: int) -> int:
    """Return how many pixels a thumbnail has along its longer side at most."""
    return LARGE if pieces <= FEW else SMALL


def make(cache: Path, puzzle: Puzzle, advance: Callable[[], None] = lambda: None) -> None:
    """Write all atlases and, last, their index; `advance` is called for every piece."""
    side = min(thumbnail_side(len(puzzle)), max(puzzle.piece_size))
    across = SIDE // side
    each = across * across
    sizes: list[list[int]] = []
    count = -(-len(puzzle) // each)
    for number in range(count):
        first = number * each
        held = min(each, len(puzzle) - first)
        sheet = np.full((-(-held // across) * side, SIDE, 3), 128, np.uint8)
        for k in range(held):
            small = thumbnail(drawn(puzzle, first + k), side)
            top, left = k // across * side, k % across * side
            sheet[top : top + small.shape[0], left : left + small.shape[1]] = small
            sizes.append([int(small.shape[1]), int(small.shape[0])])
            advance()
        with replacing(cache / f"atlas-{number}.jpg") as temporary:
            Image.fromarray(sheet).save(temporary, format="JPEG", quality=90, subsampling=0)
    uniform = sizes[0] if all(size == sizes[0] for size in sizes) else None
    index = {"side": side, "across": across, "each": each, "count": count}
    write_json(cache / _INDEX, {**index, "size": uniform, "sizes": None if uniform else sizes})


def thumbnail(piece: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """Return a piece so small that it fits a square of `side` px, in colour."""
    if piece.ndim == 2:
        piece = np.repeat(piece[..., None], 3, axis=2)
    height, width = piece.shape[:2]
    factor = min(1.0, side / max(height, width))  # nothing is gained by making pieces larger
    size = max(1, round(width * factor)), max(1, round(height * factor))
    if (width, height) == size:
        return piece
    image = Image.fromarray(np.ascontiguousarray(piece))
    return np.array(image.resize(size, Image.Resampling.BILINEAR, reducing_gap=2.0))


def index(cache: Path) -> dict[str, Any] | None:
    """Return what the index says; None where there are no atlases yet."""
    return read_json(cache / _INDEX) if (cache / _INDEX).is_file() else None
