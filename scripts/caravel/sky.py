"""The sky: a morning wash, the sun and its rays, clouds and gulls."""

from __future__ import annotations

import numpy as np

from caravel.brush import (
    Canvas,
    Points,
    arc,
    circle,
    hatch,
    outline,
    reserve,
    spiral,
    stroke,
    wash,
)

Lobe = tuple[float, float, float]


def paint_air(canvas: Canvas, left: float, top: float, right: float, horizon: float) -> None:
    """Wash the sky, deepest at the top, with the overlapping marks of a wide brush."""
    rng = canvas.rng
    air = [(left, top), (right, top), (right, horizon), (left, horizon)]
    tall = horizon - top
    wash(canvas, air, 0.36, fade=lambda _x, y: 1.05 - 0.8 * (y - top) / tall, streak=0.16, pool=0)
    for _ in range(520):
        x, y = rng.uniform(left - 60, right), top + tall * rng.uniform(0, 1) ** 1.35
        length, lean = rng.uniform(50, 170), rng.uniform(-7, 7)
        line = [(x, y), (x + length / 2, y + rng.uniform(-6, 4)), (x + length, y + lean)]
        wiping = rng.random() < 0.4
        dark = rng.uniform(0.1, 0.3) if wiping else rng.uniform(0.04, 0.15)
        stroke(canvas, line, rng.uniform(3, 11), dark, taper=(0.2, 0.1), lifting=wiping, within=air)
    for _ in range(230):
        x, y = rng.uniform(left, right), top + tall * rng.uniform(0, 0.8) ** 1.6
        length = rng.uniform(14, 60)
        line = [(x, y), (x + length / 2, y - rng.uniform(0.5, 2.5)), (x + length, y)]
        stroke(canvas, line, rng.uniform(0.6, 1.1), 0.42, taper=(0.1, 0.1), within=air)


def paint_sun(canvas: Canvas, x: float, y: float, radius: float) -> None:
    """Paint the sun with its face, and rays that cross the sky."""
    _long_rays(canvas, x, y, radius)
    for k in range(24):
        angle = 360 / 24 * k + 4
        if k % 2:
            _straight_ray(canvas, x, y, radius, angle)
        else:
            _flame_ray(canvas, x, y, radius, angle)
    reserve(canvas, circle(x, y, radius))
    wash(
        canvas,
        circle(x, y, radius - 1),
        0.26,
        fade=lambda px, py: np.clip(0.25 + (px - x + py - y) / (2.0 * radius), 0.1, 1.2),
    )
    outline(canvas, circle(x, y, radius, 28), 1.9, 0.92, bend=True)
    stroke(canvas, arc(x, y, radius - 4, 20, 330), 0.7, 0.5)
    _face(canvas, x, y, radius)


def _polar(x: float, y: float, radius: float, angle: float) -> tuple[float, float]:
    turn = np.deg2rad(angle)
    return x + radius * float(np.cos(turn)), y + radius * float(np.sin(turn))


def _long_rays(canvas: Canvas, x: float, y: float, radius: float) -> None:
    """Fine rays: bundles of three, wiped and drawn."""
    for k in range(60):
        angle = 6 * k + canvas.rng.uniform(-1.2, 1.2)
        reach = radius * canvas.rng.uniform(4.2, 6.8)
        near, far = _polar(x, y, radius * 1.9, angle), _polar(x, y, reach, angle)
        stroke(canvas, [near, far], 4.2, 0.7, taper=(0.1, 0.2), lifting=True)
        for off in (-1.1, 1.1):
            near = _polar(x, y, radius * 2.0, angle + off)
            far = _polar(x, y, reach * canvas.rng.uniform(0.8, 1.0), angle + off * 0.7)
            stroke(canvas, [near, far], 0.9, 0.5, taper=(0.2, 0.1))


def _straight_ray(canvas: Canvas, x: float, y: float, radius: float, angle: float) -> None:
    tip = _polar(x, y, radius * 1.85, angle)
    base = [_polar(x, y, radius * 1.02, angle + off) for off in (-6.5, 0, 6.5)]
    ray = [base[0], tip, base[2]]
    reserve(canvas, ray)
    wash(canvas, [base[1], tip, base[2]], 0.5, pool=0.1)
    stroke(canvas, ray, 1.2, 0.88, straight=True, taper=(0.8, 0.8))


def _flame_ray(canvas: Canvas, x: float, y: float, radius: float, angle: float) -> None:
    reach = radius * canvas.rng.uniform(1.55, 1.75)
    middle = np.linspace(radius * 1.02, reach, 7)
    swing = 5.0 * np.sin(np.linspace(0, 2 * np.pi, 7))
    half = np.linspace(6.5, 0.3, 7)
    one = [_polar(x, y, r, angle + s - h) for r, s, h in zip(middle, swing, half, strict=True)]
    two = [_polar(x, y, r, angle + s + h) for r, s, h in zip(middle, swing, half, strict=True)]
    reserve(canvas, one + two[::-1])
    wash(canvas, one + two[::-1], 0.2)
    stroke(canvas, one, 1.1, 0.85)
    stroke(canvas, two, 1.3, 0.9)


def _face(canvas: Canvas, x: float, y: float, radius: float) -> None:
    """Brows, eyes, nose, cheeks and a mouth that smiles."""
    u = radius / 44
    for side in (-1, 1):
        ex = x + side * 15 * u
        brow = [(ex - side * 9 * u, y - 17 * u), (ex, y - 21 * u), (ex + side * 10 * u, y - 14 * u)]
        stroke(canvas, brow, 2.2 * u, 0.85)
        lid = [(ex - 7 * u, y - 8 * u), (ex, y - 12 * u), (ex + 7 * u, y - 8 * u)]
        stroke(canvas, lid, 1.6 * u, 0.9)
        stroke(canvas, [(p[0], 2 * (y - 8 * u) - p[1] - u) for p in lid], 1.0 * u, 0.7)
        wash(canvas, circle(ex + u, y - 8 * u, 2.6 * u), 0.95, pool=0)
        cheek = circle(ex + side * 6 * u, y + 9 * u, 8 * u)
        hatch(canvas, cheek, 35 * side, 2.6 * u, 0.7, 0.42, bow=side * 1.5)
    nose = [(x - 3 * u, y - 12 * u), (x - 5 * u, y + 4 * u), (x - 6 * u, y + 9 * u)]
    stroke(canvas, [*nose, (x, y + 12 * u), (x + 6 * u, y + 9 * u)], 1.3 * u, 0.85)
    mouth = [(x - 13 * u, y + 18 * u), (x, y + 23 * u), (x + 13 * u, y + 18 * u)]
    stroke(canvas, mouth, 2.2 * u, 0.9)
    stroke(
        canvas, [(x - 6 * u, y + 28 * u), (x, y + 30 * u), (x + 6 * u, y + 28 * u)], 1.2 * u, 0.7
    )


def paint_cloud(canvas: Canvas, lobes: list[Lobe]) -> None:
    """Paint a baroque cloud: round lobes `(x, y, radius)`, back to front, shaded below."""
    rings = [circle(*lobe) for lobe in lobes]
    reserve(canvas, *rings, keep=0.1)
    for k, (x, y, r) in enumerate(lobes):
        reserve(canvas, circle(x, y, r), keep=0.0)
        _shade_lobe(canvas, x, y, r)
        front = lobes[k + 1 :]
        for part in _visible(arc(x, y, r, 130, 430), front):
            stroke(canvas, part, 1.7, 0.85, tremor=0.5)
        if r > 13:
            way = 1 if canvas.rng.random() < 0.5 else -1
            curl = spiral(x, y, r * 0.62, 250, way * canvas.rng.uniform(0.8, 1.3))
            for part in _visible(curl, front):
                stroke(canvas, part, 1.1, 0.6)


def _shade_lobe(canvas: Canvas, x: float, y: float, r: float) -> None:
    """Darken the lower right of a lobe with wash and arcs that follow its round."""
    wash(
        canvas,
        circle(x, y, r),
        0.34,
        fade=lambda px, py: np.clip(((px - x) * 0.5 + (py - y)) / r + 0.1, 0, 1),
        soft=1,
    )
    for k in range(1, int(r / 3.2)):
        inner = r - 2.6 * k
        if inner < 3:
            break
        start, end = 20 + 6 * k, 125 - 9 * k
        if end - start > 16:
            stroke(canvas, arc(x, y, inner, start, end), 0.8, 0.55, taper=(0.1, 0.1))


def _visible(line: Points, front: list[Lobe]) -> list[Points]:
    """Return the runs of `line` that no lobe of `front` covers."""
    dense = np.stack(
        [
            np.interp(
                np.linspace(0, len(line) - 1, 8 * len(line)), np.arange(len(line)), line[:, k]
            )
            for k in (0, 1)
        ],
        axis=1,
    )
    shown = np.ones(len(dense), bool)
    for x, y, r in front:
        shown &= np.hypot(dense[:, 0] - x, dense[:, 1] - y) > r
    cuts = np.flatnonzero(np.diff(shown.astype(int))) + 1
    runs = np.split(np.arange(len(dense)), cuts)
    return [dense[run][::6] for run in runs if shown[run[0]] and len(run) > 14]


def paint_gull(canvas: Canvas, x: float, y: float, span: float, tilt: float) -> None:
    """Paint a gull with spread wings."""
    turn = np.deg2rad(tilt)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])

    def put(points: list[tuple[float, float]]) -> Points:
        return np.asarray(np.array(points) * span @ spin + (x, y), np.float64)

    left = [(-0.5, -0.12), (-0.3, -0.24), (-0.12, -0.14), (0, 0)]
    right = [(0, 0), (0.14, -0.17), (0.32, -0.26), (0.52, -0.08)]
    under = [(0.52, -0.08), (0.3, -0.15), (0.12, 0.02), (-0.1, 0.03), (-0.28, -0.14), (-0.5, -0.12)]
    reserve(canvas, put(left + right + under))
    wash(canvas, put(under[:3] + right[:1]), 0.4)
    stroke(canvas, put(left), 1.7, 0.92)
    stroke(canvas, put(right), 1.7, 0.92)
    stroke(canvas, put(under), 0.9, 0.7)
    stroke(canvas, put([(-0.1, 0.03), (-0.02, 0.1), (0.1, 0.03)]), 1.2, 0.8)
    stroke(canvas, put([(-0.5, -0.12), (-0.38, -0.2)]), 2.4, 0.95)
    stroke(canvas, put([(0.52, -0.08), (0.4, -0.2)]), 2.4, 0.95)
