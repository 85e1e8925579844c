"""A result: the answer to a puzzle with everything needed to judge and repeat it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tessella.arrangement import Arrangement
from tessella.compatibility import Compatibility
from tessella.confidence import Join
from tessella.odds import Odds
from tessella.recall import Estimate
from tessella.watch import Generation


@dataclass(frozen=True, eq=False)
class Result:
    """What `tessella.solve` returns.

    Attributes
    ----------
    arrangement : the best arrangement found, by fitness, or by worth where there are `worths`
    fitness : its sum of compatibilities over all joins
    odds : chances over every candidate and nobody, by which joins are judged
    worth : the same by odds, with nobody as an alternative (`tessella.odds`)
    compatibility : what the solver saw
    joins : every join of the arrangement with its confidence
    runs : the fitness of every independent run
    worths : the worth of every run, where cells may stay empty and the solver goes by worth
    history : the best fitness after every generation, one tuple a run (iterative solvers)
    evolution : generations with snapshots of the best run, oldest first (iterative solvers)
    recall : of a learned measure's shortlist, by the answer; None where all pairs were scored
    stopped : True when a limit or a person ended the work early
    settings : everything that was chosen: measure, solver, their settings, seed
    seconds : wall time of every stage
    """

    arrangement: Arrangement
    fitness: float
    compatibility: Compatibility
    joins: tuple[Join, ...]
    runs: tuple[float, ...]
    history: tuple[tuple[float, ...], ...] = ()
    evolution: tuple[Generation, ...] = ()
    stopped: bool = False
    worth: float | None = None
    worths: tuple[float, ...] = ()
    odds: Odds | None = None
    recall: Estimate | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def chosen(self) -> int:
        """The run that the answer is of, from 0; the earliest of equals."""
        values = self.worths or self.runs
        return values.index(max(values))

    @property
    def measure(self) -> str:
        """The name of what measured; empty where nobody says."""
        measure = self.settings.get("measure", "")
        return str(measure["name"] if isinstance(measure, dict) else measure)

    def to_json(self) -> dict[str, Any]:
        """Return what ``run.json`` holds (its provenance is added by the writer)."""
        return {
            "settings": self.settings,
            "fitness": self.fitness,
            "worth": self.worth,
            **({} if self.recall is None else {"recall": self.recall.to_json()}),
            "runs": [
                {"fitness": fitness} | ({"worth": self.worths[k]} if self.worths else {})
                for k, fitness in enumerate(self.runs)
            ],
            "history": [list(run) for run in self.history],
            "stopped": self.stopped,
            "seconds": self.seconds,
        }
