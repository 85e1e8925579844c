"""The caravel: hull, masts, three sails, rigging and pennants."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from caravel.brush import (
    Canvas,
    Points,
    arc,
    circle,
    hatch,
    outline,
    reserve,
    shifted,
    smooth,
    stroke,
    wash,
)

Put = Callable[[ArrayLike], Points]


def paint_caravel(canvas: Canvas, x: float, y: float, u: float) -> None:
    """Paint a caravel sailing left, (x, y) amidships on the water line, drawn at scale `u`."""

    def put(points: ArrayLike) -> Points:
        return np.asarray(points, float) * u + (x, y)

    _masts(canvas, put, u)
    _stays(canvas, put)
    _sails(canvas, put, u)
    _hull(canvas, put, u)
    _shrouds(canvas, put)
    for top, length in (((-88, -252), 50), ((14, -342), 66), ((112, -214), 38)):
        _pennant(canvas, put([top])[0], length * u, u)
    _ensign(canvas, put, u)


def _masts(canvas: Canvas, put: Put, u: float) -> None:
    for foot, top, thick in (
        ((-84, -30), (-88, -254), 6),
        ((18, -20), (14, -344), 7.5),
        ((112, -60), (112, -216), 5),
    ):
        (x0, y0), (x1, y1) = put([foot, top])
        half = thick * u / 2
        pole = [(x0 - half, y0), (x1 - half * 0.5, y1), (x1 + half * 0.5, y1), (x0 + half, y0)]
        reserve(canvas, pole)
        wash(canvas, pole, 0.4)
        stroke(canvas, pole[:2], 1.1, 0.88, tremor=0.15)
        stroke(canvas, pole[2:], 1.8, 0.9, tremor=0.15)
    bowsprit = put([(-128, -46), (-196, -92)])
    stroke(canvas, bowsprit, 5.5 * u, 0.8, taper=(1, 0.6), tremor=0.1)
    stroke(canvas, bowsprit, 2.2 * u, 0.6, taper=(1, 0.6), tremor=0.1, lifting=True)
    _top(canvas, put, (15, -262), u)


def _top(canvas: Canvas, put: Put, at: tuple[float, float], u: float) -> None:
    """Paint the crow's nest."""
    x, y = at
    basket = put([(x - 16, y - 14), (x + 16, y - 14), (x + 11, y + 4), (x - 11, y + 4)])
    reserve(canvas, basket)
    wash(canvas, basket, 0.4)
    hatch(canvas, basket, 90, 3 * u, 0.8, 0.7)
    outline(canvas, basket, 1.4, 0.92)


def _stays(canvas: Canvas, put: Put) -> None:
    for a, b in (
        ((-196, -92), (-88, -250)),
        ((-88, -250), (14, -338)),
        ((14, -338), (112, -212)),
        ((112, -212), (176, -104)),
        ((-160, -66), (-88, -170)),
        ((14, -250), (150, -92)),
    ):
        stroke(canvas, put([a, b]), 0.9, 0.75, tremor=0.15, taper=(0.8, 0.8))


def _sails(canvas: Canvas, put: Put, u: float) -> None:
    _lateen(canvas, put, yard=((62, -108), (186, -250)), clew=(196, -98), belly=(150, -112), u=u)
    _lateen(canvas, put, yard=((-44, -96), (104, -352)), clew=(110, -84), belly=(18, -72), u=u)
    _square(canvas, put, u)


def _lateen(
    canvas: Canvas,
    put: Put,
    yard: tuple[tuple[float, float], tuple[float, float]],
    clew: tuple[float, float],
    belly: tuple[float, float],
    u: float,
) -> None:
    """Paint a three-cornered sail hung on a slanting yard."""
    (ax, ay), (bx, by) = yard
    leech = [(bx, by), (bx * 0.55 + clew[0] * 0.45 - 16, by * 0.5 + clew[1] * 0.5), clew]
    foot = [clew, belly, (ax, ay)]
    sail = np.vstack([smooth(put(leech)), smooth(put(foot))])
    reserve(canvas, sail)
    x0, width = sail[:, 0].min(), np.ptp(sail[:, 0])
    wash(
        canvas,
        sail,
        0.42,
        fade=lambda x, _y: np.clip(np.abs((x - x0) / width - 0.38) * 1.9, 0.06, 1.1),
        streak=0.2,
    )
    for k in np.linspace(0.12, 0.9, 8):
        top = (ax + (bx - ax) * k, ay + (by - ay) * k)
        low = (ax + (clew[0] - ax) * k, ay + (clew[1] - ay) * k + 16 * np.sin(np.pi * k))
        middle = ((top[0] + low[0]) / 2 - 9, (top[1] + low[1]) / 2)
        stroke(canvas, put([top, middle, low]), 0.9, 0.55, within=sail)
        beside = [(p[0] + 3, p[1]) for p in (top, middle, low)]
        stroke(canvas, put(beside), 0.7, 0.32, within=sail)
    shade = put([(bx, by), leech[1], clew, (clew[0] - 34, clew[1] - 8), (bx - 24, by + 60)])
    hatch(canvas, shade, 62, 3.4 * u, 0.8, 0.5, bow=2)
    for path in (leech, foot):
        stroke(canvas, put(path), 1.9, 0.92, taper=(0.8, 0.8))
    spar = put([(ax - 14, ay + 24), (bx + 8, by - 14)])
    stroke(canvas, spar, 5 * u, 0.88, taper=(0.5, 0.5), tremor=0.2)
    stroke(canvas, shifted(spar, -0.6, -0.6), 1.6 * u, 0.55, tremor=0.1, lifting=True)
    for k in np.linspace(0.08, 0.95, 12):
        px, py = put([(ax + (bx - ax) * k, ay + (by - ay) * k)])[0]
        stroke(canvas, [(px - 3, py - 2.5), (px + 3, py + 2.5)], 1.0, 0.9, tremor=0.1)


def _square(canvas: Canvas, put: Put, u: float) -> None:
    """Paint the square sail of the foremast, full of wind, with a cross."""
    left = [(-150, -222), (-170, -160), (-150, -86)]
    foot = [(-150, -86), (-92, -108), (-34, -80)]
    right = [(-34, -80), (-44, -150), (-30, -228)]
    head = [(-30, -228), (-90, -222), (-150, -222)]
    sail = np.vstack([smooth(put(part)) for part in (left, foot, right, head)])
    reserve(canvas, sail)
    x0, width = sail[:, 0].min(), np.ptp(sail[:, 0])
    wash(
        canvas,
        sail,
        0.44,
        fade=lambda x, _y: np.clip(np.abs((x - x0) / width - 0.36) * 1.8, 0.03, 1.1),
        streak=0.2,
    )
    for k in np.linspace(0.1, 0.9, 9):
        bulge = -16 * (1 - k) - 9 * k
        line = [
            (-150 + 120 * k, -222 - 6 * k),
            (-160 + 118 * k + bulge * 0.4, -156),
            (-150 + 116 * k, -86 - 24 * np.sin(np.pi * k)),
        ]
        stroke(canvas, put(line), 0.8, 0.42, within=sail)
    hatch(canvas, put([*right, (-58, -222), (-66, -150), (-58, -92)]), 80, 3 * u, 0.8, 0.5)
    _cross(canvas, put, (-97, -156), 1.0)
    for part in (left, foot, right):
        stroke(canvas, put(part), 2.0, 0.92, taper=(0.8, 0.8))
    spar = put([(-160, -224), (-90, -226), (-18, -232)])
    stroke(canvas, spar, 5 * u, 0.9, taper=(0.5, 0.5), tremor=0.2)
    stroke(canvas, shifted(spar, 0, -0.6), 1.6 * u, 0.5, tremor=0.1, lifting=True)
    for a, b in (((-150, -86), (-136, -44)), ((-34, -80), (-20, -36)), ((-160, -224), (-88, -250))):
        stroke(canvas, put([a, b]), 0.9, 0.8, tremor=0.1)
    stroke(canvas, put([(-18, -232), (-88, -250)]), 0.9, 0.8, tremor=0.1)


def _cross(canvas: Canvas, put: Put, at: tuple[float, float], size: float) -> None:
    """Paint a cross whose arms widen towards their ends."""
    x, y = at
    for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
        reach = 34 * size if dy else 30 * size
        near, far = 5 * size, 12 * size
        arm = [
            (x - dy * near, y + dx * near),
            (x + dx * reach * 0.6 - dy * near, y + dy * reach * 0.6 + dx * near),
            (x + dx * reach - dy * far, y + dy * reach + dx * far),
            (x + dx * reach + dy * far, y + dy * reach - dx * far),
            (x + dx * reach * 0.6 + dy * near, y + dy * reach * 0.6 - dx * near),
            (x + dy * near, y - dx * near),
        ]
        reserve(canvas, put(arm))
        wash(canvas, put(arm), 0.72, streak=0.3)
        outline(canvas, put(arm), 1.1, 0.9)
    wash(canvas, put([(x - 5, y - 5), (x + 5, y - 5), (x + 5, y + 5), (x - 5, y + 5)]), 0.72)
    stroke(canvas, put([(x, y - 26 * size), (x, y + 26 * size)]), 3.0, 0.8, lifting=True)
    stroke(canvas, put([(x - 22 * size, y), (x + 22 * size, y)]), 3.0, 0.8, lifting=True)


def _hull(canvas: Canvas, put: Put, u: float) -> None:
    """Paint the hull with its castles, planks, shields and windows."""
    sheer = [(-150, -54), (-120, -40), (-60, -28), (0, -24), (60, -30), (120, -46), (170, -64)]
    keel = [(164, 14), (80, 22), (0, 24), (-80, 20), (-118, 8), (-136, -18)]
    hull = np.vstack([smooth(put(sheer)), smooth(put(keel))])
    _castles(canvas, put, u)
    reserve(canvas, hull)
    wash(
        canvas,
        hull,
        0.62,
        fade=lambda x, y: np.clip(
            0.45 + (y - put([(0, -30)])[0][1]) / (70 * u) + x / 4000, 0.25, 1.15
        ),
        streak=0.5,
    )
    for k in range(1, 8):
        plank = [(px, py + 6.4 * k * (1 - 0.12 * abs(px) / 170)) for px, py in sheer]
        width, dark = (1.9, 0.9) if k in (2, 5) else (0.9, 0.75)
        stroke(canvas, put(plank), width, dark, within=hull, taper=(0.8, 0.8))
    rail = [(px, py + 3.2) for px, py in sheer]
    stroke(canvas, put(rail), 3.2 * u, 0.75, lifting=True, within=hull, taper=(1, 1))
    outline(canvas, hull, 2.0, 0.95)
    for k, px in enumerate(np.linspace(-40, 66, 6)):
        _shield(canvas, put([(px, -19 - 0.0009 * px * px)])[0], 7.2 * u, k)
    for px in np.linspace(-92, 140, 24):
        stroke(canvas, put([(px, 2), (px + 0.5, 5)]), 1.2, 0.8, tremor=0.1)
    _anchor(canvas, put, u)


def _castles(canvas: Canvas, put: Put, u: float) -> None:
    """Paint the raised fore and aft decks behind the hull's rail."""
    fore = put([(-166, -74), (-104, -62), (-96, -34), (-146, -46)])
    aft = put([(66, -66), (120, -82), (120, -104), (192, -124), (182, -40), (60, -26)])
    for part in (fore, aft):
        reserve(canvas, part)
        wash(canvas, part, 0.36)
        hatch(canvas, part, 4 if part is fore else -15, 5 * u, 0.8, 0.6)
        outline(canvas, part, 1.7, 0.93)
    for low, high in (
        ((-166, -74), (-104, -62)),
        ((66, -66), (120, -82)),
        ((120, -104), (192, -124)),
    ):
        _railing(canvas, put, low, high)
    for k in range(4):
        x, y = 132 + 13 * k, -74 - 4.0 * k
        arch = put([(x - 4, y + 9), (x - 4, y - 2), (x, y - 7), (x + 4, y - 3), (x + 4, y + 8)])
        reserve(canvas, arch)
        wash(canvas, arch, 0.85)
        outline(canvas, arch, 1.0, 0.95)
    stroke(canvas, put([(120, -104), (120, -82)]), 1.6, 0.92)


def _railing(canvas: Canvas, put: Put, low: tuple[float, float], high: tuple[float, float]) -> None:
    a, b = np.array(low), np.array(high)
    stroke(canvas, put([a - (0, 10), b - (0, 10)]), 1.6, 0.92, taper=(1, 1), tremor=0.1)
    for k in np.linspace(0, 1, max(4, int(np.hypot(*(b - a)) / 7))):
        foot = a + (b - a) * k
        stroke(canvas, put([foot, foot - (0, 10)]), 1.3, 0.9, tremor=0.1)


def _shield(canvas: Canvas, at: Points, r: float, kind: int) -> None:
    """Paint a round shield hung over the rail, each with another device."""
    x, y = at
    reserve(canvas, circle(x, y, r))
    outline(canvas, circle(x, y, r, 20), 1.5, 0.92, bend=True)
    if kind % 3 == 0:
        wash(canvas, np.vstack([arc(x, y, r, 90, 270), [(x, y)]]), 0.8, pool=0)
    elif kind % 3 == 1:
        wash(canvas, np.vstack([arc(x, y, r, 0, 90), [(x, y)]]), 0.8, pool=0)
        wash(canvas, np.vstack([arc(x, y, r, 180, 270), [(x, y)]]), 0.8, pool=0)
    else:
        wash(canvas, circle(x, y, r * 0.55), 0.75, pool=0)
        reserve(canvas, circle(x, y, r * 0.2))


def _anchor(canvas: Canvas, put: Put, u: float) -> None:
    stroke(canvas, put([(-112, -28), (-112, 2)]), 6 * u, 0.7, tremor=0.1, lifting=True)
    stroke(canvas, put([(-112, -28), (-112, 0)]), 2.2 * u, 0.97, tremor=0.1)
    stroke(canvas, put([(-124, -8), (-119, 1), (-112, 4), (-105, 1), (-100, -8)]), 2.2 * u, 0.97)
    stroke(canvas, put([(-119, -22), (-105, -22)]), 1.8 * u, 0.97, tremor=0.1)


def _shrouds(canvas: Canvas, put: Put) -> None:
    """Draw the ladders of rope that hold the masts."""
    for top, feet in (
        ((-88, -228), (-116, -104, -92, -80, -66)),
        ((14, -262), (-8, 4, 16, 28, 40)),
        ((112, -190), (92, 104, 116, 128)),
    ):
        deck = -28 if top[0] < 100 else -78
        lines = [np.array([(px, deck), top], float) for px in feet[-4:]]
        for line in lines:
            stroke(canvas, put(line), 0.8, 0.7, tremor=0.1, taper=(0.9, 0.9))
        for k in np.linspace(0.06, 0.62, 13):
            rung = [line[0] + (line[1] - line[0]) * k for line in (lines[0], lines[-1])]
            stroke(canvas, put(rung), 0.6, 0.6, tremor=0.1)


def _pennant(canvas: Canvas, top: Points, length: float, u: float) -> None:
    """Paint a long forked pennant that the wind carries to the left."""
    x, y = top
    t = np.linspace(0, 1, 9)
    wave = 5 * u * np.sin(t * 6.5) * (0.3 + t)
    upper = np.stack([x - length * t, y - 2 + wave], axis=1)
    lower = np.stack([x - length * t * 0.94, y + 11 * u * (1 - 0.55 * t) + wave], axis=1)
    fork = [(x - length * 0.74, float(upper[-2:, 1].mean()) + 4 * u)]
    flag = np.vstack([smooth(upper), fork, smooth(lower)[::-1]])
    reserve(canvas, flag)
    wash(canvas, np.vstack([smooth(upper), smooth((upper + lower) / 2)[::-1]]), 0.72, streak=0.3)
    for part in (upper, lower):
        stroke(canvas, part, 1.3, 0.92)
    stroke(canvas, np.vstack([upper[-1], fork, lower[-1]]), 1.1, 0.9, straight=True)
    wash(canvas, circle(x, y - 4 * u, 3 * u), 0.95, pool=0)


def _ensign(canvas: Canvas, put: Put, u: float) -> None:
    """Paint the flag at the stern."""
    stroke(canvas, put([(190, -124), (204, -190)]), 2.2 * u, 0.92, tremor=0.1)
    upper = [(204, -190), (192, -196), (180, -188), (166, -192)]
    lower = [(164, -168), (178, -163), (188, -170), (200, -164)]
    flag = np.vstack([smooth(put(upper)), smooth(put(lower))])
    reserve(canvas, flag)
    hatch(canvas, flag, 4, 6 * u, 3.0 * u, 0.75)
    outline(canvas, flag, 1.4, 0.93)


def paint_far_ship(canvas: Canvas, x: float, y: float, u: float) -> None:
    """Paint a small ship on the horizon."""

    def put(points: ArrayLike) -> Points:
        return np.asarray(points, float) * u + (x, y)

    hull = put([(-20, -7), (-12, -4), (12, -4), (21, -9), (16, 2), (-14, 2)])
    reserve(canvas, hull)
    wash(canvas, hull, 0.75)
    outline(canvas, hull, 1.1, 0.9)
    for px, top, reach in ((-7, -34, 11), (7, -40, 13)):
        stroke(canvas, put([(px, -4), (px, top - 4)]), 1.1, 0.9, tremor=0.1)
        sail = put([(px - 1, top), (px - reach, -9), (px + reach * 0.7, -10)])
        reserve(canvas, sail)
        wash(canvas, sail, 0.3)
        outline(canvas, sail, 1.0, 0.88)
        stroke(canvas, put([(px, top - 4), (px - 8, top - 2)]), 1.6, 0.85)
