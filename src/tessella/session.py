"""A session: a puzzle that is measured once and solved as often as somebody wishes something."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tessella.api import Prepared, check_panels, prepare, search
from tessella.arrangement import Arrangement
from tessella.measuring import Keep, Learned, Measure
from tessella.panels import Panels
from tessella.plan import make_plan
from tessella.puzzle import Puzzle
from tessella.result import Result
from tessella.solving import Solver
from tessella.stop import Stop, never
from tessella.watch import SILENT, Watcher
from tessella.wishes import Wishes


class Session:
    """What is known of a puzzle's edges, kept to solve it again and again.

    Parameters
    ----------
    puzzle, measure, solver, settings, keep, seed, threads : see `tessella.solve`
    panels : how many panels the pieces come from, or that nobody knows, and their shapes, as far as
        these are known; None: all pieces lie on one sheet
    watch : is told how far measuring has come
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        measure: str | Measure | Learned | None = None,
        solver: str | Solver | None = None,
        settings: Mapping[str, Any] | None = None,
        keep: Keep = "usual",
        panels: Panels | None = None,
        seed: int = 0,
        threads: int | None = None,
        watch: Watcher = SILENT,
    ) -> None:
        plan = make_plan(measure, solver, settings, puzzle=puzzle)
        self.puzzle = puzzle
        self.panels = check_panels(puzzle, plan.solver, panels)
        self.threads = threads
        self.prepared: Prepared = prepare(
            puzzle, plan, keep=keep, seed=seed, threads=threads, watch=watch
        )

    def solve(
        self,
        wishes: Wishes | None = None,
        *,
        begin: Result | Arrangement | None = None,
        seconds: float | None = None,
        watch: Watcher = SILENT,
        stop: Stop = never,
    ) -> Result:
        """Put the puzzle together so that `wishes` hold; from nothing, or from an answer.

        Parameters
        ----------
        begin : an answer to better, such as the last one; None begins anew
        seconds : stop after so long, counted from now
        """
        result = search(
            replace(self.prepared, began=time.monotonic()),
            seconds=seconds,
            threads=self.threads,
            watch=watch,
            stop=stop,
            panels=self.panels,
            wishes=wishes,
            begin=begin.arrangement if isinstance(begin, Result) else begin,
        )
        return self.puzzle.layout.paged(result, wishes)

    def resolve(self, begin: Result | Arrangement, wishes: Wishes | None = None) -> Result:
        """Better the last answer after somebody wished something more: quick."""
        return self.solve(wishes, begin=begin)
