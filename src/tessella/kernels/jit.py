"""How kernels are compiled: cached on disk, without the interpreter's lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile `function` with numba on its first call; keep the machine code for later runs.

    The plain Python function stays reachable as ``compiled_function.py_func``.
    """
    return cast(F, numba.njit(cache=True, nogil=True)(function))


def fused(function: F) -> F:
    """Compile as `compiled` does, and let a product and a sum become one instruction.

    For polynomials: faster by half and rounded once less. Sums keep their order.
    """
    return cast(F, numba.njit(cache=True, nogil=True, fastmath={"contract"})(function))


def inlined(function: F) -> F:
    """Compile `function` to be expanded where kernels call it."""
    return cast(F, numba.njit(cache=True, nogil=True, inline="always")(function))
