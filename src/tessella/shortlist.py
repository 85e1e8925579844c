"""Measuring by proposal: a cheap measure lists candidates, a learned one scores what is listed.

The proposer ranks all candidates of every edge; the K best are kept, and of those the first few and
whoever comes close to the first. A pair is scored both ways if
either edge lists the other, so an edge may end with more than K candidates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.checkpoint import State
from tessella.company import Accompanied
from tessella.describing import describe
from tessella.errors import InputError
from tessella.measuring import (
    Keep,
    Learned,
    Measure,
    Scorer,
    Selective,
    empty,
    keeps_all,
    kept,
    measure,
    store,
)
from tessella.puzzle import Puzzle
from tessella.scores import Scores, column
from tessella.threads import chunks, spread
from tessella.watch import SILENT, Watcher
from tessella.workshop import ALONE, Workshop

LEAST = 8
"""So many candidates are asked about however far the proposer thinks them from its best."""

_MOST = 4
"""An edge that many others list keeps up to this many times K candidates."""

_LIST_BYTES = 256 * 2**20
"""Where lists that keep all of them are not larger than this, they do."""

PAIRS = 2**20
"""Pairs of a block: what a network says of a single edge is worked out once for all of them."""

_TABLE_CELLS = 2**22
"""How many pairs are listed at a time when all are scored."""

_BLOCK_CELLS = 2**21


def measure_learned(
    puzzle: Puzzle,
    by: Learned,
    *,
    keep: Keep = "usual",
    dense: bool | None = None,
    threads: int | None = None,
    watch: Watcher = SILENT,
    workshop: Workshop = ALONE,
) -> Scores:
    """Score the pairs of `puzzle` that are proposed, or all; see `tessella.measuring.measure`."""
    suited = by.suited(puzzle)
    own = _alone(puzzle, suited, kept(suited, keep), dense, threads, watch, workshop)
    if isinstance(suited, Accompanied):
        return suited.accompanied(puzzle, own, threads, watch)
    return own


def _alone(
    puzzle: Puzzle,
    suited: Learned,
    count: int | None,
    dense: bool | None,
    threads: int | None,
    watch: Watcher,
    workshop: Workshop,
) -> Scores:
    """Return what a measure says by itself; the `count` best candidates of an edge are kept."""
    scorer = suited.scorer(puzzle)
    if isinstance(scorer, Storing) and not (keeps_all(puzzle) if dense is None else dense):
        scorer = scorer.stored(workshop, threads, watch)
    if count is None or count >= _candidates(puzzle):
        return _every(puzzle, scorer, keep=count, dense=dense, threads=threads, watch=watch)
    proposer = scorer.proposer()
    if isinstance(proposer, Scorer):
        known = _every(puzzle, proposer, keep=count, dense=dense, threads=threads, watch=watch)
    else:
        known = measure(
            puzzle,
            proposer,
            keep=count,
            dense=dense,
            threads=threads,
            watch=watch,
            stage="proposing candidates",
            workshop=workshop,
        )
    pairs = both_ways(near_best(known, scorer.slack))
    watch.stage(f"measuring with {scorer.title}", len(pairs))
    if known.dense is None:
        values = _in_blocks(Judging(suited, puzzle, pairs, scorer), threads, watch, workshop)
    else:
        values = scorer.score(pairs, threads, watch)
    asked = listed(puzzle, pairs, values, _room(puzzle, count))
    return continued(asked, known)


@runtime_checkable
class Storing(Protocol):
    """What a scorer has besides, whose descriptions of a large puzzle lie in files."""

    def stored(self, workshop: Workshop, threads: int | None, watch: Watcher) -> Scorer:
        """Describe all edges block by block; return who scores with that."""

    def portable(self) -> Scorer:
        """Return the scorer that another process is given."""


@dataclass(frozen=True, eq=False)
class Judging:
    """Pairs that a learned measure scores, a `tessella.workshop.Job`.

    Attributes
    ----------
    by : the measure, suited to the puzzle
    pairs : of edges, ascending, ``(M, 2)``
    scorer : who scores in this process; another makes its own
    """

    by: Learned
    puzzle: Puzzle
    pairs: NDArray[np.int32]
    scorer: Scorer | None = None

    @property
    def blocks(self) -> int:
        """How many blocks of `PAIRS` pairs there are."""
        return len(chunks(len(self.pairs), PAIRS))

    def portable(self) -> Judging:
        """Return the job without what can be made anew: it may be larger than the puzzle."""
        scorer = self.scorer
        return replace(self, scorer=scorer.portable() if isinstance(scorer, Storing) else None)

    def do(self, number: int, threads: int | None) -> State:
        """Return the scores of a block's pairs."""
        scorer = self.scorer or self._own
        some = np.ascontiguousarray(self.pairs[chunks(len(self.pairs), PAIRS)[number]])
        return {"score": scorer.score(some, threads, SILENT)}

    @cached_property
    def _own(self) -> Scorer:
        return self.by.scorer(self.puzzle)


def _in_blocks(
    job: Judging, threads: int | None, watch: Watcher, workshop: Workshop
) -> NDArray[np.float32]:
    """Score all pairs of a large puzzle, ``(M,)``."""
    out = np.empty(len(job.pairs), np.float32)
    for number, arrays in workshop.done("judging", job, threads):
        part = chunks(len(out), PAIRS)[number]
        out[part] = arrays["score"]
        watch.advance(part.stop - part.start)
    return out


def _candidates(puzzle: Puzzle) -> int:
    """Return how many candidates an edge has at most."""
    groups = puzzle.groups()
    return max(len(group.left) // len(puzzle) for group in groups) * (len(puzzle) - 1)


def _room(puzzle: Puzzle, count: int) -> int:
    """Return how many candidates an edge may keep."""
    return max(_MOST * count, _LIST_BYTES // (32 * len(puzzle)))


def near_best(known: Scores, slack: float) -> NDArray[np.int32]:
    """Return the candidates whose scores come within `slack` of the best, and the first `LEAST`.

    Returns
    -------
    ``(E, K)``, -1 behind the last
    """
    gap = known.score[:, :1] - np.where(known.partner >= 0, known.score, 0)
    near = (gap <= slack) | (np.arange(known.score.shape[1]) < LEAST)
    return np.where(near, known.partner, -1)


def both_ways(partner: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return every pair that is listed either way, both ways, ascending.

    Parameters
    ----------
    partner : candidates of every edge, -1 behind the last, ``(E, K)``

    Returns
    -------
    ``(M, 2)``
    """
    count = len(partner)
    e, place = np.nonzero(partner >= 0)
    f = partner[e, place].astype(np.int64)
    code = np.unique(np.concatenate([e * count + f, f * count + e]))
    return np.stack([code // count, code % count], axis=1).astype(np.int32)


def listed(
    puzzle: Puzzle, pairs: NDArray[np.int32], values: NDArray[np.float32], most: int
) -> Scores:
    """Return the scores of ascending `pairs` ``(M, 2)`` as lists of up to `most`, best first."""
    order = np.lexsort((pairs[:, 1], -values, pairs[:, 0]))  # Ties by the lower edge.
    row, partner, value = pairs[order, 0], pairs[order, 1], values[order]
    start = np.searchsorted(row, np.arange(4 * len(puzzle) + 1))
    longest = int(np.diff(start).max(initial=0))
    scores = empty(puzzle, distance=False, keep=max(1, min(longest, most)), dense=False)
    some = np.flatnonzero(np.diff(start))
    scores.hi[some] = value[start[some]]
    scores.lo[some] = value[start[some + 1] - 1]
    place = np.arange(len(row)) - start[row]
    short = place < scores.partner.shape[1]
    scores.partner[row[short], place[short]] = partner[short]
    scores.score[row[short], place[short]] = value[short]
    return scores


def continued(asked: Scores, known: Scores) -> Scores:
    """Return what was `asked`, and below it everyone else in the proposer's order.

    An edge's worst asked candidate and the worst that the proposer gave to an asked one are laid
    on each other; who was not asked about stands below by as much as the proposer says. So a
    solver still knows something where all that was asked about is taken. Without a table of the
    proposer's scores there is nothing to add.
    """
    if known.dense is None:
        return asked
    table = known.dense
    rows, place = np.nonzero(asked.partner >= 0)
    columns = column(asked.partner[rows, place], asked.upright)
    worst = np.full(len(table), np.inf, np.float32)
    np.minimum.at(worst, rows, table[rows, columns])
    some = np.isfinite(worst)
    table[some] = np.minimum(table[some] - worst[some, None], 0) + asked.lo[some, None]
    table[rows, columns] = asked.score[rows, place]
    lo = np.where(np.isneginf(table), np.inf, table).min(axis=1)
    return replace(asked, lo=np.minimum(asked.lo, lo), dense=table)


def _every(
    puzzle: Puzzle,
    scorer: Scorer,
    *,
    keep: int | None,
    dense: bool | None,
    threads: int | None,
    watch: Watcher,
) -> Scores:
    """Score all admissible pairs."""
    scores = empty(puzzle, distance=False, keep=keep, dense=dense)
    groups = puzzle.groups()
    total = sum(len(g.right) * len(g.left) for g in groups)
    watch.stage(f"measuring with {scorer.title}", total)
    for group in groups:
        for rows in chunks(len(group.right), max(1, _TABLE_CELLS // len(group.left))):
            which = group.right[rows]
            pairs = np.empty((len(which), len(group.left), 2), np.int32)
            pairs[..., 0], pairs[..., 1] = which[:, None], group.left
            table = scorer.score(pairs.reshape(-1, 2), threads, watch)
            store(scores, _as_it_is, group, rows, table.reshape(len(which), -1))
    return scores


def _as_it_is(values: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    return values.astype(np.float32)


def present(
    values: NDArray[np.integer[Any]], total: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return which of 0 to `total` - 1 occur in `values` ``(M,)``, and where each stands there.

    As `numpy.unique` does, without sorting millions of values.
    """
    seen = np.zeros(total, np.bool_)
    seen[values] = True
    return np.flatnonzero(seen).astype(np.int32), (np.cumsum(seen) - 1)[values]


def look_up(
    puzzle: Puzzle, by: Measure, pairs: NDArray[np.int32], threads: int | None
) -> NDArray[np.float32]:
    """Return what a classical measure says about ascending `pairs` ``(M, 2)``, ``(M,)``.

    A few edges at a time it is asked about all pairs of those and their candidates, and what is
    wanted is picked.
    """
    if isinstance(by, Selective):
        raise InputError("A model can stand beside a measure of pairs, not beside a selective one.")
    out = np.empty(len(pairs), np.float32)
    place = np.empty(4 * len(puzzle), np.int64)
    for group in puzzle.groups():
        inside = np.zeros(4 * len(puzzle), np.bool_)
        inside[group.right] = True
        mine = np.flatnonzero(inside[pairs[:, 0]])
        if not len(mine):
            continue
        which, row = present(pairs[mine, 0], 4 * len(puzzle))
        place[group.left] = np.arange(len(group.left))
        column = place[pairs[mine, 1]]
        right = describe(puzzle, which, edges.RIGHT, by)
        left = describe(puzzle, group.left, edges.LEFT, by)

        def fill(
            rows: slice,
            mine: NDArray[np.intp] = mine,
            row: NDArray[np.int64] = row,
            column: NDArray[np.int64] = column,
            right: NDArray[Any] = right,
            left: NDArray[Any] = left,
        ) -> None:
            some = slice(*np.searchsorted(row, [rows.start, rows.stop]))
            wanted, place = present(column[some], len(left))
            raw = by.raw(right[rows], left[wanted])
            out[mine[some]] = by.score(raw[row[some] - rows.start, place])

        for _ in spread(fill, chunks(len(which), max(32, _BLOCK_CELLS // len(left))), threads):
            pass
    return out
