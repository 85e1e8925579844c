"""Merging fragments: whole fragments are joined by what all seams of their common border say.

In flat regions no single seam tells which piece comes next, but the seams along the border of two
fragments together do. Every edge of a fragment proposes its best candidates; a proposal puts one
fragment against another, and all seams at which they then touch are summed. A seam's evidence is
1 where the two edges fit as well as the best rival, more where better, 0 where they fit like the
last candidate of their lists, and `UNLISTED` where neither lists the other. So a sum above 1 is
more than one seam's tie, and what exceeds 1, less what the best rival of any of the border's edges
has above 1, is how sure the proposal is. The surest proposals are carried out first; then all are
judged again, since larger fragments have longer borders.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.assembly import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    Assemblies,
    absorb,
    joint_extent,
    key_of,
    single_pieces,
    slot_of,
    spin,
    within,
)
from tessella.kernels.board import ACROSS, DOWN, Box
from tessella.kernels.jit import compiled
from tessella.kernels.tables import Tables, find

UNLISTED, MOST = -0.5, 4.0
"""The least and the most that a seam can say."""

DISCOUNT, DISCOUNTED = 0.3, 3
"""What a border's second and further seams must say to count in favour, and how many of them:
neighbouring pieces look alike, so what fits at one seam often fits at the next by that alone."""

IMPOSSIBLE = -99.0
_THIN = 1e-3
"""Candidates closer to each other than this cannot be told apart."""


class Levels(NamedTuple):
    """What an edge's compatibilities are compared with.

    Attributes
    ----------
    top : the best candidate of every edge, -1 where it has none, int32 ``(4N,)``
    first, second, last : compatibility of the best, of the second and of the last that counts,
        float64 ``(4N,)``
    """

    top: NDArray[np.int32]
    first: NDArray[np.float64]
    second: NDArray[np.float64]
    last: NDArray[np.float64]


class Fragments(NamedTuple):
    """Assemblies, and which piece lies in a cell.

    Attributes
    ----------
    assemblies : which pieces lie together, and where
    who : the piece in every slot of ``assemblies.taken``, int32 ``(S,)``
    stamp : the round in which an assembly last changed, int32 ``(N,)``
    """

    assemblies: Assemblies
    who: NDArray[np.int32]
    stamp: NDArray[np.int32]


class Proposals(NamedTuple):
    """What every edge proposes.

    Attributes
    ----------
    partner : candidates that could lie against an edge, -1 behind the last, int32 ``(4N, D)``
    worth : what the whole border says, float64 ``(4N, D)``
    key : names the placement that a proposal comes to, int64 ``(4N, D)``
    """

    partner: NDArray[np.int32]
    worth: NDArray[np.float64]
    key: NDArray[np.int64]


def levels_of(tables: Tables, keep: int) -> Levels:
    """Return the levels of every edge; the `keep`-th candidate counts as the last."""
    start, length = tables.start[:-1], np.diff(tables.start)
    edges = len(length)
    top = np.full(edges, -1, np.int32)
    level = np.zeros((3, edges))
    some = length > 0
    top[some] = tables.partner[start[some]]
    for row, rank in enumerate((0, 1, keep - 1)):
        at = start + np.minimum(rank, length - 1)
        level[row, some] = tables.score[at[some]]
    return Levels(top, *level)


def single_fragments(pieces: int) -> Fragments:
    """Return every piece as a fragment of its own."""
    assemblies = single_pieces(pieces)
    who = np.full(len(assemblies.taken), -1, np.int32)
    made = Fragments(assemblies, who, np.zeros(pieces, np.int32))
    for piece in range(pieces):
        settle(made, piece, piece)
    return made


@compiled
def settle(fragments: Fragments, home: int, piece: int) -> None:
    """Note where `piece` and those behind it lie."""
    assemblies = fragments.assemblies
    while piece >= 0:
        key = key_of(
            len(assemblies.home), home, assemblies.pose[piece, 0], assemblies.pose[piece, 1]
        )
        fragments.who[slot_of(assemblies.taken, key)] = piece
        piece = assemblies.following[piece]


@compiled
def piece_at(fragments: Fragments, home: int, row: int, col: int) -> int:
    """Return the piece in a cell of fragment `home`, or -1."""
    assemblies = fragments.assemblies
    extent = assemblies.extent[home]
    if row < extent[NORTH] or row > extent[SOUTH] or col < extent[WEST] or col > extent[EAST]:
        return -1
    key = key_of(len(assemblies.home), home, row, col)
    slot = slot_of(assemblies.taken, key)
    if assemblies.taken[slot] != key:
        return -1
    return fragments.who[slot]


@compiled
def is_free(fragments: Fragments, e: int) -> bool:
    """Say whether nothing lies against edge `e` in its fragment."""
    assemblies = fragments.assemblies
    pose = assemblies.pose[e >> 2]
    side = (e + pose[2]) & 3
    home = assemblies.home[e >> 2]
    return piece_at(fragments, home, pose[0] + DOWN[side], pose[1] + ACROSS[side]) < 0


@compiled
def evidence(tables: Tables, levels: Levels, e: int, f: int) -> float:
    """Return what the seam between `e` and `f` says, from `UNLISTED` to `MOST`."""
    fit = float(find(tables.start, tables.known, tables.value, tables.dense, tables.upright, e, f))
    if fit == 0.0:
        return UNLISTED
    total = 0.0
    for i in range(2):
        mine, other = (e, f) if i == 0 else (f, e)
        rival = levels.second[mine] if levels.top[mine] == other else levels.first[mine]
        last = levels.last[mine]
        total += min(max((fit - last) / max(rival - last, _THIN), UNLISTED), MOST)
    return total / 2


@compiled
def way_to(assemblies: Assemblies, e: int, f: int, way: NDArray[np.int64]) -> None:
    """Fill `way` with how f's fragment goes into the frame of e's, so that f lies against e."""
    here, there = assemblies.pose[e >> 2], assemblies.pose[f >> 2]
    side = (e + here[2]) & 3
    way[2] = (side + 2 - f - there[2]) & 3
    row, col = spin(there[0], there[1], way[2])
    way[0] = here[0] + DOWN[side] - row
    way[1] = here[1] + ACROSS[side] - col


@compiled
def judge(
    tables: Tables,
    levels: Levels,
    fragments: Fragments,
    box: Box,
    e: int,
    f: int,
    name: NDArray[np.int32],
    way: NDArray[np.int64],
) -> float:
    """Return what all seams say when f's fragment is laid so that f lies against e.

    Parameters
    ----------
    name, way : filled with both fragments, the larger first, ``(2,)``, and the way each goes into
        the frame of the larger, ``(2, 3)``
    """
    assemblies = fragments.assemblies
    if assemblies.size[assemblies.home[e >> 2]] < assemblies.size[assemblies.home[f >> 2]]:
        e, f = f, e
    large, small = assemblies.home[e >> 2], assemblies.home[f >> 2]
    name[0], name[1] = large, small
    way[0] = 0
    way_to(assemblies, e, f, way[1])
    if not within(box, joint_extent(assemblies, name, way)):
        return IMPOSSIBLE
    total, seams = -1.0, 0
    down, across, turned = way[1, 0], way[1, 1], way[1, 2]
    p = small
    while p >= 0:
        row, col = spin(assemblies.pose[p, 0], assemblies.pose[p, 1], turned)
        row, col = row + down, col + across
        if piece_at(fragments, large, row, col) >= 0:
            return IMPOSSIBLE
        turns = assemblies.pose[p, 2] + turned
        for side in range(4):
            q = piece_at(fragments, large, row + DOWN[side], col + ACROSS[side])
            if q >= 0:
                mine = 4 * p + ((side - turns) & 3)
                other = 4 * q + ((side + 2 - assemblies.pose[q, 2]) & 3)
                total += evidence(tables, levels, mine, other)
                seams += 1
        p = assemblies.following[p]
    return total - DISCOUNT * min(seams - 1, DISCOUNTED)


@compiled
def propose(tables: Tables, fragments: Fragments, proposals: Proposals, since: int) -> None:
    """Renew the proposals of edges whose fragment, or a proposed one, changed in round `since`."""
    start, partner = tables.start, tables.partner
    home, stamp = fragments.assemblies.home, fragments.stamp
    proposed, worth = proposals.partner, proposals.worth
    depth = proposed.shape[1]
    for e in range(len(start) - 1):
        stale = stamp[home[e >> 2]] >= since
        for k in range(depth):
            f = proposed[e, k]
            stale |= f >= 0 and stamp[home[f >> 2]] >= since
        if not stale:
            continue
        count = 0
        if is_free(fragments, e):
            for i in range(start[e], start[e + 1]):
                f = partner[i]
                if home[f >> 2] != home[e >> 2] and is_free(fragments, f):
                    proposed[e, count] = f
                    worth[e, count] = np.nan
                    count += 1
                    if count == depth:
                        break
        proposed[e, count:] = -1


@compiled
def name_all(fragments: Fragments, proposals: Proposals) -> None:
    """Give proposals that come to the same placement the same key; -1 where there is none."""
    assemblies = fragments.assemblies
    pieces = len(assemblies.home)
    way = np.empty(3, np.int64)
    for e in range(len(proposals.partner)):
        for k in range(proposals.partner.shape[1]):
            f = proposals.partner[e, k]
            proposals.key[e, k] = -1
            if f < 0:
                continue
            a, b = e, f
            if assemblies.home[a >> 2] > assemblies.home[b >> 2]:
                a, b = b, a
            way_to(assemblies, a, b, way)
            pair = np.int64(assemblies.home[a >> 2]) * pieces + assemblies.home[b >> 2]
            # Should two ever share a key, one of them waits for the next round.
            where = (way[0] & 8191) << 15 | (way[1] & 8191) << 2 | way[2]
            proposals.key[e, k] = (pair << 28) + where


@compiled
def rate(
    tables: Tables,
    levels: Levels,
    fragments: Fragments,
    box: Box,
    proposals: Proposals,
    order: NDArray[np.int64],
    sure: NDArray[np.float64],
) -> None:
    """Judge every placement once, and say how sure it is beside its rivals.

    Parameters
    ----------
    order : of all proposals by key
    sure : filled for the first proposal of each key, ``-inf`` for others, ``(4N D,)``
    """
    partner, worth = proposals.partner.ravel(), proposals.worth.ravel()
    key, depth = proposals.key.ravel(), proposals.partner.shape[1]
    edges = len(proposals.partner)
    name, way = np.empty(2, np.int32), np.zeros((2, 3), np.int64)
    best = np.full(edges, IMPOSSIBLE)
    other = np.full(edges, IMPOSSIBLE)
    whose = np.full(edges, -1, np.int64)
    sure[:] = -np.inf
    begin = 0
    while begin < len(order):
        end, value = same_key(key, order, begin, worth)
        if key[order[begin]] >= 0:
            if np.isnan(value):
                j = order[begin]
                value = judge(tables, levels, fragments, box, j // depth, partner[j], name, way)
            for i in range(begin, end):
                worth[order[i]] = value
                for edge in (order[i] // depth, np.int64(partner[order[i]])):
                    note_rival(best, other, whose, edge, value, key[order[i]])
        begin = end
    begin = 0
    while begin < len(order):
        end, value = same_key(key, order, begin, worth)
        if key[order[begin]] >= 0 and value > 0:
            rival = 0.0
            for i in range(begin, end):
                for edge in (order[i] // depth, np.int64(partner[order[i]])):
                    mine = whose[edge] == key[order[i]]
                    rival = max(rival, other[edge] if mine else best[edge])
            sure[order[begin]] = value - rival
        begin = end


@compiled
def same_key(
    key: NDArray[np.int64], order: NDArray[np.int64], begin: int, worth: NDArray[np.float64]
) -> tuple[int, float]:
    """Return where the proposals of one key end, and their worth if one of them knows it."""
    end, value = begin, np.nan
    while end < len(order) and key[order[end]] == key[order[begin]]:
        if not np.isnan(worth[order[end]]):
            value = worth[order[end]]
        end += 1
    return end, value


@compiled
def note_rival(
    best: NDArray[np.float64],
    other: NDArray[np.float64],
    whose: NDArray[np.int64],
    edge: np.int64,
    value: float,
    key: int,
) -> None:
    """Keep the best two placements of an edge, that of `whose` first."""
    if whose[edge] == key:
        return
    if value > best[edge]:
        other[edge] = best[edge]
        best[edge], whose[edge] = value, key
    elif value > other[edge]:
        other[edge] = value


@compiled
def merge(
    tables: Tables,
    levels: Levels,
    fragments: Fragments,
    box: Box,
    proposals: Proposals,
    order: NDArray[np.int64],
    sure: NDArray[np.float64],
    least: float,
    now: int,
) -> int:
    """Carry proposals out, in the order given, where they are still at least `least` sure."""
    assemblies, stamp = fragments.assemblies, fragments.stamp
    partner, worth = proposals.partner.ravel(), proposals.worth.ravel()
    depth = proposals.partner.shape[1]
    name, way = np.empty(2, np.int32), np.zeros((2, 3), np.int64)
    made = 0
    for j in order:
        e, f = j // depth, partner[j]
        if assemblies.home[e >> 2] == assemblies.home[f >> 2]:
            continue
        value = judge(tables, levels, fragments, box, e, f, name, way)
        if sure[j] + value - worth[j] < least:
            continue
        large, small = name[0], name[1]
        extent = joint_extent(assemblies, name, way)
        absorb(assemblies, large, small, way[1])
        assemblies.extent[large] = extent
        settle(fragments, large, small)
        stamp[large] = now
        made += 1
    return made
