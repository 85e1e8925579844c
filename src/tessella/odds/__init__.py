"""Odds: what scores are worth, with nobody as an alternative.

`calibration` says what a lead in score means for a measure or model, `chances` turns scores into
chances over every candidate and nobody, `worth` counts arrangements by them,
`sure` names the joins that hardly anything speaks against.
"""

from tessella.odds.calibration import Calibration, calibration_of
from tessella.odds.chances import Odds, odds_of
from tessella.odds.sure import Sure
from tessella.odds.worth import Worth

__all__ = ["Calibration", "Odds", "Sure", "Worth", "calibration_of", "odds_of"]
