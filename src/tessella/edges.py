"""Sides, turns and edges: the arithmetic that everything else counts with.

Sides are numbered counter-clockwise: 0 right, 1 top, 2 left, 3 bottom. One counter-clockwise
quarter turn moves side ``s`` to ``s + 1 (mod 4)``, so after ``t`` turns side ``s`` faces
``(s + t) % 4``. An edge is one side of one piece: ``e = 4 * piece + side``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RIGHT, TOP, LEFT, BOTTOM = range(4)


def side_facing(direction: int, turns: int) -> int:
    """Return the side of a piece that faces `direction` once the piece is turned `turns` times."""
    return (direction - turns) % 4


def turns_to_face(side: int, direction: int) -> int:
    """Return how many quarter turns make `side` face `direction`."""
    return (direction - side) % 4


@dataclass(frozen=True)
class Group:
    """Edges that may lie against each other, all of one length.

    Every edge of `right` may join every edge of `left` of another piece.

    Attributes
    ----------
    right : edges that are turned to face right, ``(A,)``
    left : edges that are turned to face left, ``(B,)``
    """

    right: NDArray[np.int32]
    left: NDArray[np.int32]


def groups(pieces: int, *, upright: bool, square: bool) -> list[Group]:
    """Return the admissible joins of a puzzle as groups; each edge is in one group's `right`.

    Upright pieces join only opposite sides. Turned square pieces join any two sides. Turned
    rectangular pieces join sides of equal length.
    """
    edges = np.arange(4 * pieces, dtype=np.int32).reshape(pieces, 4)
    if upright:
        return [
            Group(np.ascontiguousarray(edges[:, s]), np.ascontiguousarray(edges[:, (s + 2) % 4]))
            for s in range(4)
        ]
    if square:
        return [Group(edges.ravel(), edges.ravel())]
    return [
        Group(edges[:, s::2].reshape(-1).copy(), edges[:, s::2].reshape(-1).copy())
        for s in range(2)
    ]


def admissible(e: int, f: int, *, upright: bool, square: bool) -> bool:
    """Say whether edges `e` and `f` may lie against each other.

    >>> admissible(0, 6, upright=True, square=True)   # right of 0, left of 1
    True
    >>> admissible(0, 2, upright=True, square=True)   # a piece never joins itself
    False
    """
    if e // 4 == f // 4:
        return False
    if upright:
        return e % 4 == (f + 2) % 4
    return square or (e - f) % 2 == 0
