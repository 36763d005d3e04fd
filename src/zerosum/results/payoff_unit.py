"""What payoffs and exploitability are measured in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.text import format_number

LIKELY, LARGE = 0.05, 10.0
"""Percentages that people ask for."""
UNLIKELY = 0.05
"""A percentage below which a run takes very long."""


class Measure(NamedTuple):
    """A measure of an amount: its name, and the factor of the amount."""

    name: str
    factor: float


@dataclass(frozen=True)
class Unit:
    """The unit of a problem's payoffs, and other measures for its exploitability.

    >>> chips = Unit("chips", (Measure("% of the pot", 100 / 2600), Measure("mbb/g", 10.0)))
    >>> chips.format(13), chips.format_short(13), chips.limit("0.5%"), Unit().format(0.25)
    ('13 chips, 0.5% of the pot, 130 mbb/g', '0.5% of the pot', 13.0, '0.25')
    """

    name: str = ""
    measures: tuple[Measure, ...] = ()

    @property
    def drawn(self) -> Measure:
        """The measure of drawn curves."""
        return self.measures[0] if self.measures else Measure("units of payoff", 1.0)

    @property
    def published(self) -> Measure:
        """The measure that papers print."""
        return self.measures[-1] if self.measures else self.drawn

    def format(self, amount: float) -> str:
        """An exploitability in all measures."""
        return ", ".join(
            [f"{format_number(amount)} {self.name}".rstrip(), *(self._in(measure, amount) for measure in self.measures)]
        )

    def format_short(self, amount: float) -> str:
        """Return an exploitability in one measure, for a line that has little room."""
        return self._in(self.drawn, amount) if self.measures else format_number(amount)

    def _in(self, measure: Measure, amount: float) -> str:
        gap = "" if measure.name.startswith("%") else " "
        return f"{format_number(measure.factor * amount)}{gap}{measure.name}"

    def limit(self, until: float | str | None) -> float | None:
        """Return a requested exploitability as a number; `until` may be a percentage of the pot if there is one."""
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
            raise ZerosumError(f"{option_name('until')} must be a number{also}, not {until!r}") from None
        raise ZerosumError(f"until {text} is a share of a pot, and this game has none: write a number")

    def doubt(self, until: float | str | None) -> str | None:
        """Return a warning if an exploitability was probably meant as a percentage: as a number it is next to nothing.

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
        amounts = f"{text} {self.name} is {self._in(self.drawn, amount)}"
        return f"an exploitability of {amounts}: if {text}% was meant, write {text}%"
