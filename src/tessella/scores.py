"""Scores: what a measure said about the pairs of edges, before any post-processing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tessella.errors import InputError


@dataclass(frozen=True, eq=False)
class Scores:
    """Raw scores, higher is better: the K best of every edge, and all of them where they fit.

    Attributes
    ----------
    pieces, upright, square : what decides which edges may join
    distance : True where a score is ``-log(1 + d)`` of a distance d
    lo, hi : worst and best score over every candidate of an edge, float32 ``(4N,)``; inf and -inf
        where there is none
    partner : the K best candidates, best first, -1 behind the last, int32 ``(4N, K)``
    score : their scores, float32 ``(4N, K)``
    dense : every score, ``-inf`` where edges may not join, float32 ``(4N, N)`` for upright puzzles
        (column j is the one admissible edge of piece j) and ``(4N, 4N)`` for turned ones; or None
    """

    pieces: int
    upright: bool
    square: bool
    distance: bool
    lo: NDArray[np.float32]
    hi: NDArray[np.float32]
    partner: NDArray[np.int32]
    score: NDArray[np.float32]
    dense: NDArray[np.float32] | None = None

    def __post_init__(self) -> None:
        edges = 4 * self.pieces
        if self.lo.shape != (edges,) or self.hi.shape != (edges,):
            raise InputError(f"lo and hi need {edges} numbers, one an edge.")
        if self.partner.shape != self.score.shape or len(self.partner) != edges:
            raise InputError("partner and score need one row an edge and the same shape.")
        if self.dense is not None and self.dense.shape != (edges, width(self.pieces, self.upright)):
            raise InputError(f"dense has the wrong shape {self.dense.shape}.")

    def part(self, pieces: NDArray[np.intp]) -> Scores:
        """Return the scores of some pieces alone, piece ``pieces[i]`` being called i."""
        edges = edges_of(pieces)
        name = np.full(4 * self.pieces + 1, -1, np.int32)  # -1, nobody, stays -1
        name[edges] = np.arange(len(edges))
        partner = name[self.partner[edges]]
        order = np.argsort(partner < 0, axis=1, kind="stable")
        dense = self.dense
        if dense is not None:
            dense = dense[np.ix_(edges, pieces if self.upright else edges)]
        return replace(
            self,
            pieces=len(pieces),
            lo=self.lo[edges],
            hi=self.hi[edges],
            partner=np.take_along_axis(partner, order, axis=1),
            score=np.take_along_axis(self.score[edges], order, axis=1),
            dense=dense,
        )


def edges_of(pieces: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return the four edges of every piece, one after the other, ``(4M,)``."""
    return (4 * np.asarray(pieces, np.int64)[:, None] + np.arange(4)).ravel()


def width(pieces: int, upright: bool) -> int:
    """How many columns a dense table has."""
    return pieces if upright else 4 * pieces


def column(edges: NDArray[np.int32], upright: bool) -> NDArray[np.int32]:
    """Return the column of a dense table in which `edges` stand as candidates."""
    return edges // 4 if upright else edges
