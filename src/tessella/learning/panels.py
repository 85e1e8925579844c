"""Training pictures turned into worn tile panels before training begins."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray

from tessella.imaging.azulejo import panel, shape_for

FEWEST, MOST = 90, 460
"""Tiles of a panel, as in the paper's test set."""

LEAST = 0.6
"""A panel shows at least this much of a picture's height and width."""


def simulate(
    pictures: Sequence[NDArray[np.uint8]], count: int, *, grid: int, tile: int, seed: int
) -> list[NDArray[np.uint8]]:
    """Return so many panels of `pictures`, each picture in its turn, of `grid` tiles or more."""
    work = [(pictures[i % len(pictures)], grid, tile, seed + i) for i in range(count)]
    # Spawned, not forked: torch's threads may be running already.
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        return list(pool.map(_panel, *zip(*work, strict=True), chunksize=4))


def _panel(picture: NDArray[np.uint8], grid: int, tile: int, seed: int) -> NDArray[np.uint8]:
    chance = np.random.default_rng(seed)
    height, width = (int(size * chance.uniform(LEAST, 1)) for size in picture.shape[:2])
    top = int(chance.integers(picture.shape[0] - height + 1))
    left = int(chance.integers(picture.shape[1] - width + 1))
    part = picture[top : top + height, left : left + width]
    rows, cols = shape_for(part, int(chance.integers(FEWEST, MOST + 1)))
    return panel(part, (max(rows, grid), max(cols, grid)), tile, seed)
