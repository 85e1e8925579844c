"""Loops: four blocks, each of which continues the next, that close a square.

A block of order 1 is a piece in one of the ways to turn it. Four that match around a common corner
are a block of order 2. Four blocks of order k that overlap in all but one row or column, around a
common middle, are a block of order k + 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.assembly import Assemblies, lay
from tessella.kernels.board import Box
from tessella.kernels.jit import compiled


class Links(NamedTuple):
    """Which blocks may follow which in one direction: those of i are ``item[low[i]:high[i]]``.

    Attributes
    ----------
    low, high : int64 ``(B,)``
    item : ascending within a block's part, int64 ``(L,)``
    """

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    item: NDArray[np.int64]


@compiled
def loops_of(right: Links, down: Links, name: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return all loops, ``(L, 4)``: blocks at the top left, top right, bottom left, bottom right.

    Parameters
    ----------
    name : blocks of the same name do not meet in a loop, ``(B,)``
    most : where there are more loops, none is returned
    """
    loops = np.empty((0, 4), np.int64)
    total = 0
    for a in range(len(name)):
        total += loops_at(right, down, name, a, loops)
        if total > most:
            return loops
    loops = np.empty((total, 4), np.int64)
    total = 0
    for a in range(len(name)):
        total += loops_at(right, down, name, a, loops[total:])
    return loops


@compiled
def loops_at(
    right: Links, down: Links, name: NDArray[np.int64], a: int, out: NDArray[np.int64]
) -> int:
    """Count the loops with block `a` at the top left, and note them in `out` unless it is empty."""
    count = 0
    for i in range(right.low[a], right.high[a]):
        b = right.item[i]
        for j in range(down.low[a], down.high[a]):
            c = down.item[j]
            if name[b] == name[c]:
                continue
            for k in range(down.low[b], down.high[b]):
                d = down.item[k]
                if name[d] != name[a] and name[d] != name[c] and leads(right, c, d):
                    if len(out) > 0:
                        out[count, 0], out[count, 1], out[count, 2], out[count, 3] = a, b, c, d
                    count += 1
    return count


@compiled
def leads(links: Links, i: int, j: int) -> bool:
    """Say whether block `j` may follow block `i`."""
    low, high = links.low[i], links.high[i]
    while low < high:
        middle = (low + high) >> 1
        if links.item[middle] < j:
            low = middle + 1
        else:
            high = middle
    return low < links.high[i] and links.item[low] == j


@compiled
def lay_blocks(assemblies: Assemblies, box: Box, cell: NDArray[np.int32]) -> int:
    """Lay blocks one after the other where possible, and return how many lie as they should.

    Parameters
    ----------
    cell : the pieces of every block, 4 times the piece and how it is turned, ``(B, K, K)``
    """
    order = cell.shape[1]
    piece = np.empty(order * order, np.int32)
    pose = np.empty((order * order, 3), np.int64)
    laid = 0
    for block in range(len(cell)):
        for i in range(order * order):
            row, col = i // order, i % order
            element = cell[block, row, col]
            piece[i] = element >> 2
            pose[i, 0], pose[i, 1], pose[i, 2] = row, col, element & 3
        laid += lay(assemblies, box, piece, pose)
    return laid
