"""Object code: what LLVM knows of a kernel becomes a file with one entry, which needs no numba.

The entry takes its arguments from a row of slots (see ``arguments``) and calls numba's function as
numba's functions call each other: where to put the result, where to put an error, the arguments.
"""

from __future__ import annotations

import ctypes

import llvmlite.binding as llvm

from tessella.kernels.machine import target_machine

_IMPLIED = ("malloc", "free", "memset", "memcpy", "memmove")
"""What LLVM may call without saying so."""

_RUNTIME = """
declare ptr @malloc(i64)
declare void @free(ptr)

; Memory of arrays: uses, two words for others' wishes, the data's address, its bytes.
define weak ptr @NRT_MemInfo_alloc_aligned(i64 %bytes, i32 %align) {
  %by = zext i32 %align to i64
  %head = add i64 %by, 64
  %all = add i64 %bytes, %head
  %memory = call ptr @malloc(i64 %all)
  %none = icmp eq ptr %memory, null
  br i1 %none, label %failed, label %got
got:
  %address = ptrtoint ptr %memory to i64
  %beyond = add i64 %address, %head
  %over = urem i64 %beyond, %by
  %data = sub i64 %beyond, %over
  store i64 1, ptr %memory
  %a = getelementptr i64, ptr %memory, i64 1
  store i64 0, ptr %a
  %b = getelementptr i64, ptr %memory, i64 2
  store i64 0, ptr %b
  %c = getelementptr i64, ptr %memory, i64 3
  store i64 %data, ptr %c
  %d = getelementptr i64, ptr %memory, i64 4
  store i64 %bytes, ptr %d
  ret ptr %memory
failed:
  ret ptr null
}

define weak void @NRT_MemInfo_call_dtor(ptr %memory) {
  call void @free(ptr %memory)
  ret void
}

define weak ptr @NRT_MemInfo_data_fast(ptr %memory) {
  %c = getelementptr i64, ptr %memory, i64 3
  %data = load ptr, ptr %c
  ret ptr %data
}

define void @SYMBOL.release(ptr %memory) {
  %none = icmp eq ptr %memory, null
  br i1 %none, label %done, label %some
some:
  %uses = load i64, ptr %memory
  %left = sub i64 %uses, 1
  store i64 %left, ptr %memory
  %last = icmp eq i64 %left, 0
  br i1 %last, label %unused, label %done
unused:
  call void @free(ptr %memory)
  br label %done
done:
  ret void
}
"""


_ENTRY = """
define i32 @SYMBOL(ptr %slots, ptr %result) {
  %error = alloca ptr
LOADS
  %status = call i32 @"FUNCTION"(ptr %result, ptr %error, GIVEN)
  ret i32 %status
}

declare i32 @"FUNCTION"(ptr, ptr, KINDS)
"""


def object_of(module: llvm.ModuleRef, function: str, symbol: str, *, raw: bool) -> bytes:
    """Return the object code of `function`, entered by `symbol`.

    Parameters
    ----------
    module : llvmlite.binding.ModuleRef
        All that the function needs but memory; it is changed.
    function, symbol : str
        The name of numba's function, and the name to give its entry.
    raw : bool
        Whether nobody has optimised the module yet.

    Raises
    ------
    RuntimeError
        If it needs something that this process does not have.
    """
    entry = _entry(module.get_function(function), function, symbol)
    for text in (_RUNTIME.replace("SYMBOL", symbol), entry):
        module.link_in(llvm.parse_assembly(text))
    _close(module, (symbol, f"{symbol}.release"))
    module.verify()
    if raw:
        _optimise(module)
    _check(module)
    return bytes(target_machine().emit_object(module))


def _entry(function: llvm.ValueRef, name: str, symbol: str) -> str:
    kinds = [str(argument.type) for argument in function.arguments][2:]
    loads = [
        f"  %at{k} = getelementptr i64, ptr %slots, i64 {k}\n  %a{k} = load {kind}, ptr %at{k}"
        for k, kind in enumerate(kinds)
    ]
    given = ", ".join(f"{kind} %a{k}" for k, kind in enumerate(kinds))
    text = _ENTRY.replace("LOADS", "\n".join(loads)).replace("GIVEN", given)
    text = text.replace("KINDS", ", ".join(kinds)).replace("FUNCTION", name)
    return text.replace("SYMBOL", symbol).replace(", )", ")")


def _close(module: llvm.ModuleRef, but: tuple[str, ...]) -> None:
    """Let nobody outside see what the module has, `but` these."""
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name not in but:
            value.linkage = "internal"


def _check(module: llvm.ModuleRef) -> None:
    """Refuse what would not be found when the code is loaded: that ends the whole process."""
    process = ctypes.CDLL(None)
    needed = [f.name for f in module.functions if f.is_declaration]
    needed = [name for name in needed if not name.startswith("llvm.")]
    unknown = [name for name in (*needed, *_IMPLIED) if not hasattr(process, name)]
    unknown += [
        g.name
        for g in module.global_variables
        if g.is_declaration or g.name.startswith("numba.dynamic")
    ]
    if unknown:
        raise RuntimeError(f"Nothing here is called {unknown[0]}.")


def _optimise(module: llvm.ModuleRef) -> None:
    """Do what numba does: inline, drop needless counting of uses, then everything else."""
    tuned = llvm.create_pipeline_tuning_options(speed_level=0)
    tuned.loop_vectorization = tuned.slp_vectorization = False
    builder = llvm.create_pass_builder(target_machine(), tuned)
    first = builder.getModulePassManager()
    first.add_loop_rotate_pass()
    first.add_instruction_combine_pass()
    first.add_jump_threading_pass()
    first.add_refprune_pass()
    first.run(module, builder)
    tuned = llvm.create_pipeline_tuning_options(speed_level=3)
    tuned.loop_vectorization, tuned.slp_vectorization = True, False
    builder = llvm.create_pass_builder(target_machine(), tuned)
    then = builder.getModulePassManager()
    then.add_refprune_pass()
    then.run(module, builder)
