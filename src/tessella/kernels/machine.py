"""Machine code on disk: found, loaded, called, without numba.

numba's own cache needs numba to be read, and watches only the file of the function that is called;
a change in a kernel that it calls, or in a tuple that it takes, would leave stale machine code
behind. So ours lies in a folder named by a digest of all kernels, of numba's version, and of what
this processor can do.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import importlib.util
import json
import os
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm
import numpy as np

from tessella.kernels.arguments import Kinds, text_of

if TYPE_CHECKING:
    from tessella.kernels.jit import Kernel

Entry = Callable[[tuple[Any, ...], list[Any]], Any]
"""What runs a kernel, given the arguments and their slots."""

_DONE = (0, -2)
"""What numba's functions return when nothing went wrong: a value, or None."""


def cache_folder(kernels: Path) -> Path:
    """Return where the machine code of the sources in folder `kernels` is kept.

    Below ``NUMBA_CACHE_DIR`` if that is set, else beside the sources, else in the user's cache.
    """
    digest = hashlib.sha256(f"{_numba()} {_processor()}".encode())
    for source in sorted(kernels.glob("*.py")):
        digest.update(source.read_bytes())
    name = f"numba-{digest.hexdigest()[:12]}"
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return Path(given) / name
    if os.access(kernels, os.W_OK):
        return kernels / "__pycache__" / name
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "tessella" / name


def _numba() -> str:
    """Return what tells one version of numba from another, without loading it."""
    spec = importlib.util.find_spec("numba")
    if spec is None or spec.origin is None:
        return ""
    version = Path(spec.origin).with_name("_version.py")
    return version.read_text() if version.is_file() else spec.origin


@functools.cache
def _processor() -> str:
    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


@functools.cache
def folder() -> Path:
    """Return where the machine code of our kernels is kept."""
    return cache_folder(Path(__file__).parent)


def path_of(kernel: Kernel, kinds: Kinds) -> Path:
    """Return the file of a kernel's machine code for arguments of such kinds."""
    function = kernel.py_func
    home = f"{function.__module__}.{function.__qualname__} {function.__code__.co_filename}"
    identity = f"{home} {text_of(kinds)} {sorted(kernel.options)}"
    name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
    return folder() / f"{name}-{hashlib.sha256(identity.encode()).hexdigest()[:16]}.code"


def write(path: Path, about: dict[str, Any], code: bytes) -> None:
    """Keep machine code and what is to be known `about` it; a folder that refuses is let be."""
    part = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        head = json.dumps({**about, "sum": hashlib.sha256(code).hexdigest()})
        part.write_bytes(head.encode() + b"\n" + code)
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()


def load(path: Path) -> Entry | None:
    """Return the machine code of a file, ready to run, or None where there is none."""
    try:
        head, _, code = path.read_bytes().partition(b"\n")
        about = json.loads(head)
        whole = about["sum"] == hashlib.sha256(code).hexdigest()
        return entry_of(about, code) if whole else None
    except (OSError, ValueError, KeyError):
        return None


@functools.cache
def target_machine() -> llvm.TargetMachine:
    """Return what machine code is made for: this processor, in a running program."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        reloc="static" if target.name.startswith("x86") else "default",
        codemodel="jitdefault",
        jit=True,
    )


@functools.cache
def _engine() -> llvm.ExecutionEngine:
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine())


def entry_of(about: dict[str, Any], code: bytes) -> Entry:
    """Load machine code into this process."""
    engine = _engine()
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    symbol = about["symbol"]
    call = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_char_p, ctypes.c_void_p)(
        engine.get_function_address(symbol)
    )
    release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(
        engine.get_function_address(f"{symbol}.release")
    )
    pack = struct.Struct(about["slots"]).pack
    kinds = [tuple(kind) if isinstance(kind, list) else kind for kind in about["returns"]]
    read = _reader(kinds, release)
    room = struct.calcsize(_returned(kinds)) + 8

    def entry(_: tuple[Any, ...], slots: list[Any]) -> Any:
        result = ctypes.create_string_buffer(room)
        status = call(pack(*slots), result)
        if status not in _DONE:
            raise RuntimeError(f"The kernel {about['name']} failed with status {status}.")
        values = read(result)
        return values if about["tuple"] else values[0] if values else None

    return entry


def _returned(kinds: list[Any]) -> str:
    """Return how ``struct`` reads what a kernel returns: numbers, or (type, axes) of arrays."""
    return "@" + "".join(
        kind if isinstance(kind, str) else "q" * (5 + 2 * kind[1]) for kind in kinds
    )


def _reader(kinds: list[Any], release: Callable[[int], None]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what makes Python's numbers and arrays of what a kernel returned."""
    unpack = struct.Struct(_returned(kinds)).unpack_from
    if all(isinstance(kind, str) for kind in kinds):
        return unpack

    def read(result: Any) -> tuple[Any, ...]:
        words = iter(unpack(result))
        return tuple(
            next(words) if isinstance(kind, str) else _taken(words, kind, release) for kind in kinds
        )

    return read


def _taken(words: Any, kind: tuple[str, int], release: Callable[[int], None]) -> Any:
    """Return a copy of the array that the next words tell of, and give its memory back."""
    owner, _, _, _, address = (next(words) for _ in range(5))
    shape = tuple(next(words) for _ in range(kind[1]))
    for _ in range(kind[1]):
        next(words)
    array = np.empty(shape, kind[0])
    ctypes.memmove(array.ctypes.data, address, array.nbytes)
    release(owner)
    return array
