"""Kernels: functions that run as machine code, compiled once and kept on disk.

numba compiles them, and is loaded only for that: machine code that is on disk is loaded and called
without it, which saves every later run half of its start. What numba alone can do (see
``building``) is left to it, by its usual way.
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from tessella.kernels import machine
from tessella.kernels.arguments import Kinds, described

if TYPE_CHECKING:
    from tessella.kernels.machine import Entry

F = TypeVar("F", bound=Callable[..., Any])

_one_at_a_time = threading.RLock()


class Kernel:
    """A function and the machine code of each kind of arguments that it was called with.

    Attributes
    ----------
    py_func : Callable
        The plain Python function.
    options : dict
        What numba is told when it compiles.
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.options = options
        self.entries: dict[Kinds, Entry] = {}
        self.closed: Any = None  # numba's own form, once something is compiled

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Run with what is given."""
        if named:
            given = inspect.signature(self.py_func).bind(*given, **named).args
        kinds, slots = described(given)
        entry = self.entries.get(kinds)
        if entry is None:
            entry = self.entry(kinds, given)
        return entry(given, slots)

    def entry(self, kinds: Kinds, given: tuple[Any, ...]) -> Entry:
        """Return the machine code for arguments of such kinds: from disk, else compiled."""
        with _one_at_a_time:
            if kinds not in self.entries:
                entry = machine.load(machine.path_of(self, kinds))
                if entry is None:
                    from tessella.kernels.building import build

                    entry = build(self, kinds, given)
                self.entries[kinds] = entry
            return self.entries[kinds]

    @property
    def _numba_type_(self) -> Any:
        """What numba takes a kernel for that another one calls."""
        from tessella.kernels.building import called

        return called(self)


def compiled(function: F) -> F:
    """Compile `function` on its first call; keep the machine code for later runs.

    The plain Python function stays reachable as ``compiled_function.py_func``.
    """
    return cast(F, Kernel(function))


def inlined(function: F) -> F:
    """Compile `function` into whoever calls.

    For look-ups in inner loops: there the call, with its arrays, costs more than what it does.
    """
    return cast(F, Kernel(function, forceinline=True))


def fused(function: F) -> F:
    """Compile as `compiled` does, and let a product and a sum become one instruction.

    For polynomials: faster by half and rounded once less. Sums keep their order.
    """
    return cast(F, Kernel(function, fastmath={"contract"}))
