"""Ablations: a solver, and the same with one thing changed at a time.

The paper's is of its genetic solver (Rika et al., Section V-C, Table "Ablation Analysis of GA
Phases"): every component but the essential phases 4 and 5 is left out in turn, with the same
compatibilities, and the 2013 solver is run too. Ours leaves out one stage of `genetic` at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tessella import registry
from tessella.bench.configuration import UPRIGHT, Configuration, Setup, Value, configure
from tessella.bench.published import ABLATION, AblationFigure
from tessella.bench.records import Record
from tessella.bench.tables import Grid, Row, percent
from tessella.errors import InputError
from tessella.stages.regimes import NAMES


@dataclass(frozen=True)
class Change:
    """One row of the table: what differs from the base.

    Attributes
    ----------
    settings : in place of the base's
    solver : in place of the base's, with its own usual settings
    """

    name: str
    settings: Mapping[str, Value] = field(default_factory=dict)
    solver: str | None = None


@dataclass(frozen=True)
class Study:
    """A base and the changes that are made to it, one at a time.

    Attributes
    ----------
    name : of the base, which is the first row
    solver, settings : the base
    published : figures to show beside ours, by the rows' names
    """

    name: str
    solver: str
    settings: Mapping[str, Value]
    changes: tuple[Change, ...]
    published: tuple[AblationFigure, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The rows, the base first."""
        return self.name, *(change.name for change in self.changes)

    @property
    def fixed(self) -> set[str]:
        """The settings that make the rows, and that nobody else may change."""
        return {*self.settings, *(key for change in self.changes for key in change.settings)}

    def plans(self) -> Iterator[tuple[str, str, Mapping[str, Value]]]:
        """Yield name, solver and settings of every row."""
        yield self.name, self.solver, self.settings
        for change in self.changes:
            kept = self.settings if change.solver is None else {}
            yield change.name, change.solver or self.solver, {**kept, **change.settings}


PAPER = Study(
    "enhanced GA",
    "rika",
    {},
    (
        Change("w/o phases 1.1 & 1.2", {"without": "1.1,1.2"}),
        Change("w/o phase 2", {"without": "2"}),
        Change("w/o phase 3", {"without": "3"}),
        Change("w/o mutations", {"mutate": False}),
        Change("Sholomon et al.", solver="sholomon"),
    ),
    ABLATION,
)


OURS = Study(
    "genetic",
    "genetic",
    {},
    tuple(Change(f"w/o {stage}", {"without": stage}) for stage in NAMES),
)
"""What every stage of our solver is worth; one that a puzzle does not go through costs nothing."""


def configurations(
    measure: str,
    given: Mapping[str, Value] | None = None,
    setup: Setup = UPRIGHT,
    device: str = "auto",
    study: Study = PAPER,
) -> dict[str, Configuration]:
    """Return the configuration of every row by its name.

    Parameters
    ----------
    given : settings for all rows; one that only some of the solvers have leaves the others as they
        are
    """
    settings = given or {}
    if study.fixed & set(settings):
        fixed = ", ".join(sorted(study.fixed))
        raise InputError(f"bench ablation sets {fixed} itself; leave it out.")
    plans = list(study.plans())
    every = {key for _, solver, _ in plans for key in _settings(solver)}
    made = {}
    for name, solver, own in plans:
        has = _settings(solver)
        fitting = {k: v for k, v in settings.items() if k in has or k not in every}
        made[name] = configure(measure, solver, {**fitting, **own}, setup, device)
    return made


def _settings(solver: str) -> set[str]:
    return set(registry.settings(registry.find("solver", solver)))


_OURS = ("mean %", "best by\nfitness %", "best by\ntruth %")
_QUOTED = ("paper's\nmean %", "paper's\nbest %")
_KINDS = {False: "Type-1", True: "Type-2"}


def table(
    suite: str,
    named: Mapping[str, Configuration],
    records: Sequence[Record],
    study: Study = PAPER,
) -> Grid:
    """Return the table in the paper's form: ours and what is published, upright and turned.

    Parameters
    ----------
    named : what `configurations` returned; the table shows it upright and turned, whichever is
        done
    """
    rows = {
        (name, turned): _row(suite, replace(by, setup=replace(by.setup, turned=turned)), records)
        for name, by in named.items()
        for turned in (False, True)
    }
    figures = {figure.variant: figure for figure in study.published}
    lines = tuple(
        (
            name,
            *_ours(rows[name, False]),
            *(_quoted(figures[name].upright_mean, figures[name].upright_best) if figures else ()),
            *_ours(rows[name, True]),
            *(_quoted(figures[name].turned_mean, figures[name].turned_best) if figures else ()),
        )
        for name in study.names
    )
    kinds = (*_OURS, *(_QUOTED if figures else ()))
    head = tuple(f"{kind}\n{what}" for kind in _KINDS.values() for what in kinds)
    base = next(iter(named.values()))
    label = ", ".join([base.measure.label("measure"), *base.setup.label()])
    quoted = "The paper's figures are over 24 azulejo panels and 50 runs, best by truth."
    remarks = (
        *([quoted] if figures else []),
        *(_finding(study, rows, turned) for turned in _KINDS if _complete(rows, turned)),
        *(_extent(row, turned) for turned in _KINDS if (row := rows[study.name, turned])),
    )
    return Grid(f"Ablation on {suite}, measure {label}", ("method", *head), lines, remarks)


_Rows = Mapping[tuple[str, bool], Row | None]


def _row(suite: str, by: Configuration, records: Sequence[Record]) -> Row | None:
    runs = [r for r in records if r.cell.suite == suite and r.cell.configuration == by]
    return Row.of(by, runs) if runs else None


def _ours(row: Row | None) -> tuple[str, ...]:
    """Return the mean and both bests."""
    means = (row.mean, row.by_fitness, row.by_truth) if row else ()
    return tuple(map(percent, means)) or ("-", "-", "-")


def _quoted(mean: float, best: float) -> tuple[str, ...]:
    return f"{mean:g}", f"{best:g}"


def _complete(rows: _Rows, turned: bool) -> bool:
    return all(row is not None for (_, kind), row in rows.items() if kind == turned)


def _finding(study: Study, rows: _Rows, turned: bool) -> str:
    """Say what costs most when it is left out."""
    means = {name: row.mean for (name, kind), row in rows.items() if row and kind == turned}
    left_out = [change.name for change in study.changes if change.solver is None]
    worst = min(left_out, key=lambda name: means[name])
    loss = 100 * (means[study.name] - means[worst])
    if loss <= 0:
        return f"{_KINDS[turned]}: the mean loses nothing, whatever is left out."
    return f"{_KINDS[turned]}: the largest loss of the mean, {loss:.2f} points, is {worst}."


def _extent(row: Row, turned: bool) -> str:
    return f"{_KINDS[turned]}: {len(row.pictures)} pictures, {row.runs} runs."
