"""The unit of payoffs, and the measures of exploitability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.text import format_number

LEAST_PERCENTAGE, LARGEST_PERCENTAGE = 0.05, 10.0
"""The usual percentages of the pot as a target."""
TINY_PERCENTAGE = 0.05
"""A percentage that takes very long to reach."""


class Measure(NamedTuple):
    """A measure of an amount: its name, and the factor of the amount."""

    name: str
    factor: float


@dataclass(frozen=True)
class Unit:
    """The unit of a problem's payoffs, and other measures for its exploitability.

    >>> chips = Unit("chips", (Measure("% of the pot", 100 / 2600), Measure("mbb/g", 10.0)))
    >>> chips.format(13), chips.format_short(13), chips.parse_target("0.5%"), Unit().format(0.25)
    ('13 chips, 0.5% of the pot, 130 mbb/g', '0.5% of the pot', 13.0, '0.25')
    """

    name: str = ""
    measures: tuple[Measure, ...] = ()

    @property
    def plot_measure(self) -> Measure:
        """The measure in pictures."""
        return self.measures[0] if self.measures else Measure("units of payoff", 1.0)

    @property
    def paper_measure(self) -> Measure:
        """The measure in papers."""
        return self.measures[-1] if self.measures else self.plot_measure

    def format(self, amount: float) -> str:
        """Return an exploitability in all measures, as text."""
        measured = [self._format_in(measure, amount) for measure in self.measures]
        return ", ".join([f"{format_number(amount)} {self.name}".rstrip(), *measured])

    def format_short(self, amount: float) -> str:
        """Return an exploitability in one measure, as text for a short line."""
        return self._format_in(self.plot_measure, amount) if self.measures else format_number(amount)

    def _format_in(self, measure: Measure, amount: float) -> str:
        gap = "" if measure.name.startswith("%") else " "
        return f"{format_number(measure.factor * amount)}{gap}{measure.name}"

    def parse_target(self, until: float | str | None) -> float | None:
        """Return a target exploitability as a number; `until` may be a percentage of the pot if there is one."""
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

    def build_target_warning(self, until: float | str | None) -> str | None:
        """Return a warning if a target was probably meant as a percentage, because as a number it is tiny.

        >>> chips = Unit("chips", (Measure("% of the pot", 100 / 2600),))
        >>> chips.build_target_warning("0.5")
        'an exploitability of 0.5 chips is 0.01923% of the pot: if 0.5% was meant, write 0.5%'
        >>> chips.build_target_warning("0.5%"), chips.build_target_warning(13), Unit().build_target_warning("0.5")
        (None, None, None)
        """
        if until is None or not self.measures or str(until).strip().endswith("%"):
            return None
        amount = self.parse_target(until) or 0.0
        if not LEAST_PERCENTAGE <= amount <= LARGEST_PERCENTAGE or self.plot_measure.factor * amount >= TINY_PERCENTAGE:
            return None
        text = str(until).strip()
        amounts = f"{text} {self.name} is {self._format_in(self.plot_measure, amount)}"
        return f"an exploitability of {amounts}: if {text}% was meant, write {text}%"
