"""Goofspiel, the game of pure strategy: sealed bids for prizes with the same cards on both sides."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache

from rue.games.game import CHANCE, NOBODY, ONE, TWO, Action, Game
from rue.games.parameters import whole, word

Cards = tuple[int, ...]
State = tuple[Cards, Cards, Cards, tuple[str, ...]]
"""The prizes shown, the bids of the first and of the second player, and who won each round."""


class Goofspiel(Game):
    """Both players hold the cards 1 to `cards`; each round both bid one for the next prize, at the same time.

    The higher bid wins the prize; equal bids split it. The prizes are 1 to `cards` in an order that both know
    (`ascending`, `descending`) or that is turned up round by round (`shuffled`). After a round both see the
    `bids`, or only the `winner`. The payoff is the difference of the `points` won, or 1, 0, -1 by who has
    more (`win`). The last round plays itself.

    The two bids of a round are two moves here; the second player does not see the first bid. The value is 0.

    >>> game = Goofspiel(3, order="ascending")
    >>> state = game.root()
    >>> for bid in (3, 1, 1, 3):
    ...     state = game.child(state, bid)
    >>> state
    ((1, 2, 3), (3, 1, 2), (1, 3, 2), ('one', 'two', 'nobody'))
    >>> game.payoff(state)
    -1.0
    """

    def __init__(self, cards: int = 5, order: str = "ascending", seen: str = "bids", payoff: str = "points") -> None:
        self.cards = tuple(range(1, whole("cards", cards, least=2, most=52) + 1))
        self.order = word("order", order, ("ascending", "descending", "shuffled"))
        self.seen = word("seen", seen, ("bids", "winner"))
        self.pays = word("payoff", payoff, ("points", "win"))
        known = {"ascending": self.cards, "descending": self.cards[::-1], "shuffled": ()}
        self._root: State = (known[self.order], (), (), ())

    def root(self) -> State:
        return self._root

    def player(self, state: State) -> int:
        prizes, ones, twos, _ = state
        if len(ones) > len(twos):
            return TWO
        if len(prizes) == len(ones):
            return NOBODY if len(ones) == len(self.cards) else CHANCE
        return ONE if len(ones) < len(self.cards) else NOBODY

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        left = _without(self.cards, state[0])
        return [(prize, 1 / len(left)) for prize in left]

    def actions(self, state: State) -> Sequence[int]:
        _, ones, twos, _ = state
        return _without(self.cards, twos if len(ones) > len(twos) else ones)

    def child(self, state: State, action: Action) -> State:
        assert isinstance(action, int)
        prizes, ones, twos, winners = state
        if len(ones) > len(twos):
            twos = (*twos, action)
            winners = (*winners, _winner(ones[-1], action))
            if len(twos) == len(self.cards) - 1:
                return self._last_round(prizes, ones, twos, winners)
            return prizes, ones, twos, winners
        if len(prizes) == len(ones):
            return (*prizes, action), ones, twos, winners
        return prizes, (*ones, action), twos, winners

    def infoset(self, state: State) -> Hashable:
        prizes, ones, twos, winners = state
        if self.order != "shuffled":
            prizes = ()
        if len(ones) == len(twos):
            return "one", prizes, ones, twos if self.seen == "bids" else winners
        return "two", prizes, twos, ones[:-1] if self.seen == "bids" else winners

    def payoff(self, state: State) -> float:
        prizes, _, _, winners = state
        sign = {"one": 1, "two": -1, "nobody": 0}
        margin = sum(prize * sign[winner] for prize, winner in zip(prizes, winners, strict=True))
        return float(margin if self.pays == "points" else (margin > 0) - (margin < 0))

    def describe(self, infoset: Hashable) -> str:
        """
        >>> Goofspiel(order="shuffled").describe(("two", (1, 4), (3,), (2,)))
        'two|prizes 1 4|bids 3|their bids 2'
        """
        assert isinstance(infoset, tuple)
        player, prizes, own, seen = infoset
        parts = [("prizes", prizes), ("bids", own), ("their bids" if self.seen == "bids" else "won by", seen)]
        return "|".join([player, *(" ".join([what, *map(str, cards)]) for what, cards in parts if cards)])

    def _last_round(self, prizes: Cards, ones: Cards, twos: Cards, winners: tuple[str, ...]) -> State:
        (one,), (two,) = _without(self.cards, ones), _without(self.cards, twos)
        prizes += _without(self.cards, prizes)
        return prizes, (*ones, one), (*twos, two), (*winners, _winner(one, two))


def _winner(one: int, two: int) -> str:
    return "one" if one > two else "two" if two > one else "nobody"


@lru_cache(maxsize=100_000)
def _without(cards: Cards, gone: Cards) -> Cards:
    return tuple(card for card in cards if card not in gone)
