"""Odds: pictures with missing pieces, several pictures in one puzzle, and strangers among them.

The lines are those that solvers of such puzzles are compared on: Paikin and Tal (CVPR 2015) take up
to half of the pieces out and mix up to five pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from tessella import bounds, registry
from tessella.bench.configuration import Configuration, Setup, configure, parse
from tessella.bench.losses import WHOLE, Losses, mixtures
from tessella.bench.panels import Panel
from tessella.bench.records import NAME, Journal, Means, Outcome, Record
from tessella.bench.runner import Failures, carry_out, opened
from tessella.bench.session import ABLATION_TABLE, TABLE, check_counts, telling
from tessella.bench.suites import pictures, simulated
from tessella.bench.tables import Grid, Picture, Row, percent
from tessella.bench.tasks import Order
from tessella.claim import Kind
from tessella.errors import InputError, shown
from tessella.executors import Executor
from tessella.files import write_text
from tessella.solving import covered
from tessella.sorting import COUNTED
from tessella.usual import PIECES

ODDS_TABLE = "odds.md"
FOLDER = Kind(ODDS_TABLE, (NAME, TABLE, ABLATION_TABLE), grows=True)

SINGLE = (
    WHOLE,
    Losses(missing=0.1),
    Losses(missing=0.3),
    Losses(missing=0.5),
    Losses(block=(6, 6)),
)
"""What is done to every picture alone."""

MIXED = tuple(Losses(mixed=count) for count in (2, 5, 10, 20))
LOSSY = Losses(missing=0.1, mixed=5, foreign=20)
PANELS = Losses(mixed=8)
"""How many simulated panels are mixed."""

SOLVERS = (PIECES.solver, "paikin_tal")
"""Ours, and the one whose paper is about such puzzles."""


@dataclass(frozen=True)
class Wish:
    """What a call of ``bench odds`` asks for; see the command's help.

    Attributes
    ----------
    on : the set of pictures
    solver : None runs `SOLVERS`
    missing, foreign, mixed : where any is told, one line of such puzzles takes the place of all
    only : names of lines, or parts of them; none runs all
    """

    data: Path
    out: Path
    on: str
    measure: str | None = None
    solver: str | None = None
    simulate: str | None = None
    piece: int = 28
    limit: int | None = None
    runs: int = 5
    seed: int = 1
    device: str = "auto"
    model: str | None = None
    settings: tuple[str, ...] = ()
    threads: int | None = None
    jobs: int = 1
    missing: float = 0.0
    foreign: int = 0
    mixed: int = 1
    only: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_counts(self)
        if not 0 <= self.missing < 1:
            raise InputError(
                f"--missing must be 0 or more and below 1, such as 0.1; got {shown(self.missing)}."
            )
        for flag, count, least in (("foreign", self.foreign, 0), ("mixed", self.mixed, 1)):
            if not least <= count <= bounds.SETTING:
                raise InputError(
                    f"--{flag} must be {least} to {bounds.SETTING}; got {shown(count)}."
                )

    @property
    def suite(self) -> str:
        """The set by the name that its simulation has."""
        return self.on if self.simulate is None else simulated(self.on, self.simulate)

    def configurations(self) -> Iterator[tuple[str, Configuration]]:
        """Yield every line's name and what it is, one after the other."""
        given = parse(self.settings) | ({} if self.model is None else {"model": self.model})
        solvers = SOLVERS if self.solver is None else (self.solver,)
        mixed = MIXED if self.simulate is None else (PANELS,)
        own = Losses(missing=self.missing, mixed=self.mixed, foreign=self.foreign)
        for losses in (*SINGLE, *mixed, LOSSY) if own == WHOLE else (own,):
            for turned in (False, True):
                alone = losses.mixed == 1 and not losses.foreign
                for known in (True, False) if alone else (False,):
                    for solver in solvers:
                        setup = Setup(turned, known, 0, self.piece, losses, asked(losses, solver))
                        by = configure(
                            self.measure or PIECES.measure, solver, given, setup, self.device
                        )
                        yield f"{', '.join(_puzzle(setup))}, {solver}", by

    def chosen(self) -> list[Configuration]:
        """Return the lines to run; raise where nothing is called so."""
        every = list(self.configurations())
        named = [by for name, by in every if any(text in name for text in self.only)]
        if self.only and not named:
            raise InputError(
                f"No line has {self.only[0]!r} in its name; one is called {every[0][0]!r}."
            )
        return named if self.only else [by for _, by in every]


def asked(losses: Losses, solver: str) -> str:
    """Return what `solver` is asked about panels: it sorts them if it can, and nobody counts."""
    several = losses.mixed > 1 or losses.foreign > 0
    able = covered(registry.find("solver", solver)).panels
    return "unknown" if several and able else ""


def serve(wish: Wish, executor: Executor | None = None) -> None:
    """Do what is missing of `wish`, write the table of everything in its folder, print it."""
    chosen = pictures(wish.suite, wish.data)[: wish.limit]
    means = Means.here(wish.threads, wish.jobs, wish.device)
    seeds = tuple(range(wish.seed, wish.seed + wish.runs))
    orders = list(_orders(wish, chosen, seeds, means))
    if not orders:
        raise InputError(f"{wish.suite} has {len(chosen)} pictures, too few for these lines.")

    def write(journal: Journal) -> list[Grid]:
        grid = table(journal.records)
        write_text(wish.out / ODDS_TABLE, grid.markdown())
        return [grid]

    failures = Failures()
    with opened(wish.out, FOLDER, write) as journal, telling() as tell:
        cells = [cell for order in orders for each in order.pictures for cell in order.cells(each)]
        tasks = [task for order in orders for task in order.tasks(journal)]
        before = sum(cell in journal for cell in cells)
        carry_out(tasks, journal, tell, before=before, fail=failures, executor=executor)
    failures.check("puzzles")


def _orders(
    wish: Wish,
    chosen: tuple[Path, ...] | tuple[Panel, ...],
    seeds: tuple[int, ...],
    means: Means,
) -> Iterator[Order]:
    """Yield what is cut and measured alike together; lines that need more pictures are left out."""
    groups: dict[object, list[Configuration]] = {}
    for by in wish.chosen():
        groups.setdefault(by.measuring, []).append(by)
    for alike in groups.values():
        losses = alike[0].setup.losses
        if len(chosen) < losses.mixed + bool(losses.foreign):
            continue
        cut = chosen if losses == WHOLE else mixtures(chosen, losses)
        yield Order(wish.suite, cut, tuple(alike), seeds, means)


def table(records: Sequence[Record]) -> Grid:
    """Return a row for every line that has records, by set, puzzle and solver."""
    groups: dict[tuple[str, Configuration], list[Record]] = {}
    for record in records:
        if record.outcome is not None:
            groups.setdefault((record.cell.suite, record.cell.configuration), []).append(record)
    ordered = sorted(groups, key=lambda key: (key[0], _place(key[1]), key[1].label()))
    head = (
        "set",
        "puzzle",
        "pieces",
        "shape",
        "measure, solver",
        "puzzles",
        "runs",
        "neighbor\n%",
        "false\njoins %",
        "false\njoins",
        f"sheets of\n{COUNTED} or more",
        "sheets\nright",
        "purity\n%",
        "left\nover",
        "s\na run",
    )
    rows = tuple(_row(suite, Row.of(by, groups[suite, by])) for suite, by in ordered)
    remarks = (
        "Of every puzzle's best run (by worth where the solver searches by it, else by fitness), "
        "the mean over the puzzles; up to identical pieces. "
        "Neighbor is over the true joins whose both pieces are there, sheets are those of the "
        "answer / of the truth, right where the two are equal.",
    )
    return Grid("Missing, mixed and foreign pieces", head, rows, remarks)


def _place(by: Configuration) -> tuple[object, ...]:
    """Return what to sort lines by: as `Wish.configurations` yields them."""
    lost, setup = by.setup.losses, by.setup
    several = (lost.mixed, lost.foreign, lost.block or (0, 0), lost.missing)
    return (*several, setup.erode, setup.piece, setup.turned, not setup.shape_known)


def _puzzle(setup: Setup) -> tuple[str, str, str]:
    """Say what kind of puzzle it is: losses, orientation, shape."""
    turned = "turned" if setup.turned else "upright"
    return setup.losses.label(), turned, f"shape {'known' if setup.shape_known else 'unknown'}"


def _row(suite: str, row: Row) -> tuple[str, ...]:
    by = row.configuration
    lost, turned, shape = _puzzle(by.setup)
    plain = replace(by, setup=replace(by.setup, losses=WHOLE, shape_known=True))
    best = [_by_worth(picture) for picture in row.pictures]
    return (
        suite,
        lost,
        turned,
        shape.removeprefix("shape "),
        plain.label(),
        str(len(row.pictures)),
        row.runs,
        percent(fmean(outcome.score.neighbor_up_to_identical for outcome in best)),
        *_sorted(best),
        f"{row.seconds(lambda run: run.seconds.solving):.2f}",
    )


def _by_worth(picture: Picture) -> Outcome:
    """Return the run of most worth, where all tell theirs; else the fittest."""
    worths = [(outcome.worth, outcome) for outcome in picture.outcomes]
    worthy = [(worth, outcome) for worth, outcome in worths if worth is not None]
    if len(worthy) < len(worths):
        return picture.by_fitness
    return max(worthy, key=lambda pair: pair[0])[1]


def _sorted(best: Sequence[Outcome]) -> tuple[str, ...]:
    """Return false joins, sheets, purity and left-over pieces; whole pictures have one sheet."""
    sortings = [outcome.score.sorting for outcome in best]
    every = [sorting for sorting in sortings if sorting is not None]
    if len(every) < len(sortings):
        return percent(fmean(o.score.false_joins for o in best)), "-", "-", "-", "-", "-"
    sheets, true = (fmean(getattr(s, name) for s in every) for name in ("sheets", "sheets_true"))
    return (
        percent(fmean(s.false_joins_up_to_identical for s in every)),
        f"{fmean(s.false_join_count for s in every):.1f}",
        f"{sheets:.2f} / {true:.2f}",
        f"{sum(s.sheets == s.sheets_true for s in every)}/{len(every)}",
        percent(fmean(s.purity for s in every)),
        f"{fmean(s.left_over for s in every):.1f}",
    )
