"""A decision of a solved spot as data: actions, the 13 by 13 classes of hands, made hands and draws, both ranges."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from typing import Any

import numpy as np

from rue.errors import RueError
from rue.forms.treeplex import Floats, Integers
from rue.holdem.cards import HAND_COUNT, RANKS, hand_name, parse_board
from rue.holdem.categories import DRAWS, MADE, Categories, categories
from rue.holdem.hand_classes import class_hands
from rue.holdem.hands_named import hands_named
from rue.holdem.labels import label
from rue.holdem.spots import Spot
from rue.records import dataclass
from rue.results.range_decision import PLAYERS, RangeDecision
from rue.results.spot import SpotResult
from rue.views.colours import colours, hexadecimal
from rue.views.money import Money

SIDE = 13
TINY = 1e-12


@dataclass(frozen=True)
class ActionView:
    """An action: how often and with how many hands it is taken, and what it earns.

    `label` has the share of the pot, `size`, that a bet or raise is. `ev` is what the hands that take it earn with it,
    None if none does. `range_ev` is what the whole range would earn with it, and `regret` what it would lose against
    the best action of each hand.
    """

    name: str
    label: str
    size: float | None
    colour: str
    frequency: float
    combos: float
    ev: float | None
    range_ev: float
    regret: float


@dataclass(frozen=True)
class HandView:
    """What one hand does and earns: `equity` if nobody bets any more, `made` and `draws` what it is on the board.

    `evs` are what each action earns from here on, `regrets` what it loses against the best one.
    """

    hand: str
    reach: float
    equity: float | None
    ev: float
    strategy: dict[str, float]
    evs: dict[str, float]
    regrets: dict[str, float]
    made: str
    draws: tuple[str, ...]


@dataclass(frozen=True)
class ClassView:
    """What a class of hands like AKs does and earns: `weight` hands of it are left, a `share` of those at the start."""

    name: str
    row: int
    column: int
    share: float
    weight: float
    ev: float
    strategy: dict[str, float]
    evs: dict[str, float]
    regrets: dict[str, float]


@dataclass(frozen=True)
class GroupView:
    """What a made hand, a draw or other hands do and earn: `combos` of them are left, a `share` of all deals here."""

    name: str
    combos: float
    share: float
    equity: float | None
    ev: float
    strategy: dict[str, float]
    evs: dict[str, float]
    regrets: dict[str, float]


@dataclass(frozen=True)
class DecisionView:
    """A decision: who acts where, what each action does, and what the hands do.

    `classes` go row by row from aces down, pairs on the diagonal, suited hands above it; `made` and `draws` are the
    categories of `rue.holdem.categories`, of which draws may overlap. Those of which nothing is left are missing.
    `chosen` are all hands together that were asked for, which `hands` has one by one. `ranges` are both players' hands
    with their weights. Earnings are in `unit`, of which a chip is `factor`: chips, bb, or pot for % of the first pot;
    `pot` and actions are in chips.
    """

    line: tuple[str, ...]
    board: str
    player: str
    pot: float
    unit: str
    factor: float
    equity: float | None
    ev: float
    actions: tuple[str, ...]
    choices: tuple[ActionView, ...]
    frequencies: dict[str, float]
    combos: dict[str, float]
    hands: tuple[HandView, ...]
    classes: tuple[ClassView, ...]
    made: tuple[GroupView, ...]
    draws: tuple[GroupView, ...]
    chosen: GroupView | None
    ranges: dict[str, dict[str, float]]
    note: str = ""

    @property
    def labels(self) -> tuple[str, ...]:
        """The actions as people read them."""
        return tuple(choice.label for choice in self.choices)

    def shown(self) -> dict[str, Any]:
        """What is told of it beside the numbers of its result, ready for JSON."""
        return {**({"note": self.note} if self.note else {}), "point": asdict(self)}

    @staticmethod
    def of(result: SpotResult, line: str = "", hands: str | None = None, unit: str = "chips") -> DecisionView:
        """The decision that a line leads to; of its hands all, or those of a text like AKs, top pair or flush draw."""
        return DecisionView.shows(result.at(line), result.spot, hands, unit)

    @staticmethod
    def shows(point: RangeDecision, spot: Spot, hands: str | None = None, unit: str = "chips") -> DecisionView:
        """A decision of a spot. At a glance (`Solution.glance`) what hands earn is nan, and there is no equity."""
        money = Money.of(spot, unit)
        seen = _Seen(point, money.factor, hands)
        return DecisionView(
            line=point.line,
            board=point.board,
            player=PLAYERS[point.player],
            pot=point.pot,
            unit=money.name,
            factor=money.factor,
            equity=_known(point.equity) if point.judged else None,
            ev=seen.mean(point.ev, seen.everyone),
            actions=point.actions,
            choices=tuple(seen.choices()),
            frequencies=point.frequencies,
            combos=seen.by_action(point.strategy @ point.reach),
            hands=tuple(seen.hands()),
            classes=tuple(seen.classes(spot.weights[point.player])),
            made=tuple(seen.groups(MADE)),
            draws=tuple(seen.groups(DRAWS)),
            chosen=None if hands is None else seen.group(hands.strip(), seen.wanted),
            ranges={who: _range(weights) for who, weights in zip(PLAYERS, point.ranges, strict=True)},
            note=point.note,
        )


class _Seen:
    """A decision while it is looked at: its arrays, and which of its hands are wanted."""

    def __init__(self, point: RangeDecision, factor: float, hands: str | None) -> None:
        self.point = point
        self.evs, self.regrets = point.evs * factor, point.regrets * factor
        self.factor = factor
        self.reach, self.likelihood, self.ev = point.reach, point.likelihood, point.ev
        self.equities = point.equities if point.judged else np.full(len(point.hands), math.nan)
        self.there: Categories = categories(parse_board(point.board))
        self.everyone: Integers = np.flatnonzero(self.reach > 0)
        asked = np.ones(len(point.hands), dtype=bool)
        if hands is not None:
            asked = hands_named(hands, self.there.board)[point.hands]
        self.wanted: Integers = np.flatnonzero(asked & (self.reach > 0))
        if not self.wanted.size:
            raise RueError(f"no hand of {hands} gets here" if hands is not None else "no hand gets here")

    @property
    def _tables(self) -> tuple[Floats, Floats, Floats]:
        """What hands do, earn and lose by each action."""
        return self.point.strategy, self.evs, self.regrets

    def by_action(self, numbers: Floats) -> dict[str, float]:
        return dict(zip(self.point.actions, numbers.tolist(), strict=True))

    def rows(self, table: Floats) -> list[dict[str, float]]:
        """The same of every column of a table."""
        return [dict(zip(self.point.actions, row, strict=True)) for row in table.T.tolist()]

    def weights(self, hands: Integers) -> Floats:
        """How likely each of some hands is among them; by reach where none of them meets another hand."""
        likely, reach = self.likelihood[hands], self.reach[hands]
        return np.asarray(likely / likely.sum() if likely.any() else reach / reach.sum())

    def mean(self, chips: Floats, hands: Integers) -> float:
        """What some hands earn on average."""
        return self.factor * float(chips[hands] @ self.weights(hands))

    def choices(self) -> Iterator[ActionView]:
        point, weights = self.point, self.weights(self.everyone)
        sigma, evs = point.strategy[:, self.everyone] * weights, self.evs[:, self.everyone]
        taken, earned = sigma.sum(axis=1), (sigma * evs).sum(axis=1)
        regrets = self.regrets[:, self.everyone] @ weights
        combos = point.strategy @ point.reach
        shades = colours(point.actions)
        for number, (name, size) in enumerate(zip(point.actions, point.sizes, strict=True)):
            yield ActionView(
                name=name,
                label=label(name, size),
                size=size,
                colour=hexadecimal(shades[number]),
                frequency=point.frequencies[name],
                combos=float(combos[number]),
                ev=float(earned[number] / taken[number]) if taken[number] > TINY else None,
                range_ev=float(evs[number] @ weights),
                regret=float(regrets[number]),
            )

    def hands(self) -> Iterator[HandView]:
        own = self.wanted[np.argsort(-self.point.hands[self.wanted])]
        numbers = self.point.hands[own]
        played = (self.rows(table[:, own]) for table in self._tables)
        draws = zip(*(self.there.draws[name][numbers].tolist() for name in DRAWS[:-1]), strict=True)
        rows = zip(
            [hand_name(number) for number in numbers.tolist()],
            self.reach[own].tolist(),
            map(_known, self.equities[own].tolist()),
            (self.ev[own] * self.factor).tolist(),
            *played,
            [MADE[number] for number in self.there.made[numbers].tolist()],
            [tuple(name for name, there in zip(DRAWS, row, strict=False) if there) for row in draws],
            strict=True,
        )
        return (HandView(*row) for row in rows)

    def classes(self, original: Floats) -> Iterator[ClassView]:
        """The classes of the range; `original` are the weights that count as whole."""
        names, places = class_places()
        own, count = self.everyone, len(names)
        cells = places[self.point.hands[own]]

        def sums(numbers: Floats) -> Floats:
            return np.asarray(np.bincount(cells, numbers, count), dtype=np.float64)

        likely, reach = sums(self.likelihood[own]), sums(self.reach[own])
        met = likely[cells] > 0
        weights = np.divide(self.likelihood[own], likely[cells], where=met, out=self.reach[own] / reach[cells])
        there = np.flatnonzero(reach > 0)
        shares = np.minimum(1.0, reach / np.maximum(np.bincount(places, original, count), TINY))[there].tolist()
        tables = (np.array([sums(row * weights) for row in table[:, own]])[:, there] for table in self._tables)
        rows = zip(
            [names[place] for place in there],
            *(each.tolist() for each in np.divmod(there, SIDE)),
            shares,
            reach[there].tolist(),
            (self.factor * sums(self.ev[own] * weights))[there].tolist(),
            *map(self.rows, tables),
            strict=True,
        )
        return (ClassView(*row) for row in rows)

    def groups(self, names: tuple[str, ...]) -> Iterator[GroupView]:
        """The made hands or draws of which something is left."""
        for name in names:
            hands = self.everyone[self.there.where(name)[self.point.hands[self.everyone]]]
            if hands.size:
                yield self.group(name, hands)

    def group(self, name: str, hands: Integers) -> GroupView:
        """Some hands together."""
        total = float(self.likelihood.sum())
        shares = self.equities[hands]
        met = ~np.isnan(shares)
        equity = float(shares[met] @ self.weights(hands[met])) if met.any() else None
        share = float(self.likelihood[hands].sum()) / total if total > 0 else 0.0
        return GroupView(name, float(self.reach[hands].sum()), share, equity, *self._played(hands))

    def _played(self, own: Integers) -> tuple[float, dict[str, float], dict[str, float], dict[str, float]]:
        """What some hands earn on average, do, earn by each action and lose by it."""
        weights = self.weights(own)
        strategy, evs, regrets = (self.by_action(table[:, own] @ weights) for table in self._tables)
        return self.mean(self.ev, own), strategy, evs, regrets


def _known(share: float) -> float | None:
    """A number for JSON, which has no nan."""
    return None if math.isnan(share) else float(share)


def _range(weights: Floats) -> dict[str, float]:
    return {hand_name(int(number)): float(weights[number]) for number in np.flatnonzero(weights > 0)}


def class_at(row: int, column: int) -> tuple[str, Any]:
    """The name and the hands of the class at a place of the grid.

    >>> class_at(0, 0)[0], class_at(0, 1)[0], class_at(1, 0)[0]
    ('AA', 'AKs', 'AKo')
    """
    high, low = SIDE - 1 - min(row, column), SIDE - 1 - max(row, column)
    kind = "" if row == column else "s" if row < column else "o"
    return RANKS[high] + RANKS[low] + kind, class_hands(high, low, kind)


@cache
def class_places() -> tuple[list[str], Integers]:
    """The names of the classes, row by row, and where each of the 1,326 hands stands among them."""
    names, places = [], np.zeros(HAND_COUNT, dtype=np.int64)
    for place in range(SIDE * SIDE):
        name, hands = class_at(*divmod(place, SIDE))
        names.append(name)
        places[hands] = place
    return names, places
