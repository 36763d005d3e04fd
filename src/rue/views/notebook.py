"""Live progress in a notebook: a line under the cell, from a second after it starts, gone when the work is done."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from rue.checked import check_function
from rue.runs.progress import Listener, Progress
from rue.views.telling import Telling

if TYPE_CHECKING:
    from rue.runs.many import Standing
    from rue.runs.run import Run

Told = TypeVar("Told", bound=Callable[..., Any])
DELAY = 1.0
"""Seconds after which progress is worth showing."""
EVERY = 0.3
"""Seconds between two changes."""


def in_notebook() -> bool:
    """Whether a kernel of Jupyter runs this."""
    shell = sys.modules.get("IPython")
    found = shell.get_ipython() if shell is not None and hasattr(shell, "get_ipython") else None
    return found is not None and getattr(found, "kernel", None) is not None


class Live(Telling):
    """A line under the cell that is run."""

    def __init__(self) -> None:
        super().__init__()
        self._handle: Any = None
        self._begins = self._due = time.monotonic() + DELAY
        self._shown = ""

    def changed(self) -> None:
        now = time.monotonic()
        if now < self._begins or (now < self._due and self.description == self._shown):
            return  # what begins is shown at once, for nothing more may come for a while
        self._due, self._shown = now + EVERY, self.description
        self._show(self.line)

    def _show(self, text: str) -> None:
        display: Any = import_module("IPython.display")
        bar = "" if self.share is None else f'<progress max="1" value="{self.share:.3f}"></progress>&ensp;'
        from html import escape

        content = {"text/plain": text, "text/html": f"<pre>{bar}{escape(text)}</pre>" if text else ""}
        if self._handle is None:
            self._handle = display.DisplayHandle()
            self._handle.display(content, raw=True)
        else:
            self._handle.update(content, raw=True)

    def over(self) -> None:
        """Take the line away."""
        if self._handle is not None:
            self.share = None
            self._show("")


@contextmanager
def watching(
    progress: Callable[[Progress], Any] | None, evaluated: Callable[[Run], Any] | None = None
) -> Iterator[Listener]:
    """Who is told of a run: those who asked to be, or in a notebook a line under the cell."""
    if progress is not None or not in_notebook():
        yield Listener(progress, evaluated=evaluated)
        return
    with _live() as live:
        yield Listener(live.run, live.stage, evaluated)


def watching_seeds(
    progress: Callable[[int, int], None] | None, name: str
) -> AbstractContextManager[Callable[[int, int], None] | None]:
    """The same for many seeds of an algorithm."""
    return _watching_many(progress, name, lambda live: live.seeds)


def watching_solves(
    progress: Callable[[Standing], None] | None, name: str
) -> AbstractContextManager[Callable[[Standing], None] | None]:
    """The same for many solves."""
    return _watching_many(progress, name, lambda live: live.solves)


@contextmanager
def _watching_many(progress: Told | None, name: str, line: Callable[[Live], Told]) -> Iterator[Told | None]:
    check_function("progress", progress)
    if progress is not None or not in_notebook():
        yield progress
        return
    with _live() as live:
        live.stage(name, 0)
        yield line(live)


@contextmanager
def _live() -> Iterator[Live]:
    live = Live()
    try:
        yield live
    finally:
        live.over()
