"""Checkpoints: where an iterative solver keeps what it needs to go on after a kill."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from tessella.errors import FormatError
from tessella.files import replacing

State = Mapping[str, NDArray[Any]]


class Checkpoint:
    """One file that holds the latest state of a solver, written at most every few seconds.

    Parameters
    ----------
    path : the file
    key : what must be the same for a state to be continued: puzzle, settings, seed; a state with
        another key is refused
    every : seconds between two writes
    """

    def __init__(self, path: Path, key: str, every: float = 5.0) -> None:
        self.path = path
        self.key = key
        self.every = every
        self._last = time.monotonic()

    def beside(self, name: str) -> Checkpoint:
        """Return where something that belongs to the same work keeps its state."""
        path = self.path.with_stem(f"{self.path.stem}-{name}")
        return Checkpoint(path, self.key, self.every)

    def due(self) -> bool:
        """Whether it is time to write again."""
        return time.monotonic() - self._last >= self.every

    def save(self, state: State) -> None:
        """Replace the file's content by `state`."""
        held: dict[str, Any] = {**state, "checkpoint_key": np.array(self.key)}
        with replacing(self.path) as temporary, temporary.open("wb") as file:
            np.savez(file, **held)
            file.flush()
            os.fsync(file.fileno())
        self._last = time.monotonic()

    def load(self) -> dict[str, NDArray[Any]] | None:
        """Return the state last saved, or None when there is no file."""
        if not self.path.exists():
            return None
        try:
            with self.path.open("rb") as file, np.load(file) as held:
                state = {name: held[name] for name in held.files}
        except (OSError, ValueError, EOFError, BadZipFile) as problem:
            raise FormatError(
                f"The checkpoint {self.path} cannot be read ({problem}); start again with --force."
            ) from problem
        if str(state.pop("checkpoint_key", "")) != self.key:
            raise FormatError(
                f"The checkpoint {self.path} belongs to another puzzle, setting or seed; "
                "repeat the first call's options or start again with --force."
            )
        return state

    def remove(self) -> None:
        """Delete the file: the work is done."""
        self.path.unlink(missing_ok=True)
