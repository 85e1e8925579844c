"""A project: a folder NAME.tessella whose only truth is its list of events.

::

    NAME.tessella/
        project.json    what the pieces are; written once
        pieces/         the pieces, unless project.json refers to them elsewhere
        events.jsonl    every act of person and solver, only ever added to
        snapshots/      states at some versions, for quick opening; may be deleted
        cache/          thumbnails and measured pairs; may be deleted
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from tessella.files import write_json
from tessella.studio import acts, snapshots
from tessella.studio.acts._verdicts import JOINED, check_partners
from tessella.studio.errors import Conflict, Refused, Unreadable
from tessella.studio.facts import Facts
from tessella.studio.log import Event, Log, Placed
from tessella.studio.state import TRAY, Change, State, parted

SUFFIX = ".tessella"
FILE = "project.json"
EVERY = 2000
"""So many events lie between two snapshots."""


class Project:
    """An open project; safe for several threads, and several processes may open the same folder.

    Attributes
    ----------
    folder : where it lies
    facts : what is known of its pieces
    state : what comes of all events
    version : how many events there are
    done, undone : (version, offset) of the events that can be undone, and redone
    still : held while the state is read, so that no other thread changes it
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.facts = Facts.read(folder / FILE)
        self.still = self._turn = threading.RLock()
        self._log = Log(folder)
        self._touched: dict[tuple[str, str], int] = {}
        self._untold: list[Event] = []
        newest = snapshots.newest(folder, self.facts.pieces)
        self.state = newest.state
        self.version = self._opened = self._shot = newest.version
        self.done, self.undone = list(newest.done), list(newest.undone)
        self._log.offset = newest.offset
        try:
            self.refresh()
        except FileNotFoundError as problem:
            raise Unreadable(f"{folder} has no events.jsonl; it is no whole project.") from problem

    @classmethod
    def create(cls, folder: Path, facts: Facts) -> Project:
        """Make a project in `folder`, which may hold its pieces already."""
        if (folder / FILE).exists():
            raise Refused(f"{folder} is a project already; open it, or name another folder.")
        (folder / "snapshots").mkdir(parents=True, exist_ok=True)
        (folder / "cache").mkdir(exist_ok=True)
        (folder / "events.jsonl").touch()
        write_json(folder / FILE, facts.to_json())
        _sync(folder)
        return cls(folder)

    @property
    def notes(self) -> list[str]:
        """What a person should know of how the project was found."""
        return self._log.notes

    def refresh(self) -> list[Event]:
        """Take up what other processes added, and return it; see `untold`."""
        with self._turn:
            if self._log.grown():
                with self._log.held():
                    self._catch_up()
            return self.untold()

    def untold(self) -> list[Event]:
        """Return, once, what other processes added and was taken up, by whatever was asked."""
        with self._turn:
            events, self._untold = self._untold, []
            return events

    def act(
        self, name: str, args: Mapping[str, Any], *, base: int | None = None, by: str = "person"
    ) -> Event:
        """Do an act, and return once it is on the disk.

        One that changes nothing is not written, so that what was undone can still be redone.

        Parameters
        ----------
        base : the version that the act was based on: if anything that it touches was changed
            since, it is refused. None: it holds whatever happened
        """
        made = acts.make(name, args)
        with self._turn, self._log.held():
            self._catch_up()
            changes = tuple(c for c in made.changes(self.state, self.facts) if c.before != c.after)
            if getattr(made, "says_where", False):
                base = None  # what was seen is what counts, not what became of it
            told = acts.summary(made)
            if not changes and not getattr(made, "records", False):
                return Event(self.version, name, told, changes, by, written=False)
            return self._add(name, told, changes, base, by)

    def undo(self, *, base: int | None = None) -> Event:
        """Take back the last act that was not taken back."""
        with self._turn, self._log.held():
            self._catch_up()
            if not self.done:
                raise Refused("There is nothing to undo.")
            version, offset = self.done[-1]
            wrong = self._log.at(offset)
            changes = tuple(c.undone() for c in reversed(wrong.changes))
            told = {"of": version, "act": wrong.act, "by": wrong.by}
            return self._add("undo", told, changes, base, "person")

    def redo(self, *, base: int | None = None) -> Event:
        """Do again the act that was taken back last."""
        with self._turn, self._log.held():
            self._catch_up()
            if not self.undone:
                raise Refused("There is nothing to redo.")
            version, offset = self.undone[-1]
            again = self._log.at(offset)
            told = {"of": version, "act": again.act, "by": again.by}
            return self._add("redo", told, again.changes, base, "person")

    def retract(self, version: int, *, base: int | None = None) -> Event:
        """Take back one act alone, whatever was done after it, if nothing rests on it."""
        with self._turn, self._log.held():
            self._catch_up()
            offset = next((at for each, at in reversed(self.done) if each == version), None)
            if offset is None:
                raise Refused("That was taken back already, or was never done.")
            wrong = self._log.at(offset)
            changes = tuple(change.undone() for change in reversed(wrong.changes))
            self._check_alone(changes)
            told = {"of": version, "act": wrong.act, "by": wrong.by}
            return self._add("retract", told, changes, base, "person")

    def events(self, since: int, most: int | None = None) -> list[Event]:
        """Return the events after version `since`, oldest first; `most` of them at most."""
        with self._turn:
            with self._log.held():
                self._catch_up()
            begin = max((at for version, at in self.done if version <= since), default=0)
            found = self._log.between(begin, self._log.offset)
        return list(islice((each for each in found if each.version > since), most))

    def snapshot(self) -> None:
        """Write the state, so that opening is quick."""
        with self._turn:
            if self.version > self._shot:
                self._shot = self.version
                snapshots.write(self.folder, self.taken())

    def taken(self) -> snapshots.Snapshot:
        """Return everything that opening needs."""
        return snapshots.Snapshot(
            self.state, self.version, self._log.offset, tuple(self.done), tuple(self.undone)
        )

    def close(self) -> None:
        """Leave a snapshot behind."""
        self.snapshot()

    def _add(
        self,
        name: str,
        args: dict[str, Any],
        changes: tuple[Change, ...],
        base: int | None,
        by: str,
    ) -> Event:
        self._check(changes, base)
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        placed = self._log.add(Event(self.version + 1, name, args, changes, by, at))
        self._fold(placed)
        if self.version - self._shot >= EVERY:
            self.snapshot()
        return placed.event

    def _check(self, changes: tuple[Change, ...], base: int | None) -> None:
        """Raise if something that is to be changed was changed after version `base`."""
        if base is None or base >= self.version:
            return
        if base < 0:
            raise Refused(f"Versions count from 0; got {base}.")
        # Of what happened before this process opened the project nothing is known in detail.
        for change in changes:
            last = self._touched.get((change.table, change.key), 0)
            if last > base or base < self._opened:
                raise Conflict(
                    f"{_subject(change)} was changed by somebody else meanwhile (version "
                    f"{max(last, self._opened)}, yours is {base}); look at it and do it again."
                )

    def _check_alone(self, changes: tuple[Change, ...]) -> None:
        """Raise unless everything is still as the act left it, and cells are free to go back to."""
        tables = self.state.tables
        coming = {int(change.key) for change in changes if change.table == "place"}
        sheets = {int(c.key) for c in changes if c.table == "sheet" and c.after is not None}
        gone = {int(c.key) for c in changes if c.table == "sheet" and c.after is None}
        after = State(self.state.pieces, tables)
        after.apply(changes)
        if after.used() & gone or any(
            tables[change.table].get(change.key) != change.before for change in changes
        ):
            raise Refused("Something of that was changed since; take that back first.")
        _check_agreed(after, changes)
        for change in changes:
            if change.table != "place" or change.after is None or change.after[0] == TRAY:
                continue
            sheet, row, col, _ = change.after
            other = self.state.cells.get((sheet, row, col))
            if other is not None and other not in coming:
                raise Refused(f"Piece {other} lies there now; take that back first.")
            if self.state.locked(int(change.key)) or sheet not in {*self.state.sheets(), *sheets}:
                raise Refused(f"Piece {change.key} cannot go back there; unlock it first.")

    def _catch_up(self) -> None:
        """Take up what others added; the lock must be held. Who watches is told by `untold`."""
        for placed in self._log.read():
            self._fold(placed)
            self._untold.append(placed.event)

    def _fold(self, placed: Placed) -> None:
        event = placed.event
        if event.version != self.version + 1:
            raise Unreadable(
                f"{self._log.path} goes from version {self.version} to {event.version}; put a "
                "copy of the file back."
            )
        self.state.apply(event.changes)
        self.version = event.version
        for change in event.changes:
            self._touched[change.table, change.key] = event.version
        if event.act == "undo":
            self.undone.append(self.done.pop())
        elif event.act == "redo":
            self.done.append(self.undone.pop())
        else:
            self.done.append((event.version, placed.offset))
            self.undone.clear()


def _check_agreed(state: State, changes: tuple[Change, ...]) -> None:
    """Raise where what came back in a state contradicts what was said since."""
    for key in state.tables["bar"]:
        piece, sheet, row, col = map(int, key.split(":"))
        if state.cells.get((sheet, row, col)) == piece:
            raise Refused(f"Piece {piece} is barred from that cell; take that back first.")
    for change in changes:
        if change.table == "join" and change.after == JOINED:
            check_partners(state, *parted(change.key))
        if change.table == "lock" and change.after and state.spot(int(change.key)).sheet == TRAY:
            raise Refused(f"Piece {change.key} lies in the tray; lay it in a cell to lock it.")


def _subject(change: Change) -> str:
    """Return in words what a change is about."""
    if change.table in ("place", "lock", "code", "lie"):
        return f"What is known of piece {change.key}"
    if change.table == "sheet":
        return f"Sheet {int(change.key) + 1}"
    return {"note": "That note", "about": "What is known of the whole"}.get(
        change.table, "What was said of that"
    )


def is_project(folder: Path) -> bool:
    """Whether `folder` is one."""
    return (folder / FILE).is_file()


def _sync(folder: Path) -> None:
    """Make sure that the names in `folder` are on the disk."""
    for name in ("project.json", "events.jsonl"):
        with (folder / name).open("rb") as file:
            os.fsync(file.fileno())
    place = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)
