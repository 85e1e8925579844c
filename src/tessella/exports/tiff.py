"""A TIFF file of every sheet: tiles, and smaller copies for quick looking.

Viewers of large pictures read only the tiles that they show, from the copy whose size fits.
TIFF 6.0, sections 2 (directories), 8 (RGB) and 15 (tiles); smaller copies follow as directories
whose NewSubfileType is 1.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tessella.exports import Target
from tessella.files import replacing

TILE = 256
LEAST = 256
"""Copies are halved until both sides are as short as this."""

_SHORT, _LONG, _RATIO = 3, 4, 5
_DEFLATE, _RGB, _GREY = 8, 2, 1


def write(target: Target) -> None:
    """Write assembled.tif, assembled-002.tif, ..."""
    for number, image in target.drawn():
        write_pyramid(target.named(number, "assembled", ".tif"), image)


def write_pyramid(path: Path, image: NDArray[np.uint8]) -> None:
    """Write a picture, RGB ``(H, W, 3)`` or grey ``(H, W)``, and its halves."""
    with replacing(path) as temporary, temporary.open("wb") as file:
        file.write(b"II*\0" + struct.pack("<I", 0))
        link, level = 4, 0
        while True:
            link = _directory(file, image, link, level)
            if max(image.shape[:2]) <= LEAST:
                return
            height, width = (max(1, side // 2) for side in image.shape[:2])
            small = Image.fromarray(image).resize((width, height), Image.Resampling.BOX)
            image, level = np.array(small), level + 1


def _directory(file: BinaryIO, image: NDArray[np.uint8], link: int, level: int) -> int:
    """Write one copy; `link` is where its place is noted, and where the next one's is returned."""
    colours = 3 if image.ndim == 3 else 1
    offsets, sizes = _tiles(file, image)
    bits = _put(file, struct.pack(f"<{colours}H", *[8] * colours))
    where = _put(file, struct.pack(f"<{len(offsets)}I", *offsets))
    lengths = _put(file, struct.pack(f"<{len(sizes)}I", *sizes))
    dense = _put(file, struct.pack("<II", 72, 1))
    one = len(offsets) == 1
    entries = [
        (254, _LONG, 1, int(level > 0)),
        (256, _LONG, 1, image.shape[1]),
        (257, _LONG, 1, image.shape[0]),
        (258, _SHORT, colours, bits if colours == 3 else 8),
        (259, _SHORT, 1, _DEFLATE),
        (262, _SHORT, 1, _RGB if colours == 3 else _GREY),
        (277, _SHORT, 1, colours),
        (282, _RATIO, 1, dense),
        (283, _RATIO, 1, dense),
        (284, _SHORT, 1, 1),
        (322, _LONG, 1, TILE),
        (323, _LONG, 1, TILE),
        (324, _LONG, len(offsets), offsets[0] if one else where),
        (325, _LONG, len(sizes), sizes[0] if one else lengths),
    ]
    packed = struct.pack("<H", len(entries))
    packed += b"".join(struct.pack("<HHII", *entry) for entry in entries)
    at = _put(file, packed + struct.pack("<I", 0))
    file.seek(link)
    file.write(struct.pack("<I", at))
    file.seek(0, 2)
    return at + len(packed)


def _tiles(file: BinaryIO, image: NDArray[np.uint8]) -> tuple[list[int], list[int]]:
    """Write all tiles; return where each begins and how long it is."""
    offsets, sizes = [], []
    for top in range(0, image.shape[0], TILE):
        for left in range(0, image.shape[1], TILE):
            part = image[top : top + TILE, left : left + TILE]
            tile = np.zeros((TILE, TILE, *image.shape[2:]), np.uint8)
            tile[: part.shape[0], : part.shape[1]] = part
            held = zlib.compress(tile.tobytes(), 6)
            offsets.append(_put(file, held))
            sizes.append(len(held))
    return offsets, sizes


def _put(file: BinaryIO, held: bytes) -> int:
    """Write bytes at the end, at an even place, and return where."""
    at = file.seek(0, 2)
    if at % 2:
        file.write(b"\0")
        at += 1
    file.write(held)
    return at
