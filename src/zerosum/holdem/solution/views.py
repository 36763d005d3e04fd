"""A decision with the hands that were chosen for display."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from zerosum.holdem.solution.decision_table import DecisionTable
from zerosum.holdem.solution.ev_units import EvUnit
from zerosum.holdem.solution.hand_groups import HandGroups, by_filter
from zerosum.support.errors import ZerosumError

if TYPE_CHECKING:
    from zerosum.holdem.solution.result import SpotResult


class DecisionChoice(NamedTuple):
    """A decision and some of its hands: those of `text`, or all that get here without one."""

    table: DecisionTable
    hands: DecisionTable
    text: str | None = None

    @staticmethod
    def of(result: SpotResult, line: str = "", text: str | None = None, unit: str = "chips") -> DecisionChoice:
        """Return the decision that a line leads to with its EVs in a unit, and the hands that a text names.

        >>> import zerosum
        >>> choice = DecisionChoice.of(zerosum.solve("spot:river", iterations=10), "check bet33", "KQs")
        >>> len(choice.hands), choice.table.actions
        (3, ('fold', 'call', 'raise 4095', 'allin'))
        """
        table = result.at(line).in_unit(EvUnit.of(result.spot, unit))
        hands = table.take(table.present()) if text is None else table.select(text)
        if not len(hands):
            raise ZerosumError("no hand gets here" if text is None else f"no hand of {text} gets here")
        return DecisionChoice(table, hands, text)

    @property
    def note(self) -> str:
        """The note of the decision, such as on its locks."""
        return self.table.note

    def chosen(self) -> HandGroups | None:
        """Return the hands of the text as one group; None without a text."""
        return None if self.text is None else by_filter([self.text], self.table.cards)

    def to_json(self) -> dict[str, Any]:
        """Return the decision beside the numbers of its result, ready for JSON."""
        note = {"note": self.note} if self.note else {}
        content = self.table.content(self.hands)
        chosen = self.chosen()
        if chosen is not None:
            content["groups"]["chosen"] = self.table.aggregate(chosen).to_json()
        return {**note, "decision": content}
