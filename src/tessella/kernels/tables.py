"""Compatibilities as the kernels see them: one interface over dense tables and lists."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.jit import compiled, inlined


class Tables(NamedTuple):
    """Arrays of a `Compatibility`, in the form that compiled code takes.

    Attributes
    ----------
    start : where an edge's candidates begin, int64 ``(4N + 1,)``
    partner, score : candidates, best first within an edge, ``(M,)``
    known, value : the same candidates by ascending edge, for look-up, ``(M,)``
    dense : every compatibility ``(4N, N or 4N)``, or ``(0, 0)`` when only lists exist
    upright : 1 or 0
    """

    start: NDArray[np.int64]
    partner: NDArray[np.int32]
    score: NDArray[np.float32]
    known: NDArray[np.int32]
    value: NDArray[np.float32]
    dense: NDArray[np.float32]
    upright: int


@inlined
def find(
    start: NDArray[np.int64],
    known: NDArray[np.int32],
    value: NDArray[np.float32],
    dense: NDArray[np.float32],
    upright: int,
    e: int,
    f: int,
) -> np.float32:
    """Return the compatibility of edges `e` and `f`; 0 where it is not listed."""
    held = np.float32(0)
    if dense.shape[0] > 0:
        held = dense[e, f >> 2 if upright else f]
    else:
        low, end = start[e], start[e + 1]
        high = end
        while low < high:
            middle = (low + high) >> 1
            if known[middle] < f:
                low = middle + 1
            else:
                high = middle
        if low < end and known[low] == f:
            held = value[low]
    return held


@compiled
def look_up(tables: Tables, e: int, f: int) -> np.float32:
    """Return the compatibility of edges `e` and `f`; inside loops `find` is faster."""
    return find(tables.start, tables.known, tables.value, tables.dense, tables.upright, e, f)


@compiled
def look_up_all(tables: Tables, pairs: NDArray[np.int32], out: NDArray[np.float32]) -> None:
    """Fill `out` ``(J,)`` with the compatibility of every pair of edges ``(J, 2)``."""
    start, known, value, dense = tables.start, tables.known, tables.value, tables.dense
    upright = tables.upright
    for j in range(len(pairs)):
        out[j] = find(start, known, value, dense, upright, pairs[j, 0], pairs[j, 1])


@compiled
def one_way(partner: NDArray[np.int32], out: NDArray[np.bool_]) -> None:
    """Say of every listed pair whether the second edge does not list the first, ``(4N, K)``."""
    for e in range(partner.shape[0]):
        for k in range(partner.shape[1]):
            f = partner[e, k]
            out[e, k] = f >= 0
            if f < 0:
                continue
            for i in range(partner.shape[1]):
                if partner[f, i] == e:
                    out[e, k] = False
                    break


@compiled
def union_counts(partner: NDArray[np.int32], counts: NDArray[np.int64]) -> None:
    """Count, for every edge, the candidates it lists plus the edges that list it."""
    for e in range(partner.shape[0]):
        for k in range(partner.shape[1]):
            f = partner[e, k]
            if f < 0:
                break
            counts[e] += 1
            counts[f] += 1


@compiled
def union_fill(
    partner: NDArray[np.int32],
    score: NDArray[np.float32],
    place: NDArray[np.int64],
    known: NDArray[np.int32],
    value: NDArray[np.float32],
) -> None:
    """Write half of every listed score to both edges' rows; `place` is where each row goes on."""
    for e in range(partner.shape[0]):
        for k in range(partner.shape[1]):
            f = partner[e, k]
            if f < 0:
                break
            half = score[e, k] * np.float32(0.5)
            known[place[e]] = f
            value[place[e]] = half
            place[e] += 1
            known[place[f]] = e
            value[place[f]] = half
            place[f] += 1


@compiled
def union_merge(
    start: NDArray[np.int64],
    known: NDArray[np.int32],
    value: NDArray[np.float32],
    counts: NDArray[np.int64],
) -> None:
    """Sort every row by edge and add up entries of the same edge; `counts` gets the new lengths."""
    for e in range(len(start) - 1):
        low, end = start[e], start[e + 1]
        order = np.argsort(known[low:end])
        edges = known[low:end][order]
        halves = value[low:end][order]
        kept = low
        for i in range(len(edges)):
            if kept > low and known[kept - 1] == edges[i]:
                value[kept - 1] += halves[i]
            else:
                known[kept] = edges[i]
                value[kept] = halves[i]
                kept += 1
        counts[e] = kept - low


@compiled
def rank_rows(
    start: NDArray[np.int64],
    known: NDArray[np.int32],
    value: NDArray[np.float32],
    partner: NDArray[np.int32],
    score: NDArray[np.float32],
) -> None:
    """Order every row by falling score, ties by ascending edge, into `partner` and `score`."""
    for e in range(len(start) - 1):
        low, end = start[e], start[e + 1]
        order = np.argsort(-value[low:end], kind="mergesort")
        for i in range(end - low):
            partner[low + i] = known[low + order[i]]
            score[low + i] = value[low + order[i]]


@compiled
def symmetrise(table: NDArray[np.float32], upright: int, first: int, last: int) -> None:
    """Replace both entries of every pair of edges in rows `first` to `last` by their mean."""
    for e in range(first, last):
        for c in range(table.shape[1]):
            f = 4 * c + (e + 2) % 4 if upright else c
            if f > e:
                other = e >> 2 if upright else e
                mean = (table[e, c] + table[f, other]) * np.float32(0.5)
                table[e, c] = mean
                table[f, other] = mean


@compiled
def permute(
    table: NDArray[np.float32],
    rows: NDArray[np.int64],
    cols: NDArray[np.int64],
    out: NDArray[np.float32],
) -> None:
    """Fill `out` with ``table[rows][:, cols]``, row by row, which a processor's cache holds."""
    for i in range(len(rows)):
        for j in range(len(cols)):
            out[i, j] = table[rows[i], cols[j]]
