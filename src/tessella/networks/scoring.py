"""Scoring pairs of pieces with a model on the processor, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.networks.model import Model
from tessella.networks.seam import Engine
from tessella.networks.view import seen
from tessella.threads import chunks
from tessella.watch import SILENT, Generation, Watcher

VIEWS = (slice(None), slice(None, None, -1))
"""The rows of a piece as they are, and top to bottom."""

MOST_BYTES = 768 * 2**20
"""What is kept of all edges at a time, for one sub-network."""


def pairs(
    model: Model,
    right_pieces: NDArray[np.uint8],
    left_pieces: NDArray[np.uint8],
    which: NDArray[np.int64],
    eroded: int,
    watch: Watcher = SILENT,
    threads: int | None = None,
) -> NDArray[np.float32]:
    """Return the sum of the sub-networks' scores of pairs of pieces.

    A model that is `mirrored` scores them top to bottom too; each sub-network's two are averaged.
    Pairs of identical pieces are scored once, so that they tie exactly: matrix products need not
    give equal rows equal results.

    Parameters
    ----------
    right_pieces : pieces that lie at the left of a pair and face right, ``(A, P, P, 3)``
    left_pieces : pieces that lie at the right and face left, ``(B, P, P, 3)``
    which : rows of both, ``(M, 2)``
    watch : is told every pair once
    """
    which, place = _distinct(right_pieces, left_pieces, which)
    watch.advance(len(place) - len(which))
    out = np.zeros(len(which), np.float32)
    order, blocks = _blocks(model, len(right_pieces), len(left_pieces), which)
    views = VIEWS[: 1 + model.mirrored]
    parts = Parts(watch, len(views) * len(model.subnetworks))
    for sub, rows in product(model.subnetworks, views):
        engine = Engine(sub)
        size = sub.architecture.planes, model.rows, model.depth
        held, right = None, None
        for first, second, some in blocks:
            if right is None or held != first:
                view = seen(right_pieces[first][:, rows], eroded, *size, edges.RIGHT)
                held, right = first, engine.sides(view, edges.RIGHT, threads)
            view = seen(left_pieces[second][:, rows], eroded, *size, edges.LEFT)
            left = engine.sides(view, edges.LEFT, threads)
            chosen = order[some]
            local = which[chosen] - (first.start, second.start)
            part = np.zeros(len(chosen), np.float32)
            for more in engine.pairs(right, left, local, part, threads):
                parts.advance(more)
            out[chosen] += part / len(views)
    return out[place]


def _distinct(
    right_pieces: NDArray[np.uint8], left_pieces: NDArray[np.uint8], which: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """Return pairs that all look different, ``(D, 2)``, and for every pair which of them it is."""
    right, left = _first(right_pieces), _first(left_pieces)
    if len(np.unique(right)) == len(right) and len(np.unique(left)) == len(left):
        return which, np.arange(len(which))
    code = right[which[:, 0]] * len(left_pieces) + left[which[:, 1]]
    code, place = np.unique(code, return_inverse=True)
    return np.stack(np.divmod(code, len(left_pieces)), axis=1), place.ravel()


def _first(pieces: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the number of the first piece that looks like every piece, ``(A,)``."""
    known: dict[bytes, int] = {}
    return np.array([known.setdefault(p.tobytes(), i) for i, p in enumerate(pieces)], np.int64)


class Parts:
    """A watcher of work that is done in several equal parts, each told in full."""

    def __init__(self, watch: Watcher, count: int) -> None:
        self.watch, self.count, self.done = watch, count, 0

    def stage(self, name: str, total: int) -> None:
        """Pass on."""
        self.watch.stage(name, total)

    def advance(self, steps: int = 1) -> None:
        """Pass on what the steps amount to, summed up so that nothing is lost by rounding."""
        before, self.done = self.done, self.done + steps
        self.watch.advance(self.done // self.count - before // self.count)

    def generation(self, generation: Generation) -> None:
        """Pass on."""
        self.watch.generation(generation)


def _blocks(
    model: Model, rights: int, lefts: int, which: NDArray[np.int64]
) -> tuple[NDArray[np.intp], list[tuple[slice, slice, slice]]]:
    """Cut the pairs into blocks whose edges fit the memory together.

    Returns
    -------
    an order of the pairs, and blocks: which right pieces, which left pieces, which of the order
    """
    size = max(Engine(sub).edge_bytes for sub in model.subnetworks)
    most = max(1, MOST_BYTES // (2 * size))
    if rights + lefts <= 2 * most:
        return np.arange(len(which)), [(slice(0, rights), slice(0, lefts), slice(0, len(which)))]
    code = which[:, 0] // most * lefts + which[:, 1] // most
    order = np.argsort(code, kind="stable")
    return order, list(_cut(code[order], chunks(rights, most), chunks(lefts, most), lefts))


def _cut(
    code: NDArray[np.int64], rights: list[slice], lefts: list[slice], base: int
) -> Iterator[tuple[slice, slice, slice]]:
    """Yield the blocks that hold pairs, given the pairs' ascending block numbers."""
    for i, right in enumerate(rights):
        for j, left in enumerate(lefts):
            start, stop = np.searchsorted(code, [i * base + j, i * base + j + 1])
            if start < stop:
                yield right, left, slice(int(start), int(stop))
