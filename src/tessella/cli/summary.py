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
    doubtful = sum(join.confidence < DOUBTFUL for join in result.joins)
    runs = f", best of {len(result.runs)} runs" if len(result.runs) > 1 else ""
    lines = [
        f"{puzzle.described()}: {_told(puzzle, result)}",
        f"Fitness {result.fitness:.2f} over {len(result.joins)} joins{runs}; "
        f"{doubtful} doubtful (confidence below {DOUBTFUL})",
        *getattr(puzzle, "notes", ()),
        *_learned(puzzle, result),
        *([_stopped(out)] if result.stopped else []),
        f"Time {result.seconds.get('total', 0):.1f} s",
        f"Report: {out / 'report.html'}",
    ]
    return "\n".join(lines)


def _learned(puzzle: Puzzle, result: Result) -> list[str]:
    """Say which model measured, and if pieces were resized for it; nothing if none did."""
    told = result.settings.get("measure")
    name = told.get("model") if isinstance(told, dict) else None
    if name is None:
        return []
    from tessella import models

    piece = models.about(name)[1]
    same = puzzle.piece_size[0] == piece or not puzzle.square  # Strips are read in chunks.
    resized = "" if same else f", which saw pieces resized to {piece} px"
    return [f"Measured by model {name}{resized}"]


def _told(puzzle: Puzzle, result: Result) -> str:
    """Say what the sheets look like; of strips every sheet is a page."""
    from tessella.documents.strips import Strips

    shapes = [sheet.shape for sheet in result.arrangement.sheets]
    if isinstance(puzzle, Strips):
        return f"{len(shapes)} page{'' if len(shapes) == 1 else 's'}"
    sheets = [f"{rows} rows x {cols} columns" for rows, cols in shapes]
    more = len(sheets) - SHOWN
    return ", ".join(sheets[:SHOWN]) + (f" and {more} more sheets" if more > 0 else "")


def _stopped(out: Path) -> str:
    from tessella.output import checkpoint_of

    more = "; the same call with --resume goes on" if checkpoint_of(out).exists() else ""
    return f"Stopped early: this is the best answer so far{more}"
