"""The small poker games in public form: one private card each, a board, every card a card of its own."""

from __future__ import annotations

import numpy as np

from rue.errors import RueError
from rue.forms.public_tree import PublicTree
from rue.forms.rounds import DEAL, FOLD, NO_CARD, SHOWDOWN, Board, Choice, End, Round
from rue.forms.treeplex import Integers
from rue.games import betting
from rue.games.betting import Position
from rue.games.game import CHANCE, NOBODY
from rue.games.poker import Card, Poker


def poker_tree(game: Poker) -> PublicTree:
    """The public form of a small poker game; hands are numbered as the cards of its deck.

    When nobody can bet any more and cards are to come, they are dealt into rounds without a choice.

    >>> from rue.games.leduc import Leduc
    >>> tree = poker_tree(Leduc())
    >>> tree.infosets, tree.sequences, len(tree.boards)
    (936, 2186, 7)
    """
    if game.infosets != "card":
        raise RueError(f"{game}: the public form tells every card from every other, so infosets must be card")
    if len(game.cards) > NO_CARD:
        raise RueError(f"{game}: the public form has room for {NO_CARD} cards, not for {len(game.cards)}")
    first = game.betting.root().children[betting.DEAL].children[betting.DEAL]
    board = _board(game, ())
    weights = np.ones(len(game.cards))
    return PublicTree(game.name, _Rounds().round(first, 2), board, (weights, weights))


class _Rounds:
    """Makes the rounds of a game; what follows a deal depends only on the cards dealt and the chips paid."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, tuple[float, float]], Round] = {}

    def round(self, first: Position, dealt: int) -> Round:
        """The round that starts at a position, after so many cards."""
        key = dealt, first.paid
        if key not in self.known:
            self.known[key] = self._made(first, dealt)
        return self.known[key]

    def _made(self, first: Position, dealt: int) -> Round:
        choices: list[Choice] = []
        ends: list[End] = []
        count = [1, 1]
        pending: list[tuple[Position, tuple[int, int], tuple[str, ...], int]] = [(first, (0, 0), (), -1)]
        while pending:
            position, rows, line, last = pending.pop()
            if position.player == CHANCE:
                following = self.round(position.children[betting.DEAL], dealt + 1)
                ends.append(End(DEAL, rows, float(position.paid[0]), following=following, line=line))
            elif position.player == NOBODY:
                folder = last if line and line[-1] == betting.FOLD else -1
                amount = abs(position.pays[1 if folder < 0 else 0])
                ends.append(End(SHOWDOWN if folder < 0 else FOLD, rows, amount, folder, line=line))
            else:
                player, row = position.player, count[position.player]
                count[player] += len(position.actions)
                choices.append(Choice(player, position.actions, row, rows[player], line))
                for number, action in reversed(list(enumerate(position.actions))):
                    after = (row + number, rows[1]) if player == 0 else (rows[0], row + number)
                    pending.append((position.children[action], after, (*line, action), player))
        return Round(tuple(choices), tuple(ends), (count[0], count[1]))


def _board(game: Poker, dealt: tuple[Card, ...]) -> Board:
    """A board and all that may follow it."""
    left = [number for number, card in enumerate(game.cards) if card not in dealt]
    label = "|".join(str(card) for card in dealt)
    if len(dealt) == sum(game.betting.deals) - 2:
        strengths = [game.strength(game.cards[number], dealt) for number in left]
        ranking = sorted(set(strengths))
        ranks = np.array([ranking.index(strength) for strength in strengths], dtype=np.int64)
        order = np.argsort(ranks, kind="stable")
        hands = np.array(left, dtype=np.int64)[order]
        return Board((hands, hands), _cards(hands), strengths=(ranks[order], ranks[order]), label=label)
    hands = np.array(left, dtype=np.int64)
    board = Board((hands, hands), _cards(hands), label=label, chance=1.0 / (len(left) - 2))
    for number in left:
        child = _board(game, (*dealt, game.cards[number]))
        source = np.searchsorted(hands, child.hands[0])
        child.sources.append((source, source))
        child.names.append(str(game.cards[number]))
        board.children.append(child)
    return board


def _cards(hands: Integers) -> tuple[Integers, Integers]:
    cards = np.stack([hands, np.full_like(hands, NO_CARD)], axis=1)
    return cards, cards
