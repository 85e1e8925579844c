"""Search by coarse compatibilities, where a wrong join costs less on the way to a right one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tessella.solving import Job
from tessella.stages.stage import Answer


@dataclass(frozen=True)
class Soften:
    """What follows searches by the coarse reading of the scores, if there is one.

    Puzzles of more than 400 pieces only: of smaller ones islands find the fittest all the same
    (docs/experiments/coarse_search.md).
    """

    name: str = "soften"

    def __call__(self, answer: Answer, job: Job) -> Answer:
        """Return the same answer, to be searched more easily."""
        return replace(answer, searched=job.evidence.coarse or answer.searched)
