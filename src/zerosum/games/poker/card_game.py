"""The base of the small poker games: a deck, one private card each, a board, betting, a showdown.

Each of these games defines its deck, its betting and which hand is stronger. A state is a pair of a public betting node
and a deal; both are nodes of trees, and every node is built once.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from zerosum.games.game import CHANCE, ONE, TWO, Action, Game
from zerosum.games.poker.betting import DEAL, Betting, BettingNode, LazyChildren
from zerosum.support.validation import check_choice

State = tuple[BettingNode, "DealNode"]


class Card(NamedTuple):
    """A card; ranks and suits count from zero."""

    rank: int
    suit: int
    rank_name: str
    suit_name: str

    def __str__(self) -> str:
        return self.rank_name + self.suit_name


def build_deck(ranks: int, suits: int) -> tuple[Card, ...]:
    """Return the cards of every rank in every suit, weakest rank first.

    >>> " ".join(str(card) for card in build_deck(3, 2))
    'Jc Jd Qc Qd Kc Kd'
    """
    best = "JQK" if ranks <= 3 else "23456789TJQKA"
    rank_names = list(best[-ranks:]) if ranks <= 13 else [str(rank + 1) for rank in range(ranks)]
    suit_names = [""] if suits == 1 else list("cdhs") if suits <= 4 else [f".{suit + 1}" for suit in range(suits)]
    return tuple(Card(rank, suit, rank_names[rank], suit_names[suit]) for rank in range(ranks) for suit in range(suits))


@dataclass(slots=True, eq=False)
class DealNode:
    """The cards so far: the first player's, the second player's, then the board.

    `private_views` is what each player sees of them; `winner_sign` is 1, 0 or -1 if the first player's hand is
    stronger, equal or weaker.
    """

    cards: tuple[Card, ...]
    private_views: tuple[str, str]
    winner_sign: int
    chances: Sequence[tuple[Card, float]]
    children: dict[Hashable, DealNode] = field(default_factory=dict, repr=False)


class PokerGame(Game):
    """One private card each; `infosets` says which cards a player can distinguish.

    - `card`: every card counts as different.
    - `rank`: suits are ignored.
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
        self.infosets = check_choice("infosets", infosets, words)
        self._root = (betting.root(), self._build_deal(()))

    @abstractmethod
    def strength(self, private: Card, board: Sequence[Card]) -> Any:
        """Return the strength of a private card with a full board: the greater of two wins."""

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
        return deal.private_views[betting.player], betting.line

    def payoff(self, state: State) -> float:
        return state[0].payoffs[state[1].winner_sign]

    def describe(self, infoset: Hashable) -> str:
        """
        >>> from zerosum.games.poker.leduc import Leduc
        >>> Leduc().describe(("Kc|Jd", "bet call / check bet"))
        'Kc|Jd|bet call / check bet'
        """
        return "|".join(infoset) if isinstance(infoset, tuple) else str(infoset)

    def _build_deal(self, cards: tuple[Card, ...]) -> DealNode:
        private_views, winner_sign, chances = ("", ""), 0, []
        if len(cards) >= 2:
            private_views = self._describe_cards(cards[ONE], cards[2:]), self._describe_cards(cards[TWO], cards[2:])
        if len(cards) == sum(self.betting.deals):
            strengths = self.strength(cards[ONE], cards[2:]), self.strength(cards[TWO], cards[2:])
            winner_sign = (strengths[ONE] > strengths[TWO]) - (strengths[ONE] < strengths[TWO])
        else:
            remaining = [card for card in self.cards if card not in cards]
            chances = [(card, 1 / len(remaining)) for card in remaining]
        deal = DealNode(cards, private_views, winner_sign, chances)
        deal.children = LazyChildren(partial(self._build_node_after_deal, cards))
        return deal

    def _build_node_after_deal(self, cards: tuple[Card, ...], card: Hashable) -> DealNode:
        if not isinstance(card, Card) or card not in self.cards or card in cards:
            raise ValueError(f"{card} is not left in the deck")
        return self._build_deal((*cards, card))

    def _describe_cards(self, private: Card, board: Sequence[Card]) -> str:
        if self.infosets == "card":
            return "|".join(str(card) for card in (private, *board))
        if self.infosets == "rank":
            return "|".join(card.rank_name for card in (private, *board))
        suited = (card.rank_name + ("s" if card.suit == private.suit else "o") for card in board)
        return "|".join((private.rank_name, *suited))
