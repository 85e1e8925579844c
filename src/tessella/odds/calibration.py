"""What a lead in score means: two numbers a measure or model, fitted on validation pictures.

A measure says so in ``calibration``, a model in the facts of its file, where training leaves it.
Whoever says nothing gets a stated, safe default: that of the kind of scores it gives.
`tessella.odds.fitting` fits them (docs/experiments/confidence.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tessella.errors import InputError
from tessella.scores import Scores

FACT = "calibration"
"""What the facts of a model's file call it."""


@dataclass(frozen=True)
class Calibration:
    """How leads in score become odds.

    Attributes
    ----------
    slope : by how much the logarithm of a candidate's odds rises with its lead, the score less that
        of the best rival
    offset : the lead, times `slope`, at which a partner is as likely as nobody, where nobody is as
        usual as not
    fitted : whether this was seen on validation pictures; what is only guessed must show more
        before it overrules another answer
    levelled : whether scores are compared within an edge alone: networks that were trained to tell
        the right candidate of an edge from the others give every edge a level of its own, which
        says nothing, and would drown all leads when both edges of a pair are averaged
    """

    slope: float
    offset: float
    fitted: bool = True
    levelled: bool = False

    def __post_init__(self) -> None:
        if not self.slope > 0:
            raise InputError(f"A calibration's slope must be greater than 0; got {self.slope}.")

    def heard(self, scores: Scores) -> Scores:
        """Return `scores` as they are compared: less every edge's best if levels say nothing."""
        if not self.levelled:
            return scores
        best = np.where(np.isfinite(scores.hi), scores.hi, 0)[:, None]
        return replace(scores, score=scores.score - best)

    def to_json(self) -> dict[str, Any]:
        """Return what the facts of a model's file hold."""
        return {
            "slope": round(self.slope, 3),
            "offset": round(self.offset, 3),
            "levelled": self.levelled,
        }


DISTANCES = Calibration(slope=4.0, offset=2.7, fitted=False)
"""Of measures that say ``-log(1 + d)`` of a distance and nothing of how to read it."""

LOGARITHMS = Calibration(slope=0.7, offset=2.7, fitted=False, levelled=True)
"""Of measures whose scores are no distances, and who say nothing of how to read them: trusted by
half of what the shipped models deserve, since scores of one who was trained on other pictures lead
by too much."""


def calibration_of(measure: Any) -> Calibration:
    """Return how the scores of `measure` are read."""
    said = getattr(measure, "calibration", None)
    if isinstance(said, Calibration):
        return said
    return DISTANCES if measure.distance else LOGARITHMS


def calibration_in(facts: Mapping[str, Any], otherwise: Calibration = LOGARITHMS) -> Calibration:
    """Return how the scores of a model are read, by the facts of its file."""
    said = facts.get(FACT)
    return otherwise if said is None else Calibration(**said)
