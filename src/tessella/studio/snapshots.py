"""Snapshots: the state at some version, so that opening does not read every event.

They are only ever a shorter way to what the events say: one that does not fit them is left alone.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tessella.errors import TessellaError
from tessella.files import read_json, replacing
from tessella.studio.log import Event
from tessella.studio.state import State

KEPT = 2


@dataclass(frozen=True)
class Snapshot:
    """A state, and where in the log it stands.

    Attributes
    ----------
    state, version : what comes of so many events
    offset : how many bytes of the log they take
    done, undone : (version, offset) of what can be undone, and redone
    """

    state: State
    version: int = 0
    offset: int = 0
    done: tuple[tuple[int, int], ...] = field(default=())
    undone: tuple[tuple[int, int], ...] = field(default=())


def write(folder: Path, taken: Snapshot) -> None:
    """Write a snapshot and drop old ones."""
    value = {
        "version": taken.version,
        "offset": taken.offset,
        "pieces": taken.state.pieces,
        "done": taken.done,
        "undone": taken.undone,
        "tables": taken.state.to_json(),
    }
    place = folder / "snapshots"
    place.mkdir(exist_ok=True)
    with replacing(place / f"{taken.version:09d}.json") as temporary:
        temporary.write_text(json.dumps(value, separators=(",", ":")), encoding="utf-8")
    for old in _every(folder)[KEPT:]:
        with suppress(OSError):
            old.unlink()


def newest(folder: Path, pieces: int) -> Snapshot:
    """Return the newest snapshot that fits the log; the empty beginning where there is none."""
    for path in _every(folder):
        with suppress(TessellaError, OSError, KeyError, TypeError, ValueError):
            value = read_json(path)
            if value["pieces"] == pieces and _fits(folder / "events.jsonl", value):
                return Snapshot(
                    State(pieces, value["tables"]),
                    value["version"],
                    value["offset"],
                    tuple((v, o) for v, o in value["done"]),
                    tuple((v, o) for v, o in value["undone"]),
                )
    return Snapshot(State(pieces))


def _every(folder: Path) -> list[Path]:
    """Return all snapshots, the newest first."""
    return sorted((folder / "snapshots").glob("[0-9]*.json"), reverse=True)


def _fits(log: Path, value: dict[str, Any]) -> bool:
    """Whether the last event before the snapshot's offset is the one of its version."""
    with log.open("rb") as file:
        file.seek(0, 2)
        if file.tell() < value["offset"]:
            return False
        last = Event.from_line(_line_before(file, value["offset"]))
        return last.version == int(value["version"])


def _line_before(file: Any, offset: int) -> bytes:
    """Return the line that ends at `offset`."""
    step, text = 4096, b""
    while True:
        begin = max(0, offset - step)
        file.seek(begin)
        text = file.read(offset - begin)
        at = text.rfind(b"\n", 0, len(text) - 1)
        if at >= 0 or begin == 0:
            return bytes(text[at + 1 :])
        step *= 8
