"""Fitting a calibration: the two numbers by which what is so surprises least.

Of puzzles whose truth is known, the chance of every edge's true partner, or of nobody where it has
none, is made as large as can be; the share of edges without a partner is estimated as for any other
puzzle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tessella.odds.calibration import Calibration
from tessella.odds.chances import odds_of
from tessella.scores import Scores

LEAST = 1e-4
"""Chances below this are all alike: one blunder shall not decide."""

_STEPS = 80
_BEGIN = {True: 6.0, False: 1.0}
"""Slopes to begin with, of distances and of others."""


@dataclass(frozen=True, eq=False)
class Case:
    """What a measure said of a puzzle, and the true partner of every edge, -1 for none."""

    scores: Scores
    partner: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Told:
    """What chances a calibration gives.

    Attributes
    ----------
    chance, right : of every listed pair, and whether it is true, ``(M,)``
    truth : the chance of what is so for every edge, ``(4N,)``
    """

    chance: NDArray[np.float64]
    right: NDArray[np.bool_]
    truth: NDArray[np.float64]


def chances_of(case: Case, by: Calibration) -> Told:
    """Return what chances `by` gives of a case."""
    odds = odds_of(by.heard(case.scores), by)
    chance, nobody = odds.chances()
    edge = odds.edge()
    right = case.partner[edge] == odds.partner
    truth = np.where(case.partner < 0, nobody, 0.0)
    truth[edge[right]] = chance[right]
    return Told(chance, right, truth)


def surprise(cases: Sequence[Case], by: Calibration) -> float:
    """Return the mean surprise at what is so, in nats; less is better."""
    every = np.concatenate([chances_of(case, by).truth for case in cases])
    return -float(np.log(np.maximum(every, LEAST)).mean())


def fit(cases: Sequence[Case], levelled: bool | None = None) -> Calibration:
    """Return the calibration by which `cases` surprise least.

    Parameters
    ----------
    levelled : whether scores are compared within an edge alone; None: unless they are distances
    """
    from scipy.optimize import minimize

    distance = cases[0].scores.distance
    level = not distance if levelled is None else levelled

    def made(values: NDArray[np.float64]) -> Calibration:
        return Calibration(float(np.exp(values[0])), float(values[1]), levelled=level)

    begin = np.array([np.log(_BEGIN[distance]), 1.0])
    best = minimize(
        lambda values: surprise(cases, made(values)),
        begin,
        method="Nelder-Mead",
        options={
            "xatol": 0.02,
            "fatol": 1e-4,
            "maxfev": _STEPS,
            # Left to itself the search begins with a share of each number, and log 1 is 0.
            "initial_simplex": begin + np.array([[0.0, 0.0], [0.7, 0.0], [0.0, 0.7]]),
        },
    )
    return made(best.x)
