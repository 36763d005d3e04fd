"""Live progress on standard error, for runs that last and a person who waits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from rue.cli.console import duration, rate
from rue.words import short

if TYPE_CHECKING:
    from rue.results.unit import Unit
    from rue.runs.run import Listener, Progress

DELAY = 1.0
"""Seconds after which progress is worth showing."""


WIDE = 120
"""Columns of a terminal that has room for an exploitability in several units."""
BAR = 12
"""Columns of the bar: the line has to fit a terminal of 80 or so."""


PIECES = {
    "histories": "{:,} histories",
    "boards": "{:,} boards",
    "functions": "compiling it, for this once: {:,} functions so far",
}
"""How the pieces of what comes before a run are told."""


class Display:
    """A line that says what is going on, from a second after it starts; nothing where nobody looks.

    A timer starts it, not the work it shows, so that it also appears while the kernels are compiled.
    """

    def __init__(self, unit: Unit | None = None) -> None:
        """`unit` puts an exploitability in words, briefly where a terminal is not WIDE."""
        from rich.console import Console
        from rich.progress import BarColumn, SpinnerColumn, TextColumn
        from rich.progress import Progress as Bars

        console = Console(stderr=True)
        self._shown = console.is_interactive
        self._bars = Bars(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=BAR),
            TextColumn("{task.fields[detail]}", markup=False),
            console=console,
            transient=True,
        )
        self._task = self._bars.add_task("starting", total=None, detail="")
        self._lock = threading.Lock()
        self._over = False
        self._timer = threading.Timer(DELAY, self._start)
        self._timer.daemon = True
        self._name = ""
        self._before = ""
        self._sampled = False
        self._wide = console.width >= WIDE
        self._told: Callable[[float], str] = short
        if unit is not None:
            self.unit(unit)

    def __enter__(self) -> Display:
        if self._shown:
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._timer.cancel()
        with self._lock:
            if self._bars.live.is_started:
                self._bars.stop()
            self._over = True

    def _start(self) -> None:
        with self._lock:
            if not self._over:
                self._bars.start()

    def unit(self, unit: Unit) -> None:
        """Tell exploitability in a unit."""
        self._told = unit.told if self._wide else unit.briefly

    def say(self, description: str, detail: str = "") -> None:
        """A phase without a foreseeable end."""
        self._bars.update(self._task, description=description, total=None, detail=detail)

    def stage(self, what: str, count: int) -> None:
        """What comes before a run: what is built, then the algorithm; `count` of the pieces named are done."""
        if what in PIECES:
            self.say(self._name, PIECES[what].format(count))
        else:
            self._name = f"{self._before}{what}"
            self.say(self._name)

    def running(self, before: str = "", sampled: bool = False) -> None:
        """An algorithm starts; what stands before its name."""
        self._before, self._sampled = before, sampled

    @property
    def listener(self) -> Listener:
        """Told how a run goes."""
        from rue.runs.run import Listener

        return Listener(self.run, self.stage)

    def seeds(self, done: int, count: int) -> None:
        """So many seeds of many are done."""
        self._bars.update(
            self._task, description=self._name, total=count, completed=done, detail=f"{done} of {count} seeds"
        )

    def run(self, at: Progress) -> None:
        """Where the run is."""
        details = [f"{at.iteration:,} iterations", f"{rate(at.iteration, at.seconds)}/s"]
        if self._sampled and at.nodes:
            details = [f"{at.nodes:,} nodes", f"{rate(at.nodes, at.seconds)}/s"]
        if at.point is not None:
            details.insert(1, f"exploitability {self._told(at.point.exploitability)}")
        share: float | None = None
        if at.remaining is not None:
            details.append(f"{duration(at.remaining)} left")
            share = at.seconds / max(at.seconds + at.remaining, 1e-9)
        self._bars.update(
            self._task,
            description=self._name,
            total=None if share is None else 1.0,
            completed=share or 0.0,
            detail="  ".join(details),
        )
