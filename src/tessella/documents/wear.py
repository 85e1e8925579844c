"""Wear: whether print goes on where strips were cut, pixel by pixel.

Where a page was cut by a knife, or by a program, ink that reaches a side has its partner on
another strip, and `ink` finds it: the best evidence of a side is a good part of all its ink. A
shredder tears fibres out and scanners trim, so that hardly any side has such a partner.
"""

from __future__ import annotations

import numpy as np

from tessella import edges
from tessella.measures.ink import Ink
from tessella.puzzle import Puzzle

CLEAN = 0.25
"""The least share of clean strips; see docs/experiments/documents.md."""

SIDES = 64
"""So many sides are looked at, each beside all others."""

LEAST = 10.0
"""Pixels of ink without which a side is not asked."""

ENOUGH = 6
"""So many sides with ink are needed to say anything."""


def share(puzzle: Puzzle) -> float | None:
    """Return what share of its ink a side's best partner speaks for; None where there is no ink.

    It is the median over sides with ink. Strangers have up to -0.4, the penalty of ink that stands
    alone.
    """
    by, shares = Ink(), []
    for group in puzzle.groups():
        every = by.left(puzzle.facing(group.left, edges.LEFT), 0)
        some = group.right[:: max(1, len(group.right) // SIDES)]
        sides = by.right(puzzle.facing(some, edges.RIGHT), 0)
        ink = sides.sum(axis=1) / 2  # foretold, and at the border
        evidence = by.raw(sides, every)
        evidence[some[:, None] // 4 == group.left[None] // 4] = -np.inf
        asked = ink > LEAST
        shares += (evidence[asked].max(axis=1, initial=-np.inf) / ink[asked]).tolist()
    known = np.array(shares)
    known = known[np.isfinite(known)]
    return float(np.median(known)) if len(known) >= ENOUGH else None


def why(puzzle: Puzzle) -> str:
    """Say why strips are taken for worn, as the end of a sentence."""
    if puzzle.ragged:
        return "the strips are ragged"
    return "hardly any print goes on where the strips were cut"


def worn(puzzle: Puzzle) -> bool:
    """Say whether hardly any print goes on where the strips of `puzzle` were cut."""
    part = share(puzzle)
    return part is not None and part < CLEAN
