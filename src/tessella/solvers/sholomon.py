"""Sholomon's genetic solver of 2013, on the same kernels as `rika`.

D. Sholomon, O. David, N. S. Netanyahu, "A genetic algorithm-based solver for very large jigsaw
puzzles", CVPR 2013. A nucleus grows from one piece by three phases: a join that both parents have,
else a best-buddy join that one parent has, else the most compatible piece that is available at a
random free edge. Phases 1 and 3 are passed over with a small chance, which is the paper's mutation;
a passed-over phase 3 places a random piece.

The paper's compatibility is a distance that fitness sums up and selection turns round; here, as
everywhere in this package, fitness is the sum of compatibilities and parents are drawn by it. The
paper bounds the run at 100 generations; here it also ends when nothing has improved for `patience`
of them. Turned pieces and unknown shapes, which the 2013 paper does not treat, work as in
`rika`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tessella.compatibility import Compatibility
from tessella.errors import InputError
from tessella.evolution.breeders import PhaseBreeder
from tessella.evolution.loop import Evolution, Limits
from tessella.kernels.crossover import PHASES, Rules
from tessella.solving import Covers, Job, Solution

_OURS = ("2", "3", "4.1", "5")
"""The three phases, by the names they have in `rika`; 5 places a random piece."""


@dataclass(frozen=True)
class Sholomon:
    """Settings of the 2013 genetic solver.

    Attributes
    ----------
    adjust : which post-processing the scores get
    population, elitism, patience : chromosomes; how many of the best pass on unchanged;
        generations without a better one before giving up
    mutate_shared, mutate_greedy : chance of passing over the first phase at a placement, and of a
        random piece instead of the third phase's
    """

    covers: ClassVar[Covers] = Covers()

    adjust: str = "minmax"
    population: int = 300
    elitism: int = 4
    patience: int = 30
    mutate_shared: float = 0.001
    mutate_greedy: float = 0.005

    def __post_init__(self) -> None:
        if self.population < 2 or self.patience < 1:
            raise InputError(
                "Settings population and patience must be at least 2 and 1; "
                f"got {self.population} and {self.patience}."
            )
        if not 0 <= self.elitism < self.population:
            raise InputError(f"Setting elitism must be 0 to population - 1; got {self.elitism}.")
        for name in ("mutate_shared", "mutate_greedy"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"Setting {name} must lie in [0, 1]; got {getattr(self, name)}.")

    def solve(self, job: Job) -> Solution:
        """Arrange all pieces; see `tessella.solving.Solver`."""
        self.covers.check("sholomon", job)
        searched = job.compatibility
        return Evolution(
            job=job,
            searched=searched,
            breeder=PhaseBreeder(self.rules(searched), 1.0, searched, job.shape, job.threads),
            limits=Limits(self.population, self.elitism, self.patience),
        ).run()

    def rules(self, compatibility: Compatibility) -> Rules:
        """Return what the crossover follows."""
        skips = [0.0, 0.0, self.mutate_shared, 0.0, self.mutate_greedy]
        return Rules(
            phases=sum(1 << PHASES.index(name) for name in _OURS),
            skip=np.array([round(65536 * s) for s in skips], np.int64),
            both=0,
            square=int(compatibility.square),
        )
