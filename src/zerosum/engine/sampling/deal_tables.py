"""Tables of a public form for walks with dealt hands: what follows each action, and which cards may come.

A walk that knows both hands needs numbers, not vectors. So the rows of each hand at a place are adjacent here (in the
public form, the hands of each row are), and the payoffs at the ends are computed before the walk: those of the folds,
the showdowns and the all-ins of a street differ only by amount and rake.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zerosum.engine.forms.public import columns
from zerosum.engine.forms.public.columns import NOT_STRONGER, WEAKER
from zerosum.engine.forms.public.rounds import FOLD, SHOWDOWN, RoundEnd
from zerosum.engine.forms.public.tables import make_int_table
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats, Integers

ONE_FOLDS, TWO_FOLDS, SHOWDOWN_WINNER, ALLIN_HERE, OUTCOMES = range(5)
"""What decides the payoff of an end; the payoffs of each level of deals are stored in this order."""

# Columns of `choices`, after those of the public form: the index in `after` of what follows the first action.
AFTER, CHOICE_COLUMNS = 3, 4

# Columns of `ends`: the index of the payoff that decides the end, -1 at a deal; and for a deal the number of groups of
# the bundle, the group of the deal, and the node that opens the next round.
DECIDED_BY, END_GROUPS, END_GROUP, NEXT_NODE, END_COLUMNS = range(5)

# Columns of `boards`: the first hand in `compare` and `representatives` (the hands of player 2 follow those of player
# 1); the number of hands of each player; the level; the first board that follows; the first card in `children` and the
# number of cards; the first equity, -1 if there is none.
HANDS, HANDS_ONE, HANDS_TWO, LEVEL, FIRST_CHILD, FIRST_CARD, CARDS, EQUITY, BOARD_COLUMNS = range(9)

# Columns of `places`: the board; the first place that follows, card by card and group by group; and for each player the
# offset of its numbers, and the number of rows of a hand.
BOARD, FIRST_PLACE, START, HAND_ROWS = 0, 1, 2, 4


class DealTables(NamedTuple):
    """The tables of a public form for the walks with dealt hands."""

    choices: Any
    """The decisions of every bundle; the last row leads to the first node."""
    after: Any
    """What follows an action: a choice, or -1 - end."""
    ends: Any
    amounts: Floats
    rake: Floats
    boards: Any
    children: Any
    """The board of each card."""
    arrivals: Integers
    """For each card and player, the offset in `arrival`."""
    arrival: Any
    """The index of each hand after a card; -1 if it holds the card."""
    compare: Any
    """For each hand of player 1 at a showdown: how many hands of player 2 are weaker, and how many not stronger."""
    equity: Any
    representatives: Any
    """For each hand of each board, the isomorphic hand whose numbers it shares."""
    places: Any
    chances: Any
    """For the first board's hands of both players: the probability that a drawn hand is kept (alias method)."""
    aliases: Any
    """The hand that replaces a drawn hand that is not kept."""
    cards: Any
    """The cards of each of these hands, a bit for each card."""


def build_deal_tables(tree: PublicTree) -> DealTables:
    """Build the tables of a tree.

    >>> from zerosum.engine.forms.public.poker import build_poker_tree
    >>> from zerosum.games.poker.kuhn import Kuhn
    >>> tables = build_deal_tables(build_poker_tree(Kuhn()))
    >>> len(tables.choices), len(tables.ends), tables.chances.tolist()
    (5, 5, [1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    """
    before = np.array([0, tree.store_sizes[0]])
    starts = tree.tables.places[:, columns.START : columns.START + 2] + before
    followers = tree.tables.places[:, [columns.BOARD, columns.FIRST_PLACE]]
    chances, aliases = zip(*map(build_alias_table, tree.weights), strict=True)
    return DealTables(
        **_build_node_tables(tree),
        **_build_board_tables(tree),
        amounts=tree.tables.amounts,
        rake=tree.tables.rake,
        compare=np.ascontiguousarray(tree.tables.compare[:, [WEAKER, NOT_STRONGER]]),
        equity=tree.tables.equity,
        places=np.column_stack([followers, starts, tree.row_counts - tree.entry_counts[:, None]]),
        chances=np.concatenate(chances),
        aliases=np.concatenate(aliases),
        cards=np.concatenate([_cards_to_bits(cards) for cards in tree.board.cards]),
    )


def build_alias_table(weights: Floats) -> tuple[Floats, Any]:
    """Return the tables of the alias method, `chance` and `alias`, for weights.

    If k is drawn uniformly, kept with probability chance[k] and replaced by alias[k] otherwise, it has these weights.

    >>> chance, alias = build_alias_table(np.array([1.0, 3.0]))
    >>> chance.tolist(), alias.tolist()
    ([0.5, 1.0], [1, 1])
    """
    count = len(weights)
    chance: Floats = np.array(weights * (count / weights.sum()))
    alias = np.arange(count, dtype=np.int32)
    small = [k for k in range(count) if chance[k] < 1.0]
    large = [k for k in range(count) if chance[k] >= 1.0]
    while small and large:
        low, high = small.pop(), large[-1]
        alias[low] = high
        chance[high] -= 1.0 - chance[low]
        if chance[high] < 1.0:
            small.append(large.pop())
    for k in small + large:
        chance[k] = 1.0
    return chance, alias


def _cards_to_bits(cards: Integers) -> Any:
    """Return the cards of each hand as bits; the missing second card of a hand of one card has none."""
    bits = np.left_shift(np.uint64(1), cards.astype(np.uint64))
    return np.bitwise_or(bits[:, 0], bits[:, 1]) & np.uint64((1 << 52) - 1)


def _build_node_tables(tree: PublicTree) -> dict[str, Any]:
    """Return choices, what follows them, and ends, bundle by bundle as in the public form."""
    nodes = _number_nodes(tree)
    numbers = {bundle.rounds: number for number, bundle in enumerate(tree.bundles)}
    levels = {0: 0}
    choices: list[tuple[int, ...]] = []
    after: list[int] = []
    ends: list[tuple[int, ...]] = []
    for number, bundle in enumerate(tree.bundles):
        for member, betting in enumerate(bundle.rounds):
            for choice in betting.choices:
                first = bundle.map_row(member, choice.player, choice.first) - bundle.entries
                choices.append((choice.player, first, len(choice.actions), len(after)))
                after += [nodes[number][member][(*choice.line, action)] for action in choice.actions]
        deals = {}
        for group, (members, next_rounds) in enumerate(bundle.deal_groups):
            follower = numbers[next_rounds]
            if levels.setdefault(follower, levels[number] + 1) != levels[number] + 1:
                raise AssertionError("a round that is played on two streets")
            for entry, end_number in enumerate(members):
                deals[end_number] = (-1, len(bundle.deal_groups), group, nodes[follower][entry][()])
        for end_number, (end, _) in enumerate(bundle.ends_with_rows):
            payoff = OUTCOMES * levels[number] + _find_outcome(end)
            ends.append(deals.get(end_number, (payoff, 0, 0, 0)))
    choices.append((-1, 0, 1, len(after)))
    after.append(nodes[0][0][()])
    return {
        "choices": make_int_table(choices, CHOICE_COLUMNS).astype(np.int32),
        "after": np.array(after, np.int32),
        "ends": make_int_table(ends, END_COLUMNS).astype(np.int32),
    }


def _find_outcome(end: RoundEnd) -> int:
    if end.kind == FOLD:
        return ONE_FOLDS if end.folder == 0 else TWO_FOLDS
    return SHOWDOWN_WINNER if end.kind == SHOWDOWN else ALLIN_HERE


def _number_nodes(tree: PublicTree) -> list[list[dict[tuple[str, ...], int]]]:
    """Return the node that each line leads to, for each round of each bundle: a choice, or -1 - end."""
    nodes: list[list[dict[tuple[str, ...], int]]] = []
    choices = ends = 0
    for bundle in tree.bundles:
        nodes.append([])
        for betting in bundle.rounds:
            lines = {choice.line: choices + k for k, choice in enumerate(betting.choices)}
            lines |= {end.line: -1 - ends - k for k, end in enumerate(betting.ends)}
            nodes[-1].append(lines)
            choices, ends = choices + len(betting.choices), ends + len(betting.ends)
    return nodes


def _build_board_tables(tree: PublicTree) -> dict[str, Any]:
    """Return boards, their cards, the index of each hand after each card, and representatives of isomorphic hands."""
    levels = [0] * len(tree.boards)
    boards: list[tuple[int, ...]] = []
    children: list[int] = []
    arrivals: list[tuple[int, int]] = []
    arrival: list[Any] = []
    representatives: list[Any] = []
    size = 0
    for number, board in enumerate(tree.boards):
        widths = [len(hands) for hands in board.hands]
        first, equity = tree.tables.boards[number, [columns.FIRST_CHILD, columns.EQUITY]].tolist()
        levels[first : first + len(board.children)] = [levels[number] + 1] * len(board.children)
        cards = sum(len(child.sources) for child in board.children)
        start = tree.slice_hands(number, 0).start
        boards.append((start, *widths, levels[number], first, len(children), cards, equity))
        representatives += map(np.arange, widths) if board.representatives is None else board.representatives
        for position, child in enumerate(board.children, first):
            for sources in child.sources:
                children.append(position)
                arrivals.append((size, size + widths[0]))
                for hands, width in zip(sources, widths, strict=True):
                    indices = np.full(width, -1, dtype=np.int16)
                    indices[hands] = np.arange(len(hands))
                    arrival.append(indices)
                size += sum(widths)
    return {
        "boards": make_int_table(boards, BOARD_COLUMNS),
        "children": np.array(children, dtype=np.int32),
        "arrivals": make_int_table(arrivals, 2),
        "arrival": np.concatenate([*arrival, np.zeros(0, np.int16)]),
        "representatives": np.concatenate([hands.astype(np.int16) for hands in representatives]),
    }
