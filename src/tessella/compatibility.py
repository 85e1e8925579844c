"""Compatibility: how well edges fit, in [0, 1], symmetric; lists, and dense where it fits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement
from tessella.errors import FormatError, InputError
from tessella.files import replacing
from tessella.kernels import tables as kernel
from tessella.kernels.ranking import best_of
from tessella.kernels.tables import Tables
from tessella.scores import edges_of, width
from tessella.threads import chunks, spread


@dataclass(frozen=True, eq=False)
class Compatibility:
    """What solvers see: a symmetric score in [0, 1] for pairs of edges, higher is better.

    Candidates of edge e stand at ``start[e]:start[e + 1]``, best first. A pair that is not listed
    has compatibility 0, unless `dense` holds it.

    Attributes
    ----------
    pieces, upright, square : what decides which edges may join
    start : int64 ``(4N + 1,)``
    partner : int32 ``(M,)``
    score : float32 ``(M,)``
    dense : every compatibility, 0 where edges may not join, float32 ``(4N, N)`` for upright puzzles
        (column j is the one admissible edge of piece j), ``(4N, 4N)`` for turned ones; or None
    by_partner : partners and scores once more, those of an edge in the order of the partners'
        numbers, where whoever made them had them so; None: worked out when it is needed
    """

    pieces: int
    upright: bool
    square: bool
    start: NDArray[np.int64]
    partner: NDArray[np.int32]
    score: NDArray[np.float32]
    dense: NDArray[np.float32] | None = None
    by_partner: tuple[NDArray[np.int32], NDArray[np.float32]] | None = None

    def __post_init__(self) -> None:
        edges = 4 * self.pieces
        ends = self.start
        if ends.shape != (edges + 1,) or ends[0] != 0 or (np.diff(ends) < 0).any():
            raise InputError(f"start needs {edges + 1} ascending numbers from 0.")
        if len(self.partner) != ends[-1] or len(self.score) != ends[-1]:
            raise InputError("partner and score must be as long as start says.")
        if len(self.partner) and not 0 <= self.partner.min() <= self.partner.max() < edges:
            raise InputError(f"Partners are edges 0 to {edges - 1}.")
        if not _within(self.score):
            raise InputError("Compatibilities lie between 0 and 1.")
        if self.dense is not None and self.dense.shape != (edges, width(self.pieces, self.upright)):
            raise InputError(f"dense has the wrong shape {self.dense.shape}.")

    @cached_property
    def tables(self) -> Tables:
        """The arrays as compiled code takes them."""
        known, value = self.by_partner or self._sorted()
        dense = np.empty((0, 0), np.float32) if self.dense is None else self.dense
        return Tables(self.start, self.partner, self.score, known, value, dense, int(self.upright))

    def _sorted(self) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return what `by_partner` would hold."""
        rows = np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))
        order = np.lexsort((self.partner, rows))
        return self.partner[order], self.score[order]

    def of(self, pairs: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return the compatibility of every pair of edges ``(J, 2)``, ``(J,)``."""
        out = np.empty(len(pairs), np.float32)
        kernel.look_up_all(self.tables, np.ascontiguousarray(pairs, np.int32), out)
        return out

    def fitness(self, arrangement: Arrangement) -> float:
        """Return the sum of compatibilities over all joins of `arrangement`."""
        return float(self.of(arrangement.joins()).sum(dtype=np.float64))

    def best(self) -> NDArray[np.int32]:
        """Return the best candidate of every edge, -1 where it has none, ``(4N,)``."""
        first = np.full(4 * self.pieces, -1, np.int32)
        some = np.diff(self.start) > 0
        first[some] = self.partner[self.start[:-1][some]]
        return first

    def relabelled(self, order: NDArray[np.intp]) -> Compatibility:
        """Return the same compatibilities with piece i called ``order[i]``."""
        edge = (4 * np.asarray(order, np.int64)[:, None] + np.arange(4)).ravel()  # new name
        source = np.argsort(edge)  # the old edge of every new one
        length = np.diff(self.start)[source]
        start = np.concatenate([[0], np.cumsum(length)])
        taken = np.repeat(self.start[:-1][source] - start[:-1], length) + np.arange(start[-1])
        dense = self.dense
        if dense is not None:
            cols = np.argsort(order) if self.upright else source
            table = np.empty_like(dense)
            kernel.permute(dense, source, cols, table)
            dense = table
        partner = edge[self.partner[taken]].astype(np.int32)
        score = self.score[taken]
        return Compatibility(
            self.pieces, self.upright, self.square, start, partner, score, dense=dense
        )

    def part(self, pieces: NDArray[np.intp]) -> Compatibility:
        """Return what is known of some pieces alone, piece ``pieces[i]`` being called i."""
        edges = edges_of(pieces)
        name = np.full(4 * self.pieces, -1, np.int32)
        name[edges] = np.arange(len(edges))
        length = np.diff(self.start)[edges]
        begin = np.concatenate([[0], np.cumsum(length)])
        taken = np.repeat(self.start[:-1][edges] - begin[:-1], length) + np.arange(begin[-1])
        partner = name[self.partner[taken]]
        kept = partner >= 0
        start = np.concatenate([[0], np.cumsum(kept)])[begin].astype(np.int64)
        dense = self.dense
        if dense is not None:
            dense = dense[np.ix_(edges, pieces if self.upright else edges)]
        score = self.score[taken][kept]
        return Compatibility(
            len(pieces), self.upright, self.square, start, partner[kept], score, dense=dense
        )

    def save(self, path: Path) -> None:
        """Write everything to one ``.npz`` file."""
        empty = np.empty((0, 0), np.float32)
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.savez(
                file,
                facts=np.array([self.pieces, self.upright, self.square], np.int64),
                start=self.start,
                partner=self.partner,
                score=self.score,
                dense=empty if self.dense is None else self.dense,
            )

    @classmethod
    def load(cls, path: Path) -> Compatibility:
        """Read what `save` wrote."""
        try:
            with path.open("rb") as file, np.load(file) as held:
                pieces, upright, square = (int(x) for x in held["facts"])
                dense = held["dense"]
                return cls(
                    pieces=pieces,
                    upright=bool(upright),
                    square=bool(square),
                    start=held["start"],
                    partner=held["partner"],
                    score=held["score"],
                    dense=dense if dense.size else None,
                )
        except (OSError, ValueError, KeyError, EOFError, BadZipFile) as problem:
            raise FormatError(f"{path} is not a saved compatibility: {problem}.") from problem


def _within(values: NDArray[np.float32]) -> bool:
    return not len(values) or bool(0 <= values.min() <= values.max() <= 1)


def from_lists(
    pieces: int,
    upright: bool,
    square: bool,
    partner: NDArray[np.int32],
    score: NDArray[np.float32],
) -> Compatibility:
    """Symmetrise one-sided lists: C''(e, f) = (C'(e, f) + C'(f, e)) / 2, unlisted C' being 0.

    Parameters
    ----------
    partner, score : the candidates of every edge and their C', -1 behind the last, ``(4N, K)``
    """
    counts = np.zeros(4 * pieces, np.int64)
    kernel.union_counts(partner, counts)
    roomy = np.concatenate([[0], np.cumsum(counts)])
    known = np.empty(int(roomy[-1]), np.int32)
    value = np.empty(int(roomy[-1]), np.float32)
    kernel.union_fill(partner, score, roomy[:-1].copy(), known, value)
    kernel.union_merge(roomy, known, value, counts)
    start = np.concatenate([[0], np.cumsum(counts)])
    taken = np.repeat(roomy[:-1] - start[:-1], counts) + np.arange(start[-1])
    known, value = known[taken], np.minimum(value[taken], np.float32(1))
    ranked, ranked_score = np.empty_like(known), np.empty_like(value)
    kernel.rank_rows(start, known, value, ranked, ranked_score)
    return Compatibility(
        pieces, upright, square, start, ranked, ranked_score, by_partner=(known, value)
    )


def from_dense(
    pieces: int,
    upright: bool,
    square: bool,
    table: NDArray[np.float32],
    keep: int,
    threads: int | None = None,
) -> Compatibility:
    """Symmetrise a full table of C' in place and list the `keep` best of every edge.

    Parameters
    ----------
    table : C' of every pair, ``-inf`` where edges may not join, ``(4N, N or 4N)``
    """
    kernel.symmetrise(table, int(upright), 0, len(table))
    which = np.arange(4 * pieces, dtype=np.int32)
    every = np.arange(table.shape[1], dtype=np.int32)
    owner = every if upright else every // 4
    keep = min(keep, table.shape[1])

    def rank(rows: slice) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        _, _, best, value = best_of(table[rows], which[rows] // 4, owner, keep)
        best[np.isneginf(value)] = -1
        return best, value

    ranked = list(spread(rank, chunks(len(table), max(32, 2**21 // table.shape[1])), threads))
    best = np.concatenate([b for b, _ in ranked])
    value = np.concatenate([v for _, v in ranked])
    listed = best >= 0
    start = np.concatenate([[0], np.cumsum(listed.sum(axis=1))]).astype(np.int64)
    partner = 4 * best + (which[:, None] + 2) % 4 if upright else best
    np.maximum(table, 0, out=table)
    return Compatibility(
        pieces, upright, square, start, partner[listed], value[listed], dense=table
    )
