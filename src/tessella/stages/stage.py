"""What a stage is: it takes the answer so far and gives a better one back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tessella.arrangement import Arrangement
from tessella.compatibility import Compatibility
from tessella.solving import Job, Solution

if TYPE_CHECKING:
    from tessella.stages.merge import Merged


@dataclass(frozen=True, eq=False)
class Answer:
    """What the stages have come to so far.

    Attributes
    ----------
    searched : the compatibilities by which the search goes: the job's own, or its coarse ones
    merged : the fragments that the search lays as wholes; None where nothing was merged
    arrangement : the best so far; None before the first evolution
    history : see `tessella.solving.Solution`
    stopped : whether the job was stopped; no later stage does anything then
    """

    searched: Compatibility
    merged: Merged | None = None
    arrangement: Arrangement | None = None
    history: tuple[float, ...] = ()
    stopped: bool = False

    @property
    def open(self) -> bool:
        """Whether there is an arrangement and time to better it."""
        return self.arrangement is not None and not self.stopped

    def solution(self, job: Job) -> Solution:
        """Return the answer as solvers give it."""
        assert self.arrangement is not None
        fitness = job.compatibility.fitness(self.arrangement)
        return Solution(self.arrangement, fitness, self.history, self.stopped)


class Stage(Protocol):
    """A frozen dataclass whose fields are its constants."""

    @property
    def name(self) -> str:
        """By which the setting ``without`` leaves it out."""

    def __call__(self, answer: Answer, job: Job) -> Answer:
        """Return a better answer, or the same."""
