"""What ``tessella solve`` does besides when pieces are strips."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import typer

from tessella.errors import InputError

if TYPE_CHECKING:
    from tessella.puzzle import Puzzle
    from tessella.result import Result


@dataclass(frozen=True)
class Usual:
    """The measure and the solver that work when none is named."""

    measure: str
    solver: str


STRIPS = Usual("ink", "path")
SHREDS = Usual("contour", "path")


def usual(puzzle: Puzzle, pages: int | None) -> Usual | None:
    """Return what usually works on strips, or on ragged shreds; check the number of pages."""
    from tessella.strips import Strips

    if not isinstance(puzzle, Strips):
        return None
    if pages is not None and pages > len(puzzle):
        raise InputError(
            f"--pages must be 1 to the number of strips, {len(puzzle)}, or unknown; got {pages}."
        )
    return STRIPS if puzzle.rims is None else SHREDS


def chosen(
    context: typer.Context, usual: Usual | None, measure: str, solver: str
) -> tuple[str, str]:
    """Return the measure and the solver: those named, else the usual ones of the kind."""
    named = {"measure": measure, "solver": solver}
    for option in named:
        told = context.get_parameter_source(option)
        if usual is not None and told is not None and told.name == "DEFAULT":
            named[option] = getattr(usual, option)
    return named["measure"], named["solver"]


def read_pages(text: str | None) -> int | None:
    """Read ``8`` or ``unknown``, which is None, as is what was not given."""
    if text is None or text == "unknown":
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 7 and int(text) > 0):
        raise InputError(f"--pages must be a number of at least 1, or unknown; got {text!r}.")
    return int(text)


def paged(puzzle: Puzzle, result: Result, pages: int | None) -> Result:
    """Return `result` with its row of strips cut into pages; a grid stays as it is."""
    from tessella.strips import Strips

    if not isinstance(puzzle, Strips):
        return result
    from tessella.pagination import paginate  # It loads much of scipy.

    began = time.monotonic()
    cut = paginate(puzzle, result, pages)
    took = time.monotonic() - began
    total = result.seconds["total"] + took
    return replace(cut, seconds={**result.seconds, "paging": took, "total": total})
