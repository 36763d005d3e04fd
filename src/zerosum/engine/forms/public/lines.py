"""Where the decisions of a card game are stored, by the lines that lead to them: actions, and cards between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.forms.public.rounds import DEAL, BettingDecision, Board, RoundEnd
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats, Integers

Line = tuple[str, ...]
FixedDecisions = Mapping[tuple[int, int, int], Floats]
"""Strategies that are fixed instead of learned, by place, player and row of the first action: actions times hands."""
LineFilter = Callable[[Line], bool]
"""Whether decisions are wanted that come after the first steps of a line."""


class StoredDecision(NamedTuple):
    """A decision as it is stored, by a line to it; `hands` are those of its player, as they are held then."""

    line: Line
    choice: BettingDecision
    place: int
    row: int
    """Of its first action."""
    board: str
    """The cards on the table."""
    hands: Integers

    @property
    def key(self) -> tuple[int, int, int]:
        """The key under which a fixed strategy of this decision is stored."""
        return self.place, self.choice.player, self.row


class TreePosition(NamedTuple):
    """The position that a line leads to: a round of a place, and the hands of both players as they are held."""

    place: int
    member: int
    board: Board
    cards: str
    actual: tuple[Integers, Integers]
    line: Line = ()
    sources: tuple[Integers, Integers] | None = None
    """Where the hands stood before the last card."""


def root_position(tree: PublicTree) -> TreePosition:
    """Return the position where every line begins."""
    return TreePosition(0, 0, tree.board, tree.board.label, tree.board.hands)


def deal_card(tree: PublicTree, at: TreePosition, end: RoundEnd, card: str) -> TreePosition:
    """Return the position that a card leads to after the end of a round."""
    number, child, which = next(
        (number, child, child.names.index(card))
        for number, child in enumerate(at.board.children)
        if card in child.names
    )
    bundle = tree.bundle_at(at.place)
    ends = bundle.ends()
    group, member = next(
        (group, member)
        for group, (deals, _) in enumerate(bundle.next_rounds())
        for member, deal in enumerate(deals)
        if ends[deal][0] is end and bundle.member(deal) == at.member
    )
    sources = child.sources[which]
    held, line = (at.actual[0][sources[0]], at.actual[1][sources[1]]), (*at.line, *end.line, card)
    return TreePosition(tree.next_place(at.place, number, group), member, child, at.cards + card, held, line, sources)


def find_decisions(tree: PublicTree, is_wanted: LineFilter, at: TreePosition | None = None) -> Iterator[StoredDecision]:
    """Yield the decisions from a position on that pass the filter, each once: of cards stored as one, the first."""
    at = root_position(tree) if at is None else at
    bundle = tree.bundle_at(at.place)
    betting = bundle.rounds[at.member]
    for choice in betting.choices:
        line = (*at.line, *choice.line)
        if is_wanted(line):
            row = bundle.row(at.member, choice.player, choice.first)
            yield StoredDecision(line, choice, at.place, row, at.cards, at.actual[choice.player])
    for end in betting.ends:
        if end.kind == DEAL and is_wanted((*at.line, *end.line)):
            for child in at.board.children:
                card = child.names[0]
                if is_wanted((*at.line, *end.line, card)):
                    yield from find_decisions(tree, is_wanted, deal_card(tree, at, end, card))


def fixed_to_arrays(fixed: FixedDecisions) -> dict[str, NDArray[Any]]:
    """Return fixed strategies as arrays, for a saved run."""
    places = np.array(list(fixed), dtype=np.int64).reshape(-1, 3)
    return {"lock_places": places, "lock_chances": np.concatenate([np.ravel(block) for block in fixed.values()])}


def fixed_from_arrays(tree: PublicTree, array: Callable[[str], NDArray[Any]]) -> FixedDecisions:
    """Return the fixed strategies in the arrays of a saved run, which are checked against the tree."""
    places, chances = array("lock_places"), array("lock_chances")
    if places.ndim != 2 or places.shape[1] != 3 or places.dtype != np.int64 or chances.dtype != np.float64:
        raise ValueError("its locks are not laid out in places")
    fixed, offset = dict[tuple[int, int, int], Floats](), 0
    for place, player, first in places.tolist():
        decision = tree.decision(place, player, first)
        size = decision.at.stop - decision.at.start
        fixed[place, player, first] = chances[offset : offset + size].reshape(decision.actions, -1)
        offset += size
    if offset != chances.size or len(fixed) != len(places):
        raise ValueError("its locks do not fit the spot")
    return fixed
