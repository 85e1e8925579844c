"""A strip turned upright along its own sides, and cut out with its mask."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray
from PIL import Image

from tessella.collect.piece import Point
from tessella.collect.runs import rims_of
from tessella.collect.separate import Blob

NOTCH = 61
"""Rows; on a dark bed, print that touches a side makes a notch no longer than this."""

_DEEP = 4  # pixels
_TILT_MIN = 0.02  # degrees: over 3,500 rows that is a pixel
_POINTS = 24  # of the outline, on either side


def filled(blob: Blob, dark: bool) -> Blob:
    """Return a strip with everything between its sides as paper, ink of any colour included.

    From its first row of paper to its last: a blob may reach further, to the picture's border.
    """
    rows = np.flatnonzero(blob.mask.any(axis=1))
    top, bottom = int(rows[0]), int(rows[-1]) + 1
    first, last = rims_of(blob.mask)
    every = np.arange(top, bottom)
    left, right = (np.interp(every, rows, side[rows]) for side in (first, last))
    if dark:
        left, right = _closed(left), -_closed(-right)
    column = np.arange(blob.mask.shape[1])
    mask = (column >= np.round(left)[:, None]) & (column < np.round(right)[:, None])
    return Blob(blob.top + top, blob.left, mask, blob.cut)


def _closed(rim: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a left side without notches that are deep and short."""
    size = (min(NOTCH, len(rim)),)
    whole = np.asarray(scipy.ndimage.grey_opening(rim, size, mode="nearest"), np.float64)
    return np.where(rim - whole > _DEEP, whole, rim)


def tilt_of(mask: NDArray[np.bool_]) -> float:
    """Return by how many degrees a strip ``(h, w)`` leans to the right going down.

    The line runs along the middle between both sides; rows where a side is torn off count little.
    """
    rows = np.flatnonzero(mask.any(axis=1))
    if len(rows) < 3:
        return 0.0
    middle = rims_of(mask)[:, rows].mean(axis=0)
    weight = np.ones(len(rows))
    slope = 0.0
    for _ in range(8):
        slope, offset = np.polyfit(rows, middle, 1, w=weight)
        off = np.abs(middle - slope * rows - offset)
        weight = 1 / np.sqrt(np.maximum(1.0, off / max(0.5, float(np.median(off)))))
    return float(np.degrees(np.arctan(slope)))


def cut_out(image: NDArray[np.uint8], blob: Blob) -> tuple[NDArray[np.uint8], float]:
    """Return a strip of a scan ``(H, W, 3)`` with alpha, ``(h, w, 4)``, and how far it was turned.

    Colours beyond the strip are white, for programs that do not look at alpha.
    """
    height, width = blob.mask.shape
    part = image[blob.top : blob.top + height, blob.left : blob.left + width]
    tilt = tilt_of(blob.mask)
    alpha = blob.mask.astype(np.uint8) * 255
    if abs(tilt) > _TILT_MIN:
        part = _turned(_spread(part, blob.mask), tilt, Image.Resampling.BICUBIC)
        alpha = _turned(alpha, tilt, Image.Resampling.BILINEAR)
    else:
        tilt = 0.0
    mask = alpha >= 128
    rows, cols = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    window = slice(rows[0], rows[-1] + 1), slice(cols[0], cols[-1] + 1)
    mask = mask[window]
    out = np.full((*mask.shape, 4), 255, np.uint8)
    out[..., 3] = np.where(mask, 255, 0)
    out[mask, :3] = part[window][mask]
    return out, -tilt


def _spread(part: NDArray[np.uint8], mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Give the bed the colour of the paper beside it, so that turning mixes no bed into it."""
    first, last = rims_of(mask)
    column = np.arange(mask.shape[1])
    inside = np.clip(column, first[:, None], np.maximum(first, last - 1)[:, None])
    return np.take_along_axis(part, inside[..., None], axis=1)


def _turned(picture: NDArray[np.uint8], tilt: float, how: Image.Resampling) -> NDArray[np.uint8]:
    return np.array(Image.fromarray(picture).rotate(-tilt, resample=how, expand=True))


def outline_of(blob: Blob) -> tuple[Point, ...]:
    """Return the contour of a strip in pixels of the scan: down its left side and up its right."""
    first, last = rims_of(blob.mask)
    rows = np.flatnonzero(blob.mask.any(axis=1))
    chosen = rows[np.unique(np.linspace(0, len(rows) - 1, _POINTS).round().astype(int))]
    down = [(float(first[y] + blob.left), float(y + blob.top)) for y in chosen]
    up = [(float(last[y] + blob.left), float(y + blob.top)) for y in chosen[::-1]]
    return (*down, *up)
