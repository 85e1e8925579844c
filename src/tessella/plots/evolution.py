"""Evolutionary reconstruction: which arrangements of a search are shown.

After the paper's figure in Section V-C: scrambled, intermediate generations, reconstructed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tessella.arrangement import EMPTY, Arrangement
from tessella.compatibility import Compatibility
from tessella.errors import InputError
from tessella.puzzle import Puzzle
from tessella.watch import Generation


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of the strip."""

    label: str
    fitness: float
    arrangement: Arrangement


def frames(
    puzzle: Puzzle,
    compatibility: Compatibility,
    evolution: Sequence[Generation],
    final: Arrangement,
    count: int = 5,
) -> list[Frame]:
    """Choose what to show: the pieces as they came, generations in between, and the answer.

    The generations are spread evenly over the gain in fitness, since most of it comes early.
    """
    if count < 2:
        raise InputError(f"An evolution shows at least 2 frames; got {count}.")
    start = as_they_came(puzzle)
    known = [g for g in evolution if g.snapshot is not None and not g.snapshot.same(final)]
    first = compatibility.fitness(start)
    last = compatibility.fitness(final)
    wanted = np.linspace(first, last, count)[1:-1]
    reached = np.array([g.best for g in known])
    chosen = sorted({int(np.abs(reached - w).argmin()) for w in wanted}) if known else []
    middle = [
        Frame(f"generation {known[k].number + 1}", known[k].best, snapshot)
        for k in chosen
        if (snapshot := known[k].snapshot) is not None
    ]
    return [Frame("scrambled", first, start), *middle, Frame("reconstructed", last, final)]


def as_they_came(puzzle: Puzzle) -> Arrangement:
    """Return the pieces in their given order, unturned, in a grid of the puzzle's shape."""
    count = len(puzzle)
    if puzzle.shape is not None:
        rows, cols = puzzle.shape
    else:
        cols = int(np.ceil(np.sqrt(count)))
        rows = -(-count // cols)
    cells = np.full(rows * cols, EMPTY, np.int32)
    cells[:count] = np.arange(count)
    return Arrangement.single(cells.reshape(rows, cols))
