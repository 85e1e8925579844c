"""What ``solve`` and ``demo`` say in the end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tessella.puzzle import Puzzle
    from tessella.result import Result


def summary(puzzle: Puzzle, result: Result, out: Path) -> str:
    """Return a few lines: what was put together, how well, and where to look."""
    from tessella.confidence import DOUBTFUL
    from tessella.panels import fewer

    doubtful = sum(join.confidence < DOUBTFUL for join in result.joins)
    runs = f", best of {len(result.runs)} runs" if len(result.runs) > 1 else ""
    worth = f" and worth {result.worth:.2f}, by which it was searched" if result.worths else ""
    lines = [
        f"{puzzle.described()}: {puzzle.layout.described(result.arrangement)}",
        f"Fitness {result.fitness:.2f} over {len(result.joins)} joins{worth}{runs}; "
        f"{doubtful} doubtful (confidence below {DOUBTFUL})",
        *puzzle.notes,
        *fewer(result.settings, result.arrangement),
        *_learned(puzzle, result),
        *([_stopped(out)] if result.stopped else []),
        f"Time {result.seconds.get('total', 0):.1f} s",
        f"Report: {out / 'report.html'}",
    ]
    return "\n".join(lines)


def _learned(puzzle: Puzzle, result: Result) -> list[str]:
    """Say which model measured, and if pieces were resized for it; nothing if none did."""
    measure = result.settings.get("measure")
    name = measure.get("model") if isinstance(measure, dict) else None
    if name is None:
        return []
    from tessella import models

    piece = models.about(name)[1]
    same = puzzle.piece_size[0] == piece or not puzzle.square  # Strips are read in chunks.
    resized = "" if same else f", which saw pieces resized to {piece} px"
    return [f"Measured by model {name}{resized}"]


def _stopped(out: Path) -> str:
    from tessella.claim import checkpoint_of

    more = "; the same call with --resume goes on" if checkpoint_of(out).exists() else ""
    return f"Stopped early: this is the best answer so far{more}"
