"""The log: events.jsonl, one event a line, only ever added to, shared by several processes.

Who adds holds the lock, first reads what others added, then writes one line and waits until it is
on the disk. A line that a killed process left half-written is cut off by the next who comes.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tessella.studio.errors import Unreadable
from tessella.studio.state import Change


@dataclass(frozen=True)
class Event:
    """What somebody did.

    Attributes
    ----------
    version : counts events from 1
    act : its name; "undo" and "redo" are acts too
    args : what it was given
    changes : what became of it
    by : "person" or "solver"
    at : when, by the clock of the machine
    written : False for an act that changed nothing: no line of the log, and no version of its own
    """

    version: int
    act: str
    args: dict[str, Any]
    changes: tuple[Change, ...]
    by: str = "person"
    at: str = ""
    written: bool = True

    def to_line(self) -> bytes:
        """Return the event as a line of the log."""
        value = {
            "v": self.version,
            "act": self.act,
            "by": self.by,
            "at": self.at,
            "args": self.args,
            "changes": self.changes,
        }
        return json.dumps(value, separators=(",", ":")).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> Event:
        """Read a line; raise ValueError unless it is a whole event."""
        try:
            value = json.loads(line)
            changes = tuple(Change(*change) for change in value["changes"])
            version, act, args = value["v"], value["act"], value["args"]
            return cls(version, act, args, changes, value["by"], value["at"])
        except (KeyError, TypeError, RecursionError) as problem:
            raise ValueError(f"not an event: {problem}") from problem


@dataclass(frozen=True)
class Placed:
    """An event and the byte at which its line begins."""

    event: Event
    offset: int


class Log:
    """One process's view of the file.

    Attributes
    ----------
    offset : how many bytes have been read
    notes : what a person should know of how the file was found
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / "events.jsonl"
        self._lock = folder / "lock"
        self.offset = 0
        self.notes: list[str] = []

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock: nobody else adds anything meanwhile; a dead process holds nothing."""
        with self._lock.open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def grown(self) -> bool:
        """Whether the file is longer than what was read."""
        return self.path.stat().st_size > self.offset

    def read(self) -> list[Placed]:
        """Return what was added since; the lock must be held."""
        with self.path.open("rb") as file:
            file.seek(self.offset)
            text = file.read()
        whole = text.rfind(b"\n") + 1
        events, at = [], 0
        while at < whole:
            end = text.index(b"\n", at) + 1
            try:
                event = Event.from_line(text[at:end])
            except ValueError as problem:
                if end < len(text):
                    raise self._unreadable(self.offset + at, problem) from problem
                whole = at  # the last line, garbled as by a power cut
                break
            events.append(Placed(event, self.offset + at))
            at = end
        self.offset += at
        if len(text) > whole:
            self._cut(len(text) - whole)
        return events

    def _cut(self, size: int) -> None:
        with self.path.open("r+b") as file:
            file.truncate(self.offset)
            os.fsync(file.fileno())
        self.notes.append(
            f"The last {size} bytes of events.jsonl were no whole event and were dropped: what "
            "was being written when the studio was cut off had not been acknowledged."
        )

    def add(self, event: Event) -> Placed:
        """Write an event and wait until it is on the disk; the lock must be held."""
        line, at = event.to_line(), self.offset
        with self.path.open("ab") as file:
            try:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                os.ftruncate(file.fileno(), at)  # a full disk must not leave half a line
                raise
        self.offset += len(line)
        return Placed(event, at)

    def between(self, begin: int, end: int) -> Iterator[Event]:
        """Yield the events of bytes that were read before: nobody changes them, locked or not."""
        with self.path.open("rb") as file:
            file.seek(begin)
            while (at := file.tell()) < end:
                try:
                    yield Event.from_line(file.readline())
                except ValueError as problem:
                    raise self._unreadable(at, problem) from problem

    def _unreadable(self, at: int, problem: ValueError) -> Unreadable:
        return Unreadable(
            f"{self.path} has a line at byte {at} that is no event ({problem}); put a copy of the "
            "file back."
        )

    def at(self, offset: int) -> Event:
        """Return the event whose line begins at `offset`."""
        with self.path.open("rb") as file:
            file.seek(offset)
            return Event.from_line(file.readline())
