"""A session: one project as the server has it open, with its worker and its listeners."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tessella.arrangement import Arrangement
from tessella.compatibility import Compatibility
from tessella.errors import InputError, TessellaError
from tessella.odds import Odds
from tessella.puzzle import Puzzle
from tessella.studio import judging, laying, pieces, wishing
from tessella.studio.errors import Refused, named
from tessella.studio.judging import Judged
from tessella.studio.log import Event
from tessella.studio.project import Project
from tessella.studio.worker import COMPATIBILITY, ODDS, Message, Task, Worker


class Unmeasured(Refused):
    """Something was asked that only measured pairs can tell."""


Listener = Callable[[Message], None]
QUICK_SECONDS = 60.0
THOROUGH_RUNS = 3


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
        self._puzzle: Puzzle | None = None
        self._compatibility: Compatibility | None = None
        self._judged: Judged | None = None
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
        for event in self.project.refresh():
            self.publish(message_of(event))

    # Acts.

    def act(
        self, name: str, args: Mapping[str, Any], base: int | None, by: str = "person"
    ) -> Event:
        """Do an act and tell everybody; what others did before is told first."""
        self.refresh()
        try:
            event = self.project.act(name, args, base=base, by=by)
        except Refused as problem:
            raise type(problem)(named(str(problem), self.project.facts.names)) from problem
        self.publish(message_of(event))
        return event

    def back(self, base: int | None) -> Event:
        """Undo."""
        self.refresh()
        event = self.project.undo(base=base)
        self.publish(message_of(event))
        return event

    def again(self, base: int | None) -> Event:
        """Redo."""
        self.refresh()
        event = self.project.redo(base=base)
        self.publish(message_of(event))
        return event

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

    # Solving.

    def solve(self, task: Task, *, around: bool) -> None:
        """Begin to solve; `around` what a person said and what lies there."""
        state = self.project.state
        facts = self.project.facts
        with self.project.still:
            laid = laying.laid(state)
            task = replace(
                task,
                wishes=wishing.wishes(state, laid, facts),
                panels=wishing.panels(state, facts),
            )
        whole = laid.arrangement is not None and len(laid.arrangement.placed()) == facts.pieces
        if around and whole and task.panels is None:
            task = replace(task, begin=laid.arrangement)
        if not self.worker.solve(task):
            raise Refused("The solver is at work already; stop it first.")
        self.curve = []
        self._take_up({"kind": "stage", "stage": "starting", "total": 0, "done": 0})

    def _take_up(self, message: Message) -> None:
        """Take up what the worker tells; it comes from a thread of its own."""
        if message["kind"] == "measured":
            with self._turn:
                self._compatibility = None
            self._judged = None
        if message["kind"] == "live":
            self.curve = [*self.curve[-999:], message["best"]]
        if message["kind"] == "answer":
            message = self._take(message)
        self.progress = {key: value for key, value in message.items() if key != "arrangement"}
        self.publish({**message, "kind": "solving", "what": message["kind"]})

    def _take(self, message: Message) -> Message:
        facts = {key: message[key] for key in ("fitness", "seconds", "stopped")}
        try:
            event = self.act("answer", {**message["arrangement"], **facts}, None, by="solver")
        except (InputError, TessellaError, OSError) as problem:
            return {"kind": "failed", "error": str(problem)}
        moved = sum(change.table == "place" for change in event.changes)
        return {"kind": "answer", **facts, "moved": moved, "version": event.version}

    def close(self) -> None:
        """End the worker and leave a snapshot."""
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
