"""Fragments by worth: for pictures with holes, for unknown shapes, and for several pictures.

Where every join adds to the fitness, holes are closed and two pictures become one. Here joins that
are worth less than nobody cost, so pieces come together in fragments and stay apart where nothing
holds them together (`tessella.odds.worth`). Fragments are united greedily, the worthiest join first
(`tessella.kernels.uniting`), many times over with a little noise, since a wrong join early on is
never taken back; the worthiest outcome is laid out on a board with room around every fragment, and
segments are moved on it while that is worth anything, empty cells being as good as any.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement
from tessella.compatibility import Compatibility
from tessella.kernels import uniting as kernel
from tessella.kernels.board import Box
from tessella.kernels.merging import Fragments, single_fragments
from tessella.odds.sure import Sure
from tessella.odds.worth import CEILING, FLOOR, RELIEF, Worth
from tessella.panels import may_have_holes
from tessella.solving import Job
from tessella.stages.laying import Fragment, has_holes, laid_apart, laid_within, sheets_of
from tessella.stages.move import Move
from tessella.stages.stage import Answer

_ANY = Box(1 << 20, 1 << 20, 1)
_BETTER = 1e-6

History = tuple[float, ...]
"""Of fitness, generation by generation; see `tessella.solving.Solution`."""
_MOVE = Move(most=32)


@dataclass(frozen=True)
class Unite:
    """How often, and how noisily; chosen on Kodak photographs (docs/experiments/odds.md).

    Attributes
    ----------
    starts : how often fragments are united anew
    noise : standard deviation of what is added to a join's worth, in logarithms of odds
    depth : how many candidates of an edge are proposed
    larger : what uniting must be worth more when the smaller fragment has e times as many pieces:
        the more edges there are, the likelier two of them fit by chance
    move : how segments are moved afterwards; None: not at all
    """

    name: str = "unite"
    starts: int = 24
    noise: float = 1.0
    depth: int = 6
    larger: float = 0.5
    move: Move | None = _MOVE

    def __call__(self, answer: Answer, job: Job) -> Answer:
        """Return what is worth more, the answer so far or what is united."""
        worth = job.evidence.worth
        if worth is None or answer.stopped or not wanted(job):
            return answer
        search = _Search(self, worth, _box(job), job)
        joins, history = search.best(), answer.history
        if self.move is not None:
            # Of very many pieces nothing is tried twice, so no two searches race either.
            alone = replace(self.move, halves=True, each=2 * self.move.each)
            move = self.move if search.starts > 1 else alone
            joins, history = search.moved(joins, move, history)
        arrangement = laid(search.fragments(joins), job, worth)
        if self.move is not None and job.shape is not None:
            arrangement, history = _moved(arrangement, self.move, worth, job, history)
        before = answer.arrangement
        if before is not None and not _overruled(before, arrangement, job):
            arrangement = before
        history = (*history, job.compatibility.fitness(arrangement))
        return replace(answer, arrangement=arrangement, history=history, stopped=job.stop())


def wanted(job: Job) -> bool:
    """Say whether there may be holes or several sheets."""
    return may_have_holes(job.compatibility.pieces, job.shape, job.panels)


def is_whole(arrangement: Arrangement) -> bool:
    """Say whether one sheet without a hole holds everything."""
    return len(arrangement.sheets) == 1 and bool((arrangement.sheets[0].piece >= 0).all())


def _overruled(before: Arrangement, after: Arrangement, job: Job) -> bool:
    """Say whether what is united takes the place of `before`.

    It does if it is worth more; but where `before` breaks nothing sure, and fills its rectangle or
    what is united has no holes, there is nothing missing, and skies alone make the difference.
    """
    evidence = job.evidence
    assert evidence.odds is not None
    assert evidence.worth is not None
    assert evidence.calibration is not None
    nothing_missing = is_whole(before) or not any(map(has_holes, after.sheets))
    if nothing_missing and not Sure.by(evidence.odds).speaks_against(before):
        return False
    least = evidence.worth.of(before) + _BETTER
    return evidence.worth.of(after) > least + (0.0 if evidence.calibration.fitted else _doubt(job))


def _doubt(job: Job) -> float:
    """Return how much more must be shown by odds that are only guessed.

    To say which edges have no partner takes as much information as their share has entropy.
    """
    assert job.evidence.odds is not None
    share = job.evidence.odds.share
    entropy = -share * np.log(share) - (1 - share) * np.log(1 - share)
    return 4 * job.compatibility.pieces * float(entropy)


def _moved(
    board: Arrangement, move: Move, worth: Worth, job: Job, history: History
) -> tuple[Arrangement, History]:
    """Return `board` with segments moved where that is worth something, and the history on."""
    begun = Answer(worth.compatibility, None, board, history)
    after = move.moved(begun, worth.compatibility, job, worth.zero)
    assert after.arrangement is not None
    return after.arrangement, after.history


def laid(fragments: list[Fragment], job: Job, worth: Worth) -> Arrangement:
    """Lay fragments as the job wants them: on a sheet each, apart on one, or within a shape."""
    if job.panels is not None:
        return Arrangement(sheets_of(fragments))
    if job.shape is None:
        return Arrangement((laid_apart(fragments, 1),))
    ways = 1 if job.compatibility.upright else 4
    return Arrangement((laid_within(fragments, job.shape, ways, worth.joins),))


def _box(job: Job) -> Box:
    """Return what every fragment must fit."""
    shapes = [job.shape] if job.shape else list(job.panels.shapes) if job.panels else []
    known = job.panels is None or job.panels.count == len(shapes)
    either = int(not job.compatibility.upright and job.compatibility.square)
    if not shapes or not known:
        return _ANY
    return Box(max(rows for rows, _ in shapes), max(cols for _, cols in shapes), either)


@dataclass(frozen=True, eq=False)
class _Search:
    """One puzzle's uniting."""

    how: Unite
    worth: Worth
    box: Box
    job: Job

    @property
    def least(self) -> float:
        """What uniting two fragments must be worth.

        Every join that closes a loop is relieved, and the one that only links two fragments is not
        (`tessella.odds.worth`). On one sheet there are no strangers: all belong together somehow.
        """
        strangers = self.job.panels is not None and self.job.panels.count != 1
        return RELIEF / (CEILING - FLOOR) if strangers else _BETTER

    @property
    def _compatibility(self) -> Compatibility:
        return self.worth.compatibility

    @property
    def starts(self) -> int:
        """How often fragments are united anew: fewer times where there are very many pieces."""
        return max(1, min(self.how.starts, 40_000 // self._compatibility.pieces))

    def best(self) -> NDArray[np.int32]:
        """Return the joins of the worthiest of several outcomes, ``(J, 2)``."""
        pairs = _pairs(self._compatibility, self.how.depth)

        def one(number: int) -> tuple[float, NDArray[np.int32]] | None:
            if number and self.job.stop():
                return None
            chance = np.random.default_rng((self.job.seed, number))
            spread = self.how.noise / (CEILING - FLOOR) if number else 0.0
            noise = spread * chance.standard_normal(len(pairs))
            fragments = single_fragments(self._compatibility.pieces)
            self._unite(fragments, pairs, noise)
            joins = joins_of(fragments)
            return float(self.worth.joins(joins).sum()), joins

        with ThreadPoolExecutor(self.job.threads) as pool:
            made = [each for each in pool.map(one, range(self.starts)) if each is not None]
        return max(made, key=lambda each: each[0])[1]

    def _unite(
        self, fragments: Fragments, pairs: NDArray[np.int32], noise: NDArray[np.float64]
    ) -> None:
        hope = np.empty(len(pairs))
        facts = self._compatibility.tables, self.worth.zero, fragments, self.box
        while True:
            kernel.hopes(*facts, pairs, hope)
            some = hope > self.least
            larger = self.how.larger / (CEILING - FLOOR)
            if not kernel.unite(*facts, pairs[some], (hope + noise)[some], self.least, larger):
                return

    def fragments(self, joins: NDArray[np.int32]) -> list[Fragment]:
        """Return the fragments that `joins` make, the largest first; single pieces are some too."""
        united = self._united(joins)
        return [each for _, each in sorted(_fragments(united), key=lambda pair: pair[0])]

    def _united(self, joins: NDArray[np.int32]) -> Fragments:
        """Unite by `joins` first, then by all others that are worth it."""
        fragments = single_fragments(self._compatibility.pieces)
        for pairs in (joins, _pairs(self._compatibility, self.how.depth)):
            self._unite(fragments, pairs, np.zeros(len(pairs)))
        return fragments

    def moved(
        self, joins: NDArray[np.int32], move: Move, history: History
    ) -> tuple[NDArray[np.int32], History]:
        """Return `joins` after segments were moved, if that made them worth more, and history."""
        board = Arrangement((laid_apart(self.fragments(joins), 2, rim=2),))
        after, history = _moved(board, move, self.worth, self.job, history)
        others = joins_of(self._united(after.joins()))
        best = max(joins, others, key=lambda some: float(self.worth.joins(some).sum()))
        return best, history


def _pairs(compatibility: Compatibility, depth: int) -> NDArray[np.int32]:
    """Return the pairs of edges of which one is among the other's `depth` best, ``(M, 2)``."""
    start, partner = compatibility.start, compatibility.partner
    length = np.diff(start)
    pairs = []
    for rank in range(depth):
        e = np.flatnonzero(length > rank)
        pairs.append(np.stack([e, partner[start[e] + rank]], axis=1))
    both = np.sort(np.concatenate(pairs), axis=1)
    code = np.unique(both[:, 0].astype(np.int64) * len(length) + both[:, 1])
    return np.stack([code // len(length), code % len(length)], axis=1).astype(np.int32)


def joins_of(fragments: Fragments) -> NDArray[np.int32]:
    """Return all pairs of edges that lie against each other within fragments, ``(J, 2)``."""
    return np.concatenate([each.sheet().joins() for _, each in _fragments(fragments)])


def _fragments(fragments: Fragments) -> Iterator[tuple[tuple[int, int], Fragment]]:
    """Return every fragment, with what orders them: the largest first, then the first piece."""
    assemblies = fragments.assemblies
    order = np.argsort(assemblies.home, kind="stable")
    begin = np.flatnonzero(np.diff(assemblies.home[order], prepend=-1))
    for members in np.split(order, begin[1:]):
        pose = assemblies.pose[members]
        cell = pose[:, :2] - pose[:, :2].min(axis=0)
        yield (-len(members), int(members[0])), Fragment(members, cell, pose[:, 2] & 3)
