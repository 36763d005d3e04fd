"""The process that makes machine code: `rue.native.emit`, with no more of numba's surroundings than it needs.

    python -m rue.native.make rue.solvers.walk:iterate "(<f8:1,i)"

numba loads scipy and yaml if they are there, for linear algebra and for a file of settings, which kernels do without:
a third of the time that loading takes.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

NEEDLESS = ("scipy", "yaml")
"""What numba loads for nothing that a kernel needs."""


@contextmanager
def without(*names: str) -> Iterator[None]:
    """As if some modules were not installed; those that are loaded already stay."""
    modules: dict[str, Any] = sys.modules
    absent = [name for name in names if name not in modules]
    modules.update(dict.fromkeys(absent))
    try:
        yield
    finally:
        for name in absent:
            del modules[name]


def main() -> int:
    """Make the kernels whose places and kinds are given; returns what the process ends with."""
    with without(*NEEDLESS):
        from numba.core.registry import cpu_target

        from rue.native.emit import make_all

        cpu_target.target_context.refresh()
    given = sys.argv[1:]
    return make_all(list(zip(given[::2], given[1::2], strict=True)))


if __name__ == "__main__":
    gc.disable()  # a quarter of the time, for what the process gives back soon anyway
    sys.exit(main())
