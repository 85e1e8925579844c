"""The worker: a process of its own that solves a project's puzzle and tells how it goes.

It keeps what it measured, so that solving again after a few answers of a person is quick. The
studio stays responsive whatever it does, and outlives it.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event as Flag
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tessella.arrangement import Arrangement
from tessella.errors import TessellaError
from tessella.studio.adopting import plain

if TYPE_CHECKING:
    from tessella.api import Prepared
    from tessella.panels import Panels
    from tessella.puzzle import Puzzle
    from tessella.studio.facts import Facts
    from tessella.watch import Generation
    from tessella.wishes import Wishes

LIVE = 0.2
"""Seconds between two arrangements that are told."""

LAST = 10.0
"""Seconds that a search has to bring its best so far when the studio ends."""

COMPATIBILITY = "compatibility.npz"
ODDS = "odds.npz"
Message = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """What to solve.

    Attributes
    ----------
    measure, solver : names; None leaves them to the pieces
    seconds : stop after so long; None: when the solver is done
    runs : independent ones
    seed : of everything random
    settings : of measure and solver
    panels : several sheets are wanted; None: one
    wishes : what a person said
    begin : where to begin
    facts : what is known of the pieces by now; None: what the project was made with
    """

    measure: str | None = None
    solver: str | None = None
    seconds: float | None = None
    runs: int = 1
    seed: int = 0
    settings: dict[str, str] = field(default_factory=dict)
    panels: Panels | None = None
    wishes: Wishes | None = None
    begin: Arrangement | None = None
    facts: Facts | None = None


class Worker:
    """The studio's side of the process.

    `tell` is called, from a thread of its own, with every message: its ``kind`` is "stage",
    "prepared" (everything is measured, the search begins), "live", "answer", "stopped" (before
    there was anything to keep) or "failed".
    """

    def __init__(self, folder: Path, tell: Callable[[Message], None]) -> None:
        self._folder = folder
        self._tell = tell
        self._context = multiprocessing.get_context("spawn")
        self._process: Any = None
        self._pipe: Connection | None = None
        self._flag: Flag | None = None
        self._turn = threading.Lock()
        self.busy = False
        self.searching = False
        self._given_up = False
        self._idle = threading.Event()
        self._idle.set()

    def solve(self, task: Task) -> bool:
        """Begin a task; False while another goes on."""
        with self._turn:
            if self.busy:
                return False
            self.busy, self.searching, self._given_up = True, False, False
            self._idle.clear()
            if self._process is None or not self._process.is_alive():
                self._start()
            assert self._pipe is not None
            assert self._flag is not None
            self._flag.clear()
            self._pipe.send(task)
            return True

    def stop(self) -> None:
        """Ask the task to end with the best so far; before there is any, give it up at once."""
        with self._turn:
            if self._flag is not None:
                self._flag.set()
            if self.busy and not self.searching and self._process is not None:
                self._given_up = True
                self._process.kill()

    def close(self) -> None:
        """End the process; a search may bring its best so far before, if it does so soon."""
        self.stop()
        if self._process is not None:
            self._idle.wait(LAST)
            self._process.kill()
            self._process.join()

    def _start(self) -> None:
        self._pipe, theirs = self._context.Pipe()
        self._flag = self._context.Event()
        self._process = self._context.Process(
            target=_main, args=(theirs, self._folder, self._flag), daemon=True
        )
        self._process.start()
        theirs.close()
        threading.Thread(target=self._listen, args=(self._pipe,), daemon=True).start()

    def _listen(self, pipe: Connection) -> None:
        while True:
            try:
                message: Message = pipe.recv()
            except (EOFError, OSError):
                with self._turn:
                    if self._pipe is not pipe:  # another process works already
                        return
                    self._process.join()  # who solves next finds it gone
                    busy, self.busy = self.busy, False
                if self._given_up:
                    self._tell({"kind": "stopped"})
                elif busy:
                    self._tell(
                        {"kind": "failed", "error": "The solver's process ended; try again."}
                    )
                self._rest()
                return
            if message["kind"] == "prepared":
                self.searching = True
            if message["kind"] in ("answer", "failed"):
                self.busy = False
            self._tell(message)
            self._rest()

    def _rest(self) -> None:
        """Let who closes go on once what came last is taken up, and nothing follows."""
        if not self.busy:
            self._idle.set()


def _main(pipe: Connection, folder: Path, flag: Flag) -> None:
    """Do tasks until the studio is gone."""
    # Ctrl-C is for the studio, which asks for the best so far; not ignored outright, for
    # processes that are started from here would then ignore it, too.
    signal.signal(signal.SIGINT, lambda *_: None)
    bench = _Bench(pipe, folder, flag)
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        try:
            bench.solve(task)
        except TessellaError as problem:
            pipe.send({"kind": "failed", "error": str(problem)})
        except MemoryError:
            pipe.send({"kind": "failed", "error": "There is not enough memory for this puzzle."})
        except Exception as problem:
            message = f"This should not have happened: {type(problem).__name__}: {problem}"
            pipe.send({"kind": "failed", "error": message[:500]})


class _Bench:
    """What the process keeps between tasks: the puzzle, and what was measured."""

    def __init__(self, pipe: Connection, folder: Path, flag: Flag) -> None:
        self.pipe, self.folder, self.flag = pipe, folder, flag
        self.puzzle: Puzzle | None = None
        self.chosen: str | None = None
        self.prepared: dict[tuple[Any, ...], Prepared] = {}

    def solve(self, task: Task) -> None:
        from tessella import api
        from tessella.solving import covered
        from tessella.studio import pieces

        began = time.monotonic()
        watch = _Live(self.pipe)
        prepared = self._prepare(task, watch)
        watch.order = prepared.order
        self.pipe.send({"kind": "prepared"})
        assert self.puzzle is not None
        puzzle = self.puzzle if task.facts is None else pieces.known(self.puzzle, task.facts)
        result = api.search(  # the time limit counts from now
            replace(prepared, puzzle=puzzle, began=time.monotonic()),
            runs=task.runs,
            seconds=task.seconds,
            watch=watch,
            stop=self.flag.is_set,
            panels=task.panels,
            wishes=task.wishes,
            begin=task.begin if covered(prepared.plan.solver).begin else None,
        )
        result = puzzle.layout.paged(result, task.wishes)
        if result.odds is not None:  # What a person said changed them.
            result.odds.save(self.folder / "cache" / ODDS)
        self.pipe.send(
            {
                "kind": "answer",
                "arrangement": plain(result.arrangement),
                "fitness": float(result.fitness),
                "seconds": time.monotonic() - began,
                "stopped": bool(result.stopped),
            }
        )

    def _prepare(self, task: Task, watch: _Live) -> Prepared:
        import numpy as np

        from tessella import api, auto
        from tessella.plan import make_plan
        from tessella.studio import pieces
        from tessella.studio.facts import Facts
        from tessella.usual import PIECES

        if self.puzzle is None:
            watch.stage("reading", 0)
            facts = Facts.read(self.folder / "project.json")
            self.puzzle = pieces.read(self.folder, facts, watch)
        measure = task.measure
        if measure is None and self.puzzle.usual is PIECES:
            if self.chosen is None:
                watch.stage("choosing a measure", 0)
                self.chosen = auto.choose(self.puzzle).measure
            measure = self.chosen
        key = (measure, task.solver, task.seed, *sorted(task.settings.items()))
        if key not in self.prepared:
            plan = make_plan(measure, task.solver, task.settings, puzzle=self.puzzle)
            self.prepared.clear()  # one at a time: they are large
            made = api.prepare(self.puzzle, plan, seed=task.seed, watch=watch)
            self.prepared[key] = made
            lists = replace(made.compatibility, dense=None)
            order = np.asarray(made.order, np.intp)
            lists.relabelled(order).save(self.folder / "cache" / COMPATIBILITY)
            if made.evidence.odds is not None:
                made.evidence.odds.relabelled(order).save(self.folder / "cache" / ODDS)
            self.pipe.send({"kind": "measured"})
        return self.prepared[key]


class _Live:
    """A watcher that tells the studio, an arrangement now and then."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        self.order: Any = None
        self._turn = threading.Lock()
        self._name, self._total, self._done, self._last = "", 0, 0, 0.0

    def stage(self, name: str, total: int) -> None:
        """Tell that a stage begins."""
        with self._turn:
            self._name, self._total, self._done = name, total, 0
            self.pipe.send({"kind": "stage", "stage": name, "total": total, "done": 0})

    def advance(self, steps: int = 1) -> None:
        """Tell how far the stage is, a hundred times at most."""
        with self._turn:
            self._done += steps
            if self._done % max(1, self._total // 100) == 0:
                progress = {"stage": self._name, "total": self._total, "done": self._done}
                self.pipe.send({"kind": "stage", **progress})

    def generation(self, generation: Generation) -> None:
        """Tell how good the best is, and how it lies if it is time for that."""
        from tessella.shuffle import restore

        with self._turn:
            progress: Message = {
                "run": generation.run,
                "number": generation.number,
                "best": float(generation.best),
                "stagnant": generation.stagnant,
            }
            now = time.monotonic()
            if generation.snapshot is not None and now - self._last >= LIVE:
                self._last = now
                arrangement = restore(generation.snapshot, self.order)
                self.pipe.send({"kind": "live", **progress, "arrangement": plain(arrangement)})
            elif generation.number % 10 == 0:
                self.pipe.send({"kind": "live", **progress})
