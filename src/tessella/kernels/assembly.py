"""Assemblies: groups of pieces that keep their places among each other, and how they merge.

Every piece starts as an assembly of its own. `lay` asks for a few pieces to lie in given cells: the
assemblies they belong to are moved and turned as wholes, and merge if that is possible without two
pieces in one cell and within the shape. The smaller ones are written into the frame of the
largest, so that all merges together cost O(N log N).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.board import ACROSS, DOWN, Box
from tessella.kernels.jit import compiled

NORTH, SOUTH, WEST, EAST = range(4)
"""Columns of `Assemblies.extent`."""

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""Knuth's multiplier: neighbouring keys go to slots far apart."""


class Assemblies(NamedTuple):
    """All pieces, each in one assembly; an assembly is named after one of its pieces.

    Attributes
    ----------
    home : the assembly of every piece, int32 ``(N,)``
    pose : row, column and turns of every piece in the frame of its assembly, int64 ``(N, 3)``
    following : the next piece of the same assembly, -1 behind the last, int32 ``(N,)``
    final : the last piece of an assembly, int32 ``(N,)``
    size : how many pieces an assembly has, 0 once it is merged into another, int64 ``(N,)``
    extent : first and last row, first and last column of an assembly, int64 ``(N, 4)``
    taken : hash table of the cells that pieces lie in, -1 where a slot is free, int64 ``(S,)``
    """

    home: NDArray[np.int32]
    pose: NDArray[np.int64]
    following: NDArray[np.int32]
    final: NDArray[np.int32]
    size: NDArray[np.int64]
    extent: NDArray[np.int64]
    taken: NDArray[np.int64]


def single_pieces(pieces: int) -> Assemblies:
    """Return `pieces` assemblies of one piece each, at (0, 0) and not turned."""
    # A piece that moves doubles its assembly at least, so it is noted log2(N) + 1 times at most.
    notes = pieces * (pieces.bit_length() + 1)
    made = Assemblies(
        home=np.arange(pieces, dtype=np.int32),
        pose=np.zeros((pieces, 3), np.int64),
        following=np.full(pieces, -1, np.int32),
        final=np.arange(pieces, dtype=np.int32),
        size=np.ones(pieces, np.int64),
        extent=np.zeros((pieces, 4), np.int64),
        taken=np.full(1 << (2 * notes).bit_length(), -1, np.int64),
    )
    for piece in range(pieces):
        note(made.taken, pieces, piece, 0, 0)
    return made


@compiled
def lay(
    assemblies: Assemblies,
    box: Box,
    piece: NDArray[np.int32],
    cell: NDArray[np.int64],
) -> bool:
    """Bring pieces to lie as asked for among each other, or change nothing and say False.

    Parameters
    ----------
    box : what assemblies must fit; where quarter turns are asked for, either way round
    piece : ``(M,)``
    cell : row, column and turns of each in one frame, ``(M, 3)``; the cells are connected
    """
    name, way = assemblies_of(assemblies, piece, cell)
    if len(name) < 2:
        return len(name) == 1
    largest = 0
    for i in range(1, len(name)):
        if assemblies.size[name[i]] > assemblies.size[name[largest]]:
            largest = i
    inward = np.empty_like(way)
    for i in range(len(name)):
        relate(way[largest], way[i], inward[i])
    merged = joint_extent(assemblies, name, inward)
    if not within(box, merged) or any_overlap(assemblies, name, way):
        return False
    for i in range(len(name)):
        if i != largest:
            absorb(assemblies, name[largest], name[i], inward[i])
    assemblies.extent[name[largest]] = merged
    return True


@compiled
def lay_pairs(assemblies: Assemblies, box: Box, pairs: NDArray[np.int32]) -> None:
    """Lay pairs of edges ``(J, 2)`` against each other, one after the other, where possible."""
    piece = np.empty(2, np.int32)
    cell = np.zeros((2, 3), np.int64)
    for j in range(len(pairs)):
        e, f = pairs[j, 0], pairs[j, 1]
        side = e & 3
        piece[0], piece[1] = e >> 2, f >> 2
        cell[1, 0], cell[1, 1] = DOWN[side], ACROSS[side]
        cell[1, 2] = (side + 2 - f) & 3
        lay(assemblies, box, piece, cell)


@compiled
def assemblies_of(
    assemblies: Assemblies, piece: NDArray[np.int32], cell: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the assemblies of pieces and the way each must go; none if one must go two ways.

    A way is how far down and across, after how many turns about (0, 0).
    """
    name = np.empty(len(piece), np.int32)
    way = np.empty((len(piece), 3), np.int64)
    wanted = np.empty(3, np.int64)
    count = 0
    for i in range(len(piece)):
        pose = assemblies.pose[piece[i]]
        turns = (cell[i, 2] - pose[2]) & 3
        row, col = spin(pose[0], pose[1], turns)
        wanted[0], wanted[1], wanted[2] = cell[i, 0] - row, cell[i, 1] - col, turns
        k = 0
        while k < count and name[k] != assemblies.home[piece[i]]:
            k += 1
        if k == count:
            name[k] = assemblies.home[piece[i]]
            way[k] = wanted
            count += 1
        elif way[k, 0] != wanted[0] or way[k, 1] != wanted[1] or way[k, 2] != wanted[2]:
            return name[:0], way[:0]
    return name[:count], way[:count]


@compiled
def spin(row: int, col: int, turns: int) -> tuple[int, int]:
    """Return where a cell comes to lie when its frame is turned about (0, 0)."""
    if turns == 1:
        return -col, row
    if turns == 2:
        return -row, -col
    if turns == 3:
        return col, -row
    return row, col


@compiled
def relate(base: NDArray[np.int64], way: NDArray[np.int64], out: NDArray[np.int64]) -> None:
    """Note in `out` the way into the frame that goes by `base`, for what itself goes by `way`."""
    out[2] = (way[2] - base[2]) & 3
    out[0], out[1] = spin(way[0] - base[0], way[1] - base[1], -base[2] & 3)


@compiled
def joint_extent(
    assemblies: Assemblies, name: NDArray[np.int32], way: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the extent of several assemblies, each gone its way."""
    merged = np.empty(4, np.int64)
    for i in range(len(name)):
        extent = assemblies.extent[name[i]]
        for corner in range(2):
            row, col = spin(extent[NORTH + corner], extent[WEST + corner], way[i, 2])
            row, col = row + way[i, 0], col + way[i, 1]
            if i == 0 and corner == 0:
                merged[NORTH], merged[SOUTH], merged[WEST], merged[EAST] = row, row, col, col
            merged[NORTH], merged[SOUTH] = min(merged[NORTH], row), max(merged[SOUTH], row)
            merged[WEST], merged[EAST] = min(merged[WEST], col), max(merged[EAST], col)
    return merged


@compiled
def within(box: Box, extent: NDArray[np.int64]) -> bool:
    """Say whether an extent fits the box."""
    height, width = extent[SOUTH] - extent[NORTH] + 1, extent[EAST] - extent[WEST] + 1
    if height <= box.rows and width <= box.cols:
        return True
    return box.either == 1 and height <= box.cols and width <= box.rows


@compiled
def any_overlap(assemblies: Assemblies, name: NDArray[np.int32], way: NDArray[np.int64]) -> bool:
    """Say whether two of the assemblies, each gone its way, would lie in one cell."""
    across = np.empty(3, np.int64)
    for i in range(len(name)):
        for j in range(i):
            large, small = (i, j) if assemblies.size[name[i]] > assemblies.size[name[j]] else (j, i)
            relate(way[large], way[small], across)
            p = name[small]
            while p >= 0:
                row, col = spin(assemblies.pose[p, 0], assemblies.pose[p, 1], across[2])
                if is_taken(assemblies, name[large], row + across[0], col + across[1]):
                    return True
                p = assemblies.following[p]
    return False


@compiled
def is_taken(assemblies: Assemblies, home: int, row: int, col: int) -> bool:
    """Say whether a piece of assembly `home` lies in a cell of its frame."""
    extent = assemblies.extent[home]
    if row < extent[NORTH] or row > extent[SOUTH] or col < extent[WEST] or col > extent[EAST]:
        return False
    key = key_of(len(assemblies.home), home, row, col)
    return assemblies.taken[slot_of(assemblies.taken, key)] == key


@compiled
def absorb(assemblies: Assemblies, home: int, other: int, way: NDArray[np.int64]) -> None:
    """Write assembly `other`, gone its way, into the frame of `home`."""
    assemblies.following[assemblies.final[home]] = other
    assemblies.final[home] = assemblies.final[other]
    assemblies.size[home] += assemblies.size[other]
    assemblies.size[other] = 0
    p = other
    while p >= 0:
        row, col = spin(assemblies.pose[p, 0], assemblies.pose[p, 1], way[2])
        assemblies.pose[p, 0], assemblies.pose[p, 1] = row + way[0], col + way[1]
        assemblies.pose[p, 2] = (assemblies.pose[p, 2] + way[2]) & 3
        assemblies.home[p] = home
        note(
            assemblies.taken,
            len(assemblies.home),
            home,
            assemblies.pose[p, 0],
            assemblies.pose[p, 1],
        )
        p = assemblies.following[p]


@compiled
def note(taken: NDArray[np.int64], pieces: int, home: int, row: int, col: int) -> None:
    """Note that a piece of assembly `home` lies in a cell."""
    key = key_of(pieces, home, row, col)
    taken[slot_of(taken, key)] = key


@compiled
def key_of(pieces: int, home: int, row: int, col: int) -> int:
    """Return a number for a cell of an assembly; no frame reaches further than `pieces`."""
    reach = 2 * pieces + 1
    return (home * reach + row + pieces) * reach + col + pieces


@compiled
def slot_of(taken: NDArray[np.int64], key: int) -> int:
    """Return the slot that holds `key`, or the free one where it belongs."""
    size = len(taken)
    slot = int((np.uint64(key) * _SPREAD) >> np.uint64(20)) & (size - 1)
    while taken[slot] >= 0 and taken[slot] != key:
        slot = (slot + 1) & (size - 1)
    return slot


def cells_of(assemblies: Assemblies, home: int) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Return the pieces of an assembly ``(M,)`` and their rows, columns and turns ``(M, 3)``.

    Rows and columns count from the corner of its extent.
    """
    members = np.flatnonzero(assemblies.home == home)
    corner = [assemblies.extent[home, NORTH], assemblies.extent[home, WEST], 0]
    return members, assemblies.pose[members] - corner
