"""The coast: hills in two distances, a castle, a white town, trees."""

from __future__ import annotations

import numpy as np

from caravel.brush import (
    Canvas,
    Points,
    circle,
    hatch,
    outline,
    reserve,
    smooth,
    stroke,
    wash,
)


def paint_far_hills(canvas: Canvas, crest: list[tuple[float, float]], base: float) -> None:
    """Paint a pale range whose ridge runs through `crest`."""
    ridge = smooth(crest)
    body = np.vstack([ridge, [(crest[-1][0], base), (crest[0][0], base)]])
    reserve(canvas, body)
    low = min(y for _, y in crest)
    wash(canvas, body, 0.4, fade=lambda _x, y: np.clip(1.15 - (y - low) / (base - low), 0.25, 1.2))
    stroke(canvas, crest, 1.1, 0.6)
    _folds(canvas, ridge, body, base, every=15, dark=0.35)


def paint_headland(canvas: Canvas, crest: list[tuple[float, float]], base: float) -> None:
    """Paint the near hill: stronger shading, folds, tufts of grass."""
    ridge = smooth(crest)
    body = np.vstack([ridge, [(crest[-1][0], base), (crest[0][0], base)]])
    reserve(canvas, body)
    low = min(y for _, y in crest)
    wash(
        canvas,
        body,
        0.42,
        fade=lambda x, y: np.clip(0.2 + (y - low) / (base - low), 0.2, 1) * (0.75 + x / 900),
        streak=0.3,
    )
    stroke(canvas, crest, 1.8, 0.88)
    _folds(canvas, ridge, body, base, every=11, dark=0.55)
    _tufts(canvas, ridge, base)


def _folds(
    canvas: Canvas, ridge: Points, body: Points, base: float, every: float, dark: float
) -> None:
    """Draw the lines of slope, curving away from the ridge."""
    rng = canvas.rng
    for x, y in ridge[:: max(1, int(every / 1.5))]:
        drop = (base - y) * rng.uniform(0.3, 0.75)
        lean = rng.uniform(4, 16)
        line = [(x, y + 2), (x + lean, y + drop * 0.45), (x + lean * 1.5, y + drop)]
        for k in range(int(rng.integers(2, 5))):
            moved = [(px + 3.2 * k, py + 2.2 * k) for px, py in line]
            stroke(canvas, moved, 0.9, dark * (1 - 0.15 * k), within=body)


def _tufts(canvas: Canvas, ridge: Points, base: float) -> None:
    rng = canvas.rng
    for _ in range(70):
        x, top = ridge[int(rng.integers(len(ridge)))]
        y = rng.uniform(top + 8, base - 4) if base - top > 14 else top
        for lean in (-3, -0.5, 2.5):
            stroke(canvas, [(x, y), (x + lean, y - rng.uniform(3, 6))], 0.9, 0.7, tremor=0.2)


def paint_tree(canvas: Canvas, x: float, y: float, height: float) -> None:
    """Paint a cypress standing at (x, y)."""
    half = height * 0.17
    shape = [
        (x, y - height),
        (x + half * 0.8, y - height * 0.6),
        (x + half, y - height * 0.28),
        (x + half * 0.3, y - height * 0.08),
        (x - half * 0.3, y - height * 0.08),
        (x - half, y - height * 0.28),
        (x - half * 0.8, y - height * 0.6),
    ]
    crown = smooth(shape, closed=True)
    reserve(canvas, crown)
    wash(canvas, crown, 0.62, fade=lambda px, _y: np.clip(0.9 + (px - x) / half * 0.4, 0.4, 1.3))
    hatch(canvas, crown, 78, 2.2, 0.9, 0.7, bow=1)
    outline(canvas, shape, 1.1, 0.85, bend=True)
    stroke(canvas, [(x, y - height * 0.08), (x, y)], 1.8, 0.85)


def paint_bush(canvas: Canvas, x: float, y: float, size: float) -> None:
    """Paint a round tree of dabs."""
    rng = canvas.rng
    stroke(canvas, [(x, y), (x + 0.5, y - size * 0.6)], 2, 0.85)
    reserve(canvas, circle(x, y - size, size * 0.75))
    wash(canvas, circle(x, y - size, size * 0.75), 0.4)
    for _ in range(int(size * 2.2)):
        angle, r = rng.uniform(0, 2 * np.pi), size * 0.75 * np.sqrt(rng.uniform())
        px, py = x + r * np.cos(angle), y - size + r * np.sin(angle)
        dark = 0.45 + 0.4 * float(np.clip((px - x + py - y + size) / size, -0.5, 1))
        stroke(canvas, [(px - 1.6, py + 1), (px, py - 1), (px + 1.8, py + 0.8)], 1.3, dark)


def _box(x: float, y: float, width: float, height: float) -> list[tuple[float, float]]:
    """Return a rectangle that stands on (x, y) with its left foot."""
    return [(x, y), (x, y - height), (x + width, y - height), (x + width, y)]


def paint_house(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    """Paint a white house with a tiled roof, its right wall in shade."""
    rng = canvas.rng
    wall = _box(x, y, width, height)
    roof = [
        (x - 2, y - height),
        (x + width * 0.25, y - height - width * 0.32),
        (x + width * 0.8, y - height - width * 0.32),
        (x + width + 2, y - height),
    ]
    reserve(canvas, wall, roof)
    wash(canvas, _box(x + width * 0.62, y, width * 0.38, height), 0.35)
    wash(canvas, roof, 0.52)
    hatch(canvas, roof, 82, 2.4, 0.8, 0.7)
    outline(canvas, wall, 1.0, 0.82)
    outline(canvas, roof, 1.1, 0.88)
    for k in range(max(1, int(width // 9))):
        wx = x + 3 + k * 8.5
        wash(canvas, _box(wx, y - height * rng.uniform(0.35, 0.45), 3, 4.5), 0.85, pool=0)
    if width > 14:
        wash(canvas, _box(x + width * 0.42, y, 4, 7), 0.8, pool=0)


def paint_tower(
    canvas: Canvas, x: float, y: float, width: float, height: float, *, spire: bool = False
) -> None:
    """Paint a tower with battlements, or with a spire and cross."""
    body = _box(x, y, width, height)
    reserve(canvas, body)
    wash(canvas, _box(x + width * 0.55, y, width * 0.45, height), 0.45)
    hatch(canvas, _box(x + width * 0.6, y, width * 0.4, height), 90, 2.2, 0.7, 0.6)
    outline(canvas, body, 1.2, 0.88)
    top = y - height
    if spire:
        point = [(x - 2, top), (x + width / 2, top - width * 1.5), (x + width + 2, top)]
        reserve(canvas, point)
        wash(canvas, point, 0.55)
        outline(canvas, point, 1.2, 0.9)
        tip = top - width * 1.5
        stroke(canvas, [(x + width / 2, tip), (x + width / 2, tip - 8)], 1.1, 0.9, tremor=0.1)
        stroke(canvas, [(x + width / 2 - 3, tip - 5), (x + width / 2 + 3, tip - 5)], 1.1, 0.9)
    else:
        _battlements(canvas, x - 2, top, width + 4)
    for k in range(max(1, int(height // 18))):
        wash(canvas, _box(x + width * 0.4, top + 12 + 15 * k, 2.6, 5), 0.9, pool=0)


def _battlements(canvas: Canvas, x: float, y: float, width: float) -> None:
    """Paint a parapet of merlons on the line at `y`."""
    ledge = _box(x, y, width, 3)
    reserve(canvas, ledge)
    wash(canvas, ledge, 0.3)
    outline(canvas, ledge, 1.0, 0.85)
    count = max(2, round(width / 6))
    step = width / (count - 0.45)
    for k in range(count):
        merlon = _box(x + k * step, y - 3, step * 0.55, 4)
        reserve(canvas, merlon)
        outline(canvas, merlon, 0.9, 0.88)


def paint_wall(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    """Paint a curtain wall of laid stone."""
    wall = _box(x, y, width, height)
    reserve(canvas, wall)
    wash(canvas, wall, 0.22, streak=0.4)
    rng = canvas.rng
    for row, level in enumerate(np.arange(y - 4, y - height, -4.5)):
        stroke(canvas, [(x, level), (x + width, level)], 0.6, 0.5, tremor=0.25)
        for px in np.arange(x + (row % 2) * 4, x + width, 8.5):
            if rng.random() < 0.7:
                stroke(canvas, [(px, level), (px, level + 4)], 0.6, 0.5, tremor=0.1)
    outline(canvas, wall, 1.1, 0.85)
    _battlements(canvas, x - 1, y - height, width + 2)
