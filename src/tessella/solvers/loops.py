"""Loops of pieces, and loops of loops: what closes in a circle is trusted, the largest first.

K. Son, J. Hays, D. B. Cooper, "Solving square jigsaw puzzles with loop constraints", ECCV 2014, and
"Solving square jigsaw puzzle by hierarchical loop constraints", TPAMI 2019. Every edge has a few
candidates that match it almost as well as the best. Four pieces whose candidates close around a
corner are a loop; four loops that overlap and close around a piece are a loop of the next order,
and so on, until none is found. Loops are then merged into assemblies from the highest order down,
those that contradict what is merged already are dropped, and pairs that match come last. This
version departs from the papers in these ways:

- Two edges are candidates only if each is almost the best of the other, by the logarithm of their
  compatibility (a solver here sees no distances), and an edge with more than `partners` candidates
  has none: pieces that look alike wait until what can be told apart is placed.
- Within an order, loops are merged by falling mean compatibility, that of a loop being the mean of
  the four it is made of; orders end at `order`, since in larger loops nothing is ever in doubt.
- Turned pieces are one element for every way to turn them; a loop is found in all its turns.
- A known shape already bounds the assemblies, so that nothing is trimmed in the end. The largest
  is kept, and the greedy nucleus of `tessella.solvers.paikin_tal` places all other pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tessella.compatibility import Compatibility
from tessella.edges import BOTTOM, RIGHT
from tessella.errors import InputError
from tessella.kernels.assembly import lay_pairs, single_pieces
from tessella.kernels.loops import Links, lay_blocks, loops_of
from tessella.solvers._filling import fill
from tessella.solvers._matching import Candidates
from tessella.solvers.paikin_tal import make_rules
from tessella.solving import Covers, Job, Solution

_FORESIGHT = 0.25
"""As `paikin_tal` has it."""

_MOST = 64
"""Loops there may be for every piece; more are a sign that nothing can be told apart."""


@dataclass(frozen=True)
class Loops:
    """Hierarchical loops; the seed decides only between equals.

    Attributes
    ----------
    adjust : which post-processing the scores get
    partners : the most candidates that an edge may have
    slack : candidates are at most so many times as far away as the nearest
    order : the most pieces along a side of a loop
    """

    covers: ClassVar[Covers] = Covers()

    adjust: str = "ratio"
    partners: int = 10
    slack: float = 1.15
    order: int = 12

    def __post_init__(self) -> None:
        for name, least in (("partners", 1), ("slack", 1), ("order", 2)):
            if not least <= getattr(self, name) < np.inf:
                raise InputError(f"{name} must be {least} or more; got {getattr(self, name)}.")

    def solve(self, job: Job) -> Solution:
        """Arrange all pieces; see `tessella.solving.Solver`."""
        self.covers.check("loops", job)
        compatibility = job.compatibility
        rules = make_rules(job, _FORESIGHT)
        matches = Candidates.best(compatibility, self.partners + 1).near(self.slack)
        levels = [_smallest(compatibility, matches.pair, rules.turn_step)]
        job.watch.stage("loops", self.order)
        stopped = False
        while len(levels) < self.order and len(levels[-1].cell) and not stopped:
            levels.append(_next(compatibility, levels[-1]))
            job.watch.advance()
            stopped = job.stop()
        fragments = single_pieces(compatibility.pieces)
        for level in levels[:0:-1]:
            lay_blocks(fragments, rules.box, level.cell[np.argsort(-level.score, kind="stable")])
        lay_pairs(fragments, rules.box, matches.best_first())
        return fill(job, rules, fragments, stopped=stopped)


class Level(NamedTuple):
    """All blocks of one order.

    Attributes
    ----------
    cell : the elements of every block, 4 times the piece and how it is turned, ``(B, K, K)``
    score : the mean of the blocks it is made of, float64 ``(B,)``; 0 for pieces
    right, down : which blocks may follow which
    """

    cell: NDArray[np.int32]
    score: NDArray[np.float64]
    right: Links
    down: Links


def _smallest(compatibility: Compatibility, pair: NDArray[np.int32], turn_step: int) -> Level:
    """Return the elements, and which may follow which by the matches ``(M, 2)``."""
    count = 4 * compatibility.pieces
    e, f = np.concatenate([pair, pair[:, ::-1]]).T.astype(np.int64)
    links = []
    for direction in (RIGHT, BOTTOM):
        turns = (direction - e) % 4
        allowed = turns % turn_step == 0
        first = (e - e % 4 + turns)[allowed]
        then = (f - f % 4 + (direction + 2 - f) % 4)[allowed]
        order = np.lexsort((then, first))
        low, high = _span(np.arange(count), first[order])
        links.append(Links(low, high, then[order]))
    cell = np.arange(count, dtype=np.int32).reshape(-1, 1, 1)
    return Level(cell, np.zeros(count), *links)


def _next(compatibility: Compatibility, level: Level) -> Level:
    """Return the blocks that are one piece higher and wider; none if there were too many."""
    order, cell = level.cell.shape[1], level.cell
    count = len(cell)
    name = np.arange(count) // 4 if order == 1 else np.arange(count)
    limit = _MOST * compatibility.pieces
    loop = loops_of(level.right, level.down, name, limit)
    top_left, top_right, bottom_left, bottom_right = loop.T
    grown = np.empty((len(loop), order + 1, order + 1), np.int32)
    grown[:, :order, :order] = cell[top_left]
    grown[:, :order, order] = cell[top_right, :, -1]
    grown[:, order, :order] = cell[bottom_left, -1]
    grown[:, order, order] = cell[bottom_right, -1, -1]
    return Level(
        grown,
        _fit(compatibility, grown) if order == 1 else level.score[loop].mean(axis=1),
        _overlap(top_right * count + bottom_right, top_left * count + bottom_left),
        _overlap(bottom_left * count + bottom_right, top_left * count + top_right),
    )


def _fit(compatibility: Compatibility, cell: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the mean compatibility of the joins of blocks ``(B, 2, 2)``."""
    piece, turns = np.divmod(cell, 4)
    total = np.zeros(len(cell))
    for direction, here, there in (
        (RIGHT, np.s_[:, :, 0], np.s_[:, :, 1]),
        (BOTTOM, np.s_[:, 0], np.s_[:, 1]),
    ):
        e = 4 * piece[here] + (direction - turns[here]) % 4
        f = 4 * piece[there] + (direction + 2 - turns[there]) % 4
        total += compatibility.of(np.stack([e, f], -1).reshape(-1, 2)).reshape(-1, 2).sum(axis=1)
    return total / 4


def _overlap(mine: NDArray[np.int64], theirs: NDArray[np.int64]) -> Links:
    """Link every block to those whose near side is the same as its own far side."""
    order = np.argsort(theirs, kind="stable")
    return Links(*_span(mine, theirs[order]), order)


def _span(
    wanted: NDArray[np.int64], ordered: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where each of `wanted` begins and ends among `ordered`."""
    return np.searchsorted(ordered, wanted), np.searchsorted(ordered, wanted, side="right")
