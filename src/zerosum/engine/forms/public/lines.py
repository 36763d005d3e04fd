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
"""Fixed strategies, (actions, hands), by place, player and row of the first action."""


class StoredDecision(NamedTuple):
    """A decision as it is stored, by a line to it."""

    line: Line
    choice: BettingDecision
    place: int
    row: int
    """The row of its first action."""
    board: str
    """The cards on the table."""
    hands: Integers
    """The hands of its player, as they are held then."""

    @property
    def key(self) -> tuple[int, int, int]:
        """The key of its strategy in `FixedDecisions`."""
        return self.place, self.choice.player, self.row


class TreePosition(NamedTuple):
    """The position that a line leads to: a round of a place, by its index in the bundle."""

    place: int
    member: int
    board: Board
    cards: str
    """The cards on the table."""
    actual: tuple[Integers, Integers]
    """The hands of both players, as they are held."""
    line: Line = ()
    sources: tuple[Integers, Integers] | None = None
    """The index of each hand before the last card."""


def deal_card(tree: PublicTree, position: TreePosition, end: RoundEnd, card: str) -> TreePosition:
    """Return the position that a card leads to after the end of a round."""
    number, child = next((number, child) for number, child in enumerate(position.board.children) if card in child.names)
    bundle = tree.get_bundle(position.place)
    group, member = next(
        (group, deals.index(deal))
        for group, (deals, _) in enumerate(bundle.deal_groups)
        for deal in deals
        if bundle.ends_with_rows[deal][0] is end and bundle.find_round_of_end(deal) == position.member
    )
    sources = child.sources[child.names.index(card)]
    held, line = (position.actual[0][sources[0]], position.actual[1][sources[1]]), (*position.line, *end.line, card)
    return TreePosition(
        tree.find_next_place(position.place, number, group), member, child, position.cards + card, held, line, sources
    )


def find_decisions(
    tree: PublicTree, is_wanted: Callable[[Line], bool], position: TreePosition | None = None
) -> Iterator[StoredDecision]:
    """Yield the decisions from a position on, each once: of cards that are stored as one, the first.

    `is_wanted` says of the first steps of a line whether decisions there, or after them, are wanted.
    """
    position = position or TreePosition(0, 0, tree.board, tree.board.label, tree.board.hands)
    bundle = tree.get_bundle(position.place)
    betting = bundle.rounds[position.member]
    for choice in betting.choices:
        line = (*position.line, *choice.line)
        if is_wanted(line):
            row = bundle.map_row(position.member, choice.player, choice.first)
            yield StoredDecision(line, choice, position.place, row, position.cards, position.actual[choice.player])
    for end in betting.ends:
        if end.kind == DEAL and is_wanted((*position.line, *end.line)):
            for child in position.board.children:
                card = child.names[0]
                if is_wanted((*position.line, *end.line, card)):
                    yield from find_decisions(tree, is_wanted, deal_card(tree, position, end, card))


def pack_fixed_decisions(fixed: FixedDecisions) -> dict[str, NDArray[Any]]:
    """Return fixed strategies as arrays, for a saved run."""
    places = np.array(list(fixed), dtype=np.int64).reshape(-1, 3)
    return {"lock_places": places, "lock_chances": np.concatenate([np.ravel(block) for block in fixed.values()])}


def unpack_fixed_decisions(tree: PublicTree, array: Callable[[str], NDArray[Any]]) -> FixedDecisions:
    """Return the fixed strategies in the arrays of a saved run; raise a `ValueError` if they do not fit the tree."""
    places, chances = array("lock_places"), array("lock_chances")
    if places.ndim != 2 or places.shape[1] != 3 or places.dtype != np.int64 or chances.dtype != np.float64:
        raise ValueError("its locks are not laid out in places")
    fixed, offset = dict[tuple[int, int, int], Floats](), 0
    for place, player, first in places.tolist():
        decision = tree.find_decision(place, player, first)
        size = decision.at.stop - decision.at.start
        fixed[place, player, first] = chances[offset : offset + size].reshape(decision.actions, -1)
        offset += size
    if offset != chances.size or len(fixed) != len(places):
        raise ValueError("its locks do not fit the spot")
    return fixed
