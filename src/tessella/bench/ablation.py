"""The paper's ablation of the genetic solver: what each phase and the mutation contribute.

Rika et al., Section V-C, Table "Ablation Analysis of GA Phases": every component but the essential
phases 4 and 5 is left out in turn, with the same compatibilities, and the 2013 solver is run too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tessella import registry
from tessella.bench.configuration import UPRIGHT, Configuration, Setup, Value, configure
from tessella.bench.published import ABLATION
from tessella.bench.records import Record
from tessella.bench.tables import Grid, Row, percent
from tessella.errors import InputError

FULL = "enhanced GA"


@dataclass(frozen=True)
class Variant:
    """One row of the table: a solver and the settings that make it the variant."""

    name: str
    solver: str
    settings: Mapping[str, Value] = field(default_factory=dict)


def _paper(name: str, **left_out: Value) -> Variant:
    return Variant(name, "rika", left_out)


VARIANTS = (
    _paper(FULL),
    _paper("w/o phases 1.1 & 1.2", without="1.1,1.2"),
    _paper("w/o phase 2", without="2"),
    _paper("w/o phase 3", without="3"),
    _paper("w/o mutations", mutate=False),
    Variant("Sholomon et al.", "sholomon"),
)


def configurations(
    measure: str,
    given: Mapping[str, Value] | None = None,
    setup: Setup = UPRIGHT,
    device: str = "auto",
) -> dict[str, Configuration]:
    """Return the configuration of every variant by its name.

    Parameters
    ----------
    given : settings for all variants; one that only the genetic solver has leaves the 2013 solver
        as it is
    """
    fixed = {key for variant in VARIANTS for key in variant.settings}
    settings = given or {}
    if fixed & set(settings):
        raise InputError(f"bench ablation sets {', '.join(sorted(fixed))} itself; leave it out.")
    every = {key for variant in VARIANTS for key in _settings(variant.solver)}
    made = {}
    for variant in VARIANTS:
        own = _settings(variant.solver)
        fitting = {k: v for k, v in settings.items() if k in own or k not in every}
        chosen = {**fitting, **variant.settings}
        made[variant.name] = configure(measure, variant.solver, chosen, setup, device)
    return made


def _settings(solver: str) -> set[str]:
    return set(registry.settings(registry.find("solver", solver)))


def table(suite: str, named: Mapping[str, Configuration], records: Sequence[Record]) -> Grid:
    """Return the table in the paper's form: ours and the paper's, upright and turned.

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
    lines = tuple(
        (
            told.variant,
            *_cells(rows[told.variant, False], told.upright_mean, told.upright_best),
            *_cells(rows[told.variant, True], told.turned_mean, told.turned_best),
        )
        for told in ABLATION
    )
    kinds = (
        "mean %",
        "best by\nfitness %",
        "best by\ntruth %",
        "paper's\nmean %",
        "paper's\nbest %",
    )
    head = tuple(f"{kind}\n{what}" for kind in ("Type-1", "Type-2") for what in kinds)
    label = next(iter(named.values())).measure.label("measure")
    remarks = (
        "The paper's figures are over 24 azulejo panels and 50 runs, best by truth.",
        *(_finding(rows, turned) for turned in (False, True) if _complete(rows, turned)),
        *(_extent(rows, turned) for turned in (False, True) if rows[FULL, turned] is not None),
    )
    return Grid(f"Ablation on {suite}, measure {label}", ("method", *head), lines, remarks)


_Rows = Mapping[tuple[str, bool], Row | None]


def _row(suite: str, by: Configuration, records: Sequence[Record]) -> Row | None:
    found = [r for r in records if r.cell.suite == suite and r.cell.configuration == by]
    return Row.of(by, found) if found else None


def _cells(row: Row | None, mean: float, best: float) -> tuple[str, ...]:
    """Return our mean and both bests, then the paper's mean and best."""
    ours = (row.mean, row.by_fitness, row.by_truth) if row else ()
    return *(map(percent, ours) if ours else "---"), f"{mean:g}", f"{best:g}"


def _complete(rows: _Rows, turned: bool) -> bool:
    return all(row is not None for (_, kind), row in rows.items() if kind == turned)


def _finding(rows: _Rows, turned: bool) -> str:
    """Say what costs most when it is left out."""
    means = {name: row.mean for (name, kind), row in rows.items() if row and kind == turned}
    left_out = [name for name in means if name.startswith("w/o")]
    worst = min(left_out, key=lambda name: means[name])
    loss = 100 * (means[FULL] - means[worst])
    kind = "Type-2" if turned else "Type-1"
    if loss <= 0:
        return f"{kind}: the mean loses nothing, whatever is left out."
    return f"{kind}: the largest loss of the mean, {loss:.2f} points, is {worst}."


def _extent(rows: _Rows, turned: bool) -> str:
    row = rows[FULL, turned]
    assert row is not None
    kind = "Type-2" if turned else "Type-1"
    return f"{kind}: {len(row.pictures)} pictures, {row.runs} runs."
