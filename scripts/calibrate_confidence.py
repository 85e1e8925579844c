"""Fit how sure a join is: the weights of `tessella.confidence`.

    python scripts/calibrate_confidence.py PICTURE...

Every picture is made a puzzle in several ways: whole and small-pieced, with missing pieces, with
worn ones, upright and turned. All are solved; every join of the answers is right or wrong. Weights
are fitted by logistic regression to every other picture, judged on the rest (calibration error over
ten bins of equal count, area under the curve, Brier score against the base rate), and then fitted
to all of them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

import tessella
from tessella import api
from tessella.confidence import evidence_of
from tessella.imaging.cut import cut_panels
from tessella.imaging.read import read_image
from tessella.panels import Panels

WAYS = (
    {"piece": 28, "missing": 0.1},
    {"piece": 28, "missing": 0.3, "turned": True},
    {"piece": 28, "missing": 0.5},
    {"piece": 14},
    {"piece": 14, "turned": True},
    {"piece": 28, "erode": 1},
    {"piece": 28, "erode": 1, "missing": 0.1, "turned": True},
)
RIM = 8
"""Pixels left out at the pictures' sides, which often have a line there."""

SMALL = 280
"""Side of the part that is cut into small pieces."""


def joins_of(
    path: Path, way: dict[str, float], seed: int
) -> tuple[NDArray[np.float64], list[bool]]:
    """Return what speaks for every join of an answer, and whether it is right."""
    picture = read_image(path)[RIM:-RIM, RIM:-RIM]
    if way["piece"] < 28:
        picture = picture[40 : 40 + SMALL, 100 : 100 + SMALL]
    puzzle, truth = cut_panels([picture], seed=seed, **way)  # type: ignore[arg-type]
    plan = tessella.make_plan("mgc", puzzle=puzzle)
    prepared = api.prepare(puzzle, plan, seed=1)
    result = api.search(prepared, panels=Panels() if way.get("missing") else None)
    assert result.odds is not None
    pairs, seen = evidence_of(result.arrangement, result.odds)
    true = {tuple(sorted(pair)) for pair in truth.arrangement.joins().tolist()}
    return seen, [tuple(sorted(pair)) in true for pair in pairs.tolist()]


def fitted(seen: NDArray[np.float64], right: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the weights of a logistic regression."""
    sign = np.where(right, 1.0, -1.0)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margin = sign * (seen @ weights)
        slope = -(sign / (1 + np.exp(margin))) @ seen / len(seen)
        value = np.logaddexp(0, -margin).mean() + 1e-4 * weights @ weights
        return float(value), slope + 2e-4 * weights

    return np.asarray(minimize(loss, np.zeros(seen.shape[1]), jac=True).x)


def told(sure: NDArray[np.float64], right: NDArray[np.bool_]) -> str:
    """Say how well chances keep their word."""
    order = np.argsort(sure, kind="stable")
    error = sum(
        abs(sure[part].mean() - right[part].mean()) * len(part)
        for part in np.array_split(order, 10)
    ) / len(sure)
    place = np.empty(len(sure))
    place[order] = np.arange(len(sure))
    yes, no = int(right.sum()), int((~right).sum())
    curve = (place[right].sum() - yes * (yes - 1) / 2) / max(yes * no, 1)
    base = right.mean() * (1 - right.mean())
    brier = ((sure - right) ** 2).mean()
    return f"error {error:.3f} AUROC {curve:.3f} Brier {brier:.4f} (base {base:.4f}) wrong {no}"


def main() -> None:
    """Collect, fit, judge, and print the weights."""
    paths = [Path(given) for given in sys.argv[1:]]
    made = []
    for number, way in enumerate(WAYS):
        for seed, path in enumerate(paths):
            seen, right = joins_of(path, dict(way), seed)
            made.append((number, seed, seen, np.array(right)))
            print(way, path.name, f"{np.mean(right):.4f}", flush=True)
    half = [(seen, right) for _, seed, seen, right in made if seed % 2 == 0]
    weights = fitted(np.concatenate([s for s, _ in half]), np.concatenate([r for _, r in half]))
    pooled = []
    for number, way in enumerate(WAYS):
        rest = [(s, r) for n, seed, s, r in made if n == number and seed % 2]
        sure = 1 / (1 + np.exp(-np.concatenate([s for s, _ in rest]) @ weights))
        right = np.concatenate([r for _, r in rest])
        pooled.append((sure, right))
        print(way, told(sure, right))
    print("all", told(*(np.concatenate([each[k] for each in pooled]) for k in (0, 1))))
    final = fitted(*(np.concatenate([each[k] for each in made]) for k in (2, 3)))
    print("weights", ", ".join(f"{weight:.3f}" for weight in final))


if __name__ == "__main__":
    main()
