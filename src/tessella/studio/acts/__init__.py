"""Acts: what a person or the solver can do to a project; one file each, file name = name.

An act is one file in this folder that holds one frozen dataclass whose name is the file's name in
CamelCase (``merge_sheets.py`` holds ``MergeSheets``). Its fields are what it is given, whole
numbers, texts, yes or no, or rows of them; ``changes(state, facts)`` returns what it changes, or
raises `Refused` in one sentence. Undo and redo come by themselves. An act that changes nothing is
no event, unless it has a property ``records`` that is true.
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import types
import typing
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from tessella.errors import InputError, NameUnknown, shown
from tessella.studio.facts import Facts
from tessella.studio.state import Change, State

LONGEST = 2**31


class Act(Protocol):
    """Something that can be done to a project."""

    def changes(self, state: State, facts: Facts) -> Iterable[Change]:
        """Return what it changes; raise `tessella.studio.errors.Refused` if it cannot be done."""


@cache
def names() -> tuple[str, ...]:
    """Return the names of all acts, sorted."""
    folder = str(Path(__file__).parent)
    return tuple(sorted(m.name for m in pkgutil.iter_modules([folder]) if m.name[0] != "_"))


@cache
def find(name: str) -> type[Any]:
    """Return the class of an act."""
    if name not in names():
        raise NameUnknown("act", name, names())
    module = importlib.import_module(f"{__name__}.{name}")
    for label, value in vars(module).items():
        if isinstance(value, type) and label.lower() == name.replace("_", ""):
            return value
    raise InputError(f"{module.__name__} must hold a class called {name!r} in CamelCase.")


@cache
def hints(name: str) -> dict[str, Any]:
    """Return the fields of an act and their types."""
    return typing.get_type_hints(find(name))


def make(name: str, given: Mapping[str, Any]) -> Act:
    """Return an act with what it is given, checked."""
    cls, wanted = find(name), hints(name)
    for key in given:
        if key not in wanted:
            raise NameUnknown(f"argument of {name}", key, wanted)
    for field in dataclasses.fields(cls):
        if field.default is dataclasses.MISSING and field.name not in given:
            raise InputError(f"The act {name} needs {field.name}; give it.")
    values = {key: _checked(f"{key} of {name}", value, wanted[key]) for key, value in given.items()}
    made: Act = cls(**values)
    return made


def summary(act: Any) -> dict[str, Any]:
    """Return what an act was given, for the record: its `summary` if it has one."""
    if hasattr(act, "summary"):
        return dict(act.summary())
    return {field.name: getattr(act, field.name) for field in dataclasses.fields(act)}


def _checked(what: str, value: Any, wanted: Any) -> Any:
    """Return a value of JSON as the type that a field wants, or raise."""
    if typing.get_origin(wanted) in (types.UnionType, typing.Union):
        if value is None:
            return None
        wanted = next(each for each in typing.get_args(wanted) if each is not type(None))
    if typing.get_origin(wanted) is tuple:
        if not isinstance(value, list | tuple):
            raise InputError(f"The {what} must be a list; got {shown(value)}.")
        return tuple(_checked(what, each, typing.get_args(wanted)[0]) for each in value)
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not wanted:
        raise InputError(f"The {what} must be of type {wanted.__name__}; got {shown(value)}.")
    if isinstance(value, str) and not _writable(value):
        raise InputError(f"The {what} holds characters that cannot be written; got {shown(value)}.")
    if isinstance(value, int | float) and not abs(value) < LONGEST:
        raise InputError(f"The {what} must lie within {LONGEST} of 0; got {shown(value)}.")
    return value


def _writable(text: str) -> bool:
    """Whether a text has no half characters, which no file holds."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
