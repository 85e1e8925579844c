"""Which stages run: one table, by the number of pieces and by what the evidence holds.

docs/solvers.md says where it stands what each stage is worth.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import partial

from tessella.solving import Job
from tessella.stages.again import Again
from tessella.stages.complete import Complete
from tessella.stages.evolve import Evolve
from tessella.stages.exchange import Exchange
from tessella.stages.frame import Frame
from tessella.stages.merge import Merge
from tessella.stages.move import FAR, Move
from tessella.stages.number import Number
from tessella.stages.roll import Roll
from tessella.stages.soften import Soften
from tessella.stages.stage import Answer, Stage
from tessella.stages.unite import Unite, wanted

NAMES = (
    "soften",
    "merge",
    "islands",
    "roll",
    "move",
    "exchange",
    "mend",
    "believe",
    "unite",
    "frame",
    "complete",
    "again",
)
"""What can be left out; evolution itself cannot."""


@dataclass(frozen=True)
class Regime:
    """The stages of puzzles of at most `most` pieces, None being any number.

    Attributes
    ----------
    coarse : whether it is for evidence with coarse compatibilities (True), without (False), or
        for either (None)
    """

    most: int | None
    coarse: bool | None
    stages: tuple[Stage, ...]

    def fits(self, pieces: int, coarse: bool) -> bool:
        """Say whether the regime is for such a puzzle."""
        return (self.most is None or pieces <= self.most) and self.coarse in (None, coarse)


@dataclass(frozen=True)
class _Believe:
    """Loads `tessella.stages.believe` when its turn comes: it takes much of scipy along."""

    name: str = "believe"

    def __call__(self, answer: Answer, job: Job) -> Answer:
        from tessella.stages.believe import Believe

        return Believe()(answer, job)


_ISLANDS = Evolve(islands=24, settlers=4000, move=Move(portions=1, tries=12))
_LONG = Move(times=4)
_MEND = replace(FAR, name="mend", counts="sharpened", heat=0.3, portions=16)
"""Puts right what merging did wrong: firm joins count nothing more."""

_UNITE = Unite()
"""Where there may be holes or several pictures, after all others: what is worth more is taken."""

FEW = 1000
"""Up to so many pieces a search from nothing takes seconds, and may follow a few answers."""

LARGE = 4096
"""Beyond so many pieces not every score is kept, fragments are merged, and moves go far."""

REGIMES = (
    Regime(400, None, (_ISLANDS, Move(), Exchange())),
    Regime(600, False, (_ISLANDS, _LONG, Exchange())),
    Regime(LARGE, False, (Evolve(), Move(), Exchange())),
    Regime(LARGE, True, (Soften(), Evolve(), _LONG, replace(_LONG, counts="own"), Exchange())),
    Regime(None, False, (Merge(), Evolve(), Roll(), FAR, _MEND, _Believe())),
    Regime(None, True, (Soften(), Merge(), Evolve(), FAR, replace(FAR, counts="own"))),
)
"""The first that fits is taken."""


def mover(pieces: int) -> Move:
    """Return what betters an answer that was given."""
    return FAR if pieces > LARGE else Move()


def stages_for(job: Job, without: Collection[str] = ()) -> tuple[Stage, ...]:
    """Return the stages for a puzzle, less those that are named in `without`.

    Several panels are united, and each completed by the stages of one picture; in the end there are
    no more than were told.
    """
    alone = partial(_alone, without=without)
    if job.panels is not None:  # Nothing but uniting sorts them, so it stays.
        last: tuple[Stage, ...] = () if "complete" in without else (Complete(alone),)
        if "again" not in without:
            last = (*last, Again(partial(stages_for, without=(*without, "again"))))
        return (_UNITE, *last, Number())
    ends: tuple[Stage, ...] = (_UNITE,) if wanted(job) else ()
    if job.shape is None:
        ends = (*ends, Frame(alone))
    return (*alone(job), *(stage for stage in ends if stage.name not in without))


def _alone(job: Job, without: Collection[str]) -> tuple[Stage, ...]:
    """Return the stages of one picture without holes."""
    coarse = job.evidence.coarse is not None and "soften" not in without
    pieces = job.compatibility.pieces
    regime = next(regime for regime in REGIMES if regime.fits(pieces, coarse))
    return tuple(stage for stage in regime.stages if stage.name not in without)
