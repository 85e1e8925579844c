"""What a solver has found, with its segments moved: first a look, then a search that cools down."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from operator import attrgetter

import numpy as np

from tessella.arrangement import Arrangement, Sheet
from tessella.compatibility import Compatibility
from tessella.kernels.annealing import Reach, move_segments
from tessella.solvers._evolution import quarter_turns
from tessella.solvers._merging import MANY
from tessella.solving import Solution
from tessella.stop import Stop
from tessella.watch import Generation, Watcher

_CHAINS = 2
"""Searches, of which the best counts; as many whatever the number of threads."""

_LOOK = 2
"""Portions without heat. If nothing is gained in them, the search ends there."""

_IMPROVED = 1e-6


class _Plan:
    """How a puzzle is searched.

    Attributes
    ----------
    reach : how far moves go
    tries : of one portion; between portions the search can be stopped
    heats : of the portions, falling from the third on
    """

    def __init__(self, pieces: int) -> None:
        if pieces > MANY:  # Longer segments, and longer all in all.
            self.reach = Reach(depth=2, wait=60, loss=6.0, near=6.0)
            self.tries, heat, count = 2000, 0.5, pieces // 700
        else:
            self.reach = Reach(depth=2, wait=8, loss=3.0, near=3.0)
            self.tries = min(250, max(25, pieces // 2))
            heat, count = 2.0, max(8, -(-pieces // 125))
        self.heats = [0.0] * _LOOK + [heat * (1 - k / count) for k in range(count)]


class _Chain:
    """One search: where it stands, and the best on its way."""

    def __init__(self, sheet: Sheet, compatibility: Compatibility, plan: _Plan, seed: int) -> None:
        self.now = sheet.piece.astype(np.int32), sheet.turns.astype(np.int32)
        self.best = self.now[0].copy(), self.now[1].copy()
        self.gain = self.behind = 0.0
        self.seed = seed
        self.tables = compatibility.tables
        self.turns = quarter_turns(compatibility)
        self.plan = plan

    def go_on(self, portion: int) -> None:
        """Make one portion of moves."""
        plan = self.plan
        gain, record = move_segments(
            self.tables, *self.now, *self.best, self.behind,
            self.turns, plan.reach, plan.heats[portion], plan.tries, self.seed, portion,
        )  # fmt: skip
        self.gain += max(record - self.behind, 0.0)
        self.behind = record - gain

    def sheet(self) -> Sheet:
        """Return the best arrangement."""
        return Sheet(self.best[0].copy(), self.best[1].astype(np.int8))


def moved(
    found: Solution,
    compatibility: Compatibility,
    *,
    seed: int,
    threads: int,
    stop: Stop,
    watch: Watcher,
) -> Solution:
    """Return `found` with its segments moved where that makes it fitter."""
    plan = _Plan(compatibility.pieces)
    sheet = found.arrangement.sheets[0]
    chains = [_Chain(sheet, compatibility, plan, _CHAINS * seed + k) for k in range(_CHAINS)]
    leader, best = chains[0], 0.0
    history = list(found.history)
    with ThreadPoolExecutor(min(threads, _CHAINS)) as pool:
        for portion in range(len(plan.heats)):
            if stop() or (portion == _LOOK and best < _IMPROVED):
                break
            list(pool.map(partial(_Chain.go_on, portion=portion), chains))
            leader = max(chains, key=attrgetter("gain"))
            better = leader.gain > best + _IMPROVED
            best = max(best, leader.gain)
            fitness = found.fitness + best
            history.append(fitness)
            snapshot = Arrangement((leader.sheet(),)) if better else None
            watch.generation(Generation(0, len(history) - 1, fitness, fitness, portion, snapshot))
    arrangement = Arrangement((leader.sheet(),)) if best > _IMPROVED else found.arrangement
    return replace(
        found,
        arrangement=arrangement,
        fitness=compatibility.fitness(arrangement),
        history=tuple(history),
        stopped=found.stopped or stop(),
    )
