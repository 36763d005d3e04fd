"""What the small poker games share: a deck, one private card each, a board, betting, a showdown.

A game of this kind says how its deck looks, how the betting goes and which hand is stronger. A state is a
pair of public betting and deal; both are trees of their own whose nodes are made once.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from rue.games.betting import DEAL, Betting, Branches, Position
from rue.games.game import CHANCE, ONE, TWO, Action, Game
from rue.games.parameters import word

State = tuple[Position, "Deal"]


class Card(NamedTuple):
    """A card; ranks and suits count from zero."""

    rank: int
    suit: int
    rank_name: str
    suit_name: str

    def __str__(self) -> str:
        return self.rank_name + self.suit_name


def deck(ranks: int, suits: int) -> tuple[Card, ...]:
    """Every rank in every suit, weakest rank first.

    >>> " ".join(str(card) for card in deck(3, 2))
    'Jc Jd Qc Qd Kc Kd'
    """
    best = "JQK" if ranks <= 3 else "23456789TJQKA"
    rank_names = list(best[-ranks:]) if ranks <= 13 else [str(rank + 1) for rank in range(ranks)]
    suit_names = list("cdhs") if 1 < suits <= 4 else [f".{suit + 1}" for suit in range(suits)]
    if suits == 1:
        suit_names = [""]
    return tuple(Card(rank, suit, rank_names[rank], suit_names[suit]) for rank in range(ranks) for suit in range(suits))


@dataclass(slots=True, eq=False)
class Deal:
    """The cards so far: the first player's, the second player's, then the board.

    `views` is what each player sees of them; `ahead` is 1, 0 or -1 as the first player's hand is the
    stronger, equal or the weaker.
    """

    cards: tuple[Card, ...]
    views: tuple[str, str]
    ahead: int
    chances: Sequence[tuple[Card, float]]
    children: dict[Hashable, Deal] = field(default_factory=dict, repr=False)


class Poker(Game):
    """One private card each; `infosets` says what of the cards makes an infoset.

    - `card`: every card counts as different.
    - `rank`: suits are not looked at.
    - `suited`: ranks, and whether a board card has the suit of the private one (`s`) or not (`o`).
    """

    def __init__(
        self,
        cards: tuple[Card, ...],
        betting: Betting,
        infosets: str = "card",
        words: Sequence[str] = ("card",),
    ) -> None:
        self.cards = cards
        self.betting = betting
        self.infosets = word("infosets", infosets, words)
        self._root = (betting.root(), self._deal(()))

    @abstractmethod
    def strength(self, own: Card, board: Sequence[Card]) -> Any:
        """How strong a private card is with a full board: the greater of two wins."""

    def root(self) -> State:
        return self._root

    def player(self, state: State) -> int:
        return state[0].player

    def chances(self, state: State) -> Sequence[tuple[Card, float]]:
        return state[1].chances

    def actions(self, state: State) -> Sequence[str]:
        return state[0].actions

    def child(self, state: State, action: Action) -> State:
        betting, deal = state
        if betting.player == CHANCE:
            return betting.children[DEAL], deal.children[action]
        return betting.children[action], deal

    def infoset(self, state: State) -> tuple[str, str]:
        betting, deal = state
        return deal.views[betting.player], betting.line

    def payoff(self, state: State) -> float:
        return state[0].pays[state[1].ahead]

    def describe(self, infoset: Hashable) -> str:
        """
        >>> from rue.games.leduc import Leduc
        >>> Leduc().describe(("Kc|Jd", "bet call / check bet"))
        'Kc|Jd|bet call / check bet'
        """
        return "|".join(infoset) if isinstance(infoset, tuple) else str(infoset)

    def _deal(self, cards: tuple[Card, ...]) -> Deal:
        views, ahead, chances = ("", ""), 0, []
        if len(cards) >= 2:
            one, two, *board = cards
            views = self._view(one, board), self._view(two, board)
        if len(cards) == sum(self.betting.deals):
            strengths = self.strength(cards[ONE], cards[2:]), self.strength(cards[TWO], cards[2:])
            ahead = (strengths[ONE] > strengths[TWO]) - (strengths[ONE] < strengths[TWO])
        else:
            left = [card for card in self.cards if card not in cards]
            chances = [(card, 1 / len(left)) for card in left]
        deal = Deal(cards, views, ahead, chances)
        deal.children = Branches(partial(self._dealt, cards))
        return deal

    def _dealt(self, cards: tuple[Card, ...], card: Hashable) -> Deal:
        if not isinstance(card, Card) or card not in self.cards or card in cards:
            raise ValueError(f"{card} is not left in the deck")
        return self._deal((*cards, card))

    def _view(self, own: Card, board: Sequence[Card]) -> str:
        if self.infosets == "card":
            return "|".join(str(card) for card in (own, *board))
        if self.infosets == "rank":
            return "|".join(card.rank_name for card in (own, *board))
        seen = (card.rank_name + ("s" if card.suit == own.suit else "o") for card in board)
        return "|".join((own.rank_name, *seen))
