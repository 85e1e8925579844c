"""Best buddies: edges that are each other's single best partner."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.jit import compiled
from tessella.kernels.tables import Tables


@compiled
def best_buddies(tables: Tables) -> NDArray[np.int32]:
    """Return every edge's best buddy, ``(4N,)``: each is the other's single best; -1 for none."""
    edges = len(tables.start) - 1
    favourite = np.full(edges, -1, np.int32)
    for e in range(edges):
        k = tables.start[e]
        listed = tables.start[e + 1] - k
        if listed == 1 or (listed > 1 and tables.score[k] > tables.score[k + 1]):
            favourite[e] = tables.partner[k]
    buddy = np.full(edges, -1, np.int32)
    for e in range(edges):
        if favourite[e] >= 0 and favourite[favourite[e]] == e:
            buddy[e] = favourite[e]
    return buddy


@compiled
def first_piece(tables: Tables, buddy: NDArray[np.int32], rank: NDArray[np.int32]) -> int:
    """Return the piece to start with, in the most distinctive region.

    It has the most best buddies, then the most best buddies that have four themselves, then the
    greatest sum of compatibilities with its best buddies.
    """
    pieces = len(rank)
    count = np.zeros(pieces, np.int64)
    for e in range(4 * pieces):
        count[e >> 2] += buddy[e] >= 0
    chosen, best_degree, best_sum = 0, -1, 0.0
    for p in range(pieces):
        degree, total = 5 * count[p], 0.0
        for e in range(4 * p, 4 * p + 4):
            if buddy[e] >= 0:
                degree += count[buddy[e] >> 2] == 4
                total += tables.score[tables.start[e]]
        earlier = rank[p] < rank[chosen]
        if (degree, total) > (best_degree, best_sum) or (
            (degree, total) == (best_degree, best_sum) and earlier
        ):
            chosen, best_degree, best_sum = p, degree, total
    return chosen
