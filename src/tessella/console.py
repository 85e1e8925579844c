"""Progress for people: bars on a terminal, plain lines elsewhere, both on standard error."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from tessella.kernels.compiling import announced_to
from tessella.watch import SILENT, Generation, Watcher

if TYPE_CHECKING:
    from rich.progress import Progress

EVERY = 10.0
"""Seconds between two plain lines about the same stage."""


@contextmanager
def progress(*, quiet: bool = False, runs: int = 1) -> Iterator[Watcher]:
    """Yield a watcher that shows how far the work has come; `runs` is how many there will be."""
    if quiet:
        yield SILENT
    elif on_terminal(sys.stderr):
        with _progress_bars() as bars, announced_to(_once()):
            yield Bars(bars, runs)
    else:
        with announced_to(_once()):
            yield Lines(sys.stderr, runs)


def _once() -> Callable[[str], None]:
    """Return what says, the first time that it is told of a kernel, why there is a wait."""
    said: list[str] = []

    def say(kernel: str) -> None:
        if not said:
            note(f"compiling {kernel} and what it needs, only this once")
        said.append(kernel)

    return say


def on_terminal(stream: TextIO) -> bool:
    """Whether `stream` is a terminal that can redraw a line."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def note(text: str) -> None:
    """Say something beside the progress."""
    print(text, file=sys.stderr, flush=True)


def said(seconds: float) -> str:
    """Say in a word or two how long that is.

    >>> said(40), said(300), said(9000)
    ('40 s', '5 min', '2.5 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


class Lines:
    """A watcher that prints a line when a stage begins, and now and then while it goes on."""

    def __init__(self, stream: TextIO, runs: int = 1) -> None:
        self.stream = stream
        self.runs = runs
        self.name, self.total, self.done = "", 0, 0
        self._last = self._began = time.monotonic()

    def stage(self, name: str, total: int) -> None:
        """Print the stage's name."""
        self.name, self.total, self.done = name, total, 0
        self._began = time.monotonic()
        self._print(f"{name} ({total:,} steps)" if total else name)

    def advance(self, steps: int = 1) -> None:
        """Print how far the stage has come, if it is time to."""
        self.done += steps
        if self.total and self._due():
            took = time.monotonic() - self._began
            left = took * (self.total - self.done) / max(1, self.done)
            more = f", about {said(left)} left" if left > 0 else ""
            self._print(f"{self.name}: {100 * self.done // self.total} %{more}")

    def generation(self, generation: Generation) -> None:
        """Print how good the best is, if it is time to."""
        if self._due():
            self._print(_progress(generation, self.runs))

    def _due(self) -> bool:
        return time.monotonic() - self._last >= EVERY

    def _print(self, text: str) -> None:
        self._last = time.monotonic()
        print(text, file=self.stream, flush=True)


class Bars:
    """A watcher that draws a bar for every stage."""

    def __init__(self, bars: Progress, runs: int = 1) -> None:
        self.bars = bars
        self.runs = runs
        self._task = bars.add_task("starting", total=None)
        self._newest = 0

    def stage(self, name: str, total: int) -> None:
        """Begin a new bar; the one before is done."""
        self.bars.remove_task(self._task)
        self._task = self.bars.add_task(name, total=total or None)

    def advance(self, steps: int = 1) -> None:
        """Lengthen the bar."""
        self.bars.advance(self._task, steps)

    def generation(self, generation: Generation) -> None:
        """Tell the newest run's best fitness in place of the stage's name."""
        if generation.run < self._newest:
            return
        self._newest = generation.run
        self.bars.update(self._task, description=_progress(generation, self.runs))


def _progress(generation: Generation, runs: int) -> str:
    run = f"run {generation.run + 1} of {runs}, " if runs > 1 else ""
    still = f", unchanged for {generation.stagnant}" if generation.stagnant else ""
    return f"{run}generation {generation.number}: fitness {generation.best:.2f}{still}"


def _progress_bars() -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
