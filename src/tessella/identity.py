"""Identity: what tells one piece of work from any other, so that unfinished work is not mixed."""

from __future__ import annotations

import hashlib
import json

import numpy as np

from tessella.arrangement import Arrangement
from tessella.measuring import Learned, Measure
from tessella.panels import Panels
from tessella.plan import Plan, described
from tessella.puzzle import Puzzle
from tessella.versions import versions
from tessella.wishes import Wishes
from tessella.wishes.files import wishes_to_json


def measure_key(puzzle: Puzzle, measure: Measure | Learned, keep: int | None, seed: int) -> str:
    """Return the key of a puzzle's scores: pixels, what is known, measure, versions."""
    known = {
        "size": puzzle.pieces.shape,
        "upright": puzzle.upright,
        "shape": puzzle.shape,
        "eroded": puzzle.eroded,
        "measure": described(measure),
        "weights": measure.fingerprint() if isinstance(measure, Learned) else None,
        "keep": keep,
        "seed": seed,
        "versions": versions(),
    }
    digest = hashlib.blake2b(json.dumps(known, default=str).encode(), digest_size=16)
    for array in puzzle.contents():
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def search_key(
    measured: str,
    plan: Plan,
    wishes: Wishes | None = None,
    begin: Arrangement | None = None,
    panels: Panels | None = None,
) -> str:
    """Return the key of a search, given that of the scores: plan and what a person knows."""
    known = {
        "measured": measured,
        "plan": plan.to_json(),
        "panels": None if panels is None else panels.to_json(),
        "wishes": wishes_to_json(wishes) if wishes else None,
        "begin": None if begin is None else begin.to_json(),
    }
    return hashlib.blake2b(json.dumps(known, default=str).encode(), digest_size=16).hexdigest()
