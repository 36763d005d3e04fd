"""Progress on standard error: a bar in a terminal, a line every ten seconds elsewhere."""

from __future__ import annotations

import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from zerosum.cli.console import SafeConsole
from zerosum.runs.progress import ProgressText

if TYPE_CHECKING:
    from rich.progress import Progress as Bars

    from zerosum.results.payoff_unit import Unit
    from zerosum.runs.progress import Listener

DELAY = 1.0
"""Seconds after which progress is worth showing."""
LINE_INTERVAL = 10.0
"""Seconds between two lines where there is no terminal."""
WIDE = 120
"""Columns of a terminal that has room for an exploitability in several units."""
BAR_WIDTH = 12
"""Columns of the bar: the line has to fit a terminal of 80 or so."""


class Display(ProgressText):
    """Progress on one line from a second after the start; without a terminal, a line every LINE_INTERVAL seconds.

    A timer starts it, not the work it shows, so that it also appears while the kernels are compiled.
    """

    def __init__(self, unit: Unit | None = None) -> None:
        """`unit` formats exploitabilities, briefly where a terminal is not WIDE."""
        self._console = SafeConsole(stderr=True, emoji=False)
        self._bars: Bars | None = None
        self._lock = threading.Lock()
        self._ended = threading.Event()
        super().__init__(unit, self._console.width >= WIDE)

    def __enter__(self) -> Display:
        threading.Thread(
            target=self._start_bar if self._console.is_interactive else self._print_lines, daemon=True
        ).start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._ended.set()
            if self._bars is not None:
                with suppress(OSError):  # the terminal may be gone
                    self._bars.stop()

    @property
    def _bar_fields(self) -> dict[str, Any]:
        total = None if self.share is None else 1.0
        texts = {"description": self.description, "detail": self.detail}
        return {**texts, "total": total, "completed": self.share or 0.0}

    def _start_bar(self) -> None:
        if self._ended.wait(DELAY):
            return
        from rich.progress import BarColumn, SpinnerColumn, TextColumn
        from rich.progress import Progress as Bars

        bars = Bars(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=BAR_WIDTH),
            TextColumn("{task.fields[detail]}", markup=False),
            console=self._console,
            transient=True,
        )
        with self._lock:
            if not self._ended.is_set():
                bars.add_task(**self._bar_fields)
                bars.start()
                self._bars = bars

    def _print_lines(self) -> None:
        while not self._ended.wait(LINE_INTERVAL):
            print(self.line, file=sys.stderr)

    def update(self) -> None:
        with self._lock:
            if self._bars is not None:
                self._bars.update(self._bars.task_ids[0], **self._bar_fields)

    @property
    def listener(self) -> Listener:
        """The listener that shows the progress of a run."""
        from zerosum.runs.progress import Listener

        return Listener(self.show_run, self.show_stage)
