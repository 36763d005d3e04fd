"""The process that compiles: `zerosum.native.compiler`, with as little of numba's surroundings as possible.

    python -m zerosum.native.compiler_process zerosum.engine.sequence.walk:run_sequence_iterations "(<f8:1,i)"

numba loads scipy and yaml if they are installed, for linear algebra and for a file of settings. Kernels need neither,
and without them numba loads in two thirds of the time.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

UNNEEDED_MODULES = ("scipy", "yaml")
"""Modules that numba loads but no kernel needs."""


@contextmanager
def hide_modules(*names: str) -> Iterator[None]:
    """Make some modules look as if they were not installed, unless they are loaded already."""
    modules: dict[str, Any] = sys.modules
    absent = [name for name in names if name not in modules]
    modules.update(dict.fromkeys(absent))
    try:
        yield
    finally:
        for name in absent:
            del modules[name]


def main() -> int:
    """Compile the kernels named on the command line, each followed by its signature; return the exit code."""
    with hide_modules(*UNNEEDED_MODULES):
        from numba.core.registry import cpu_target

        from zerosum.native.compiler import compile_all

        cpu_target.target_context.refresh()
    words = sys.argv[1:]
    return compile_all(list(zip(words[::2], words[1::2], strict=True)))


if __name__ == "__main__":
    gc.disable()  # collections take a quarter of the time, for memory that the process gives back soon anyway
    sys.exit(main())
