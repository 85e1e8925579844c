"""Where a scan shows paper: everything that is not bed."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

from tessella.collect.bed import Bed, distance
from tessella.collect.light import papers
from tessella.errors import InputError

PLAIN = 40
"""A distance from the bed's colour that no bed reaches by its grain alone."""

_HALF = {"coloured": 0.5, "dark": 0.4, "grey": 0.5}
"""Where between bed and paper the limit lies; on a dark bed nearer to the bed, for ink is dark."""


_BROAD = 0.008
"""Part of the shorter side that a lid's shadow is broad at least."""

_DIM = 110


def paper_mask(image: NDArray[np.uint8], bed: Bed) -> NDArray[np.bool_]:
    """Say where a scan ``(H, W, 3)`` shows paper, ``(H, W)``; its strips run up and down."""
    if bed.kind == "light":
        return papers(image, bed)[-1]
    away = distance(image, bed)
    light = away[::3, ::3][image[::3, ::3].min(axis=2) > 120]
    paper = light[light > PLAIN]
    if paper.size < 0.002 * away[::3, ::3].size:
        raise InputError(
            f"No paper was found on a bed of the colour {bed.name}: nothing light stands out; "
            "name the bed's colour with --bed, or scan the strips on a coloured sheet."
        )
    mask = away > max(25.0, _HALF[bed.kind] * float(np.median(paper)))
    return mask & ~lid_shadow(image) if bed.kind == "coloured" else mask


def lid_shadow(image: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Say where a scan ``(H, W, 3)`` is dark from its border on: the lid's shadow, ``(H, W)``.

    It is broader than any ink.
    """
    size = max(3, round(_BROAD * min(image.shape[:2])))
    dark = np.pad(image.max(axis=2) < _DIM, size, mode="edge")
    broad = scipy.ndimage.minimum_filter(dark.view(np.uint8), size)
    broad = scipy.ndimage.maximum_filter(broad, size) > 0
    parts, _ = scipy.ndimage.label(broad)
    edge = np.concatenate([parts[0], parts[-1], parts[:, 0], parts[:, -1]])
    own = slice(size, -size)
    return np.asarray(np.isin(parts, edge[edge > 0])[own, own], np.bool_)
