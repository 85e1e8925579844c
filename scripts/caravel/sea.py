"""The sea: rows of waves back to front, a serpent and a dolphin among them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from caravel.brush import (
    Canvas,
    Points,
    arc,
    circle,
    hatch,
    outline,
    reserve,
    smooth,
    spiral,
    stroke,
    wash,
)


def paint_still_water(
    canvas: Canvas, left: float, top: float, right: float, bottom: float, sun: float
) -> None:
    """Paint the far sea: thin dashes, and the sun's path left bright."""
    rng = canvas.rng
    band = [(left, top), (right, top), (right, bottom), (left, bottom)]
    reserve(canvas, band)
    path = 26.0
    wash(
        canvas,
        band,
        0.42,
        fade=lambda x, _y: 1 - 0.8 * np.exp(-(((x - sun) / path) ** 2)),
        streak=0.4,
        pool=0.05,
    )
    stroke(canvas, [(left, top), ((left + right) / 2, top), (right, top)], 1.5, 0.85, taper=(1, 1))
    for y in np.arange(top + 3, bottom, 3.4):
        x = left + rng.uniform(0, 20)
        while x < right:
            length = rng.uniform(8, 34)
            bright = abs(x + length / 2 - sun) < path
            if not bright or rng.random() < 0.35:
                line = [(x, y), (x + length / 2, y - 1.2), (min(x + length, right), y)]
                stroke(canvas, line, rng.uniform(0.7, 1.5), rng.uniform(0.4, 0.8))
            x += length + rng.uniform(3, 14)


def paint_wave_row(
    canvas: Canvas, left: float, right: float, y: float, size: float, bottom: float
) -> None:
    """Paint one row of waves whose crests stand about `size` above `y`."""
    rng = canvas.rng
    crests = _crests(rng, left, right, y, size)
    line = np.vstack([_scallop(a, b, rng) for a, b in pairwise(crests)])
    line[:, 0] = line[:, 0].clip(left, right)
    foot = min(y + size * 2.6, bottom)
    body = np.vstack([line, [(right, foot), (left, foot)]])
    reserve(canvas, body, keep=0.12)
    deep = y - size
    wash(
        canvas,
        body,
        0.6,
        fade=lambda _x, py: np.clip(1.0 - (py - deep) / (size * 2.4), 0.18, 1),
        streak=0.25,
        pool=0.3,
    )
    for a, b in pairwise(crests):
        _paint_wave(canvas, a, b, size, body)


def _crests(
    rng: np.random.Generator, left: float, right: float, y: float, size: float
) -> list[tuple[float, float]]:
    """Return the crest points of a row, unevenly spaced."""
    x = left - rng.uniform(0, 3) * size
    points = []
    while x < right + 3 * size:
        points.append((x, y - size * rng.uniform(0.75, 1.15)))
        x += size * rng.uniform(2.3, 3.3)
    return points


def _scallop(a: tuple[float, float], b: tuple[float, float], rng: np.random.Generator) -> Points:
    """Return the trough from crest `a` to crest `b`."""
    t = np.linspace(0, 1, 16)
    sag = (b[0] - a[0]) * rng.uniform(0.26, 0.34)
    x = a[0] + (b[0] - a[0]) * t
    y = a[1] + (b[1] - a[1]) * t + sag * np.sin(np.pi * t) ** 0.8
    return np.stack([x, y], axis=1)


def _paint_wave(
    canvas: Canvas, a: tuple[float, float], b: tuple[float, float], size: float, body: Points
) -> None:
    """Draw a trough's line, its echoes below, and the curl of its right crest."""
    rng = canvas.rng
    trough = _scallop(a, b, rng)
    stroke(canvas, trough, 0.7 + size * 0.06, 0.9, taper=(0.9, 0.5), within=body)
    echoes = 3 + int(size / 3.5)
    for k in range(1, echoes):
        shrink = 1 - 0.1 * k
        middle = trough.mean(axis=0)
        echo = (trough - middle) * (shrink, shrink) + middle + (0, k * (1.4 + size * 0.1))
        stroke(
            canvas, echo[2:-2], 0.6 + size * 0.035, 0.75 - 0.06 * k, taper=(0.2, 0.2), within=body
        )
    _ripples(canvas, a, b, size, body)
    if size > 8:
        _curl(canvas, b, size * rng.uniform(0.4, 0.55), body)


def _ripples(
    canvas: Canvas, a: tuple[float, float], b: tuple[float, float], size: float, body: Points
) -> None:
    """Scatter short dashes over the back of a wave."""
    rng = canvas.rng
    for _ in range(int(size * 0.9)):
        x = rng.uniform(a[0], b[0])
        y = max(a[1], b[1]) + size * rng.uniform(0.7, 2.4)
        reach = size * rng.uniform(0.15, 0.5)
        line = [(x - reach, y), (x, y + rng.uniform(-0.12, 0.16) * size), (x + reach, y)]
        stroke(canvas, line, rng.uniform(0.6, 1.3), rng.uniform(0.35, 0.75), within=body)


def _curl(canvas: Canvas, crest: tuple[float, float], r: float, body: Points) -> None:
    """Paint the breaking head of a wave, white with a dark volute."""
    x, y = crest[0] - r * 0.35, crest[1] + r * 0.55
    head = circle(x, y, r)
    inside = np.vstack([body, head[:1]])
    reserve(canvas, head)
    wash(
        canvas,
        head,
        0.3,
        fade=lambda px, py: np.clip((px - x + py - y) / (2 * r) + 0.2, 0, 1),
    )
    stroke(canvas, spiral(x, y, r, -30, -1.45), 0.9 + r * 0.09, 0.9)
    for k in range(3):
        px, py = x - r * (1.25 + 0.35 * k), y - r * (0.35 - 0.3 * k)
        reserve(canvas, circle(px, py, 2.0))
        wash(canvas, circle(px, py, 0.9 + 0.25 * (k == 1)), 0.7, pool=0)
    stroke(canvas, arc(x, y, r * 1.25, 20, 95), 0.9, 0.7, within=inside)


def paint_serpent(canvas: Canvas, x: float, y: float, u: float) -> None:
    """Paint a sea serpent swimming left, its coils rising from the water line `y`."""
    for cx, reach, thick in ((x + 168 * u, 17 * u, 9 * u), (x + 112 * u, 24 * u, 14 * u)):
        _coil(canvas, cx, y, reach, thick)
    _tail(canvas, x + 205 * u, y, u)
    _neck(canvas, x, y, u)


def _coil(canvas: Canvas, x: float, y: float, reach: float, thick: float) -> None:
    """Paint one arch of the body."""
    outer = arc(x, y, reach + thick / 2, 180, 360, 1.25)
    inner = arc(x, y, reach - thick / 2, 360, 180, 1.1)
    body = np.vstack([outer, inner])
    reserve(canvas, np.vstack([arc(x, y, reach + thick, 180, 360, 1.25), inner]))
    wash(canvas, body, 0.6, fade=lambda _x, py: np.clip(0.45 + (py - y + reach) / reach, 0.4, 1.2))
    for k, angle in enumerate(np.arange(190, 352, 9.0)):
        turn = np.deg2rad(angle)
        for level in (-0.22, 0.12):
            r = reach + thick * level
            px, py = x + r * np.cos(turn + 0.08 * (k % 2)), y + 1.2 * r * np.sin(turn)
            stroke(canvas, arc(px, py, thick * 0.2, angle - 100, angle + 80), 0.9, 0.75)
        fin = (
            x + (reach + thick * 0.5) * np.cos(turn),
            y + 1.25 * (reach + thick * 0.5) * np.sin(turn),
        )
        tip = (
            x + (reach + thick) * np.cos(turn + 0.1),
            y + 1.25 * (reach + thick) * np.sin(turn + 0.1),
        )
        stroke(canvas, [fin, tip], 1.5, 0.85, taper=(1, 0.2))
    stroke(canvas, outer, 1.8, 0.92)
    stroke(canvas, inner, 1.5, 0.9)


def _tail(canvas: Canvas, x: float, y: float, u: float) -> None:
    stem = [(x, y), (x + 4 * u, y - 16 * u), (x + 14 * u, y - 26 * u)]
    stroke(canvas, stem, 6 * u, 0.7, taper=(1, 0.5))
    fan = [
        (x + 12 * u, y - 24 * u),
        (x + 8 * u, y - 40 * u),
        (x + 17 * u, y - 35 * u),
        (x + 24 * u, y - 43 * u),
        (x + 26 * u, y - 31 * u),
        (x + 36 * u, y - 28 * u),
        (x + 22 * u, y - 21 * u),
    ]
    reserve(canvas, fan)
    wash(canvas, fan, 0.35)
    hatch(canvas, fan, -45, 2.4, 0.8, 0.65)
    outline(canvas, fan, 1.2, 0.9)


def _neck(canvas: Canvas, x: float, y: float, u: float) -> None:
    """Paint neck and head: open jaws, a crest, a curled tongue."""
    back = [(66, 4), (70, -22), (58, -44), (40, -58), (22, -62), (6, -54), (-12, -46), (-20, -48)]
    jaw = [(-20, -42), (-6, -38), (6, -36), (-4, -32), (-14, -28), (-6, -26), (10, -28)]
    throat = [(24, -38), (38, -30), (46, -14), (44, 4)]
    body = smooth(np.array(back + jaw + throat) * u + (x, y), step=1.2)
    reserve(canvas, (body - body.mean(axis=0)) * 1.06 + body.mean(axis=0))
    wash(
        canvas,
        body,
        0.62,
        fade=lambda px, py: np.clip(0.6 + (px - x) / (90 * u) + (py - y) / (160 * u), 0.15, 1.1),
    )
    for k in range(9):
        t = k / 8
        px, py = x + (66 - 40 * t**1.6) * u, y + (2 - 48 * t**0.8) * u
        stroke(canvas, arc(px - 5 * u, py, 4 * u, 140, 300), 0.9, 0.75)
        stroke(canvas, arc(px - 12 * u, py + 3 * u, 3.4 * u, 140, 300), 0.9, 0.7)
    outline(canvas, body, 1.7, 0.92)
    for k, (px, py) in enumerate([(68, -24), (60, -42), (46, -55), (30, -62)]):
        tip = (x + (px + 11 - 2 * k) * u, y + (py - 7 - 2 * k) * u)
        spike = [(x + px * u, y + py * u), tip, (x + (px - 7) * u, y + (py - 6) * u)]
        reserve(canvas, spike)
        wash(canvas, spike, 0.5)
        outline(canvas, spike, 1.1, 0.9)
    wash(canvas, circle(x + 8 * u, y - 47 * u, 3.0 * u), 0.95, pool=0)
    reserve(canvas, circle(x + 7 * u, y - 48 * u, 1.0 * u))
    stroke(canvas, np.array([(0, -53), (9, -54), (16, -48)]) * u + (x, y), 1.7, 0.9)
    tongue = np.array([(2, -34), (-12, -35), (-24, -33), (-30, -37), (-26, -40)]) * u + (x, y)
    stroke(canvas, tongue, 1.7, 0.85)
    stroke(canvas, np.array([(24, -60), (30, -74), (40, -76), (42, -70)]) * u + (x, y), 2.2, 0.9)


def paint_dolphin(canvas: Canvas, x: float, y: float, u: float) -> None:
    """Paint a leaping dolphin of the old kind: round brow, snout, leafy fins."""

    def put(points: list[tuple[float, float]]) -> Points:
        return np.array(points, float) * u + (x, y)

    body = put(
        [
            (-46, 14), (-38, -2), (-26, -14), (-8, -22), (14, -20), (32, -8), (44, 12), (46, 26),
            (38, 26), (30, 12), (16, 4), (0, 4), (-14, 10), (-26, 18), (-36, 20),
        ]
    )  # fmt: skip
    tail = put([(40, 24), (30, 38), (42, 34), (46, 42), (52, 33), (63, 34), (48, 22)])
    fin = put([(-4, -21), (4, -38), (18, -36), (14, -28), (22, -24), (12, -19)])
    flank = put([(-14, 8), (-16, 24), (-6, 20), (-2, 28), (4, 10)])
    curve = smooth(body, closed=True)
    reserve(canvas, (curve - (x, y)) * 1.07 + (x, y), tail, fin, flank)
    for part, dark in ((tail, 0.4), (fin, 0.4), (flank, 0.35)):
        wash(canvas, part, dark)
        hatch(canvas, part, 60, 2.3, 0.8, 0.6)
        outline(canvas, part, 1.2, 0.9)
    wash(
        canvas, curve, 0.85, fade=lambda _x, py: np.clip(0.9 - (py - y + 20 * u) / (44 * u), 0.1, 1)
    )
    hatch(
        canvas, put([(-20, -18), (14, -20), (40, 4), (44, 22), (30, 8), (0, -8)]), 20, 2.6, 0.8, 0.6
    )
    outline(canvas, body, 1.7, 0.92, bend=True)
    stroke(canvas, put([(-45, 15), (-34, 13), (-26, 8), (-27, 4)]), 1.4, 0.9)
    wash(canvas, circle(x - 26 * u, y - u, 2.4 * u), 0.95, pool=0)
    stroke(canvas, put([(-31, -4), (-26, -6), (-21, -3)]), 1.2, 0.85)
    for k in range(4):
        stroke(canvas, put([(-12 + 11 * k, 6), (-8 + 11 * k, -2)]), 0.9, 0.6)
