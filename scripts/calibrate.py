"""Fit what a lead in score means: slope and offset of `tessella.odds.Calibration`.

    python scripts/calibrate.py ANSWERS [--only "worn dlcm"] [--into MODEL.npz] [--plot FILE.png]

ANSWERS is a folder that scripts/collect_answers.py filled; --only takes kinds whose names begin so,
which should be of one measure and model. Prints the two numbers, how much what is so surprises by
them, and how often what is said to be so likely is right (docs/experiments/confidence.md). --into
writes them into the facts of a model's file, where the measure finds them; --plot draws the curve.
"""

from __future__ import annotations

import argparse
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
from calibrate_confidence import scores_of

from tessella.networks.file import write
from tessella.odds.calibration import FACT, Calibration
from tessella.odds.fitting import Case, chances_of, fit, surprise
from tessella.plots.figure import png
from tessella.plots.reliability import reliability

BINS = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 1.01)


def case(file: Path) -> Case:
    """Return what was measured of a puzzle, and its truth in the same order."""
    with np.load(file) as opened:
        held = dict(opened)
    new = np.argsort(held["order"])  # what was measured as which piece
    joins = held["true"].astype(np.int64)
    joins = 4 * new[joins // 4] + joins % 4
    partner = np.full(len(held["partner"]), -1, np.int32)
    partner[joins[:, 0]], partner[joins[:, 1]] = joins[:, 1], joins[:, 0]
    return Case(scores_of(held), partner)


def written(path: Path, by: Calibration) -> None:
    """Write a calibration into the facts of a model's file, and change nothing else."""
    with np.load(path) as held:
        arrays = dict(held)
    about = json.loads(str(arrays.pop("about")))
    about["facts"] = {**about["facts"], FACT: by.to_json()}
    write(path, about, arrays)


def main() -> None:
    """Fit and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("answers", type=Path)
    parser.add_argument("--only", nargs="*", default=[""])
    parser.add_argument("--into", type=Path)
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    starts = tuple(text.replace(" ", "_") for text in given.only)
    found = [f for f in sorted(given.answers.glob("*.npz")) if f.name.startswith(starts)]
    cases = [case(file) for file in found]
    by = fit(cases)
    lost = surprise(cases, by)
    print(f"{len(cases)} puzzles: slope {by.slope:.2f} offset {by.offset:.2f} surprise {lost:.3f}")
    every = [chances_of(each, by) for each in cases]
    chance, right = (np.concatenate([getattr(t, n) for t in every]) for n in ("chance", "right"))
    for low, high in pairwise(BINS):
        some = (chance >= low) & (chance < high)
        if some.any():
            said, were = chance[some].mean(), right[some].mean()
            print(f"{said:.2f} said, {were:.2f} right, {some.sum()} pairs")
    if given.into is not None:
        written(given.into, by)
    if given.plot is not None:
        listed = chance >= BINS[0]
        figure = reliability({"pairs": (chance[listed], right[listed])})
        given.plot.write_bytes(png(figure))


if __name__ == "__main__":
    main()
