"""A configuration: everything about a cell that decides its answer, but picture and seed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tessella import registry
from tessella.bench.losses import WHOLE, Losses
from tessella.errors import InputError
from tessella.plan import make_plan

Value = bool | int | float | str | None

AFTER = "minmax"
"""The post-processing that Top-i "after" means: the paper's."""


@dataclass(frozen=True)
class Part:
    """A measure, an adjustment or a solver by name, with all of its settings."""

    name: str
    settings: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def of(cls, kind: str, name: str, given: Mapping[str, Value] | None = None) -> Part:
        """Return the part `name` with settings `given` and the defaults of all others."""
        made = registry.make(kind, name, given)
        return cls(name, tuple(sorted(dataclasses.asdict(made).items())))

    def make(self, kind: str) -> Any:
        """Return the plug-in itself."""
        return registry.make(kind, self.name, dict(self.settings))

    def label(self, kind: str) -> str:
        """Return the name and, in parentheses, the settings that are not the defaults."""
        known = self.name in registry.names(kind)  # An old record's plug-in may be gone.
        default = registry.settings(registry.find(kind, self.name)) if known else {}
        details = [f"{k}={v}" for k, v in self.settings if k not in default or default[k] != v]
        details += [f"{k} unknown" for k in default if k not in dict(self.settings)]
        return f"{self.name} ({', '.join(details)})" if details else self.name

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"name": self.name, "settings": dict(self.settings)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Part:
        """Read the JSON form."""
        return cls(str(value["name"]), tuple(sorted(value["settings"].items())))


NONE = Part("none")
"""In place of a solver: measure, rank, and solve nothing."""


@dataclass(frozen=True)
class Setup:
    """How pictures become puzzles.

    Attributes
    ----------
    turned : pieces are turned at random (Type-2)
    shape_known : the solver is told rows and columns
    erode : pixels that every side of every piece loses
    piece : side of a piece in pixels
    losses : what is missing, mixed and foreign
    panels : whether the solver is asked for panels, and told how many: "known", "unknown", or
        nothing where all pieces shall lie on one sheet
    """

    turned: bool = False
    shape_known: bool = True
    erode: int = 0
    piece: int = 28
    losses: Losses = WHOLE
    panels: str = ""

    def label(self) -> list[str]:
        """Say in a few words each what is done besides cutting, and what the solver is not told."""
        parts = [self.losses.label()] if self.losses != WHOLE else []
        parts += [] if self.shape_known else ["shape unknown"]
        return parts + ([f"panels {self.panels}"] if self.panels else [])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form; what whole pictures do not need is left out."""
        value = dataclasses.asdict(self)
        losses, panels = value.pop("losses"), value.pop("panels")
        value |= {"losses": losses} if self.losses != WHOLE else {}
        return value | ({"panels": panels} if panels else {})

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Setup:
        """Read the JSON form out of that of a configuration."""
        plain = ("turned", "shape_known", "erode", "piece")
        losses = Losses.from_json(value["losses"]) if "losses" in value else WHOLE
        values = {name: value[name] for name in plain}
        return cls(**values, losses=losses, panels=value.get("panels", ""))


UPRIGHT = Setup()
"""The usual one: upright, whole pieces of 28 px, known shape."""


@dataclass(frozen=True)
class Configuration:
    """What is done to a picture.

    Attributes
    ----------
    measure, adjustment, solver : with all of their settings; the solver may be `NONE`
    """

    measure: Part
    adjustment: Part
    solver: Part
    setup: Setup = UPRIGHT

    @property
    def measuring(self) -> tuple[Part, Setup]:
        """What must be equal for two configurations to share one measuring."""
        return self.measure, dataclasses.replace(self.setup, shape_known=True, panels="")

    def ranking(self) -> Configuration:
        """Return the configuration that only ranks this one's measure."""
        after = Part.of("adjustment", AFTER)
        return Configuration(self.measure, after, NONE, self.measuring[1])

    def label(self) -> str:
        """Say in one line what a table's row is about."""
        parts = [self.measure.label("measure")]
        if self.solver != NONE:
            parts.append(self.solver.label("solver"))
            adjustment = self.adjustment.label("adjustment")
            if adjustment != self.adjustment.name:
                parts.append(adjustment)
        return ", ".join([*parts, *self.setup.label()])

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "measure": self.measure.to_json(),
            "adjustment": self.adjustment.to_json(),
            "solver": self.solver.to_json(),
            **self.setup.to_json(),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Configuration:
        """Read the JSON form."""
        return cls(
            Part.from_json(value["measure"]),
            Part.from_json(value["adjustment"]),
            Part.from_json(value["solver"]),
            Setup.from_json(value),
        )


def configure(
    measure: str,
    solver: str,
    given: Mapping[str, Value] | None = None,
    setup: Setup = UPRIGHT,
    device: str = "auto",
) -> Configuration:
    """Find the parts by name and give each setting to the part that has it.

    Parameters
    ----------
    solver : "none" to rank the measure alone
    given : settings as ``--set KEY=VALUE`` names them
    device : where a measure that can choose shall compute: auto, cpu or cuda
    """
    settings = {**(given or {}), **_device(measure, device)}
    if solver == NONE.name:
        setup = dataclasses.replace(setup, shape_known=True)  # Nobody asks.
        parts = Part.of("measure", measure, settings), Part.of("adjustment", AFTER), NONE
    else:
        form = make_plan(measure, solver, settings).to_json()
        parts = _part(form["measure"]), _part(form["adjustment"]), _part(form["solver"])
    return Configuration(*parts, setup)


def _part(form: Mapping[str, Any]) -> Part:
    return Part(form["name"], tuple(sorted((k, v) for k, v in form.items() if k != "name")))


def parse(pairs: Iterable[str]) -> dict[str, Value]:
    """Read ``KEY=VALUE`` pairs."""
    given: dict[str, Value] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not (key and equals):
            raise InputError(f"--set expects KEY=VALUE; got {pair!r}.")
        if key in given:
            raise InputError(f"--set gives {key} twice; give it once.")
        given[key] = value
    return given


def _device(measure: str, device: str) -> dict[str, Value]:
    """Return the setting that puts `measure` on `device`."""
    if device not in ("auto", "cpu", "cuda"):
        raise InputError(f"--device must be auto, cpu or cuda; got {device!r}.")
    if "device" in registry.settings(registry.find("measure", measure)):
        return {"device": device}
    if device == "cuda":
        raise InputError(f"Measure {measure} computes on the CPU only; leave --device cuda out.")
    return {}
