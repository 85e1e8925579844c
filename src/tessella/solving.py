"""What a solver is, what it is given, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from tessella import registry
from tessella.arrangement import Arrangement
from tessella.belonging import Belonging
from tessella.checkpoint import Checkpoint
from tessella.compatibility import Compatibility
from tessella.errors import InputError
from tessella.evidence import Evidence
from tessella.panels import Panels
from tessella.puzzle import Shape
from tessella.stop import Stop, never
from tessella.threads import available
from tessella.watch import SILENT, Watcher
from tessella.wishes import Wishes
from tessella.workshop import ALONE, Workshop


@dataclass(frozen=True, eq=False)
class Job:
    """One run's work: what is known, what the answer must be like, and who is told.

    Attributes
    ----------
    evidence : how well the pieces fit
    shape : rows and columns that the answer must fit (either way round when pieces are turned);
        it may have more cells than there are pieces. None leaves the shape open.
    seed : the same seed gives the same answer, whatever `threads` is
    threads : how many may be used; all that this process may use when left out
    stop : asked between steps; once it says True, the best so far is the answer, complete
    watch : is told how far the work has come
    checkpoint : where a long-running solver keeps its state and finds it again; a quick one leaves
        it alone
    panels : where not None, `shape` is, and the answer may have several sheets, holes, and pieces
        that are left over; None lays all pieces on one sheet
    wishes : what the answer must hold to; None where nothing is known
    begin : an answer to better instead of beginning anew; None begins anew
    workshop : does what a solver does apart, and keeps it: the pictures of a mixture
    belonging : which pieces are of one panel, and which are not, where there are several; None
        where nobody says
    """

    evidence: Evidence
    shape: Shape | None = None
    seed: int = 0
    threads: int = field(default_factory=available)
    stop: Stop = never
    watch: Watcher = SILENT
    checkpoint: Checkpoint | None = None
    panels: Panels | None = None
    wishes: Wishes | None = None
    begin: Arrangement | None = None
    workshop: Workshop = ALONE
    belonging: Belonging | None = None

    @property
    def compatibility(self) -> Compatibility:
        """By which the answer is judged."""
        return self.evidence.compatibility


@dataclass(frozen=True)
class Solution:
    """One run's answer.

    Attributes
    ----------
    arrangement : every piece in a cell, unless the job has panels
    fitness : sum of the job's compatibilities over its joins
    history : the same sum for the best so far, after every generation, for iterative solvers; where
        a solver searches by something else for a while, it may fall
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
    ``self.covers.check("name", job)``.

    Attributes
    ----------
    turned : whether pieces may be turned
    unknown : whether the shape may be unknown
    grids : False where the solver lays strips in one row and nothing else
    panels : whether the solver sorts pieces into several sheets and leaves strangers over
    wishes : whether answers hold to what a person wishes
    begin : whether an answer given can be bettered
    """

    turned: bool = True
    unknown: bool = True
    grids: bool = True
    panels: bool = False
    wishes: bool = False
    begin: bool = False

    def includes(self, *, upright: bool, shape_known: bool) -> bool:
        """Say whether puzzles of this variant are covered."""
        return (upright or self.turned) and (shape_known or self.unknown)

    def check(self, solver: str, job: Job) -> None:
        """Raise unless `solver`, which is named in the message, covers this puzzle."""
        self.check_panels(solver, job.panels)
        self.check_wishes(solver, job.wishes, job.begin)
        if self.includes(upright=job.compatibility.upright, shape_known=job.shape is not None):
            return
        limits = (("upright pieces", self.turned), ("a known shape", self.unknown))
        needed = " and ".join(words for words, free in limits if not free)
        raise InputError(f"The solver {solver} needs {needed}; choose another for this puzzle.")

    def check_wishes(self, solver: str, wishes: Wishes | None, begin: Arrangement | None) -> None:
        """Raise unless `solver` holds to wishes, and betters an answer, where there are any."""
        if wishes and not self.wishes:
            raise InputError(
                f"The solver {solver} cannot hold to wishes; choose genetic, rika or paikin_tal, "
                "or path for strips."
            )
        if begin is not None and not self.begin:
            raise InputError(
                f"The solver {solver} cannot better an answer; choose genetic, or begin anew."
            )

    def check_panels(self, solver: str, panels: Panels | None) -> None:
        """Raise where panels are asked for and `solver` knows one sheet only."""
        if panels is None or self.panels:
            return
        names = [n for n in registry.names("solver") if covered(registry.find("solver", n)).panels]
        others = f", or choose {' or '.join(names)}" if names else ""
        raise InputError(
            f"The solver {solver} lays all pieces on one sheet; leave --panels out{others}."
        )


def covered(solver: Any) -> Covers:
    """Return which puzzles `solver` is for: all, unless it says otherwise."""
    covers = getattr(solver, "covers", Covers())
    assert isinstance(covers, Covers)
    return covers


class Solver(Protocol):
    """Evidence in, an arrangement out; sees no truth.

    A solver is a frozen dataclass whose fields are its settings.
    """

    adjust: str
    """Which adjustment the solver wants its scores in (a file of `tessella.adjust`)."""

    def solve(self, job: Job) -> Solution:
        """Arrange all pieces."""
