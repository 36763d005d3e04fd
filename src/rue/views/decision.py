"""A decision of a solved spot as data: frequencies, the 13 by 13 classes of hands, single hands, both ranges."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from rue.errors import RueError
from rue.forms.treeplex import Floats
from rue.holdem.cards import RANKS, hand_name
from rue.holdem.ranges import Range, class_hands
from rue.results.solution import PLAYERS, RangeDecision
from rue.results.spot import SpotResult

SIDE = 13


@dataclass(frozen=True)
class HandView:
    """What one hand does and earns: `evs` in chips net of half the pot, `equity` if nobody bets any more."""

    hand: str
    reach: float
    equity: float | None
    ev: float
    strategy: dict[str, float]
    evs: dict[str, float]


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


@dataclass(frozen=True)
class DecisionView:
    """A decision: who acts where, how often each action is taken and with how many hands, and by which hands.

    `classes` go row by row from aces down, pairs on the diagonal, suited hands above it; those of which nothing is left
    are missing. `ranges` are both players' hands with their weights.
    """

    line: tuple[str, ...]
    board: str
    player: str
    pot: float
    equity: float | None
    actions: tuple[str, ...]
    frequencies: dict[str, float]
    combos: dict[str, float]
    hands: tuple[HandView, ...]
    classes: tuple[ClassView, ...]
    ranges: dict[str, dict[str, float]]
    note: str = ""

    def shown(self) -> dict[str, Any]:
        """What is told of it beside the numbers of its result, ready for JSON."""
        return {**({"note": self.note} if self.note else {}), "point": asdict(self)}

    @staticmethod
    def of(result: SpotResult, line: str = "", hand: str | None = None) -> DecisionView:
        """The decision that a line leads to; of its hands all, or those of a text like AKs or AsKd."""
        point, spot = result.at(line), result.spot
        return DecisionView(
            line=point.line,
            board=point.board,
            player=PLAYERS[point.player],
            pot=point.pot,
            equity=_known(point.equity),
            actions=point.actions,
            frequencies=point.frequencies,
            combos=_by_action(point, point.strategy @ point.reach),
            hands=tuple(_hands(point, hand)),
            classes=tuple(_classes(point, spot.weights[point.player])),
            ranges={who: _range(weights) for who, weights in zip(PLAYERS, point.ranges, strict=True)},
            note=point.note,
        )


def _known(share: float) -> float | None:
    """A number for JSON, which has no nan."""
    return None if math.isnan(share) else float(share)


def _by_action(point: RangeDecision, numbers: Floats) -> dict[str, float]:
    return dict(zip(point.actions, numbers.tolist(), strict=True))


def _range(weights: Floats) -> dict[str, float]:
    return {hand_name(int(number)): float(weights[number]) for number in np.flatnonzero(weights > 0)}


def _hands(point: RangeDecision, hand: str | None) -> Iterator[HandView]:
    wanted = np.ones(len(point.ranges[0])) if hand is None else Range.parse(hand).weights
    numbers = [k for k, number in enumerate(point.hands) if wanted[number] > 0 and point.reach[k] > 0]
    if not numbers:
        raise RueError(f"no hand of {hand} gets here" if hand is not None else "no hand gets here")
    for k in sorted(numbers, key=lambda k: -int(point.hands[k])):
        yield HandView(
            hand_name(int(point.hands[k])),
            float(point.reach[k]),
            _known(point.equities[k]),
            float(point.ev[k]),
            _by_action(point, point.strategy[:, k]),
            _by_action(point, point.evs[:, k]),
        )


def _classes(point: RangeDecision, original: Floats) -> Iterator[ClassView]:
    """The classes of the range; `original` are the weights that count as whole."""
    place = np.full(len(point.ranges[0]), -1)
    place[point.hands] = np.arange(len(point.hands))
    reaches, likely, evs = point.reach, point.likelihood, point.ev
    for row in range(SIDE):
        for column in range(SIDE):
            name, numbers = class_at(row, column)
            own = place[numbers]
            own = own[own >= 0]
            reach = reaches[own]
            weight = float(reach.sum())
            if weight <= 0:
                continue
            whole = float(original[numbers].sum())
            mean = likely[own] / likely[own].sum() if likely[own].any() else reach / weight
            yield ClassView(
                name,
                row,
                column,
                min(1.0, weight / max(whole, 1e-12)),
                weight,
                float(evs[own] @ mean),
                _by_action(point, point.strategy[:, own] @ mean),
                _by_action(point, point.evs[:, own] @ mean),
            )


def class_at(row: int, column: int) -> tuple[str, Any]:
    """The name and the hands of the class at a place of the grid.

    >>> class_at(0, 0)[0], class_at(0, 1)[0], class_at(1, 0)[0]
    ('AA', 'AKs', 'AKo')
    """
    high, low = SIDE - 1 - min(row, column), SIDE - 1 - max(row, column)
    kind = "" if row == column else "s" if row < column else "o"
    return RANKS[high] + RANKS[low] + kind, class_hands(high, low, kind)
