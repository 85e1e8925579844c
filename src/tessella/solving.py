"""What a solver is, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from tessella.arrangement import Arrangement
from tessella.checkpoint import Checkpoint
from tessella.compatibility import Compatibility
from tessella.errors import InputError
from tessella.puzzle import Shape
from tessella.stop import Stop, never
from tessella.watch import SILENT, Watcher


@dataclass(frozen=True)
class Solution:
    """One run's answer.

    Attributes
    ----------
    arrangement : every piece in a cell
    fitness : sum of compatibilities over its joins
    history : the best fitness after every generation, for iterative solvers
    stopped : True when a limit or a person ended the run early
    """

    arrangement: Arrangement
    fitness: float
    history: tuple[float, ...] = field(default=())
    stopped: bool = False


@dataclass(frozen=True)
class Covers:
    """Which puzzles a solver is for; it always covers upright pieces and a known shape.

    A solver whose paper covers less than everything says so in a class variable,
    ``covers: ClassVar[Covers] = Covers(turned=False)``, and its `solve` begins with
    ``self.covers.check("name", compatibility, shape)``.

    Attributes
    ----------
    turned : whether pieces may be turned
    unknown : whether the shape may be unknown
    grids : False where the solver lays strips in one row and nothing else
    """

    turned: bool = True
    unknown: bool = True
    grids: bool = True

    def includes(self, *, upright: bool, shape_known: bool) -> bool:
        """Say whether puzzles of this variant are covered."""
        return (upright or self.turned) and (shape_known or self.unknown)

    def check(self, solver: str, compatibility: Compatibility, shape: Shape | None) -> None:
        """Raise unless `solver`, which is named in the message, covers this puzzle."""
        if self.includes(upright=compatibility.upright, shape_known=shape is not None):
            return
        limits = (("upright pieces", self.turned), ("a known shape", self.unknown))
        needed = " and ".join(words for words, free in limits if not free)
        raise InputError(f"The solver {solver} needs {needed}; choose another for this puzzle.")


def covered(solver: Any) -> Covers:
    """Return which puzzles `solver` is for: all, unless it says otherwise."""
    told = getattr(solver, "covers", Covers())
    assert isinstance(told, Covers)
    return told


class Solver(Protocol):
    """Compatibilities in, an arrangement out; sees no pixel and no truth.

    A solver is a frozen dataclass whose fields are its settings.
    """

    adjust: str
    """Which adjustment the solver wants its scores in (a file of `tessella.adjust`)."""

    def solve(
        self,
        compatibility: Compatibility,
        shape: Shape | None,
        *,
        seed: int = 0,
        threads: int | None = None,
        stop: Stop = never,
        watch: Watcher = SILENT,
        checkpoint: Checkpoint | None = None,
    ) -> Solution:
        """Arrange all pieces.

        Parameters
        ----------
        shape : rows and columns that the answer must fit (either way round when pieces are
            turned); it may have more cells than there are pieces. None leaves the shape open.
        seed : the same seed gives the same answer, whatever `threads` is
        stop : asked between steps; once it says True, the best so far is returned, complete
        checkpoint : where a long-running solver keeps its state and finds it again; a quick one
            leaves it alone
        """
