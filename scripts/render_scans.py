"""Render flatbed scans of shreds on a bed, with the truth about where every strip lies.

    python scripts/render_scans.py FOLDER --count 20 --seed 1

writes FOLDER/scan_0001.jpg and so on, and FOLDER/truth.json: the bed and the middle line of every
strip, from top to bottom, in pixels. With --check it also collects them and says what was found.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

BEDS = {
    "orange": (250, 184, 93),
    "yellow": (240, 225, 70),
    "blue": (60, 110, 190),
    "black": (22, 22, 24),
    "white": (248, 248, 246),
    "lid": (250, 249, 246),
}
SIZE = (1754, 1240)  # A4 at 150 dpi
PAGE = 0.97
"""How high a page is, as part of the bed."""

ROUGH = 0.02
FRAY = 0.004
"""How far a cut runs from its line, and either side of it from the cut, in widths of a strip."""


@dataclass(frozen=True)
class Scan:
    """A rendered scan and its truth.

    Attributes
    ----------
    image : RGB, ``(H, W, 3)``
    lines : top and bottom of every strip's middle line, ``(n, 2, 2)``, x and y
    width : of a strip before it was torn
    """

    image: NDArray[np.uint8]
    lines: NDArray[np.float64]
    width: float


def scan(
    seed: int,
    bed: str,
    count: int = 14,
    size: tuple[int, int] = SIZE,
    touching: bool = True,
    crossing: float = 0.3,
    page: NDArray[np.float32] | None = None,
    share: slice = slice(None),
) -> Scan:
    """Render one scan of strips, of which some touch and some cross the border above.

    Parameters
    ----------
    count : strips of a page, those of `share` of them, in random order, are shown
    page : greys, `PAGE` of the scan's height high; None writes one
    """
    rng = np.random.default_rng([seed, list(BEDS).index(bed)])
    height, width = size
    tall = round(PAGE * height)
    if page is None:
        page = text_page(rng, tall, round(0.62 * width))
    across = page.shape[1] / count
    ground = np.tile(np.array(BEDS[bed], np.float32), (height, width, 1))
    ground += rng.normal(0, 4 if bed not in ("white", "lid", "black") else 1.2, ground.shape)
    image = ground.astype(np.float32)
    shadow = np.ones(size, np.float32)
    order = rng.permutation(count)[share]
    cuts = [_ragged(rng, tall, ROUGH * across) for _ in range(count + 1)]
    lines, masks = [], []
    place = rng.uniform(0, 0.2 * across)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    for number in order:
        tilt = np.tan(np.radians(rng.normal(0, 0.35)))
        top = round(
            height * (rng.uniform(-0.02, 0) if rng.random() < crossing else rng.uniform(0, 0.03))
        )
        lean = tilt * (np.arange(height) - height / 2)
        left = place + lean - lean.min() * (tilt != 0)
        turned = rng.random() < 0.3
        along, off = y - top, x - left[:, None]
        if turned:
            along, off = tall - 1 - along, across - off
        source = number * across + off
        begin, end = (
            (number + k) * across + cuts[number + k] + _ragged(rng, tall, FRAY * across)
            for k in range(2)
        )
        here = along[:, 0].astype(int)
        rows = (here >= 0) & (here < tall)
        here = np.clip(here, 0, tall - 1)[:, None]
        inside = (source >= begin[here]) & (source < end[here]) & rows[:, None]
        right = left + across
        source = np.clip(source, 0, page.shape[1] - 1)
        paper = scipy.ndimage.map_coordinates(page, [along, source], order=1)
        masks.append((inside, paper))
        cast = _cast(inside, rng)
        shadow = np.minimum(shadow, cast)
        middle = (left + right) / 2
        lines.append([[middle[0], 0.0], [middle[-1], float(height)]])
        close = touching and rng.random() < 0.25
        lean_room = abs(float(np.ptp(lean))) * (0.25 if close else 1.0)
        place = float(np.mean(right)) - float(np.mean(lean)) + lean.min() * (tilt != 0)
        place += lean_room + (rng.uniform(-1, 1.5) if close else rng.uniform(0.25, 0.6) * across)
    image *= shadow[..., None]
    white = np.array([1.0, 0.995, 0.985]) * (0.985 if bed == "white" else 1.0)
    for inside, paper in masks:
        image[inside] = (paper[..., None] * white)[inside]
    image = scipy.ndimage.gaussian_filter(image, (0.5, 0.5, 0)) + rng.normal(0, 1.2, image.shape)
    return Scan(np.clip(image, 0, 255).astype(np.uint8), np.array(lines), across)


def text_page(rng: np.random.Generator, height: int, width: int) -> NDArray[np.float32]:
    """Return a page of text, rules and blank paper."""
    page = Image.new("L", (width, height), 250)
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(max(9, height // 75))
    words = [
        "the",
        "quick",
        "brown",
        "fox",
        "jumps",
        "over",
        "a",
        "lazy",
        "dog",
        "while",
        "seven",
        "wizards",
        "box",
        "quietly",
    ]
    line = round(height / 55)
    for top in range(round(0.07 * height), round(0.92 * height), line):
        if rng.random() < 0.2:
            continue
        if rng.random() < 0.06:
            draw.line([(0.06 * width, top), (0.94 * width, top)], 20, 3)
            continue
        text = " ".join(rng.choice(words, 24))
        draw.text((0.08 * width, top), text[: int(rng.integers(20, 90))], 25, font)
    return np.asarray(page, np.float32)


def _ragged(rng: np.random.Generator, height: int, far: float) -> NDArray[np.float64]:
    coarse = scipy.ndimage.gaussian_filter1d(rng.normal(0, 1, height), 14)
    fine = scipy.ndimage.gaussian_filter1d(rng.normal(0, 1, height), 2)
    return far * (coarse / coarse.std() + 0.3 * fine / fine.std())


def _cast(inside: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.float32]:
    """Return the light that a strip leaves beside it: a soft shadow to the right, a faint left."""
    body = inside.astype(np.float32)
    far = scipy.ndimage.gaussian_filter1d(np.roll(body, 3, axis=1), 2.5, axis=1)
    near = scipy.ndimage.gaussian_filter1d(body, 1.2, axis=1)
    return 1 - rng.uniform(0.15, 0.3) * far - 0.08 * near


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    truth, kinds = {}, list(BEDS)
    for number in range(asked.count):
        bed = kinds[number % len(kinds)]
        strips = 10 + number % 9
        drawn = scan(asked.seed * 10_000 + number, bed, strips)
        name = f"scan_{number + 1:04d}.jpg"
        Image.fromarray(drawn.image).save(asked.folder / name, quality=88, dpi=(150, 150))
        truth[name] = {"bed": bed, "lines": drawn.lines.round(1).tolist(), "width": drawn.width}
        if asked.check:
            print(name, bed, check(asked.folder / name, drawn), flush=True)
    (asked.folder / "truth.json").write_text(json.dumps(truth, indent=1) + "\n")


def check(path: Path, drawn: Scan) -> str:
    """Return what was found of a scan's strips, in words."""
    from tessella.collect.source import read_source
    from tessella.collect.strips import find_strips
    from tessella.errors import InputError

    try:
        found = find_strips(read_source(path))
    except InputError as problem:
        return f"of {len(drawn.lines)} strips none: {problem}"
    right, wrong = matched(drawn, [np.array(piece.outline) for piece in found.pieces])
    flagged = sum(bool(piece.doubts) for piece in found.pieces)
    return f"of {len(drawn.lines)} strips {right} found, {wrong} others, {flagged} flagged"


def matched(drawn: Scan, outlines: list[NDArray[np.float64]]) -> tuple[int, int]:
    """Return how many strips were found, and how many pieces are none of them.

    A strip is found where a piece's middle line is within a fifth of a width at three heights.
    """
    left = set(range(len(drawn.lines)))
    wrong = 0
    for outline in outlines:
        half = len(outline) // 2
        down, up = outline[:half], outline[half:][::-1]
        middle = (down + up) / 2
        hit = None
        for number in left:
            (x0, y0), (x1, y1) = drawn.lines[number]
            heights = np.array([0.1, 0.5, 0.9]) * (y1 - y0) + y0
            true = x0 + (x1 - x0) * (heights - y0) / (y1 - y0)
            seen = np.interp(heights, middle[:, 1], middle[:, 0])
            if np.abs(seen - true).max() < 0.2 * drawn.width:
                hit = number
        if hit is None:
            wrong += 1
        else:
            left.discard(hit)
    return len(drawn.lines) - len(left), wrong


if __name__ == "__main__":
    main()
