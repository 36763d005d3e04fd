"""One player's range at a point of the hand: a row per hand, the order of these rows, and sums over groups of hands."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from zerosum.engine.forms.sequence.treeplex import Floats, Integers
from zerosum.games.poker.hole_cards import map_hands_to_classes
from zerosum.holdem.betting.sizes import PLAYER_NAMES
from zerosum.holdem.cards.cards import HAND_COUNT, hand_name, parse_board
from zerosum.holdem.cards.hand_filter import select_hands
from zerosum.holdem.cards.hand_strength import compute_hand_equities
from zerosum.holdem.cards.made_hands import MADE_HANDS
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.solution.hand_groups import (
    DRAW_BITS,
    HandGroups,
    classify_made_hands,
    compute_draw_masks,
    group_by_class,
    group_by_draw,
    group_by_made_hand,
)
from zerosum.results.table import Column, Table
from zerosum.support.thread_safety import cached_property

SMALLEST = 1e-12
"""A weight below which a class of hands was not in the range at the start."""


def list_draws(mask: int) -> tuple[str, ...]:
    """Return the draws of a bit mask.

    >>> list_draws(3)
    ('flush draw', 'open-ended')
    """
    return tuple(name for bit, name in enumerate(DRAW_BITS) if mask >> bit & 1)


@dataclass(frozen=True, eq=False, repr=False)
class HandTable(Table):
    """The range of one player at a point of the hand, a row per hand.

    `hand` are numbers of hands (see `zerosum.holdem.cards.cards`), `weight` the probability of each, given that play
    got here; it sums to 1, or is 0 if no deal gets here. `opposing_reach` is the opponent's reach over the hands that
    share no card with each hand. `ranges` are the reaches of both players and `start` the player's weights at the start
    of the spot, 1,326 numbers each.
    """

    table_name: ClassVar[str] = "range"
    schema: ClassVar[tuple[Column, ...]] = (
        Column("hand", "Hand", "code", decode=hand_name),
        Column("hand_class", "Class", "code", decode=lambda code: group_by_class().names[code]),
        Column("made_hand", "Makes", "code", "what the hand makes on the board", decode=MADE_HANDS.__getitem__),
        Column("draws", "Draws", "code", "what the hand draws to", decode=list_draws),
        Column("reach", "Reach", "combos", "how much of the hand gets here"),
        Column("equity", "Equity", "share", "the share of the pot if nobody bets any more"),
    )

    line: tuple[str, ...]
    board: str
    player: int
    pot: float
    hand: Integers
    weight: Floats
    opposing_reach: Floats
    ranges: tuple[Floats, Floats]
    start: Floats
    known_equity: Floats | None = None
    """The equities, where they need not be computed: the tree has them for its all-ins."""

    @property
    def player_name(self) -> str:
        return PLAYER_NAMES[self.player]

    @property
    def reach(self) -> Floats:
        """How much of each hand gets here."""
        return self.ranges[self.player][self.hand]

    @property
    def deals(self) -> Floats:
        """How many deals get here with each hand: its reach times the opponent's reach over the hands it leaves."""
        return self.reach * self.opposing_reach

    @property
    def cards(self) -> tuple[int, ...]:
        """The board as numbers of cards."""
        return parse_board(self.board)

    @property
    def hand_class(self) -> Integers:
        """The place of each hand's class in the grid: 13 times the row plus the column."""
        return map_hands_to_classes()[self.hand]

    @property
    def made_hand(self) -> Integers:
        """What each hand makes on the board, as its place in `MADE_HANDS`."""
        return classify_made_hands(self.cards)[self.hand]

    @property
    def draws(self) -> Integers:
        """What each hand draws to: bit k stands for `DRAW_BITS[k]`."""
        return compute_draw_masks(self.cards)[self.hand]

    @property
    def equity(self) -> Floats | None:
        """The share of the pot that each hand wins if nobody bets any more; nan where it meets no hand."""
        return self._computed_equity

    @cached_property
    def _computed_equity(self) -> Floats:
        if self.known_equity is not None:
            return self.known_equity
        opponent = self.ranges[1 - self.player]
        if not opponent.any():
            return np.full(len(self.hand), np.nan)
        held = np.zeros(HAND_COUNT)
        held[self.hand] = 1.0
        equities, _ = compute_hand_equities(self.cards, Range(held), Range(opponent / max(1.0, float(opponent.max()))))
        return equities[self.hand]

    @property
    def range_equity(self) -> float:
        """The share of the pot that the range wins if nobody bets any more; nan if no deal gets here."""
        assert self.equity is not None
        return self.average_over_deals(np.nan_to_num(self.equity)) if self.deals.any() else math.nan

    def average_over_deals(self, values: Floats) -> float:
        """Return the mean of a column over all deals that get here, or by reach if none does; nan without any reach."""
        weights = self.deals if self.deals.any() else self.reach
        total = float(weights.sum())
        return float(values @ weights) / total if total > 0 else math.nan

    def select_rows(self, rows: Any) -> Self:
        table = replace(super().select_rows(rows), weight=self.weight[rows], opposing_reach=self.opposing_reach[rows])
        return table if self.equity is None else replace(table, known_equity=self.equity[rows])

    def order_hands(self) -> Integers:
        """Return the rows of the hands that get here in the order in which every table of hands lists them.

        The order is that of the numbers of hands, from AdAc down to 2s2h: by the lower card of a hand, then by the
        higher one.
        """
        rows = np.flatnonzero(self.reach > 0)
        return rows[np.argsort(-self.hand[rows])]

    def list_hands(self, text: str | None = None) -> Self:
        """Return the hands that get here, or those of them that a text such as `top pair` or `AKs` names, in order."""
        rows = self.order_hands()
        return self.select_rows(rows if text is None else rows[select_hands(text, self.cards)[self.hand[rows]]])

    def groups_to_json(self, digits: Mapping[str, int] | None = None) -> dict[str, Any]:
        """Return the sums over classes, made hands and draws, ready for JSON. digits: see `Table.to_json`."""
        made_hands, draws = group_by_made_hand(self.cards), group_by_draw(self.cards)
        groups = {"class": group_by_class(), "made_hand": made_hands, "draw": draws}
        return {name: self.aggregate(members).to_json(digits) for name, members in groups.items()}

    def aggregate(self, groups: HandGroups) -> GroupTable:
        """Sum the table up over groups of hands, weighted by the probability of each hand; leave empty groups out."""
        member = groups.members[:, self.hand] & (self.reach > 0)
        present = np.flatnonzero(member.any(axis=1))
        member = member[present]
        combos, share = member @ self.reach, member @ self.weight
        mix = np.where((share > 0)[:, None], member * self.weight, member * self.reach)
        mix /= mix.sum(axis=1, keepdims=True)
        start = groups.members[present] @ self.start
        return GroupTable(
            group=present,
            name=tuple(groups.names[group] for group in present),
            combos=combos,
            share=share,
            start_share=np.minimum(1.0, combos / np.maximum(start, SMALLEST)),
            equity=None if self.equity is None else _average_equity(mix, self.equity),
            **self._aggregate_actions(mix),
        )

    def _aggregate_actions(self, mix: Floats) -> dict[str, Any]:
        """Return the columns that only a decision has; row g of `mix` are the weights of the hands in group g."""
        return {}


def _average_equity(mix: Floats, equity: Floats) -> Floats:
    """Return the mean equity of each group over the hands that meet another hand; nan where none does."""
    met = ~np.isnan(equity)
    weights = mix[:, met].sum(axis=1)
    return np.asarray(np.divide(mix[:, met] @ equity[met], weights, out=np.full(len(mix), np.nan), where=weights > 0))


@dataclass(frozen=True, eq=False)
class GroupTable(Table):
    """A range summed up over groups of hands, a row per group of which something is left."""

    table_name: ClassVar[str] = "groups"
    schema: ClassVar[tuple[Column, ...]] = (
        Column("group", "Place", "count", "the place of the group among all of its kind"),
        Column("name", "Hands", "text"),
        Column("combos", "Combos", "combos", "how many hands of the group get here"),
        Column("share", "Share", "share", "the share of all deals here"),
        Column("start_share", "Left", "share", "how much of the group at the start of the spot is left"),
        Column("equity", "Equity", "share", "the share of the pot if nobody bets any more"),
        Column("frequency", "Plays", "share", "how often the action is taken", per_action="{action}"),
        Column("ev", "EV", "ev", "what the hands earn from here on"),
        Column("action_ev", "EV", "ev", "what the action earns from here on", per_action="EV {action}"),
        Column("ev_loss", "Loses", "ev", "what the action loses against the best one", per_action="loses {action}"),
    )

    group: Integers
    name: tuple[str, ...]
    combos: Floats
    share: Floats
    start_share: Floats
    equity: Floats | None = None
    actions: tuple[str, ...] = ()
    frequency: Floats | None = None
    ev: Floats | None = None
    action_ev: Floats | None = None
    ev_loss: Floats | None = None


class RangeMatchup(NamedTuple):
    """Both ranges at a point of the hand: at a decision, before a card, or at the end."""

    oop: HandTable
    ip: HandTable


def compute_equity_curve(table: HandTable, points: int = 101) -> Floats:
    """Return the equity of the hand at each percent of the range, the best hand first; empty if no deal gets here."""
    rows = np.flatnonzero(table.weight > 0)
    if not rows.size:
        return np.zeros(0)
    assert table.equity is not None
    order = rows[np.argsort(-table.equity[rows], kind="stable")]
    reached = np.cumsum(table.weight[order])
    at = np.searchsorted(reached, np.linspace(0.0, 1.0, points) - SMALLEST)
    return np.asarray(table.equity[order[np.minimum(at, len(order) - 1)]])


def compute_equity_histogram(table: HandTable, bins: int = 10) -> Floats:
    """Return the share of the range in each bin of equity, the lowest first; empty if no deal gets here."""
    rows = np.flatnonzero(table.weight > 0)
    if not rows.size:
        return np.zeros(0)
    assert table.equity is not None
    places = np.minimum((table.equity[rows] * bins).astype(int), bins - 1)
    return np.asarray(np.bincount(places, table.weight[rows], bins))
