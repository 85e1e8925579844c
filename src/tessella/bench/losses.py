"""Losses: what is done to pictures besides cutting them; pieces go missing, strangers come in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tessella.bench.panels import Panel
from tessella.errors import InputError
from tessella.puzzle import Shape


@dataclass(frozen=True)
class Losses:
    """How far a puzzle is from one whole picture; see `tessella.cut_panels`.

    Attributes
    ----------
    missing : share of every picture's pieces that is taken out
    block : rows and columns of a hole in every picture
    mixed : how many pictures lie in one puzzle
    foreign : pieces of the picture that comes next in the set
    """

    missing: float = 0.0
    block: Shape | None = None
    mixed: int = 1
    foreign: int = 0

    def label(self) -> str:
        """Say in a few words what was done."""
        parts = [f"{self.mixed} mixed"] if self.mixed > 1 else []
        parts += [f"missing {100 * self.missing:g} %"] if self.missing else []
        parts += [f"block {self.block[0]}x{self.block[1]}"] if self.block else []
        parts += [f"{self.foreign} foreign"] if self.foreign else []
        return ", ".join(parts) or "whole"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Losses:
        """Read the JSON form."""
        block = value["block"]
        shape = None if block is None else (int(block[0]), int(block[1]))
        return cls(float(value["missing"]), shape, int(value["mixed"]), int(value["foreign"]))


WHOLE = Losses()
"""One whole picture."""


@dataclass(frozen=True)
class Mixture:
    """Pictures that become one puzzle, and the one that foreign pieces come from.

    Attributes
    ----------
    stranger : None where nothing foreign is put in
    """

    pictures: tuple[Path | Panel, ...]
    stranger: Path | Panel | None = None

    @property
    def name(self) -> str:
        """The first and the last of them."""
        first, last = self.pictures[0].name, self.pictures[-1].name
        return first if len(self.pictures) == 1 else f"{first}..{last}"


def mixtures(pictures: tuple[Path, ...] | tuple[Panel, ...], losses: Losses) -> tuple[Mixture, ...]:
    """Return the pictures in groups of as many as are mixed, each picture once.

    A last group that is not full is left out. Foreign pieces come from the picture after a group,
    the first where there is none.
    """
    size, count = losses.mixed, len(pictures)
    if count < size + bool(losses.foreign):
        raise InputError(
            f"{losses.label()} needs {size + bool(losses.foreign)} pictures; there are {count}."
        )
    starts: Sequence[int] = range(0, count - size + 1, size)
    return tuple(
        Mixture(
            pictures[first : first + size],
            pictures[(first + size) % count] if losses.foreign else None,
        )
        for first in starts
    )
