"""The pictures that pieces are collected from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tessella.errors import ImageError
from tessella.imaging.read import read_image, read_resolution, read_size

WORK_MAX = 45_000_000
"""Pixels that are worked on: an A4 scan at 600 dpi. Larger pictures are made smaller on reading."""

SIDE_MIN = 64
"""Pixels; a smaller picture shows no pieces."""


@dataclass(frozen=True, eq=False)
class Source:
    """A scan or a photograph.

    Attributes
    ----------
    name : of the file
    image : RGB, ``(H, W, 3)``
    scale : pixels of `image` for one pixel of the file
    dpi : pixels an inch of `image`; None where the file does not say
    """

    name: str
    image: NDArray[np.uint8]
    scale: float = 1.0
    dpi: float | None = None


def read_source(path: Path, dpi: float | None = None) -> Source:
    """Read a picture, made smaller if it is very large or has twice `dpi` or more."""
    longer, shorter = read_size(path)
    if shorter < SIDE_MIN:
        raise ImageError(f"{path} has {longer} x {shorter} px, too few to show pieces.")
    resolution = read_resolution(path)
    reduce = 1
    while reduce < 8 and (
        longer * shorter > WORK_MAX * reduce**2
        or (resolution and dpi and resolution >= 1.9 * dpi * reduce)
    ):
        reduce *= 2
    image = read_image(path, reduce)
    scale = max(image.shape[:2]) / longer
    return Source(path.name, image, scale, resolution * scale if resolution else None)
