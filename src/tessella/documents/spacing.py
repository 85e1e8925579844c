"""How far neighbouring strips lay apart on their page: what the blade took, or made appear twice.

Within a strip, columns of print that lie d pixels apart agree to a degree that print itself has:
strokes are so wide, letters so far apart. Columns on both sides of a cut agree as columns of a
strip do that lie as far apart as these once did, so the distance is read off where the agreement
across the cuts looks most like that within strips. One shredder takes the same of every cut: all
joins of all pages are put together, and both halves of them must say the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.arrangement import EMPTY, Sheet
from tessella.documents.strips import Strips
from tessella.threads import spread

SKIP, DEEP = 3, 60
"""Columns behind a side that are looked at: from, and up to. The first ones are frayed."""

LAGS = 6
"""Rows by which print is also compared higher and lower."""

SPAN = (-8.0, 30.0)
"""Pixels that strips may lie apart; below 0 they show the same print twice."""

STEP = 0.5

MOST = 96
"""Joins that are looked at, spread over all pages."""

PRINTED = 0.003
"""Part of a side's columns that must be ink."""

LIKE, AGREE, ENOUGH = 0.4, 1.5, 6
"""How like both curves must be, by how many pixels halves may differ, and how many joins it takes;
see docs/experiments/documents.md."""

RARE = 0.005
"""By how much less alike curves may be for every pixel that strips lie nearer: blades are thin, and
letters stand at even distances, so that curves are alike again one letter further."""

STRONG = 1.25
"""Agreement across cuts may be so many times that within strips: the rest is chance."""

Floats = NDArray[np.floating[Any]]
Curves = tuple[Floats, Floats]
"""Agreement across a cut by the columns skipped over, and within strips by distance, both
``(columns, lags)``."""


def spacing(puzzle: Strips, sheets: Sequence[Sheet]) -> int | None:
    """Return how many pixels neighbours lay apart, less than 0 where they show print twice.

    None where print does not tell.
    """
    across = max(int(np.median(puzzle.widths()) * 0.7), 1)
    deep = min(DEEP, across, puzzle.piece_size[1] - 1)
    if deep < 4 * SKIP or puzzle.piece_size[0] <= 8 * LAGS:
        return None
    joins = [join for sheet in sheets for join in _joins(sheet)]
    some = joins[:: -(-len(joins) // MOST)] if joins else []
    # One thread: these products are so small that more would wait for each other.
    every = list(spread(_compared, _sides(puzzle, some, deep), 1))
    if len(every) < ENOUGH:
        return None
    (best, like), *halves = (_best(some) for some in (every, every[::2], every[1::2]))
    if like < LIKE or max(abs(half - best) for half, _ in halves) > AGREE:
        return None
    return round(best)


Laid = tuple[int, int, int]
"""A strip, its turns and its shift."""


def _joins(sheet: Sheet) -> Iterator[tuple[Laid, Laid]]:
    """Yield neighbours, left and right."""
    shift = np.zeros(sheet.shape, np.int32) if sheet.shift is None else sheet.shift
    row = zip(sheet.piece[0].tolist(), sheet.turns[0].tolist(), shift[0].tolist(), strict=True)
    for one, two in pairwise(row):
        if EMPTY not in (one[0], two[0]):
            yield one, two


def _sides(
    puzzle: Strips, joins: Sequence[tuple[Laid, Laid]], deep: int
) -> Iterator[tuple[Floats, Floats]]:
    """Yield both sides of every printed join, as ink ``(rows, deep + 1)`` from the cut inwards."""
    for one, two in joins:
        tall = int(min(puzzle.sizes[one[0], 0], puzzle.sizes[two[0], 0]))
        left = _ink(puzzle, one[0], one[1], edges.RIGHT)[:tall, : deep + 1]
        right = _ink(puzzle, two[0], two[1], edges.LEFT)[:tall, : deep + 1]
        if min(left[:, SKIP:].mean(), right[:, SKIP:].mean()) >= PRINTED and tall > 8 * LAGS:
            yield left, np.roll(right, two[2] - one[2], axis=0)


def _ink(puzzle: Strips, piece: int, turns: int, direction: int) -> Floats:
    edge = np.array([4 * piece + (direction - turns) % 4], np.int32)
    seen = puzzle.facing(edge, direction)[0, :, :, 0].astype(np.float32)
    seen = seen[:, ::-1] if direction == edges.RIGHT else seen
    return np.asarray(np.clip(235 - seen, 0, None) / 235)


def _compared(sides: tuple[Floats, Floats]) -> tuple[Curves, Curves]:
    """Return the curves of a join, by ink and by where ink begins and ends."""
    left, right = (side - side.mean(axis=0) for side in sides)
    steps = np.diff(left, axis=1), -np.diff(right, axis=1)
    return _curves(left[:, SKIP:-1], right[:, SKIP:-1]), _curves(
        steps[0][:, SKIP:], steps[1][:, SKIP:]
    )


def _curves(left: Floats, right: Floats) -> Curves:
    place = np.arange(left.shape[1])
    over = (place[:, None] + place).ravel()
    away = np.abs(place[:, None] - place).ravel()
    inside = slice(2 * LAGS, len(left) - 2 * LAGS)
    across, within = [], []
    for lag in range(-LAGS, LAGS + 1):
        moved = slice(inside.start + lag, inside.stop + lag)
        pair = left[inside].T @ right[moved]
        own = left[inside].T @ left[moved] + right[inside].T @ right[moved]
        across.append(np.bincount(over, pair.ravel()) / np.bincount(over))
        within.append(np.bincount(away, own.ravel()) / np.bincount(away) / 2)
    same = np.array(within).T / len(left)
    return np.array(across).T / len(left), (same + same[:, ::-1]) / 2


def _best(every: Sequence[tuple[Curves, Curves]]) -> tuple[float, float]:
    """Return the distance at which curves are most alike, and how alike they are there, up to 1."""
    tried = np.arange(SPAN[0], SPAN[1] + STEP, STEP)
    total = np.zeros(len(tried))
    for kind in (0, 1):
        across, within = (np.mean([join[kind][k] for join in every], axis=0) for k in (0, 1))
        # Next to the cut lie two columns one pixel apart, and two steps of ink two.
        total += [_alike(across, within, 2 * SKIP + 1 + kind + apart) for apart in tried]
    best = int((total / 2 - RARE * np.abs(tried)).argmax())
    return float(tried[best]), float(total[best]) / 2


def _alike(across: Floats, within: Floats, first: float) -> float:
    """Return which part of `across` is that of `within`, moved by `first` pixels, up to 1."""
    count = len(within)
    over = np.arange(count)
    away = over + first
    known = (away >= 0) & (away <= count - 6)  # The longest distances have few columns.
    over, away = over[known], away[known]
    if len(over) < 8:
        return -1.0
    low = away.astype(int)
    part = (away - low)[:, None]
    expected = within[low] * (1 - part) + within[low + 1] * part
    seen = across[over] - across[over].mean(axis=0)
    expected -= expected.mean(axis=0)
    power = float((expected * expected).sum()), float((seen * seen).sum())
    if min(power) <= 0:
        return -1.0
    scale = min(max(float((expected * seen).sum()) / power[0], 0.0), STRONG)
    return 1 - float(((seen - scale * expected) ** 2).sum()) / power[1]
