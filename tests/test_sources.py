"""Machine code is kept by the sources that it comes from: none may be missing."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from numba.core.registry import CPUDispatcher

from rue.sources import PACKAGE, kernel_files


def test_every_kernel_and_every_constant_of_one_is_in_the_hash() -> None:
    files = set(kernel_files())
    for module in ("solvers.walk", "solvers.public_walk", "solvers.dealt_walk", "holdem.kernels"):
        importlib.import_module(f"rue.{module}")
    kernels = {
        value
        for name, module in list(sys.modules.items())
        if name.startswith("rue.") and module is not None
        for value in vars(module).values()
        if isinstance(value, CPUDispatcher)
    }
    assert len(kernels) > 50
    for kernel in kernels:
        assert Path(kernel.py_func.__code__.co_filename) in files, kernel
        for name in kernel.py_func.__code__.co_names:
            taken = kernel.py_func.__globals__.get(name)
            if isinstance(taken, CPUDispatcher):
                assert Path(taken.py_func.__code__.co_filename) in files, name
    assert PACKAGE / "native" / "lanes.py" in files, "it holds LANES, which the kernels take as a constant"
    assert PACKAGE / "holdem" / "spots.py" not in files
