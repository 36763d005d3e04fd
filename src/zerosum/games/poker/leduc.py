"""Leduc hold'em (Southey et al., Bayes' bluff, UAI 2005), also with more ranks and without limits."""

from __future__ import annotations

from collections.abc import Sequence

from zerosum.games.poker.betting import Betting
from zerosum.games.poker.card_game import Card, PokerGame, build_deck
from zerosum.support.errors import ZerosumError
from zerosum.support.validation import check_integer, check_numbers, check_positive


class _LeducGame(PokerGame):
    """One private card each and one board card; a card that pairs the board wins, else the higher rank."""

    def __init__(self, ranks: int, suits: int, betting: Betting, infosets: str) -> None:
        cards = build_deck(
            check_integer("ranks", ranks, least=1, most=100), check_integer("suits", suits, least=1, most=100)
        )
        if len(cards) < 3:
            raise ZerosumError(f"a deck of {ranks} ranks x {suits} suits has too few cards: the game deals three")
        super().__init__(cards, betting, infosets, ("card", "rank"))

    def strength(self, private: Card, board: Sequence[Card]) -> tuple[bool, int]:
        return private.rank == board[0].rank, private.rank


class Leduc(_LeducGame):
    """One private card each, a round of betting, one board card, a second round.

    A deck of J Q K in two suits, ante 1, bets of 2 then 4, at most two bets and raises a round. A card that
    pairs the board wins, else the higher rank. The first player loses 0.0856 a game.

    >>> game = Leduc()
    >>> jack, other_jack, queen, _, king, _ = game.cards
    >>> game.strength(jack, [other_jack]) > game.strength(king, [other_jack]) > game.strength(queen, [jack])
    True
    """

    def __init__(
        self,
        ranks: int = 3,
        suits: int = 2,
        raises: int = 2,
        bets: Sequence[float] = (2, 4),
        ante: float = 1,
        infosets: str = "card",
    ) -> None:
        betting = Betting(
            deals=(2, 1),
            ante=check_positive("ante", ante),
            bets=tuple(check_positive("every one of bets", bet) for bet in check_numbers("bets", bets, length=2)),
            raises=check_integer("raises", raises, least=0, most=1000),
        )
        super().__init__(ranks, suits, betting, infosets)


class BigLeduc(Leduc):
    """Leduc with twelve ranks and at most six bets and raises a round, as in Temperature regret matching."""

    def __init__(self, infosets: str = "card") -> None:
        super().__init__(ranks=12, raises=6, infosets=infosets)


class NoLimitLeduc(_LeducGame):
    """Leduc where a bet or raise is any whole number of chips, up to the whole stack behind the ante (Li et al., icfr).

    `bet 3` bets 3; `raise 2` calls and adds 2. There is no smallest raise and no limit on their number. When both
    players are all-in, the board is dealt and the cards are shown without further actions.

    >>> game = NoLimitLeduc(stack=2)
    >>> game.actions(game.child(game.child(game.root(), game.cards[0]), game.cards[1]))
    ('check', 'bet 1', 'bet 2')
    """

    def __init__(self, stack: int = 5, ranks: int = 3, suits: int = 2, infosets: str = "card") -> None:
        betting = Betting(deals=(2, 1), stack=check_integer("stack", stack, least=1, most=100_000))
        super().__init__(ranks, suits, betting, infosets)
