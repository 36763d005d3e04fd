"""The betting abstraction: what each player may bet or raise at each decision.

It has sizes by street and player (`zerosum.holdem.betting.sizes`), rules that change them, and edits after some lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from zerosum.holdem.betting.action_names import split_line
from zerosum.holdem.betting.sizes import (
    DEFAULT_BETS,
    DEFAULT_RAISES,
    PLAYERS,
    BettingState,
    SizeSteps,
    check_size_units,
    count_chip_decimals,
    format_by_street_and_player,
    parse_by_street_and_player,
    parse_chips,
)
from zerosum.holdem.cards.cards import STREETS
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.text import parse_share

if TYPE_CHECKING:
    from zerosum.holdem.spots.options import BettingOptions

RULE_NAMES = {
    "minimum": "minimum bet", "allin_threshold": "all-in threshold", "force_allin": "share that forces all-in",
    "add_allin": "stack-to-pot ratio that adds all-in", "merge": "share by which sizes merge",
}  # fmt: skip
"""The options that are rules for all sizes, as messages call them."""


@dataclass(frozen=True)
class SizeRules:
    """Rules that apply to all sizes.

    - `minimum`: the smallest bet, and the smallest amount by which a raise exceeds the previous bet; a raise must also
      exceed it by at least the last raise. Smaller sizes are increased to it.
    - `caps`: the number of bets and raises that a round allows on the flop, turn and river; None for any number.
    - `allin_threshold`: a bet becomes all-in if the remaining stack is at most this share of the pot after a call;
      at 0 only a bet of the whole stack or more does.
    - `force_allin`: a bet becomes all-in if it takes at least this share of the player's remaining stack.
    - `add_allin`: if there are sizes, all-in is added to them when the stack after a call is at most this many pots.
    - `merge`: of two sizes the smaller one is dropped if the pot after the larger bet is less than 1 + this times the
      pot after the smaller one.
    """

    minimum: float = 100.0
    caps: tuple[int | None, ...] = (None, None, None)
    allin_threshold: float = 0.0
    force_allin: float = 1.0
    add_allin: float = 0.0
    merge: float = 0.0

    def __post_init__(self) -> None:
        for cap in self.caps:
            if cap is not None and (isinstance(cap, bool) or not isinstance(cap, int) or cap < 0):
                raise ZerosumError(f"the cap on raises is {cap}; it must be a whole number, 0 or more, or none")
        if not 0 < self.minimum < math.inf:
            raise ZerosumError(f"the minimum bet is {self.minimum}; it must be above zero")
        if not 0 < self.force_allin <= 1:
            raise ZerosumError(
                f"the share that forces all-in is {self.force_allin:g}; it must be more than 0%, up to 100%"
            )
        for name in ("allin_threshold", "add_allin", "merge"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ZerosumError(f"the {RULE_NAMES[name]} is {getattr(self, name)}; it must be 0 or more")

    def apply(self, amounts: Sequence[float], state: BettingState) -> list[float]:
        """Return the amounts, in chips on this street, that the rules turn some amounts into, in ascending order."""
        candidates = {state.stack if self._becomes_allin(amount, state) else amount for amount in amounts}
        if candidates and state.stack - state.bet_to_match <= self.add_allin * state.pot_after_call:
            candidates.add(state.stack)
        pot_without_bet = state.pot - state.bet
        selected: list[float] = []
        for amount in sorted(candidates, reverse=True):
            if not selected or pot_without_bet + selected[-1] >= (1 + self.merge) * (pot_without_bet + amount):
                selected.append(amount)
        return selected[::-1]

    def _becomes_allin(self, amount: float, state: BettingState) -> bool:
        pot_after_call = state.pot - state.bet - state.bet_to_match + 2 * amount
        remaining = state.stack - amount
        forced = amount - state.bet >= self.force_allin * (state.stack - state.bet)
        return remaining <= 0 or remaining <= self.allin_threshold * pot_after_call or forced


class LineEdit(NamedTuple):
    """A change after a line: other sizes there or, if `sizes` is None, the removal of the line."""

    line: tuple[str, ...]
    sizes: SizeSteps | None
    text: str


@dataclass(frozen=True)
class BettingAbstraction:
    """The bets that are allowed: sizes by street and player, and the rules that restrict them.

    - `sizes[street][player]`: streets flop, turn, river; players out of position, in position.
    - `donks[street]`: the first bets out of position if the other player was the last to bet on the previous street;
      None if they are like other bets.
    - `aggressor`: the last player to bet before this betting begins, if any: 0 out of position, 1 in position.
    - `edits`: changes after single lines.

    >>> bets, raises = "50%,100%; river: 75%,allin", "100%,allin"
    >>> betting = BettingAbstraction.parse(bets, raises, donks="33%; flop: none", cap="3; river: 2")
    >>> betting.to_options()["bets"], betting.to_options()["donks"], betting.to_options()["cap"]
    ('50%,100%; river: 75%,allin', '33%; flop: none', '3; river: 2')
    """

    sizes: tuple[tuple[SizeSteps, SizeSteps], ...]
    rules: SizeRules = SizeRules()
    donks: tuple[SizeSteps | None, ...] = (None, None, None)
    aggressor: int | None = None
    edits: tuple[LineEdit, ...] = ()

    def __post_init__(self) -> None:
        if len(self.sizes) != len(STREETS) or any(len(pair) != len(PLAYERS) for pair in self.sizes):
            raise ZerosumError(
                "a betting abstraction needs sizes for the flop, the turn and the river, for both players"
            )

    @classmethod
    def parse(
        cls,
        bets: str = DEFAULT_BETS,
        raises: str | None = DEFAULT_RAISES,
        start: int = 0,
        **options: Unpack[BettingOptions],
    ) -> BettingAbstraction:
        """Parse the texts of bets and raises; with `by="actions"` the bets list every step.

        Streets before `start` may be left out.
        """
        by = options.get("by", "bets")
        if by not in ("bets", "actions"):
            raise ZerosumError(f"steps are counted by bets or by actions, not by {by!r}")
        first = parse_by_street_and_player(bets, start)
        later = {} if raises is None or by == "actions" else parse_by_street_and_player(raises, start)
        sizes = tuple(
            tuple(SizeSteps.parse(first[street, who], later.get((street, who)), by) for who in PLAYERS)
            for street in STREETS
        )
        player = options.get("aggressor")
        if player not in (None, *PLAYERS):
            raise ZerosumError(f"the aggressor is {player!r}; it must be oop or ip")
        aggressor = None if player is None else PLAYERS.index(player)
        edits = (
            *_parse_edits(options.get("at", ()), _parse_size_edit),
            *_parse_edits(options.get("without", ()), _parse_removal),
        )
        donks = _parse_donks(options.get("donks"))
        return cls(sizes, _parse_rules(options), donks, aggressor, edits)  # type: ignore[arg-type]

    def to_options(self) -> dict[str, Any]:
        """Return the options from which `parse` builds this abstraction again, without those at their defaults."""
        rules, default, by = self.rules, SizeRules(), self.sizes[0][0].by
        texts = [[sizes.format_texts() for sizes in pair] for pair in self.sizes]
        bets, raises = (format_by_street_and_player([[pair[k] for pair in row] for row in texts]) for k in (0, 1))
        donks = [["bets" if donks is None else donks.format_texts()[0]] for donks in self.donks]
        caps = [["none" if cap is None else str(cap)] for cap in rules.caps]
        options = {
            "bets": bets,
            "raises": raises if by == "bets" else None,
            "by": by,
            "minimum": rules.minimum,
            "donks": format_by_street_and_player(donks) if any(self.donks) else None,
            "aggressor": None if self.aggressor is None else PLAYERS[self.aggressor],
            "cap": rules.caps[0] if len(set(rules.caps)) == 1 else format_by_street_and_player(caps),
            **{name: getattr(rules, name) for name in RULE_NAMES if getattr(rules, name) != getattr(default, name)},
            "at": [edit.text for edit in self.edits if edit.sizes is not None] or None,
            "without": [edit.text for edit in self.edits if edit.sizes is None] or None,
        }
        return {key: value for key, value in options.items() if value is not None}

    def compute_bet_amounts(self, state: BettingState, sizes: SizeSteps | None = None) -> list[float]:
        """Return the amounts to which the player may bet or raise, in chips on this street, in ascending order.

        An amount of `state.stack` means all-in. `sizes` replace those of the street.

        >>> BettingAbstraction.parse().compute_bet_amounts(BettingState(street=2, player=0, pot=500, stack=19750))
        [250.0, 500.0, 19750]
        """
        cap = self.rules.caps[state.street]
        if state.bet_to_match >= state.stack or (cap is not None and state.bets >= cap):
            return []
        smallest = state.bet_to_match + max(self.rules.minimum, state.last)
        steps = sizes.steps[0] if sizes is not None else self._select_sizes(state).find_sizes(state.bets, state.actions)
        digits = count_chip_decimals(state.pot - state.bet - state.bet_to_match, state.stack)
        amounts: list[float] = []
        for size in steps:
            amount = round(max(size.compute_amount(state), smallest), digits)
            if amount <= state.bet_to_match:
                raise ZerosumError(f"the bet size {size} and the minimum bet are too small for the chips in play")
            amounts.append(amount)
        return self.rules.apply(amounts, state)

    def _select_sizes(self, state: BettingState) -> SizeSteps:
        donks = self.donks[state.street]
        is_donk = state.player == 0 and state.actions == 0 and self.aggressor == 1
        return donks if is_donk and donks is not None else self.sizes[state.street][state.player]

    def for_next_street(self, aggressor: int | None, edits: tuple[LineEdit, ...]) -> BettingAbstraction:
        """Return the abstraction of the following streets, which have these edits.

        The last player to bet matters only for donk bets: without them, streets that differ in it are one street.
        """
        relevant = aggressor if any(donks is not None for donks in self.donks) else None
        return replace(self, aggressor=relevant, edits=edits)


def _parse_rules(options: BettingOptions) -> SizeRules:
    values: dict[str, Any] = {name: value for name, value in options.items() if name in RULE_NAMES}
    for name in values:
        if name == "allin_threshold":  # of the pot, which a remaining stack may exceed
            values[name] = parse_share(values[name], RULE_NAMES[name], may_exceed=True)
            continue
        parse = parse_share if name in ("force_allin", "merge") else parse_chips
        values[name] = parse(values[name], RULE_NAMES[name])
    return SizeRules(caps=_parse_caps(options.get("cap")), **values)


def _parse_caps(value: Any) -> tuple[int | None, ...]:
    """Parse a number for all streets, or a text like `3; river: 2`."""
    if not isinstance(value, str):
        return value, value, value
    caps = _split_by_street(value, "cap on raises", "none")
    wrong = next((text for text in caps if text != "none" and not text.isdecimal()), None)
    if wrong is not None:
        raise ZerosumError(f"the cap on raises is {wrong!r}; it must be a whole number, 0 or more, or none")
    return tuple(None if text == "none" else int(text) for text in caps)


def _parse_donks(text: str | None) -> tuple[SizeSteps | None, ...]:
    """Parse sizes of all streets, or a text like `33%; river: none`; `bets` if they are like other bets."""
    if text is None:
        return None, None, None
    check_size_units(text)
    texts = _split_by_street(text, "donk sizes", "bets")
    return tuple(None if sizes == "bets" else SizeSteps.parse(sizes) for sizes in texts)


def _split_by_street(text: str, name: str, default: str) -> tuple[str, ...]:
    """Return the part of a text for each street."""
    parts = dict.fromkeys(STREETS, default)
    for part in text.split(";"):
        where, colon, value = part.rpartition(":")
        street = where.strip().lower()
        if colon and street not in STREETS:
            raise ZerosumError(f"{street!r} in the {name} is not a street; {suggest_names(street, STREETS)}")
        parts |= dict.fromkeys([street] if colon else STREETS, value.strip().lower())
    return tuple(parts.values())


def _parse_edits(lines: str | Sequence[str], parse: Any) -> Iterator[LineEdit]:
    for text in [lines] if isinstance(lines, str) else lines:
        if not isinstance(text, str):
            raise ZerosumError(f"lines of a betting tree are strings, not {text!r}")
        yield parse(text)


def _parse_size_edit(text: str) -> LineEdit:
    line, colon, sizes = text.rpartition(":")
    if not colon:
        raise ZerosumError(f"{text!r} names no sizes: write a line, a colon and sizes, like 'check bet33: 60%,allin'")
    check_size_units(sizes)
    return LineEdit(tuple(split_line(line)), SizeSteps.parse(sizes), text)


def _parse_removal(text: str) -> LineEdit:
    line = tuple(split_line(text))
    if not line:
        raise ZerosumError("a line to remove from a betting tree needs at least one action")
    return LineEdit(line, None, text)
