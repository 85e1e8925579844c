"""Fit what a lead in a measure's score means: slope and offset of `tessella.odds.Calibration`.

    python scripts/calibrate.py mgc PICTURE... [--piece 28] [--eroded 0] [--turned] [--set K=V]

Every picture is cut with nothing, a tenth, three tenths and half of its pieces missing. The chance
of every edge's true partner, or of nobody where it has none, is made as large as can be, the share
of edges without a partner being estimated as for any other puzzle. Prints the two numbers and how
often what is so sure is right, for docs/experiments/odds.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from tessella import api
from tessella.imaging.cut import cut_panels
from tessella.imaging.read import read_image
from tessella.measuring import Learned, Measure
from tessella.odds import Calibration, odds_of
from tessella.plan import make_plan
from tessella.scores import Scores
from tessella.truth import Truth

MISSING = (0.0, 0.1, 0.3, 0.5)

Case = tuple[Scores, NDArray[np.int32]]


def partners(truth: Truth) -> NDArray[np.int32]:
    """Return the true partner of every edge, -1 where it has none, ``(4N,)``."""
    found = np.full(4 * truth.pieces, -1, np.int32)
    joins = truth.arrangement.joins()
    found[joins[:, 0]], found[joins[:, 1]] = joins[:, 1], joins[:, 0]
    return found


def cases(
    paths: Sequence[Path], by: Measure | Learned, piece: int, eroded: int, turned: bool
) -> list[Case]:
    """Return scores and true partners of every picture, with more and more of it missing."""
    made = []
    for number, path in enumerate(paths):
        picture = read_image(path)
        for missing in MISSING:
            puzzle, truth = cut_panels(
                [picture], piece, missing=missing, turned=turned, erode=eroded, seed=number
            )
            measured = api.measure(puzzle, by, shuffled=True)
            made.append((measured.scores, partners(truth)))
    return made


def chances_of(
    scores: Scores, true: NDArray[np.int32], by: Calibration
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64]]:
    """Return the chance of every listed pair, whether it is true, and that of what is so."""
    odds = odds_of(scores, by)
    pair, nobody = odds.chances()
    edge = odds.edge()
    right = true[edge] == odds.partner
    told = np.where(true < 0, nobody, 0.0)
    told[edge[right]] = pair[right]
    return pair, right, told


def lost(values: NDArray[np.float64], made: list[Case]) -> float:
    """Return the mean surprise at what is so; less is better."""
    by = Calibration(float(np.exp(values[0])), float(values[1]))
    told = [chances_of(scores, true, by)[2] for scores, true in made]
    return -float(np.log(np.maximum(np.concatenate(told), 1e-4)).mean())


def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("measure")
    parser.add_argument("pictures", nargs="+", type=Path)
    parser.add_argument("--piece", type=int, default=28)
    parser.add_argument("--eroded", type=int, default=0)
    parser.add_argument("--turned", action="store_true")
    parser.add_argument("--set", action="append", default=[])
    given = parser.parse_args()
    settings = dict(pair.split("=", 1) for pair in given.set)
    by = make_plan(given.measure, "genetic", settings).measure
    made = cases(given.pictures, by, given.piece, given.eroded, given.turned)
    begin = [np.log(6.0 if by.distance else 1.0), 1.0]
    found = minimize(lost, begin, args=(made,), method="Nelder-Mead", options={"xatol": 0.02})
    best = Calibration(float(np.exp(found.x[0])), float(found.x[1]))
    print(f"slope {best.slope:.2f} offset {best.offset:.2f} surprise {found.fun:.4f}")
    every = [chances_of(scores, true, best) for scores, true in made]
    pair, right = (np.concatenate([each[k] for each in every]) for k in (0, 1))
    for low in np.arange(0.0, 1.0, 0.1):
        some = (pair >= max(low, 0.02)) & (pair < low + 0.1)
        if some.any():
            print(f"{pair[some].mean():.2f} said, {right[some].mean():.2f} right, {some.sum()}")


if __name__ == "__main__":
    main()
