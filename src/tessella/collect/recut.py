"""A piece cut out anew, along four corners that a person set."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tessella.collect.homography import warped
from tessella.collect.piece import Piece, Point
from tessella.collect.source import Source
from tessella.errors import InputError

LEAST = 8.0
"""Pixels of the file; no side of a piece is shorter."""

NOTE = "outlined by a person"


def corners_of(outline: Sequence[Point]) -> tuple[Point, ...]:
    """Return the four corners of an outline: top left, top right, bottom right, bottom left.

    A tile has no others; a strip's outline goes down its left side and up its right.
    """
    if len(outline) == 4:
        return tuple(outline)
    half = len(outline) // 2
    return outline[0], outline[-1], outline[half], outline[half - 1]


def recut(source: Source, corners: Sequence[Point], size: tuple[int, int]) -> Piece:
    """Return what lies between four corners of a picture as a piece of `size` (h, w).

    Parameters
    ----------
    corners : in pixels of the file: top left, top right, bottom right, bottom left
    """
    quad = check_corners(corners)
    height, width = source.image.shape[:2]
    inside = np.clip(quad * source.scale, 0, np.array([width, height]))
    image = warped(source.image, inside, size)
    top = quad[1] - quad[0]
    return Piece(
        image=np.dstack([image, np.full(size, 255, np.uint8)]),
        source=source.name,
        outline=tuple((float(x), float(y)) for x, y in quad),
        angle=float(np.degrees(np.arctan2(top[1], top[0]))),
        scale=size[1] / float(np.linalg.norm(top)),
        notes=(NOTE,),
    )


def strip_size(corners: Sequence[Point], scale: float) -> tuple[int, int]:
    """Return height and width in pixels of a strip between four corners; at least 16 x 4."""
    quad = check_corners(corners)
    side = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1) * scale
    return max(16, round(float(side[1::2].mean()))), max(4, round(float(side[0::2].mean())))


def check_corners(corners: Sequence[Point]) -> NDArray[np.float64]:
    """Return corners as ``(4, 2)``; raise unless they go around a convex outline clockwise."""
    quad = np.asarray(corners, np.float64)
    if quad.shape != (4, 2) or not np.isfinite(quad).all() or np.abs(quad).max() > 1e6:
        raise InputError("An outline has four corners, each with x and y.")
    step = np.roll(quad, -1, axis=0) - quad
    after = np.roll(step, -1, axis=0)
    turn = step[:, 0] * after[:, 1] - step[:, 1] * after[:, 0]
    if (turn <= 0).any() or (np.linalg.norm(step, axis=1) < LEAST).any():
        raise InputError(
            "The corners of an outline go around clockwise from the top left, with no side "
            f"shorter than {LEAST:.0f} px and no corner inside; move them apart."
        )
    return quad
