"""The folder that a command fills: claimed early, filled at the end, whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from tessella.errors import OutputError

_STAGE = ".new"


@dataclass(frozen=True)
class Kind:
    """What a command leaves in its folder.

    Attributes
    ----------
    marker : the file that is written last: a folder that has it is complete
    others : patterns of the names of everything else
    unfinished : where work that was cut off is kept
    grows : an earlier run is added to or written over, without being asked
    shares : files that are not the command's may lie beside its own
    """

    marker: str
    others: tuple[str, ...] = ()
    unfinished: str = ".checkpoint"
    grows: bool = False
    shares: bool = False

    def owns(self, name: str) -> bool:
        """Whether the command may have written `name`."""
        return name == self.marker or any(fnmatch(name, pattern) for pattern in self.others)


def checkpoint_of(folder: Path) -> Path:
    """Return where unfinished work on `folder` is kept, unless its kind says otherwise."""
    return folder / Kind.unfinished


@contextmanager
def claimed(
    folder: Path, kind: Kind, *, force: bool = False, resume: bool = False
) -> Iterator[None]:
    """Make sure that `folder` can be filled; leave nothing behind if the block does not fill it.

    An earlier run is accepted with `force`, unfinished work with `resume` or `force`; neither is
    touched yet (see `staged` and `unmark`). What is not ours is never touched.
    """
    with _explaining(folder):
        _check(folder, kind, force, resume)
        made = _make(folder)
    try:
        yield
    finally:
        for each in (folder / kind.unfinished, *made):
            if each.is_dir() and not any(each.iterdir()):
                each.rmdir()


@contextmanager
def staged(folder: Path, kind: Kind) -> Iterator[Path]:
    """Yield an empty folder; when the block ends well, its content replaces that of `folder`."""
    stage = folder / _STAGE
    try:
        with _explaining(folder):
            shutil.rmtree(stage, ignore_errors=True)
            stage.mkdir()
        yield stage
        with _explaining(folder):
            _replace(folder, stage, kind)
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def unmark(folder: Path, kind: Kind) -> None:
    """Remove the marker: what is not staged must not look finished when it is killed."""
    with _explaining(folder):
        (folder / kind.marker).unlink(missing_ok=True)


def forget(folder: Path) -> None:
    """Remove unfinished work on `folder`."""
    shutil.rmtree(checkpoint_of(folder), ignore_errors=True)


def _check(folder: Path, kind: Kind, force: bool, resume: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"{folder} is a file; name a folder to write to.")
    held = sorted(p.name for p in folder.iterdir()) if folder.exists() else []
    seen = [name for name in held if name[0] != "."]
    ours = [name for name in seen if kind.owns(name)]
    unfinished = kind.unfinished in held
    if seen and not ours and not kind.shares:
        raise OutputError(
            f"{folder} is not empty and holds no earlier run of this command ({seen[0]}, ...); "
            "name a new or empty folder."
        )
    if force or (resume and unfinished):
        return
    if unfinished:
        anew = "" if kind.grows else "--force to start again, "
        raise OutputError(
            f"{folder} holds unfinished work; add --resume to continue it, {anew}or name another "
            "folder."
        )
    if ours and not kind.grows:
        why = "a finished run, so there is nothing to resume" if resume else "another run"
        raise OutputError(
            f"{folder} holds {why}; add --force to replace it, or name another folder."
        )


def _make(folder: Path) -> list[Path]:
    """Make the folder, see that it can be written, and return what was made, innermost first."""
    made = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".probe-", dir=folder):
            pass
    except OSError:
        for each in made:
            if each.is_dir():
                each.rmdir()
        raise
    return made


def _replace(folder: Path, stage: Path, kind: Kind) -> None:
    """Move everything from `stage` to `folder`; the old marker goes first, the new comes last."""
    (folder / kind.marker).unlink(missing_ok=True)
    for old in folder.iterdir():
        if kind.owns(old.name):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    for new in sorted(stage.iterdir(), key=lambda path: path.name == kind.marker):
        new.rename(folder / new.name)


@contextmanager
def _explaining(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        reason = problem.strerror or problem
        raise OutputError(
            f"Cannot write to {folder}: {reason}; choose another folder."
        ) from problem
