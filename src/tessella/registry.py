"""Measures, adjustments and solvers by name: file name = name. Nothing is imported until asked.

A plug-in is one file in `measures/`, `adjust/` or `solvers/` that holds one frozen dataclass
whose name is the file's name in CamelCase (``paikin_tal.py`` holds ``PaikinTal``). Its fields are
its settings.
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tessella.bounds import check_setting
from tessella.errors import InputError, NameUnknown

KINDS = {"measure": "measures", "adjustment": "adjust", "solver": "solvers"}


def names(kind: str) -> list[str]:
    """Return the names of all plug-ins of `kind` (a key of `KINDS`), sorted."""
    folder = Path(__file__).parent / KINDS[kind]
    return sorted(m.name for m in pkgutil.iter_modules([str(folder)]) if m.name[0] != "_")


def find(kind: str, name: str) -> type[Any]:
    """Return the class of the plug-in called `name`."""
    valid = names(kind)
    if name not in valid:
        raise NameUnknown(kind, name, valid)
    module = importlib.import_module(f"tessella.{KINDS[kind]}.{name}")
    wanted = name.replace("_", "")
    for label, value in vars(module).items():
        if isinstance(value, type) and label.lower() == wanted:
            return value
    raise InputError(f"{module.__name__} must hold a class called {name!r} in CamelCase.")


def settings(cls: type[Any]) -> dict[str, Any]:
    """Return the settings of a plug-in class and their defaults."""
    return {f.name: f.default for f in dataclasses.fields(cls)}


def make(kind: str, name: str, given: Mapping[str, Any] | None = None) -> Any:
    """Make the plug-in `name` with settings `given`; text is converted to the field's type."""
    cls = find(kind, name)
    valid = settings(cls)
    hints = typing.get_type_hints(cls)
    values = {}
    for key, value in (given or {}).items():
        if key not in valid:
            raise NameUnknown(f"setting of {kind} {name}", key, valid)
        values[key] = _convert(key, value, hints[key]) if isinstance(value, str) else value
        check_setting(key, values[key])
    return cls(**values)


def _convert(key: str, text: str, wanted: Any) -> Any:
    """Turn the text of ``--set KEY=VALUE`` into `wanted`, a field's type."""
    if typing.get_origin(wanted) is typing.Literal:
        choices = typing.get_args(wanted)
        if text not in choices:
            raise InputError(f"Setting {key} must be one of {', '.join(choices)}; got {text!r}.")
        return text
    if typing.get_origin(wanted) in (typing.Union, types.UnionType):
        if text.lower() == "none":
            return None
        wanted = next(a for a in typing.get_args(wanted) if a is not type(None))
    if wanted is bool:
        table = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if text.lower() not in table:
            raise InputError(f"Setting {key} must be true or false; got {text!r}.")
        return table[text.lower()]
    try:
        return wanted(text)
    except ValueError:
        raise InputError(f"Setting {key} must be {wanted.__name__}; got {text!r}.") from None
