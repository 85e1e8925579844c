"""The arrangement itself, as ``tessella solve`` writes it."""

from __future__ import annotations

from tessella.exports import Target
from tessella.files import write_json


def write(target: Target) -> None:
    """Write arrangement.json."""
    value = target.arrangement.to_json(target.puzzle.names)
    write_json(target.folder / "arrangement.json", value)
