"""Large puzzles contracted: fragments, merged from the surest down, whose joins count for more.

See `tessella.kernels.merging` for how sure a merge is. The largest fragment is where guided growth
begins; the joins of all fragments are strengthened, so that growth lays fragments as wholes and
evolution has little more to decide than where they go.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tessella.compatibility import Compatibility
from tessella.edges import BOTTOM, RIGHT
from tessella.kernels import merging as kernel
from tessella.kernels.assembly import Assemblies, cells_of
from tessella.kernels.board import Box
from tessella.kernels.crossover import Parent
from tessella.kernels.merging import Fragments, Levels, Proposals, levels_of, single_fragments
from tessella.kernels.nucleus import LONGEST
from tessella.puzzle import Shape
from tessella.scores import column
from tessella.solving import Job
from tessella.stages.stage import Answer
from tessella.stop import Stop

_FEW = 3000
"""A level ends once fewer than one merge for so many pieces is made in a round."""

_THIN = 1e-6
"""Candidates closer to each other than this are all alike."""

LAST = 64
"""The candidate of this rank is as good as none."""


class Merged(NamedTuple):
    """What merging found.

    Attributes
    ----------
    piece : of the largest fragment, int64 ``(M,)``
    cell : their rows, columns and turns, rows and columns from 0, int64 ``(M, 3)``
    joins : all joins within fragments, as a parent for guided growth
    firm : the edge that lies against every edge in a firm join, -1 where none does, ``(4N,)``
    """

    piece: NDArray[np.int64]
    cell: NDArray[np.int64]
    joins: Parent
    firm: NDArray[np.int32]


@dataclass(frozen=True)
class Merge:
    """How sure merges must be; chosen on photographs of train/ (docs/experiments/merging.md).

    Attributes
    ----------
    sure : how sure merges must be, one level after the other
    firm : joins of merges as sure as this are firm: about one in twenty is false where it is hard,
        and one in nine of all; one of `sure`
    rounds : how often proposals are judged anew at a level
    """

    name: str = "merge"
    sure: tuple[float, ...] = (1.5, 1.0, 0.7, 0.5, 0.25, 0.0)
    firm: float = 0.25
    rounds: int = 8

    def __post_init__(self) -> None:
        assert self.firm in self.sure

    def __call__(self, answer: Answer, job: Job) -> Answer:
        """Return the answer with fragments to begin from."""
        return replace(answer, merged=self.merged(answer.searched, job.shape, job.stop))

    def merged(self, compatibility: Compatibility, shape: Shape | None, stop: Stop) -> Merged:
        """Merge pieces into fragments, as far as one can be sure."""
        either = not compatibility.upright and compatibility.square
        work = _Work(
            compatibility,
            levels_of(compatibility.tables, LAST),
            single_fragments(compatibility.pieces),
            Box(*(shape or (LONGEST, LONGEST)), int(either)),
        )
        since, joins = 0, {}
        for sure in self.sure:
            # What is surer than a tie with the best rival is told by the best candidates alone.
            since = work.level(sure, 2 if sure > 1 else 6, since, self.rounds, stop)
            joins[sure] = _joins(compatibility.pieces, work.fragments.assemblies)
        assemblies = work.fragments.assemblies
        members, cell = cells_of(assemblies, int(assemblies.size.argmax()))
        parent = _parent(compatibility, joins[self.sure[-1]])
        return Merged(members.astype(np.int64), cell, parent, joins[self.firm])


def strengthened(compatibility: Compatibility, joins: NDArray[np.int32]) -> Compatibility:
    """Return compatibilities halved, and 0.5 more for those of `joins`.

    Parameters
    ----------
    joins : the edge that lies against every edge, -1 where none does, ``(4N,)``
    """
    row = np.repeat(np.arange(len(joins)), np.diff(compatibility.start))
    bonus = np.float32(0.5) * (joins[row] == compatibility.partner)
    score = compatibility.score * np.float32(0.5) + bonus
    order = np.lexsort((compatibility.partner, -score, row))
    dense = compatibility.dense
    if dense is not None:
        e = np.flatnonzero(joins >= 0)
        dense = dense * np.float32(0.5)
        dense[e, column(joins[e], compatibility.upright)] += np.float32(0.5)
    partner = compatibility.partner[order]
    return replace(compatibility, partner=partner, score=score[order], dense=dense, by_partner=None)


def sharpened(compatibility: Compatibility) -> Compatibility:
    """Return lists with every edge's candidates spread over [0, 1], the last that counts at 0.

    Both edges of a pair are averaged. Candidates of a flat piece lie close together, far above all
    that are not listed: as they are, a sum over joins hardly asks which of them it is.
    """
    partner, score, start = compatibility.partner, compatibility.score, compatibility.start
    length = np.diff(start)
    row = np.repeat(np.arange(len(length)), length)
    some = length > 0
    low, span = np.zeros(len(length), np.float32), np.ones(len(length), np.float32)
    low[some] = score[(start[:-1] + np.minimum(length, LAST) - 1)[some]]
    span[some] = np.maximum(score[start[:-1][some]] - low[some], np.float32(_THIN))
    both = [np.clip((score - low[edge]) / span[edge], 0, 1) for edge in (row, partner)]
    value = (both[0] + both[1]) * np.float32(0.5)
    order = np.lexsort((partner, -value, row))
    return replace(
        compatibility, partner=partner[order], score=value[order], dense=None, by_partner=None
    )


class _Work(NamedTuple):
    """What is merged, and by which levels candidates are told apart."""

    compatibility: Compatibility
    levels: Levels
    fragments: Fragments
    box: Box

    def level(self, sure: float, depth: int, since: int, rounds: int, stop: Stop) -> int:
        """Merge until little is left that is `sure`; return the number of the last round."""
        tables, pieces = self.compatibility.tables, self.compatibility.pieces
        shape = 4 * pieces, depth
        proposals = Proposals(
            np.full(shape, -1, np.int32), np.full(shape, np.nan), np.full(shape, -1, np.int64)
        )
        changed, now = 0, since
        for _ in range(rounds):
            if stop():
                break
            now += 1
            kernel.propose(tables, self.fragments, proposals, changed)
            kernel.name_all(self.fragments, proposals)
            order = np.argsort(proposals.key, axis=None, kind="stable")
            rated = np.empty(proposals.key.size)
            kernel.rate(tables, self.levels, self.fragments, self.box, proposals, order, rated)
            chosen = np.flatnonzero(rated >= sure)
            chosen = chosen[np.argsort(-rated[chosen], kind="stable")]
            made = kernel.merge(
                tables, self.levels, self.fragments, self.box, proposals, chosen, rated, sure, now
            )
            changed = now
            if made * _FEW <= pieces:
                break
        return now


def _joins(count: int, assemblies: Assemblies) -> NDArray[np.int32]:
    """Return the edge that lies against every edge within fragments, -1 if none, ``(4N,)``."""
    reach = 4 * LONGEST
    row, col, turns = assemblies.pose.T  # fragments reach no further than LONGEST either way
    name = (assemblies.home * np.int64(reach) + row + 2 * LONGEST) * reach + col + 2 * LONGEST
    order = np.argsort(name)
    neighbor = np.full(4 * count, -1, np.int32)
    for direction, step in ((RIGHT, 1), (BOTTOM, reach)):
        at = np.minimum(np.searchsorted(name[order], name + step), count - 1)
        beside = order[at]
        here = np.flatnonzero(name[beside] == name + step)
        beside = beside[here]
        e = 4 * here + (direction - turns[here]) % 4
        f = 4 * beside + (direction + 2 - turns[beside]) % 4
        neighbor[e], neighbor[f] = f, e
    return neighbor


def _parent(compatibility: Compatibility, neighbor: NDArray[np.int32]) -> Parent:
    """Return joins within fragments as a parent: with how well the pieces fit there."""
    count = compatibility.pieces
    joined = np.flatnonzero(neighbor >= 0)
    fit = compatibility.of(np.stack([joined, neighbor[joined]], -1).astype(np.int32))
    total = np.bincount(joined // 4, fit, minlength=count)
    near = np.bincount(joined // 4, minlength=count)
    return Parent(neighbor, (total / np.maximum(near, 1)).astype(np.float32), 0.0)
