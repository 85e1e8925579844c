"""The best path through all strips: an asymmetric travelling salesman without a way home.

A strip i has two ends, 2i its right side and 2i + 1 its left. It lies in a path as the *node* 2i,
or 2i + 1 when turned upside down; the end of node v that faces right is v, the one that faces left
``v ^ 1``. So node w behind node v scores ``fit[v, w ^ 1]``, and since `fit` is symmetric, a
stretch of the path that is reversed and turned keeps all scores inside.

Paths are arrays with a *stop* before the first and behind the last node, which fits nothing and
scores 0. Every move swaps two neighbouring stretches, either of which may be turned over: Or-opt
and the order-preserving 3-opt (I. Or, 1976), and 2-opt where strips may be turned. A move starts
from an end that likes another partner better; those are in its list of nearest ends. Kicks swap
random stretches (the double bridge) and are taken back unless the path is as good afterwards
(O. Martin, S. Otto, E. Felten, 1991).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.chance import below
from tessella.kernels.jit import compiled

_BETTER = 1e-7
_STRETCH = 100
"""Longest stretch that moves elsewhere upside down, and that a kick moves."""


class Trail(NamedTuple):
    """A path and what finding a better one needs.

    Attributes
    ----------
    node : the nodes in order between two stops, int64 ``(n + 2,)``
    place : where strip i lies in `node`, int64 ``(n,)``
    active : whether an end may have a better partner, ``(2n + 2,)``
    room : scratch, int64 ``(n + 2,)``
    turned : whether strips may be turned over, 0 or 1
    """

    node: NDArray[np.int64]
    place: NDArray[np.int64]
    active: NDArray[np.bool_]
    room: NDArray[np.int64]
    turned: int


def make_trail(order: NDArray[np.int64], turned: bool) -> Trail:
    """Return a trail over nodes `order`, all of whose ends are active."""
    count = len(order)
    node = np.concatenate([[2 * count], order, [2 * count]])
    place = np.empty(count, np.int64)
    place[order >> 1] = np.arange(1, count + 1)
    active = np.ones(2 * count + 2, np.bool_)
    return Trail(node, place, active, np.empty(count + 2, np.int64), int(turned))


@compiled
def length(fit: NDArray[np.float64], node: NDArray[np.int64]) -> float:
    """Return the sum of `fit` along a path."""
    total = 0.0
    for p in range(len(node) - 1):
        total += fit[node[p], node[p + 1] ^ 1]
    return total


@compiled
def greedy(first: NDArray[np.int64], second: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Join ends in the order of pairs (`first`, `second`), and chain what is left over.

    Returns
    -------
    the nodes of the path, ``(count,)``; strips stay upright where every pair has a right and a
    left end
    """
    mate = np.full(2 * count, -1, np.int64)
    chain = np.arange(count)  # union-find
    for k in range(len(first)):
        a, b = first[k], second[k]
        i, j = a >> 1, b >> 1
        if mate[a] >= 0 or mate[b] >= 0:
            continue
        while chain[i] != i:
            chain[i] = chain[chain[i]]
            i = chain[i]
        while chain[j] != j:
            chain[j] = chain[chain[j]]
            j = chain[j]
        if i != j:
            chain[i] = j
            mate[a], mate[b] = b, a
    order = np.empty(count, np.int64)
    seen = np.zeros(count, np.bool_)
    filled = 0
    for end in range(1, 4 * count, 2):  # left ends first: only those begin an upright chain
        start = end if end < 2 * count else end - 2 * count - 1
        if mate[start] >= 0 or seen[start >> 1]:
            continue
        v = start ^ 1  # the node whose left end is `start`
        while True:
            order[filled] = v
            seen[v >> 1] = True
            filled += 1
            if mate[v] < 0:
                break
            v = mate[v] ^ 1
    return order


@compiled
def relay(trail: Trail, lo: int, mid: int, hi: int, turn_first: bool, turn_second: bool) -> None:
    """Swap the stretches ``lo:mid`` and ``mid:hi``, turning over either; wake what they touch."""
    node, place, active, room = trail.node, trail.place, trail.active, trail.room
    k = lo
    for p in range(mid, hi):
        room[k] = node[hi - 1 - (p - mid)] ^ 1 if turn_second else node[p]
        k += 1
    for p in range(lo, mid):
        room[k] = node[mid - 1 - (p - lo)] ^ 1 if turn_first else node[p]
        k += 1
    for p in range(lo, hi):
        node[p] = room[p]
        place[node[p] >> 1] = p
    seam = lo + hi - mid
    for p in (lo - 1, lo, seam - 1, seam, hi - 1, hi):
        active[node[p]] = True
        active[node[p] ^ 1] = True


@compiled
def mirror(trail: Trail) -> None:
    """Turn the whole path over."""
    node, place = trail.node, trail.place
    last = len(node) - 1
    for p in range(1, (last + 1) // 2):
        node[p], node[last - p] = node[last - p] ^ 1, node[p] ^ 1
    if last % 2 == 0:
        node[last // 2] ^= 1
    for p in range(1, last):
        place[node[p] >> 1] = p


@compiled
def _swap(fit: NDArray[np.float64], node: NDArray[np.int64], p: int, q: int) -> tuple[float, int]:
    """Return the best gain, and the cut, of a swap that brings the node at `q` behind `p`."""
    best, cut = 0.0, -1
    x, c, d = node[p + 1], node[q], node[q - 1]
    here = fit[node[p], c ^ 1] - fit[node[p], x ^ 1] - fit[d, c ^ 1]
    for e in range(q, len(node) - 1 if q > p else p):
        last, behind = node[e], node[e + 1]
        gain = here + fit[last, x ^ 1] + fit[d, behind ^ 1] - fit[last, behind ^ 1]
        if gain > best:
            best, cut = gain, e + 1
    return best, cut


@compiled
def _turn(fit: NDArray[np.float64], node: NDArray[np.int64], p: int, q: int) -> tuple[float, int]:
    """Return the best gain of bringing a stretch that ends at `q`, turned over, behind `p`.

    Also its first place; that is ``min(p, q) + 1`` for a turn without a move (2-opt).
    """
    a, x, c, f = node[p], node[p + 1], node[q], node[q + 1]
    low, high = min(p, q), max(p, q)
    best = fit[node[low], node[high]] + fit[node[low + 1] ^ 1, node[high + 1] ^ 1]
    best -= fit[node[low], node[low + 1] ^ 1] + fit[node[high], node[high + 1] ^ 1]
    start = low + 1
    here = fit[a, c] - fit[a, x ^ 1] - fit[c, f ^ 1]
    for s in range(q, max(0, q - _STRETCH, p + 1 if q > p else 0), -1):
        before = node[s - 1]
        gain = here + fit[node[s] ^ 1, x ^ 1] + fit[before, f ^ 1] - fit[before, node[s] ^ 1]
        if gain > best:
            best, start = gain, -s
    return best, start


@compiled
def improve(fit: NDArray[np.float64], near: NDArray[np.int64], trail: Trail, p: int) -> float:
    """Make the best move that gives the node at `p` a better one behind it; return the gain."""
    node, place = trail.node, trail.place
    a, x = node[p], node[p + 1]
    best, to, cut, turning = _BETTER, 0, 0, False
    for k in range(near.shape[1]):
        c = near[a, k]
        if c < 0 or fit[a, c] - fit[a, x ^ 1] <= _BETTER:
            break
        q = place[c >> 1]
        if node[q] == c ^ 1:
            gain, where = _swap(fit, node, p, q)
            turns = False
        elif trail.turned:
            gain, where = _turn(fit, node, p, q)
            turns = True
        else:
            continue
        if gain > best:
            best, to, cut, turning = gain, q, where, turns
    if to == 0:
        return 0.0
    if not turning:
        if to > p:
            relay(trail, p + 1, to, cut, False, False)
        else:
            relay(trail, to, cut, p + 1, False, False)
    elif cut > 0:
        relay(trail, cut, max(p, to) + 1, max(p, to) + 1, True, False)
    elif to > p:
        relay(trail, p + 1, -cut, to + 1, False, True)
    else:
        relay(trail, -cut, to + 1, p + 1, True, False)
    return best


@compiled
def descend(fit: NDArray[np.float64], near: NDArray[np.int64], trail: Trail) -> None:
    """Make moves until no active end finds a better one."""
    node, place, active = trail.node, trail.place, trail.active
    idle = 0
    while idle <= trail.turned:  # a path that may be turned over is looked at from both ends
        idle += 1
        for i in range(len(place)):
            while active[node[place[i]]]:
                active[node[place[i]]] = False
                while improve(fit, near, trail, place[i]) > 0:
                    idle = 0
        if trail.turned:
            mirror(trail)


@compiled
def kick(trail: Trail, state: NDArray[np.uint64]) -> None:
    """Swap two random stretches, each turned over by chance where strips may be."""
    strips = len(trail.place)
    first = 1 + below(state, min(_STRETCH, strips - 1))
    second = 1 + below(state, min(_STRETCH, strips - first))
    lo = 1 + below(state, strips - first - second + 1)
    over = below(state, 4) if trail.turned else 0
    relay(trail, lo, lo + first, lo + first + second, (over & 1) == 1, (over & 2) == 2)


@compiled
def wander(
    fit: NDArray[np.float64],
    near: NDArray[np.int64],
    trail: Trail,
    kicks: int,
    state: NDArray[np.uint64],
) -> float:
    """Kick and descend `kicks` times, keeping what is as good or better; return the length."""
    node, place = trail.node, trail.place
    best = length(fit, node)
    kept = np.empty(len(node), np.int64)
    for p in range(len(node)):
        kept[p] = node[p]
    for _ in range(kicks):
        kick(trail, state)
        while below(state, 3) == 0:  # some optima lie further apart than one kick
            kick(trail, state)
        descend(fit, near, trail)
        now = length(fit, node)
        if now >= best - 1e-12:
            best = max(now, best)
            for p in range(len(node)):
                kept[p] = node[p]
        else:
            for p in range(len(node)):
                node[p] = kept[p]
            for p in range(1, len(node) - 1):
                place[node[p] >> 1] = p
    return best
