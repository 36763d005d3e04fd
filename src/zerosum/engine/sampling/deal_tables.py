"""Tables of a public form for walks with dealt hands: what follows each action, and which cards may come.

A walk that knows both hands needs numbers, not vectors. So the rows of each hand at a place are adjacent here (in the
public form, the hands of each row are), and the payoffs at the ends are computed before the walk: the folds, the
showdown and the all-ins of a street differ only by `amount` and `due`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zerosum.engine.forms.public import columns
from zerosum.engine.forms.public.columns import NOT_STRONGER, WEAKER
from zerosum.engine.forms.public.rounds import FOLD, SHOWDOWN, Round, RoundEnd
from zerosum.engine.forms.public.tables import make_int_table
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats, Integers

ONE_FOLDS, TWO_FOLDS, SHOWDOWN_WINNER, ALLIN_HERE, OUTCOMES = 0, 1, 2, 3, 4
"""What decides the payoff of an end, for each level of deals."""

# Columns of `choices`; those before `AFTER` are the public form's.
AFTER = 3
"""The index in `after` of what follows its first action."""
CHOICE_COLUMNS = 4

# Columns of `ends`.
DECIDED_BY = 0
"""What decides its payoff; -1 at a deal."""
END_GROUPS = 1
"""At a deal: the number of groups of the bundle."""
END_GROUP = 2
"""At a deal: its group."""
NEXT_NODE = 3
"""At a deal: the node that opens the round."""
END_COLUMNS = 4

# Columns of `boards`.
HANDS = 0
"""The first hand in `compare` and `representatives`; the hands of player 2 follow those of player 1."""
HANDS_ONE = 1
HANDS_TWO = 2
LEVEL = 3
FIRST_CHILD = 4
FIRST_CARD = 5
CARDS = 6
EQUITY = 7
"""The offset of its equities; -1 if there are none."""
BOARD_COLUMNS = 8

# Columns of `places`.
BOARD = 0
FIRST_PLACE = 1
"""The first place that follows: card by card, group by group."""
START = 2
"""The offset of its numbers: for player 1, for player 2."""
HAND_ROWS = 4
"""The number of rows of a hand: for player 1, for player 2."""


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
    boards, children = _boards(tree)
    arrivals, arrival = _arrivals(tree)
    tables = [alias_table(weights) for weights in tree.weights]
    return DealTables(
        *_nodes(tree),
        boards,
        children,
        arrivals,
        arrival,
        np.ascontiguousarray(tree.tables.compare[:, [WEAKER, NOT_STRONGER]]),
        tree.tables.equity,
        _representatives(tree),
        _places(tree),
        np.concatenate([chances for chances, _ in tables]),
        np.concatenate([aliases for _, aliases in tables]),
        np.concatenate([_bits(cards) for cards in tree.board.cards]),
    )


def alias_table(weights: Floats) -> tuple[Floats, Any]:
    """Return chances and aliases: k drawn uniformly, kept with chance[k], else alias[k], has the given weights.

    >>> chance, alias = alias_table(np.array([1.0, 3.0]))
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


def _bits(cards: Integers) -> Any:
    """Return the cards of each hand as bits; the missing second card has none."""
    ones = np.left_shift(np.uint64(1), cards.astype(np.uint64))
    return np.bitwise_or(ones[:, 0], ones[:, 1]) & np.uint64((1 << 52) - 1)


def _nodes(tree: PublicTree) -> tuple[Any, Any, Any, Floats, Floats]:
    """Return choices, what follows them, ends, amounts and rake, bundle by bundle as in the public form."""
    lines, levels = _lines(tree), _levels(tree)
    numbers = {bundle.rounds: number for number, bundle in enumerate(tree.bundles)}
    choices: list[tuple[int, ...]] = []
    after: list[int] = []
    ends: list[tuple[int, ...]] = []
    for bundle, nodes in zip(tree.bundles, lines, strict=True):
        following = bundle.deal_groups
        for member, betting in enumerate(bundle.rounds):
            for choice in betting.choices:
                first = bundle.map_row(member, choice.player, choice.first) - bundle.entries
                choices.append((choice.player, first, len(choice.actions), len(after)))
                after += [nodes[member][(*choice.line, action)] for action in choice.actions]
        deals = {number: (group, k) for group, (ends_, _) in enumerate(following) for k, number in enumerate(ends_)}
        for number, (end, _) in enumerate(bundle.ends):
            if number in deals:
                group, entry = deals[number]
                ends.append((-1, len(following), group, lines[numbers[following[group][1]]][entry][()]))
            else:
                ends.append((OUTCOMES * levels[bundle.rounds[bundle.find_member(number)]] + _outcome(end), 0, 0, 0))
    choices.append((-1, 0, 1, len(after)))
    after.append(lines[0][0][()])
    small = np.int32
    return (
        make_int_table(choices, CHOICE_COLUMNS).astype(small),
        np.array(after, small),
        make_int_table(ends, END_COLUMNS).astype(small),
        tree.tables.amounts,
        tree.tables.rake,
    )


def _outcome(end: RoundEnd) -> int:
    if end.kind == FOLD:
        return ONE_FOLDS if end.folder == 0 else TWO_FOLDS
    return SHOWDOWN_WINNER if end.kind == SHOWDOWN else ALLIN_HERE


def _lines(tree: PublicTree) -> list[list[dict[tuple[str, ...], int]]]:
    """Return the node that a line leads to, for each round of each bundle: a choice, or -1 - end."""
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


def _levels(tree: PublicTree) -> dict[Round, int]:
    """Return the number of deals before each round."""
    levels = {tree.first: 0}
    for betting in tree.rounds:
        for end in betting.deals:
            assert end.next_round is not None
            if levels.setdefault(end.next_round, levels[betting] + 1) != levels[betting] + 1:
                raise AssertionError("a round that is played on two streets")
    return levels


def _boards(tree: PublicTree) -> tuple[Any, Any]:
    levels = [0] * len(tree.boards)
    rows: list[tuple[int, ...]] = []
    children: list[int] = []
    for number, board in enumerate(tree.boards):
        widths, count = [len(hands) for hands in board.hands], len(board.children)
        first = int(tree.tables.boards[number, columns.FIRST_CHILD])
        equity = int(tree.tables.boards[number, columns.EQUITY])
        levels[first : first + count] = [levels[number] + 1] * count
        cards = [first + k for k, child in enumerate(board.children) for _ in child.sources]
        start = tree.slice_hands(number, 0).start
        rows.append((start, *widths, levels[number], first, len(children), len(cards), equity))
        children += cards
    return make_int_table(rows, BOARD_COLUMNS), np.array(children, dtype=np.int32)


def _places(tree: PublicTree) -> Integers:
    before = np.array([0, tree.store_sizes[0]])
    starts = tree.tables.places[:, columns.START : columns.START + 2] + before
    rows = tree.row_counts - tree.entry_counts[:, None]
    first = tree.tables.places[:, [columns.BOARD, columns.FIRST_PLACE]]
    return np.column_stack([first, starts, rows])


def _representatives(tree: PublicTree) -> Any:
    isomorphic = []
    for board in tree.boards:
        everyone = [np.arange(len(hands)) for hands in board.hands]
        numbers = everyone if board.representatives is None else board.representatives
        isomorphic += [array.astype(np.int16) for array in numbers]
    return np.concatenate(isomorphic)


def _arrivals(tree: PublicTree) -> tuple[Integers, Any]:
    """Return the index of each hand after each card that may come: the inverse of `sources`."""
    starts: list[tuple[int, int]] = []
    arrivals: list[Any] = []
    size = 0
    for board in tree.boards:
        for child in board.children:
            for pair in child.sources:
                starts.append((size, size + len(board.hands[0])))
                for player in (0, 1):
                    indices = np.full(len(board.hands[player]), -1, dtype=np.int16)
                    indices[pair[player]] = np.arange(len(pair[player]))
                    arrivals.append(indices)
                    size += len(indices)
    return make_int_table(starts, 2), np.concatenate([*arrivals, np.zeros(0, np.int16)])
