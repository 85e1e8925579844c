"""Real shreds: strips of paper on a dark bed, ragged, a little tilted, shifted up or down.

A shred is found on its bed (or told by a mask), turned straight, brought to an even white, and
given its rims: where its paper begins and ends in every row. Everything further on compares along
those rims, so that how a blade ran does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy
from numpy.typing import NDArray
from PIL import Image

from tessella.documents.strips import PAPER, WIDTH_MIN, Strips, strips_of
from tessella.errors import InputError

DARK = 70
"""A bed is darker than this."""

WHITE = 250
"""The grey that a shred's paper is brought to."""

TRIM = 1
"""Pixels at either rim that show as much bed as paper."""

NOTCH = 61
"""Rows; print that touches the rim makes a gap in the contour no longer than this."""

_DEEP = 4  # pixels
_TILT_MIN = 0.02  # degrees: over 3,500 rows that is a pixel


def on_dark_bed(greys: Sequence[NDArray[np.uint8]]) -> bool:
    """Whether most pictures ``(h, w)`` show something on a dark bed: dark at both sides."""
    dark = 0
    for grey in greys:
        sides = [float(np.mean(grey[:, k] < DARK)) for k in (0, -1)]
        dark += min(sides) > 0.3 or max(sides) > 0.8
    return 2 * dark > len(greys)


def paper_mask(grey: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Say where a picture ``(h, w)`` of one shred on its bed shows paper.

    Ink that touches a rim looks like bed: gaps in the contour up to `NOTCH` rows are closed. What
    is shallow stays, since it is the run of the blade.
    """
    light = grey >= _threshold(grey)
    parts, count = scipy.ndimage.label(light)
    if count == 0:
        raise InputError("A shred must be lighter than its bed; a picture shows no paper.")
    sizes = np.bincount(parts.ravel())
    sizes[0] = 0
    # Print may cut the paper into parts; specks of dust are much smaller than those.
    rim = _outline((sizes > sizes.max() / 50)[parts])
    rows = np.flatnonzero(rim[1] > rim[0])
    first, last = rim[:, rows[0] : rows[-1] + 1]
    inside = np.arange(rows[0], rows[-1] + 1)
    empty = last <= first
    left, right = (np.interp(inside, inside[~empty], side[~empty]) for side in (first, last))
    left, right = _closed(left), -_closed(-right)
    mask = np.zeros(grey.shape, np.bool_)
    column = np.arange(grey.shape[1])
    mask[inside] = (column >= left[:, None]) & (column < right[:, None])
    return mask


def _closed(rim: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a left contour without notches that are deep and short."""
    size = (min(NOTCH, len(rim)),)
    whole = np.asarray(scipy.ndimage.grey_opening(rim, size, mode="nearest"), np.float64)
    return np.where(rim - whole > _DEEP, whole, rim)


def _threshold(grey: NDArray[np.uint8]) -> float:
    """Return a grey between bed and paper, nearer to the bed so that little ink is below."""
    bed, paper = np.percentile(grey, 1), np.percentile(grey, 90)
    return float(max(1, bed + (paper - bed) * 0.4))


def _outline(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the first column of the paper in every row and the one behind the last, ``(2, h)``."""
    some = mask.any(axis=1)
    first = np.where(some, mask.argmax(axis=1), 0)
    last = np.where(some, mask.shape[1] - mask[:, ::-1].argmax(axis=1), 0)
    return np.stack([first, last])


def shreds_of(
    greys: Sequence[NDArray[np.uint8]],
    masks: Sequence[NDArray[np.bool_]],
    *,
    upright: bool,
    names: tuple[str, ...] = (),
) -> Strips:
    """Make a puzzle of shreds from pictures ``(h, w)`` and masks that are True on paper."""
    straight = [straightened(*each) for each in zip(greys, masks, strict=True)]
    images = [image for image, _ in straight]
    return strips_of(images, upright=upright, names=names, rims=[rim for _, rim in straight])


def straightened(
    grey: NDArray[np.uint8], mask: NDArray[np.bool_]
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Turn one shred upright and cut away what is not paper.

    Returns
    -------
    the picture ``(h, w)``, paper at an even white and white beyond the rims, and the rims
    ``(2, h)``
    """
    if not mask.any():
        raise InputError("A shred needs paper; a mask shows none.")
    tilt = _tilt(mask)
    if abs(tilt) > _TILT_MIN:
        grey = _turned(grey, tilt, Image.Resampling.BICUBIC)
        mask = _turned(mask.astype(np.uint8) * 255, tilt, Image.Resampling.BILINEAR) >= 128
    first, last = _outline(mask)
    rows = np.flatnonzero(last - first >= WIDTH_MIN + 2 * TRIM)
    if len(rows) == 0:
        raise InputError(f"A shred needs paper at least {WIDTH_MIN + 2 * TRIM} px across.")
    part = slice(rows[0], rows[-1] + 1)
    first, last = first[part] + TRIM, last[part] - TRIM
    last = np.maximum(first, last)
    left, right = int(first[last > first].min()), int(last.max())
    first, last = np.maximum(first, left), np.maximum(last, left)
    image = _levelled(grey[part, left:right], mask[part, left:right])
    rim = np.stack([first, last]).astype(np.int32) - left
    column = np.arange(right - left)
    beyond = (column < rim[0][:, None]) | (column >= rim[1][:, None])
    return np.where(beyond, PAPER, image).astype(np.uint8), rim


def _tilt(mask: NDArray[np.bool_]) -> float:
    """Return by how many degrees a shred leans to the right going down."""
    rows = np.flatnonzero(mask.any(axis=1))
    if len(rows) < 3:
        return 0.0
    middle = _outline(mask)[:, rows].mean(axis=0)
    return float(np.degrees(np.arctan(np.polyfit(rows, middle, 1)[0])))


def _turned(picture: NDArray[np.uint8], tilt: float, how: Image.Resampling) -> NDArray[np.uint8]:
    return np.array(Image.fromarray(picture).rotate(-tilt, resample=how, expand=True))


def _levelled(grey: NDArray[np.uint8], mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Bring the paper of a shred to the same white as everybody's."""
    paper = max(1.0, float(np.median(grey[mask])))
    return np.asarray(np.clip(grey * (WHITE / paper), 0, 255).astype(np.uint8))
