"""Live progress on standard error, for runs that last and a person who waits."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rich.console import Console

from rue.cli.console import duration, rate
from rue.words import short

if TYPE_CHECKING:
    from rich.progress import Progress as Bars

    from rue.results.unit import Unit
    from rue.runs.many import Standing
    from rue.runs.run import Listener, Progress

DELAY = 1.0
"""Seconds after which progress is worth showing."""
LINES = 10.0
"""Seconds between two lines where nobody sees them change."""
WIDE = 120
"""Columns of a terminal that has room for an exploitability in several units."""
MOST_NAMED = 3
"""Solves that are named while they go on side by side."""
BAR = 12
"""Columns of the bar: the line has to fit a terminal of 80 or so."""


PIECES = {
    "histories": "{:,} histories",
    "boards": "{:,} boards",
    "iterations": "{:,} iterations",
    "compiling": "compiling it, for this once: {:,} s so far",
}
"""How the pieces of what comes before a run are told."""


class Display:
    """A line that says what is going on, from a second after it starts; off a terminal one every LINES seconds.

    A timer starts it, not the work it shows, so that it also appears while the kernels are compiled.
    """

    def __init__(self, unit: Unit | None = None) -> None:
        """`unit` puts an exploitability in words, briefly where a terminal is not WIDE."""
        self._console = Console(stderr=True)
        self._bars: Bars | None = None
        self._now: dict[str, Any] = {"description": "starting", "total": None, "completed": 0.0, "detail": ""}
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._name = ""
        self._before = ""
        self._sampled = False
        self._wide = self._console.width >= WIDE
        self._told: Callable[[float], str] = short
        if unit is not None:
            self.unit(unit)

    def __enter__(self) -> Display:
        threading.Thread(target=self._start if self._console.is_interactive else self._lines, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._over.set()
            if self._bars is not None:
                self._bars.stop()

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
            print("  ".join(filter(None, (self._now["description"], self._now["detail"]))), file=sys.stderr)

    def _show(self, **now: Any) -> None:
        self._now = {**self._now, **now}
        with self._lock:
            if self._bars is not None:
                self._bars.update(self._bars.task_ids[0], **self._now)

    def unit(self, unit: Unit) -> None:
        """Tell exploitability in a unit."""
        self._told = unit.told if self._wide else unit.briefly

    def say(self, description: str, detail: str = "") -> None:
        """A phase without a foreseeable end."""
        self._show(description=description, total=None, detail=detail)

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
        self._show(description=self._name, total=count, completed=done, detail=f"{done} of {count} seeds")

    def solves(self, at: Standing) -> None:
        """So many solves of many are done."""
        told = [f"{at.done} of {at.count} done"]
        if at.running:
            more = f" and {len(at.running) - MOST_NAMED} more" if len(at.running) > MOST_NAMED else ""
            told.append(f"solving {', '.join(at.running[:MOST_NAMED])}{more}")
        if at.remaining is not None:
            told.append(f"{duration(at.remaining)} left")
        self._show(description=self._name, total=at.count, completed=at.done, detail="  ".join(told))

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
        total = None if share is None else 1.0
        self._show(description=self._name, total=total, completed=share or 0.0, detail="  ".join(details))
