"""One call of ``tessella bench``: from what was wished for to records and tables."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tessella import bounds
from tessella.bench import ablation, tables
from tessella.bench.ablation import OURS, PAPER, Study
from tessella.bench.configuration import Configuration, Setup, configure, parse
from tessella.bench.losses import Losses, mixtures
from tessella.bench.records import NAME, Journal, Means, Record
from tessella.bench.runner import Listener, carry_out, opened
from tessella.bench.suites import pictures
from tessella.bench.tasks import Order
from tessella.claim import Kind
from tessella.console import note, on_terminal
from tessella.errors import InputError, shown
from tessella.executors import Executor
from tessella.files import write_text
from tessella.usual import PIECES

TABLE = "table.md"
ABLATION_TABLE = "ablation.md"
FOLDER = Kind(TABLE, (NAME, ABLATION_TABLE, "odds.md"), grows=True)


def check_count(flag: str, count: int | None, most: int) -> None:
    """Raise unless ``--flag`` was left out, or is 1 to `most`."""
    if count is not None and count < 1:
        raise InputError(f"--{flag} must be at least 1; got {shown(count)}.")
    if count is not None and count > most:
        raise InputError(f"--{flag} must be at most {most}; got {shown(count)}.")


def check_counts(wish: Any) -> None:
    """Raise unless pictures, runs, threads, jobs, the seed and the piece are such as can be."""
    most = {"runs": bounds.RUNS, "threads": bounds.THREADS, "jobs": bounds.THREADS}
    most |= {"limit": bounds.SETTING, "piece": bounds.PIECE_SIDE}
    for flag, limit in most.items():
        check_count(flag, getattr(wish, flag), limit)
    if not 0 <= wish.seed <= bounds.SEED:
        raise InputError(f"--seed must be 0 or more, and at most 10^18; got {shown(wish.seed)}.")


@dataclass(frozen=True)
class Wish:
    """What a call asks for; see the command's help.

    Attributes
    ----------
    name : a suite, or ``ablation``
    on : the suite of an ablation
    ours : whether the ablation is of our solver, not of the paper's
    mixed : how many pictures lie in one puzzle, and are to be sorted; nobody says how many
    settings : each as ``KEY=VALUE``
    """

    name: str
    data: Path
    out: Path
    measure: str | None = None
    solver: str | None = None
    on: str | None = None
    turned: bool = False
    shape: str = "known"
    erode: int = 0
    piece: int = 28
    limit: int | None = None
    runs: int = 5
    seed: int = 1
    device: str = "auto"
    model: str | None = None
    settings: tuple[str, ...] = ()
    threads: int | None = None
    jobs: int = 1
    top: bool = False
    per_picture: bool = False
    ours: bool = False
    mixed: int = 1

    def __post_init__(self) -> None:
        if self.ours and not self.ablation:
            raise InputError("--ours belongs to bench ablation; leave it out.")
        if self.ablation and self.on is None:
            raise InputError("bench ablation needs a suite to run on; add --on SUITE.")
        if self.ablation and self.solver is not None:
            raise InputError("bench ablation runs its own solvers; leave --solver out.")
        if not self.ablation and self.on is not None:
            raise InputError("--on belongs to bench ablation; name the suite in its place instead.")
        if self.shape not in ("known", "unknown"):
            raise InputError(f"--shape must be known or unknown; got {self.shape!r}.")
        if self.mixed != 1 and not self.ours:
            raise InputError("--mixed belongs to bench ablation --ours; bench odds mixes, too.")
        if not 1 <= self.mixed <= bounds.SETTING:
            raise InputError(f"--mixed must be 1 to {bounds.SETTING}; got {shown(self.mixed)}.")
        check_counts(self)

    @property
    def ablation(self) -> bool:
        """Whether the ablation is asked for."""
        return self.name == "ablation"

    @property
    def study(self) -> Study:
        """What is left out."""
        return OURS if self.ours else PAPER

    @property
    def suite(self) -> str:
        """The suite that is run."""
        return self.on or self.name

    def configurations(self) -> dict[str, Configuration]:
        """Return what to run, by name."""
        setup = Setup(self.turned, self.shape == "known", self.erode, self.piece)
        if self.mixed > 1:
            setup = replace(setup, shape_known=False, losses=self.losses, panels="unknown")
        given = parse(self.settings) | ({} if self.model is None else {"model": self.model})
        measure, solver = self.measure or PIECES.measure, self.solver or PIECES.solver
        if self.ablation:
            return ablation.configurations(measure, given, setup, self.device, self.study)
        return {solver: configure(measure, solver, given, setup, self.device)}

    @property
    def losses(self) -> Losses:
        """What is done to pictures before they are cut."""
        return Losses(mixed=self.mixed)

    def means(self) -> Means:
        """Return what the work is done with."""
        return Means.here(self.threads, self.jobs, self.device)


def serve(wish: Wish, executor: Executor | None = None) -> None:
    """Do what is missing of `wish`, write the tables of everything in its folder, print them."""
    named = wish.configurations()
    every = pictures(wish.suite, wish.data)
    chosen = every[: wish.limit]
    order = Order(
        suite=wish.suite,
        pictures=chosen if wish.mixed == 1 else mixtures(chosen, wish.losses),
        configurations=tuple(named.values()),
        seeds=tuple(range(wish.seed, wish.seed + wish.runs)),
        means=wish.means(),
        top=wish.top,
    )

    def write(journal: Journal) -> list[tables.Grid]:
        grids = tables.overview(journal.records, {wish.suite: len(every) // wish.mixed})
        single = tables.by_picture(journal.records)
        ablated = (
            [ablation.table(wish.suite, named, journal.records, wish.study)]
            if wish.ablation
            else []
        )
        if ablated:
            write_text(wish.out / ABLATION_TABLE, ablated[0].markdown())
        write_text(wish.out / TABLE, "\n".join(grid.markdown() for grid in (*grids, *single)))
        return [*grids, *(single if wish.per_picture else []), *ablated]

    with opened(wish.out, FOLDER, write) as journal, telling() as tell:
        before = sum(cell in journal for each in order.pictures for cell in order.cells(each))
        carry_out(order.tasks(journal), journal, tell, before=before, executor=executor)


@contextmanager
def telling() -> Iterator[Listener]:
    """Yield who hears of finished cells: a bar on a terminal, a line each elsewhere."""
    if not on_terminal(sys.stderr):
        yield lambda record, done, total: note(f"{done}/{total} {_said(record)}")
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True)) as progress:
        bar = progress.add_task("cutting and measuring", total=None)

        def tell(record: Record, done: int, total: int) -> None:
            progress.update(bar, description=_said(record), completed=done, total=total)

        yield tell


def _said(record: Record) -> str:
    """Say in one line what a cell gave."""
    cell = record.cell
    where = f"{cell.suite}/{cell.picture}, {cell.configuration.label()}"
    if record.model is not None:
        where += f", model {record.model}"
    if record.ranks is not None:
        return f"{where}: Top-1 {tables.percent(record.ranks.after[0])} %"
    assert record.outcome is not None
    neighbor = tables.percent(record.outcome.score.neighbor)
    return f"{where}, seed {cell.seed}: {neighbor} % in {record.seconds.solving:.2f} s"
