"""Goofspiel, the game of pure strategy: sealed bids for prizes with the same cards on both sides."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache

from zerosum.games.game import CHANCE, ONE, TERMINAL, TWO, Action, Game
from zerosum.support.validation import check_choice, check_integer

Cards = tuple[int, ...]
State = tuple[Cards, Cards, Cards, tuple[str, ...]]
"""The prizes shown, the bids of the first and of the second player, and the winner of each round."""


class Goofspiel(Game):
    """Both players hold the cards 1 to `cards`; each round both bid one for the next prize, at the same time.

    The higher bid wins the prize; equal bids split it. The prizes are 1 to `cards` in an order that both know
    (`ascending`, `descending`) or that is turned up round by round (`shuffled`). After a round both see the
    `bids`, or only the `winner`. The payoff is the difference of the `points` won, or 1, 0 or -1 by the sign of
    that difference (`win`). The last round plays itself.

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
        self.cards = tuple(range(1, check_integer("cards", cards, least=2, most=52) + 1))
        self.order = check_choice("order", order, ("ascending", "descending", "shuffled"))
        self.seen = check_choice("seen", seen, ("bids", "winner"))
        self.pays = check_choice("payoff", payoff, ("points", "win"))
        prizes_by_order = {"ascending": self.cards, "descending": self.cards[::-1], "shuffled": ()}
        self._root: State = (prizes_by_order[self.order], (), (), ())

    def root(self) -> State:
        return self._root

    def player(self, state: State) -> int:
        prizes, bids_one, bids_two, _ = state
        if len(bids_one) > len(bids_two):
            return TWO
        if len(prizes) == len(bids_one):
            return TERMINAL if len(bids_one) == len(self.cards) else CHANCE
        return ONE if len(bids_one) < len(self.cards) else TERMINAL

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        left = _list_remaining_cards(self.cards, state[0])
        return [(prize, 1 / len(left)) for prize in left]

    def actions(self, state: State) -> Sequence[int]:
        _, bids_one, bids_two, _ = state
        return _list_remaining_cards(self.cards, bids_two if len(bids_one) > len(bids_two) else bids_one)

    def child(self, state: State, action: Action) -> State:
        assert isinstance(action, int)
        prizes, bids_one, bids_two, winners = state
        if len(bids_one) > len(bids_two):
            bids_two = (*bids_two, action)
            winners = (*winners, _winner_name(bids_one[-1], action))
            if len(bids_two) == len(self.cards) - 1:
                return self._play_last_round(prizes, bids_one, bids_two, winners)
            return prizes, bids_one, bids_two, winners
        if len(prizes) == len(bids_one):
            return (*prizes, action), bids_one, bids_two, winners
        return prizes, (*bids_one, action), bids_two, winners

    def infoset(self, state: State) -> Hashable:
        prizes, bids_one, bids_two, winners = state
        if self.order != "shuffled":
            prizes = ()
        if len(bids_one) == len(bids_two):
            return "one", prizes, bids_one, bids_two if self.seen == "bids" else winners
        return "two", prizes, bids_two, bids_one[:-1] if self.seen == "bids" else winners

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
        player, prizes, bids, observed = infoset
        parts = [("prizes", prizes), ("bids", bids), ("their bids" if self.seen == "bids" else "won by", observed)]
        return "|".join([player, *(" ".join([title, *map(str, cards)]) for title, cards in parts if cards)])

    def _play_last_round(self, prizes: Cards, bids_one: Cards, bids_two: Cards, winners: tuple[str, ...]) -> State:
        (last_one,), (last_two,) = (
            _list_remaining_cards(self.cards, bids_one),
            _list_remaining_cards(self.cards, bids_two),
        )
        prizes += _list_remaining_cards(self.cards, prizes)
        return prizes, (*bids_one, last_one), (*bids_two, last_two), (*winners, _winner_name(last_one, last_two))


def _winner_name(bid_one: int, bid_two: int) -> str:
    return "one" if bid_one > bid_two else "two" if bid_two > bid_one else "nobody"


@lru_cache(maxsize=100_000)
def _list_remaining_cards(cards: Cards, gone: Cards) -> Cards:
    return tuple(card for card in cards if card not in gone)
