"""Homographies: how a plane is seen by a camera."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Floats = NDArray[np.float64]

UNIT = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
"""The unit square, its corners in the order of every quadrilateral here: clockwise as seen."""


def homography(source: Floats, target: Floats) -> Floats:
    """Return the ``(3, 3)`` that takes four points ``(4, 2)`` to four others.

    >>> h = homography(UNIT, 2 * UNIT + 1)
    >>> mapped(h, np.array([[0.5, 0.5]])).round(6).tolist()
    [[2.0, 2.0]]
    """
    rows = []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    solved = np.linalg.lstsq(np.array(rows), np.asarray(target, np.float64).ravel(), rcond=None)[0]
    return np.append(solved, 1.0).reshape(3, 3)


def mapped(matrix: Floats, points: Floats) -> Floats:
    """Apply a homography to points ``(..., 2)``."""
    points = np.asarray(points, np.float64)
    seen = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(seen[..., :2] / seen[..., 2:])


def warped(
    image: NDArray[np.uint8],
    corners: Floats,
    size: tuple[int, int],
    how: Image.Resampling = Image.Resampling.BICUBIC,
) -> NDArray[np.uint8]:
    """Return what lies between four corners of ``(H, W, ...)`` as a picture of `size` (h, w).

    A picture much larger than the result is averaged first, so that nothing is skipped.
    """
    height, width = size
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    shrink = max(1, int(min(sides[0::2].max() / width, sides[1::2].max() / height)))
    low = np.maximum(0, np.floor(corners.min(axis=0)).astype(int) - 4 * shrink)
    high = np.ceil(corners.max(axis=0)).astype(int) + 4 * shrink
    part = Image.fromarray(np.ascontiguousarray(image[low[1] : high[1], low[0] : high[0]]))
    if shrink > 1:
        part = part.reduce(shrink)
    there = (corners - low) / shrink
    frame = UNIT * np.array([width, height])
    matrix = homography(frame, there)
    data = (matrix / matrix[2, 2]).ravel()[:8].tolist()
    return np.array(part.transform((width, height), Image.Transform.PERSPECTIVE, data, how))
