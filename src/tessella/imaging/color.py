"""Colours as people see them: from sRGB to CIELAB."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_XYZ_OF_RGB = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
"""Linear sRGB to CIE XYZ, white point D65."""

_KNEE = 6 / 29
"""Below the cube of this, CIELAB's lightness curve is a straight line."""


def _linear() -> NDArray[np.float64]:
    """Return the light intensity of each of the 256 levels of an sRGB channel."""
    level = np.arange(256) / 255
    return np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)


_LINEAR = _linear()
# Scaled so that white is (1, 1, 1): greys then have no colour at all, not a trace of one.
_RELATIVE = (_XYZ_OF_RGB / _XYZ_OF_RGB.sum(axis=1, keepdims=True)).T.copy()


def lab(pixels: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return CIELAB (D65, 2 degree observer) of sRGB `pixels`, both ``(..., 3)``.

    Lightness is 0 to 100; a and b are about -128 to 127 and 0 for greys.

    >>> lab(np.array([255, 255, 255], np.uint8)).round(6).tolist()
    [100.0, 0.0, 0.0]
    """
    xyz = _LINEAR[pixels] @ _RELATIVE  # (..., 3), white is 1
    curve = np.where(xyz > _KNEE**3, np.cbrt(xyz), xyz / (3 * _KNEE**2) + 4 / 29)
    x, y, z = curve[..., 0], curve[..., 1], curve[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)
