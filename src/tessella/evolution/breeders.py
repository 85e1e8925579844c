"""Who makes the chromosomes of the genetic solvers: by the paper's phases, or guided."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tessella.compatibility import Compatibility
from tessella.evolution.loop import nucleus_for, quarter_turns
from tessella.kernels import breeding
from tessella.kernels.breeding import Population
from tessella.kernels.buddies import best_buddies
from tessella.kernels.crossover import Rules, make_bags
from tessella.kernels.growth import Guide, make_ratings, nobody
from tessella.puzzle import Shape

if TYPE_CHECKING:
    from tessella.stages.merge import Merged


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
        self.nuclei = [nucleus_for(compatibility, shape) for _ in range(threads)]
        self.bags = [make_bags(compatibility.pieces) for _ in range(threads)]

    def begin(self, thread: int, into: Population, seed: int, first: int, last: int) -> None:
        """Fill places with random arrangements."""
        nucleus = self.nuclei[thread]
        breeding.scatter(self.tables, nucleus, into, self.turns, seed, first, last)

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
        mix: float = 1.0,
    ) -> None:
        """Fill the share `mix` of places by crossover."""
        breeding.breed(
            self.tables,
            self.buddy,
            population,
            wheel,
            self.rules,
            self.alpha0,
            self.nuclei[thread],
            self.bags[thread],
            into,
            seed,
            generation,
            first,
            last,
            mix,
        )


class GuidedBreeder:
    """Ours: greedy first population, guided growth; a share of the children is the paper's."""

    def __init__(
        self,
        guide: Guide,
        mix: float,
        phases: PhaseBreeder,
        compatibility: Compatibility,
        fragments: Merged | None = None,
    ) -> None:
        self.guide = guide
        self.mix = mix
        self.phases = phases
        self.fragments = fragments
        self.tables = compatibility.tables
        self.starts = distinctive(phases.buddy)
        self.nobody = nobody(compatibility.pieces)
        self.nuclei = phases.nuclei
        self.ratings = [make_ratings(compatibility.pieces) for _ in self.nuclei]

    def begin(self, thread: int, into: Population, seed: int, first: int, last: int) -> None:
        """Fill places with greedy arrangements, or with what grows from merged fragments."""
        tables, guide, nucleus = self.tables, self.guide, self.nuclei[thread]
        ratings, merged = self.ratings[thread], self.fragments
        for place in range(first, last):
            if merged is None:
                breeding.sow(
                    tables, self.starts, self.nobody, guide, nucleus, ratings, into, seed, place
                )
            else:
                breeding.plant(
                    tables, merged.piece, merged.cell, merged.joins,
                    guide, nucleus, ratings, into, seed, place,
                )  # fmt: skip

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
        # Two calls for all of them: a call takes as long as the growth of a small child.
        self.phases.breed(
            thread, population, wheel, into, seed, generation, first, last, mix=self.mix
        )
        breeding.breed_guided(
            self.tables,
            population,
            wheel,
            self.guide,
            self.nuclei[thread],
            self.ratings[thread],
            into,
            seed,
            generation,
            first,
            last,
            self.mix,
        )


def distinctive(buddy: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the pieces with the most best buddies: good places to start from."""
    degree = (buddy.reshape(-1, 4) >= 0).sum(axis=1)
    return np.flatnonzero(degree == degree.max()).astype(np.int32)
