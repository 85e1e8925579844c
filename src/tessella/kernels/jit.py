"""How kernels are compiled: cached on disk, without the interpreter's lock.

numba's own cache watches only the file of the function that is called; a change in a kernel that
it calls, or in a tuple that it takes, would leave stale machine code behind. So the cache lies in
a folder named by a digest of all kernels.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def cache_folder(kernels: Path) -> Path:
    """Return where the machine code of the sources in folder `kernels` is kept.

    Below ``NUMBA_CACHE_DIR`` if that is set, else beside the sources, else in the user's cache.
    """
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(kernels.glob("*.py")):
        digest.update(source.read_bytes())
    name = f"numba-{digest.hexdigest()[:12]}"
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return Path(given) / name
    if os.access(kernels, os.W_OK):
        return kernels / "__pycache__" / name
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "tessella" / name


_FOLDER = str(cache_folder(Path(__file__).parent))


def _compile(function: F, **options: Any) -> F:
    """Compile without the lock, cached in our folder; numba reads the place at this moment."""
    usual = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = _FOLDER
    try:
        return cast(F, numba.njit(cache=True, nogil=True, **options)(function))
    finally:
        numba.config.CACHE_DIR = usual


def compiled(function: F) -> F:
    """Compile `function` with numba on its first call; keep the machine code for later runs.

    The plain Python function stays reachable as ``compiled_function.py_func``.
    """
    return _compile(function)


def inlined(function: F) -> F:
    """Compile as `compiled` does, into whoever calls.

    For look-ups in inner loops: there the call, with its arrays, costs more than what it does.
    """
    return _compile(function, inline="always")


def fused(function: F) -> F:
    """Compile as `compiled` does, and let a product and a sum become one instruction.

    For polynomials: faster by half and rounded once less. Sums keep their order.
    """
    return _compile(function, fastmath={"contract"})
