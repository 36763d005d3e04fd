"""A target of numba whose functions are linked into their callers, and only what Python calls is optimised and emitted.

numba's own target optimises and emits every function together with all that it calls, again at each level of calls.
This one is built by subclassing, so numba itself works as ever; docs/native.md lists what it relies on.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUTarget, cpu_target
from numba.extending import intrinsic

from zerosum.native.numba_api import TYPE_MODULES
from zerosum.support.thread_safety import cached_property

EXTERNAL_FUNCTIONS = {"sched_yield", "SwitchToThread", "memset", "memcpy", "memmove"}
"""What object code may call outside itself."""


class LinkOnlyLibrary(JITCodeLibrary):
    """Functions that are linked into others and never run on their own: neither optimised nor emitted by themselves."""

    def _optimize_final_module(self) -> None:
        """Do nothing: only the module that all are linked into is optimised."""

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return any address but zero: nobody calls it."""
        return 1


class LinkOnlyCodegen(JITCPUCodegen):
    """numba's code generator, but functions are only linked."""

    _library_class = LinkOnlyLibrary

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing: functions that are not emitted need no environment."""


class LinkOnlyTarget(CPUTarget):
    """numba's target for this processor with that code generator."""

    @cached_property
    def _toplevel_target_context(self) -> Any:
        return cpu_target.target_context.subtarget(_internal_codegen=LinkOnlyCodegen("zerosum"))

    @property
    def typing_context(self) -> Any:
        return cpu_target.typing_context


class LinkOnlyDispatcher(Dispatcher):
    """What `numba.njit` returns, for that target."""

    targetdescr = LinkOnlyTarget("cpu")


def make_dispatcher(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Return a function as numba sees it."""
    return LinkOnlyDispatcher(function, targetoptions={"nopython": True, **options})


def register_intrinsic(function: Callable[..., Any]) -> Any:
    """Register an intrinsic with numba; return its type."""
    for name in TYPE_MODULES:
        importlib.import_module(name)
    registered = intrinsic(function)
    cpu_target.typing_context.refresh()
    LinkOnlyDispatcher.targetdescr.target_context.refresh()
    return cpu_target.typing_context.resolve_value_type(registered)


def emit_object(library: Any) -> bytes:
    """Optimise a library with all that is linked into it; return its object code."""
    library.finalize()
    module = library._final_module
    JITCodeLibrary._optimize_final_module(library)
    declared = {function.name for function in module.functions if function.is_declaration}
    missing = {name for name in declared if not name.startswith("llvm.")} - EXTERNAL_FUNCTIONS
    if missing:
        raise ValueError(f"the object code would need {', '.join(sorted(missing))} from outside")
    code: bytes = LinkOnlyDispatcher.targetdescr.target_context.codegen()._tm.emit_object(module)
    return code
