"""How far something is, in words: what stands in a progress line, in a terminal or in a notebook."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rue.words import duration, rate, short

if TYPE_CHECKING:
    from rue.results.unit import Unit
    from rue.runs.many import Standing
    from rue.runs.progress import Progress

EXPECTED, HISTORIES = "expected", "histories"
"""How many histories there will be, about; and how many there are."""
PIECES = {
    HISTORIES: "{:,} histories",
    "boards": "{:,} boards",
    "decisions": "{:,} decisions",
    "compiling": "compiling it, for this once: {:,} s so far",
}
"""How the pieces of what comes before a run are told."""
MOST_NAMED = 3
"""Solves that are named while they go on side by side."""


class Telling:
    """What is going on: a name, details of it and, where it can be foreseen, the share that is done."""

    def __init__(self, unit: Unit | None = None, wide: bool = False) -> None:
        """`unit` puts an exploitability in words, in all its measures where there is room."""
        self.description, self.detail = "starting", ""
        self.share: float | None = None
        self.wide = wide
        self._told: Callable[[float], str] = short
        self._name = self._before = ""
        self._sampled = False
        self._expected = 0
        if unit is not None:
            self.unit(unit)

    @property
    def line(self) -> str:
        """All of it on one line."""
        return "  ".join(filter(None, (self.description, self.detail)))

    def changed(self) -> None:
        """Called whenever there is something new to be shown."""

    def _tell(self, description: str, detail: str, share: float | None = None) -> None:
        self.description, self.detail, self.share = description, detail, share
        self.changed()

    def unit(self, unit: Unit) -> None:
        """Tell exploitability in a unit."""
        self._told = unit.told if self.wide else unit.briefly

    def say(self, description: str, detail: str = "") -> None:
        """A phase without a foreseeable end."""
        self._tell(description, detail)

    def stage(self, what: str, count: int) -> None:
        """What comes before a run: what is built, then the algorithm; `count` of the pieces named are done."""
        if what == EXPECTED:
            self._expected = count
        elif what == HISTORIES and count < self._expected:
            detail = f"{count:,} of about {self._expected:,} histories"
            self._tell(self._name, detail, count / self._expected)
        elif what in PIECES:
            self.say(self._name, PIECES[what].format(count))
        else:
            self._name = f"{self._before}{what}"
            self.say(self._name)

    def running(self, before: str = "", sampled: bool = False) -> None:
        """An algorithm starts; what stands before its name."""
        self._before, self._sampled = before, sampled

    def seeds(self, done: int, count: int) -> None:
        """So many seeds of many are done."""
        self._tell(self._name, f"{done} of {count} seeds", done / max(1, count))

    def solves(self, at: Standing) -> None:
        """So many solves of many are done."""
        told = [f"{at.done} of {at.count} done"]
        if at.running:
            more = f" and {len(at.running) - MOST_NAMED} more" if len(at.running) > MOST_NAMED else ""
            told.append(f"solving {', '.join(at.running[:MOST_NAMED])}{more}")
        if at.remaining is not None:
            told.append(f"{duration(at.remaining)} left")
        self._tell(self._name, "  ".join(told), at.done / max(1, at.count))

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
        self._tell(self._name, "  ".join(details), share)
