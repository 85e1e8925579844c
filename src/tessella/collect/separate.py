"""Strips that touch are taken apart along the gap between them, and through it where they touch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from tessella.collect.runs import rims_of, runs_of

GAP = 0.02
"""What a step through the gap costs, where one through paper costs 1."""

_CORRIDOR = 0.38
"""How far from its expected place a cut may run, in widths of a strip."""


@dataclass(frozen=True, eq=False)
class Blob:
    """Paper that hangs together, or one strip of it.

    Attributes
    ----------
    top, left : where `mask` lies in the scan
    mask : ``(h, w)``, True on paper
    cut : part of the blob's length that was cut through paper
    """

    top: int
    left: int
    mask: NDArray[np.bool_]
    cut: float = 0.0

    @property
    def height(self) -> int:
        """Rows with paper."""
        return int(self.mask.any(axis=1).sum())

    def width(self) -> float:
        """Return how wide the paper usually is."""
        across = self.mask.sum(axis=1)
        return float(np.median(across[across > 0])) if across.any() else 0.0


def blobs_of(mask: NDArray[np.bool_], smallest: float) -> list[Blob]:
    """Return what hangs together in ``(H, W)`` and has at least `smallest` pixels."""
    parts, count = scipy.ndimage.label(mask)
    sizes = np.bincount(parts.ravel(), minlength=count + 1)
    blobs = []
    for number, where in enumerate(scipy.ndimage.find_objects(parts), 1):
        if where is not None and sizes[number] >= smallest:
            blobs.append(Blob(where[0].start, where[1].start, parts[where] == number))
    return blobs


def separated(blob: Blob, width: float) -> list[Blob]:
    """Return the strips of a blob, from left to right; `width` is that of one strip."""
    count = how_many(blob.mask, width)
    if count == 1:
        return [blob]
    left = blob
    parts: list[Blob] = []
    for remaining in range(count, 1, -1):
        first, left = _halved(left, width, remaining)
        parts.append(first)
    return [part for part in (*parts, left) if part.mask.any()]


def how_many(mask: NDArray[np.bool_], width: float) -> int:
    """Estimate how many strips lie side by side in a blob ``(h, w)``."""
    across = mask.sum(axis=1)
    whole = float(np.percentile(across, 75)) / width
    runs = runs_of(mask[:: max(1, len(mask) // 500)])
    runs = runs[runs[:, 2] - runs[:, 1] > 0.4 * width]
    apart = int(np.percentile(np.bincount(runs[:, 0]), 90)) if len(runs) else 1
    return max(1, apart, int(whole + 0.4))


def _halved(blob: Blob, width: float, count: int) -> tuple[Blob, Blob]:
    """Cut the leftmost of `count` strips off."""
    first, last = rims_of(blob.mask)
    expected = first + (last - first) / count
    reach = np.where(last - first > 1.4 * width, _CORRIDOR * width, 0.75 * width)
    path = _cheapest(blob.mask, expected, reach)
    column = np.arange(blob.mask.shape[1])
    before = column < path[:, None]
    touched = blob.mask[np.arange(len(path)), np.clip(path, 0, len(column) - 1)]
    cut = max(blob.cut, float(touched.sum() / max(1, blob.height)))
    sides = []
    for side in (before, ~before):
        mask = blob.mask & side
        sides.append(_cropped(Blob(blob.top, blob.left, mask, cut)))
    return sides[0], sides[1]


def _cropped(blob: Blob) -> Blob:
    rows, cols = (np.flatnonzero(blob.mask.any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return blob
    part = blob.mask[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    return Blob(blob.top + int(rows[0]), blob.left + int(cols[0]), part, blob.cut)


def _cheapest(
    mask: NDArray[np.bool_], expected: NDArray[np.float64], reach: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return the column of the cheapest way from the top row to the bottom, ``(h,)``.

    A step goes to one of the three columns below; beyond `reach` from `expected` it costs much.
    """
    padded = np.pad(mask, ((0, 0), (2, 2)))
    height, width = padded.shape
    column = np.arange(width)
    off = np.abs(column - 2 - expected[:, None]) / np.maximum(1.0, reach[:, None])
    price = np.where(padded, 1.0, GAP) + np.where(off > 1, 10.0, 0.02 * off)
    come = np.empty((height, width), np.int8)
    total = price[0]
    for row in range(height):
        left = np.concatenate([[np.inf], total[:-1]])
        right = np.concatenate([total[1:], [np.inf]])
        choice = np.where(left < total, -1, 0)
        best = np.minimum(left, total)
        choice = np.where(right < best, 1, choice)
        come[row] = choice
        total = np.minimum(best, right) + price[row]
    path = np.empty(height, np.int64)
    path[-1] = int(total.argmin())
    for row in range(height - 1, 0, -1):
        path[row - 1] = path[row] + come[row, path[row]]
    return path - 2
