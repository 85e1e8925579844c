"""How kernels are compiled: cached on disk, without the interpreter's lock.

numba's own cache watches only the file of the function that is called; a change in a kernel that
it calls, or in a tuple that it takes, would leave stale machine code behind. So the cache lies in
a folder named by a digest of all kernels.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event

from tessella.kernels.compiling import begins

F = TypeVar("F", bound=Callable[..., Any])

_CLOSED = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of a kernel that Python cannot call."""


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


FOLDER = str(cache_folder(Path(__file__).parent))


class _Told(event.Listener):
    """Passes on that a kernel of ours is being compiled."""

    def on_start(self, event: event.Event) -> None:
        """Pass on."""
        function = event.data["dispatcher"].py_func
        if function.__module__.startswith("tessella."):
            begins(f"{function.__module__.rpartition('.')[2]}.{function.__name__}")

    def on_end(self, event: event.Event) -> None:
        """Nothing to say."""


event.register("numba:compile", _Told())  # type: ignore[no-untyped-call]


def _compile(function: F, *, cache: bool = True, **options: Any) -> F:
    """Compile without the lock, cached in our folder; numba reads the place at this moment."""
    usual = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = FOLDER
    try:
        dispatcher = numba.njit(cache=cache, nogil=True, **options)(function)
    finally:
        numba.config.CACHE_DIR = usual
    _widen(dispatcher)
    return cast(F, dispatcher)


def _widen(dispatcher: Any) -> None:
    """Let calls from other kernels give every whole number as int64, constants too.

    numba would compile a kernel anew for every mixture of int32, int64 and constants; half of the
    first run's time went there.
    """
    usual = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return usual(tuple(map(_wide, args)), {name: _wide(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = get_call_template


def _wide(kind: Any) -> Any:
    plain = numba.types.unliteral(kind)  # type: ignore[no-untyped-call]
    return numba.types.int64 if plain == numba.types.int32 else plain


def load_without_blas() -> None:
    """Load what numba needs to run kernels, but not SciPy's linear algebra: none of ours uses it.

    For programs of our own, whose start it shortens by a tenth: numba then has no matrix product.
    """
    if "scipy.linalg" in sys.modules or "numba.np.arraymath" in sys.modules:
        return
    modules = cast(dict[str, Any], sys.modules)
    modules["scipy.linalg"] = None  # Whoever imports it now is told that there is none.
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        del modules["scipy.linalg"]


def compiled(function: F) -> F:
    """Compile `function` with numba on its first call; keep the machine code for later runs.

    The plain Python function stays reachable as ``compiled_function.py_func``.
    """
    return _compile(function)


def inner(function: F) -> F:
    """Compile as `compiled` does, for other kernels to call.

    Saves what a call from Python needs, and a place in the cache: its machine code is in that of
    whoever calls. Tests call it from Python all the same, by a detour.
    """
    return _open(_compile(function, cache=False, **_CLOSED))


def inlined(function: F) -> F:
    """Compile as `inner` does, into whoever calls.

    For look-ups in inner loops: there the call, with its arrays, costs more than what it does.
    """
    return _open(_compile(function, cache=False, forceinline=True, **_CLOSED))


def _open(kernel: F) -> F:
    """Let Python call a kernel that has no entry for it through another one that has."""

    @numba.njit(nogil=True)
    def call(*given: Any) -> Any:
        return kernel(*given)

    # Its own machine code is not offered to Python, which then asks for some to be compiled.
    dispatcher = cast(Any, kernel)
    dispatcher.inner = True
    dispatcher._insert = lambda *_, **__: None
    dispatcher._compile_for_args = lambda *_, **__: call
    return kernel


def fused(function: F) -> F:
    """Compile as `compiled` does, and let a product and a sum become one instruction.

    For polynomials: faster by half and rounded once less. Sums keep their order.
    """
    return _compile(function, fastmath={"contract"})
