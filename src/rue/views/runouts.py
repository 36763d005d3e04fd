"""What each card that may come next does: how often the player to act bets on it, and what it is worth."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rue.errors import RueError
from rue.holdem.cards import CARDS, card_name
from rue.holdem.line import trace
from rue.records import dataclass
from rue.results.range_decision import PLAYERS, RangeDecision
from rue.results.spot import SpotResult


@dataclass(frozen=True)
class CardView:
    """A card: what the player out of position, who acts first, does on it, and wins with the whole range.

    `ev` is chips from there on and `equity` the share of the pot if nobody bets any more; None where no deal gets
    there, or before they were computed.
    """

    card: str
    frequencies: tuple[float, ...] | None
    ev: float | None = None
    equity: float | None = None


@dataclass(frozen=True)
class Runouts:
    """The cards that may come after a line, and the first decision that follows each of them."""

    line: tuple[str, ...]
    board: str
    pot: float
    player: str
    actions: tuple[str, ...]
    sizes: tuple[float | None, ...]
    cards: tuple[CardView, ...]
    note: str = ""

    @staticmethod
    def of(result: SpotResult, line: str | Sequence[str], evs: bool = True) -> Runouts:
        """Every card after a line; without `evs` at once, with how often each action is taken only.

        >>> import rue
        >>> runouts = Runouts.of(rue.solve("spot:turn", iterations=2), "check check", evs=False)
        >>> len(runouts.cards), runouts.actions
        (48, ('check', 'bet 450', 'bet 900', 'allin'))
        """
        found = trace(result.spot, line)
        following = None if found.leaf is None else found.leaf.following
        if following is None:
            raise RueError(f"no card comes after {' '.join(found.line) or 'the start'}")
        first = following.choices[0]
        names = [card_name(card) for card in range(CARDS) if card not in found.board]
        kept = following.street <= result.solution.last
        points = _points(result, found.line, names, evs) if kept else None
        cards = [CardView(name, None) for name in names] if points is None else [_card(*each, evs) for each in points]
        sizes: tuple[float | None, ...] = (None,) * len(first.actions)
        if kept:
            sizes = result.solution.glance((*found.line, names[0])).sizes
        return Runouts(
            line=found.line,
            board="".join(card_name(card) for card in found.board),
            pot=following.pot,
            player=PLAYERS[first.player],
            actions=first.actions,
            sizes=sizes,
            cards=tuple(cards),
            note="" if kept else f"the {following.name} was not saved: a card is solved again when it is looked at",
        )


def _points(
    result: SpotResult, line: tuple[str, ...], cards: Sequence[str], evs: bool
) -> Iterator[tuple[str, RangeDecision]]:
    look = result.solution.at if evs else result.solution.glance
    for card in cards:
        yield card, look((*line, card))


def _card(card: str, point: RangeDecision, evs: bool) -> CardView:
    likely = point.likelihood
    total = float(likely.sum())
    if total <= 0:
        return CardView(card, None)
    frequencies = tuple(point.frequencies.values())
    if not evs:
        return CardView(card, frequencies)
    equity = point.equity
    return CardView(card, frequencies, float(point.ev @ likely) / total, None if math.isnan(equity) else equity)
