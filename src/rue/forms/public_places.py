"""Where a game in public form stores what the general form stores: decision by decision, hand by hand."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple

import numpy as np

from rue.errors import RueError
from rue.forms.public_tree import PublicTree
from rue.forms.rounds import Board, Choice
from rue.forms.sequence_form import SequenceForm
from rue.forms.treeplex import Integers
from rue.games.poker import Poker

Line = tuple[str, ...]
Name = Callable[[int, Board, Line], Hashable]
"""The general form's infoset of a hand, a board and the betting so far."""


class StoredRows(NamedTuple):
    """Where a decision is stored: its first action begins at `first`, and each action has `width` hands."""

    first: int
    width: int

    def row(self, action: int) -> slice:
        """The hands of an action."""
        return slice(self.first + action * self.width, self.first + (action + 1) * self.width)


def decisions(tree: PublicTree) -> Iterator[tuple[StoredRows, Choice, Board, Line]]:
    """Every decision on every board, with the betting up to it as the games write it."""

    def visit(place: int, before: list[Line]) -> Iterator[tuple[StoredRows, Choice, Board, Line]]:
        bundle, board = tree.bundle_at(place), tree.board_at(place)
        for member, betting in enumerate(bundle.rounds):
            for choice in betting.choices:
                row = bundle.row(member, choice.player, choice.first)
                at = tree.block(place, choice.player, row, len(choice.actions))
                stored = StoredRows(at.start, len(board.hands[choice.player]))
                yield stored, choice, board, (*before[member], *choice.line)
        ends = bundle.ends()
        for card in range(len(board.children)):
            for group, (numbers, _) in enumerate(bundle.following()):
                lines = [(*before[bundle.member(number)], *ends[number][0].line, "/") for number in numbers]
                yield from visit(tree.following(place, card, group), lines)

    return visit(0, [()])


def places_of(form: SequenceForm, tree: PublicTree, name: Name) -> tuple[Integers, Integers]:
    """The place of each sequence of the general form in the store of the public one; -1 where there is none."""
    stored = tuple(np.full(treeplex.sequences, -1, dtype=np.int64) for treeplex in form.treeplexes)
    for place, choice, board, line in decisions(tree):
        player, treeplex = choice.player, form.treeplexes[choice.player]
        for w, hand in enumerate(board.hands[player]):
            infoset = treeplex.index.get(name(int(hand), board, line))
            if infoset is None:  # a hand that can meet none of the other player's
                continue
            if treeplex.actions[infoset] != choice.actions:
                raise RueError(f"the two forms of {form.name} offer different actions at {form.describe(infoset)}")
            stored[player][treeplex.of(infoset)] = place.first + w + place.width * np.arange(len(choice.actions))
    return stored[0], stored[1]


def poker_places(game: Poker, form: SequenceForm, tree: PublicTree) -> tuple[Integers, Integers]:
    """The places of a small poker game, whose infosets are a private card, the board and the betting.

    >>> from rue.forms.compile import compile_game
    >>> from rue.forms.poker_public import poker_tree
    >>> from rue.games.kuhn import Kuhn
    >>> poker_places(Kuhn(), compile_game(Kuhn()), poker_tree(Kuhn()))[0].min()
    np.int64(-1)
    """

    def name(hand: int, board: Board, line: Line) -> tuple[str, str]:
        return str(game.cards[hand]) + (f"|{board.label}" if board.label else ""), " ".join(line)

    return places_of(form, tree, name)
