"""Uniting fragments by worth: the worthiest join is made first, while it is worth anything.

A proposal lays one fragment against another by one pair of edges. What it is worth is the sum over
all joins at which the two then touch, each less `zero`, what nobody is worth: doubtful joins count
against it, so fragments stay apart where nothing holds them together. Larger fragments have longer
borders, so whatever is left over is judged again until nothing is worth while any more.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.assembly import absorb, joint_extent, spin, within
from tessella.kernels.board import ACROSS, DOWN, Box
from tessella.kernels.heap import drop_first, push
from tessella.kernels.jit import compiled
from tessella.kernels.merging import IMPOSSIBLE, Fragments, is_free, piece_at, settle, way_to
from tessella.kernels.tables import Tables, find

_SLACK = 1e-6


@compiled
def worth_of(
    tables: Tables,
    zero: float,
    fragments: Fragments,
    box: Box,
    e: int,
    f: int,
    name: NDArray[np.int32],
    way: NDArray[np.int64],
) -> float:
    """Return what it is worth to lay f's fragment so that f lies against e.

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
    total = 0.0
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
                total += (
                    find(
                        tables.start, tables.known, tables.value, tables.dense, tables.upright,
                        mine, other,
                    )
                    - zero
                )  # fmt: skip
        p = assemblies.following[p]
    return total


@compiled
def unite(
    tables: Tables,
    zero: float,
    fragments: Fragments,
    box: Box,
    pairs: NDArray[np.int32],
    hope: NDArray[np.float64],
    least: float,
    larger: float,
) -> int:
    """Unite fragments by `pairs` of edges ``(M, 2)``, the worthiest first; return how often.

    Parameters
    ----------
    hope : what each pair is thought to be worth, ``(M,)``; what it is truly worth is found out when
        its turn comes
    least, larger : what is worth less than this is not done, `larger` more being asked for when the
        smaller fragment has e times as many pieces
    """
    assemblies = fragments.assemblies
    key, item = np.empty(len(pairs) + 1), np.empty((len(pairs) + 1, 3), np.int64)
    name, way = np.empty(2, np.int32), np.zeros((2, 3), np.int64)
    size, made = 0, 0
    for j in range(len(pairs)):
        e, f = pairs[j, 0], pairs[j, 1]
        if assemblies.home[e >> 2] != assemblies.home[f >> 2]:
            size = push(key, item, size, hope[j], j, 0, 0)
    while size > 0:
        expected, j = key[0], item[0, 0]
        size = drop_first(key, item, size)
        e, f = pairs[j, 0], pairs[j, 1]
        if assemblies.home[e >> 2] == assemblies.home[f >> 2]:
            continue
        if not is_free(fragments, e) or not is_free(fragments, f):
            continue
        value = worth_of(tables, zero, fragments, box, e, f, name, way)
        smaller = min(assemblies.size[name[0]], assemblies.size[name[1]])
        if value < least + larger * np.log(smaller):
            continue
        if value < expected - _SLACK:
            size = push(key, item, size, value, j, 0, 0)
            continue
        extent = joint_extent(assemblies, name, way)
        absorb(assemblies, name[0], name[1], way[1])
        assemblies.extent[name[0]] = extent
        settle(fragments, name[0], name[1])
        made += 1
    return made


@compiled
def hopes(
    tables: Tables,
    zero: float,
    fragments: Fragments,
    box: Box,
    pairs: NDArray[np.int32],
    hope: NDArray[np.float64],
) -> None:
    """Fill `hope` with what every pair is worth now, `IMPOSSIBLE` where it cannot be laid."""
    assemblies = fragments.assemblies
    name, way = np.empty(2, np.int32), np.zeros((2, 3), np.int64)
    for j in range(len(pairs)):
        e, f = pairs[j, 0], pairs[j, 1]
        hope[j] = IMPOSSIBLE
        if assemblies.home[e >> 2] == assemblies.home[f >> 2]:
            continue
        if is_free(fragments, e) and is_free(fragments, f):
            hope[j] = worth_of(tables, zero, fragments, box, e, f, name, way)
