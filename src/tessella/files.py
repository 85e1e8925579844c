"""Writing so that nothing half-written is left behind, and reading our own JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tessella.errors import FormatError, OutputError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary name beside `path`; move it into place only if the block succeeds."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield temporary
        temporary.replace(path)
    except OSError as problem:
        raise OutputError(f"Cannot write {path}: {problem.strerror or problem}.") from problem
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path` in one step."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_json(path: Path, value: object) -> None:
    """Write `value` to `path` as JSON in one step."""
    write_text(path, json.dumps(value, indent=1) + "\n")


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object from `path`."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise FormatError(f"Cannot read {path}: {problem.strerror or problem}.") from problem
    except (ValueError, RecursionError) as problem:
        raise FormatError(f"{path} is not valid JSON: {problem}.") from problem
    if not isinstance(value, dict):
        raise FormatError(f"{path} must hold a JSON object, not {type(value).__name__}.")
    return value


def claim_folder(folder: Path, *, force: bool, marker: str, others: tuple[str, ...] = ()) -> None:
    """Make `folder` ready for a run's output, or say why it cannot be.

    A folder that is absent, empty or (with `force`) holds an earlier run is accepted; `marker` is
    the file that ends a run and is removed first, so that a killed run never looks finished.
    Anything that is not ours is left alone and refused.
    """
    ours = (marker, *others)
    try:
        if folder.exists() and not folder.is_dir():
            raise OutputError(f"{folder} is a file; name a folder to write to.")
        present = sorted(p.name for p in folder.iterdir()) if folder.exists() else []
        held = [name for name in present if not name.startswith(".")]
        if held and not any(name in ours for name in held):
            raise OutputError(
                f"{folder} is not empty and holds no earlier run of this command "
                f"({held[0]}, ...); name a new or empty folder."
            )
        if held and not force:
            raise OutputError(
                f"{folder} already holds a run; add --force to replace it or name another folder."
            )
        folder.mkdir(parents=True, exist_ok=True)
        (folder / marker).unlink(missing_ok=True)
        probe = folder / f".probe.{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as problem:
        raise OutputError(
            f"Cannot write to {folder}: {problem.strerror or problem}; choose another folder."
        ) from problem
