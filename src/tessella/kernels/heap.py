"""A heap of proposals, best first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.jit import compiled


@compiled
def push(
    key: NDArray[np.float64],
    item: NDArray[np.int64],
    size: int,
    new_key: float,
    cell: int,
    what: int,
    near: int,
) -> int:
    """Add a proposal to the first `size` entries; return the new size.

    Parameters
    ----------
    key : ``(capacity,)``; the greatest stands first
    item : cell, 4 * piece + turns, number of neighbours, ``(capacity, 3)``
    """
    place = size
    while place > 0:
        above = (place - 1) >> 1
        if key[above] >= new_key:
            break
        key[place] = key[above]
        item[place, 0], item[place, 1] = item[above, 0], item[above, 1]
        item[place, 2] = item[above, 2]
        place = above
    key[place] = new_key
    item[place, 0], item[place, 1], item[place, 2] = cell, what, near
    return size + 1


@compiled
def drop_first(key: NDArray[np.float64], item: NDArray[np.int64], size: int) -> int:
    """Remove the best proposal from the first `size` entries; return the new size."""
    last = size - 1
    moved = key[last]
    place = 0
    while True:
        below = 2 * place + 1
        if below >= last:
            break
        if below + 1 < last and key[below + 1] > key[below]:
            below += 1
        if key[below] <= moved:
            break
        key[place] = key[below]
        item[place, 0], item[place, 1] = item[below, 0], item[below, 1]
        item[place, 2] = item[below, 2]
        place = below
    key[place] = moved
    item[place, 0], item[place, 1], item[place, 2] = item[last, 0], item[last, 1], item[last, 2]
    return last
