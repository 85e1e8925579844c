"""Searching by vectors: of every edge the candidates with the largest products, exactly.

A quick search in single precision lists a few candidates more than are wanted; their products are
worked out again in double precision and rounded, and rank them, ties by the lower number. Where
rounding in the quick search could have cost a candidate its place, that edge is compared with all
others once more. So the lists depend on the vectors alone, not on who searches: faiss, where it is
installed, or NumPy.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tessella.asking import COLUMNS, EDGES, ROWS
from tessella.checkpoint import State
from tessella.kernels.ranking import keep_better
from tessella.threads import chunks, spread

Floats = NDArray[np.float32]
Engine = Literal["faiss", "numpy"]
Lists = tuple[NDArray[np.int32], NDArray[np.float32]]
"""Columns and products of the best, best first, -1 and -inf behind the last, ``(A, K)`` each."""

GRAIN = 2.0**-10
"""Products are rounded to multiples of this: equal edges then tie exactly."""

MORE = 8
"""So many candidates more than are wanted are listed by the quick search."""

_EXACT = 32
"""Edges whose products are worked out again at once."""


def usual() -> Engine:
    """Return who searches: faiss if it is installed."""
    return "faiss" if find_spec("faiss") is not None else "numpy"


@dataclass(frozen=True, eq=False)
class Searching:
    """Edges that face right, and those that they may join: a `tessella.workshop.Job`.

    Attributes
    ----------
    which : edges that face right, ``(A,)``
    against : edges that face left, ``(B,)``
    right, left : their vectors, float32 ``(A, D)`` and ``(B, D)``
    keep : how many candidates of an edge are listed
    engine : who searches quickly; None: `usual`
    """

    which: NDArray[np.int32]
    against: NDArray[np.int32]
    right: Floats
    left: Floats
    keep: int
    engine: Engine | None = None

    @property
    def blocks(self) -> int:
        """How many blocks of `EDGES` edges there are."""
        return len(chunks(len(self.which), EDGES))

    def of(self, number: int) -> NDArray[np.int32]:
        """Return the edges of a block."""
        return self.which[chunks(len(self.which), EDGES)[number]]

    def do(self, number: int, threads: int | None) -> State:
        """Return ``lo``, ``hi``, ``partner`` and ``score`` of a block.

        Nobody looked at the worst of all candidates; ``lo`` is the score of the last listed.
        """
        right = self.right[chunks(len(self.which), EDGES)[number]]
        own, others = self.of(number) // 4, self.against // 4
        keep = min(self.keep, len(self.left))
        column, score = largest(right, self.left, own, others, keep, threads, self.engine)
        some = column[:, 0] >= 0
        listed = np.where(np.isneginf(score), np.inf, score)
        return {
            "lo": listed.min(axis=1).astype(np.float32),
            "hi": np.where(some, score[:, 0], -np.inf).astype(np.float32),
            "partner": np.where(column >= 0, self.against[column], -1).astype(np.int32),
            "score": score,
        }


def largest(
    right: Floats,
    left: Floats,
    own: NDArray[np.int32],
    others: NDArray[np.int32],
    keep: int,
    threads: int | None = None,
    engine: Engine | None = None,
) -> Lists:
    """Return the `keep` largest products of every row of `right` with those of `left`.

    Parameters
    ----------
    right, left : ``(A, D)`` and ``(B, D)``
    own, others : which piece each row belongs to, ``(A,)`` and ``(B,)``; nobody joins itself
    """
    quick = _by_faiss if (engine or usual()) == "faiss" else _by_numpy
    listed, value = quick(right, left, own, others, min(keep + MORE, len(left)), threads)
    column, score = np.empty((len(right), keep), np.int32), np.empty((len(right), keep), np.float32)
    # What single precision is off by at most, unless all roundings of a sum go one way.
    far = float(np.sqrt(np.einsum("bd,bd->b", left, left).max(initial=0)))
    long = np.sqrt(np.einsum("ad,ad->a", right, right))
    slack = 4 * np.sqrt(left.shape[1]) * 2.0**-24 * far * long + GRAIN

    def settle(part: slice) -> None:
        column[part], score[part] = _ranked(right[part], left, listed[part], keep)
        full = listed[part, -1] >= 0  # Else all candidates are listed.
        doubt = full & ~(score[part, -1] > value[part, -1] + slack[part])
        for a in np.flatnonzero(doubt) + part.start:
            every = _every(right[a], left, others != own[a], keep)
            column[a], score[a] = (each[0] for each in _ranked(right[a : a + 1], left, every, keep))

    for _ in spread(settle, chunks(len(right), _EXACT), threads):
        pass
    return column, score


def _ranked(right: Floats, left: Floats, listed: NDArray[np.int32], keep: int) -> Lists:
    """Rank what is listed ``(A, L)`` by exact products, rounded; the best `keep`."""
    exact = np.einsum("ad,ald->al", right, left[listed], dtype=np.float64)
    value = np.where(listed >= 0, np.rint(exact / GRAIN) * GRAIN, -np.inf)
    order = np.lexsort((listed, -value), axis=1)[:, :keep]
    column = np.take_along_axis(listed, order, axis=1)
    score = np.take_along_axis(value, order, axis=1).astype(np.float32)
    short = keep - column.shape[1]
    room = ((0, 0), (0, short))
    return np.pad(column, room, constant_values=-1), np.pad(score, room, constant_values=-np.inf)


def _every(right: Floats, left: Floats, allowed: NDArray[np.bool_], keep: int) -> NDArray[np.int32]:
    """Return all rows of `left` that could be among the `keep` best of one edge, ``(1, L)``."""
    value = np.concatenate(
        [left[some].astype(np.float64) @ right for some in chunks(len(left), COLUMNS)]
    )
    value[~allowed] = -np.inf
    place = max(0, len(value) - keep)
    bar = np.partition(value, place)[place] - 2 * GRAIN
    return np.flatnonzero(allowed & (value >= bar)).astype(np.int32)[None]


def _by_numpy(
    right: Floats,
    left: Floats,
    own: NDArray[np.int32],
    others: NDArray[np.int32],
    count: int,
    threads: int | None,
) -> Lists:
    """Search quickly by matrix products, a tile at a time."""
    column = np.full((len(right), count), -1, np.int32)
    value = np.full((len(right), count), -np.inf, np.float32)
    lo, hi = np.full(len(right), np.inf, np.float32), np.full(len(right), -np.inf, np.float32)

    def fill(part: slice) -> None:
        best = own[part], lo[part], hi[part], column[part], value[part]
        for some in chunks(len(left), COLUMNS):
            keep_better(right[part] @ left[some].T, best[0], others[some], some.start, *best[1:])

    for _ in spread(fill, chunks(len(right), ROWS), threads):
        pass
    return column, value


def _by_faiss(
    right: Floats,
    left: Floats,
    own: NDArray[np.int32],
    others: NDArray[np.int32],
    count: int,
    threads: int | None,
) -> Lists:
    """Search quickly by faiss; it does not know whose edges they are, so it lists all four more."""
    import faiss

    if threads is not None:
        faiss.omp_set_num_threads(threads)
    most = min(count + 4, len(left))
    value, column = faiss.knn(
        np.ascontiguousarray(right), left, most, metric=faiss.METRIC_INNER_PRODUCT
    )
    column = column.astype(np.int32)
    mine = (others[column] == own[:, None]) | (column < 0)
    order = np.argsort(mine, axis=1, kind="stable")[:, :count]
    column, value, mine = (np.take_along_axis(a, order, axis=1) for a in (column, value, mine))
    return np.where(mine, -1, column), np.where(mine, -np.inf, value).astype(np.float32)
