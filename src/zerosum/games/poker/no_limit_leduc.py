"""No-limit Leduc hold'em, as in Efficient CFR with instant updates (Li, Hu, Qi, Song)."""

from __future__ import annotations

from collections.abc import Sequence

from zerosum.games.parameters import check_integer
from zerosum.games.poker.betting import Betting
from zerosum.games.poker.card_game import Card, PokerGame
from zerosum.games.poker.leduc import leduc_deck


class NoLimitLeduc(PokerGame):
    """Leduc where a bet or raise is any whole number of chips, up to all of the stack behind the ante.

    `bet 3` bets 3; `raise 2` calls and adds 2. There is no least raise and no limit on their number. When
    both players are all in, the board is dealt and the cards are shown: nobody acts any more.

    >>> game = NoLimitLeduc(stack=2)
    >>> game.actions(game.child(game.child(game.root(), game.cards[0]), game.cards[1]))
    ('check', 'bet 1', 'bet 2')
    """

    def __init__(self, stack: int = 5, ranks: int = 3, suits: int = 2, infosets: str = "card") -> None:
        betting = Betting(deals=(2, 1), stack=check_integer("stack", stack, least=1, most=100_000))
        super().__init__(leduc_deck(ranks, suits), betting, infosets, ("card", "rank"))

    def strength(self, private: Card, board: Sequence[Card]) -> tuple[bool, int]:
        return private.rank == board[0].rank, private.rank
