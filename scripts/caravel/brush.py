"""A canvas of cobalt on white glaze, and the brushes that paint on it.

Everything is measured in pixels of the finished picture; the canvas itself is `SCALE` times finer.
Pigment is a density: 0 is bare glaze, 1 is the deepest cobalt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image, ImageDraw
from scipy.ndimage import gaussian_filter

SCALE = 3

Field = NDArray[np.float32]
Points = NDArray[np.float64]
Box = tuple[slice, slice]


@dataclass(frozen=True, eq=False)
class Canvas:
    """The pigment laid so far, and how unevenly glaze and brush take it.

    Attributes
    ----------
    ink : pigment density, float32 ``(SCALE * height, SCALE * width)``
    grain : how much pigment a spot takes, about 1, same shape
    streaks : brush marks along the horizontal, about 0, same shape
    rng : where every hand's tremor comes from
    """

    ink: Field
    grain: Field
    streaks: Field
    rng: np.random.Generator

    @property
    def size(self) -> tuple[int, int]:
        """Height and width of the finished picture."""
        return self.ink.shape[0] // SCALE, self.ink.shape[1] // SCALE


def blank(height: int, width: int, seed: int) -> Canvas:
    """Return an unpainted canvas."""
    rng = np.random.default_rng(seed)
    shape = (SCALE * height, SCALE * width)
    clouds = 0.6 * noise(rng, shape, 20) + 0.4 * noise(rng, shape, 5)
    streaks = 0.6 * noise(rng, shape, (1.6, 34)) + 0.4 * noise(rng, shape, (5, 60))
    grain = np.clip(1 + 0.16 * clouds, 0.4, 1.4).astype(np.float32)
    return Canvas(np.zeros(shape, np.float32), grain, streaks, rng)


def noise(
    rng: np.random.Generator, shape: tuple[int, int], sigma: float | tuple[float, float]
) -> Field:
    """Return smooth noise of mean 0 and standard deviation 1; `sigma` in finished pixels."""
    sigmas = np.broadcast_to(np.asarray(sigma, float), (2,)) * SCALE
    step = np.maximum(1, (sigmas / 3).astype(int))
    coarse = rng.standard_normal((shape[0] // step[0] + 2, shape[1] // step[1] + 2))
    coarse = gaussian_filter(coarse, sigmas / step, mode="wrap")
    picture = Image.fromarray(coarse.astype(np.float32))
    grown = np.asarray(picture.resize((shape[1], shape[0]), Image.Resampling.BICUBIC))
    return np.asarray((grown - grown.mean()) / grown.std(), np.float32)


def smooth(points: ArrayLike, *, closed: bool = False, step: float = 1.5) -> Points:
    """Return a curve through `points` ``(n, 2)`` (Catmull-Rom), sampled every `step` pixels."""
    knots = np.asarray(points, float)
    if len(knots) < 3:
        return _densify(knots, step)
    ends = (knots[-1], knots[0], knots[1]) if closed else (knots[0], knots[-1], knots[-1])
    padded = np.vstack([ends[0], knots, *ends[1:]])
    parts = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        count = max(2, int(np.hypot(*(c - b)) / step))
        t = np.arange(count)[:, None] / count
        parts.append(
            0.5
            * (
                2 * b
                + (c - a) * t
                + (2 * a - 5 * b + 4 * c - d) * t**2
                + (3 * b - a - 3 * c + d) * t**3
            )
        )
    parts.append((knots[0] if closed else knots[-1])[None])
    return np.vstack(parts)


def _densify(points: Points, step: float) -> Points:
    """Return the polyline through `points` with a point about every `step` pixels."""
    lengths = np.hypot(*np.diff(points, axis=0).T)
    along = np.concatenate([[0], np.cumsum(lengths)])
    at = np.linspace(0, along[-1], max(2, int(along[-1] / step) + 1))
    return np.stack([np.interp(at, along, points[:, k]) for k in (0, 1)], axis=1)


def box_of(canvas: Canvas, points: Points, margin: float) -> Box | None:
    """Return the part of the canvas that holds `points`, or None when it lies outside."""
    low = np.floor((points.min(axis=0) - margin) * SCALE).astype(int)
    high = np.ceil((points.max(axis=0) + margin) * SCALE).astype(int) + 1
    low = np.maximum(low, 0)
    high = np.minimum(high, canvas.ink.shape[::-1])
    if (high <= low).any():
        return None
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))


def polygon_mask(box: Box, *polygons: Points) -> Field:
    """Return the union of `polygons` inside `box`, 0 to 1."""
    rows, cols = box
    picture = Image.new("L", (cols.stop - cols.start, rows.stop - rows.start), 0)
    pen = ImageDraw.Draw(picture)
    for polygon in polygons:
        moved = polygon * SCALE - (cols.start, rows.start)
        pen.polygon(moved.ravel().tolist(), fill=255)
    return np.asarray(picture, np.float32) / np.float32(255)


def lay(canvas: Canvas, box: Box, amount: Field | float) -> None:
    """Add pigment where `amount` (0 to 1) says, deepening what is there."""
    part = canvas.ink[box]
    part += (1.02 - part) * np.clip(amount, 0, 1)


def lift(canvas: Canvas, box: Box, amount: Field | float) -> None:
    """Take pigment away where `amount` (0 to 1) says."""
    canvas.ink[box] *= 1 - np.clip(amount, 0, 1)


def stroke(
    canvas: Canvas,
    points: ArrayLike,
    width: float = 1.4,
    dark: float = 0.85,
    *,
    taper: tuple[float, float] = (0.3, 0.3),
    tremor: float = 0.35,
    straight: bool = False,
    within: ArrayLike | None = None,
    lifting: bool = False,
) -> None:
    """Draw one brush line through `points`.

    Parameters
    ----------
    taper : how thin the line gets at its beginning and end, as a fraction of `width`
    tremor : how far the hand shakes, in pixels
    straight : keep corners instead of curving through the points
    within : polygon outside which the line does not show
    lifting : take pigment away instead of laying it
    """
    line = _densify(np.asarray(points, float), 1.5) if straight else smooth(points)
    line = line + _wander(canvas.rng, len(line)) * tremor
    half = _pressure(canvas.rng, len(line), taper) * width / 2
    box = box_of(canvas, line, width + 1)
    if box is None:
        return
    mask = _ribbon(box, line, half)
    if within is not None:
        mask = mask * polygon_mask(box, np.asarray(within, float))
    if lifting:
        lift(canvas, box, mask * dark)
    else:
        lay(canvas, box, mask * dark * canvas.grain[box])


def _wander(rng: np.random.Generator, count: int) -> Points:
    """Return a slow random drift, ``(count, 2)``."""
    knots = rng.standard_normal((count // 8 + 3, 2))
    at = np.linspace(0, len(knots) - 1, count)
    return np.stack([np.interp(at, np.arange(len(knots)), knots[:, k]) for k in (0, 1)], axis=1)


def _pressure(rng: np.random.Generator, count: int, taper: tuple[float, float]) -> Points:
    """Return how hard the brush presses along a line, about 1, less at the ends."""
    t = np.linspace(0, 1, count)
    ends = np.minimum(1, taper[0] + t * 5) * np.minimum(1, taper[1] + (1 - t) * 4)
    return np.asarray(ends * (1 + 0.18 * _wander(rng, count)[:, 0]).clip(0.4, 1.6), np.float64)


def _ribbon(box: Box, line: Points, half: Points) -> Field:
    """Return the mask of a line with half width `half` at every point."""
    along = np.gradient(line, axis=0)
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
    normal /= np.maximum(np.hypot(*normal.T), 1e-6)[:, None]
    rows, cols = box
    picture = Image.new("L", (cols.stop - cols.start, rows.stop - rows.start), 0)
    pen = ImageDraw.Draw(picture)
    left = (line + normal * half[:, None]) * SCALE - (cols.start, rows.start)
    right = (line - normal * half[:, None]) * SCALE - (cols.start, rows.start)
    quads = np.hstack([left[:-1], left[1:], right[1:], right[:-1]])  # (n - 1, 8)
    for quad in quads.tolist():
        pen.polygon(quad, fill=255)
    for k in (0, len(line) - 1):
        x, y = line[k] * SCALE - (cols.start, rows.start)
        r = half[k] * SCALE
        pen.ellipse([x - r, y - r, x + r, y + r], fill=255)
    return np.asarray(picture, np.float32) / np.float32(255)


def wash(
    canvas: Canvas,
    polygon: ArrayLike,
    dark: float,
    *,
    fade: Callable[[Points, Points], Points] | None = None,
    pool: float = 0.25,
    streak: float = 0.12,
    soft: float = 0.6,
) -> None:
    """Lay thinned pigment over a polygon, darker at the rim where it pools.

    Parameters
    ----------
    fade : how dark the wash is at (x, y), as a factor
    pool : how much darker the rim is
    streak : how strongly brush marks show
    soft : blur of the rim in pixels
    """
    outline = np.asarray(polygon, float)
    box = box_of(canvas, outline, 3 * soft + 1)
    if box is None:
        return
    mask = gaussian_filter(polygon_mask(box, outline), soft * SCALE)
    rim = mask * (1 - gaussian_filter(mask, 2.2 * SCALE))
    amount = (
        dark * mask * canvas.grain[box] * (1 + streak * canvas.streaks[box]) + pool * dark * rim
    )
    if fade is not None:
        amount = amount * fade(*_coordinates(box)).astype(np.float32)
    lay(canvas, box, amount)


def _coordinates(box: Box) -> tuple[Points, Points]:
    """Return x ``(1, w)`` and y ``(h, 1)`` of the canvas points in `box`."""
    rows, cols = box
    x = np.arange(cols.start, cols.stop)[None, :] / SCALE
    return x, np.arange(rows.start, rows.stop)[:, None] / SCALE


def reserve(canvas: Canvas, *polygons: ArrayLike, keep: float = 0.0) -> None:
    """Clear the union of `polygons` for something that stands in front; `keep` stays."""
    outlines = [np.asarray(polygon, float) for polygon in polygons]
    box = box_of(canvas, np.vstack(outlines), 1)
    if box is not None:
        lift(canvas, box, polygon_mask(box, *outlines) * (1 - keep))


def hatch(
    canvas: Canvas,
    polygon: ArrayLike,
    angle: float,
    gap: float,
    width: float = 0.8,
    dark: float = 0.5,
    *,
    bow: float = 0.0,
) -> None:
    """Fill a polygon with parallel lines at `angle` degrees, bent by `bow` pixels."""
    border = np.asarray(polygon, float)
    turn = np.deg2rad(angle)
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    u, v = border @ along, border @ across
    for at in np.arange(v.min() + gap / 2, v.max(), gap):
        at += canvas.rng.normal(0, gap * 0.12)
        ends = np.array([u.min(), u.mean(), u.max()])
        bend = np.array([0, bow, 0])
        line = ends[:, None] * along + (at + bend)[:, None] * across
        stroke(canvas, line, width, dark * canvas.rng.uniform(0.75, 1.1), within=border)


def shifted(points: Points, dx: float, dy: float) -> Points:
    """Return `points` moved by (dx, dy)."""
    return np.asarray(points + np.array([dx, dy]), np.float64)


def circle(x: float, y: float, radius: float, count: int = 48, flat: float = 1.0) -> Points:
    """Return a polygon round (x, y); `flat` squeezes its height."""
    t = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return np.stack([x + radius * np.cos(t), y + flat * radius * np.sin(t)], axis=1)


def arc(x: float, y: float, radius: float, start: float, end: float, flat: float = 1.0) -> Points:
    """Return points on a circle from `start` to `end` degrees (clockwise on the picture)."""
    count = max(4, int(abs(end - start) / 12) + 2)
    t = np.deg2rad(np.linspace(start, end, count))
    return np.stack([x + radius * np.cos(t), y + flat * radius * np.sin(t)], axis=1)


def spiral(
    x: float, y: float, radius: float, start: float, turns: float, inner: float = 0.12
) -> Points:
    """Return a spiral from `radius` inwards round (x, y), beginning at `start` degrees."""
    t = np.linspace(0, 1, max(8, int(abs(turns) * 18)))
    angle = np.deg2rad(start) + 2 * np.pi * turns * t
    r = radius * (1 - (1 - inner) * t**0.9)
    return np.stack([x + r * np.cos(angle), y + r * np.sin(angle)], axis=1)


def outline(
    canvas: Canvas, points: ArrayLike, width: float = 1.4, dark: float = 0.9, *, bend: bool = False
) -> None:
    """Draw round a closed shape in a few strokes, as a hand would; `bend` curves through."""
    knots = np.asarray(points, float)
    ring = smooth(knots, closed=True) if bend else _densify(np.vstack([knots, knots[:1]]), 1.5)
    pieces: Sequence[Points] = np.array_split(ring, max(1, len(ring) // 45))
    for k, part in enumerate(pieces):
        follow = pieces[(k + 1) % len(pieces)][:2]
        joined = np.vstack([part, follow])
        stroke(canvas, joined, width, dark, taper=(0.8, 0.8), tremor=0.2, straight=True)
