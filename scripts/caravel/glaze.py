"""Firing: pigment on tin glaze becomes colour."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.ndimage import gaussian_filter

from caravel.brush import SCALE, Canvas, Field, noise

STOPS = np.array([0, 0.12, 0.3, 0.5, 0.7, 0.86, 1.02])
COLOURS = np.array(
    [
        (246, 243, 233),
        (219, 227, 234),
        (166, 191, 221),
        (104, 141, 198),
        (54, 92, 165),
        (29, 56, 126),
        (18, 34, 84),
    ],
    float,
)

MELT = 0.7
"""How far the glaze blurs a line, in pixels of the finished picture."""


def fire(canvas: Canvas) -> NDArray[np.uint8]:
    """Return the finished picture, uint8 ``(height, width, 3)``."""
    height, width = canvas.size
    # Glaze melts a little into its neighbourhood; thin lines would pale without the second step.
    melted = gaussian_filter(canvas.ink, MELT * SCALE)
    ink: NDArray[np.floating[Any]] = _shrink((1.03 - (1.03 - melted) ** 1.2).clip(0), height, width)
    small = (height, width)
    rng = canvas.rng
    # Pigment gathers in the pits of the glaze, so texture shows most in middle tones.
    ink = ink + (0.006 + 0.03 * ink * (1.1 - ink)) * _speckle(rng, small)
    colour = np.stack([np.interp(ink, STOPS, COLOURS[:, k]) for k in range(3)], axis=-1)
    light = 1 + 0.011 * _swell(rng, small, 26) + 0.006 * _swell(rng, small, 7)
    tint = _swell(rng, small, 48)[..., None] * np.array([1.1, 0.2, -1.4])
    return np.asarray(np.clip(np.rint(colour * light[..., None] + tint), 0, 255), np.uint8)


def _shrink(field: Field, height: int, width: int) -> Field:
    picture = Image.fromarray(field)
    return np.asarray(picture.resize((width, height), Image.Resampling.BOX), np.float32)


def _swell(rng: np.random.Generator, shape: tuple[int, int], sigma: float) -> Field:
    """Return the slow unevenness of a hand-made glaze."""
    return noise(rng, shape, sigma / SCALE)


def _speckle(rng: np.random.Generator, shape: tuple[int, int]) -> Field:
    """Return the fine unevenness of a fired surface."""
    fine = gaussian_filter(rng.standard_normal(shape), 0.9)
    return np.asarray(fine / fine.std(), np.float32)
