"""Compilation, heard and ended: numba tells of every function that it compiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def compiling(tell: Callable[[int], None]) -> Iterator[None]:
    """Call `tell` with the number of functions compiled so far, before each; an error that it raises ends the work."""
    from numba.core import event

    class Heard(event.Listener):  # type: ignore[misc]
        """Counts the functions."""

        count = 0

        def on_start(self, told: Any) -> None:
            """One more begins."""
            tell(self.count)
            self.count += 1

        def on_end(self, told: Any) -> None:
            """One is done."""

    with event.install_listener("numba:compile", Heard()):
        yield
