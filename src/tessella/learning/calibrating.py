"""Calibrating what was trained: what its scores are worth, on pictures that it was not shown.

Pictures that were held back are cut into small puzzles, whole and with pieces missing, upright and
turned, and measured with the model as anybody would (`tessella.odds.fitting`). A model of tiles is
asked about worn panels (`tessella.imaging.azulejo`), not about pictures as clean as nothing it will
see.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tessella import api, registry
from tessella.imaging import azulejo
from tessella.imaging.cut import cut_panels
from tessella.learning.recipe import Recipe
from tessella.odds.calibration import Calibration
from tessella.odds.fitting import Case, fit

PICTURES = 4
SIDE = 8
"""Most rows and columns of a puzzle."""

MISSING = (0.0, 0.3)
KINDS = ("dlcm", "embedding", "squeezenet", "gan", "tiles")
"""Of trainings whose models measure pieces; those of strips are read as their measures say."""


def calibrated(
    recipe: Recipe, pictures: Sequence[NDArray[np.uint8]], model: Path
) -> Calibration | None:
    """Return how scores of the model in a file are read; None for models of strips."""
    if recipe.kind not in KINDS or _gray(recipe):
        return None
    by = registry.make("measure", recipe.kind, {"model": str(model)})
    cases = []
    for number, picture in enumerate(pictures[:PICTURES]):
        image, frame = _shown(recipe, picture, number), recipe.eroded[number % 2]
        for missing, turned in product(MISSING, (False, True)):
            puzzle, truth = cut_panels(
                [image], recipe.piece, missing=missing, turned=turned, erode=frame, seed=number
            )
            if len(puzzle) < 2:
                continue
            scores = api.measure(puzzle, by, shuffled=True).scores
            cases.append(Case(scores, truth.partners()))
    return fit(cases) if cases else None


def _shown(recipe: Recipe, picture: NDArray[np.uint8], number: int) -> NDArray[np.uint8]:
    """Return what is cut into pieces: the corner of a picture, or a panel painted after it."""
    side = SIDE * recipe.piece
    if recipe.kind == "tiles":
        return azulejo.panel(picture, (SIDE, SIDE), recipe.piece, number)
    return picture[:side, :side]


def _gray(recipe: Recipe) -> bool:
    """Say whether the model looks at greys alone, as those for documents do."""
    return recipe.kind == "dlcm" and all(planes == "y" for planes, _ in recipe.subnetworks)
