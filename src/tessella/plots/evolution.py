"""Evolutionary reconstruction: the best arrangement through the generations, heatmaps below.

After the paper's figure in Section V-C: scrambled, intermediate generations, reconstructed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tessella.arrangement import EMPTY, Arrangement
from tessella.compatibility import Compatibility
from tessella.confidence import local_fitness
from tessella.errors import InputError
from tessella.imaging.render import render
from tessella.plots.before_after import show
from tessella.plots.figure import blank
from tessella.plots.heatmap import draw, scale_of
from tessella.puzzle import Puzzle
from tessella.watch import Generation

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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


def evolution(puzzle: Puzzle, compatibility: Compatibility, shown: Sequence[Frame]) -> Figure:
    """Draw `shown` side by side, each with its heatmap below; the first sheet of each."""
    sheets = [frame.arrangement.sheets[0] for frame in shown]
    height, width = puzzle.piece_size
    ratio = max(s.shape[0] * height / (s.shape[1] * width) for s in sheets)
    each = float(np.clip(2.6 * ratio, 0.7, 6))
    figure = blank(2.6 * len(shown) + 0.8, 2 * each + 0.9)
    grid = figure.subplots(2, len(shown), squeeze=False)
    fitness = [local_fitness(compatibility, sheet) for sheet in sheets]
    scale = scale_of(*fitness, left_out=0.05)
    for column, (frame, sheet) in enumerate(zip(shown, sheets, strict=True)):
        label = f"{frame.label}\nfitness {frame.fitness:.1f}"
        show(grid[0, column], render(puzzle, sheet), label)
        heat = draw(grid[1, column], fitness[column], (height, width), scale)
        grid[1, column].set_axis_off()
    figure.colorbar(heat, ax=list(grid[1]), label="local fitness", fraction=0.03, pad=0.01)
    return figure
