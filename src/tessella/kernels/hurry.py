"""Compiling in a hurry: what kernels call is lowered only, and optimised once, in whoever calls.

numba optimises every function and makes machine code of it, then again of all that it calls as part
of each caller; that is half of a first run's time. In a process that only compiles, functions are
left as they are lowered, and a kernel is put together from them, optimised and made machine code
of once. The price is that nothing can be run there, so this is for processes of our own.

It needs to know numba from inside. Where numba is another than the one known here, nothing
happens, and kernels are compiled as usual.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm

_hurried: list[Any] = []


def hurry() -> bool:
    """Compile in a hurry from now on, in this process; return whether that is possible here."""
    try:
        from numba.core.codegen import JITCodeLibrary
        from numba.core.registry import cpu_target

        cpu_target.typing_context.refresh()
        context = cpu_target.target_context
        context.refresh()  # numba's own memory functions, by the usual way
        makes = context.codegen()
        known = JITCodeLibrary.finalize, JITCodeLibrary._optimize_functions
        known += JITCodeLibrary.get_pointer_to_function, makes._library_class, makes.set_env
        del known
    except (AttributeError, ImportError, TypeError):
        return False

    class Lowered(JITCodeLibrary):
        """A function as it was lowered, and a note of what it calls."""

        def _optimize_functions(self, ll_module: Any) -> None:
            ll_module.data_layout = self._codegen._data_layout

        def finalize(self) -> None:
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            del name
            return 0

    makes._library_class = Lowered
    makes.set_env = lambda *_: None
    _hurried.append(Lowered)
    return True


def module_of(library: Any) -> llvm.ModuleRef | None:
    """Return a kernel with all that it calls, not optimised; None if it was compiled as usual."""
    if not _hurried or not isinstance(library, _hurried[0]):
        return None
    parts: dict[int, Any] = {}
    _gather(library, parts)
    whole = library._final_module.clone()
    for part in list(parts.values())[1:]:
        module = part._final_module.clone()
        for function in module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"
        whole.link_in(module)
    return whole


def _gather(library: Any, parts: dict[int, Any]) -> None:
    if id(library) not in parts:
        parts[id(library)] = library
        for other in library._linking_libraries:
            _gather(other, parts)
