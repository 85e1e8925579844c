"""Tasks: the unfinished cells of one picture, and how they are done."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from tessella import api
from tessella.bench.configuration import NONE, Configuration, Part, Setup
from tessella.bench.losses import WHOLE, Mixture
from tessella.bench.panels import Panel
from tessella.bench.records import (
    PLACES,
    Cell,
    Means,
    Outcome,
    Ranks,
    Record,
    Seconds,
)
from tessella.evidence import Evidence
from tessella.imaging.cut import cut, cut_panels
from tessella.imaging.read import read_image
from tessella.measured import Measured
from tessella.metrics import score, top
from tessella.panels import Panels
from tessella.puzzle import Puzzle
from tessella.recall import recall
from tessella.runs import compared_by
from tessella.runs import perform as run_solver
from tessella.solving import Job
from tessella.truth import Truth

CUT_SEED = 0
"""Every picture is shuffled and turned once, the same for all runs and configurations."""

T = TypeVar("T")


@dataclass(frozen=True)
class Order:
    """Some pictures and what is to be done to each.

    Attributes
    ----------
    suite, pictures : the suite's name and its picture files, panels, or mixtures of either
    configurations : all of them cut and measure alike
    seeds : of the solver, one a run
    top : rank the measure as well
    """

    suite: str
    pictures: tuple[Path, ...] | tuple[Panel, ...] | tuple[Mixture, ...]
    configurations: tuple[Configuration, ...]
    seeds: tuple[int, ...]
    means: Means
    top: bool = False

    def __post_init__(self) -> None:
        assert len({each.measuring for each in self.configurations}) == 1

    def cells(self, picture: Path | Panel | Mixture) -> tuple[Cell, ...]:
        """Return the cells of one picture."""
        ranked = [each.ranking() for each in self.configurations if self.top]
        wanted: dict[Cell, None] = {}
        for configuration in (*ranked, *self.configurations):
            seeds = (None,) if configuration.solver == NONE else self.seeds
            wanted |= {Cell(self.suite, picture.name, configuration, seed): None for seed in seeds}
        return tuple(wanted)

    def tasks(self, done: Container[Cell] = ()) -> tuple[Task, ...]:
        """Return the cells that are not `done`, picture by picture."""
        left = (
            (each, tuple(cell for cell in self.cells(each) if cell not in done))
            for each in self.pictures
        )
        return tuple(Task(each, cells, self.means) for each, cells in left if cells)


@dataclass(frozen=True)
class Task:
    """The unfinished cells of one picture, or of one mixture of pictures."""

    picture: Path | Panel | Mixture
    cells: tuple[Cell, ...]
    means: Means


def perform(task: Task) -> Iterator[Record]:
    """Cut and measure a picture once, then yield the record of every cell as it is finished."""
    threads = task.means.threads
    for cell in task.cells:
        _warm_up(cell.configuration, threads)
    setup = task.cells[0].configuration.setup
    case = Case.of(*_cut(task.picture, setup), task)
    for cell in task.cells:
        yield case.record(cell)


@dataclass(frozen=True)
class Failure:
    """A task that could not be done; the others are."""

    message: str


def attempt(task: Task) -> Iterator[Record | Failure]:
    """Do one task; whatever goes wrong with it must not cost the others their turn."""
    try:
        yield from perform(task)
    except Exception as problem:
        cell = task.cells[0]
        yield Failure(f"{cell.suite}/{cell.picture}, {cell.configuration.label()}: {problem}")


def _image(picture: Path | Panel, piece: int) -> NDArray[np.uint8]:
    return picture.paint(piece) if isinstance(picture, Panel) else read_image(picture)


def _cut(picture: Path | Panel | Mixture, by: Setup) -> tuple[Puzzle, Truth]:
    """Cut a picture, or several into one puzzle, and lose what is to be lost."""
    lost = by.losses
    mixture = picture if isinstance(picture, Mixture) else Mixture((picture,))
    strangers = [] if mixture.stranger is None else [_image(mixture.stranger, by.piece)]
    return cut_panels(
        [_image(each, by.piece) for each in mixture.pictures],
        by.piece,
        missing=lost.missing,
        block=lost.block,
        foreign=lost.foreign,
        foreign_from=strangers,
        turned=by.turned,
        erode=by.erode,
        # The same pieces must not be missing in every picture of a set.
        seed=CUT_SEED if lost == WHOLE else crc32(mixture.name.encode()),
    )


@dataclass(frozen=True)
class Spent:
    """Wall and processor seconds."""

    wall: float
    cpu: float


def timed(work: Callable[[], T]) -> tuple[T, Spent]:
    """Return what `work` returns and the time it took."""
    wall, cpu = time.perf_counter(), time.process_time()
    value = work()
    return value, Spent(time.perf_counter() - wall, time.process_time() - cpu)


@dataclass(frozen=True)
class Adjusted:
    """Compatibilities, the truth's fitness by them, and the time they took."""

    evidence: Evidence
    truth_fitness: float
    spent: Spent


@dataclass(frozen=True, eq=False)
class Case:
    """A puzzle with its scores, and the compatibilities that its cells asked for so far."""

    measured: Measured
    truth: Truth
    spent: Spent
    means: Means
    _adjusted: dict[Part, Adjusted] = field(default_factory=dict)

    @property
    def model(self) -> str | None:
        """The trained model that measured, if any did."""
        return getattr(self.measured.measure, "model", None)

    @classmethod
    def of(cls, puzzle: Puzzle, truth: Truth, task: Task) -> Case:
        """Measure `puzzle` as the task's configurations want it."""
        by = task.cells[0].configuration.measure.make("measure")
        threads = task.means.threads
        measured, spent = timed(lambda: api.measure(puzzle, by, shuffled=True, threads=threads))
        return cls(measured, truth, spent, task.means)

    def adjusted(self, part: Part) -> Adjusted:
        """Return the compatibilities by adjustment `part`, made once."""
        if part not in self._adjusted:
            (evidence, fitness), spent = timed(lambda: self._adjust(part))
            self._adjusted[part] = Adjusted(evidence, fitness, spent)
        return self._adjusted[part]

    def _adjust(self, part: Part) -> tuple[Evidence, float]:
        made = self.measured.adjusted(part.make("adjustment"), self.means.threads)
        # The truth's fitness builds the look-up tables, which are no solver's expense.
        return made, made.compatibility.fitness(self.truth.arrangement)

    def record(self, cell: Cell) -> Record:
        """Do one cell."""
        adjusted = self.adjusted(cell.configuration.adjustment)
        solving = Spent(0, 0)
        outcome = ranks = None
        if cell.seed is None:
            ranks = self._rank(adjusted)
        else:
            outcome, solving = self._solve(cell.configuration, cell.seed, adjusted)
        return Record(
            cell=cell,
            pieces=self.truth.pieces,
            shape=self.truth.arrangement.sheets[0].shape,
            seconds=Seconds(
                measuring=self.spent.wall + adjusted.spent.wall,
                measuring_cpu=self.spent.cpu + adjusted.spent.cpu,
                solving=solving.wall,
                solving_cpu=solving.cpu,
            ),
            means=self.means,
            outcome=outcome,
            ranks=ranks,
            model=self.model,
        )

    def _solve(self, by: Configuration, seed: int, adjusted: Adjusted) -> tuple[Outcome, Spent]:
        solver, setup = by.solver.make("solver"), by.setup
        panels = self._panels(setup)
        shape = self.measured.puzzle.shape if setup.shape_known and panels is None else None
        threads = self.means.threads
        job = Job(adjusted.evidence, shape, seed=seed, threads=threads, panels=panels)
        (run,), spent = timed(lambda: run_solver(solver, job))
        solution = run.solution
        judged = score(
            solution.arrangement,
            self.truth,
            upright=not setup.turned,
            shape_known=setup.shape_known,
        )
        by_worth = compared_by(solver, adjusted.evidence, shape, panels)
        worth = None if by_worth is None else by_worth.of(solution.arrangement)
        known = solution.fitness, adjusted.truth_fitness, judged, len(solution.history), worth
        return Outcome(*known), spent

    def _panels(self, setup: Setup) -> Panels | None:
        """Return what the solver is told of the panels; None where all shall lie on one sheet."""
        if not setup.panels:
            return None
        sheets = self.truth.arrangement.sheets
        shapes = tuple(sheet.shape for sheet in sheets) if setup.shape_known else ()
        return Panels(len(sheets) if setup.panels == "known" else None, shapes)

    def _rank(self, adjusted: Adjusted) -> Ranks:
        chosen = np.array(PLACES) - 1
        before = top(self.measured.scores, self.truth, PLACES[-1])[chosen]
        after = top(adjusted.evidence.compatibility, self.truth, PLACES[-1])[chosen]
        asked = None if self.model is None else recall(self.measured.scores, self.truth)
        k = None if asked is None else self.measured.keep
        return Ranks(tuple(before.tolist()), tuple(after.tolist()), asked, k)


@cache
def _warm_up(by: Configuration, threads: int) -> None:
    """Load compiled code and models with a small puzzle, so that no cell's time has it."""
    setup = by.setup
    size = (3 * setup.piece, 4 * setup.piece, 3)
    noise = np.random.default_rng(0).integers(0, 256, size, np.uint8)
    cell = Cell("", "", by, None if by.solver == NONE else 0)
    task = Task(Path(), (cell,), Means(threads, 1, "auto"))
    small = cut(noise, setup.piece, turned=setup.turned, erode=setup.erode, seed=CUT_SEED)
    Case.of(*small, task).record(cell)
