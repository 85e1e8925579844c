"""Ours: the paper's genetic solver, guided, then bettered stage by stage.

The frame is that of `tessella.solvers.rika`. A search is a list of stages, each of which takes the
answer so far and gives a better one back: `tessella.stages` has a file for each, with its constants
and where they come from, and `tessella.stages.regimes` the one table that says which of them run
for how many pieces and for which evidence. docs/solvers.md says where it stands what each stage is
worth.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from tessella.arrangement import Arrangement
from tessella.errors import InputError, NameUnknown
from tessella.solving import Covers, Job, Solution
from tessella.stages.evolve import Evolve
from tessella.stages.number import numbered
from tessella.stages.passing import passed
from tessella.stages.regimes import FEW, NAMES, mover, stages_for
from tessella.stages.stage import Answer, Stage
from tessella.stages.unite import wanted
from tessella.wishes.bettering import bettered
from tessella.wishes.obeying import obeyed


@dataclass(frozen=True)
class Genetic:
    """Settings of the genetic solver.

    Attributes
    ----------
    adjust : which post-processing the scores get
    population, patience : chromosomes; generations without a better one before giving up, half as
        many on each of several islands
    islands : how many evolutions there are at most, until three agree on the best; None leaves it
        to the number of pieces
    without : stages to leave out, as in ``move,believe``
    """

    covers: ClassVar[Covers] = Covers(panels=True, wishes=True, begin=True)

    adjust: str = "posterior"
    population: int = 30
    patience: int = 20
    islands: int | None = None
    without: str = ""

    def __post_init__(self) -> None:
        for name in self._left_out():
            if name not in NAMES:
                raise NameUnknown("stage that can be left out", name, NAMES)
        for name in ("population", "patience"):
            if getattr(self, name) < 2:
                raise InputError(f"Setting {name} must be at least 2; got {getattr(self, name)}.")
        if self.islands is not None and self.islands < 1:
            raise InputError(f"Setting islands must be at least 1; got {self.islands}.")

    def solve(self, job: Job) -> Solution:
        """Arrange all pieces; see `tessella.solving.Solver`."""
        if job.begin is not None:
            job = replace(job, begin=numbered(job.begin, job))
        few = job.compatibility.pieces <= FEW and job.panels is None
        anew = replace(self, islands=1)._search if few else None
        return obeyed(job, self._search, self._better, anew)

    def _search(self, job: Job) -> Solution:
        return passed(self.stages(job), job).solution(job)

    def _better(self, arrangement: Arrangement, job: Job, still: tuple[int, ...]) -> Solution:
        """Move segments of an answer, those pieces that wishes hold excepted."""
        compatibility = job.compatibility
        answer = Answer(
            compatibility, arrangement=arrangement, history=(compatibility.fitness(arrangement),)
        )
        if "move" in self._left_out():
            return answer.solution(job)
        move = replace(mover(compatibility.pieces), still=still)
        if wanted(job) and job.evidence.worth is not None:
            answer = bettered(answer, job, move)
        elif job.panels is None:
            answer = move(answer, job)
        return answer.solution(job)

    def stages(self, job: Job) -> tuple[Stage, ...]:
        """Return what a puzzle goes through, with the settings that were made here."""
        chosen = stages_for(job, self._left_out())
        return tuple(self._set(stage) if isinstance(stage, Evolve) else stage for stage in chosen)

    def _set(self, stage: Evolve) -> Evolve:
        changed = replace(stage, population=self.population, patience=self.patience)
        if "move" in self._left_out():
            changed = replace(changed, move=None)
        islands = 1 if "islands" in self._left_out() else self.islands
        return changed if islands is None else replace(changed, islands=islands, settlers=None)

    def _left_out(self) -> tuple[str, ...]:
        return tuple(name.strip() for name in self.without.split(",") if name.strip())
