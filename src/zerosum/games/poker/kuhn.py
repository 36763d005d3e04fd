"""Kuhn poker (Kuhn, A simplified two-person poker, 1950)."""

from __future__ import annotations

from collections.abc import Sequence

from zerosum.games.poker.betting import Betting
from zerosum.games.poker.card_game import Card, PokerGame, build_deck
from zerosum.support.validation import check_integer


class Kuhn(PokerGame):
    """One card each from J Q K, ante 1, one bet of 1; the higher card wins.

    The first player loses 1/18 a game.

    >>> game = Kuhn()
    >>> state = game.root()
    >>> for action in (game.cards[2], game.cards[0], "check", "bet", "call"):
    ...     state = game.child(state, action)
    >>> game.payoff(state)
    2.0
    """

    def __init__(self, ranks: int = 3) -> None:
        ranks = check_integer("ranks", ranks, least=2, most=100)
        super().__init__(build_deck(ranks, 1), Betting(deals=(2,), bets=(1,), raises=1))

    def strength(self, private: Card, board: Sequence[Card]) -> int:
        return private.rank
