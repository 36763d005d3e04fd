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
LINES = 10.0
"""Seconds between two lines where nobody sees them change."""
WIDE = 120
"""Columns of a terminal that has room for an exploitability in several units."""
BAR = 12
"""Columns of the bar: the line has to fit a terminal of 80 or so."""


class Display(ProgressText):
    """A line that says what is going on, from a second after it starts; off a terminal one every LINES seconds.

    A timer starts it, not the work it shows, so that it also appears while the kernels are compiled.
    """

    def __init__(self, unit: Unit | None = None) -> None:
        """`unit` puts an exploitability in words, briefly where a terminal is not WIDE."""
        self._console = SafeConsole(stderr=True, emoji=False)
        self._bars: Bars | None = None
        self._lock = threading.Lock()
        self._over = threading.Event()
        super().__init__(unit, self._console.width >= WIDE)

    def __enter__(self) -> Display:
        threading.Thread(target=self._start if self._console.is_interactive else self._lines, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._over.set()
            if self._bars is not None:
                with suppress(OSError):  # the terminal may be gone
                    self._bars.stop()

    @property
    def _now(self) -> dict[str, Any]:
        total = None if self.share is None else 1.0
        texts = {"description": self.description, "detail": self.detail}
        return {**texts, "total": total, "completed": self.share or 0.0}

    def _start(self) -> None:
        if self._over.wait(DELAY):
            return
        from rich.progress import BarColumn, SpinnerColumn, TextColumn
        from rich.progress import Progress as Bars

        bars = Bars(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=BAR),
            TextColumn("{task.fields[detail]}", markup=False),
            console=self._console,
            transient=True,
        )
        with self._lock:
            if not self._over.is_set():
                bars.add_task(**self._now)
                bars.start()
                self._bars = bars

    def _lines(self) -> None:
        while not self._over.wait(LINES):
            print(self.line, file=sys.stderr)

    def update(self) -> None:
        with self._lock:
            if self._bars is not None:
                self._bars.update(self._bars.task_ids[0], **self._now)

    @property
    def listener(self) -> Listener:
        """Told how a run goes."""
        from zerosum.runs.progress import Listener

        return Listener(self.run, self.stage)
