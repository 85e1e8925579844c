"""What the code has, as tables in Markdown: settings, plug-ins, models, commands.

`scripts/document.py` puts them into the pages.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import sys
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import typer.main

from tessella import models, registry
from tessella.cli import make_app
from tessella.measures.graynet import Chunkwise, Graynet
from tessella.models import choice
from tessella.solving import Covers

_NETWORKS = {"squeezenet": "SqueezeNet V1.1", "gan": "generator and discriminator"}


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown; a head that ends in a colon is of numbers."""
    lines = [[name.rstrip(":") for name in head]]
    lines += [["---:" if name.endswith(":") else "---" for name in head]]
    lines += [[cell.replace("|", r"\|") for cell in row] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def code(text: object) -> str:
    """Return text as code."""
    return f"`{text}`"


# Settings: the fields of plug-ins.


def meanings(cls: type[Any]) -> dict[tuple[str, ...], str]:
    """Return what the docstrings of a dataclass say of its fields, those of parents included."""
    found: dict[tuple[str, ...], str] = {}
    for owner in reversed(cls.__mro__):
        text = inspect.cleandoc(vars(owner).get("__doc__") or "")
        _, _, section = text.partition("Attributes\n----------\n")
        for entry in re.split(r"\n(?=\S)", section.partition("\n\n")[0]):
            names, sign, meaning = entry.partition(" : ")
            if sign:
                found[tuple(names.split(", "))] = " ".join(meaning.split()).replace("``", "`")
    return found


def settings(cls: type[Any]) -> Iterator[tuple[list[dataclasses.Field[Any]], str]]:
    """Yield the fields of a plug-in that are described together, and what is said of them."""
    fields = {field.name: field for field in dataclasses.fields(cls)}
    meaning_of = meanings(cls)
    described = [name for names in meaning_of for name in names]
    for name in fields:
        if name not in described:
            raise LookupError(f"{cls.__name__}.{name} has no line under Attributes; write one.")
    for name in described:
        if name not in fields:
            raise LookupError(f"{cls.__name__} describes {name}, which is no field; remove it.")
    order = list(fields)
    for names in sorted(meaning_of, key=lambda names: order.index(names[0])):
        yield [fields[name] for name in names], meaning_of[names]


def default(value: object) -> str:
    """Return a default as ``--set`` takes it."""
    if value == "":
        return "empty"
    return code(str(value).lower() if value is None or isinstance(value, bool) else value)


def values(hint: Any) -> str:
    """Return what a setting may be, in words."""
    origin, given = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        *first, last = map(code, given)
        return f"{', '.join(first)} or {last}" if first else last
    if origin in (typing.Union, types.UnionType):
        return " or ".join(values(part) for part in given)
    words = {int: "whole number", float: "number", str: "text", type(None): "`none`"}
    words[bool] = "`true` or `false`"
    return words.get(hint, code(getattr(hint, "__name__", hint)))


def settings_of(kind: str) -> str:
    """Return a table of settings for every plug-in of a kind that has any."""
    parts, without = [], []
    for name in registry.names(kind):
        cls = registry.find(kind, name)
        hints = typing.get_type_hints(cls)
        rows = []
        for fields, meaning in settings(cls):
            kinds = dict.fromkeys(values(hints[field.name]) for field in fields)
            rows.append(
                (
                    ", ".join(code(field.name) for field in fields),
                    "; ".join(kinds),
                    ", ".join(default(field.default) for field in fields),
                    meaning,
                )
            )
        if rows:
            head = ("setting", "values", "default", "meaning")
            parts.append(f"### {code(name)}\n\n{table(head, rows)}")
        else:
            without.append(code(name))
    if without:
        parts.append(f"Without settings: {', '.join(without)}.\n")
    return "\n".join(parts)


# Plug-ins and models.


def first_line(kind: str, name: str) -> str:
    """Return what the file of a plug-in says in its first line."""
    text = sys.modules[registry.find(kind, name).__module__].__doc__ or ""
    return text.partition("\n")[0].rstrip(".")


def names_of_settings(cls: type[Any], *, but: Sequence[str] = ()) -> str:
    """Return the names of a plug-in's settings."""
    return ", ".join(code(f.name) for f in dataclasses.fields(cls) if f.name not in but)


def measures() -> str:
    """Return the table of measures."""
    users: dict[str, list[str]] = {}
    for name in models.names(None):
        users.setdefault(user(name), []).append(code(name))
    rows = (
        (
            code(name),
            first_line("measure", name),
            names_of_settings(registry.find("measure", name)),
            ", ".join(users.get(name, ())),
        )
        for name in registry.names("measure")
    )
    return table(("measure", "what it is", "settings", "models"), rows)


def solvers() -> str:
    """Return the table of solvers."""
    rows = []
    for name in registry.names("solver"):
        cls = registry.find("solver", name)
        covers: Covers = getattr(cls, "covers", Covers())
        pieces = "upright or turned" if covers.turned else "upright"
        shape = "known or unknown" if covers.unknown else "known"
        rows.append(
            (
                code(name),
                first_line("solver", name),
                pieces if covers.grids else "strips in one row",
                shape if covers.grids else "",
                code(registry.settings(cls)["adjust"]),
                names_of_settings(cls, but=["adjust"]),
            )
        )
    head = ("solver", "what it is", "pieces", "shape", "`adjust`", "other settings")
    return table(head, rows)


def adjustments() -> str:
    """Return the table of adjustments."""
    rows = (
        (
            code(name),
            first_line("adjustment", name),
            names_of_settings(registry.find("adjustment", name)),
        )
        for name in registry.names("adjustment")
    )
    return table(("adjustment", "what it is", "settings"), rows)


def user(model: str) -> str:
    """Return the measure that uses a shipped model; those of greys alone are `graynet`'s."""
    kind = models.about(model)[0]
    return "graynet" if kind == "dlcm" and choice.gray(models.find(model)) else kind


def shipped_models() -> str:
    """Return the table of models: what they are for."""
    head = ("model", "measure", "for", "piece px:", "worn frame px:", "weights:")
    return table(head, map(_purpose, models.names(None)))


def networks_of_models() -> str:
    """Return the table of models: what their networks look at, and who proposes candidates."""
    head = ("model", "networks", "sees, px", "beside", "proposer", "K, slack")
    return table(head, map(_inside, models.names(None)))


def _about(name: str) -> dict[str, Any]:
    """Return what a shipped model's file says of itself, and the number of its weights."""
    with np.load(models.FOLDER / f"{name}.npz") as held:
        weights = sum(held[key].size for key in held if key != "about")
        return {**json.loads(str(held["about"])), "weights": weights}


def _purpose(name: str) -> tuple[str, ...]:
    about = _about(name)
    frame = _frame(about)
    return (
        f"[{code(name)}](../src/tessella/models/{name}.md)",
        code(user(name)),
        models.card(name),
        str(about["piece"]),
        frame,
        f"{about['weights']:,}",
    )


def _frame(about: dict[str, Any]) -> str:
    """Return which worn frames a model was trained for."""
    if "eroded" not in about:
        return "any"  # It looks at what is inside.
    low, high = about["eroded"]
    return f"{low} to {high}" if high else "none"


def _inside(name: str) -> tuple[str, ...]:
    about = _about(name)
    seen = about.get("form", about)
    whole = seen.get("size")
    beside = (f"{weight:.3g} {code(by)}" for by, weight in about.get("beside", {}).items())
    return (
        code(name),
        _networks(about),
        f"{whole} x {whole}" if whole else f"{seen['rows']} x {seen['depth']}",
        ", ".join(beside),
        *_proposal(name, about),
    )


def _networks(about: dict[str, Any]) -> str:
    """Return what a model's file says of its networks."""
    if about.get("kind") == "tiles":
        scales = "-".join(map(str, about["form"]["channels"]))
        return f"three scales {scales}; judge {about['form']['pair']}"
    if "form" in about:
        return f"twins of {about['form']['channels']} channels, {about['form']['blocks']} blocks"
    if "subnetworks" not in about:
        return _NETWORKS.get(about["kind"], about["kind"])
    last = "scout" if about["by"] == "scout" else ""
    parts = []
    for number, sub in enumerate(about["subnetworks"], 1):
        planes = sub["planes"].removesuffix("w").upper() + (" and frame" * ("w" in sub["planes"]))
        role = "scout " if last and number == len(about["subnetworks"]) else ""
        parts.append(f"{role}{planes} {'-'.join(map(str, sub['layers']))}")
    twice = "; looks twice" if about.get("mirrored") else ""
    return f"{'; '.join(parts)}{twice}"


def _proposal(name: str, about: dict[str, Any]) -> tuple[str, str]:
    """Return who proposes candidates to a model, and how many."""
    if about.get("kind") == "tiles":
        return "its vectors", f"{about['count']}, {about['slack'] or 'any'}"
    if "by" not in about:
        return "none: every pair", ""
    by, count, slack = about["by"], about["count"], about.get("slack")
    if user(name) == "graynet":  # which does not ask the file
        by = typing.get_type_hints(Chunkwise.proposer)["return"].__name__.lower()
        usual = registry.settings(Graynet)
        count, slack = usual["count"], usual["slack"]
    proposer = "its scout" if by == "scout" else code(by)
    return proposer, f"{count}, {'any' if slack is None else f'{slack:g}'}"


def names() -> str:
    """Return every name that there is to choose, a line for each kind."""
    lines = []
    for title, found in (
        ("Measures", registry.names("measure")),
        ("Solvers", registry.names("solver")),
        ("Adjustments", registry.names("adjustment")),
        ("Models", models.names(None)),
    ):
        lines.append(f"- **{title}**: {', '.join(map(code, found))}.\n")
    return "".join(lines)


# Commands.


def leaves(group: Any, above: str = "") -> dict[str, Any]:
    """Return every command by its words, those of groups too."""
    found: dict[str, Any] = {}
    for name, command in group.commands.items():
        words = f"{above}{name}"
        if getattr(command, "commands", None):
            found |= leaves(command, f"{words} ")
        else:
            found[words] = command
    return found


def every_command() -> dict[str, Any]:
    """Return every command of ``tessella`` by its words."""
    return leaves(typer.main.get_command(make_app()))


def commands() -> str:
    """Return the table of commands."""
    rows = (
        (f"[`tessella {name}`](#{name.replace(' ', '-')})", first_sentence(command.help))
        for name, command in every_command().items()
    )
    return table(("command", "does"), rows)


def first_sentence(text: str | None) -> str:
    """Return the first paragraph of a help text, without its full stop."""
    return " ".join((text or "").partition("\n\n")[0].split()).rstrip(".")


def options_of(command: Any) -> str:
    """Return the table of a command's arguments and options."""
    rows = [
        (_usage(param), _default(param), " ".join((param.help or "").split()).rstrip("."))
        for param in command.params
        if not getattr(param, "hidden", False) and param.name != "help"
    ]
    if not rows:
        return "It takes no options.\n"
    return table(("argument or option", "default", "meaning"), rows)


def _usage(param: Any) -> str:
    value = param.metavar or param.name.upper()
    if param.param_type_name == "argument":
        return code(value)
    flags = ", ".join(code(flag) for flag in (*param.opts, *param.secondary_opts))
    return flags if param.is_flag else code(f"{param.opts[-1]} {value}")


def _default(param: Any) -> str:
    if param.required:
        return "must be given"
    known = isinstance(param.default, str | int | float | Path)
    return code(param.default) if known and not isinstance(param.default, bool) else ""


def blocks() -> dict[str, Callable[[], str]]:
    """Return every table of what the code has, by its name."""
    made: dict[str, Callable[[], str]] = {
        "names": names,
        "measures": measures,
        "solvers": solvers,
        "adjustments": adjustments,
        "models": shipped_models,
        "networks of models": networks_of_models,
        "settings of solvers": lambda: settings_of("solver"),
        "settings of measures": lambda: settings_of("measure"),
        "settings of adjustments": lambda: settings_of("adjustment"),
        "commands": commands,
    }
    for words, command in every_command().items():
        made[f"command {words}"] = lambda command=command: options_of(command)
    return made
