"""What a solver has found, with its segments moved: first a look, then a search that cools down."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement, Sheet
from tessella.compatibility import Compatibility
from tessella.kernels.annealing import Reach, move_segments
from tessella.kernels.chance import seeded
from tessella.solvers._evolution import quarter_turns
from tessella.solvers._merging import MANY
from tessella.solving import Solution
from tessella.stop import Stop
from tessella.watch import Generation, Watcher

_TOGETHER = 2
"""Searches at a time; as many whatever the number of threads."""

_LOOK = 2
"""Portions without heat. If nothing is gained in them, the search ends there."""

_AFTERWARDS = 16
"""Portions of a search that only puts right what is left, with so little heat as it is told."""

_IMPROVED = 1e-6


class _Plan:
    """How a puzzle is searched.

    Attributes
    ----------
    tables, turns : what is searched, and how pieces may lie
    seed : every search has its own
    reach : how far moves go
    tries : of one portion; between portions the search can be stopped
    heats : of the portions, falling from the third on
    """

    def __init__(
        self, compatibility: Compatibility, thorough: int, seed: int, heat: float | None = None
    ) -> None:
        self.tables = compatibility.tables
        self.turns = quarter_turns(compatibility)
        self.seed = seed
        pieces = compatibility.pieces
        if pieces > MANY:  # Longer segments, and longer all in all.
            self.reach = Reach(depth=2, wait=60, loss=6.0, near=6.0)
            self.tries, usual, count = 2000, 3.0, pieces // 400
        else:
            self.reach = Reach(depth=2, wait=8, loss=3.0, near=3.0)
            self.tries = min(250, max(25, pieces // 2))
            usual, count = 2.0, thorough * max(8, -(-pieces // 125))
        if heat is not None:
            usual, count = heat, _AFTERWARDS
        self.heats = [0.0] * _LOOK + [usual * (1 - k / count) for k in range(count)]


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
        self.gain = self.behind = 0.0
        self.plan = plan
        self.seed = seed

    def go_on(self, portion: int) -> None:
        """Make one portion of moves."""
        plan = self.plan
        gain, record = move_segments(
            plan.tables, *self.now, *self.best, self.behind, self.still,
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


def moved(
    found: Solution,
    compatibility: Compatibility,
    thorough: int = 1,
    *,
    heat: float | None = None,
    seed: int,
    threads: int,
    stop: Stop,
    watch: Watcher,
) -> Solution:
    """Return `found` with its segments moved where that makes it fitter.

    Its history goes on with what is gained, whatever counted before.

    Parameters
    ----------
    thorough : how many times as long as usual to search a puzzle that is not very large
    heat : at first; None takes the usual, and as long as that needs
    """
    if found.stopped:
        return found
    plan = _Plan(compatibility, thorough, seed, heat)
    first = found.arrangement.sheets[0]
    search: _Search = (_Halves if compatibility.pieces > MANY else _Race)(first, plan)
    best = 0.0
    history = list(found.history)
    with ThreadPoolExecutor(min(threads, _TOGETHER)) as pool:
        for portion in range(len(plan.heats)):
            if stop() or (portion == _LOOK and best < _IMPROVED):
                break
            search.go_on(portion, pool)
            better = search.gain > best + _IMPROVED
            best = max(best, search.gain)
            fitness = found.history[-1] + best
            history.append(fitness)
            snapshot = Arrangement((search.sheet(),)) if better else None
            watch.generation(Generation(0, len(history) - 1, fitness, fitness, portion, snapshot))
    arrangement = Arrangement((search.sheet(),)) if best > _IMPROVED else found.arrangement
    return replace(
        found,
        arrangement=arrangement,
        fitness=compatibility.fitness(arrangement),
        history=tuple(history),
        stopped=stop(),
    )
