"""The public form as a walk with two dealt hands sees it: what follows each action, which cards may come.

A walk that knows both hands needs numbers, not vectors. So a player's rows of one hand at a place lie side by side
here (the public form's store has the hands of one row side by side), and what an end pays is known before the walk:
a fold, the showdown and an all-in of each street differ by their `amount` and their `due` alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rue.forms import public_form
from rue.forms.public_form import NOT_STRONGER, WEAKER
from rue.forms.public_tables import table
from rue.forms.public_tree import PublicTree
from rue.forms.rounds import FOLD, SHOWDOWN, End, Round
from rue.forms.treeplex import Floats, Integers

ONE_FOLDS, TWO_FOLDS, SHOWN, ALLIN_HERE, OUTCOMES = 0, 1, 2, 3, 4
"""What decides an end, for each level of deals."""

# Columns of `choices`; those before `AFTER` are the public form's.
AFTER = 3
"""What follows its first action, in `after`."""
CHOICE_COLUMNS = 4

# Columns of `ends`.
DECIDED_BY = 0
"""What decides it; -1 at a deal."""
END_GROUPS = 1
"""At a deal: groups of the bundle."""
END_GROUP = 2
"""At a deal: its group."""
OPENS = 3
"""At a deal: the node that opens the round."""
END_COLUMNS = 4

# Columns of `boards`.
HANDS = 0
"""The first hand in `compare` and `alike`; those of two follow those of one."""
ONES = 1
TWOS = 2
LEVEL = 3
FIRST_CHILD = 4
FIRST_CARD = 5
CARDS = 6
EQUITY = 7
"""Where its equities begin; -1 if there are none."""
BOARD_COLUMNS = 8

# Columns of `places`.
BOARD = 0
FIRST_PLACE = 1
"""The first place that follows: card by card, group by group."""
START = 2
"""Where its numbers begin: of one, of two."""
HAND_ROWS = 4
"""How many numbers a hand has there: of one, of two."""


class Dealt(NamedTuple):
    """The tables of a public form for the walks with dealt hands."""

    choices: Any
    """The decisions of every bundle; the last one stands before the first node."""
    after: Any
    """What follows an action: a choice, or -1 - end."""
    ends: Any
    amounts: Floats
    dues: Floats
    boards: Any
    children: Any
    """The board of each card."""
    arrivals: Integers
    """For each card and player the start in `arrival`."""
    arrival: Any
    """The place of each hand after a card, -1 if it holds the card."""
    compare: Any
    """For each hand of one where hands are compared: hands of two that are weaker, and not stronger."""
    equity: Any
    alike: Any
    """For each hand of each board the one whose numbers it shares: suits that are interchangeable play alike."""
    places: Any
    chances: Any
    """For the hands of the first board of one, then of two: the chance that a draw of the hand keeps it (alias method).
    """
    aliases: Any
    """The hand dealt instead."""
    cards: Any
    """The cards of each of these hands, as a set of bits."""


def dealt(tree: PublicTree) -> Dealt:
    """The tables of a tree.

    >>> from rue.forms.poker_public import poker_tree
    >>> from rue.games.kuhn import Kuhn
    >>> tables = dealt(poker_tree(Kuhn()))
    >>> len(tables.choices), len(tables.ends), tables.chances.tolist()
    (5, 5, [1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    """
    boards, children = _boards(tree)
    arrivals, arrival = _arrivals(tree)
    tables = [alias_table(weights) for weights in tree.weights]
    return Dealt(
        *_nodes(tree),
        boards,
        children,
        arrivals,
        arrival,
        np.ascontiguousarray(tree.form.compare[:, [WEAKER, NOT_STRONGER]]),
        tree.form.equity,
        _alike(tree),
        _places(tree),
        np.concatenate([chances for chances, _ in tables]),
        np.concatenate([aliases for _, aliases in tables]),
        np.concatenate([_bits(cards) for cards in tree.board.cards]),
    )


def alias_table(weights: Floats) -> tuple[Floats, Any]:
    """Chances and aliases: k drawn uniformly, kept with chance[k], else alias[k], is drawn in proportion to weights.

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
    """The cards of each hand as a set; the missing second card is in none."""
    ones = np.left_shift(np.uint64(1), cards.astype(np.uint64))
    return np.bitwise_or(ones[:, 0], ones[:, 1]) & np.uint64((1 << 52) - 1)


def _nodes(tree: PublicTree) -> tuple[Any, Any, Any, Floats, Floats]:
    """Choices, what follows them, ends, amounts and dues, bundle by bundle as in the public form."""
    lines, levels = _lines(tree), _levels(tree)
    numbers = {bundle.rounds: number for number, bundle in enumerate(tree.bundles)}
    choices: list[tuple[int, ...]] = []
    after: list[int] = []
    ends: list[tuple[int, ...]] = []
    for bundle, known in zip(tree.bundles, lines, strict=True):
        following = bundle.following()
        for member, betting in enumerate(bundle.rounds):
            for choice in betting.choices:
                first = bundle.row(member, choice.player, choice.first) - bundle.entries
                choices.append((choice.player, first, len(choice.actions), len(after)))
                after += [known[member][(*choice.line, action)] for action in choice.actions]
        deals = {number: (group, k) for group, (found, _) in enumerate(following) for k, number in enumerate(found)}
        for number, (end, _) in enumerate(bundle.ends()):
            if number in deals:
                group, entry = deals[number]
                ends.append((-1, len(following), group, lines[numbers[following[group][1]]][entry][()]))
            else:
                ends.append((OUTCOMES * levels[bundle.rounds[bundle.member(number)]] + _outcome(end), 0, 0, 0))
    choices.append((-1, 0, 1, len(after)))
    after.append(lines[0][0][()])
    small = np.int32
    return (
        table(choices, CHOICE_COLUMNS).astype(small),
        np.array(after, small),
        table(ends, END_COLUMNS).astype(small),
        tree.form.amounts,
        tree.form.dues,
    )


def _outcome(end: End) -> int:
    if end.kind == FOLD:
        return ONE_FOLDS if end.folder == 0 else TWO_FOLDS
    return SHOWN if end.kind == SHOWDOWN else ALLIN_HERE


def _lines(tree: PublicTree) -> list[list[dict[tuple[str, ...], int]]]:
    """For each round of each bundle the node that a line leads to: a choice, or -1 - end."""
    found: list[list[dict[tuple[str, ...], int]]] = []
    choices = ends = 0
    for bundle in tree.bundles:
        found.append([])
        for betting in bundle.rounds:
            lines = {choice.line: choices + k for k, choice in enumerate(betting.choices)}
            lines |= {end.line: -1 - ends - k for k, end in enumerate(betting.ends)}
            found[-1].append(lines)
            choices, ends = choices + len(betting.choices), ends + len(betting.ends)
    return found


def _levels(tree: PublicTree) -> dict[Round, int]:
    """How many deals come before each round."""
    levels = {tree.first: 0}
    for betting in tree.rounds:
        for end in betting.deals:
            assert end.following is not None
            if levels.setdefault(end.following, levels[betting] + 1) != levels[betting] + 1:
                raise AssertionError("a round that is played on two streets")
    return levels


def _boards(tree: PublicTree) -> tuple[Any, Any]:
    levels = [0] * len(tree.boards)
    rows: list[tuple[int, ...]] = []
    children: list[int] = []
    for number, board in enumerate(tree.boards):
        (one, two), count = (len(hands) for hands in board.hands), len(board.children)
        first = int(tree.form.boards[number, public_form.FIRST_CHILD])
        equity = int(tree.form.boards[number, public_form.EQUITY])
        levels[first : first + count] = [levels[number] + 1] * count
        cards = [first + k for k, child in enumerate(board.children) for _ in child.sources]
        rows.append((tree.hands(number, 0).start, one, two, levels[number], first, len(children), len(cards), equity))
        children += cards
    return table(rows, BOARD_COLUMNS), np.array(children, dtype=np.int32)


def _places(tree: PublicTree) -> Integers:
    before = np.array([0, tree.store[0]])
    starts = tree.form.places[:, public_form.START : public_form.START + 2] + before
    rows = tree.row_counts - tree.entries[:, None]
    first = tree.form.places[:, [public_form.BOARD, public_form.FIRST_PLACE]]
    return np.column_stack([first, starts, rows])


def _alike(tree: PublicTree) -> Any:
    found = []
    for board in tree.boards:
        own = [np.arange(len(hands)) for hands in board.hands] if board.alike is None else board.alike
        found += [numbers.astype(np.int16) for numbers in own]
    return np.concatenate(found)


def _arrivals(tree: PublicTree) -> tuple[Integers, Any]:
    """For each card that may come, where each hand stands afterwards: the other way round than `sources`."""
    starts: list[tuple[int, int]] = []
    found: list[Any] = []
    size = 0
    for board in tree.boards:
        for child in board.children:
            for pair in child.sources:
                starts.append((size, size + len(board.hands[0])))
                for player in (0, 1):
                    where = np.full(len(board.hands[player]), -1, dtype=np.int16)
                    where[pair[player]] = np.arange(len(pair[player]))
                    found.append(where)
                    size += len(where)
    return table(starts, 2), np.concatenate([*found, np.zeros(0, np.int16)])
