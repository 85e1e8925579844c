"""The frame: a frieze of scrolls, white on blue, and a roundel in every corner."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from caravel.brush import (
    Canvas,
    Points,
    arc,
    circle,
    outline,
    reserve,
    shifted,
    smooth,
    spiral,
    stroke,
    wash,
)

DEPTH = 70
"""How wide the frame is, lines included."""

Put = Callable[[ArrayLike], Points]


def paint_border(canvas: Canvas) -> None:
    """Paint the frame round the whole canvas."""
    height, width = canvas.size
    for side in range(4):
        _side(canvas, side, (width if side % 2 == 0 else height) - 2 * DEPTH)
    _rules(canvas, height, width)
    motifs = (_compass, _shell, _sphere, _rosette)
    centres = (
        (DEPTH / 2, DEPTH / 2),
        (width - DEPTH / 2, DEPTH / 2),
        (width - DEPTH / 2, height - DEPTH / 2),
        (DEPTH / 2, height - DEPTH / 2),
    )
    for (x, y), motif in zip(centres, motifs, strict=True):
        _corner(canvas, x, y)
        motif(canvas, x, y)
    for side in range(4):
        _checks(canvas, _place(canvas, side), width if side % 2 == 0 else height)


def _place(canvas: Canvas, side: int) -> Put:
    """Return how (along, depth from the outer edge) become points on side `side`."""
    height, width = canvas.size

    def put(points: ArrayLike) -> Points:
        s, t = np.asarray(points, float).reshape(-1, 2).T
        x, y = (
            (DEPTH + s, t),
            (width - t, DEPTH + s),
            (width - DEPTH - s, height - t),
            (t, height - DEPTH - s),
        )[side]
        return np.stack([x, y], axis=1)

    return put


def _side(canvas: Canvas, side: int, length: float) -> None:
    put = _place(canvas, side)
    ground = put([(0, 8), (length, 8), (length, DEPTH - 8), (0, DEPTH - 8)])
    reserve(canvas, put([(0, 0), (length, 0), (length, DEPTH), (0, DEPTH)]))
    for _ in range(2):
        wash(canvas, ground, 0.5, streak=0.16)
    count = 12 if side % 2 == 0 else 9
    pitch = length / count
    middle = DEPTH / 2
    stem = [(pitch * k / 4, middle - 18 * np.sin(np.pi * k / 4)) for k in range(4 * count + 1)]
    _vine(canvas, put(stem))
    for k in range(count):
        up = 1 if k % 2 == 0 else -1
        _lobe(canvas, put, (k + 0.5) * pitch, middle + up * 2.5, up, pitch)


def _vine(canvas: Canvas, points: Points) -> None:
    """Draw a stem: white, with a dark line on either side."""
    stroke(canvas, points, 6.2, 0.97, taper=(1, 1), tremor=0.5, lifting=True)
    stroke(canvas, shifted(points, 0.9, 1.0), 1.7, 0.45, taper=(1, 1))
    stroke(canvas, shifted(points, -0.4, -0.5), 0.7, 0.5, taper=(1, 1))


def _lobe(canvas: Canvas, put: Put, s: float, t: float, up: int, pitch: float) -> None:
    """Paint one turn of the scroll: a spiral with leaves outside and a flower inside."""
    rng = canvas.rng
    r = pitch * rng.uniform(0.23, 0.26)
    way = 1 if up > 0 else -1
    start = 250 if up > 0 else 110
    coil = spiral(s, t, r, start, way * rng.uniform(0.8, 1.0), inner=0.5)
    stroke(canvas, put(coil), 3.6, 0.95, taper=(1, 0.5), lifting=True)
    stroke(canvas, put(shifted(coil, 0.5, 0.7)), 1.0, 0.6)
    for k in range(6):
        angle = start + way * (30 + 54 * k + rng.uniform(-8, 8))
        root = arc(s, t, r, angle, angle + 1)[0]
        _leaf(canvas, put, root, angle + way * rng.uniform(25, 50), rng.uniform(14, 21))
    for off in (-0.5, 0.5):
        for lean in (-1, 1):
            root = (s + off * pitch * rng.uniform(0.8, 0.9), t - up * rng.uniform(13, 19))
            angle = -90 * up + lean * rng.uniform(25, 75)
            _leaf(canvas, put, np.array(root), angle, rng.uniform(14, 20))
    for _ in range(14):
        x, y = put([(s + rng.uniform(-0.5, 0.5) * pitch, rng.uniform(10, DEPTH - 10))])[0]
        tendril = arc(x, y, rng.uniform(1.5, 3.5), *rng.uniform(0, 360, 2))
        stroke(canvas, tendril, 0.9, 0.5, lifting=True)
    _flower(canvas, put, s, t, r * 0.62, int(rng.integers(5)))


def _leaf(canvas: Canvas, put: Put, root: Points, angle: float, length: float) -> None:
    """Paint an acanthus leaf: a curved drop with a vein and a notch or two."""
    turn = np.deg2rad(angle)
    along = np.array([np.cos(turn), np.sin(turn)])
    across = np.array([-along[1], along[0]]) * canvas.rng.choice([-1, 1])
    profile = np.array(
        [(0, 0), (0.3, 0.3), (0.55, 0.22), (0.7, 0.36), (1, 0.5), (0.8, 0.02), (0.4, -0.2)]
    )
    points = root + length * (profile[:, :1] * along + profile[:, 1:] * across)
    points[:, 1] = points[:, 1].clip(9, DEPTH - 9)
    shape = smooth(put(points), closed=True)
    reserve(canvas, shape)
    vein = put([root, root + length * (0.5 * along + 0.1 * across), points[4]])
    stroke(canvas, vein, 0.9, 0.6)
    wash(canvas, put(np.vstack([points[0], points[4:], points[0]])), 0.22, pool=0)
    outline(canvas, put(points), 0.8, 0.92, bend=True)


def _flower(canvas: Canvas, put: Put, s: float, t: float, r: float, kind: int) -> None:
    """Paint one of five flowers."""
    petals = (5, 8, 6, 4, 7)[kind]
    x, y = put([(s, t)])[0]
    reach = r * (1.35 if kind != 1 else 1.5)
    first = canvas.rng.uniform(0, 360)
    for k in range(petals):
        turn = np.deg2rad(first + 360 / petals * k)
        px, py = x + reach * 0.62 * np.cos(turn), y + reach * 0.62 * np.sin(turn)
        petal = circle(px, py, reach * (0.46 if petals < 7 else 0.36), 14)
        reserve(canvas, petal)
        wash(canvas, circle(px + 0.8, py + 0.8, reach * 0.2), 0.4)
        outline(canvas, petal, 0.8, 0.88, bend=True)
    reserve(canvas, circle(x, y, reach * 0.34))
    wash(canvas, circle(x, y, reach * 0.3), 0.9 if kind % 2 else 0.45)
    outline(canvas, circle(x, y, reach * 0.34, 12), 0.9, 0.92, bend=True)


def _rules(canvas: Canvas, height: int, width: int) -> None:
    """Draw the bands that edge the frieze, with beads between the inner two."""
    for inset, thick, dark in ((7.5, 1.6, 0.92), (62.5, 1.3, 0.9), (68.5, 2.6, 0.95)):
        x1, y1 = width - inset, height - inset
        corners = [(inset, inset), (x1, inset), (x1, y1), (inset, y1), (inset, inset)]
        for a, b in pairwise(corners):
            stroke(canvas, [a, b], thick, dark, taper=(1, 1), tremor=0.25, straight=True)
    rng = canvas.rng
    for side in range(4):
        length = (width if side % 2 == 0 else height) - 2 * DEPTH
        put = _place(canvas, side)
        s = 3.0
        while s < length:
            x, y = put([(s, 65.5)])[0]
            wash(canvas, circle(x, y, rng.uniform(1.0, 1.7), 10), rng.uniform(0.6, 0.9), pool=0)
            s += rng.uniform(4.4, 6.6)


def _checks(canvas: Canvas, put: Put, length: float) -> None:
    """Paint the outermost band: blocks of uneven length, dark and pale.

    A plain band would let opposite edges of the panel continue each other without a flaw.
    """
    rng = canvas.rng
    reserve(canvas, put([(-DEPTH, -1), (length - DEPTH, -1), (length - DEPTH, 5), (-DEPTH, 5)]))
    s, end, dark = -float(DEPTH), length - DEPTH, bool(rng.integers(2))
    while s < end:
        to = min(s + rng.uniform(4, 14), end)
        block = put([(s, -1), (to, -1), (to, 6), (s, 6)])
        wash(canvas, block, rng.uniform(0.72, 0.95) if dark else rng.uniform(0.02, 0.2), pool=0.1)
        s, dark = to, not dark


def _corner(canvas: Canvas, x: float, y: float) -> None:
    """Clear a corner and draw its ring."""
    r = DEPTH / 2
    square = [(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)]
    reserve(canvas, square)
    wash(canvas, square, 0.8, streak=0.12)
    reserve(canvas, circle(x, y, 28))
    wash(canvas, circle(x, y, 27.5), 0.1)
    outline(canvas, circle(x, y, 28, 30), 1.8, 0.95, bend=True)
    outline(canvas, circle(x, y, 24.5, 30), 0.9, 0.8, bend=True)
    for k in range(36):
        dot = arc(x, y, 26.3, 10 * k, 10 * k + 1)[0]
        wash(canvas, circle(dot[0], dot[1], 0.9, 8), 0.8, pool=0)


def _compass(canvas: Canvas, x: float, y: float) -> None:
    """Paint a wind rose."""
    for ring, reach, half in ((45.0, 15.0, 20.0), (0.0, 22.5, 24.0)):
        for k in range(4):
            angle = 90 * k + ring
            tip = arc(x, y, reach, angle, angle + 1)[0]
            one = arc(x, y, 6.5, angle - half - 20, angle)[0]
            two = arc(x, y, 6.5, angle + half + 20, angle)[0]
            reserve(canvas, [(x, y), one, tip, two])
            wash(canvas, [(x, y), one, tip], 0.85, pool=0)
            outline(canvas, np.array([(x, y), one, tip, two]), 0.9, 0.92)
    reserve(canvas, circle(x, y, 3))
    outline(canvas, circle(x, y, 3, 12), 1.1, 0.92, bend=True)


def _shell(canvas: Canvas, x: float, y: float) -> None:
    """Paint a scallop shell."""
    foot = np.array([x, y + 14])
    rim = [
        foot + arc(0, 0, 30 + 2.2 * (k % 2), -152 + 6.2 * k, -150)[0] * (0.92, 1) for k in range(21)
    ]
    shape = np.vstack([[(x - 4, y + 14)], rim, [(x + 4, y + 14)]])
    wash(canvas, shape, 0.45, fade=lambda px, py: 0.3 + 0.7 * np.abs(px - x) / 22 + 0 * py)
    for point in rim[1:-1:2]:
        stroke(canvas, [foot, (foot + point) / 2, point], 1.2, 0.82, taper=(0.5, 0.8))
    outline(canvas, shape, 1.4, 0.93)
    stroke(canvas, [(x - 8, y + 15), (x, y + 17.5), (x + 8, y + 15)], 2.6, 0.9)


def _sphere(canvas: Canvas, x: float, y: float) -> None:
    """Paint an armillary sphere."""
    wash(canvas, circle(x, y - 2, 18), 0.3, fade=lambda px, py: 0.5 + (px - x + py - y) / 40)
    outline(canvas, circle(x, y - 2, 18, 24), 2.0, 0.93, bend=True)
    for flat in (0.25, 0.62):
        outline(canvas, circle(x, y - 2, 18, 24, flat), 1.0, 0.85, bend=True)
    turn = np.deg2rad(-28)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    for flat in (0.34, 0.2):
        outline(canvas, circle(0, 0, 18, 24, flat) @ spin + (x, y - 2), 1.4, 0.9, bend=True)
    stroke(canvas, [(x, y - 22), (x, y + 18)], 1.6, 0.92)
    stroke(canvas, [(x - 7, y + 21), (x, y + 17.5), (x + 7, y + 21)], 2.0, 0.92)


def _rosette(canvas: Canvas, x: float, y: float) -> None:
    """Paint a double rose."""
    for count, reach, size, dark in ((8, 14.5, 7.2, 0.35), (5, 7.5, 5.2, 0.6)):
        for k in range(count):
            px, py = arc(x, y, reach, 360 / count * k + 9, 360 / count * k + 10)[0]
            petal = circle(px, py, size, 16)
            reserve(canvas, petal)
            wash(canvas, circle(px * 0.9 + x * 0.1, py * 0.9 + y * 0.1, size * 0.6), dark)
            outline(canvas, petal, 1.1, 0.9, bend=True)
    reserve(canvas, circle(x, y, 4.5))
    wash(canvas, circle(x, y, 4), 0.85)
