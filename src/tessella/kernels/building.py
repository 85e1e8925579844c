"""Compiling kernels with numba into machine code that runs without it.

A kernel is compiled once for every kind of arguments, with all that it calls. The result is one
object file with one entry, which takes its arguments from a row of slots. What cannot be had this
way (an argument or a result of another kind, an unknown symbol, another numba) runs as numba runs
it, from numba's own cache.
"""

from __future__ import annotations

import hashlib
import importlib
from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm
import numpy as np

from tessella.kernels import hurry, machine
from tessella.kernels.arguments import Kinds, slots_of
from tessella.kernels.blas import load_without_blas
from tessella.kernels.compiling import begins
from tessella.kernels.machine import Entry
from tessella.kernels.objects import object_of

load_without_blas()
numba: Any = importlib.import_module("numba")

if TYPE_CHECKING:
    from tessella.kernels.jit import Kernel

_CLOSED = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of what Python does not call."""

_NUMBERS = {"int64": "q", "uint64": "Q", "float64": "d", "float32": "f", "bool": "?"}
"""Numbers that a kernel returns, and how ``struct`` reads them."""


def called(kernel: Kernel) -> Any:
    """Return the type of a kernel for numba to compile others that call it."""
    return numba.types.Dispatcher(closed(kernel))


def closed(kernel: Kernel) -> Any:
    """Return numba's own form of a kernel, for other kernels to call and for `build`."""
    if kernel.closed is None:
        kernel.closed = numba.njit(nogil=True, **_CLOSED, **kernel.options)(kernel.py_func)
        _widen(kernel.closed)
    return kernel.closed


def _widen(dispatcher: Any) -> None:
    """Let calls from other kernels give every whole number as int64, constants too.

    numba would compile a kernel anew for every mixture of int32, int64 and constants; half of the
    first run's time went there. Another numba may do so again.
    """
    usual = getattr(dispatcher, "get_call_template", None)
    if usual is None:
        return

    def get_call_template(args: Any, kws: Any) -> Any:
        return usual(tuple(map(_wide, args)), {name: _wide(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = get_call_template


def _wide(kind: Any) -> Any:
    plain = numba.types.unliteral(kind)
    return numba.types.int64 if plain == numba.types.int32 else plain


def build(kernel: Kernel, kinds: Kinds, given: tuple[Any, ...]) -> Entry:
    """Compile a kernel for arguments of such kinds, keep the machine code, return its entry."""
    begins(_name(kernel))
    try:
        about, code = _built(kernel, kinds, given)
        entry = machine.entry_of(about, code)
    except (AttributeError, LookupError, RuntimeError, TypeError):
        # Another numba or LLVM, or a kernel beyond what is known here.
        return _usual(kernel)
    machine.write(machine.path_of(kernel, kinds), about, code)
    return entry


def build_ahead(kernel: Kernel, kinds: Kinds, given: tuple[Any, ...]) -> None:
    """Compile a kernel and keep the machine code, but do not load it."""
    machine.write(machine.path_of(kernel, kinds), *_built(kernel, kinds, given))


def _built(kernel: Kernel, kinds: Kinds, given: tuple[Any, ...]) -> tuple[dict[str, Any], bytes]:
    """Return what is to be known about a kernel's machine code, and the code."""
    slots = slots_of(kinds)
    if slots is None:
        raise TypeError(f"{_name(kernel)} has arguments that no slot holds.")
    types = tuple(map(numba.typeof, given))
    dispatcher = closed(kernel)
    dispatcher.compile(types)
    result = dispatcher.overloads[types]
    several, returns = _returns(result.signature.return_type)
    function = result.fndesc.llvm_func_name
    text = f"{machine.path_of(kernel, kinds).name} {function}"
    symbol = f"tessella.{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    module = hurry.module_of(result.library)
    raw = module is not None
    if module is None:
        module = llvm.parse_assembly(dispatcher.inspect_llvm(types))
    about: dict[str, Any] = {"name": _name(kernel), "symbol": symbol, "slots": slots}
    about |= {"tuple": several, "returns": returns}
    return about, object_of(module, function, symbol, raw=raw)


def _returns(kind: Any) -> tuple[bool, list[Any]]:
    """Return whether a kernel returns several things, and how each is read."""
    if isinstance(kind, numba.types.NamedTuple | numba.types.NamedUniTuple):
        raise TypeError("A tuple with names is made by numba alone.")
    if isinstance(kind, numba.types.BaseTuple):
        return True, [_returned(one) for one in kind]
    return False, [] if kind == numba.types.none else [_returned(kind)]


def _returned(kind: Any) -> Any:
    if isinstance(kind, numba.types.Array) and kind.layout == "C":
        return [np.dtype(str(kind.dtype)).str, kind.ndim]
    return _NUMBERS[str(kind)]


def _usual(kernel: Kernel) -> Entry:
    """Return a kernel as numba runs it; numba reads the place of its cache at this moment."""
    place = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(machine.folder())
    try:
        dispatcher = numba.njit(nogil=True, cache=True, **kernel.options)(kernel.py_func)
    finally:
        numba.config.CACHE_DIR = place
    return lambda given, _: dispatcher(*given)


def _name(kernel: Kernel) -> str:
    return f"{kernel.py_func.__module__.rpartition('.')[2]}.{kernel.py_func.__name__}"
