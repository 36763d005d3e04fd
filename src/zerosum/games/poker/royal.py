"""Royal poker, as in Solving imperfect-information games via exponential CFR (Li et al.)."""

from __future__ import annotations

from collections.abc import Sequence

from zerosum.games.poker.betting import Betting
from zerosum.games.poker.card_game import Card, PokerGame, build_deck

J, Q, K, A = range(4)


class Royal(PokerGame):
    """J Q K A in two suits, one private card each, a board card before the second and the third round.

    Ante 1, bets of 2, 4 and 4, at most two bets and raises a round. Hands, strongest first:

    - the private card and both board cards in one suit; of two such hands the higher private card;
    - a straight, Q K A over J Q K, the private card not compared;
    - the private card pairs a board card, the higher pair first;
    - the higher private card.

    >>> game = Royal()
    >>> jack, queen, king, ace = game.cards[::2]
    >>> game.strength(jack, [queen, game.cards[5]]) < game.strength(ace, [queen, game.cards[5]])
    True
    >>> game.strength(jack, [queen, king]) > game.strength(game.cards[7], [queen, king])
    True
    """

    def __init__(self, infosets: str = "card") -> None:
        betting = Betting(deals=(2, 1, 1), bets=(2, 4, 4), raises=2)
        super().__init__(build_deck(4, 2), betting, infosets, ("card", "suited", "rank"))

    def strength(self, private: Card, board: Sequence[Card]) -> tuple[int, int]:
        ranks = {private.rank, *(card.rank for card in board)}
        if all(card.suit == private.suit for card in board):
            return 3, private.rank
        if ranks in ({J, Q, K}, {Q, K, A}):
            return 2, max(ranks)
        return int(any(card.rank == private.rank for card in board)), private.rank
