"""Describing edges: what a measure says of one alone, before it compares any two.

What networks say of the edges of a very large puzzle is kept with the other blocks of the work: it
is not done again after a kill, and workers share it out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.asking import EDGES
from tessella.checkpoint import State
from tessella.puzzle import Puzzle
from tessella.threads import chunks
from tessella.workshop import ALONE, Workshop

if TYPE_CHECKING:
    from tessella.measuring import Measure


@runtime_checkable
class Looking(Protocol):
    """What a measure has besides, that sees more of a puzzle than pixels, such as ragged rims."""

    def look(self, puzzle: Puzzle, which: NDArray[np.int32], direction: int) -> NDArray[Any]:
        """Describe edges `which` of `puzzle`, turned to face `direction`, as `right` would."""


@runtime_checkable
class Networked(Protocol):
    """What a measure has besides whose `right` and `left` are networks: their rows are kept."""

    @property
    def networked(self) -> bool:
        """Whether it is so."""


@dataclass(frozen=True, eq=False)
class Describing:
    """Edges that a measure describes: a `tessella.workshop.Job`.

    Attributes
    ----------
    which : the edges, ``(A,)``
    direction : `edges.RIGHT` or `edges.LEFT`, where they are turned to face
    """

    by: Measure
    puzzle: Puzzle
    which: NDArray[np.int32]
    direction: int

    @property
    def blocks(self) -> int:
        """How many blocks of `EDGES` edges there are."""
        return len(chunks(len(self.which), EDGES))

    def do(self, number: int, threads: int | None) -> State:
        """Return the rows of a block's edges."""
        del threads  # A block is one thread's.
        part = chunks(len(self.which), EDGES)[number]
        seen = self.puzzle.facing(self.which[part], self.direction)
        ask = self.by.right if self.direction == edges.RIGHT else self.by.left
        return {"rows": ask(seen, self.puzzle.eroded)}


def describe(
    puzzle: Puzzle,
    which: NDArray[np.int32],
    direction: int,
    by: Measure,
    workshop: Workshop | None = None,
    name: str = "describing",
    threads: int | None = None,
) -> NDArray[Any]:
    """Describe edges in portions, so that turned copies of all pieces never exist at once.

    Parameters
    ----------
    workshop : of a very large puzzle: what networks say is done there and kept as `name`
    """
    if isinstance(by, Looking):
        return by.look(puzzle, which, direction)
    job = Describing(by, puzzle, which, direction)
    if workshop is None or not isinstance(by, Networked):
        workshop = ALONE
    out: NDArray[Any] | None = None
    for number, made in workshop.done(name, job, threads):
        rows = made["rows"]
        if out is None:  # Filled, not put together in the end: that would need twice the room.
            out = np.empty((len(which), *rows.shape[1:]), rows.dtype)
        out[chunks(len(which), EDGES)[number]] = rows
    assert out is not None
    return out
