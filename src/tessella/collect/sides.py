"""The sides of a tile, found to a part of a pixel across the line where they are expected."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from tessella.collect.quad import corners_of, line_through
from tessella.collect.table import LIMIT, Table

Floats = NDArray[np.float64]

PLACES = 56
"""Along a side, where its edge is looked for."""

REACH = (0.075, 0.03)
"""How far from the expected line, in sides: first, and once more from where it was found."""

CLEAR = 0.3
"""Of the places; where fewer show an edge towards the table, the side touches something."""

INWARD = 2.0
"""How much farther inside than outside the place where the table ends an edge may lie."""

OUTER = 0.55
"""Of the steepest edge; one that is as steep and farther out is taken for the tile's."""

_ACROSS = 41  # samples on the way across
_NEAR = 0.012  # of a side: places this near to the line speak for it


@dataclass(frozen=True, eq=False)
class Side:
    """One side of a tile.

    Attributes
    ----------
    line : a, b, c of the line
    support : part of its places whose edge lies on it
    free : whether the table lies beyond it
    soft : pixels over which the edge rises; large where a photograph is blurred
    points : where its edge was seen, ``(PLACES, 2)``
    seen : whether it is the table that ends there, or, where none lies beyond, all
    """

    line: Floats
    support: float
    free: bool
    soft: float
    points: Floats
    seen: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class View:
    """A photograph to look for sides in.

    Attributes
    ----------
    image : float32 ``(H, W, 3)``
    small : a smaller copy, smoothed, ``(h, w, 3)``
    table : learned from that copy
    scale : pixels of the copy for one pixel of `image`
    blur : pixels by which the copy was smoothed
    """

    image: NDArray[np.float32]
    small: NDArray[np.float32]
    table: Table
    scale: float
    blur: float


def find_sides(view: View, corners: Floats) -> list[Side]:
    """Return the four sides near the quadrilateral `corners` ``(4, 2)``, clockwise."""
    sides: list[Side] = []
    for reach in REACH:
        sides = [find_side(view, corners[k], corners[(k + 1) % 4], reach) for k in range(4)]
        again = corners_of([side.line for side in sides])
        length = float(np.linalg.norm(corners[0] - corners[2]))
        if np.abs(again - corners).max() > 0.25 * length:
            return sides
        corners = again
    return sides


def find_side(view: View, one: Floats, two: Floats, reach: float) -> Side:
    """Return the side near the line from `one` to `two`, no farther off than `reach` sides."""
    length = float(np.linalg.norm(two - one))
    along = (two - one) / max(1e-9, length)
    inward = np.array([-along[1], along[0]])
    place = np.linspace(0.07, 0.93, PLACES)
    wide = max(3.0, reach * length)
    across = np.linspace(-wide, wide, _ACROSS)
    points = one + (place * length)[:, None, None] * along + across[:, None] * inward
    plain = view.blur <= 1  # not on a speckled table, whose spots are edges too
    seen = sampled(view.image, points)  # (PLACES, _ACROSS, 3)
    seen = scipy.ndimage.gaussian_filter(seen, (0.9 if plain else 4.0, 0.6, 0))
    steep = np.linalg.norm(np.gradient(seen, axis=1), axis=2)
    at, clear = _changes(view, points)
    step = across[1] - across[0]
    free = bool(clear.mean() >= (CLEAR if plain else CLEAR / 3))
    where = _peaks(steep, at, max(1, round((1.4 + 0.5 * view.blur / view.scale) / step)))
    if free and plain:
        edge = one + (place[clear] * length)[:, None] * along
        line = line_through(
            edge + np.interp(where[clear], np.arange(_ACROSS), across)[:, None] * inward
        )
    else:
        line = _straightest(steep, one, place * length, along, inward, across)
        where = _peaks(steep, _expected(line, one, place * length, along, inward, across), 2)
    offset = np.interp(where, np.arange(_ACROSS), across)
    edge_points = one + (place * length)[:, None] * along + offset[:, None] * inward
    near = np.abs(edge_points @ line[:2] - line[2]) < max(0.8, _NEAR * length)
    counted = clear if free and plain else np.ones_like(clear)
    soft = _softness(seen, steep, where, step)
    return Side(line, float((near & counted).mean()), free, soft, edge_points, counted)


def sampled(image: NDArray[np.float32], points: Floats) -> NDArray[np.float32]:
    """Return the colours of a picture ``(H, W, 3)`` at points ``(n, m, 2)``, between its pixels."""
    low = np.maximum(0, np.floor(points.min(axis=(0, 1))).astype(int) - 2)
    high = np.ceil(points.max(axis=(0, 1))).astype(int) + 3
    part = image[low[1] : max(low[1] + 1, high[1]), low[0] : max(low[0] + 1, high[0])]
    if part.size == 0:
        return np.zeros((*points.shape[:2], 3), np.float32)
    at = [points[..., 1] - low[1] - 0.5, points[..., 0] - low[0] - 0.5]
    planes = [
        scipy.ndimage.map_coordinates(part[..., k], at, order=1, mode="nearest") for k in range(3)
    ]
    return np.stack(planes, axis=-1)


def _changes(view: View, points: Floats) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return where table turns into tile at every place, and whether it clearly does."""
    there = points * view.scale
    x, y = (there[..., k].astype(np.float32) for k in (0, 1))
    away = view.table.distance(sampled(view.small, there), x, y)
    tile = np.where(away > LIMIT, 1.0, -1.0)
    total = np.cumsum(tile, axis=1)
    score = total[:, -1:] - 2 * total  # tile behind, table before: the more of both the better
    score = np.concatenate([total[:, -1:], score], axis=1)
    at = score.argmax(axis=1)
    edge = 3
    clear = (score.max(axis=1) > 0.5 * _ACROSS) & (at >= edge) & (at <= _ACROSS - edge)
    return np.clip(at, 0, _ACROSS - 1), clear


def _peaks(steep: Floats, at: NDArray[np.int64], reach: int) -> Floats:
    """Return where the edge is near `at`, to a part of a sample."""
    column = np.arange(steep.shape[1])
    off = column - at[:, None]  # A bright tile outshines the table before its edge.
    level = np.where((off >= -reach) & (off <= INWARD * reach), steep, -1)
    # a rim of glaze or clay makes a second edge inside: the outer one is the tile's
    before, behind = np.roll(steep, 1, axis=1), np.roll(steep, -1, axis=1)
    top = (steep >= before) & (steep >= behind) & (level > OUTER * level.max(axis=1, keepdims=True))
    best = np.where(top.any(axis=1), top.argmax(axis=1), level.argmax(axis=1))
    best = np.clip(best, 1, steep.shape[1] - 2)
    row = np.arange(len(steep))
    left, middle, right = (steep[row, best + k] for k in (-1, 0, 1))
    bend = left - 2 * middle + right
    shift = np.where(bend < -1e-6, 0.5 * (left - right) / np.minimum(bend, -1e-6), 0.0)
    return np.asarray(best + np.clip(shift, -0.5, 0.5))


def _straightest(
    steep: Floats, one: Floats, place: Floats, along: Floats, inward: Floats, across: Floats
) -> Floats:
    """Return the line along which the picture changes most: pictures bend, sides do not."""
    level = np.minimum(steep / (np.median(steep, axis=1, keepdims=True) + 1.0), 6.0)
    level = scipy.ndimage.gaussian_filter1d(level, 0.6, axis=1)
    relative = np.linspace(-1, 1, len(place))
    middle = np.arange(3, len(across) - 3, 0.5)
    far = 0.012 * np.abs(middle - len(across) // 2)
    best, chosen = -np.inf, (0.0, 0.0)
    row = np.arange(len(place))[:, None]
    for tilt in np.linspace(-6, 6, 13):
        at = np.clip(middle + tilt * relative[:, None], 0, len(across) - 1.001)
        low = at.astype(int)
        value = level[row, low] * (low + 1 - at) + level[row, low + 1] * (at - low)
        score = value.mean(axis=0) - far - 0.02 * abs(tilt)
        k = int(score.argmax())
        if score[k] > best:
            best, chosen = float(score[k]), (float(middle[k]), float(tilt))
    offset = np.interp(chosen[0] + chosen[1] * relative, np.arange(len(across)), across)
    points = one + place[:, None] * along + offset[:, None] * inward
    return line_through(points)


def _expected(
    line: Floats, one: Floats, place: Floats, along: Floats, inward: Floats, across: Floats
) -> NDArray[np.int64]:
    """Return the sample nearest to a line at every place."""
    start = one + place[:, None] * along
    offset = (line[2] - start @ line[:2]) / (inward @ line[:2])
    step = across[1] - across[0]
    nearest = np.round((offset - across[0]) / step)
    return np.asarray(np.clip(nearest, 0, len(across) - 1), np.int64)


def _softness(seen: NDArray[np.float32], steep: Floats, where: Floats, step: float) -> float:
    """Return over how many pixels the edge rises, by the ratio of its height to its steepness."""
    row = np.arange(len(seen))
    at = np.clip(np.round(where).astype(int), 0, seen.shape[1] - 1)
    low, high = np.maximum(at - 8, 0), np.minimum(at + 8, seen.shape[1] - 1)
    height = np.linalg.norm(seen[row, high] - seen[row, low], axis=1)
    rise = height / np.maximum(1e-3, steep[row, at])
    strong = height > np.percentile(height, 50)
    return float(np.median(rise[strong]) * step) if strong.any() else 0.0
