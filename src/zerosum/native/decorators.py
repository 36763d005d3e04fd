"""Decorators that mark a function as a kernel, or as part of one; none of them loads numba.

A decorated function is called by its name, from Python and from other kernels. Called from Python, it runs as machine
code (`zerosum.native.kernel_call`). While a kernel is compiled, numba looks up `_numba_type_` of the global names that
it uses; only then is a dispatcher built, or an intrinsic registered.

Kernels allocate no memory and count no references, because numba's runtime is not there when their code runs.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from zerosum.native.code_cache import LoadedKernel, find_kernel
from zerosum.native.kernel_call import KernelCall
from zerosum.support.thread_safety import cached_property

P = ParamSpec("P")
R = TypeVar("R")

EXACT_OPTIONS: dict[str, Any] = {
    "error_model": "numpy",
    "nogil": True,
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
"""Division follows numpy: no branch for a zero divisor, so that loops vectorise."""
OPTIONS: dict[str, Any] = {**EXACT_OPTIONS, "fastmath": {"contract"}}
"""A product and a sum may be fused; nothing else is reordered, so results are the same on every run."""


class Kernel(Generic[P, R]):
    """A function that is compiled when Python calls it, or when a kernel that calls it is compiled."""

    def __init__(self, function: Callable[P, R], options: dict[str, Any]) -> None:
        self.py_func, self.options = function, options
        self._loaded: dict[str, LoadedKernel] = {}
        update_wrapper(self, function)

    @property
    def import_path(self) -> str:
        """The module and the name of the function, such as "zerosum.engine.sequence.walk:run_sequence_iterations"."""
        return f"{self.py_func.__module__}:{self.py_func.__qualname__}"

    def bind(self, *args: P.args, **kwargs: P.kwargs) -> KernelCall:
        """Pack the arguments once, for many calls."""
        if kwargs:
            args = inspect.signature(self.py_func).bind(*args, **kwargs).args  # type: ignore[assignment]
        return KernelCall(self, args)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the kernel; return the integer that it returns, or 0."""
        return self.bind(*args, **kwargs)()  # type: ignore[return-value]

    def load_machine_code(self, signature: str) -> LoadedKernel | None:
        """Return the machine code for some argument types, if it exists.

        If several threads load it at once, all get the same: an address given to another kernel must stay valid.
        """
        loaded = self._loaded.get(signature)
        if loaded is None:
            from_disk = find_kernel(self.import_path, signature)
            loaded = None if from_disk is None else self._loaded.setdefault(signature, from_disk)
        return loaded

    def __repr__(self) -> str:
        return f"<kernel {self.import_path}>"

    @cached_property
    def dispatcher(self) -> Any:
        from zerosum.native.link_only_target import make_dispatcher

        return make_dispatcher(self.py_func, self.options)

    @property
    def _numba_type_(self) -> Any:
        """What numba asks for when it compiles a kernel that calls this one."""
        return self.dispatcher._numba_type_

    @property
    def targetoptions(self) -> Any:
        """What numba asks for before it writes a function with inline="always" into its caller."""
        return self.dispatcher.targetoptions


class Intrinsic:
    """A function that writes LLVM instructions; registered with numba when a kernel that uses it is compiled."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function
        self.__doc__, self.__module__ = function.__doc__, function.__module__

    @cached_property
    def _numba_type_(self) -> Any:
        """What numba asks for when it compiles a kernel that calls the intrinsic."""
        from zerosum.native.link_only_target import register_intrinsic

        return register_intrinsic(self.py_func)


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a kernel, or a part of kernels that is compiled as a function."""
    return Kernel(function, OPTIONS)


def inline(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a part that LLVM inlines into its callers, whatever its size."""
    return Kernel(function, {**OPTIONS, "forceinline": True})


def inline_source(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a part that numba writes into its callers before it compiles them; it is never compiled on its own."""
    return Kernel(function, {**OPTIONS, "inline": "always"})


def exact_kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a kernel in which every operation is rounded as written: a seed draws the same histories everywhere."""
    return Kernel(function, EXACT_OPTIONS)


def exact_inline(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a part of exact kernels that LLVM inlines into its callers."""
    return Kernel(function, {**EXACT_OPTIONS, "forceinline": True})


def reassociated(function: Callable[P, R]) -> Kernel[P, R]:
    """Mark a part whose sums LLVM may reorder: in any order, but the same one on every run."""
    return Kernel(function, {**EXACT_OPTIONS, "fastmath": {"contract", "reassoc"}})


def intrinsic(function: Callable[Concatenate[Any, P], Any]) -> Callable[P, Any]:
    """Mark a function that returns a numba signature and writes LLVM instructions for it.

    The first parameter is numba's typing context; the others are the argument types, which kernels pass by value.
    """
    return Intrinsic(function)  # type: ignore[return-value]
