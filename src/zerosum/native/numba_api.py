"""The modules of numba and llvmlite that intrinsics use, each loaded when one of its names is first used.

So a module with kernels and intrinsics imports without numba; see docs/native.md.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any


class LazyModule:
    """A module that is imported when one of its names is first used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._name), name)


TYPE_MODULES: list[str] = []
"""Modules that register types with numba when they are imported."""


def register_type_module(name: str) -> Any:
    """Return a module that defines numba types; it is imported before the first intrinsic is registered."""
    TYPE_MODULES.append(name)
    return LazyModule(name)


if TYPE_CHECKING:
    from llvmlite import ir as ir
    from numba.core import cgutils as cgutils
    from numba.core import types as types
    from numba.np import arrayobj as arrayobj
else:
    ir = LazyModule("llvmlite.ir")
    cgutils = LazyModule("numba.core.cgutils")
    types = LazyModule("numba.core.types")
    arrayobj = LazyModule("numba.np.arrayobj")
