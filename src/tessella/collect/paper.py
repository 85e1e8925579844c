"""Where a scan shows paper: everything that is not bed."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

from tessella.collect.bed import Bed, distance
from tessella.errors import InputError

PLAIN = 40
"""A distance from the bed's colour that no bed reaches by its grain alone."""

_HALF = {"coloured": 0.5, "dark": 0.4}
"""Where between bed and paper the limit lies; on a dark bed nearer to the bed, for ink is dark."""

_SMOOTH = 15
"""Rows; paper on a white lid differs from it by a few greys, seen only over this length."""


def paper_mask(image: NDArray[np.uint8], bed: Bed) -> NDArray[np.bool_]:
    """Say where a scan ``(H, W, 3)`` shows paper, ``(H, W)``; its strips run up and down."""
    if bed.kind == "light":
        return _on_light(image, bed)
    away = distance(image, bed)
    light = away[::3, ::3][image[::3, ::3].min(axis=2) > 120]
    paper = light[light > PLAIN]
    if paper.size < 0.002 * away[::3, ::3].size:
        raise InputError(
            f"No paper was found on a bed of the colour {bed.name}: nothing light stands out; "
            "name the bed's colour with --bed, or scan the strips on a coloured sheet."
        )
    return away > max(25.0, _HALF[bed.kind] * float(np.median(paper)))


def _on_light(image: NDArray[np.uint8], bed: Bed) -> NDArray[np.bool_]:
    """Say where paper lies on a light bed: it is another white, seen over many rows."""
    grey = image.min(axis=2).astype(np.float32)
    level = scipy.ndimage.uniform_filter1d(grey, _SMOOTH, axis=0, mode="nearest")
    colour = float(min(bed.colour))
    limit = max(3.0, 2.5 * bed.spread)
    other = np.abs(level - colour) > limit  # another white, a shadow, or ink
    return np.asarray(other, np.bool_)
