"""What a kernel is called with: of which kinds it is, and as a row of slots of eight bytes.

An array is, as numba has it: nobody who owns it, no parent, its number of items, an item's bytes,
its address, its shape, its strides. A tuple is its items, one after the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Kinds = tuple[Any, ...]
"""The kinds of arguments, flat: an array's type, axes and layout, a number's type; a tuple's class,
what it holds, and `END`."""

END = ")"
_MOST = 2**63
_NUMBERS = {bool: "q", float: "d", np.bool_: "q", np.float64: "d", np.float32: "f4x"}
_NUMBERS |= {np.int32: "q", np.int64: "q", np.uint64: "Q", int: "q"}


def described(given: tuple[Any, ...]) -> tuple[Kinds, list[Any]]:
    """Return the kinds of what is `given`, and what goes into the slots."""
    kinds: list[Any] = []
    slots: list[Any] = []
    _describe(given, kinds, slots)
    return tuple(kinds), slots


def _describe(given: tuple[Any, ...], kinds: list[Any], slots: list[Any]) -> None:
    for value in given:
        kind = type(value)
        if kind is np.ndarray:
            kinds.append((value.dtype, value.ndim, _layout(value.flags)))
            address = value.__array_interface__["data"][0]
            slots += (0, 0, value.size, value.itemsize, address, *value.shape, *value.strides)
        elif isinstance(value, tuple):
            kinds.append(kind)
            _describe(value, kinds, slots)
            kinds.append(END)
        else:
            kinds.append(np.uint64 if kind is int and value >= _MOST else kind)
            slots.append(value)


def _layout(flags: Any) -> str:
    """Return C, F or A (any) as numba does; in small letters what may not be written to."""
    layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
    return layout if flags.writeable else layout.lower()


def slots_of(kinds: Kinds) -> str | None:
    """Return how ``struct`` packs slots of such kinds, or None if it cannot."""
    packed = ["@"]
    for kind in kinds:
        if isinstance(kind, tuple):
            packed.append("q" * (5 + 2 * kind[1]))
        elif kind in _NUMBERS:
            packed.append(_NUMBERS[kind])
        elif kind != END and not (isinstance(kind, type) and issubclass(kind, tuple)):
            return None
    return "".join(packed)


def text_of(kinds: Kinds) -> str:
    """Return the kinds as text that is the same in every run."""
    return " ".join(
        f"{kind[0].str}{kind[1]}{kind[2]}"
        if isinstance(kind, tuple)
        else kind
        if isinstance(kind, str)
        else f"{kind.__module__}.{kind.__qualname__}"
        for kind in kinds
    )
