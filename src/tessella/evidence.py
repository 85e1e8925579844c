"""Evidence: all that a solver goes by. Compatibilities, and where there is more to ask, who tells.

`Compatibility` is data. What comes along with it is here: the same scores read more coarsely, where
searching is easier, and a way back to the pixels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tessella import registry
from tessella.compatibility import Compatibility
from tessella.odds import Calibration, Odds, Worth, odds_of
from tessella.odds.informed import informed
from tessella.plan import Adjustment
from tessella.scores import Scores
from tessella.wishes.wish import Wishes

Remeasure = Callable[[NDArray[np.int32], int, int | None], NDArray[np.float32]]
"""Given pieces, a side and a number of threads: the score of every pair of them, ``(M, M)``."""


Blanks = Callable[[], NDArray[np.int32]]
"""Tells the colour of edges that have one alone, and -1 of all others, ``(4N,)``."""

Anew = Callable[[NDArray[np.intp], int | None], "Evidence"]
"""Given pieces and a number of threads: what is known of them as a puzzle of their own."""


class Change(Protocol):
    """What wishes make of what is known."""

    def applied(self, compatibility: Compatibility) -> Compatibility:
        """Return compatibilities as far as wishes leave them."""

    def guided(self, evidence: Evidence) -> Evidence:
        """Return evidence as far as wishes leave it."""

    def part(self, pieces: NDArray[np.intp]) -> Change:
        """Return what is made of some pieces alone, piece ``pieces[i]`` being called i."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known of how the pieces of a puzzle fit.

    Attributes
    ----------
    compatibility : by which an answer is judged
    coarse : the same scores adjusted so that a wrong join costs less, where searching is easier,
        though what is fittest there need not be so by `compatibility`; or None
    remeasure : tells the scores of every pair of some pieces, where `compatibility` only lists the
        best (`tessella.remeasure`); or None
    scores, calibration : what the measure said, and how that is read as odds; None where nobody
        said
    wished : the evidence before wishes changed it, and how; None where nobody wished anything
    adjustment : made `compatibility` of `scores`; None where nobody says
    blanks : tells which edges are of one colour (`tessella.blankness`); or None
    anew : measures some of the pieces alone (`tessella.measured.Measured.alone`); or None
    """

    compatibility: Compatibility
    coarse: Compatibility | None = None
    remeasure: Remeasure | None = None
    scores: Scores | None = None
    calibration: Calibration | None = None
    wished: tuple[Evidence, Change] | None = None
    adjustment: Adjustment | None = None
    blanks: Blanks | None = None
    anew: Anew | None = None

    @cached_property
    def blank(self) -> NDArray[np.int32]:
        """The colour of edges that have one alone, -1 of all others and where nobody says."""
        if self.blanks is None:
            return np.full(4 * self.compatibility.pieces, -1, np.int32)
        return self.blanks()

    @cached_property
    def odds(self) -> Odds | None:
        """Chances over every candidate and nobody."""
        if self.scores is None or self.calibration is None:
            return None
        return odds_of(self.calibration.heard(self.scores), self.calibration)

    def informed(self, wishes: Wishes | None) -> Odds | None:
        """Return the odds once `wishes` have told which edges lie, or do not lie, together."""
        if not wishes or self.scores is None or self.calibration is None:
            return self.odds
        pairs = wishes.joined, wishes.forbidden
        return informed(self.scores, self.calibration, *pairs, plain=self.odds)

    @cached_property
    def worth(self) -> Worth | None:
        """What joins are worth by these chances."""
        if self.wished is not None:
            before, change = self.wished
            plain = before.worth
            return plain and replace(plain, compatibility=change.applied(plain.compatibility))
        return None if self.odds is None else Worth.by(self.odds)

    def part(self, pieces: NDArray[np.intp], threads: int | None = None) -> Evidence:
        """Return what is known of some pieces alone, piece ``pieces[i]`` being called i.

        Candidates elsewhere are no rivals any more, so pieces are measured as a puzzle of their own
        where that is possible; else chances are read anew. What wishes made of compatibilities
        stays, or is made of the new ones.
        """
        if self.anew is not None:
            alone = self.anew(pieces, threads)
            return alone if self.wished is None else self.wished[1].part(pieces).guided(alone)
        again = self.remeasure
        names = np.asarray(pieces, np.int32)

        def asked(some: NDArray[np.int32], side: int, threads: int | None) -> NDArray[np.float32]:
            assert again is not None
            return again(names[some], side, threads)

        return Evidence(
            compatibility=self.compatibility.part(pieces),
            coarse=self.coarse and self.coarse.part(pieces),
            remeasure=again and asked,
            scores=self.scores and self.scores.part(pieces),
            calibration=self.calibration,
        )

    def portable(self) -> Evidence:
        """Return what tells other processes as much of some of the pieces as `part` does."""
        if self.anew is not None:
            nobody = Evidence(self.compatibility.part(np.empty(0, np.intp)), anew=self.anew)
            return (
                nobody if self.wished is None else replace(nobody, wished=(nobody, self.wished[1]))
            )
        return replace(self, wished=None, blanks=None, anew=None)


def gather(
    scores: Scores,
    adjustment: Adjustment,
    remeasure: Remeasure | None = None,
    calibration: Calibration | None = None,
    blanks: Blanks | None = None,
    anew: Anew | None = None,
    threads: int | None = None,
) -> Evidence:
    """Return what `scores` amount to by `adjustment`.

    An adjustment under which a search is hard names an easier one in a class variable ``coarse``;
    of scores that are no distances, both are made.
    """
    name = getattr(adjustment, "coarse", None)
    easier = None if name is None or scores.distance else registry.make("adjustment", name)
    return Evidence(
        compatibility=adjustment.adjust(scores, threads),
        coarse=None if easier is None else easier.adjust(scores, threads),
        remeasure=remeasure,
        scores=scores,
        calibration=calibration,
        adjustment=adjustment,
        blanks=blanks,
        anew=anew,
    )
