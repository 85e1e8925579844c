"""A forest: fragments of joined pieces, each piece with its place and turns in its fragment.

At first every piece is a fragment of its own. `join` lays two fragments together at two edges: the
smaller one is turned and shifted to suit the larger, provided that no two pieces come to lie in
one cell. What lies where is kept in one sparse table for all fragments, so that a join costs as
much as the smaller fragment has pieces, however far the larger one reaches; building a whole
puzzle from N pieces moves at most N/2 log2 N of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.assembly import slot_of, spin
from tessella.kernels.board import ACROSS, DOWN
from tessella.kernels.jit import compiled

JOINED, ONE_FRAGMENT, COLLISION = 1, 0, -1
"""What `join` answers."""

_BITS = 21
_MASK = 2**_BITS - 1
"""A fragment's number, a row and a column make one key of 63 bits."""

MOST_PIECES = 2 ** (_BITS - 1)
"""Rows and columns of more pieces than this would not fit a key."""


class Forest(NamedTuple):
    """Fragments in the making; `join` changes the arrays.

    Attributes
    ----------
    root : the piece that a fragment is named by, int32 ``(N,)``
    following : the next piece of the fragment, all in one ring, int32 ``(N,)``
    size : pieces of the fragment named by this piece, int32 ``(N,)``
    row, col, turns : of every piece within its fragment, int32 ``(N,)``
    key : which cells are taken, a table by hash with -1 in free slots, int64 ``(H,)``
    """

    root: NDArray[np.int32]
    following: NDArray[np.int32]
    size: NDArray[np.int32]
    row: NDArray[np.int32]
    col: NDArray[np.int32]
    turns: NDArray[np.int32]
    key: NDArray[np.int64]


class Fragments(NamedTuple):
    """Finished fragments.

    Attributes
    ----------
    label : which fragment a piece belongs to; 0 is the largest, int32 ``(N,)``
    size : pieces of every fragment, falling, int64 ``(F,)``
    row, col, turns : of every piece within its fragment, from 0 on, int32 ``(N,)``
    """

    label: NDArray[np.int32]
    size: NDArray[np.int64]
    row: NDArray[np.int32]
    col: NDArray[np.int32]
    turns: NDArray[np.int32]


def make_forest(pieces: int) -> Forest:
    """Return a forest in which every piece lies alone."""
    assert pieces <= MOST_PIECES
    # A piece that is moved leaves its old entry behind, under a name that is never asked for again.
    entries = pieces + pieces // 2 * max(1, pieces.bit_length())
    slots = 1 << (2 * entries).bit_length()
    every = np.arange(pieces, dtype=np.int32)
    forest = Forest(
        root=every.copy(),
        following=every.copy(),
        size=np.ones(pieces, np.int32),
        row=np.zeros(pieces, np.int32),
        col=np.zeros(pieces, np.int32),
        turns=np.zeros(pieces, np.int32),
        key=np.full(slots, -1, np.int64),
    )
    _enter_all(forest)
    return forest


@compiled
def _enter_all(forest: Forest) -> None:
    for p in range(len(forest.root)):
        _enter(forest.key, p, 0, 0)


@compiled
def _packed(root: int, row: int, col: int) -> int:
    return (np.int64(root) << 2 * _BITS) | ((row & _MASK) << _BITS) | (col & _MASK)


@compiled
def _enter(key: NDArray[np.int64], root: int, row: int, col: int) -> None:
    wanted = _packed(root, row, col)
    key[slot_of(key, wanted)] = wanted


@compiled
def join(forest: Forest, e: int, f: int) -> int:
    """Lay edge `e` against edge `f`, with all that hangs on them, where that is possible.

    Returns
    -------
    int
        `JOINED`; or `ONE_FRAGMENT` if both belong to one already, or `COLLISION` if two pieces
        would lie in one cell, and nothing is changed.
    """
    root, size = forest.root, forest.size
    if root[e >> 2] == root[f >> 2]:
        return ONE_FRAGMENT
    if size[root[e >> 2]] < size[root[f >> 2]]:
        e, f = f, e
    turn, down, across = motion(forest, e, f)
    if collides(forest, root[e >> 2], f >> 2, turn, down, across):
        return COLLISION
    _take_over(forest, e >> 2, f >> 2, turn, down, across)
    return JOINED


@compiled
def motion(forest: Forest, e: int, f: int) -> tuple[int, int, int]:
    """Return how to turn, then shift, the fragment of edge `f` so that `f` lies against `e`."""
    p, q = e >> 2, f >> 2
    faces = (e + forest.turns[p]) % 4
    turn = (faces + 2 - f - forest.turns[q]) % 4
    row, col = spin(forest.row[q], forest.col[q], turn)
    return turn, forest.row[p] + DOWN[faces] - row, forest.col[p] + ACROSS[faces] - col


@compiled
def collides(forest: Forest, root: int, q: int, turn: int, down: int, across: int) -> bool:
    """Say whether the fragment of piece `q`, so moved, would lie upon fragment `root`."""
    key, following = forest.key, forest.following
    p = q
    while True:
        row, col = spin(forest.row[p], forest.col[p], turn)
        if key[slot_of(key, _packed(root, row + down, col + across))] >= 0:
            return True
        p = following[p]
        if p == q:
            return False


@compiled
def _take_over(forest: Forest, p: int, q: int, turn: int, down: int, across: int) -> None:
    """Move every piece of the fragment of `q` into the fragment of `p`."""
    root, following, turns = forest.root[p], forest.following, forest.turns
    forest.size[root] += forest.size[forest.root[q]]
    each = q
    while True:
        row, col = spin(forest.row[each], forest.col[each], turn)
        forest.row[each], forest.col[each] = row + down, col + across
        turns[each] = (turns[each] + turn) % 4
        forest.root[each] = root
        _enter(forest.key, root, row + down, col + across)
        each = following[each]
        if each == q:
            break
    following[p], following[q] = following[q], following[p]


def fragments(forest: Forest) -> Fragments:
    """Return the fragments, largest first, each with its top left corner at row 0, column 0."""
    names, label, size = np.unique(forest.root, return_inverse=True, return_counts=True)
    order = np.argsort(-size, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    top = np.full(len(names), np.iinfo(np.int32).max, np.int32)
    left = top.copy()
    np.minimum.at(top, label, forest.row)
    np.minimum.at(left, label, forest.col)
    return Fragments(
        label=rank[label].astype(np.int32),
        size=size[order],
        row=forest.row - top[label],
        col=forest.col - left[label],
        turns=forest.turns.copy(),
    )
