"""Segments of the answer are moved: first a look, then a search that cools down.

See `tessella.kernels.moving` for what a move is, and `tessella.kernels.annealing` for the search.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement, Sheet
from tessella.compatibility import Compatibility
from tessella.evolution.loop import quarter_turns
from tessella.kernels.annealing import Reach, move_segments
from tessella.kernels.chance import seeded
from tessella.kernels.tables import Tables
from tessella.solving import Job
from tessella.stages.merge import sharpened, strengthened
from tessella.stages.stage import Answer
from tessella.watch import Generation

_TOGETHER = 2
"""Searches at a time; as many whatever the number of threads."""

_LOOK = 2
"""Portions without heat. If nothing is gained in them, the search ends there."""

_IMPROVED = 1e-6

_NEAR = Reach(depth=2, wait=8, loss=3.0, near=3.0)


@dataclass(frozen=True)
class Move:
    """How long and how hot; chosen on photographs of train/ (docs/experiments/moving_segments.md).

    Attributes
    ----------
    counts : what a move must better: `searched`, as evolution had it, firm joins of merged
        fragments counting for more; `own`, the job's compatibilities; `sharpened`, listed
        candidates spread over the whole range
    heat : at first
    each : there is a portion of moves for so many pieces, but at least 8 ...
    times : ... so many times over
    portions : how many there are whatever the pieces; None: as `each` has it
    most : portions at most, each longer where there were more, since every one begins with a look
        at all pieces; None: any number
    tries : of one portion, at most; between portions the search can be stopped
    reach : how far moves go
    halves : whether two searches share the cells out, instead of racing each other
    still : pieces that stay where they lie
    """

    name: str = "move"
    counts: Literal["searched", "own", "sharpened"] = "searched"
    heat: float = 2.0
    each: int = 125
    times: int = 1
    portions: int | None = None
    most: int | None = None
    tries: int = 250
    reach: Reach = _NEAR
    halves: bool = False
    still: tuple[int, ...] = ()

    def __call__(self, answer: Answer, job: Job) -> Answer:
        """Return the answer with its segments moved where that makes it fitter."""
        if not answer.open or (self.counts == "sharpened" and answer.merged is None):
            return answer
        return self.moved(answer, self._counted(answer, job), job)

    def _counted(self, answer: Answer, job: Job) -> Compatibility:
        if self.counts == "own":
            return job.compatibility
        if self.counts == "sharpened":
            return sharpened(job.compatibility)
        if answer.merged is None:
            return answer.searched
        return strengthened(answer.searched, answer.merged.firm)

    def moved(
        self,
        answer: Answer,
        counted: Compatibility,
        job: Job,
        zero: float = 0.0,
        beside: float = 0.0,
    ) -> Answer:
        """Return `answer` with its segments moved where that makes it fitter by `counted`.

        Parameters
        ----------
        zero : what a join must exceed to be worth anything; unless it is 0, empty cells are used
        beside : the fitness of sheets that stay as they are, which history counts too
        """
        assert answer.arrangement is not None
        plan = self._plan(counted, job, zero)
        search: _Search = (_Halves if self.halves else _Race)(answer.arrangement.sheets[0], plan)
        best, shown = 0.0, answer.arrangement
        # What is bettered may have been found by something else than what history counts.
        history, fitness = list(answer.history), beside + job.compatibility.fitness(shown)
        with ThreadPoolExecutor(min(job.threads, _TOGETHER)) as pool:
            for portion in range(len(plan.heats)):
                if job.stop() or (portion == _LOOK and best < _IMPROVED):
                    break
                search.go_on(portion, pool)
                better = search.gain > best + _IMPROVED
                best = max(best, search.gain)
                if better:
                    shown = Arrangement((search.sheet(),))
                    fitness = beside + job.compatibility.fitness(shown)
                history.append(fitness)
                snapshot = shown if better else None
                job.watch.generation(Generation(0, len(history) - 1, fitness, portion, snapshot))
        return replace(
            answer, arrangement=shown, history=tuple(history), stopped=answer.stopped or job.stop()
        )

    def _plan(self, counted: Compatibility, job: Job, zero: float) -> _Plan:
        pieces = counted.pieces
        count = wished = self.portions or self.times * max(8, -(-pieces // self.each))
        count = min(count, self.most or count)
        return _Plan(
            tables=counted.tables,
            zero=zero,
            turns=quarter_turns(counted),
            seed=job.seed,
            reach=self.reach,
            tries=min(self.tries, max(25, pieces // 2)) * wished // count,
            heats=[0.0] * _LOOK + [self.heat * (1 - k / count) for k in range(count)],
            still=self.still,
        )


FAR = Move(
    heat=3.0,
    each=400,
    tries=2000,
    reach=Reach(depth=2, wait=60, loss=6.0, near=6.0),
    halves=True,
)
"""Of very large puzzles: longer segments, and longer all in all."""


@dataclass(frozen=True, eq=False)
class _Plan:
    """How a puzzle is searched.

    Attributes
    ----------
    tables, zero : what is searched, and what a join must exceed to be worth anything
    turns : how pieces may lie
    seed : every search has its own
    reach : how far moves go
    tries : of one portion
    heats : of the portions, falling from the third on
    still : pieces that stay where they lie
    """

    tables: Tables
    zero: float
    turns: int
    seed: int
    reach: Reach
    tries: int
    heats: list[float]
    still: tuple[int, ...]


class _Search(Protocol):
    """Where the search stands."""

    @property
    def gain(self) -> float:
        """How much fitter the best arrangement is than the first."""

    def go_on(self, portion: int, pool: ThreadPoolExecutor) -> None:
        """Make one portion of moves."""

    def sheet(self) -> Sheet:
        """Return the best arrangement."""


class _Chain:
    """One search: where it stands, and the best on its way."""

    def __init__(self, sheet: Sheet, plan: _Plan, seed: int) -> None:
        # Row by row, however the sheet was turned: else the kernel were compiled once more.
        self.now = sheet.piece.astype(np.int32, "C"), sheet.turns.astype(np.int32, "C")
        self.best = self.now[0].copy(), self.now[1].copy()
        self.still = np.zeros((len(plan.tables.start) - 1) // 4, np.uint8)
        self.still[list(plan.still)] = 1
        self.gain = self.behind = 0.0
        self.plan = plan
        self.seed = seed

    def go_on(self, portion: int) -> None:
        """Make one portion of moves."""
        plan = self.plan
        gain, record = move_segments(
            plan.tables, plan.zero, *self.now, *self.best, self.behind, self.still,
            plan.turns, plan.reach, plan.heats[portion], plan.tries, self.seed, portion,
        )  # fmt: skip
        self.gain += max(record - self.behind, 0.0)
        self.behind = record - gain


class _Race:
    """Searches of the whole, of which the best counts."""

    def __init__(self, sheet: Sheet, plan: _Plan) -> None:
        self.chains = [_Chain(sheet, plan, _TOGETHER * plan.seed + k) for k in range(_TOGETHER)]

    @property
    def gain(self) -> float:
        """The leader's."""
        return max(chain.gain for chain in self.chains)

    def go_on(self, portion: int, pool: ThreadPoolExecutor) -> None:
        """Let all of them make one portion of moves."""
        list(pool.map(partial(_Chain.go_on, portion=portion), self.chains))

    def sheet(self) -> Sheet:
        """Return the best arrangement of all."""
        piece, turns = max(self.chains, key=attrgetter("gain")).best
        return Sheet(piece.copy(), turns.astype(np.int8))


class _Halves:
    """Searches that share the work on a large puzzle: each moves what lies on its side of a line.

    What lies on the line stays, so neither side has an influence on what the other gains. The line
    is another one in every portion, down or across.
    """

    def __init__(self, sheet: Sheet, plan: _Plan) -> None:
        self.now = self.best = sheet
        self.gain = self.behind = 0.0
        self.plan = plan

    def go_on(self, portion: int, pool: ThreadPoolExecutor) -> None:
        """Make one portion of moves on either side."""
        sides = self._sides(portion)
        chains = [self._chain(side, number) for number, side in enumerate(sides)]
        list(pool.map(partial(_Chain.go_on, portion=portion), chains))
        piece, turns = self.now.piece.copy(), self.now.turns.copy()
        for side, chain in zip(sides, chains, strict=True):
            piece[side], turns[side] = chain.now[0][side], chain.now[1][side]
            self.behind -= chain.gain - chain.behind
        self.now = Sheet(piece, turns)
        if self.behind < 0:
            self.gain -= self.behind
            self.best, self.behind = self.now, 0.0

    def _sides(self, portion: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return the cells on both sides of a line through the middle third, ``(R, C)`` each."""
        shape = self.now.shape
        axis = portion % 2
        third = max(shape[axis] // 3, 1)
        line = third + int(seeded(self.plan.seed, portion, 0)) % third
        where = np.indices(shape)[axis]
        return where > line, where < line

    def _chain(self, side: NDArray[np.bool_], number: int) -> _Chain:
        """Return a search from here in which only `side` moves."""
        chain = _Chain(self.now, self.plan, _TOGETHER * self.plan.seed + number)
        others = self.now.piece[~side]
        chain.still[others[others >= 0]] = 1
        return chain

    def sheet(self) -> Sheet:
        """Return the best arrangement."""
        return self.best
