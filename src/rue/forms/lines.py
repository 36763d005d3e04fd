"""Where the decisions of a card game are stored, by the lines that lead to them: actions, and cards between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rue.forms.public_tree import PublicTree
from rue.forms.rounds import DEAL, Board, Choice, End
from rue.forms.treeplex import Floats, Integers

Line = tuple[str, ...]
Given = Mapping[tuple[int, int, int], Floats]
"""What is given instead of learned, by place, player and row of the first action: chances of actions times hands."""
Leads = Callable[[Line], bool]
"""Whether decisions after the beginning of a line are wanted."""


class StoredDecision(NamedTuple):
    """A decision as it is stored, by a line to it; `hands` are those of its player, as they are held then."""

    line: Line
    choice: Choice
    place: int
    row: int
    """Of its first action."""
    board: str
    """The cards on the table."""
    hands: Integers

    @property
    def key(self) -> tuple[int, int, int]:
        """What is given there is entered under this."""
        return self.place, self.choice.player, self.row


class Position(NamedTuple):
    """Where a line has led to: one of the rounds of a place, and the hands of both players as they are held."""

    place: int
    member: int
    board: Board
    cards: str
    actual: tuple[Integers, Integers]
    line: Line = ()
    sources: tuple[Integers, Integers] | None = None
    """Where the hands stood before the last card."""


def beginning(tree: PublicTree) -> Position:
    """Where every line begins."""
    return Position(0, 0, tree.board, tree.board.label, tree.board.hands)


def dealt(tree: PublicTree, at: Position, end: End, card: str) -> Position:
    """Where a card leads to after the end of a round."""
    number, child, which = next(
        (number, child, child.names.index(card))
        for number, child in enumerate(at.board.children)
        if card in child.names
    )
    bundle = tree.bundle_at(at.place)
    ends = bundle.ends()
    group, member = next(
        (group, member)
        for group, (deals, _) in enumerate(bundle.following())
        for member, deal in enumerate(deals)
        if ends[deal][0] is end and bundle.member(deal) == at.member
    )
    one, two = sources = child.sources[which]
    held, line = (at.actual[0][one], at.actual[1][two]), (*at.line, *end.line, card)
    return Position(tree.following(at.place, number, group), member, child, at.cards + card, held, line, sources)


def stored_decisions(tree: PublicTree, leads: Leads, at: Position | None = None) -> Iterator[StoredDecision]:
    """The decisions from a position on that are wanted, each once: of cards that are stored as one, the first."""
    at = beginning(tree) if at is None else at
    bundle = tree.bundle_at(at.place)
    betting = bundle.rounds[at.member]
    for choice in betting.choices:
        line = (*at.line, *choice.line)
        if leads(line):
            row = bundle.row(at.member, choice.player, choice.first)
            yield StoredDecision(line, choice, at.place, row, at.cards, at.actual[choice.player])
    for end in betting.ends:
        if end.kind == DEAL and leads((*at.line, *end.line)):
            for child in at.board.children:
                card = child.names[0]
                if leads((*at.line, *end.line, card)):
                    yield from stored_decisions(tree, leads, dealt(tree, at, end, card))


def given_arrays(given: Given) -> dict[str, NDArray[Any]]:
    """What is given as arrays, for a saved run."""
    places = np.array(list(given), dtype=np.int64).reshape(-1, 3)
    return {"lock_places": places, "lock_chances": np.concatenate([np.ravel(block) for block in given.values()])}


def given_of(tree: PublicTree, array: Callable[[str], NDArray[Any]]) -> Given:
    """What the arrays of a saved run say is given; nothing in them is taken for granted."""
    places, chances = array("lock_places"), array("lock_chances")
    if places.ndim != 2 or places.shape[1] != 3 or places.dtype != np.int64 or chances.dtype != np.float64:
        raise ValueError("its locks are not laid out in places")
    found, at = dict[tuple[int, int, int], Floats](), 0
    for place, player, first in places.tolist():
        decision = tree.decision(place, player, first)
        size = decision.at.stop - decision.at.start
        found[place, player, first] = chances[at : at + size].reshape(decision.actions, -1)
        at += size
    if at != chances.size or len(found) != len(places):
        raise ValueError("its locks do not fit the spot")
    return found
