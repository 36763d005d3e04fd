"""Where a game in public form stores what the general form stores: decision by decision, hand by hand."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple

import numpy as np

from zerosum.engine.forms.public.rounds import BettingDecision, Board
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.treeplex import Integers
from zerosum.games.poker.card_game import PokerGame
from zerosum.support.errors import ZerosumError

Line = tuple[str, ...]
Name = Callable[[int, Board, Line], Hashable]
"""The general form's infoset of a hand, a board and the betting so far."""


class StoredRows(NamedTuple):
    """Where a decision is stored: its first action begins at `first`, and each action has `width` hands."""

    first: int
    width: int

    def row(self, action: int) -> slice:
        """Return the part of the store with the hands of an action."""
        return slice(self.first + action * self.width, self.first + (action + 1) * self.width)


def stored_rows(tree: PublicTree) -> Iterator[tuple[StoredRows, BettingDecision, Board, Line]]:
    """Yield every decision on every board, with the betting up to it as the games write it."""

    def visit(place: int, before: list[Line]) -> Iterator[tuple[StoredRows, BettingDecision, Board, Line]]:
        bundle, board = tree.bundle_at(place), tree.board_at(place)
        for member, betting in enumerate(bundle.rounds):
            for choice in betting.choices:
                row = bundle.row(member, choice.player, choice.first)
                at = tree.block(place, choice.player, row, len(choice.actions))
                stored = StoredRows(at.start, len(board.hands[choice.player]))
                yield stored, choice, board, (*before[member], *choice.line)
        ends = bundle.ends()
        for card in range(len(board.children)):
            for group, (numbers, _) in enumerate(bundle.next_rounds()):
                lines = [(*before[bundle.member(number)], *ends[number][0].line, "/") for number in numbers]
                yield from visit(tree.next_place(place, card, group), lines)

    return visit(0, [()])


def sequence_places(form: SequenceForm, tree: PublicTree, name: Name) -> tuple[Integers, Integers]:
    """Return the index of each sequence of the general form in the public store; -1 where there is none."""
    stored = tuple(np.full(treeplex.sequences, -1, dtype=np.int64) for treeplex in form.treeplexes)
    for place, choice, board, line in stored_rows(tree):
        player, treeplex = choice.player, form.treeplexes[choice.player]
        for w, hand in enumerate(board.hands[player]):
            infoset = treeplex.index.get(name(int(hand), board, line))
            if infoset is None:  # a hand that can meet none of the other player's
                continue
            if treeplex.actions[infoset] != choice.actions:
                raise ZerosumError(f"the two forms of {form.name} offer different actions at {form.describe(infoset)}")
            stored[player][treeplex.of(infoset)] = place.first + w + place.width * np.arange(len(choice.actions))
    return stored[0], stored[1]


def poker_sequence_places(game: PokerGame, form: SequenceForm, tree: PublicTree) -> tuple[Integers, Integers]:
    """Return the indices of `sequence_places` for a small poker game.

    Its infosets are a private card, the board and the betting.

    >>> from zerosum.engine.forms.sequence.form_compiler import compile_game
    >>> from zerosum.engine.forms.public.poker import poker_public_tree
    >>> from zerosum.games.poker.kuhn import Kuhn
    >>> poker_sequence_places(Kuhn(), compile_game(Kuhn()), poker_public_tree(Kuhn()))[0].min()
    np.int64(-1)
    """

    def name(hand: int, board: Board, line: Line) -> tuple[str, str]:
        return str(game.cards[hand]) + (f"|{board.label}" if board.label else ""), " ".join(line)

    return sequence_places(form, tree, name)
