"""The panel: a caravel in the morning, painted from back to front."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from caravel import land, sea, ship, sky
from caravel.border import DEPTH, paint_border
from caravel.brush import Canvas, blank
from caravel.glaze import fire

HEIGHT, WIDTH = 672, 896
HORIZON = 399.0
SEED = 1755


def draw() -> NDArray[np.uint8]:
    """Return the demo picture, uint8 ``(672, 896, 3)``; every call draws the same."""
    canvas = blank(HEIGHT, WIDTH, SEED)
    _sky(canvas)
    _coast(canvas)
    _water(canvas)
    paint_border(canvas)
    return fire(canvas)


def _sky(canvas: Canvas) -> None:
    left, right = float(DEPTH), float(WIDTH - DEPTH)
    sky.paint_air(canvas, left, float(DEPTH), right, HORIZON)
    sky.paint_sun(canvas, 344, 338, 42)
    for lobes in CLOUDS:
        sky.paint_cloud(canvas, lobes)
    for x, y, span, tilt in GULLS:
        sky.paint_gull(canvas, x, y, span, tilt)


CLOUDS: list[list[sky.Lobe]] = [
    [(92, 108, 24), (128, 92, 27), (166, 104, 23), (196, 118, 16), (112, 128, 20), (148, 126, 22),
     (180, 130, 14), (76, 132, 15), (214, 130, 9)],
    [(300, 112, 15), (324, 98, 20), (352, 104, 17), (376, 116, 12), (312, 122, 13), (340, 122, 15),
     (364, 126, 10), (284, 124, 9)],
    [(770, 116, 22), (804, 102, 25), (740, 132, 16), (766, 140, 19), (796, 138, 22), (824, 136, 15),
     (718, 142, 10)],
    [(76, 236, 16), (102, 226, 20), (130, 238, 16), (90, 250, 14), (118, 252, 14), (152, 250, 10)],
    [(792, 262, 14), (814, 250, 18), (776, 274, 11), (800, 278, 14), (824, 274, 12)],
]  # fmt: skip

GULLS = (
    (262.0, 176.0, 44.0, 8.0),
    (218.0, 206.0, 30.0, -10.0),
    (300.0, 214.0, 24.0, 14.0),
    (400.0, 168.0, 26.0, -6.0),
    (744.0, 206.0, 34.0, -12.0),
    (790.0, 196.0, 22.0, 10.0),
)


def _coast(canvas: Canvas) -> None:
    land.paint_far_hills(
        canvas,
        [(698, 389), (724, 377), (752, 381), (780, 363), (812, 369), (842, 355)],
        HORIZON + 4,
    )
    land.paint_far_hills(
        canvas, [(70, 321), (108, 311), (148, 327), (198, 345), (248, 371), (292, 395)], HORIZON + 4
    )
    land.paint_headland(
        canvas,
        [(70, 327), (104, 319), (132, 323), (158, 339), (190, 357), (222, 377), (248, 401)],
        HORIZON + 8,
    )
    land.paint_tower(canvas, 82, 325, 16, 52)
    land.paint_wall(canvas, 94, 327, 50, 22)
    land.paint_tower(canvas, 112, 323, 17, 40)
    land.paint_tower(canvas, 140, 331, 13, 34)
    for x, y, width, height in HOUSES:
        land.paint_house(canvas, x, y, width, height)
    land.paint_tower(canvas, 172, 381, 10, 30, spire=True)
    for x, y, height in ((162, 361, 26), (204, 377, 22), (78, 357, 30), (214, 393, 18)):
        land.paint_tree(canvas, x, y, height)
    for x, y, size in ((150, 355, 9), (230, 397, 7), (96, 401, 9), (142, 403, 8), (194, 403, 8)):
        land.paint_bush(canvas, x, y, size)


HOUSES = (
    (90.0, 367.0, 20.0, 13.0),
    (116.0, 363.0, 16.0, 12.0),
    (134.0, 375.0, 20.0, 13.0),
    (102.0, 389.0, 22.0, 14.0),
    (156.0, 391.0, 17.0, 12.0),
    (184.0, 393.0, 18.0, 11.0),
    (74.0, 391.0, 18.0, 13.0),
    (130.0, 398.0, 20.0, 12.0),
)


def _water(canvas: Canvas) -> None:
    left, right, bottom = float(DEPTH), float(WIDTH - DEPTH), float(HEIGHT - DEPTH)
    sea.paint_still_water(canvas, left, HORIZON, right, 428, sun=344)
    ship.paint_far_ship(canvas, 288, 404, 0.62)
    ship.paint_far_ship(canvas, 776, 408, 0.8)
    level, size = 432.0, 5.0
    rows = []
    while level - size < bottom:
        rows.append((level, size))
        level += size * 1.9
        size = min(size * 1.17, 21)
    guests = [
        (470.0, lambda: ship.paint_caravel(canvas, 566, 476, 1.0)),
        (548.0, lambda: sea.paint_serpent(canvas, 116, 560, 1.1)),
        (548.0, lambda: sea.paint_dolphin(canvas, 738, 532, 1.15)),
    ]
    for level, size in rows:
        while guests and guests[0][0] <= level:
            guests.pop(0)[1]()
        sea.paint_wave_row(canvas, left, right, level, size, bottom)
