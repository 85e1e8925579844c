"""Who makes the chromosomes of the genetic solvers: by the paper's phases, or guided."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tessella.compatibility import Compatibility
from tessella.kernels import breeding
from tessella.kernels.breeding import Polish, Population
from tessella.kernels.buddies import best_buddies
from tessella.kernels.crossover import Rules, make_bags
from tessella.kernels.growth import make_ratings, nobody
from tessella.puzzle import Shape
from tessella.solvers._evolution import kernel_for, quarter_turns
from tessella.solvers._merging import Merged

if TYPE_CHECKING:
    from tessella.solvers.genetic import Genetic


class PhaseBreeder:
    """The paper's: random first population, crossover by phases."""

    def __init__(
        self,
        rules: Rules,
        alpha0: float,
        compatibility: Compatibility,
        shape: Shape | None,
        threads: int,
    ) -> None:
        self.tables = compatibility.tables
        self.buddy = best_buddies(self.tables)
        self.rules = rules
        self.alpha0 = alpha0
        self.turns = quarter_turns(compatibility)
        self.kernels = [kernel_for(compatibility, shape) for _ in range(threads)]
        self.bags = [make_bags(compatibility.pieces) for _ in range(threads)]

    def begin(self, thread: int, into: Population, seed: int, first: int, last: int) -> None:
        """Fill places with random arrangements."""
        kernel = self.kernels[thread]
        breeding.scatter(self.tables, kernel, into, self.turns, seed, first, last)

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
        """Fill places by crossover."""
        breeding.breed(
            self.tables,
            self.buddy,
            population,
            wheel,
            self.rules,
            self.alpha0,
            self.kernels[thread],
            self.bags[thread],
            into,
            seed,
            generation,
            first,
            last,
        )


class GuidedBreeder:
    """Ours: greedy first population, guided growth, polished children."""

    def __init__(
        self,
        settings: Genetic,
        compatibility: Compatibility,
        shape: Shape | None,
        threads: int,
        fragments: Merged | None = None,
    ) -> None:
        pieces = compatibility.pieces
        self.tables = compatibility.tables
        self.guide = settings.guide(compatibility)
        self.random = settings.seeding == "random"
        self.turns = quarter_turns(compatibility)
        self.polish = Polish(settings.cells, settings.coverage, self.turns)
        self.polished = settings.polish
        self.starts = distinctive(best_buddies(self.tables))
        self.nobody = nobody(pieces)
        self.kernels = [kernel_for(compatibility, shape) for _ in range(threads)]
        self.ratings = [make_ratings(pieces) for _ in range(threads)]
        self.mix = settings.mix
        self.fragments = fragments
        self.phases = PhaseBreeder(
            settings.rules(compatibility), settings.alpha0, compatibility, shape, threads
        )

    def begin(self, thread: int, into: Population, seed: int, first: int, last: int) -> None:
        """Fill places with greedy arrangements, or random ones."""
        kernel = self.kernels[thread]
        if self.random:
            breeding.scatter(self.tables, kernel, into, self.turns, seed, first, last)
            return
        if self.fragments:
            self._plant(thread, self.fragments, into, seed, first, last)
            return
        for place in range(first, last):
            breeding.sow(
                self.tables,
                self.starts,
                self.nobody,
                self.guide,
                self.polish,
                kernel,
                self.ratings[thread],
                into,
                seed,
                place,
                place < self.polished,
            )

    def _plant(
        self, thread: int, fragments: Merged, into: Population, seed: int, first: int, last: int
    ) -> None:
        """Fill places with what grows from merged fragments."""
        for place in range(first, last):
            breeding.plant(
                self.tables,
                fragments.piece,
                fragments.cell,
                fragments.joins,
                self.guide,
                self.polish,
                self.kernels[thread],
                self.ratings[thread],
                into,
                seed,
                place,
                place < self.polished,
            )

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
        """Fill places by guided growth, and the share `mix` of them by the paper's crossover."""
        for place in range(first, last):
            by_phases = int(place * self.mix)  # how many of the places up to this one
            if by_phases != int((place - 1) * self.mix):
                self.phases.breed(
                    thread, population, wheel, into, seed, generation, place, place + 1
                )
                continue
            breeding.breed_guided(
                self.tables,
                population,
                wheel,
                self.guide,
                self.polish,
                self.kernels[thread],
                self.ratings[thread],
                into,
                seed,
                generation,
                place,
                place - by_phases <= self.polished,
            )


def distinctive(buddy: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the pieces with the most best buddies: good places to start from."""
    degree = (buddy.reshape(-1, 4) >= 0).sum(axis=1)
    return np.flatnonzero(degree == degree.max()).astype(np.int32)
