"""Compiled code is stored by the hash of its sources: none may be missing."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

from zerosum.native.decorators import Intrinsic, Kernel
from zerosum.support.source_hash import PACKAGE, list_kernel_files


def test_every_kernel_and_every_constant_of_one_is_in_the_hash() -> None:
    files = set(list_kernel_files())
    for module in ("engine.sequence.walk", "engine.public.walk", "engine.sampling.deal_walk", "holdem.cards.kernels"):
        importlib.import_module(f"zerosum.{module}")
    kernels = {
        value
        for name, module in list(sys.modules.items())
        if name.startswith("zerosum.") and module is not None
        for value in vars(module).values()
        if isinstance(value, Kernel | Intrinsic)
    }
    assert len(kernels) > 50
    for kernel in kernels:
        assert Path(kernel.py_func.__code__.co_filename) in files, kernel
        for name in kernel.py_func.__code__.co_names:
            taken = kernel.py_func.__globals__.get(name)
            if isinstance(taken, Kernel | Intrinsic):
                assert Path(taken.py_func.__code__.co_filename) in files, name
    for module in ("engine/updates/vector_types.py", "native/compiler.py", "engine/forms/public/columns.py"):
        assert PACKAGE / module in files
    for module in ("native/kernel_call.py", "native/code_cache.py", "engine/sequence/solver.py", "support/text.py"):
        assert PACKAGE / module not in files, "no machine code depends on it"
    assert PACKAGE / "holdem" / "spots" / "spot.py" not in files


def test_modules_with_kernels_load_no_numba() -> None:
    modules = "engine.sequence.walk, engine.public.walk, engine.sampling.deal_walk, holdem.cards.kernels"
    names = ", ".join(f"zerosum.{module}" for module in modules.split(", "))
    check = f"import sys, {names}; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", check], check=True)
