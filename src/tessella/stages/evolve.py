"""Evolution: guided growth beside the paper's crossover, on one island or several.

The paper's frame is kept (Rika et al., Section IV): fitness is the sum of compatibilities, parents
are drawn by roulette, the best passes on unchanged. What is ours: the first population is grown
greedily, or from merged fragments, instead of being drawn at random, and a third of the children
come from a crossover that always makes the surest placement next (`tessella.kernels.growth`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tessella.evolution.breeders import GuidedBreeder, PhaseBreeder
from tessella.evolution.islands import Islands
from tessella.evolution.loop import Evolution, Limits
from tessella.kernels.growth import Guide
from tessella.solvers.rika import Rika
from tessella.solving import Job, Solution
from tessella.stages.merge import strengthened
from tessella.stages.move import Move
from tessella.stages.stage import Answer


@dataclass(frozen=True)
class Evolve:
    """Constants of the evolution; chosen on Kodak photographs (docs/experiments/guided_search.md).

    Attributes
    ----------
    population, elitism, patience : chromosomes; how many of the best pass on unchanged;
        generations without a better one before giving up, half as many on each of several islands
    mix : the share of children that the paper's crossover makes
    margin, inherit, noise, depth : see `tessella.kernels.growth.Guide`
    islands : evolutions there are at most, until three agree on the best
    settlers : no more islands than have so many pieces together, so that a small puzzle takes no
        longer than a larger one
    move : of the answer of each of several islands, before they are compared; None: none
    """

    name: str = "evolve"
    population: int = 30
    elitism: int = 1
    patience: int = 20
    mix: float = 0.67
    margin: float = 1.0
    inherit: float = 0.4
    noise: float = 0.05
    depth: int = 4
    islands: int = 1
    settlers: int | None = None
    move: Move | None = None

    def __call__(self, answer: Answer, job: Job) -> Answer:
        """Return the best of what evolves, whatever came before."""
        searched = answer.searched
        if answer.merged:
            searched = strengthened(searched, answer.merged.joins.neighbor)
        most = self._most(searched.pieces)
        patience = self.patience if most == 1 else -(-self.patience // 2)
        paper = Rika()
        phases = PhaseBreeder(paper.rules(searched), paper.alpha0, searched, job.shape, job.threads)
        guide = Guide(self.margin, self.inherit, self.noise, self.depth, int(searched.square))
        evolution = Evolution(
            job=job,
            searched=searched,
            breeder=GuidedBreeder(guide, self.mix, phases, searched, answer.merged),
            limits=Limits(self.population, self.elitism, patience),
        )

        def better(found: Solution, own: Job) -> Solution:
            moved = self.move and self.move(_taken(answer, found), own)
            return moved.solution(own) if moved else found

        return _taken(answer, Islands(evolution, most, better).run())

    def _most(self, pieces: int) -> int:
        """Return how many islands there are at most."""
        if self.settlers is None:
            return self.islands
        return max(1, min(self.islands, self.settlers // pieces))


def _taken(answer: Answer, found: Solution) -> Answer:
    return replace(
        answer, arrangement=found.arrangement, history=found.history, stopped=found.stopped
    )
