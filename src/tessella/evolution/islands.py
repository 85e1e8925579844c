"""Several evolutions, then one more of what they found: a way out of traps in small puzzles.

A population that settles on a wrong arrangement does not leave it: of 30 evolutions of a worn
puzzle of 96 pieces, two ended in the arrangement that is far fitter than all others. Evolutions of
small puzzles are quick, so there are several on islands of their own, until some agree on the best.
If not all do, the best of the islands meet in a last evolution. What an evolution found is bettered
before it is compared, so that islands agree sooner, and on better answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.evolution.loop import Evolution
from tessella.solving import Job, Solution
from tessella.watch import Onward

AGREE = 3
"""Islands end once so many of them have found the best."""

_NEXT = 1_000_003
"""From an island's seed to the next one's: farther than the seeds of runs."""

_SAME = 1e-6


@dataclass(frozen=True, eq=False)
class Islands:
    """Up to `most` evolutions like `evolution`, each with a seed of its own.

    Attributes
    ----------
    better : betters what an evolution found, where there are several
    """

    evolution: Evolution
    most: int
    better: Callable[[Solution, Job], Solution]

    def run(self) -> Solution:
        """Evolve until `AGREE` islands agree on the best, or there have been `most`."""
        if self.most == 1:
            return self.evolution.run()
        solutions = self._kept()
        while len(solutions) < self.most and _agreeing(solutions) < AGREE:
            solutions.append(self._evolve(solutions, ()))
            if solutions[-1].stopped:
                return _whole(solutions, stopped=True)
        if _agreeing(solutions) == len(solutions):
            return _whole(solutions)
        solutions.append(self._evolve(solutions, _founders(solutions)))
        return _whole(solutions, stopped=solutions[-1].stopped)

    def _evolve(self, solutions: list[Solution], founders: tuple[Sheet, ...]) -> Solution:
        before = [best for solution in solutions for best in solution.history]
        job = self.evolution.job
        own = replace(
            job,
            seed=job.seed + _NEXT * len(solutions),
            watch=Onward(job.watch, len(before), max(before, default=-1.0)),
        )
        kept = _packed(solutions, job.seed)
        fittest = replace(self.evolution, job=own, founders=founders, kept=kept).run()
        return self.better(fittest, own)

    def _kept(self) -> list[Solution]:
        """Return what the islands of an interrupted run had found."""
        job = self.evolution.job
        held = job.checkpoint.load() if job.checkpoint else None
        return _unpacked(held, job.seed) if held else []


def _agreeing(solutions: list[Solution]) -> int:
    best = max((solution.fitness for solution in solutions), default=0.0)
    return sum(solution.fitness > best * (1 - _SAME) for solution in solutions)


def _founders(solutions: list[Solution]) -> tuple[Sheet, ...]:
    """Return what the islands found, each fitness once, the fittest first."""
    distinct: list[Solution] = []
    for solution in sorted(solutions, key=lambda solution: -solution.fitness):
        if not distinct or solution.fitness < distinct[-1].fitness * (1 - _SAME):
            distinct.append(solution)
    return tuple(solution.arrangement.sheets[0] for solution in distinct)


def _whole(solutions: list[Solution], *, stopped: bool = False) -> Solution:
    """Return the best of all islands, with the history of them all."""
    best = max(solutions, key=lambda solution: solution.fitness)
    every = [fitness for solution in solutions for fitness in solution.history]
    history = tuple(np.maximum.accumulate(every).tolist()) if every else ()
    return replace(best, history=history, stopped=stopped)


def _packed(solutions: list[Solution], seed: int) -> dict[str, NDArray[Any]]:
    """Return what a checkpoint keeps of the islands before the present one."""
    if not solutions:
        return {}
    return {
        "islands_seed": np.array(seed),
        "islands_where": np.stack([_where(s.arrangement.sheets[0]) for s in solutions]),
        "islands_shape": np.array([s.arrangement.sheets[0].shape for s in solutions]),
        "islands_fitness": np.array([s.fitness for s in solutions]),
        "islands_lengths": np.array([len(s.history) for s in solutions]),
        "islands_history": np.array([best for s in solutions for best in s.history]),
    }


def _unpacked(held: Mapping[str, NDArray[Any]], seed: int) -> list[Solution]:
    if "islands_where" not in held or int(held["islands_seed"]) != seed:
        return []
    ends = np.cumsum(held["islands_lengths"])[:-1]
    every = zip(
        held["islands_where"],
        held["islands_shape"],
        held["islands_fitness"],
        np.split(held["islands_history"], ends),
        strict=True,
    )
    return [
        Solution(Arrangement((_sheet(where, shape),)), float(fitness), tuple(history.tolist()))
        for where, shape, fitness, history in every
    ]


def _where(sheet: Sheet) -> NDArray[np.int32]:
    """Return row, column and turns of every piece, ``(N, 3)``."""
    rows, cols = np.nonzero(sheet.piece != EMPTY)
    order = np.argsort(sheet.piece[rows, cols])
    rows, cols = rows[order], cols[order]
    return np.stack([rows, cols, sheet.turns[rows, cols]], axis=1).astype(np.int32)


def _sheet(where: NDArray[np.int32], shape: NDArray[np.int64]) -> Sheet:
    piece = np.full(shape, EMPTY, np.int32)
    turns = np.zeros(shape, np.int8)
    rows, cols, turned = where.T
    piece[rows, cols] = np.arange(len(where))
    turns[rows, cols] = turned
    return Sheet(piece, turns)
