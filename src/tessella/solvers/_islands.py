"""Several evolutions, then one more of what they found: a way out of traps in small puzzles.

A population that settles on a wrong arrangement does not leave it: of 30 evolutions of a worn
puzzle of 96 pieces, two ended in the arrangement that is far fitter than all others. Evolutions of
small puzzles are quick, so there are several on islands of their own, until some agree on the best.
If not all do, the best of the islands meet in a last evolution.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.solvers._evolution import Evolution
from tessella.solving import Solution
from tessella.watch import Generation, Watcher

AGREE = 3
"""Islands end once so many of them have found the best."""

_NEXT = 1_000_003
"""From an island's seed to the next one's: farther than the seeds of runs."""

_SAME = 1e-6
_LARGEST = 600
_PIECES = 2000


def usual(pieces: int) -> int:
    """Return how many islands a puzzle gets at most: what takes no longer than a larger puzzle."""
    return 1 if pieces > _LARGEST else max(1, min(24, _PIECES // pieces))


@dataclass(frozen=True)
class Islands:
    """Up to `most` evolutions like `evolution`, each with a seed of its own."""

    evolution: Evolution
    most: int

    def run(self) -> Solution:
        """Evolve until `AGREE` islands agree on the best, or there have been `most`."""
        if self.most == 1:
            return self.evolution.run()
        found = self._kept()
        while len(found) < self.most and _agreeing(found) < AGREE:
            found.append(self._evolve(found, ()))
            if found[-1].stopped:
                return _whole(found, stopped=True)
        if _agreeing(found) == len(found):
            return _whole(found)
        found.append(self._evolve(found, _founders(found)))
        return _whole(found, stopped=found[-1].stopped)

    def _evolve(self, found: list[Solution], founders: tuple[Sheet, ...]) -> Solution:
        before = [best for solution in found for best in solution.history]
        return replace(
            self.evolution,
            seed=self.evolution.seed + _NEXT * len(found),
            founders=founders,
            watch=_Onward(self.evolution.watch, len(before), max(before, default=-1.0)),
            kept=_packed(found, self.evolution.seed),
        ).run()

    def _kept(self) -> list[Solution]:
        """Return what the islands of an interrupted run had found."""
        checkpoint = self.evolution.checkpoint
        held = checkpoint.load() if checkpoint else None
        return _unpacked(held, self.evolution.seed) if held else []


class _Onward:
    """A watcher to whom all islands are one evolution."""

    def __init__(self, watch: Watcher, offset: int, best: float) -> None:
        self.watch, self.offset, self.best = watch, offset, best

    def stage(self, name: str, total: int) -> None:
        """Pass on."""
        self.watch.stage(name, total)

    def advance(self, steps: int = 1) -> None:
        """Pass on."""
        self.watch.advance(steps)

    def generation(self, generation: Generation) -> None:
        """Pass on with the best of all islands so far, its picture only if this is it."""
        better = generation.best > self.best + _SAME
        self.watch.generation(
            replace(
                generation,
                number=generation.number + self.offset,
                best=max(generation.best, self.best),
                snapshot=generation.snapshot if better else None,
            )
        )


def _agreeing(found: list[Solution]) -> int:
    best = max((solution.fitness for solution in found), default=0.0)
    return sum(solution.fitness > best * (1 - _SAME) for solution in found)


def _founders(found: list[Solution]) -> tuple[Sheet, ...]:
    """Return what the islands found, each fitness once, the fittest first."""
    distinct: list[Solution] = []
    for solution in sorted(found, key=lambda solution: -solution.fitness):
        if not distinct or solution.fitness < distinct[-1].fitness * (1 - _SAME):
            distinct.append(solution)
    return tuple(solution.arrangement.sheets[0] for solution in distinct)


def _whole(found: list[Solution], *, stopped: bool = False) -> Solution:
    """Return the best of all islands, with the history of them all."""
    best = max(found, key=lambda solution: solution.fitness)
    every = [fitness for solution in found for fitness in solution.history]
    history = tuple(np.maximum.accumulate(every).tolist()) if every else ()
    return replace(best, history=history, stopped=stopped)


def _packed(found: list[Solution], seed: int) -> dict[str, NDArray[Any]]:
    """Return what a checkpoint keeps of the islands before the present one."""
    if not found:
        return {}
    return {
        "islands_seed": np.array(seed),
        "islands_where": np.stack([_where(s.arrangement.sheets[0]) for s in found]),
        "islands_shape": np.array([s.arrangement.sheets[0].shape for s in found]),
        "islands_fitness": np.array([s.fitness for s in found]),
        "islands_lengths": np.array([len(s.history) for s in found]),
        "islands_history": np.array([best for s in found for best in s.history]),
    }


def _unpacked(held: Mapping[str, NDArray[Any]], seed: int) -> list[Solution]:
    if "islands_where" not in held or int(held["islands_seed"]) != seed:
        return []
    ends = np.cumsum(held["islands_lengths"])[:-1]
    told = zip(
        held["islands_where"],
        held["islands_shape"],
        held["islands_fitness"],
        np.split(held["islands_history"], ends),
        strict=True,
    )
    return [
        Solution(Arrangement((_sheet(where, shape),)), float(fitness), tuple(history.tolist()))
        for where, shape, fitness, history in told
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
