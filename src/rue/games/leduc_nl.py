"""No-limit Leduc hold'em, as in Efficient CFR with instant updates (Li, Hu, Qi, Song)."""

from __future__ import annotations

from collections.abc import Sequence

from rue.games.betting import Betting
from rue.games.leduc import leduc_deck
from rue.games.parameters import whole
from rue.games.poker import Card, Poker


class NoLimitLeduc(Poker):
    """Leduc where a bet or raise is any whole number of chips, up to all of the stack behind the ante.

    `bet 3` bets 3; `raise 2` calls and adds 2. There is no least raise and no limit on their number. When
    both players are all in, the board is dealt and the cards are shown: nobody acts any more.

    >>> game = NoLimitLeduc(stack=2)
    >>> game.actions(game.child(game.child(game.root(), game.cards[0]), game.cards[1]))
    ('check', 'bet 1', 'bet 2')
    """

    def __init__(self, stack: int = 5, ranks: int = 3, suits: int = 2, infosets: str = "card") -> None:
        betting = Betting(deals=(2, 1), stack=whole("stack", stack, least=1, most=100_000))
        super().__init__(leduc_deck(ranks, suits), betting, infosets, ("card", "rank"))

    def strength(self, own: Card, board: Sequence[Card]) -> tuple[bool, int]:
        return own.rank == board[0].rank, own.rank
