"""What ``tessella solve`` does first when it is given scans or photographs."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tessella.errors import InputError

if TYPE_CHECKING:
    from tessella.watch import Watcher


@dataclass(frozen=True)
class Collected:
    """A puzzle that was given, or one that was made from pictures in the folder `made`."""

    puzzle: Path
    made: Path | None = None

    def deliver(self, folder: Path) -> None:
        """Copy what was made into `folder`."""
        if self.made is not None:
            shutil.copytree(self.made, folder, dirs_exist_ok=True)


def only(puzzle: Sequence[Path], kind: str | None) -> Path:
    """Return the one puzzle that was named; with a kind the first of the pictures."""
    if kind not in (None, "strips", "tiles"):
        raise InputError(f"--kind must be strips or tiles; got {kind!r}.")
    if kind is None and len(puzzle) != 1:
        raise InputError(
            f"One puzzle is solved at a time; got {len(puzzle)}. Scans or photographs need --kind "
            "strips or --kind tiles."
        )
    return puzzle[0]


@contextmanager
def collected(puzzle: Sequence[Path], kind: str | None, watch: Watcher) -> Iterator[Collected]:
    """Yield the puzzle to solve: the one that was named, or one collected from pictures."""
    if kind is None:
        yield Collected(puzzle[0])
        return
    from tessella.collect.collection import collect
    from tessella.collect.settings import Settings
    from tessella.collect.writing import write_collection
    from tessella.console import note

    collection = collect(puzzle, Settings(kind), watch)
    if collection.doubtful:
        note(
            f"{collection.doubtful} of {len(collection.pieces)} {kind} are doubtful: see "
            "contact.png."
        )
    with tempfile.TemporaryDirectory(prefix="tessella-") as temporary:
        made = Path(temporary) / "collected"
        made.mkdir()
        write_collection(made, collection)
        yield Collected(made / "puzzle", made)
