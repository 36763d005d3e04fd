"""Two ranges against each other on a board: how they share the pot, hand by hand, and what they are made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rue.forms.treeplex import Floats
from rue.holdem.cards import HAND_COUNT, cards_name
from rue.holdem.categories import DRAWS, MADE, Categories, categories
from rue.holdem.equity import hand_equities
from rue.holdem.line import trace
from rue.holdem.ranges import Range
from rue.records import dataclass
from rue.results.range_decision import PLAYERS
from rue.results.spot import SpotResult
from rue.views.decision import SIDE, class_at

POINTS = 101
"""Of the curve of equities: from the best hand to the weakest, in steps of 1% of the range."""
BUCKETS = 10
"""Classes of equity: 0 to 10%, 10 to 20%, ..."""


@dataclass(frozen=True)
class ClassShare:
    """What is left of a class of hands: `share` of what there was at the start, and its equity if it meets a hand."""

    name: str
    row: int
    column: int
    share: float
    weight: float
    equity: float | None


@dataclass(frozen=True)
class SideView:
    """One range against the other: shares count how likely each hand is dealt, given both ranges.

    `curve` is the equity of the hand that `k`% of the range are at least as good as; `buckets` are the shares of hands
    by equity, from the lowest tenth on; `made` and `draws` the shares of the categories of `rue.holdem.categories`.
    """

    player: str
    combos: float
    equity: float | None
    classes: tuple[ClassShare, ...]
    curve: tuple[float, ...]
    buckets: tuple[float, ...]
    made: dict[str, float]
    draws: dict[str, float]


@dataclass(frozen=True)
class Versus:
    """Both ranges at a point of a solved spot: a decision, a card to come, or the end of the hand."""

    line: tuple[str, ...]
    board: str
    sides: tuple[SideView, SideView]

    @staticmethod
    def of(result: SpotResult, line: str | Sequence[str] = "") -> Versus:
        """The ranges after a line.

        >>> import rue
        >>> versus = Versus.of(rue.solve("spot:river", iterations=10), "check check")
        >>> round(sum(side.equity for side in versus.sides), 9)
        1.0
        """
        found = trace(result.spot, line)
        one, two = ranges_after(result, found.line)
        board = cards_name(found.board)
        there = categories(found.board)
        sides = tuple(
            _side(PLAYERS[player], own, other, there, result.spot.weights[player])
            for player, (own, other) in enumerate(((one, two), (two, one)))
        )
        return Versus(found.line, board, (sides[0], sides[1]))


def ranges_after(result: SpotResult, line: Sequence[str]) -> tuple[Floats, Floats]:
    """The reaches of both players after a line, 1,326 numbers each, also where nobody has a decision."""
    words = trace(result.spot, line).line
    if trace(result.spot, words).node is not None:
        return result.solution.glance(words).ranges
    point = result.solution.glance(words[:-1])
    ranges = [own.copy() for own in point.ranges]
    ranges[point.player][point.hands] *= point.strategy[point.actions.index(words[-1])]
    return ranges[0], ranges[1]


def _side(player: str, own: Floats, other: Floats, there: Categories, original: Floats) -> SideView:
    combos, equities, mass = float(own.sum()), np.full(HAND_COUNT, np.nan), np.zeros(HAND_COUNT)
    if own.any() and other.any():
        equities, mass = hand_equities(there.board, Range(_fit(own)), Range(_fit(other)))
    likely = own * mass
    total = float(likely.sum())
    if total <= 0:
        return SideView(player, combos, None, tuple(_classes(own, equities, likely, original)), (), (), {}, {})
    likely = likely / total
    held = np.flatnonzero(likely > 0)
    return SideView(
        player=player,
        combos=combos,
        equity=float(equities[held] @ likely[held]),
        classes=tuple(_classes(own, equities, likely, original)),
        curve=tuple(_curve(equities[held], likely[held])),
        buckets=tuple(_buckets(equities[held], likely[held])),
        made=_shares(MADE, there, likely),
        draws=_shares(DRAWS, there, likely),
    )


def _fit(reach: Floats) -> Floats:
    """A reach as the weights of a range, none of which is above 1."""
    return reach / max(1.0, float(reach.max()))


def _classes(own: Floats, equities: Floats, likely: Floats, original: Floats) -> list[ClassShare]:
    found = []
    for row in range(SIDE):
        for column in range(SIDE):
            name, hands = class_at(row, column)
            weight, whole = float(own[hands].sum()), float(original[hands].sum())
            if weight <= 0:
                continue
            known = hands[(likely[hands] > 0) & ~np.isnan(equities[hands])]
            equity = float(equities[known] @ likely[known] / likely[known].sum()) if known.size else None
            found.append(ClassShare(name, row, column, min(1.0, weight / max(whole, 1e-12)), weight, equity))
    return found


def _curve(equities: Floats, likely: Floats) -> list[float]:
    """The equity of the hand at each percent of the range, best first."""
    order = np.argsort(-equities, kind="stable")
    reached = np.cumsum(likely[order])
    at = np.searchsorted(reached, np.linspace(0.0, 1.0, POINTS) - 1e-12)
    return [float(equities[order[min(int(k), len(order) - 1)]]) for k in at]


def _buckets(equities: Floats, likely: Floats) -> list[float]:
    places = np.minimum((equities * BUCKETS).astype(int), BUCKETS - 1)
    return [float(share) for share in np.bincount(places, likely, BUCKETS)]


def _shares(names: tuple[str, ...], there: Categories, likely: Floats) -> dict[str, float]:
    shares = {name: float(likely[there.where(name)].sum()) for name in names}
    return {name: share for name, share in shares.items() if share > 0}
