"""Choosing a model for a puzzle: by worn frame, whether sides go on, and piece size, in this order.

Models that look at greys alone are for strips, and never chosen for pieces.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from tessella import continuity, models
from tessella.errors import InputError
from tessella.imaging.resize import frame_at
from tessella.networks.model import Model
from tessella.puzzle import Puzzle

AZULEJO = "azulejo"
"""Models whose names begin so are for tiles with worn sides."""


def choose(puzzle: Puzzle) -> Model:
    """Return the shipped model that suits `puzzle`, or raise; those for strips are left out."""
    shipped = [model for model in models.every() if not gray(model)]
    if not shipped:
        raise InputError(
            "No model ships with this tessella; name a trained one with --model FILE.npz."
        )
    fitting = [model for model in shipped if fits(model, puzzle)]
    if not fitting:
        offered = "; ".join(f"{m.name} for {_range(m)} px on {m.piece} px pieces" for m in shipped)
        raise InputError(
            f"No shipped model was trained for a worn frame of {puzzle.eroded} px on pieces of "
            f"{puzzle.piece_size[0]} px ({offered}); train one, or use --measure mgc."
        )
    tiles = [model for model in fitting if model.name.startswith(AZULEJO)]
    others = [model for model in fitting if model not in tiles]
    if tiles and (not others or continuity.share(puzzle) < continuity.CLEAN):
        return _nearest(tiles, puzzle)
    return _nearest(others, puzzle)


def choose_gray() -> Model:
    """Return the shipped model for strips, the first by name, or raise."""
    fitting = [model for model in models.every() if gray(model)]
    if not fitting:
        raise InputError(
            "No model for strips ships with this tessella; name a trained one with --model "
            "FILE.npz, or use --measure ink."
        )
    return fitting[0]


def gray(model: Model) -> bool:
    """Say whether `model` looks at greys alone, as those for documents do."""
    return all(sub.architecture.planes == "y" for sub in model.subnetworks)


def check_gray(model: Model) -> None:
    """Raise unless `model` can score chunks of strips."""
    if not gray(model) or model.eroded[0] > 0:
        raise InputError(
            f"Model {model.name} is not for strips, which have greys alone and no worn frame; "
            "choose another --model."
        )


def fits(model: Model, puzzle: Puzzle) -> bool:
    """Say whether `model` was trained for the puzzle's frame, brought to the model's size."""
    return model.eroded[0] <= frame_at(puzzle, model.piece) <= model.eroded[1]


def check(model: Model, puzzle: Puzzle) -> None:
    """Raise unless `model` can score `puzzle`."""
    height, width = puzzle.piece_size
    if not puzzle.square:
        raise InputError(
            f"Learned measures need square pieces; these have {height} x {width} px. "
            "Use --measure mgc."
        )
    if not fits(model, puzzle):
        raise InputError(
            f"Model {model.name} was trained for worn frames of {_range(model)} px on pieces of "
            f"{model.piece} px; this puzzle's would have {frame_at(puzzle, model.piece)} px there. "
            "Choose another --model."
        )


def _range(model: Model) -> str:
    low, high = model.eroded
    return str(low) if low == high else f"{low} to {high}"


def _nearest(fitting: Iterable[Model], puzzle: Puzzle) -> Model:
    """Return the model trained for the nearest piece size; by name among equals."""
    size = puzzle.piece_size[0]
    return min(fitting, key=lambda model: (abs(math.log(model.piece / size)), model.name))
