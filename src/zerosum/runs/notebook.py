"""Live progress in a notebook: a line under the cell that appears after a second and is removed at the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from zerosum.runs.progress import Listener, Progress, ProgressText
from zerosum.support.validation import check_function

if TYPE_CHECKING:
    from zerosum.runs.run import Run

Callback = TypeVar("Callback", bound=Callable[..., Any])
DELAY_SECONDS = 1.0
"""Seconds after which progress is shown."""
REFRESH_SECONDS = 0.3
"""Seconds between two updates of the line."""


def is_in_notebook() -> bool:
    """Return whether a Jupyter kernel runs this code."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    return shell is not None and getattr(shell, "kernel", None) is not None


class NotebookLine(ProgressText):
    """A progress line under the running cell."""

    def __init__(self) -> None:
        super().__init__()
        self._handle: Any = None
        self._begins = self._due = time.monotonic() + DELAY_SECONDS
        self._last_description = ""

    def update(self) -> None:
        now = time.monotonic()
        if now < self._begins or (now < self._due and self.description == self._last_description):
            return  # a new phase is shown at once, for it may send no update for a while
        self._due, self._last_description = now + REFRESH_SECONDS, self.description
        self._show_text(self.line)

    def _show_text(self, text: str) -> None:
        display: Any = import_module("IPython.display")
        bar = "" if self.share is None else f'<progress max="1" value="{self.share:.3f}"></progress>&ensp;'
        from html import escape

        content = {"text/plain": text, "text/html": f"<pre>{bar}{escape(text)}</pre>" if text else ""}
        if self._handle is None:
            self._handle = display.DisplayHandle()
            self._handle.display(content, raw=True)
        else:
            self._handle.update(content, raw=True)

    def remove(self) -> None:
        if self._handle is not None:
            self.share = None
            self._show_text("")


@contextmanager
def show_run_progress(
    progress: Callable[[Progress], Any] | None, evaluated: Callable[[Run], Any] | None = None
) -> Iterator[Listener]:
    """Provide the listener of a run: the given callbacks, or in a notebook a line under the cell."""
    if progress is not None or not is_in_notebook():
        yield Listener(progress, evaluated=evaluated)
        return
    with _open_line() as line:
        yield Listener(line.show_run, line.show_stage, evaluated)


@contextmanager
def show_progress_of_many(
    progress: Callback | None, name: str, callback: Callable[[NotebookLine], Callback]
) -> Iterator[Callback | None]:
    """Provide the progress callback for many runs: the given one, or in a notebook that of a line under the cell."""
    check_function("progress", progress)
    if progress is not None or not is_in_notebook():
        yield progress
        return
    with _open_line() as line:
        line.show_stage(name, 0)
        yield callback(line)


@contextmanager
def _open_line() -> Iterator[NotebookLine]:
    line = NotebookLine()
    try:
        yield line
    finally:
        line.remove()
