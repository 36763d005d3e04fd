"""The small poker games in public form: one private card for each player, a board, and no two equal cards."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

import numpy as np

from zerosum.engine.forms.public.lines import Line
from zerosum.engine.forms.public.rounds import DEAL, FOLD, NO_CARD, SHOWDOWN, BettingDecision, Board, Round, RoundEnd
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.treeplex import Integers
from zerosum.games.game import CHANCE, TERMINAL
from zerosum.games.poker import betting
from zerosum.games.poker.betting import BettingNode
from zerosum.games.poker.card_game import Card, PokerGame
from zerosum.support.errors import ZerosumError

InfosetName = Callable[[int, Board, Line], Hashable]
"""Returns the sequence form's infoset of a hand, a board and the betting so far."""


def build_poker_tree(game: PokerGame) -> PublicTree:
    """Return the public form of a small poker game; hands are numbered as the cards of its deck.

    When nobody can bet any more and cards are to come, they are dealt into rounds without a choice.

    >>> from zerosum.games.poker.leduc import Leduc
    >>> tree = build_poker_tree(Leduc())
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
    weights = np.ones(len(game.cards))
    return PublicTree(game.name, _make_round_builder()(first, 2), _build_board(game, ()), (weights, weights))


def _make_round_builder() -> Callable[[BettingNode, int], Round]:
    """Return a function that builds the round after a position, given the number of cards dealt.

    A round depends only on that number and on the chips paid before, so equal rounds are built once.
    """
    cache: dict[tuple[int, tuple[float, float]], Round] = {}

    def build_round(first: BettingNode, dealt: int) -> Round:
        if (dealt, first.paid) in cache:
            return cache[dealt, first.paid]
        choices: list[BettingDecision] = []
        ends: list[RoundEnd] = []
        count = [1, 1]
        pending: list[tuple[BettingNode, tuple[int, int], tuple[str, ...], int]] = [(first, (0, 0), (), -1)]
        while pending:
            position, rows, line, last = pending.pop()
            if position.player == CHANCE:
                next_round = build_round(position.children[betting.DEAL], dealt + 1)
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
        cache[dealt, first.paid] = Round(tuple(choices), tuple(ends), (count[0], count[1]))
        return cache[dealt, first.paid]

    return build_round


def _build_board(game: PokerGame, dealt: tuple[Card, ...]) -> Board:
    """Return a board and all that may follow it."""
    hands = np.array([number for number, card in enumerate(game.cards) if card not in dealt], dtype=np.int64)
    label = "|".join(str(card) for card in dealt)
    if len(dealt) == sum(game.betting.deals) - 2:
        strengths = [game.strength(game.cards[number], dealt) for number in hands]
        ranking = sorted(set(strengths))
        ranks = np.array([ranking.index(strength) for strength in strengths], dtype=np.int64)
        order = np.argsort(ranks, kind="stable")
        hands, ranks = hands[order], ranks[order]
        return Board((hands, hands), _list_cards(hands), strengths=(ranks, ranks), label=label)
    board = Board((hands, hands), _list_cards(hands), label=label, chance=1.0 / (len(hands) - 2))
    for number in hands:
        child = _build_board(game, (*dealt, game.cards[number]))
        source = np.searchsorted(hands, child.hands[0])
        child.sources.append((source, source))
        child.names.append(str(game.cards[number]))
        board.children.append(child)
    return board


def _list_cards(hands: Integers) -> tuple[Integers, Integers]:
    """Return the cards of each player's hands: of two, the second is missing."""
    cards = np.stack([hands, np.full_like(hands, NO_CARD)], axis=1)
    return cards, cards


def iterate_stored_decisions(tree: PublicTree) -> Iterator[tuple[slice, BettingDecision, Board, Line]]:
    """Yield the part of the store of every decision, the decision, its board, and the betting up to it.

    The betting has a slash for each deal, as the games write it.
    """
    lines: dict[int, list[Line]] = {0: [()]}
    for place in range(len(tree.tables.places)):
        bundle, board, before = tree.get_bundle(place), tree.get_board(place), lines.pop(place)
        for member, played_round in enumerate(bundle.rounds):
            for choice in played_round.choices:
                row = bundle.map_row(member, choice.player, choice.first)
                at = tree.slice_decision(place, choice.player, row, len(choice.actions))
                yield at, choice, board, (*before[member], *choice.line)
        for group, (deals, _) in enumerate(bundle.deal_groups):
            after = [
                (*before[bundle.find_round_of_end(deal)], *bundle.ends_with_rows[deal][0].line, "/") for deal in deals
            ]
            for card in range(len(board.children)):
                lines[tree.find_next_place(place, card, group)] = after


def map_sequences(form: SequenceForm, tree: PublicTree, name: InfosetName) -> tuple[Integers, Integers]:
    """Return the index of each sequence of the sequence form in the public store; -1 where there is none."""
    first, second = (np.full(treeplex.sequences, -1, dtype=np.int64) for treeplex in form.treeplexes)
    for at, choice, board, line in iterate_stored_decisions(tree):
        treeplex, indices = form.treeplexes[choice.player], (first, second)[choice.player]
        hands = board.hands[choice.player]
        for w, hand in enumerate(hands):
            infoset = treeplex.index.get(name(int(hand), board, line))
            if infoset is None:  # a hand that can meet none of the other player's
                continue
            if treeplex.actions[infoset] != choice.actions:
                raise ZerosumError(f"the two forms of {form.name} offer different actions at {form.describe(infoset)}")
            indices[treeplex.sequences_of(infoset)] = range(at.start + w, at.stop, len(hands))
    return first, second


def map_poker_sequences(game: PokerGame, form: SequenceForm, tree: PublicTree) -> tuple[Integers, Integers]:
    """Return the indices of `map_sequences` for a small poker game.

    Its infosets are a private card, the board and the betting.

    >>> from zerosum.engine.forms.sequence.form_compiler import compile_game
    >>> from zerosum.games.poker.kuhn import Kuhn
    >>> map_poker_sequences(Kuhn(), compile_game(Kuhn()), build_poker_tree(Kuhn()))[0].min()
    np.int64(-1)
    """

    def name(hand: int, board: Board, line: Line) -> tuple[str, str]:
        return str(game.cards[hand]) + (f"|{board.label}" if board.label else ""), " ".join(line)

    return map_sequences(form, tree, name)
