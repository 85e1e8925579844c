"""Watching long work: what solvers and measures tell, and who listens."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import Protocol

from tessella.arrangement import Arrangement

_SAME = 1e-6
"""Fitness that is no more than so much better is the same."""


@dataclass(frozen=True)
class Generation:
    """One step of an iterative solver.

    Attributes
    ----------
    run, number : which run, and which generation of it, both from 0
    best : fitness of the best arrangement so far, by the job's compatibilities
    stagnant : generations since the best improved
    snapshot : the best arrangement, given when it improved; None otherwise
    """

    run: int
    number: int
    best: float
    stagnant: int
    snapshot: Arrangement | None = None


class Watcher(Protocol):
    """Is told how far the work has come."""

    def stage(self, name: str, total: int) -> None:
        """A stage of `total` steps begins."""

    def advance(self, steps: int = 1) -> None:
        """`steps` more steps of the stage are done."""

    def generation(self, generation: Generation) -> None:
        """An iterative solver finished a generation."""


class Silent:
    """A watcher that listens to nothing."""

    def stage(self, name: str, total: int) -> None:
        """Ignore."""

    def advance(self, steps: int = 1) -> None:
        """Ignore."""

    def generation(self, generation: Generation) -> None:
        """Ignore."""


SILENT: Watcher = Silent()


class Shared:
    """A watcher for several threads: passes on what they tell, one after the other."""

    def __init__(self, watch: Watcher) -> None:
        self._watch = watch
        self._turn = threading.Lock()

    def stage(self, name: str, total: int) -> None:
        """Pass on."""
        with self._turn:
            self._watch.stage(name, total)

    def advance(self, steps: int = 1) -> None:
        """Pass on."""
        with self._turn:
            self._watch.advance(steps)

    def generation(self, generation: Generation) -> None:
        """Pass on."""
        with self._turn:
            self._watch.generation(generation)


class Apart(Shared):
    """A shared watcher of searches for some of the pieces, which are called otherwise there.

    So nobody could read their snapshots, and none is passed on.
    """

    def generation(self, generation: Generation) -> None:
        """Pass on the numbers."""
        super().generation(replace(generation, snapshot=None))


class Onward:
    """A watcher to whom several searches are one: generations go on counting.

    Parameters
    ----------
    offset : how many generations there were before
    best : of these
    """

    def __init__(self, watch: Watcher, offset: int, best: float = -1.0) -> None:
        self.watch, self.offset, self.best = watch, offset, best

    def stage(self, name: str, total: int) -> None:
        """Pass on."""
        self.watch.stage(name, total)

    def advance(self, steps: int = 1) -> None:
        """Pass on."""
        self.watch.advance(steps)

    def generation(self, generation: Generation) -> None:
        """Pass on with the best of all so far, its picture only if this is it."""
        better = generation.best > self.best + _SAME
        self.watch.generation(
            replace(
                generation,
                number=generation.number + self.offset,
                best=max(generation.best, self.best),
                snapshot=generation.snapshot if better else None,
            )
        )
