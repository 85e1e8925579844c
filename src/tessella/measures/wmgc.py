"""Mondal's selectively weighted MGC: a second opinion where the first is contested.

D. Mondal, Y. Wang, S. Durocher, "Robust solvers for square jigsaw puzzles", CRV 2013.

Certain, from the authors' own account: the second opinion, "M+S", is MGC times the q-th root of
SSD, and whom to ask again is found by the bijection of optimum weight in the matrix of MGC scores.
Nearly certain, from others' accounts of the paper: a row whose greedy choice, its best candidate,
is not the one that the bijection gives it takes its values from M+S; all other rows keep MGC.

Our reading: q = 4 and SSD in RGB (the talk leaves q open; 4 did best on the Kodak photographs,
clean and eroded together); weights of the bijection are our scores, ``-log(1 + MGC)``; it is
sought among the candidates that are listed, where an edge may stay alone if nothing else is left;
all sides of turned pieces share one matrix.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from tessella import edges
from tessella.errors import InputError
from tessella.measures.mgc import Mgc
from tessella.measures.ssd import Ssd
from tessella.measuring import Distance, Measure
from tessella.scores import Scores


@dataclass(frozen=True)
class Wmgc(Mgc):
    """d(i, j) = MGC where i's best candidate is uncontested, MGC * SSD^(1/q) where it is not.

    Attributes
    ----------
    q : which root of SSD weighs the MGC of contested edges
    """

    q: float = 4.0

    def __post_init__(self) -> None:
        if not self.q > 0:
            raise InputError(f"wmgc needs q > 0; got q={self.q}.")

    def doubtful(self, scores: Scores) -> NDArray[np.bool_]:
        """Say which edges' best candidates the best bijection gives to others, ``(4N,)``."""
        doubted = np.zeros(4 * scores.pieces, np.bool_)
        for group in edges.groups(scores.pieces, upright=scores.upright, square=scores.square):
            place = _bijection(scores, group)
            mine = scores.score[group.right]  # (A, K)
            given = np.where(place >= 0, mine[np.arange(len(mine)), place], -np.inf)
            doubted[group.right] = given < mine[:, 0]
        return doubted

    def second(self) -> Measure:
        """Return M+S."""
        return MgcSsd(self.q)


def _bijection(scores: Scores, group: edges.Group) -> NDArray[np.intp]:
    """Match the group's edges to candidates for the greatest sum of scores.

    Returns which of its listed candidates each edge is given, -1 where none, ``(A,)``.
    """
    rows, columns = len(group.right), len(group.left)
    partner = scores.partner[group.right]  # (A, K)
    listed = partner >= 0
    number = np.zeros(4 * scores.pieces, np.int32)
    number[group.left] = np.arange(columns, dtype=np.int32)
    # Costs from 1 on, as 0 means "no entry"; being alone costs more than any two changes.
    cost = 1 - np.where(listed, scores.score[group.right], 0).astype(np.float64)
    alone = np.full((rows, 1), 2 * rows * cost.max())
    taken = np.hstack([listed, np.ones((rows, 1), np.bool_)])
    column = np.hstack([number[partner], columns + np.arange(rows, dtype=np.int32)[:, None]])
    start = np.concatenate([[0], np.cumsum(taken.sum(axis=1))])
    matrix = csr_array(
        (np.hstack([cost, alone])[taken], column[taken], start), shape=(rows, columns + rows)
    )
    given = np.empty(rows, np.int64)
    row, chosen = min_weight_full_bipartite_matching(matrix)
    given[row] = chosen
    hit = (column[:, :-1] == given[:, None]) & listed
    return np.where(hit.any(axis=1), hit.argmax(axis=1), -1)


@dataclass(frozen=True)
class MgcSsd(Distance):
    """Mondal's M+S: d(i, j) = MGC * SSD^(1/q)."""

    q: float = 4.0

    def right(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[np.float64]:
        """Return the right sides as `Mgc` and then as `Ssd` describe them, ``(A, 9H + 16)``."""
        return np.hstack([Mgc().right(pieces, eroded), Ssd().right(pieces, eroded)])

    def left(self, pieces: NDArray[np.uint8], eroded: int) -> NDArray[np.float64]:
        """Return the left sides as `Mgc` and then as `Ssd` describe them, ``(B, 9H + 16)``."""
        return np.hstack([Mgc().left(pieces, eroded), Ssd().left(pieces, eroded)])

    def raw(self, right: NDArray[np.float64], left: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return minus the products of both distances, ``(A, B)``."""
        height = (right.shape[1] - 16) // 9
        first, rest = slice(6 * height + 14), slice(6 * height + 14, None)
        weight = -Ssd().raw(right[:, rest], left[:, rest])
        np.power(weight, np.float32(1 / self.q), out=weight)
        return np.multiply(weight, Mgc().raw(right[:, first], left[:, first]), out=weight)
