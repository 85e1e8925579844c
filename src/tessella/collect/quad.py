"""Quadrilaterals: four robust lines along an outline, and corners where they meet."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray
from PIL import Image, ImageDraw

Floats = NDArray[np.float64]


def line_through(points: Floats) -> Floats:
    """Fit a line to points ``(n, 2)``, some of which may lie far off.

    Returns
    -------
    a, b, c of a x + b y = c, with a and b of length 1
    """
    weight = np.ones(len(points))
    line = np.zeros(3)
    for _ in range(8):
        centre = weight @ points / weight.sum()
        x, y = (points - centre).T
        angle = 0.5 * np.arctan2(2 * (weight @ (x * y)), weight @ (x * x - y * y))
        normal = np.array([-np.sin(angle), np.cos(angle)])
        line = np.array([*normal, normal @ centre])
        off = np.abs(points @ normal - line[2])
        scale = max(0.35, 1.5 * float(np.median(off)))
        weight = np.maximum(1e-6, np.maximum(0, 1 - (off / (3 * scale)) ** 2) ** 2)
    return line


def meeting(one: Floats, two: Floats) -> Floats:
    """Return where two lines meet, ``(2,)``; far away where they hardly do."""
    matrix = np.array([one[:2], two[:2]])
    if abs(np.linalg.det(matrix)) < 1e-6:
        return np.full(2, 1e9)
    return np.asarray(np.linalg.solve(matrix, [one[2], two[2]]))


def corners_of(lines: list[Floats]) -> Floats:
    """Return the corners of four lines in order: the first is where the last meets the first."""
    return np.array([meeting(lines[k - 1], lines[k]) for k in range(4)])


def clockwise(corners: Floats) -> Floats:
    """Return four corners clockwise as seen, the one nearest to the top left first."""
    centre = corners.mean(axis=0)
    turn = np.arctan2(*(corners - centre).T[::-1])
    ordered = corners[np.argsort(turn)]
    return np.asarray(np.roll(ordered, -int(ordered.sum(axis=1).argmin()), axis=0))


def outline_points(mask: NDArray[np.bool_]) -> Floats:
    """Return x and y of the pixels at a mask's outer border, ``(n, 2)``, in no order."""
    inner = scipy.ndimage.binary_erosion(mask, border_value=1)
    rows, cols = np.nonzero(mask & ~inner)
    return np.stack([cols, rows], axis=1).astype(np.float64) + 0.5


def quad_of(mask: NDArray[np.bool_]) -> Floats | None:
    """Return the corners ``(4, 2)`` of what a mask shows, if it can be one quadrilateral."""
    points = outline_points(mask)
    if len(points) < 24:
        return None
    box = smallest_box(points)
    sides = np.linalg.norm(np.roll(box, -1, axis=0) - box, axis=1)
    if sides.min() < 8:
        return None
    lines = []
    for k in range(4):
        one, two = box[k], box[(k + 1) % 4]
        along = (two - one) / sides[k]
        place = (points - one) @ along / sides[k]
        off = np.abs((points - one) @ np.array([-along[1], along[0]]))
        near = points[(place > 0.1) & (place < 0.9) & (off < 0.22 * min(sides[k - 1], sides[k]))]
        if len(near) < 5:
            return None
        lines.append(line_through(near))
    corners = corners_of(lines)
    if np.abs(corners - box).max() > sides.max():
        return None
    return clockwise(corners)


def smallest_box(points: Floats) -> Floats:
    """Return the corners ``(4, 2)`` of the smallest rectangle around points, turned as it must."""
    hull = points[scipy.spatial.ConvexHull(points).vertices]
    edges = np.roll(hull, -1, axis=0) - hull
    best, box = np.inf, hull[:4]
    for angle in np.unique(np.round(np.arctan2(edges[:, 1], edges[:, 0]) % (np.pi / 2), 4)):
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        there = hull @ turn
        low, high = there.min(axis=0), there.max(axis=0)
        area = float(np.prod(high - low))
        if area < best:
            best = area
            flat = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
            box = flat @ turn.T
    return clockwise(box)


def filled_quad(corners: Floats, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Return a mask ``(h, w)`` of what lies between four corners."""
    drawn = Image.new("L", (size[1], size[0]))
    shape = [(float(x) - 0.5, float(y) - 0.5) for x, y in corners]
    ImageDraw.Draw(drawn).polygon(shape, fill=1)
    return np.asarray(drawn, np.bool_)


def agreement(mask: NDArray[np.bool_], corners: Floats) -> float:
    """Return how well a mask fills its quadrilateral: common area over joint area."""
    if not np.isfinite(corners).all() or np.abs(corners).max() > 1e6:
        return 0.0
    quad = filled_quad(corners, (mask.shape[0], mask.shape[1]))
    return float((quad & mask).sum() / max(1, (quad | mask).sum()))


def side_length(corners: Floats) -> float:
    """Return how long the sides of a quadrilateral ``(4, 2)`` are on the mean."""
    return float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean())


def overlap(one: Floats, two: Floats) -> float:
    """Return how far one of two convex quadrilaterals would have to move to leave the other.

    0 where they lie apart: then a line along one of their sides parts them.
    """
    depth = np.inf
    for quad in (one, two):
        along = np.roll(quad, -1, axis=0) - quad
        normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
        normal /= np.maximum(1e-9, np.linalg.norm(normal, axis=1, keepdims=True))
        mine, other = one @ normal.T, two @ normal.T  # (4, 4), a column a direction
        inside = np.minimum(mine.max(0) - other.min(0), other.max(0) - mine.min(0))
        depth = min(depth, float(inside.min()))
    return max(0.0, depth)
