"""What a lead in score means: two numbers a measure or model, fitted on validation pictures.

A measure says so in a class variable ``calibration``, a model in the facts of its file. Whoever
says nothing gets a stated, safe default: that of the kind of scores it gives.
``scripts/calibrate.py`` fits them (docs/experiments/odds.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tessella.errors import InputError


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
    """

    slope: float
    offset: float
    fitted: bool = True

    def __post_init__(self) -> None:
        if not self.slope > 0:
            raise InputError(f"A calibration's slope must be greater than 0; got {self.slope}.")


DISTANCES = Calibration(slope=4.0, offset=2.7, fitted=False)
"""Of measures that say ``-log(1 + d)`` of a distance and nothing of how to read it."""

LOGARITHMS = Calibration(slope=0.5, offset=2.7, fitted=False)
"""Of measures whose scores are no distances, and who say nothing of how to read them: trusted by
half, since scores of one who was trained on other pictures lead by too much."""


def calibration_of(measure: Any) -> Calibration:
    """Return how the scores of `measure` are read."""
    said = getattr(measure, "calibration", None)
    if isinstance(said, Calibration):
        return said
    return DISTANCES if measure.distance else LOGARITHMS
