"""Render photographs of loose tiles on a table, with the truth about their corners.

    python scripts/render_photographs.py FOLDER --count 200 --seed 1

writes FOLDER/photo_0001.jpg and so on, and FOLDER/truth.json: for every photograph the kind of
table and the four corners of every tile in pixels. Nothing is read but the pictures of
scikit-image's wheel. Tiles are flat here: the side face of a thick one is not drawn, its shadow is.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy
from numpy.typing import NDArray
from PIL import Image

from tessella.collect.markers import drawn

Floats = NDArray[np.float32]

TABLES = ("plain", "wood", "stone", "cloth", "checkered")
SIZE = (1200, 1600)
TILT_MAX = 25.0  # degrees
FRAME = 0.6  # of a card's side: a marker's black frame


@dataclass(frozen=True)
class Photograph:
    """A rendered photograph and its truth.

    Attributes
    ----------
    image : RGB, ``(H, W, 3)``
    corners : x and y of every tile's corners, ``(n, 4, 2)``
    table : the kind of table
    touching : how many tiles touch another
    cards : x and y of the corners of the cards with markers, ``(m, 4, 2)``
    """

    image: NDArray[np.uint8]
    corners: NDArray[np.float64]
    table: str
    touching: int
    cards: NDArray[np.float64]


def photograph(
    seed: int,
    table: str,
    size: tuple[int, int] = SIZE,
    count: int | None = None,
    faces: Sequence[Floats] = (),
    cards: int = 0,
) -> Photograph:
    """Render one photograph of 6 to 30 tiles, or of `count`, or of `faces` (0 to 1).

    `cards` of a tile's size lie among them, each with a marker.
    """
    rng = np.random.default_rng([seed, TABLES.index(table)])
    wanted = len(faces) or (int(rng.integers(6, 31)) if count is None else count)
    squares = layout(rng, wanted + cards, size[1] / size[0])
    view = camera(rng, squares, size)
    back = np.linalg.inv(view)
    y, x = np.mgrid[0 : size[0], 0 : size[1]].astype(np.float32) + 0.5
    plane = _projected(back, x, y)  # (2, H, W): where every pixel lies on the table, in tiles
    ground, shade = _table(rng, table, plane), np.zeros(size, np.float32)
    tiles = len(squares) - cards
    drawings = [*(faces or pictures(rng, tiles, ground[::40, ::40].reshape(-1, 3)))]
    drawings += [card(number) for number in range(cards)]
    corners = np.stack([_corners(view, square) for square in squares])
    slant = rng.uniform(-1, 1, 2) * rng.uniform(0.01, 0.07)
    layers = []
    for square, drawing, where in zip(squares, drawings, corners, strict=True):
        side = float(np.linalg.norm(np.roll(where, 1, 0) - where, axis=1).mean())
        window = _window(where, size, side)
        local = _local(plane[(slice(None), *window)], square)
        cover = _cover(rng, local, side)
        layers.append((window, cover, _sampled(drawing, local)))
        cast = _local(
            plane[(slice(None), *window)] - slant[:, None, None].astype(np.float32), square
        )
        inside = 0.5 - np.abs(cast).max(axis=0)
        part = np.clip(0.5 + inside * side / rng.uniform(2, 9), 0, 1)
        shade[window] = np.maximum(shade[window], part)
    image = ground * (1 - rng.uniform(0.15, 0.55) * shade[..., None])
    for window, cover, colour in layers:
        image[window] += cover[..., None] * (colour - image[window])
    touching = _touching(squares)
    return Photograph(_developed(rng, image), corners[:tiles], table, touching, corners[tiles:])


def card(number: int) -> Floats:
    """Draw a white card with a marker, whose frame has `FRAME` of its side."""
    module = np.float32(drawn(number) / 280 + 0.04).repeat(25, 0).repeat(25, 1)
    edge = round(len(module) * (1 / FRAME - 1) / 2)
    return np.pad(module, edge, constant_values=0.94)[..., None].repeat(3, axis=2)


def layout(rng: np.random.Generator, count: int, aspect: float) -> NDArray[np.float64]:
    """Return x, y and angle of unit squares that do not overlap, ``(n, 3)``; some touch."""
    high = np.sqrt(count * rng.uniform(2.2, 3.2) / aspect)
    wide = high * aspect
    straight = rng.random() < 0.4  # laid out in rows, not just strewn
    squares: list[NDArray[np.float64]] = []
    for _ in range(4000):
        if len(squares) == count:
            break
        if squares and rng.random() < 0.3:
            new = _beside(rng, squares[int(rng.integers(len(squares)))])
        else:
            angle = rng.normal(0, 0.06) if straight else rng.uniform(0, np.pi / 2)
            new = np.array([rng.uniform(0, wide), rng.uniform(0, high), angle])
        inside = 0 <= new[0] <= wide and 0 <= new[1] <= high
        gap = (
            0.0
            if squares and np.isclose(new[2], [s[2] for s in squares], atol=0.021).any()
            else 0.03
        )
        if inside and not any(_overlap(new, old, gap) for old in squares):
            squares.append(new)
    return np.array(squares)


def _beside(rng: np.random.Generator, old: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a square whose side lies against one of `old`'s."""
    quarter = old[2] + np.pi / 2 * rng.integers(4)
    slide = 0.0 if rng.random() < 0.4 else rng.uniform(-0.6, 0.6)
    far = 1 + rng.uniform(0.001, 0.008)
    out = np.array([np.cos(quarter), np.sin(quarter)]) * far
    along = np.array([-np.sin(quarter), np.cos(quarter)]) * (slide + rng.normal(0, 0.01))
    return np.array([*(old[:2] + out + along), old[2] + rng.uniform(-0.004, 0.004)])


def _overlap(one: NDArray[np.float64], two: NDArray[np.float64], gap: float) -> bool:
    """Whether two unit squares, grown by half of `gap`, overlap."""
    shapes = [_square(each, 1 + gap) for each in (one, two)]
    for angle in (one[2], one[2] + np.pi / 2, two[2], two[2] + np.pi / 2):
        axis = np.array([np.cos(angle), np.sin(angle)])
        spans = [(shape @ axis).min() for shape in shapes], [(s @ axis).max() for s in shapes]
        if min(spans[1]) <= max(spans[0]):
            return False
    return True


def _touching(squares: NDArray[np.float64]) -> int:
    close = [
        any(k != j and _overlap(one, two, 0.02) for j, two in enumerate(squares))
        for k, one in enumerate(squares)
    ]
    return sum(close)


def _square(square: NDArray[np.float64], side: float = 1.0) -> NDArray[np.float64]:
    corner = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2
    cos, sin = np.cos(square[2]), np.sin(square[2])
    return corner @ np.array([[cos, sin], [-sin, cos]]) + square[:2]


def camera(
    rng: np.random.Generator, squares: NDArray[np.float64], size: tuple[int, int]
) -> NDArray[np.float64]:
    """Return a homography from the table to the picture that shows all tiles, ``(3, 3)``."""
    tilt, around = np.radians(rng.uniform(0, TILT_MAX)), rng.uniform(0, 2 * np.pi)
    roll = rng.normal(0, 0.05)
    turn = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    axis = np.array([np.cos(around), np.sin(around), 0])
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    rotation = np.eye(3) + np.sin(tilt) * cross + (1 - np.cos(tilt)) * cross @ cross
    shapes = np.concatenate([_square(each) for each in squares])
    centre = (shapes.min(axis=0) + shapes.max(axis=0)) / 2
    far = 2.6 * np.ptp(shapes, axis=0).max()
    move = np.array([[1, 0, -centre[0]], [0, 1, -centre[1]], [0, 0, 1]])
    flat = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, far]])
    view = turn @ flat @ move
    seen = _points(view, shapes)
    low, high = seen.min(axis=0), seen.max(axis=0)
    margin = rng.uniform(0.03, 0.08) * min(size)
    room = np.array([size[1], size[0]]) - 2 * margin
    scale = float((room / (high - low)).min())
    shift = np.array([size[1], size[0]]) / 2 - scale * (low + high) / 2
    return np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]]) @ view


def _points(view: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    mapped = np.column_stack([points, np.ones(len(points))]) @ view.T
    return mapped[:, :2] / mapped[:, 2:]


def _corners(view: NDArray[np.float64], square: NDArray[np.float64]) -> NDArray[np.float64]:
    return _points(view, _square(square))


def _projected(view: NDArray[np.float64], x: Floats, y: Floats) -> Floats:
    down = view[2, 0] * x + view[2, 1] * y + view[2, 2]
    return np.stack([(view[k, 0] * x + view[k, 1] * y + view[k, 2]) / down for k in (0, 1)]).astype(
        np.float32
    )


def _window(where: NDArray[np.float64], size: tuple[int, int], side: float) -> tuple[slice, slice]:
    low = np.floor(where.min(axis=0) - 0.15 * side - 6).astype(int)
    high = np.ceil(where.max(axis=0) + 0.15 * side + 6).astype(int)
    return slice(max(0, low[1]), min(size[0], high[1])), slice(
        max(0, low[0]), min(size[1], high[0])
    )


def _local(plane: Floats, square: NDArray[np.float64]) -> Floats:
    """Return where pixels lie on a tile: -0.5 to 0.5 both ways, ``(2, h, w)``."""
    cos, sin = np.cos(square[2]), np.sin(square[2])
    x, y = plane[0] - square[0], plane[1] - square[1]
    return np.stack([cos * x + sin * y, cos * y - sin * x]).astype(np.float32)


def _cover(rng: np.random.Generator, local: Floats, side: float) -> Floats:
    """Return how much of every pixel a tile covers; its corners and sides may be chipped."""
    inside = 0.5 - np.abs(local).max(axis=0)
    for sign in np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]):
        if rng.random() < 0.35:  # a corner broken off
            legs = rng.uniform(0.03, 0.14, 2)
            from_corner = 0.5 - local * sign[:, None, None]
            cut = (from_corner / legs[:, None, None]).sum(axis=0) - 1
            inside = np.minimum(inside, cut * legs.min() * 0.7)
    for _ in range(rng.poisson(1.2)):  # shells at the sides
        axis, sign, place = rng.integers(2), rng.choice([-0.5, 0.5]), rng.uniform(-0.45, 0.45)
        centre = np.array([sign, place]) if axis == 0 else np.array([place, sign])
        away = np.hypot(local[0] - centre[0], local[1] - centre[1])
        inside = np.minimum(inside, away - rng.uniform(0.01, 0.05))
    return np.clip(0.5 + inside * side, 0, 1).astype(np.float32)


def _sampled(drawing: Floats, local: Floats) -> Floats:
    at = (np.clip(local, -0.499, 0.499) + 0.5) * (len(drawing) - 1)
    planes = [
        scipy.ndimage.map_coordinates(drawing[..., k], [at[1], at[0]], order=1) for k in range(3)
    ]
    return np.stack(planes, axis=-1)


def pictures(rng: np.random.Generator, count: int, table: Floats) -> list[Floats]:
    """Draw the tiles' faces: parts of a picture in one or more inks, with a rim of clay or glaze.

    The rim is not of the table's colour: nobody could tell where such a tile ends.
    """
    from skimage import data

    source = [data.astronaut, data.coffee, data.chelsea, data.rocket][int(rng.integers(4))]()
    whole = source[..., :3].astype(np.float32) / 255
    glaze = np.array([0.93, 0.93, 0.9], np.float32) * rng.uniform(0.85, 1.05)
    ink = [(0.1, 0.2, 0.55), (0.4, 0.22, 0.35), (0.45, 0.3, 0.15), (0.2, 0.4, 0.25)][
        int(rng.choice(4, p=[0.6, 0.15, 0.15, 0.1]))
    ]
    polychrome = rng.random() < 0.25
    rims = np.array([(0.7, 0.5, 0.36), (0.85, 0.82, 0.76), (0.5, 0.46, 0.42)])
    apart = np.percentile(np.abs(rims[:, None] - table).max(axis=2), 3, axis=1)
    seen = rims[apart > min(0.18, apart.max() - 1e-6)]
    rim = seen[rng.integers(len(seen))]
    wide = rng.uniform(0, 0.008)
    faces = []
    for _ in range(count):
        side = int(rng.integers(60, 200))
        top, left = (int(rng.integers(0, size - side)) for size in whole.shape[:2])
        part = (
            np.asarray(
                Image.fromarray(
                    (whole[top : top + side, left : left + side] * 255).astype(np.uint8)
                ).resize((256, 256), Image.Resampling.BICUBIC),
                np.float32,
            )
            / 255
        )
        if not polychrome:
            dark = 1 - part.mean(axis=-1)
            dark = np.clip((dark - np.percentile(dark, 30)) * rng.uniform(1.2, 2.2), 0, 1)
            part = glaze * (1 - dark[..., None]) + np.array(ink, np.float32) * dark[..., None]
        face = part * rng.uniform(0.93, 1.05)
        edge = (np.abs(np.mgrid[-0.5:0.5:256j, -0.5:0.5:256j]).max(axis=0) > 0.5 - wide)[..., None]
        faces.append(np.where(edge, rim * rng.uniform(0.9, 1.1), face).astype(np.float32))
    return faces


def _table(rng: np.random.Generator, kind: str, plane: Floats) -> Floats:
    """Return the table's colours, ``(H, W, 3)``."""
    x, y = plane
    grain = scipy.ndimage.gaussian_filter(rng.normal(0, 1, x.shape).astype(np.float32), 0.7)
    if kind == "plain":
        colour = rng.choice(
            [
                [0.35, 0.36, 0.38],
                [0.62, 0.6, 0.56],
                [0.16, 0.17, 0.18],
                [0.3, 0.42, 0.36],
                [0.72, 0.66, 0.55],
                [0.5, 0.28, 0.24],
            ]
        )
        return _coloured(colour, 1 + 0.015 * grain)
    if kind == "wood":
        colour = rng.choice([[0.55, 0.38, 0.24], [0.4, 0.26, 0.16], [0.7, 0.55, 0.38]])
        turn = rng.uniform(0, np.pi)
        along = np.cos(turn) * x + np.sin(turn) * y
        over = np.cos(turn) * y - np.sin(turn) * x
        bend = over + 0.08 * np.sin(along * 1.3 + rng.uniform(0, 6))
        rings = np.sin(bend * rng.uniform(20, 60) + 2 * np.sin(bend * 3.1))
        fine = np.sin(bend * 170 + 5 * np.sin(along * 0.9))
        boards = np.where(np.abs(over % 1.7 - 0.85) > 0.84, 0.55, 1.0)
        return _coloured(colour, (1 + 0.1 * rings + 0.04 * fine + 0.02 * grain) * boards)
    if kind == "stone":
        colour = rng.choice([[0.5, 0.5, 0.5], [0.42, 0.38, 0.36], [0.62, 0.58, 0.54]])
        speckle = scipy.ndimage.gaussian_filter(rng.normal(0, 1, x.shape).astype(np.float32), 1.6)
        cloud = scipy.ndimage.gaussian_filter(rng.normal(0, 1, x.shape).astype(np.float32), 25)
        return _coloured(colour, 1 + 0.9 * speckle * rng.uniform(0.3, 1) + 2.5 * cloud)
    if kind == "cloth":
        colour = rng.choice(
            [
                [0.2, 0.22, 0.35],
                [0.45, 0.12, 0.14],
                [0.55, 0.52, 0.46],
                [0.15, 0.15, 0.15],
                [0.25, 0.36, 0.25],
            ]
        )
        weave = np.sin(x * 140) * np.sin(y * 140)
        fold = np.sin(x * rng.uniform(0.5, 1.5) + 2 * np.sin(y * 0.7) + rng.uniform(0, 6))
        return _coloured(colour, 1 + 0.08 * weave + 0.1 * fold + 0.03 * grain)
    side, turn = rng.uniform(0.5, 2.2), rng.uniform(0, np.pi / 2)
    u = (np.cos(turn) * x + np.sin(turn) * y) / side
    v = (np.cos(turn) * y - np.sin(turn) * x) / side
    odd = ((np.floor(u) + np.floor(v)) % 2 > 0)[..., None]
    pairs = [
        ([0.2, 0.2, 0.2], [0.7, 0.69, 0.66]),
        ([0.5, 0.25, 0.18], [0.72, 0.62, 0.5]),
        ([0.3, 0.32, 0.34], [0.5, 0.5, 0.5]),
    ]
    one, two = pairs[int(rng.integers(3))]
    joint = np.minimum(np.abs(u - np.round(u)), np.abs(v - np.round(v))) * side < 0.02
    floor = np.where(odd, _coloured(one, 1 + 0.03 * grain), _coloured(two, 1 + 0.03 * grain))
    return np.where(joint[..., None], 0.4, floor).astype(np.float32)


def _coloured(colour: object, light: Floats) -> Floats:
    return np.asarray(colour, np.float32) * light[..., None].astype(np.float32)


def _developed(rng: np.random.Generator, image: Floats) -> NDArray[np.uint8]:
    """Return the photograph: uneven light, a little blur, noise, JPEG."""
    height, width = image.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    turn = rng.uniform(0, 2 * np.pi)
    slope = rng.uniform(0, 0.3) * (np.cos(turn) * x + np.sin(turn) * y)
    light = (1 + slope) * (1 - rng.uniform(0, 0.25) * (x**2 + y**2) / 2)
    tint = 1 + rng.uniform(-0.05, 0.05, 3)
    image = np.clip(image * light[..., None] * tint * rng.uniform(0.85, 1.1), 0, 1)
    image = scipy.ndimage.gaussian_filter(image, (*[rng.uniform(0.3, 0.9)] * 2, 0))
    image = image * 255 + rng.normal(0, rng.uniform(0.5, 3), image.shape)
    return np.clip(image, 0, 255).astype(np.uint8)


def write_photograph(path: Path, seed: int, number: int, cards: int = 0) -> Photograph:
    """Render photograph `number` of a set and write it as JPEG."""
    made = photograph(seed * 10_000 + number, TABLES[number % len(TABLES)], cards=cards)
    Image.fromarray(made.image).save(path, quality=80 + number % 16)
    return made


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cards", type=int, default=0, help="cards with a marker among the tiles")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    truth = {}
    for number in range(asked.count):
        name = f"photo_{number + 1:04d}.jpg"
        made = write_photograph(asked.folder / name, asked.seed, number, asked.cards)
        truth[name] = {
            "table": made.table,
            "touching": made.touching,
            "corners": made.corners.round(2).tolist(),
            "cards": made.cards.round(2).tolist(),
        }
    (asked.folder / "truth.json").write_text(json.dumps(truth, indent=1) + "\n")


if __name__ == "__main__":
    main()
