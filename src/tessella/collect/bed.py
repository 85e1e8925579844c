"""The bed that pieces lie on: its colour, found at the picture's border, and what is not bed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import ImageColor

from tessella.errors import InputError

SATURATED = 45
"""Channels of a coloured bed differ by this much or more; those of paper and lids by less."""

DARK = 100
"""A dark bed's lightest channel is below this."""

GREY = 215
"""A grey bed's lightest channel is below this: what a coloured one becomes in a grey scan."""

SHADE = (0.45, 1.05)
"""A bed in shadow, or in the lamp's middle, is this many times as light as its usual colour."""

_RING = 0.006
"""Part of the shorter side that counts as the picture's border."""

_SHARE = 0.08
"""A colour that less of the border has is not the bed's."""

_INSIDE = 0.08
"""A bed is seen between pieces too; a lid's shadow has less than this part of the picture."""


@dataclass(frozen=True)
class Bed:
    """A bed of one colour.

    Attributes
    ----------
    colour : red, green, blue
    share : part of the picture's border that has the colour
    spread : usual distance of a bed's pixel from the colour
    """

    colour: tuple[int, int, int]
    share: float = 1.0
    spread: float = 2.0

    @property
    def kind(self) -> str:
        """Return "coloured", "dark", "grey" or "light"."""
        if max(self.colour) - min(self.colour) >= SATURATED:
            return "coloured"
        lightest = max(self.colour)
        return "dark" if lightest < DARK else "grey" if lightest < GREY else "light"

    @property
    def hides_ink(self) -> bool:
        """Whether ink at a strip's side can look like bed: it is dark, and greys around it are."""
        if self.kind == "grey":
            return True
        red, green, blue = self.colour
        return 0.3 * red + 0.6 * green + 0.1 * blue < 140

    @property
    def name(self) -> str:
        """Return the colour as ``#rrggbb``."""
        return "#{:02x}{:02x}{:02x}".format(*self.colour)


def read_colour(text: str) -> Bed | None:
    """Read ``orange``, ``#fab75d`` or ``auto``, which is None."""
    if text == "auto":
        return None
    try:
        red, green, blue = ImageColor.getrgb(text)[:3]
    except ValueError as problem:
        raise InputError(
            f"--bed must be a colour such as orange or #fab75d, or auto; got {text!r}."
        ) from problem
    return Bed((red, green, blue))


def border_of(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the pixels along the border of ``(H, W, 3)`` as ``(n, 3)``."""
    ring = max(3, round(_RING * min(image.shape[:2])))
    sides = (image[:ring], image[-ring:], image[ring:-ring, :ring], image[ring:-ring, -ring:])
    return np.concatenate([side.reshape(-1, 3) for side in sides])


def find_bed(image: NDArray[np.uint8]) -> Bed:
    """Find the bed's colour at the border of a scan ``(H, W, 3)``.

    Strips may cross the border, so that half of it is paper: of the colours there a coloured or a
    dark one is rather the bed than a light one.
    """
    pixels = border_of(image).astype(np.int32)
    every = image[::8, ::8].reshape(-1, 3).astype(np.int32)
    best, chosen = 0.0, Bed((255, 255, 255), 0.0)
    left = np.ones(len(pixels), np.bool_)
    for _ in range(6):
        if left.sum() < _SHARE * len(pixels):
            break
        bed, near = _mode(pixels, left)
        left &= ~near
        if bed.share < _SHARE:
            continue
        saturation = (max(bed.colour) - min(bed.colour)) / 255
        worth = bed.share * (1 + 3 * saturation + 1.5 * (bed.kind in ("dark", "grey")))
        inside = float((np.abs(every - np.array(bed.colour)).max(axis=1) < 28).mean())
        worth *= min(1.0, inside / _INSIDE)
        if worth > best:
            best, chosen = worth, bed
    if not best:
        raise InputError(
            "No bed colour was found: the picture's border has no colour that comes again; scan "
            "the pieces on a plain sheet, or name its colour with --bed."
        )
    return chosen


def _mode(pixels: NDArray[np.int32], left: NDArray[np.bool_]) -> tuple[Bed, NDArray[np.bool_]]:
    """Return the commonest colour of the pixels `left`, and which pixels have it."""
    cells = pixels[left] // 16
    keys = cells @ np.array([256, 16, 1])
    centre = np.median(pixels[left][keys == np.bincount(keys).argmax()], axis=0)
    for _ in range(3):
        near = left & (np.abs(pixels - centre).max(axis=1) < 28)
        centre = np.median(pixels[near], axis=0)
    red, green, blue = (int(value) for value in centre)
    spread = float(np.median(np.abs(pixels[near] - centre).max(axis=1)))
    return Bed((red, green, blue), float(near.mean()), max(1.0, spread)), near


def distance(image: NDArray[np.uint8], bed: Bed) -> NDArray[np.float32]:
    """Return how far every pixel ``(H, W, 3)`` is from the bed's colour in any shade, ``(H, W)``.

    A coloured bed in shadow keeps its hue, so its shades are near; ink is not among them. A light
    or a dark bed has no hue, and only its own lightness is near. What is darker than a grey bed is
    its shadow, or ink, and no further away than the bed itself.
    """
    colour = np.array(bed.colour, np.float32)
    out = np.empty(image.shape[:2], np.float32)
    for top in range(0, len(image), 256):  # the float copies stay small
        part = image[top : top + 256].astype(np.float32)
        if bed.kind == "coloured":
            shade = np.clip(part @ colour / (colour @ colour), *SHADE)[..., None]
            part /= shade
            part -= colour
        else:
            part -= colour
            if bed.kind == "grey":
                np.maximum(part, 0, out=part)
        out[top : top + 256] = np.sqrt(np.einsum("hwc,hwc->hw", part, part))
    return out
