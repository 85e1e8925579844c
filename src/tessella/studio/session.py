"""A session: one project as the server has it open, with its worker and its listeners."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement
from tessella.compatibility import Compatibility
from tessella.errors import InputError, TessellaError
from tessella.imaging.render import shrunk
from tessella.odds import Odds
from tessella.puzzle import Puzzle
from tessella.studio import adopting, judging, laying, pieces, wishing
from tessella.studio.acts.answer import Answer
from tessella.studio.adopting import Meanwhile
from tessella.studio.errors import Refused, named, worded
from tessella.studio.judging import Judged
from tessella.studio.log import Event
from tessella.studio.project import Project
from tessella.studio.state import State
from tessella.studio.worker import COMPATIBILITY, ODDS, Message, Task, Worker


class Unmeasured(Refused):
    """Something was asked that only measured pairs can tell."""


Listener = Callable[[Message], None]
QUICK_SECONDS = 60.0
THOROUGH_RUNS = 3
PICTURE_PIXELS, PICTURE_SIDE = 40_000_000, 4000
"""The picture of a sheet is drawn with so many pixels at most, and shown with so many a side."""

ENDS = ("answer", "stopped", "failed")


class Clock:
    """How long a search goes on; its limit counts from when everything is measured."""

    def __init__(self, limit: float | None) -> None:
        self._limit = limit
        self._began = time.monotonic()
        self._searching: float | None = None

    def search(self) -> None:
        """Take note that the search itself begins."""
        self._searching = time.monotonic()

    def told(self) -> Message:
        """Return the seconds that passed, and those left; None where there is no limit yet."""
        now = time.monotonic()
        left = None
        if self._limit is not None and self._searching is not None:
            left = round(max(0.0, self._limit - (now - self._searching)), 1)
        return {"passed": round(now - self._began, 1), "left": left}


class Session:
    """One open project.

    Attributes
    ----------
    project : the project
    progress : the last that the worker told, and the curve of the best so far
    """

    def __init__(self, folder: Path) -> None:
        self.project = Project(folder)
        self.progress: Message = {"kind": "idle"}
        self.curve: list[float] = []
        self._listeners: set[Listener] = set()
        self._turn = threading.Lock()
        self._begins = threading.RLock()
        self._puzzle: Puzzle | None = None
        self._compatibility: Compatibility | None = None
        self._judged: Judged | None = None
        self._meanwhile = Meanwhile(self.project.state)
        self._shown = 0.0
        self._clock = Clock(None)
        self._next: Task | None = None
        self.worker = Worker(folder, self._take_up)

    # Listeners.

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell `listener` everything from now on; returns what ends that."""
        with self._turn:
            self._listeners.add(listener)
        return lambda: self._listeners.discard(listener)

    def publish(self, message: Message) -> None:
        """Tell all listeners."""
        for listener in list(self._listeners):
            listener(message)

    def refresh(self) -> None:
        """Take up and tell what other processes did."""
        with self.project.still:
            for event in self.project.refresh():
                self._tell(event)

    def _done(self, event: Event) -> Event:
        """Tell of an act of ours, but first of what others did just before it."""
        for other in self.project.untold():
            self._tell(other)
        if event.written:
            self._tell(event)
        return event

    def _tell(self, event: Event) -> None:
        self._meanwhile.hear(event)
        self.publish(message_of(event))

    # Acts.

    def act(
        self, name: str, args: Mapping[str, Any], base: int | None, by: str = "person"
    ) -> Event:
        """Do an act and tell everybody; what others did before is told first."""
        self.refresh()
        with self.project.still:  # who adopts an answer knows of every act that was done
            try:
                event = self.project.act(name, args, base=base, by=by)
            except Refused as problem:
                raise type(problem)(named(str(problem), self.project.facts.names)) from problem
            return self._done(event)

    def back(self, base: int | None) -> Event:
        """Undo."""
        self.refresh()
        with self.project.still:
            return self._done(self.project.undo(base=base))

    def again(self, base: int | None) -> Event:
        """Redo."""
        self.refresh()
        with self.project.still:
            return self._done(self.project.redo(base=base))

    def retract(self, version: int, base: int | None) -> Event:
        """Take back one act alone."""
        self.refresh()
        with self.project.still:
            try:
                event = self.project.retract(version, base=base)
            except Refused as problem:
                raise type(problem)(named(str(problem), self.project.facts.names)) from problem
            return self._done(event)

    # Pieces and joins.

    def puzzle(self) -> Puzzle:
        """Return the puzzle; read once."""
        with self._turn:
            if self._puzzle is None:
                self._puzzle = pieces.read(self.project.folder, self.project.facts)
            return self._puzzle

    def compatibility(self) -> Compatibility:
        """Return the measured pairs; raise before anything was measured."""
        with self._turn:
            if self._compatibility is None:
                path = self.project.folder / "cache" / COMPATIBILITY
                if not path.is_file():
                    raise Unmeasured("Nothing was measured yet; solve first.")
                found = Compatibility.load(path)
                if found.pieces != self.project.facts.pieces:
                    raise Refused("The measured pairs are of another puzzle; solve again.")
                self._compatibility = found
            return self._compatibility

    def _odds(self) -> Odds | None:
        """Return the odds of the measured pairs, if they were written."""
        path = self.project.folder / "cache" / ODDS
        return Odds.load(path) if path.is_file() else None

    def measured(self) -> tuple[Compatibility, Odds | None]:
        """Return the measured pairs and their odds; raise before anything was measured."""
        return self.compatibility(), self._odds()

    def judged(self) -> Judged:
        """Return how sure the joins are that lie there now."""
        compatibility = self.compatibility()
        with self.project.still:
            version, seen = self.project.version, self._judged
            if seen is not None and seen.version == version:
                return seen
            laid = laying.laid(self.project.state)
            joined = wishing.joined(self.project.state)
        self._judged = seen = judging.judged(version, laid, compatibility, self._odds(), joined)
        return seen

    def arrangement(self) -> Arrangement:
        """Return what lies on the sheets; raise where nothing does."""
        with self.project.still:
            arrangement = laying.laid(self.project.state).arrangement
        if arrangement is None:
            raise Refused("All pieces lie in the tray; lay some, or solve first.")
        return arrangement

    def picture(self, sheet: int) -> NDArray[np.uint8]:
        """Return what lies on a sheet as one picture, a page as it is to be read."""
        with self.project.still:
            self.project.state.check_sheet(sheet)
            laid = laying.laid(self.project.state)
        found = [k for k, (number, _, _) in enumerate(laid.origins) if number == sheet]
        if laid.arrangement is None or not found:
            raise Refused("Nothing lies on that sheet.")
        alone = Arrangement((laid.arrangement.sheets[found[0]],))
        puzzle = self.puzzle().layout.drawable(alone, PICTURE_PIXELS)
        return shrunk(puzzle.layout.draw(alone.sheets[0]), PICTURE_SIDE)

    # Solving.

    def solve(self, task: Task, *, around: bool, after: bool = False) -> None:
        """Begin to solve; `around` what a person said and what lies there.

        `after`: once the search that goes on has ended; else it is refused while there is one.
        """
        with self._begins:
            if self.worker.busy and after:
                self._next = task
                self._say({key: each for key, each in self.progress.items() if key != "kind"})
                return
            state, facts = self.project.state, self.project.facts
            with self.project.still:
                laid = laying.laid(state)
                task = replace(
                    task,
                    wishes=wishing.wishes(state, laid, facts),
                    panels=wishing.panels(state, facts),
                    facts=wishing.facts_of(state, facts),
                )
                meanwhile = Meanwhile(state)
            whole = laid.arrangement is not None and len(laid.arrangement.placed()) == facts.pieces
            if around and whole and task.panels is None:
                task = replace(task, begin=laid.arrangement)
            if not self.worker.solve(task):
                raise Refused("The solver is at work already; stop it first.")
            self.curve, self._meanwhile, self._clock = [], meanwhile, Clock(task.seconds)
            self._take_up({"kind": "stage", "stage": "starting", "total": 0, "done": 0})

    def solving(self) -> Message:
        """Return how the solver is doing: what it told last, and how long it goes on."""
        # Until its answer is taken up a search is not over.
        busy = self.worker.busy or self.progress["kind"] in ("stage", "live")
        told = {**self.progress, "busy": busy, "queued": self._next is not None}
        return {**told, **self._clock.told()} if busy else told

    def _take_up(self, message: Message) -> None:
        """Take up what the worker tells; it comes from a thread of its own."""
        kind = message["kind"]
        if kind == "measured":
            with self._turn:
                self._compatibility = None
            self._judged = None
        if kind == "prepared":
            self._clock.search()
        if kind in ("measured", "prepared"):
            return
        if kind == "live":
            self.curve = [*self.curve[-999:], message["best"]]
            message = self._seen(message)
        if kind == "answer":
            message = self._take(message)
        if message["kind"] == "failed":
            message = {**message, "error": worded(message["error"])}
        self.progress = {key: value for key, value in message.items() if key != "spots"}
        self._say(message)
        if kind in ENDS and self._next is not None:
            task, self._next = self._next, None
            try:
                self.solve(task, around=True)
            except TessellaError as problem:
                self._say({"kind": "failed", "error": str(problem)})

    def _say(self, message: Message) -> None:
        told = {**message, **self._clock.told(), "queued": self._next is not None}
        self.publish({**told, "kind": "solving", "what": message.get("kind", "queued")})

    def _seen(self, message: Message) -> Message:
        """Return the best so far as it would be laid now: around all that a person did."""
        arrangement = message.pop("arrangement", None)
        began = time.monotonic()
        if arrangement is None or began < self._shown:
            return message
        with self.project.still:  # not for long: acts wait
            state = State(self.project.state.pieces, self.project.state.tables)
            kept = self._meanwhile.kept(state)
        try:
            lying = Answer(**arrangement, kept=kept).spots(state, self.project.facts)
        except TessellaError:  # what is shown meanwhile must not end the search
            return message
        spots = [lying[p].to_json() if p in lying else None for p in range(state.pieces)]
        now = time.monotonic()
        self._shown = now + 4 * (now - began)  # of many pieces not too often
        return {**message, "spots": spots}

    def _take(self, message: Message) -> Message:
        facts = {key: message[key] for key in ("fitness", "seconds", "stopped")}
        try:
            event = self._adopted(message["arrangement"], facts)
        except (InputError, TessellaError, OSError) as problem:
            return {"kind": "failed", "error": str(problem)}
        moved = sum(change.table == "place" for change in event.changes)
        kept = len(event.args.get("kept", ()))
        return {
            "kind": "answer", **facts, "moved": moved, "kept": kept, "version": event.version
        }  # fmt: skip

    def _adopted(self, answer: Message, facts: Message) -> Event:
        """Take up an answer around what a person did while it was sought."""
        meanwhile, state = self._meanwhile, self.project.state
        self.refresh()
        with self.project.still:
            kept, fresh = meanwhile.kept(state), State(state.pieces, state.tables)
        if kept or meanwhile.told:
            with suppress(TessellaError, OSError):  # the answer must not be lost
                facts_now = wishing.facts_of(fresh, self.project.facts)
                puzzle = pieces.known(self.puzzle(), facts_now)
                answer = adopting.refitted(
                    answer, kept, fresh, facts_now, puzzle, self.compatibility()
                )
        with self.project.still:  # Nobody acts between the last look and the answer.
            args = {**answer, **facts, "kept": list(meanwhile.kept(state))}
            return self.act("answer", args, None, by="solver")

    def close(self) -> None:
        """End the worker, take up the best so far of a search, and leave a snapshot."""
        with self._begins:
            self._next = None  # what waits would begin when the search ends
        self.worker.close()
        self.project.close()


def message_of(event: Event) -> Message:
    """Return an event as listeners get it."""
    return {
        "kind": "event",
        "version": event.version,
        "act": event.act,
        "by": event.by,
        "changes": event.changes,
    }
