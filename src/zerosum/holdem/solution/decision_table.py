"""One decision of a solved spot, a row per hand: what each hand does, and what each action earns it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.holdem.cards.cards import HAND_COUNT, parse_hand
from zerosum.holdem.solution.hand_groups import HandGroups, group_by_filter
from zerosum.holdem.solution.hand_table import SMALLEST, GroupTable, HandTable
from zerosum.holdem.spots.spot import Spot
from zerosum.results.display.action_colours import list_colour_codes
from zerosum.results.table import Column, Table
from zerosum.support.errors import ZerosumError

if TYPE_CHECKING:
    from zerosum.holdem.solution.result import SpotResult


@dataclass(frozen=True)
class EvUnit:
    """A unit of EVs: its name, and how many of it make a chip."""

    name: str = "chips"
    per_chip: float = 1.0


CHIPS = EvUnit()


def find_ev_unit(spot: Spot, name: str = "chips") -> EvUnit:
    """Return a unit by its name: `chips`, `bb` for big blinds, `pot` for % of the pot that the spot starts with.

    >>> from zerosum.holdem.spots.files import load_spot
    >>> find_ev_unit(load_spot("river"), "bb").per_chip
    0.01
    """
    units = {"chips": 1.0, "bb": 1 / spot.big_blind, "pot": 100 / spot.pot}
    if name not in units:
        raise ZerosumError(f"EVs are shown in {', '.join(units)}, not in {name!r}")
    return EvUnit(name, units[name])


def count_ev_decimals(evs: Floats, pot: float) -> int:
    """Return the number of decimals of EVs: four digits of the pot, one more where actions look alike.

    evs: EVs by action and row, shape (actions, rows), in the unit of the pot.

    >>> count_ev_decimals(np.array([[0.0], [812.3]]), 2600), count_ev_decimals(np.array([[0.0], [12.31], [12.312]]), 26)
    (0, 3)
    """
    enough = max(0, 3 - math.floor(math.log10(pot)))
    gaps = np.diff(np.sort(evs, axis=0), axis=0)
    look_alike = (gaps >= 0.5 * 10.0 ** -(enough + 1)) & (gaps < 10.0**-enough)
    return enough + bool(look_alike.any())


@dataclass(frozen=True, eq=False)
class ActionTable(Table):
    """The actions of a decision, a row each, for the whole range."""

    table_name: ClassVar[str] = "actions"
    schema: ClassVar[tuple[Column, ...]] = (
        Column("name", "Action", "text"),
        Column("label", "Action", "text", "the action with its share of the pot"),
        Column("colour", "Colour", "text"),
        Column("pot_share", "Size", "share", "a bet or raise as a share of the pot after a call"),
        Column("frequency", "Frequency", "share", "how often the range takes the action"),
        Column("combos", "Combos", "combos", "how many hands take it"),
        Column("ev", "EV", "ev", "what the hands that take it earn with it"),
        Column("range_ev", "EV of all", "ev", "what the range would earn if every hand took it"),
        Column("ev_loss", "Loses", "ev", "what the range would lose by that against the best action of each hand"),
    )

    name: tuple[str, ...]
    label: tuple[str, ...]
    colour: tuple[str, ...]
    pot_share: Floats
    frequency: Floats
    combos: Floats
    ev: Floats | None = None
    range_ev: Floats | None = None
    ev_loss: Floats | None = None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DecisionTable(HandTable):
    """One decision of a solved spot, hand by hand: row a of `frequency` and of `action_ev` belongs to `actions[a]`.

    `action_ev` are chips won from here on, given that the hand is held: chips put in before are gone, so a fold is 0;
    None if EVs were not requested. `invested` is what the player has put in so far, half of the first pot included:
    `ev - invested` is the net value of the whole hand, of which `zerosum.SpotResult.value` is the mean. `pot_shares`
    are the shares of the pot that bets and raises are, None for other actions. `pot` and `invested` are in chips, EVs
    in `unit`.
    """

    table_name: ClassVar[str] = "decision"
    schema: ClassVar[tuple[Column, ...]] = (
        *HandTable.schema,
        Column("locked", "Locked", "flag", "whether a lock says what the hand does"),
        Column("frequency", "Plays", "share", "how often the hand takes the action", per_action="{action}"),
        Column("ev", "EV", "ev", "what the hand earns from here on"),
        Column("action_ev", "EV", "ev", "what the action earns from here on", per_action="EV {action}"),
        Column("ev_loss", "Loses", "ev", "what the action loses against the best one", per_action="loses {action}"),
    )

    invested: float
    actions: tuple[str, ...]
    pot_shares: tuple[float | None, ...]
    labels: tuple[str, ...]
    """The actions as people read them."""
    frequency: Floats
    action_ev: Floats | None = None
    locked: NDArray[np.bool_] | None = None
    """Which hands play what a lock says; None where none does."""
    note: str = ""
    """A remark about the decision, such as that it had to be solved again."""
    iteration: int = 0
    """The iteration of the solver whose averages these are."""
    unit: EvUnit = CHIPS

    def __repr__(self) -> str:
        where = ", ".join([self.board, *([" ".join(self.line)] if self.line else []), f"pot {self.pot:g}"])
        plays = ", ".join(f"{action} {share:.1%}" for action, share in self.frequencies.items())
        return f"DecisionTable({where}, {self.player_name}: {plays})"

    @property
    def has_ev(self) -> bool:
        return self.action_ev is not None

    @property
    def equity(self) -> Floats | None:
        """The share of the pot that each hand wins if nobody bets any more; None if EVs were not computed."""
        return self._computed_equity if self.has_ev else None

    @property
    def ev(self) -> Floats | None:
        """What each hand earns by playing its strategy."""
        return None if self.action_ev is None else np.asarray((self.frequency * self.action_ev).sum(axis=0))

    @property
    def ev_loss(self) -> Floats | None:
        """What each action loses against the best one of the hand."""
        return None if self.action_ev is None else np.asarray(self.action_ev.max(axis=0) - self.action_ev)

    @property
    def range_ev(self) -> float:
        """What the range earns from here on."""
        ev = self.ev
        return math.nan if ev is None else self.average_over_deals(ev)

    @property
    def frequencies(self) -> dict[str, float]:
        """How often the range takes each action, over all deals: hands that block the opponent count less."""
        deals = self.deals
        total = deals.sum()
        shares = self.frequency @ deals / total if total > 0 else self.frequency.mean(axis=1)
        return dict(zip(self.actions, shares.tolist(), strict=True))

    def frequencies_of(self, hand: str) -> dict[str, float]:
        """Return how often one hand such as `KdQd` takes each action."""
        number = parse_hand(hand)
        if number not in self.hand:
            raise ZerosumError(f"{hand} is not in the range of the player {self.player_name} here")
        return dict(zip(self.actions, self.frequency[:, self.find_row(number)].tolist(), strict=True))

    def find_row(self, hand: int) -> int:
        """Return the row of a hand by its number."""
        return int(np.flatnonzero(self.hand == hand)[0])

    def build_action_table(self) -> ActionTable:
        """Return a row per action: frequency, combos, EV of the hands that take it, EV of all, EV lost."""
        table = ActionTable(
            name=self.actions,
            label=self.labels,
            colour=list_colour_codes(self.actions),
            pot_share=np.array([math.nan if share is None else share for share in self.pot_shares]),
            frequency=np.array(list(self.frequencies.values())),
            combos=self.frequency @ self.reach,
        )
        if self.action_ev is None or not self.reach.any():
            return table
        totals = self.aggregate(HandGroups(("range",), np.ones((1, HAND_COUNT), dtype=bool)))
        assert totals.action_ev is not None
        assert totals.ev_loss is not None
        weight = self.weight if self.deals.any() else self.reach / self.reach.sum()
        taken = self.frequency @ weight
        earned = (self.frequency * self.action_ev) @ weight
        ev = np.divide(earned, taken, out=np.full(len(taken), np.nan), where=taken > SMALLEST)
        return replace(table, ev=ev, range_ev=totals.action_ev[:, 0], ev_loss=totals.ev_loss[:, 0])

    def content(self, hands: DecisionTable | None = None, digits: Mapping[str, int] | None = None) -> dict[str, Any]:
        """Return the decision ready for JSON: where it is, its actions, and hands and groups of hands by column.

        hands: the rows to list; by default all that get here. digits: decimals by unit, see `Table.to_json`.
        """
        return {
            "table": self.table_name,
            "line": list(self.line),
            "board": self.board,
            "player": self.player_name,
            "pot": self.pot,
            "invested": self.invested,
            "unit": self.unit.name,
            "decimals": self.decimals,
            "has_ev": self.has_ev,
            "ev": self.range_ev if self.has_ev else None,
            "equity": self.range_equity if self.has_ev and self.deals.any() else None,
            "note": self.note,
            "iteration": self.iteration,
            "actions": self.build_action_table().rows_to_json(),
            "columns": (self.list_hands() if hands is None else hands).to_json(digits),
            "groups": self.groups_to_json(digits),
        }

    @property
    def pot_in_unit(self) -> float:
        return self.pot * self.unit.per_chip

    @property
    def decimals(self) -> int:
        """Decimals with which the EVs of the hands that get here are written."""
        return 0 if self.action_ev is None else count_ev_decimals(self.action_ev[:, self.reach > 0], self.pot_in_unit)

    def convert_evs(self, unit: EvUnit) -> Self:
        """Return the table with EVs in chips, big blinds or % of the first pot."""
        factor = unit.per_chip / self.unit.per_chip
        return replace(self, unit=unit, action_ev=None if self.action_ev is None else self.action_ev * factor)

    def _aggregate_actions(self, mix: Floats) -> dict[str, Any]:
        columns: dict[str, Any] = {"actions": self.actions, "frequency": self.frequency @ mix.T}
        if self.action_ev is None:
            return columns
        assert self.ev is not None
        assert self.ev_loss is not None
        evs = {"ev": mix @ self.ev, "action_ev": self.action_ev @ mix.T, "ev_loss": self.ev_loss @ mix.T}
        return columns | evs


class DecisionChoice(NamedTuple):
    """A decision and some of its hands: those that a text names, or all that get here."""

    table: DecisionTable
    hands: DecisionTable
    chosen: GroupTable | None = None
    """The sum over the hands that the text names; None without a text."""

    def to_json(self) -> dict[str, Any]:
        """Return the decision beside the numbers of its result, ready for JSON."""
        content = self.table.content(self.hands)
        if self.chosen is not None:
            content["groups"]["chosen"] = self.chosen.to_json()
        return {**({"note": self.table.note} if self.table.note else {}), "decision": content}


def choose_hands(result: SpotResult, line: str = "", text: str | None = None, unit: str = "chips") -> DecisionChoice:
    """Return the decision that a line leads to with its EVs in a unit, and the hands that a text names.

    >>> import zerosum
    >>> choice = choose_hands(zerosum.solve("spot:river", iterations=10), "check bet33", "KQs")
    >>> len(choice.hands), choice.table.actions
    (3, ('fold', 'call', 'raise 4095', 'allin'))
    """
    table = result.at(line).convert_evs(find_ev_unit(result.spot, unit))
    hands = table.list_hands(text)
    if not len(hands):
        raise ZerosumError("no hand gets here" if text is None else f"no hand of {text} gets here")
    chosen = None if text is None else table.aggregate(group_by_filter([text], table.cards))
    return DecisionChoice(table, hands, chosen)
