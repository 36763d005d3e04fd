"""What payoffs and exploitability are measured in."""

from __future__ import annotations

from typing import NamedTuple

from rue.errors import RueError
from rue.records import dataclass
from rue.words import short

LIKELY, LARGE = 0.05, 10.0
"""Percentages that people ask for."""
UNLIKELY = 0.05
"""A percentage that few have the patience for."""


class Measure(NamedTuple):
    """A way to tell an amount: a name, and what to multiply the amount by."""

    name: str
    factor: float


@dataclass(frozen=True)
class Unit:
    """The unit of a problem's payoffs, and other measures that its exploitability is told in.

    >>> chips = Unit("chips", (Measure("% of the pot", 100 / 2600), Measure("mbb/g", 10.0)))
    >>> chips.told(13), chips.briefly(13), chips.limit("0.5%"), Unit().told(0.25)
    ('13 chips, 0.5% of the pot, 130 mbb/g', '0.5% of the pot', 13.0, '0.25')
    """

    name: str = ""
    measures: tuple[Measure, ...] = ()

    @property
    def drawn(self) -> Measure:
        """What curves are drawn in."""
        return self.measures[0] if self.measures else Measure("units of payoff", 1.0)

    @property
    def published(self) -> Measure:
        """What papers print."""
        return self.measures[-1] if self.measures else self.drawn

    def told(self, amount: float) -> str:
        """An exploitability in all measures."""
        return ", ".join([f"{short(amount)} {self.name}".rstrip(), *(self._in(each, amount) for each in self.measures)])

    def briefly(self, amount: float) -> str:
        """An exploitability in one measure, for a line that has little room."""
        return self._in(self.drawn, amount) if self.measures else short(amount)

    def _in(self, measure: Measure, amount: float) -> str:
        gap = "" if measure.name.startswith("%") else " "
        return f"{short(measure.factor * amount)}{gap}{measure.name}"

    def limit(self, until: float | str | None) -> float | None:
        """An exploitability as it is given: a number, or a percentage where there is something to take it of."""
        if until is None:
            return None
        text = str(until).strip()
        try:
            if not text.endswith("%"):
                return float(text)
            if self.measures:
                return float(text[:-1]) / self.measures[0].factor
        except ValueError:
            also = f" of {self.name}, or a share of the pot like 0.5%" if self.measures else ""
            raise RueError(f"until must be a number{also}, not {until!r} (--until, until=)") from None
        raise RueError(f"until {text} is a share of a pot, and only hold'em has one: write a number")

    def doubt(self, until: float | str | None) -> str | None:
        """A sentence if an exploitability was probably meant as a percentage: as a number it is next to nothing.

        >>> chips = Unit("chips", (Measure("% of the pot", 100 / 2600),))
        >>> chips.doubt("0.5")
        'an exploitability of 0.5 chips is 0.01923% of the pot: if 0.5% was meant, write 0.5%'
        >>> chips.doubt("0.5%") is chips.doubt(13) is Unit().doubt("0.5") is None
        True
        """
        if until is None or not self.measures or str(until).strip().endswith("%"):
            return None
        amount = self.limit(until) or 0.0
        if not LIKELY <= amount <= LARGE or self.drawn.factor * amount >= UNLIKELY:
            return None
        text = str(until).strip()
        told = f"{text} {self.name} is {self._in(self.drawn, amount)}"
        return f"an exploitability of {told}: if {text}% was meant, write {text}%"
