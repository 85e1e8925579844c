"""A measured puzzle, and what that amounts to as evidence: of all its pieces, or of some alone."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from tessella.blankness import blank_edges
from tessella.evidence import Evidence, gather
from tessella.measuring import Learned, Measure
from tessella.measuring import measure as ask
from tessella.odds import calibration_of
from tessella.plan import Adjustment
from tessella.puzzle import Puzzle
from tessella.remeasure import remeasure
from tessella.scores import Scores


@dataclass(frozen=True, eq=False)
class Measured:
    """A puzzle whose pairs of edges have scores: what adjustments work on.

    Attributes
    ----------
    puzzle : as it was given
    measure : with everything chosen that it left to the puzzle
    scores : of the pieces of `seen`
    seen : the puzzle with its pieces in the order in which they were measured
    order : piece k of `seen` is piece ``order[k]`` of `puzzle`, int32 ``(N,)``
    keep : how many candidates of an edge were asked for; None: all
    seed : of that order
    began : when, by `time.monotonic`
    seconds : wall time that it took
    """

    puzzle: Puzzle
    measure: Measure | Learned
    scores: Scores
    seen: Puzzle
    order: NDArray[np.int32]
    keep: int | None
    seed: int
    began: float
    seconds: float

    def adjusted(self, by: Adjustment, threads: int | None = None) -> Evidence:
        """Return what is known of the pieces of `seen`, as solvers see it."""
        return gather(
            self.scores,
            by,
            remeasure=remeasure(self.seen, self.scores, self.measure),
            calibration=calibration_of(self.measure),
            blanks=partial(blank_edges, self.seen),
            anew=_Anew(self, by),
            threads=threads,
        )

    def alone(self, pieces: NDArray[np.intp], threads: int | None = None) -> Measured:
        """Return some pieces of `seen` measured as a puzzle of their own, in that order.

        Lists of all pieces lack what is akin where others fit as well, and every list of a part
        has room for it. Networks are not asked again: that would take as long as the first time.
        """
        part = replace(self.seen, shape=None).reordered(np.asarray(pieces, np.int32))
        if isinstance(self.measure, Learned):
            scores = self.scores.part(pieces)
        else:
            scores = ask(part, self.measure, keep=self.keep, threads=threads)
        return replace(self, puzzle=part, seen=part, scores=scores)

    def portable(self) -> Measured:
        """Return as much as `alone` needs."""
        asked = isinstance(self.measure, Learned)
        scores = self.scores if asked else self.scores.part(np.empty(0, np.intp))
        return replace(self, puzzle=self.seen, scores=scores)


@dataclass(frozen=True, eq=False)
class _Anew:
    """Measures some of the pieces alone, as evidence of theirs; travels to other processes."""

    measured: Measured
    by: Adjustment
    turn: Lock = field(default_factory=Lock)

    def __call__(self, pieces: NDArray[np.intp], threads: int | None) -> Evidence:
        with self.turn:  # How many threads libraries may use is a matter of the whole process.
            return self.measured.alone(pieces, threads).adjusted(self.by, threads)

    def __reduce__(self) -> tuple[type[_Anew], tuple[Measured, Adjustment]]:
        return _Anew, (self.measured.portable(), self.by)
