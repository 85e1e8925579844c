"""One piece found in a scan or a photograph: its picture, where it lay, and what is not sure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.errors import InputError

Point = tuple[float, float]
"""x and y in pixels of a picture file, upright as its EXIF orientation says."""


@dataclass(frozen=True, eq=False)
class Piece:
    """A piece, straightened.

    Attributes
    ----------
    image : uint8 ``(H, W, 4)``; alpha is 255 where the piece is and 0 where nothing is known
    source : name of the picture file it lies in
    outline : its contour in pixels of that file
    angle : degrees by which it was turned, counter-clockwise
    scale : pixels of `image` for one pixel of the file
    doubts : what a person should check, in words; empty where the piece is sure
    notes : what is worth knowing and no reason to doubt
    """

    image: NDArray[np.uint8]
    source: str
    outline: tuple[Point, ...]
    angle: float
    scale: float
    doubts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.image.dtype != np.uint8 or self.image.ndim != 3 or self.image.shape[2] != 4:
            raise InputError(
                "A piece's picture must be uint8 of shape (height, width, 4); "
                f"got {self.image.dtype} of shape {self.image.shape}."
            )
        if len(self.outline) < 3:
            raise InputError(f"An outline has three points or more; got {len(self.outline)}.")

    def doubted(self, *doubts: str) -> Piece:
        """Return the piece with more doubts."""
        return replace(self, doubts=(*self.doubts, *doubts))

    def to_json(self, name: str) -> dict[str, Any]:
        """Return what ``collect.json`` says of the piece in file `name`."""
        return {
            "file": name,
            "source": self.source,
            "outline": [[round(x, 1), round(y, 1)] for x, y in self.outline],
            "angle": round(self.angle, 3),
            "scale": round(self.scale, 5),
            "height": self.image.shape[0],
            "width": self.image.shape[1],
            "doubts": list(self.doubts),
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Scrap:
    """Something that is not bed and was left out, and why."""

    source: str
    outline: tuple[Point, ...]
    why: str

    def to_json(self) -> dict[str, Any]:
        """Return what ``collect.json`` says of it."""
        outline = [[round(x, 1), round(y, 1)] for x, y in self.outline]
        return {"source": self.source, "outline": outline, "why": self.why}
