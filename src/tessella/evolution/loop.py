"""The loop of the genetic solvers: select, breed, keep the best, stop when nothing improves."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.compatibility import Compatibility
from tessella.kernels import breeding
from tessella.kernels.breeding import Population, make_population
from tessella.kernels.nucleus import Nucleus, make_nucleus
from tessella.puzzle import Shape
from tessella.solving import Job, Solution
from tessella.watch import Generation

_IMPROVED = 1e-6

_WORTHWHILE = 4096
"""Pieces that a call should place at least: milliseconds of work, for a call takes 0.07 of one."""


class Breeder(Protocol):
    """Makes chromosomes; what it makes depends on seed, generation and place alone."""

    def begin(self, thread: int, into: Population, seed: int, first: int, last: int) -> None:
        """Fill places `first` to `last` of the first population."""

    def breed(
        self,
        thread: int,
        population: Population,
        wheel: NDArray[np.float64],
        into: Population,
        seed: int,
        generation: int,
        first: int,
        last: int,
    ) -> None:
        """Fill places `first` to `last` of the next population."""


@dataclass(frozen=True)
class Limits:
    """Size of the population, how many pass on unchanged, and when to give up."""

    population: int
    elitism: int
    patience: int


@dataclass
class _State:
    """Where an evolution stands: all that a checkpoint must hold.

    `best` is the champion's fitness as selection counts it, `history` as the job does.
    """

    population: Population
    generation: int = 0
    stagnant: int = 0
    best: float = -1.0
    champion: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    history: list[float] = field(default_factory=list)

    def pack(self, seed: int) -> dict[str, NDArray[Any]]:
        held = {f"population_{n}": v for n, v in self.population._asdict().items()}
        counts = np.array([seed, self.generation, self.stagnant], np.int64)
        history = np.array(self.history, np.float64)
        best = np.array(self.best)
        return held | {
            "counts": counts, "best": best, "champion": self.champion, "history": history
        }  # fmt: skip

    @classmethod
    def unpack(cls, held: dict[str, NDArray[Any]], seed: int) -> _State | None:
        """Return the state held, or None when it is another run's."""
        if "counts" not in held or int(held["counts"][0]) != seed:
            return None
        population = Population(*(held[f"population_{n}"] for n in Population._fields))
        _, generation, stagnant = held["counts"].tolist()
        best, history = float(held["best"]), held["history"].tolist()
        return cls(population, generation, stagnant, best, held["champion"], history)


@dataclass(frozen=True, eq=False)
class Evolution:
    """One evolution: what is solved, who breeds, and within which limits.

    Attributes
    ----------
    job : what is solved, and who is told
    searched : the compatibilities by which selection goes: the job's own, or others that are
        easier to search by; what is told is always counted by the job's own
    founders : arrangements that are in the first population
    kept : what a checkpoint holds besides
    """

    job: Job
    searched: Compatibility
    breeder: Breeder
    limits: Limits
    founders: tuple[Sheet, ...] = ()
    kept: dict[str, NDArray[Any]] = field(default_factory=dict)

    def run(self) -> Solution:
        """Evolve until nothing has improved for `Limits.patience` generations."""
        with ThreadPoolExecutor(self.job.threads) as pool:
            state = self._resumed() or self._begun(pool)
            spare = make_population(self.limits.population, self.searched.pieces)
            stopped = False
            while state.stagnant < self.limits.patience:
                if self.job.stop() or not self._next(state, spare, pool):
                    stopped = True
                    break
                state.population, spare = spare, state.population
                state.generation += 1
                self._note(state)
        if stopped and self.job.checkpoint and state.population.fitness.min() >= 0:
            self.job.checkpoint.save(state.pack(self.job.seed) | self.kept)
        return self._solution(state, stopped)

    def _resumed(self) -> _State | None:
        held = self.job.checkpoint.load() if self.job.checkpoint else None
        return _State.unpack(held, self.job.seed) if held else None

    def _begun(self, pool: ThreadPoolExecutor) -> _State:
        state = _State(make_population(self.limits.population, self.searched.pieces))
        state.population.fitness[:] = -1

        def begin(thread: int, first: int, last: int) -> None:
            self.breeder.begin(thread, state.population, self.job.seed, first, last)

        begin(0, 0, 1)
        whole = self._share(begin, 1, pool)
        nucleus = nucleus_for(self.searched, self.job.shape)
        for place, sheet in enumerate(self.founders[: self.limits.population]):
            piece, turns = sheet.piece.copy(), sheet.turns.astype(np.int32, "C")
            breeding.lay(self.searched.tables, nucleus, state.population, piece, turns, place)
        self._note(state, whole)
        return state

    def _next(self, state: _State, spare: Population, pool: ThreadPoolExecutor) -> bool:
        """Fill `spare` with the next generation; False when asked to stop half-way."""
        elite = np.argsort(-state.population.fitness, kind="stable")[: self.limits.elitism]
        spare.neighbor[: len(elite)] = state.population.neighbor[elite]
        spare.score[: len(elite)] = state.population.score[elite]
        spare.fitness[: len(elite)] = state.population.fitness[elite]
        spare.mean[: len(elite)] = state.population.mean[elite]
        wheel = np.cumsum(np.maximum(state.population.fitness, 1e-9))

        def breed(thread: int, first: int, last: int) -> None:
            self.breeder.breed(
                thread,
                state.population,
                wheel,
                spare,
                self.job.seed,
                state.generation + 1,
                first,
                last,
            )

        return self._share(breed, len(elite), pool)

    def _share(self, work: Any, first: int, pool: ThreadPoolExecutor) -> bool:
        """Run ``work(thread, first, last)`` over all places from `first`, in small portions."""
        size = self.limits.population
        step = portion(size - first, self.job.compatibility.pieces, self.job.threads)
        portions = iter(range(first, size, step))
        turn = threading.Lock()

        def labour(thread: int) -> bool:
            while not self.job.stop():
                with turn:
                    begin = next(portions, None)
                if begin is None:
                    return True
                work(thread, begin, min(begin + step, size))
            with turn:
                return next(portions, None) is None

        return all(list(pool.map(labour, range(self.job.threads))))

    def _note(self, state: _State, whole: bool = True) -> None:
        """Record a generation, tell the watcher, keep a checkpoint if the generation is whole."""
        fitness = state.population.fitness
        place = int(fitness.argmax())
        improved = bool(fitness[place] > state.best + _IMPROVED)
        state.stagnant = 0 if improved else state.stagnant + 1
        if improved:
            state.best = float(fitness[place])
            state.champion = state.population.neighbor[place].copy()
        snapshot = self._arrangement(state.champion) if improved else None
        best = self._own_fitness(snapshot, state.best) if snapshot else state.history[-1]
        state.history.append(best)
        self.job.watch.generation(Generation(0, state.generation, best, state.stagnant, snapshot))
        if whole and self.job.checkpoint and self.job.checkpoint.due():
            self.job.checkpoint.save(state.pack(self.job.seed) | self.kept)

    def _own_fitness(self, arrangement: Arrangement, fitness: float) -> float:
        """Return the fitness of `arrangement` as the job counts it; `fitness` is selection's."""
        own = self.job.compatibility
        return fitness if own is self.searched else own.fitness(arrangement)

    def _solution(self, state: _State, stopped: bool) -> Solution:
        arrangement = self._arrangement(state.champion)
        fitness = self.job.compatibility.fitness(arrangement)
        return Solution(arrangement, fitness, tuple(state.history), stopped)

    def _arrangement(self, neighbor: NDArray[np.int32]) -> Arrangement:
        nucleus = nucleus_for(self.searched, self.job.shape)
        breeding.unfold(neighbor, nucleus)
        return Arrangement((sheet_of(nucleus, self.job.shape),))


def portion(children: int, pieces: int, threads: int) -> int:
    """Return how many children a thread makes at a time: a quarter of its share, or more if small.

    So threads end together and a search stops soon; but a call has its price as well.
    """
    quarter = max(1, children // (4 * threads), _WORTHWHILE // pieces)
    return min(quarter, max(1, -(-children // threads)))


def nucleus_for(compatibility: Compatibility, shape: Shape | None) -> Nucleus:
    """Allocate a nucleus for a puzzle; turned square pieces may lie either way round."""
    either_way = not compatibility.upright and compatibility.square
    return make_nucleus(compatibility.pieces, shape, either_way=either_way)


def sheet_of(nucleus: Nucleus, shape: Shape | None) -> Sheet:
    """Return a full nucleus as a sheet of `shape`, turned as a whole if it lies on its side."""
    grid, turned = grid_of(nucleus)
    rows, cols = grid.shape
    lying = shape is not None and (rows > shape[0] or cols > shape[1])
    size = grid.shape if shape is None else shape[::-1] if lying else shape
    piece = np.full(size, EMPTY, np.int32)
    turns = np.zeros(size, np.int8)
    piece[:rows, :cols] = grid
    turns[:rows, :cols] = turned
    sheet = Sheet(piece, turns)
    return sheet.turned(1) if lying else sheet


def grid_of(nucleus: Nucleus) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the pieces of a full nucleus, `EMPTY` where there is none, and their turns."""
    row, col = np.divmod(nucleus.where[:, 0], int(nucleus.step[4]))
    row, col = row - row.min(), col - col.min()
    piece = np.full((int(row.max()) + 1, int(col.max()) + 1), EMPTY, np.int32)
    turns = np.zeros_like(piece)
    piece[row, col] = np.arange(len(row))
    turns[row, col] = nucleus.where[:, 1]
    return piece, turns


def quarter_turns(compatibility: Compatibility) -> int:
    """In how many ways a piece may lie: 1 upright, 2 for turned rectangles, 4 for squares."""
    if compatibility.upright:
        return 1
    return 4 if compatibility.square else 2
