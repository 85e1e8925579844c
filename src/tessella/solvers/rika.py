"""The enhanced genetic solver of the paper, as written.

D. Rika, D. Sholomon, E. O. David, A. Pais, N. S. Netanyahu, "A Generic Hybrid Framework for 2D
Visual Reconstruction", Sections IV and V-C. Fitness is the sum of compatibilities over all joins;
the first population is random; parents are drawn by roulette; the best chromosome passes on
unchanged. A child is a nucleus (the paper's "kernel") that grows by phases 1.1, 1.2, 2, 3, 4.1, 4.2
and 5, in that order at every placement (`tessella.kernels.crossover`). `genetic` is
this algorithm with what we found better; ``--set strategy=paper`` asks for this one by its old
name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tessella.compatibility import Compatibility
from tessella.errors import InputError, NameUnknown
from tessella.evolution.breeders import PhaseBreeder
from tessella.evolution.loop import Evolution, Limits
from tessella.kernels.crossover import PHASES, Rules
from tessella.solving import Covers, Job, Solution
from tessella.wishes.obeying import obeyed

_ESSENTIAL = ("4.1", "4.2", "5")


@dataclass(frozen=True)
class Rika:
    """Settings of the paper's solver; its numbers are the defaults.

    Attributes
    ----------
    adjust : which post-processing the scores get
    population, elitism, patience : chromosomes; how many of the best pass on unchanged;
        generations without a better one before giving up
    alpha0, alpha_tests : phase 1 takes a piece whose score exceeds alpha = max(alpha0, C_mean),
        asking the added piece or both
    skip1, skip2, mutate : the mutation: phases 1.1 and 1.2 are passed over with chance skip1,
        phases 2 and 3 with skip2, unless mutate is false
    without : phases to leave out, as in ``1.1,1.2``
    """

    covers: ClassVar[Covers] = Covers(wishes=True)

    adjust: str = "minmax"
    population: int = 100
    elitism: int = 1
    patience: int = 50
    alpha0: float = 0.8
    alpha_tests: Literal["added", "both"] = "added"
    skip1: float = 0.1
    skip2: float = 0.2
    mutate: bool = True
    without: str = ""

    def __post_init__(self) -> None:
        for name in (p for p in self.without.split(",") if p.strip()):
            if name.strip() not in PHASES or name.strip() in _ESSENTIAL:
                raise NameUnknown("phase that can be left out", name.strip(), PHASES[:4])
        for name in ("population", "patience"):
            if getattr(self, name) < 2:
                raise InputError(f"Setting {name} must be at least 2; got {getattr(self, name)}.")
        if not 0 <= self.elitism < self.population:
            raise InputError(f"Setting elitism must be 0 to population - 1; got {self.elitism}.")
        for name in ("skip1", "skip2", "alpha0"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"Setting {name} must lie in [0, 1]; got {getattr(self, name)}.")

    def solve(self, job: Job) -> Solution:
        """Arrange all pieces; see `tessella.solving.Solver`."""
        self.covers.check("rika", job)
        return obeyed(job, self._search)

    def _search(self, job: Job) -> Solution:
        searched = job.compatibility
        return Evolution(
            job=job,
            searched=searched,
            breeder=PhaseBreeder(
                self.rules(searched), self.alpha0, searched, job.shape, job.threads
            ),
            limits=Limits(self.population, self.elitism, self.patience),
        ).run()

    def rules(self, compatibility: Compatibility) -> Rules:
        """Return what the crossover follows."""
        left_out = {name.strip() for name in self.without.split(",")}
        phases = sum(1 << i for i, name in enumerate(PHASES) if name not in left_out)
        skips = [self.skip1, self.skip1, self.skip2, self.skip2] if self.mutate else [0.0] * 4
        # Phases 4 and 5 remain intact: no random piece takes the place of phase 4's.
        return Rules(
            phases=phases,
            skip=np.array([round(65536 * s) for s in skips] + [0], np.int64),
            both=int(self.alpha_tests == "both"),
            square=int(compatibility.square),
        )
