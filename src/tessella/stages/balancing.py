"""Compatibilities of the pieces of a region from every pair of them, as chances.

In flat regions lists of the best candidates say too little: hundreds fit almost as well. Here every
pair is measured. The chance that a piece lies beside another falls with a power of their distance,
scaled so that every piece has one neighbour on either side (R. Sinkhorn, Annals of Mathematical
Statistics 35, 1964). A compatibility is the logarithm of how much likelier a pair is than others,
so that the fittest arrangement is the likeliest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation

from tessella.arrangement import Sheet
from tessella.compatibility import Compatibility, from_lists
from tessella.edges import BOTTOM, RIGHT
from tessella.evidence import Remeasure
from tessella.kernels.ranking import keep_best
from tessella.kernels.tables import one_way
from tessella.stop import Stop, never
from tessella.threads import chunks, spread

_POWER = 5.0
"""A pair's chance falls with this power of its distance."""

_SCALINGS = 10
"""How often chances are scaled."""

_LISTED = 256
"""How many neighbours of an edge are listed."""

_FAINT = 0.2
"""Pairs that are less likely than this, 1 being usual, are not listed."""

_ROWS = 256
_TINY = np.float32(1e-30)


def balanced(
    sheet: Sheet,
    free: NDArray[np.bool_],
    remeasure: Remeasure,
    threads: int,
    stop: Stop = never,
) -> Compatibility | None:
    """Return how well the pieces in `free` cells fit each other and those around them.

    All others only know their neighbours, and hold them as fast as can be. None if stopped.

    Parameters
    ----------
    free : cells of `sheet`, ``(R, C)``
    """
    piece = sheet.piece
    around = (piece >= 0) & ~free & binary_dilation(free)
    labels = np.sort(piece[free])
    pieces = np.concatenate([labels, piece[around]])
    total = int(piece.max()) + 1
    partner = np.full((4 * total, _LISTED), -1, np.int32)
    value = np.zeros((4 * total, _LISTED), np.float32)
    for side in (RIGHT, BOTTOM):
        other = (side + 2) % 4
        score = remeasure(pieces, side, threads)
        for here, there, table in ((side, other, score), (other, side, score.T)):
            if stop():
                return None
            column, odds = _likeliest(odds_of(table, len(labels)), pieces, labels, threads)
            some = odds >= _FAINT
            partner[4 * pieces + here] = np.where(some, 4 * labels[column] + there, -1)
            value[4 * pieces + here] = np.where(some, _log_odds(odds, len(labels)), 0)
    alone = np.empty(partner.shape, np.bool_)
    one_way(partner, alone)
    value[alone] *= 2  # The other edge would say the same, but has no room for it.
    loose = np.zeros(total, np.bool_)
    loose[labels] = True
    joins = sheet.joins()
    e, f = joins[~loose[joins // 4].any(axis=1)].T
    for one, fellow in ((e, f), (f, e)):
        partner[one] = -1
        partner[one, 0], value[one, 0] = fellow, 1
    return from_lists(total, True, True, partner, value)


def _log_odds(odds: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """Return the compatibility, in [0, 1], of pairs so many times likelier than usual."""
    return np.asarray(np.log1p(np.clip(odds, 0, count)) / np.log1p(np.float32(count)))


def odds_from(value: NDArray[np.float32], count: int, exponent: float) -> NDArray[np.float32]:
    """Return how many times likelier than usual pairs of `balanced` are, in a region of `count`.

    Parameters
    ----------
    exponent : 1 for the odds themselves, more to tell the likely from the unlikely more sharply
    """
    return np.asarray(np.expm1(value * np.float32(np.log1p(count) * exponent)))


def odds_of(score: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """Return how many times likelier than usual the first `count` pieces are beside every piece.

    Parameters
    ----------
    score : of every pair, minus the logarithm of its distance, ``(A, A)``
    """
    weight = _POWER * score[:, :count]
    weight -= weight.max(axis=1, keepdims=True)
    np.exp(weight, out=weight)
    square = weight[:count]
    scale = np.ones(count, np.float32)
    for _ in range(_SCALINGS):
        # Not by BLAS, whose sums depend on how many threads it has.
        rows = np.float32(1) / np.maximum(np.einsum("ij,j->i", square, scale), _TINY)
        scale = np.float32(1) / np.maximum(np.einsum("i,ij->j", rows, square), _TINY)
    weight *= scale
    weight *= count / np.maximum(weight.sum(axis=1, keepdims=True), _TINY)
    return np.ascontiguousarray(weight, np.float32)


def _likeliest(
    odds: NDArray[np.float32],
    pieces: NDArray[np.int32],
    labels: NDArray[np.int32],
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return the columns of the greatest odds in every row, and these, greatest first."""
    column = np.empty((len(pieces), _LISTED), np.int32)
    best = np.empty((len(pieces), _LISTED), np.float32)

    def choose(rows: slice) -> None:
        low, high = np.empty((2, rows.stop - rows.start), np.float32)
        keep_best(odds[rows], pieces[rows], labels, low, high, column[rows], best[rows])

    for _ in spread(choose, chunks(len(pieces), _ROWS), threads):
        pass
    return column, best
