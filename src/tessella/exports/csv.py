"""The placement list, for spreadsheets."""

from __future__ import annotations

from tessella.exports import Target
from tessella.placement import write_placement


def write(target: Target) -> None:
    """Write placement.csv."""
    write_placement(target.folder / "placement.csv", target.arrangement, target.puzzle.names)
