"""Paper on a light bed, such as a scanner's white lid: told by its tone, or by its shadow.

Paper is hardly another white than a lid. What tells it is seen over many rows only, so that a scan
is looked at in blocks of rows, by a light percentile: print leaves white between its lines, while
a tone and a shadow run on. Where both whites differ, tone tells; else the shadow along a strip's
sides, which is steep where the paper ends and fades away on the bed.
"""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

from tessella.collect.bed import Bed

BLOCKS = 70
"""Blocks that a scan's height is looked at in."""

LIGHT = 70
"""Per cent of a block's rows that are darker than its level."""

TONE = 2.0
"""Greys by which paper must differ from the bed to be told by its tone."""

NEAR = 40.0
"""Greys by which it may differ at most, to be a white still."""

SHADOW = 4.0
"""Greys by which a shadow is darker than what is on both sides of it."""

INK = 80
"""Greys by which ink is darker than the bed."""

_PRINTED = 0.004  # part of a stretch of paper that is ink, where anything is printed
_DEEP = 90.0  # greys; a shadow is never so dark, a printed rule is
_AROUND = 25  # blocks over which is voted
_MENDED = 7
_BIN = 0.25  # greys
_COMMON = 0.08  # of the commonest white, that the other needs

Floats = NDArray[np.float32]


def papers(image: NDArray[np.uint8], bed: Bed) -> list[NDArray[np.bool_]]:
    """Say where a scan ``(H, W, 3)`` may show paper, ``(H, W)`` each, the likelier way first."""
    tall = max(8, round(len(image) / BLOCKS))
    level, ink = _levels(image, tall), _ink(image, bed, tall)
    masks = [_by_tone(level, ink, bed), _by_shadow(level.min(axis=2), ink)]
    return [_enlarged(mask, tall, len(image)) for mask in masks if mask is not None]


def _levels(image: NDArray[np.uint8], tall: int) -> Floats:
    """Return the level of every block of `tall` rows, ``(h, W, 3)``."""
    rows = -(-len(image) // tall)
    padded = np.pad(image, ((0, rows * tall - len(image)), (0, 0), (0, 0)), mode="edge")
    blocks = padded.reshape(rows, tall, *image.shape[1:])
    rank = tall * LIGHT // 100
    return np.partition(blocks, rank, axis=1)[:, rank].astype(np.float32)


def _enlarged(mask: NDArray[np.bool_], tall: int, height: int) -> NDArray[np.bool_]:
    """Return a mask of blocks as one of rows, leaning sides without steps."""
    rows = (np.arange(height) + 0.5) / tall - 0.5
    low = np.clip(np.floor(rows).astype(int), 0, len(mask) - 1)
    high = np.minimum(low + 1, len(mask) - 1)
    part = np.clip(rows - low, 0, 1)[:, None]
    inner = np.stack([_inside(mask[k]) for k in range(len(mask))])
    return np.asarray(inner[low] * (1 - part) + inner[high] * part > 0)


def _inside(row: NDArray[np.bool_]) -> Floats:
    """Return how far inside, or outside, of paper every pixel of a row is."""
    edt = scipy.ndimage.distance_transform_edt
    if row.all() or not row.any():
        return np.full(len(row), len(row) if row.all() else -len(row), np.float32)
    return np.asarray(edt(row) - edt(~row), np.float32)


def _by_tone(level: Floats, ink: Floats, bed: Bed) -> NDArray[np.bool_] | None:
    """Tell paper by its tone, ``(h, W)``; None where there is no second white.

    Of both whites, either may be commoner. Paper is the one that is printed.
    """
    smooth = scipy.ndimage.uniform_filter1d(level, 5, axis=1)
    even = np.abs(np.gradient(smooth.min(axis=2), axis=1)) < 1
    best = None
    for channel in range(3):
        near = np.abs(smooth[..., channel] - bed.colour[channel]) < NEAR
        tones = _two_tones(smooth[..., channel][even & near])
        if tones is not None and (best is None or tones[1] - tones[0] > best[2] - best[1]):
            best = channel, *tones
    if best is None:
        return None
    channel, low, high = best
    part = (smooth[..., channel] - low) / (high - low)
    # what is darker than both is shadow, or ink
    one, two = (part > -0.75) & (part <= 0.5), part > 0.5
    return np.asarray(two if _printed(ink, two) > _printed(ink, one) else one, np.bool_)


def _two_tones(values: Floats) -> tuple[float, float] | None:
    """Return the two commonest greys that a clear valley parts, the darker one first."""
    if not values.size:
        return None
    first = float(values.min())
    count = np.bincount(((values - first) / _BIN).astype(int)).astype(np.float64)
    count = scipy.ndimage.gaussian_filter1d(np.pad(count, 4), 1.0)
    high = (count > np.roll(count, 1)) & (count >= np.roll(count, -1))
    tops = sorted(np.flatnonzero(high).tolist(), key=lambda k: -count[k])
    for other in tops[1:]:
        dark, pale = sorted((tops[0], other))
        valley = count[dark : pale + 1].min()
        if (
            (pale - dark) * _BIN >= TONE
            and count[other] > _COMMON * count[tops[0]]
            and valley < 0.5 * count[other]
        ):
            return first + (dark - 4) * _BIN, first + (pale - 4) * _BIN
    return None


def _printed(ink: Floats, where: NDArray[np.bool_] | slice) -> float:
    some = ink[where]
    return float(some.mean()) if some.size else 0.0


def _by_shadow(white: Floats, ink: Floats) -> NDArray[np.bool_] | None:
    """Tell paper by the shadows along its sides and by what is printed on it, ``(h, W)``."""
    wide = max(15, white.shape[1] // 50)
    depth = scipy.ndimage.grey_closing(white, (1, wide)) - white
    rows = [_shadows(white[k], depth[k]) for k in range(len(white))]
    votes = np.zeros_like(white)
    for row, (runs, said) in enumerate(rows):
        for (start, stop), vote in zip(_between(runs, white.shape[1]), said, strict=True):
            printed = _printed(ink[row], slice(start, stop)) > _PRINTED
            votes[row, start:stop] = vote + printed
    votes = scipy.ndimage.uniform_filter1d(votes, _AROUND, axis=0, mode="nearest")
    mask = np.zeros(white.shape, np.bool_)
    for row, (runs, _) in enumerate(rows):
        for start, stop in _between(runs, white.shape[1]):
            mask[row, start:stop] = votes[row, start:stop].sum() > 0
    # Where a shadow is not seen for a block or two, those above and below know better.
    return np.asarray(scipy.ndimage.median_filter(mask, (_MENDED, 1)), np.bool_)


def _shadows(white: Floats, depth: Floats) -> tuple[list[tuple[int, int]], list[float]]:
    """Return where shadows are in a row of blocks, and what they say of all between them.

    A shadow is steep where paper ends. What is between two is paper where both are steep towards
    it: up to 2 then, and down to -2 on the bed.
    """
    at = np.flatnonzero(np.diff(np.pad(depth > SHADOW, 1).astype(np.int8))).reshape(-1, 2)
    runs = [(int(a), int(b)) for a, b in at if depth[a:b].max() < _DEEP]
    step, left = np.diff(white), [0.0]
    for a, b in runs:
        near = step[max(0, a - 2) : b + 1]
        down, up = -float(near.min(initial=0)), float(near.max(initial=0))
        left.append((down - up) / max(1.0, down + up))  # above 0: paper ends to the left
    return runs, [after - before for before, after in zip(left, [*left[1:], 0.0], strict=True)]


def _between(runs: list[tuple[int, int]], wide: int) -> list[tuple[int, int]]:
    """Return what lies before, between and behind runs in a row of `wide` pixels."""
    starts, stops = [0, *(b for _, b in runs)], [*(a for a, _ in runs), wide]
    return [(a, b) for a, b in zip(starts, stops, strict=True)]


def _ink(image: NDArray[np.uint8], bed: Bed, tall: int) -> Floats:
    """Return what part of every block's rows is ink, ``(h, W)``."""
    dark = image.min(axis=2).astype(np.int16) < min(bed.colour) - INK
    starts = np.arange(0, len(dark), tall)
    return np.asarray(np.add.reduceat(dark, starts, axis=0, dtype=np.float32) / tall)
