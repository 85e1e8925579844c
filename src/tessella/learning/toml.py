"""TOML tables made into frozen settings: every value of its field's type, every number bounded."""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any, Literal

from tessella import bounds
from tessella.errors import InputError, shown


def filled(cls: type[Any], name: str, given: dict[str, Any], extra: Any = None) -> Any:
    """Make `cls` from a TOML table, every value of the type its field wants."""
    hints = typing.get_type_hints(cls)
    extra = extra or {}
    check_names(name, given, set(hints) - set(extra))
    for field in dataclasses.fields(cls):
        absent = field.default is dataclasses.MISSING and field.name not in extra
        if absent and field.name not in given:
            raise InputError(f"{name} needs {field.name}.")
    values = {key: _converted(f"{name}.{key}", value, hints[key]) for key, value in given.items()}
    return cls(**values, **extra)


def check_names(name: str, given: dict[str, Any], valid: set[str]) -> None:
    """Raise unless `given` is a table that has none but `valid` keys."""
    if not isinstance(given, dict):
        raise InputError(f"{name} must be a table of settings; got {shown(given)}.")
    for key in given:
        if key not in valid:
            raise InputError(f"{name} has no {shown(key)}; it has {', '.join(sorted(valid))}.")


def _converted(name: str, value: Any, wanted: Any) -> Any:
    origin = typing.get_origin(wanted)
    if origin is Literal or origin in (typing.Union, types.UnionType):
        choices = [c for a in (typing.get_args(wanted) or ()) for c in typing.get_args(a) or (a,)]
        if value not in choices:
            valid = ", ".join(str(c) for c in choices if c is not type(None))
            raise InputError(f"{name} must be one of {valid}; got {shown(value)}.")
        return value
    if origin is tuple:
        kinds = typing.get_args(wanted)
        if not isinstance(value, list) or (kinds[-1] is not ... and len(value) != len(kinds)):
            raise InputError(f"{name} must be a list such as the default; got {shown(value)}.")
        each = kinds[:1] * len(value) if kinds[-1] is ... else kinds
        return tuple(_converted(name, v, kind) for v, kind in zip(value, each, strict=True))
    numeric = wanted is float and isinstance(value, int) and not isinstance(value, bool)
    if not numeric and type(value) is not wanted:
        raise InputError(f"{name} must be {wanted.__name__}; got {shown(value)}.")
    bounds.check_setting(name, value)
    return wanted(value)
