"""Continuity: whether what pieces show goes on from one to the next.

Where pieces are clean, what lies at one side of a cut goes on at the other, and `mgc` finds it:
most edges have one partner that takes them for its best as well. Where sides are worn or joints lie
between, few do. The colour of the pieces does not matter.
"""

from __future__ import annotations

import math

import numpy as np

from tessella import registry
from tessella.measuring import Measure, measure
from tessella.puzzle import Puzzle
from tessella.scores import Scores

BY = "mgc"
"""The measure that is asked."""

CLEAN = 0.65
"""The least share of clean pieces; see docs/tiles.md."""

CLEAN_INSIDE = 0.33
"""The same inside a worn frame, where even photographs do not quite go on."""


def share(puzzle: Puzzle, threads: int | None = None) -> float:
    """Return the share of edges of `puzzle` with a mutual best partner."""
    by: Measure = registry.make("measure", BY)
    return agreed(measure(puzzle, by, keep=2, dense=False, threads=threads))


def agreed(scores: Scores) -> float:
    """Return the share of edges whose best partner takes them for its best.

    Of those that have a neighbour, which are fewer by the sheet's sides: it is taken for a square.
    Edges with several best partners, such as those of a plain sky, do not count; 1 where none does.
    """
    best = scores.partner[:, 0]
    single = best >= 0
    if scores.score.shape[1] > 1:
        single &= scores.score[:, 0] > scores.score[:, 1]
    mutual = best[np.maximum(best, 0)] == np.arange(len(best))
    if not single.any():
        return 1.0
    inside = max(0.5, 1 - 1 / math.sqrt(scores.pieces))
    return min(1.0, float(mutual[single].mean()) / inside)
