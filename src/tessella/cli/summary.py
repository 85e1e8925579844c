"""What ``solve`` and ``demo`` say in the end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tessella.puzzle import Puzzle
    from tessella.result import Result

DOUBTFUL = 0.5
"""A join of less confidence has a side that another piece would fit better."""

SHOWN = 3
"""Sheets whose shapes are told."""


def summary(puzzle: Puzzle, result: Result, out: Path) -> str:
    """Return a few lines: what was put together, how well, and where to look."""
    height, width = puzzle.piece_size
    sheets = [f"{rows} rows x {cols} columns" for rows, cols in _shapes(result)]
    shapes = ", ".join(sheets[:SHOWN])
    more = len(sheets) - SHOWN
    doubtful = sum(join.confidence < DOUBTFUL for join in result.joins)
    runs = f", best of {len(result.runs)} runs" if len(result.runs) > 1 else ""
    lines = [
        f"{len(puzzle)} pieces of {height} x {width} px: {shapes}"
        + (f" and {more} more sheets" if more > 0 else ""),
        f"Fitness {result.fitness:.2f} over {len(result.joins)} joins{runs}; "
        f"{doubtful} doubtful (confidence below {DOUBTFUL})",
        *([_stopped(out)] if result.stopped else []),
        f"Time {result.seconds.get('total', 0):.1f} s",
        f"Report: {out / 'report.html'}",
    ]
    return "\n".join(lines)


def _shapes(result: Result) -> list[tuple[int, int]]:
    return [sheet.shape for sheet in result.arrangement.sheets]


def _stopped(out: Path) -> str:
    from tessella.output import checkpoint_of

    more = "; the same call with --resume goes on" if checkpoint_of(out).exists() else ""
    return f"Stopped early: this is the best answer so far{more}"
