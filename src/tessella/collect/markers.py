"""Markers in a photograph: printed squares of known size, found and read.

They are ArUco's of the dictionary ``DICT_4X4_50``, the common one: a black frame one module wide
around 4 x 4 modules, on white. Only what is read without an error counts, so that no tile passes
for one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray
from PIL import Image

from tessella.collect.homography import UNIT, homography, mapped
from tessella.collect.quad import agreement, corners_of, line_through, quad_of, side_length

Floats = NDArray[np.float64]

_WORDS = (
    "b532 0f9a 332d 9946 549e 79cd 9e2e c4f2 feda cf56 "
    "f991 11a7 0eb7 2a0f 24b1 263e 4665 6600 6c5e 76af "
    "868b b02b ccd5 dd82 fe47 9471 ace4 a554 2123 346f "
    "4415 57b2 9ecf f0cb 08ae 0929 1875 04ff 0df6 1c5a "
    "1718 2a28 328c 38b2 24e8 2eeb 2d3f 4b64 502e 5013"
)

CODES = tuple(int(word, 16) for word in _WORDS.split())
"""The modules of every marker of ``DICT_4X4_50``, row by row; the highest bit is the first, 1 is
white."""

MODULES = 6
"""Of a marker's side, its frame included."""

LOOK = 2000
"""Pixels of the longer side of the copy that markers are looked for in."""

LEAST = 15
"""Pixels of that copy; a smaller marker is not read."""

WINDOWS = (0.02, 0.08)
"""Of the longer side: what is darker than its surroundings of that size may be a marker."""

DARKER = 10
"""Greys by which it is darker."""

SQUARE = 0.85
"""How far a dark region agrees with its quadrilateral, to be read."""

CONTRAST = 40
"""Greys between black and white."""

CLEAR = 0.15
"""Of that contrast; a module nearer to its middle is not read."""

PAPER = 0.85
"""Part of the surroundings, half a module away, that is white."""

_PLACES, _ACROSS = 24, 25  # along a side, and across it


@dataclass(frozen=True, eq=False)
class Marker:
    """A marker as it was seen.

    Attributes
    ----------
    number : in the dictionary
    corners : clockwise in pixels of the photograph, ``(4, 2)``
    """

    number: int
    corners: Floats


def drawn(number: int) -> NDArray[np.uint8]:
    """Return marker `number`, a pixel a module, ``(6, 6)``; without the white around it.

    >>> drawn(0)[1].tolist()
    [0, 255, 0, 255, 255, 0]
    """
    bits = np.array([CODES[number] >> k & 1 for k in range(15, -1, -1)], np.uint8)
    return np.pad(255 * bits.reshape(4, 4), 1)


def find_markers(image: NDArray[np.uint8]) -> tuple[Marker, ...]:
    """Find the markers of a photograph ``(H, W, 3)``."""
    grey = np.asarray(Image.fromarray(image).convert("L"))
    longer = max(grey.shape)
    scale = min(1.0, LOOK / longer)
    size = (round(grey.shape[1] * scale), round(grey.shape[0] * scale))
    small = np.array(Image.fromarray(grey).resize(size, Image.Resampling.BOX), np.float32)
    markers: list[Marker] = []
    for quad in _dark_quads(small):
        number = _read(small, quad)
        if number is None or any(_near(quad / scale, marker.corners) for marker in markers):
            continue
        markers.append(Marker(number, _refined(grey, quad / scale)))
    return tuple(markers)


def _near(one: Floats, two: Floats) -> bool:
    apart = float(np.linalg.norm(one.mean(axis=0) - two.mean(axis=0)))
    return apart < 0.5 * side_length(two)


def _dark_quads(grey: NDArray[np.float32]) -> Iterator[Floats]:
    """Yield quadrilaterals that are darker than what is around them."""
    for window in WINDOWS:
        size = round(window * max(grey.shape)) | 1
        dark = grey < scipy.ndimage.uniform_filter(grey, size) - DARKER
        parts, _ = scipy.ndimage.label(dark)
        for number, where in enumerate(scipy.ndimage.find_objects(parts), 1):
            height, width = (side.stop - side.start for side in where)
            if min(height, width) < LEAST or max(height, width) > 3 * min(height, width):
                continue
            own = scipy.ndimage.binary_fill_holes(np.pad(parts[where] == number, 1))
            if own.sum() < 0.3 * own.size:
                continue
            quad = quad_of(own)
            if quad is not None and agreement(own, quad) > SQUARE:
                yield quad + np.array([where[1].start - 1, where[0].start - 1])


def _read(grey: NDArray[np.float32], quad: Floats) -> int | None:
    """Return the number of the marker at `quad`, if there is one."""
    there = homography(UNIT, quad)
    step = (np.arange(MODULES * 3) + 0.5) / (MODULES * 3)
    cells = _seen(grey, mapped(there, np.stack(np.meshgrid(step, step), axis=-1)))
    level = cells.reshape(MODULES, 3, MODULES, 3)[:, 1, :, 1]  # (6, 6): the middle of every module
    level = 0.5 * level + 0.5 * cells.reshape(MODULES, 3, MODULES, 3).mean(axis=(1, 3))
    low, high = float(level.min()), float(level.max())
    middle = (low + high) / 2
    if high - low < CONTRAST or (np.abs(level - middle) < CLEAR * (high - low)).any():
        return None
    bits = level > middle
    if bits[0].any() or bits[-1].any() or bits[:, 0].any() or bits[:, -1].any():
        return None
    far = 0.5 / MODULES
    along = np.linspace(-far, 1 + far, 16)
    sides = [np.stack([along, np.full(16, at)], axis=1) for at in (-far, 1 + far)]
    around = np.concatenate([*sides, *(side[:, ::-1] for side in sides)])
    if (_seen(grey, mapped(there, around)) > middle).mean() < PAPER:
        return None
    for _ in range(4):
        code = int("".join(str(int(bit)) for bit in bits[1:-1, 1:-1].ravel()), 2)
        if code in CODES:
            return CODES.index(code)
        bits = np.rot90(bits)
    return None


def _seen(grey: NDArray[np.generic], points: Floats) -> Floats:
    """Return the greys at points ``(..., 2)`` between pixels."""
    at = [points[..., 1] - 0.5, points[..., 0] - 0.5]
    return np.asarray(scipy.ndimage.map_coordinates(grey, at, np.float64, order=1, mode="nearest"))


def _refined(grey: NDArray[np.uint8], quad: Floats) -> Floats:
    """Return a marker's corners, each side laid where black turns into white."""
    lines = []
    for k in range(4):
        one, two = quad[k], quad[(k + 1) % 4]
        length = float(np.linalg.norm(two - one))
        along = (two - one) / length
        outward = np.array([along[1], -along[0]])
        wide = 0.6 * length / MODULES
        place = np.linspace(0.08, 0.92, _PLACES) * length
        across = np.linspace(-wide, wide, _ACROSS)
        points = one + place[:, None, None] * along + across[:, None] * outward
        level = _seen(grey, points)  # (_PLACES, _ACROSS), from black to white
        black, white = (np.median(level[:, part]) for part in (slice(0, 5), slice(-5, None)))
        filled = np.clip((white - level) / max(1.0, white - black), 0, 1).mean(axis=1)
        edge = -wide + filled * 2 * wide
        lines.append(line_through(one + place[:, None] * along + edge[:, None] * outward))
    refined = corners_of(lines)
    off = np.abs(refined - quad).max()
    return refined if off < side_length(quad) / MODULES else quad
