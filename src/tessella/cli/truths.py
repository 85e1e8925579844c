"""Reading arrangement and truth files, with the file named in every complaint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tessella.errors import FormatError
from tessella.files import read_json
from tessella.truth import Truth

T = TypeVar("T")


@dataclass(frozen=True)
class NamedTruth:
    """A truth and the names of its pieces, none when the file does not tell."""

    truth: Truth
    names: tuple[str, ...]


def read_named(path: Path, read: Callable[[dict[str, Any]], T]) -> tuple[T, tuple[str, ...]]:
    """Read a file with `read`, and the names of the pieces that it tells."""
    value = read_json(path)
    try:
        known = read(value)
    except FormatError as problem:
        raise FormatError(f"{path} cannot be used: {problem}") from problem
    names = value.get("pieces")
    return known, tuple(map(str, names)) if isinstance(names, list) else ()


def read_truth(path: Path) -> NamedTruth:
    """Read a truth file."""
    return NamedTruth(*read_named(path, Truth.from_json))
