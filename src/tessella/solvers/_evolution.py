"""The loop of the genetic solvers: select, breed, keep the best, stop when nothing improves."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import EMPTY, Arrangement, Sheet
from tessella.checkpoint import Checkpoint
from tessella.compatibility import Compatibility
from tessella.kernels import breeding
from tessella.kernels.breeding import Population, make_population
from tessella.kernels.kernel import Kernel, make_kernel
from tessella.kernels.shift import shift_blocks
from tessella.puzzle import Shape
from tessella.solving import Solution
from tessella.stop import Stop
from tessella.watch import Generation, Watcher

_IMPROVED = 1e-6


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
    """Where an evolution stands: all that a checkpoint must hold."""

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
        return held | {"counts": counts, "champion": self.champion, "history": history}

    @classmethod
    def unpack(cls, held: dict[str, NDArray[Any]], seed: int) -> _State | None:
        """Return the state held, or None when it is another run's."""
        if int(held["counts"][0]) != seed:
            return None
        population = Population(*(held[f"population_{n}"] for n in Population._fields))
        _, generation, stagnant = held["counts"].tolist()
        history = held["history"].tolist()
        return cls(population, generation, stagnant, history[-1], held["champion"], history)


@dataclass(frozen=True)
class Evolution:
    """One run: what is solved, who breeds, and within which limits.

    Attributes
    ----------
    shifts : whether the best one's blocks are tried in other places before giving up
    founders : arrangements that are in the first population
    kept : what a checkpoint holds besides
    """

    compatibility: Compatibility
    shape: Shape | None
    breeder: Breeder
    limits: Limits
    seed: int
    threads: int
    stop: Stop
    watch: Watcher
    checkpoint: Checkpoint | None
    shifts: bool = False
    founders: tuple[Sheet, ...] = ()
    kept: dict[str, NDArray[Any]] = field(default_factory=dict)

    def run(self) -> Solution:
        """Evolve until nothing has improved for `Limits.patience` generations.

        With `shifts`, the best one's blocks are then tried in other places, and a better one found
        so lives on in place of the worst.
        """
        with ThreadPoolExecutor(self.threads) as pool:
            state = self._resumed() or self._begun(pool)
            spare = make_population(self.limits.population, self.compatibility.pieces)
            stopped = False
            while state.stagnant < self.limits.patience or self._shifted(state):
                if self.stop() or not self._next(state, spare, pool):
                    stopped = True
                    break
                state.population, spare = spare, state.population
                state.generation += 1
                self._note(state)
        if stopped and self.checkpoint and state.population.fitness.min() >= 0:
            self.checkpoint.save(state.pack(self.seed) | self.kept)
        return self._solution(state, stopped)

    def _resumed(self) -> _State | None:
        held = self.checkpoint.load() if self.checkpoint else None
        return _State.unpack(held, self.seed) if held else None

    def _begun(self, pool: ThreadPoolExecutor) -> _State:
        state = _State(make_population(self.limits.population, self.compatibility.pieces))
        state.population.fitness[:] = -1

        def begin(thread: int, first: int, last: int) -> None:
            self.breeder.begin(thread, state.population, self.seed, first, last)

        begin(0, 0, 1)
        whole = self._share(begin, 1, pool)
        kernel = kernel_for(self.compatibility, self.shape)
        for place, sheet in enumerate(self.founders[: self.limits.population]):
            piece, turns = sheet.piece.copy(), sheet.turns.astype(np.int32, "C")
            breeding.lay(self.compatibility.tables, kernel, state.population, piece, turns, place)
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
                self.seed,
                state.generation + 1,
                first,
                last,
            )

        return self._share(breed, len(elite), pool)

    def _share(self, work: Any, first: int, pool: ThreadPoolExecutor) -> bool:
        """Run ``work(thread, first, last)`` over all places from `first`, in small portions."""
        size = self.limits.population
        step = max(1, (size - first) // (4 * self.threads))
        portions = iter(range(first, size, step))
        turn = threading.Lock()

        def labour(thread: int) -> bool:
            while not self.stop():
                with turn:
                    begin = next(portions, None)
                if begin is None:
                    return True
                work(thread, begin, min(begin + step, size))
            with turn:
                return next(portions, None) is None

        return all(list(pool.map(labour, range(self.threads))))

    def _shifted(self, state: _State) -> bool:
        """Try the champion's blocks elsewhere; say whether that made a better one."""
        if not self.shifts or self.stop():
            return False
        kernel = kernel_for(self.compatibility, self.shape)
        breeding.unfold(state.champion, kernel)
        piece, turns = grid_of(kernel)
        tables = self.compatibility.tables
        if shift_blocks(tables, piece, turns) <= _IMPROVED:
            return False
        place = int(state.population.fitness.argmin())
        breeding.lay(tables, kernel, state.population, piece, turns, place)
        state.best = float(state.population.fitness[place])
        state.champion = state.population.neighbor[place].copy()
        state.stagnant = 0
        return True

    def _note(self, state: _State, whole: bool = True) -> None:
        """Record a generation, tell the watcher, keep a checkpoint if the generation is whole."""
        fitness = state.population.fitness
        place = int(fitness.argmax())
        improved = bool(fitness[place] > state.best + _IMPROVED)
        state.stagnant = 0 if improved else state.stagnant + 1
        if improved:
            state.best = float(fitness[place])
            state.champion = state.population.neighbor[place].copy()
        state.history.append(state.best)
        snapshot = self._arrangement(state.champion) if improved else None
        mean = float(fitness[fitness >= 0].mean())
        self.watch.generation(
            Generation(0, state.generation, state.best, mean, state.stagnant, snapshot)
        )
        if whole and self.checkpoint and self.checkpoint.due():
            self.checkpoint.save(state.pack(self.seed) | self.kept)

    def _solution(self, state: _State, stopped: bool) -> Solution:
        arrangement = self._arrangement(state.champion)
        fitness = self.compatibility.fitness(arrangement)
        return Solution(arrangement, fitness, tuple(state.history), stopped)

    def _arrangement(self, neighbor: NDArray[np.int32]) -> Arrangement:
        kernel = kernel_for(self.compatibility, self.shape)
        breeding.unfold(neighbor, kernel)
        return Arrangement((sheet_of(kernel, self.shape),))


def kernel_for(compatibility: Compatibility, shape: Shape | None) -> Kernel:
    """Allocate a kernel for a puzzle; turned square pieces may lie either way round."""
    either_way = not compatibility.upright and compatibility.square
    return make_kernel(compatibility.pieces, shape, either_way=either_way)


def sheet_of(kernel: Kernel, shape: Shape | None) -> Sheet:
    """Return a full kernel as a sheet of `shape`, turned as a whole if it lies on its side."""
    found, turned = grid_of(kernel)
    rows, cols = found.shape
    lying = shape is not None and (rows > shape[0] or cols > shape[1])
    size = found.shape if shape is None else shape[::-1] if lying else shape
    piece = np.full(size, EMPTY, np.int32)
    turns = np.zeros(size, np.int8)
    piece[:rows, :cols] = found
    turns[:rows, :cols] = turned
    sheet = Sheet(piece, turns)
    return sheet.turned(1) if lying else sheet


def grid_of(kernel: Kernel) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the pieces of a full kernel, `EMPTY` where there is none, and their turns."""
    row, col = np.divmod(kernel.where[:, 0], int(kernel.step[4]))
    row, col = row - row.min(), col - col.min()
    piece = np.full((int(row.max()) + 1, int(col.max()) + 1), EMPTY, np.int32)
    turns = np.zeros_like(piece)
    piece[row, col] = np.arange(len(row))
    turns[row, col] = kernel.where[:, 1]
    return piece, turns


def quarter_turns(compatibility: Compatibility) -> int:
    """In how many ways a piece may lie: 1 upright, 2 for turned rectangles, 4 for squares."""
    if compatibility.upright:
        return 1
    return 4 if compatibility.square else 2
