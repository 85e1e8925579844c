"""The evolution of an answer: a strip of generations, a slider, the fitness through time."""

from __future__ import annotations

import numpy as np
from PIL import Image

from tessella.compatibility import Compatibility
from tessella.confidence import local_fitness
from tessella.imaging.render import render
from tessella.imaging.resize import drawn_at
from tessella.imaging.shelf import places, shelved
from tessella.plots.evolution import Frame, frames
from tessella.plots.heatmap import Scale, colours, scale_of
from tessella.puzzle import Puzzle
from tessella.report.charts import history_chart
from tessella.report.embed import exact, photograph, text
from tessella.result import Result

FRAMES = 8
SIDE = 440
"""Longest side of a frame, in pixels."""

GAP = 6


def evolution_section(puzzle: Puzzle, result: Result) -> str:
    """Return the section about generations, or nothing for solvers that have none."""
    content = _strip(puzzle, result) + _history(result)
    return f"<section id='evolution'><h2>Evolution</h2>{content}</section>" if content else ""


def _history(result: Result) -> str:
    if not any(len(run) > 1 for run in result.history):
        return ""
    drawn = history_chart(result.history, result.chosen)
    return (
        f"<figure><img class='plot' src='{drawn}' alt='Best fitness against generations'>"
        "<figcaption>The best fitness after every generation. A curve that still climbs at its end "
        "was stopped too early.</figcaption></figure>"
    )


def has_evolution(puzzle: Puzzle, result: Result) -> bool:
    """Say whether there is such a section."""
    return _has_frames(puzzle, result) or any(len(run) > 1 for run in result.history)


def _has_frames(puzzle: Puzzle, result: Result) -> bool:
    """Say whether generations can be shown; a row of all strips is too long for that."""
    return puzzle.kind == "grid" and any(g.snapshot is not None for g in result.evolution)


def _strip(puzzle: Puzzle, result: Result) -> str:
    if not _has_frames(puzzle, result):
        return ""
    shown = frames(puzzle, result.compatibility, result.evolution, result.arrangement, count=FRAMES)
    small = _thumbnails(puzzle, shown)
    fitness = [
        local_fitness(result.compatibility, sheet)
        for frame in shown
        for sheet in frame.arrangement.sheets
    ]
    scale = scale_of(*fitness, left_out=0.05)
    last = len(shown) - 1
    items = "".join(
        _frame(small, result.compatibility, frame, scale, k) for k, frame in enumerate(shown)
    )
    return (
        "<p>From the pieces as they came to the answer, with the local fitness of every piece "
        f"below, dark ({scale.low:.2f}) to bright ({scale.high:.2f}). The slider enlarges one "
        "step; arrow keys move it.</p>"
        "<div class='stage' hidden><div><img class='picture' alt='The chosen step'>"
        "<img class='heat' alt='Its local fitness'></div>"
        f"<p><input type='range' min='0' max='{last}' value='{last}' step='1' "
        "aria-label='Step of the evolution'> <output></output></p></div>"
        f"<ol class='strip'>{items}</ol>"
    )


def _frame(
    puzzle: Puzzle, compatibility: Compatibility, frame: Frame, scale: Scale, place: int
) -> str:
    picture = shelved([render(puzzle, sheet) for sheet in frame.arrangement.sheets], GAP)
    heat = shelved(
        [
            np.repeat(
                np.repeat(colours(local_fitness(compatibility, s), scale), puzzle.piece_size[0], 0),
                puzzle.piece_size[1],
                1,
            )
            for s in frame.arrangement.sheets
        ],
        GAP,
    )
    label = f"{text(frame.label)}, fitness {frame.fitness:.1f}"
    source = photograph(picture, quality=72)
    return (
        f"<li data-step='{place}'><img class='picture' src='{source}' alt='{label}'>"
        f"<img class='heat' src='{exact(heat)}' alt='local fitness, {label}'>"
        f"<span>{label}</span></li>"
    )


def _thumbnails(puzzle: Puzzle, shown: list[Frame]) -> Puzzle:
    """Return the puzzle with pieces so small that no frame exceeds `SIDE`.

    Shrinking pieces once is many times faster than rendering large frames and shrinking those.
    """
    height, width = puzzle.piece_size
    sheets = [[sheet.shape for sheet in frame.arrangement.sheets] for frame in shown]
    sizes = [places([(r * height, c * width) for r, c in shapes], 0)[1] for shapes in sheets]
    factor = SIDE / max(max(size) for size in sizes)
    if factor >= 1:
        return puzzle
    size = (max(2, round(height * factor)), max(2, round(width * factor)))
    if puzzle.square:
        size = (size[0], size[0])
    return drawn_at(puzzle, np.arange(len(puzzle)), size, Image.Resampling.BOX)
