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
