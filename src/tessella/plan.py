"""A plan: which measure, adjustment and solver work on a puzzle, with which settings."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from tessella import registry
from tessella.errors import NameUnknown
from tessella.usual import PIECES

if TYPE_CHECKING:
    from tessella.compatibility import Compatibility
    from tessella.measuring import Learned, Measure
    from tessella.puzzle import Puzzle
    from tessella.scores import Scores
    from tessella.solving import Solver


STRATEGIES = {"guided": "genetic", "paper": "rika"}
"""What the setting ``strategy`` of `genetic` stands for."""


class Adjustment(Protocol):
    """Scores in, compatibilities in [0, 1] out; a frozen dataclass whose fields are settings."""

    def adjust(self, scores: Scores, threads: int | None = None) -> Compatibility:
        """Return the compatibilities that `scores` amount to."""


@dataclasses.dataclass(frozen=True)
class Plan:
    """What works on a puzzle, in the order in which it works."""

    measure: Measure | Learned
    adjustment: Adjustment
    solver: Solver

    def to_json(self) -> dict[str, dict[str, Any]]:
        """Return the name and the settings of each part."""
        return {f.name: described(getattr(self, f.name)) for f in dataclasses.fields(self)}


def make_plan(
    measure: str | Measure | Learned | None = None,
    solver: str | Solver | None = None,
    settings: Mapping[str, Any] | None = None,
    *,
    puzzle: Puzzle | None = None,
) -> Plan:
    """Make a plan from names or from objects.

    Parameters
    ----------
    measure, solver : None takes what is usual for `puzzle`
    settings : a key goes to the solver if it has such a setting, else to the measure, else to the
        adjustment; text is converted to the setting's type. ``adjust`` names the adjustment to use
        in place of the solver's own. Objects keep the settings they were made with.
    puzzle : what the plan is for; None: pieces of a picture

    Examples
    --------
    >>> make_plan("ssd", "paikin_tal", {"adjust": "minmax"}).to_json()["adjustment"]
    {'name': 'minmax'}
    """
    usual = PIECES if puzzle is None else puzzle.usual
    measure = usual.measure if measure is None else measure
    solver = usual.solver if solver is None else solver
    given = dict(settings or {})
    solver = _by_strategy(solver, given)
    adjust = given.pop("adjust", None)
    chosen_solver = _make("solver", solver, given)
    if adjust is not None and "adjust" in _valid("solver", solver):
        registry.find("adjustment", adjust)
        chosen_solver = dataclasses.replace(chosen_solver, adjust=adjust)
    chosen_measure = _make("measure", measure, given)
    adjustment = adjust or chosen_solver.adjust
    chosen_adjustment = _make("adjustment", adjustment, given)
    if given:
        parts = {"solver": solver, "measure": measure, "adjustment": adjustment}
        raise NameUnknown(
            "setting of " + ", ".join(f"{kind} {_name(part)}" for kind, part in parts.items()),
            next(iter(given)),
            {"adjust"}.union(*(_valid(kind, part) for kind, part in parts.items())),
        )
    return Plan(chosen_measure, chosen_adjustment, chosen_solver)


def _by_strategy(solver: str | Solver, given: dict[str, Any]) -> str | Solver:
    """Return the solver that ``strategy`` stands for, which is taken out of `given`."""
    if solver != "genetic" or "strategy" not in given:
        return solver
    strategy = given.pop("strategy")
    if strategy not in STRATEGIES:
        raise NameUnknown("strategy", str(strategy), STRATEGIES)
    return STRATEGIES[strategy]


def _make(kind: str, part: Any, given: dict[str, Any]) -> Any:
    """Return the plug-in `part`, made if it is a name; its settings are taken out of `given`."""
    if not isinstance(part, str):
        return part
    valid = _valid(kind, part)
    return registry.make(kind, part, {key: given.pop(key) for key in list(given) if key in valid})


def _valid(kind: str, part: Any) -> dict[str, Any]:
    return registry.settings(registry.find(kind, part)) if isinstance(part, str) else {}


def _name(part: Any) -> str:
    return part if isinstance(part, str) else type(part).__name__


def described(part: Any) -> dict[str, Any]:
    """Return the name and the settings of a part of a plan."""
    package, _, module = type(part).__module__.rpartition(".")
    shipped = package in {f"tessella.{folder}" for folder in registry.KINDS.values()}
    fields = dataclasses.fields(part) if dataclasses.is_dataclass(part) else ()
    values = {field.name: getattr(part, field.name) for field in fields}
    return {"name": module if shipped else type(part).__name__, **values}
