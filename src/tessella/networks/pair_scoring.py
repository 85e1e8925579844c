"""Scoring pairs of pieces with a network that is given both, on the processor."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.networks.pair_model import PairModel
from tessella.networks.view import seen
from tessella.threads import chunks, spread
from tessella.watch import SILENT, Watcher

AT_ONCE = 8
"""Pairs that a network is given at a time: what it makes of them should stay in the cache."""

_SHARE = 32
"""Such portions that a thread takes at a time."""


def pairs(
    model: PairModel,
    right_pieces: NDArray[np.uint8],
    left_pieces: NDArray[np.uint8],
    which: NDArray[np.int64],
    eroded: int,
    watch: Watcher = SILENT,
    threads: int | None = None,
) -> NDArray[np.float32]:
    """Return a model's scores of pairs of pieces, ``(M,)``.

    Parameters
    ----------
    right_pieces : pieces that lie at the left of a pair and face right, ``(A, P, P, 3)``
    left_pieces : pieces that lie at the right and face left, ``(B, P, P, 3)``
    which : rows of both, ``(M, 2)``
    watch : is told every pair once
    """
    frame, size = model.frame(eroded), ("rgb", model.rows, model.depth)
    first = seen(right_pieces, frame, *size, edges.RIGHT)  # (A, rows, depth, 3)
    second = seen(left_pieces, frame, *size, edges.LEFT)
    network = model.network(eroded)
    out = np.empty(len(which), np.float32)

    def fill(share: slice) -> int:
        for start in range(share.start, share.stop, AT_ONCE):
            some = slice(start, min(start + AT_ONCE, share.stop))
            left, right = which[some].T
            out[some] = network(np.concatenate([first[left], second[right]], axis=2))
        return int(share.stop - share.start)

    for done in spread(fill, chunks(len(which), _SHARE * AT_ONCE), threads):
        watch.advance(done)
    return out
