"""The small poker games in public form: one private card for each player, a board, and no two equal cards."""

from __future__ import annotations

import numpy as np

from zerosum.engine.forms.public.rounds import DEAL, FOLD, NO_CARD, SHOWDOWN, BettingDecision, Board, Round, RoundEnd
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Integers
from zerosum.games.game import CHANCE, TERMINAL
from zerosum.games.poker import betting
from zerosum.games.poker.betting import BettingNode
from zerosum.games.poker.card_game import Card, PokerGame
from zerosum.support.errors import ZerosumError


def poker_public_tree(game: PokerGame) -> PublicTree:
    """Return the public form of a small poker game; hands are numbered as the cards of its deck.

    When nobody can bet any more and cards are to come, they are dealt into rounds without a choice.

    >>> from zerosum.games.poker.leduc import Leduc
    >>> tree = poker_public_tree(Leduc())
    >>> tree.infosets, tree.sequences, len(tree.boards)
    (936, 2186, 7)
    """
    if game.infosets != "card":
        raise ZerosumError(f"{game}: the public form distinguishes all cards: pass infosets=card")
    if len(game.cards) > NO_CARD:
        raise ZerosumError(
            f"{game}: the public form takes at most {NO_CARD} cards, not {len(game.cards)}: use a smaller deck"
        )
    first = game.betting.root().children[betting.DEAL].children[betting.DEAL]
    board = _board(game, ())
    weights = np.ones(len(game.cards))
    return PublicTree(game.name, _RoundBuilder().round(first, 2), board, (weights, weights))


class _RoundBuilder:
    """Builds the rounds of a game; a round depends only on the number of cards dealt and the chips paid before."""

    def __init__(self) -> None:
        self.cache: dict[tuple[int, tuple[float, float]], Round] = {}

    def round(self, first: BettingNode, dealt: int) -> Round:
        """Return the round that starts at a position, after `dealt` cards."""
        key = dealt, first.paid
        if key not in self.cache:
            self.cache[key] = self._build(first, dealt)
        return self.cache[key]

    def _build(self, first: BettingNode, dealt: int) -> Round:
        choices: list[BettingDecision] = []
        ends: list[RoundEnd] = []
        count = [1, 1]
        pending: list[tuple[BettingNode, tuple[int, int], tuple[str, ...], int]] = [(first, (0, 0), (), -1)]
        while pending:
            position, rows, line, last = pending.pop()
            if position.player == CHANCE:
                next_round = self.round(position.children[betting.DEAL], dealt + 1)
                ends.append(RoundEnd(DEAL, rows, float(position.paid[0]), next_round=next_round, line=line))
            elif position.player == TERMINAL:
                folder = last if line and line[-1] == betting.FOLD else -1
                amount = abs(position.payoffs[1 if folder < 0 else 0])
                ends.append(RoundEnd(SHOWDOWN if folder < 0 else FOLD, rows, amount, folder, line=line))
            else:
                player, row = position.player, count[position.player]
                count[player] += len(position.actions)
                choices.append(BettingDecision(player, position.actions, row, rows[player], line))
                for number, action in reversed(list(enumerate(position.actions))):
                    after = (row + number, rows[1]) if player == 0 else (rows[0], row + number)
                    pending.append((position.children[action], after, (*line, action), player))
        return Round(tuple(choices), tuple(ends), (count[0], count[1]))


def _board(game: PokerGame, dealt: tuple[Card, ...]) -> Board:
    """Return a board and all that may follow it."""
    remaining = [number for number, card in enumerate(game.cards) if card not in dealt]
    label = "|".join(str(card) for card in dealt)
    if len(dealt) == sum(game.betting.deals) - 2:
        strengths = [game.strength(game.cards[number], dealt) for number in remaining]
        ranking = sorted(set(strengths))
        ranks = np.array([ranking.index(strength) for strength in strengths], dtype=np.int64)
        order = np.argsort(ranks, kind="stable")
        hands = np.array(remaining, dtype=np.int64)[order]
        return Board((hands, hands), _cards(hands), strengths=(ranks[order], ranks[order]), label=label)
    hands = np.array(remaining, dtype=np.int64)
    board = Board((hands, hands), _cards(hands), label=label, chance=1.0 / (len(remaining) - 2))
    for number in remaining:
        child = _board(game, (*dealt, game.cards[number]))
        source = np.searchsorted(hands, child.hands[0])
        child.sources.append((source, source))
        child.names.append(str(game.cards[number]))
        board.children.append(child)
    return board


def _cards(hands: Integers) -> tuple[Integers, Integers]:
    cards = np.stack([hands, np.full_like(hands, NO_CARD)], axis=1)
    return cards, cards
