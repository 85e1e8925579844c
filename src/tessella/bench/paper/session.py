"""One call of ``tessella bench paper``: from what was asked for to records, tables and results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tessella import bounds
from tessella.bench import session, tables
from tessella.bench.configuration import NONE
from tessella.bench.panels import Panel
from tessella.bench.paper import documents
from tessella.bench.paper.answers import Answers
from tessella.bench.paper.plan import PANELS, Entry, plan
from tessella.bench.paper.plots import curves
from tessella.bench.paper.results import CALLS, Call, calls, note_call, write_up
from tessella.bench.paper.results import NAME as RESULTS
from tessella.bench.paper.tables import details, grids
from tessella.bench.records import Cell, Journal, Means
from tessella.bench.runner import Failures, carry_out, opened
from tessella.bench.suites import pictures
from tessella.bench.tasks import Task
from tessella.claim import Kind
from tessella.console import note
from tessella.errors import InputError
from tessella.executors import Executor
from tessella.files import write_text

DOCUMENTS = Path("documents", "test_pdf")
QUICK_PAGES = 2

_BESIDE = (session.FOLDER.marker, *session.FOLDER.others, CALLS, documents.NAME)
FOLDER = Kind(RESULTS, _BESIDE, grows=True)
"""Also a folder of other benchmarks, whose records may answer cells of the paper."""


@dataclass(frozen=True)
class Paper:
    """What a call of ``bench paper`` asks for; see the command's help."""

    data: Path
    out: Path
    quick: bool = False
    device: str = "auto"
    threads: int | None = None
    jobs: int = 1
    only: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for flag in ("threads", "jobs"):
            session.check_count(flag, getattr(self, flag), bounds.THREADS)
        if not self.data.is_dir():
            raise InputError(
                "--data must be the folder above bench/, test/ and documents/; "
                f"{self.data} is no folder."
            )

    def entries(self) -> tuple[Entry, ...]:
        """Return the cells that are asked for, or raise where there are none."""
        every = plan(quick=self.quick, device=self.device)
        named = [e for e in every if any(text in f"{e.table}: {e.row}" for text in self.only)]
        if self.only and not named and not self.documents:
            raise InputError(f"No table or row of the paper has {self.only[0]!r} in its name.")
        return tuple(named) if self.only else every

    @property
    def documents(self) -> bool:
        """Whether shredded documents are asked for."""
        return not self.only or any(text in documents.TITLE for text in self.only)

    def means(self) -> Means:
        """Return what the work is done with."""
        return Means.here(self.threads, self.jobs, self.device)


@dataclass
class Pictures:
    """The pictures of the suites, and what is wrong with those that are not there."""

    data: Path
    problems: dict[str, str] = field(default_factory=dict)
    held: dict[str, tuple[Path | Panel, ...]] = field(default_factory=dict)

    def of(self, suite: str, folder: str) -> tuple[Path | Panel, ...]:
        """Return the pictures of a suite; none where there is no such folder."""
        if suite not in self.held:
            try:
                self.held[suite] = pictures(suite, self.data / folder)
            except InputError as problem:
                self.held[suite] = ()
                self.problems[suite] = f"{suite}: {problem}"
        return self.held[suite]

    def totals(self) -> dict[str, int]:
        """Return how many pictures the suites have that are there."""
        return {suite: len(held) for suite, held in self.held.items() if held}


def serve(asked: Paper, executor: Executor | None = None) -> None:
    """Do what is missing, then write the tables of everything that the folder holds."""
    entries, suites, means = asked.entries(), Pictures(asked.data), asked.means()
    failures = Failures()

    def write(journal: Journal) -> tuple[tables.Grid, ...]:
        return _write(asked, Answers(journal.records), suites, failures.messages)

    with opened(asked.out, FOLDER, write) as journal:
        ledger, known = documents.Ledger(asked.out), len(journal.records)
        todo = tasks(entries, Answers(journal.records), suites, means)
        try:
            with session.telling() as tell:
                carry_out(todo, journal, tell, fail=failures, executor=executor)
            if asked.documents:
                _shred(asked, ledger, suites, means)
        finally:
            cells = len(journal.records) - known
            note_call(asked.out, Call.of(means, quick=asked.quick, cells=cells))
    failures.check("pictures")


def tasks(
    entries: Sequence[Entry], answers: Answers, suites: Pictures, means: Means
) -> tuple[Task, ...]:
    """Return the unanswered cells of `entries`, those that share a measuring together.

    Learned measures come last: they take most of the time, and no other cell should wait for them.
    """
    wanted: dict[tuple[object, ...], tuple[Path | Panel, dict[Cell, None]]] = {}
    for entry in entries:
        suite, by = entry.column.suite, entry.configuration
        seeds = (None,) if by.solver == NONE else range(1, entry.runs + 1)
        for picture in suites.of(suite, entry.column.folder)[: entry.limit]:
            cells = {Cell(suite, picture.name, by, seed): None for seed in seeds}
            left = {cell: None for cell in cells if cell not in answers}
            if left:
                group = wanted.setdefault((suite, picture.name, by.measuring), (picture, {}))
                group[1].update(left)
    made = [Task(picture, tuple(cells), means) for picture, cells in wanted.values()]
    return tuple(sorted(made, key=_learned))


def _learned(task: Task) -> bool:
    return "model" in dict(task.cells[0].configuration.measure.settings)


def _shred(asked: Paper, ledger: documents.Ledger, suites: Pictures, means: Means) -> None:
    folder = asked.data / DOCUMENTS
    files = sorted(folder.glob("*.pdf")) if folder.is_dir() else []
    if not files:
        suites.problems["documents"] = f"Shredded documents: {folder} holds no PDF file."
        return
    limit = QUICK_PAGES if asked.quick else None
    for measure in documents.measures()[: 1 if asked.quick else None]:
        documents.shred(
            files, ledger, measure=measure, limit=limit, threads=means.threads, tell=note
        )


def _write(
    asked: Paper, answers: Answers, suites: Pictures, failures: Sequence[str]
) -> tuple[tables.Grid, ...]:
    """Write the results, and the tables that every benchmark has; return the paper's tables."""
    full = plan(device="auto")
    for entry in full:  # Totals of all suites, also of those that the quick subset leaves out.
        suites.of(entry.column.suite, entry.column.folder)
    totals = suites.totals()
    shown = (*grids(answers, totals), documents.table(documents.Ledger(asked.out)))
    problems = [
        problem.replace(str(asked.data), "DATA")
        for problem in (*suites.problems.values(), *failures)
    ]
    drawn = curves(answers, PANELS, asked.out)
    text = write_up(
        shown,
        details(answers, totals),
        answers,
        full,
        totals,
        calls(asked.out),
        problems,
        drawn,
    )
    every = (*tables.overview(answers.records, totals), *tables.by_picture(answers.records))
    write_text(asked.out / session.TABLE, "\n".join(grid.markdown() for grid in every))
    write_text(asked.out / RESULTS, text)
    return shown
