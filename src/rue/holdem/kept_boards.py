"""The boards of a spot as arrays that lie in its saved run, so that who looks at it need not build them again.

    boards.counts   for each board: children, cards it stands for, hands of both players, whether it has equities
    boards.chance   the chance of each card that may come
    boards.names    the cards that boards stand for, two letters each
    boards.hands    the hands of each board, those of one and then those of two
    boards.source   for each card a board stands for, the place of each hand among those of the board before
    boards.compare  for each hand how many of the opponent's are weaker, and how many weaker or equal
    boards.equity   as `rue.forms.rounds.Board` has it

Whatever a file says, no number leads out of an array: all are compared with what they point into. Where boards may lie
in another order than the one in which this version builds them, the fingerprint of the tree tells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rue.forms.public_form import (
    BOARD_COLUMNS,
    COMPARE_COLUMNS,
    NOT_STRONGER,
    SAME_HAND,
    WEAKER,
    Form,
)
from rue.forms.public_tables import tables_with
from rue.forms.public_tree import PublicTree
from rue.forms.rounds import Board
from rue.forms.treeplex import Integers
from rue.holdem.cards import CARDS as CARDS_IN_ALL
from rue.holdem.cards import HAND_COUNT, HANDS, allowed_hands, cards_name, parse_cards
from rue.holdem.spots import Spot
from rue.once import cached_property

Arrays = Mapping[str, NDArray[Any]]
BOARDS = tuple(f"boards.{part}" for part in ("counts", "chance", "names", "hands", "source", "compare", "equity"))
COUNTS, CHANCE, NAMES, HELD, SOURCE, COMPARE, EQUITY = BOARDS
CHILDREN, CARDS, ONES, TWOS, WITH_EQUITY = range(5)
"""Columns of the counts."""


def board_arrays(tree: PublicTree, last: int | None = None) -> dict[str, NDArray[Any]]:
    """The boards of a tree, all of them or those up to a street: 0 for the flop."""
    boards = [board for board in tree.boards if last is None or len(board.label) // 2 - 3 <= last]
    kept = {id(board) for board in boards}
    counts: list[tuple[int, ...]] = []
    names: list[str] = []
    hands, source, compare = list[Integers](), list[Integers](), list[Any]()
    for number, board in enumerate(boards):
        children = sum(id(child) in kept for child in board.children)
        sizes = len(board.hands[0]), len(board.hands[1])
        counts.append((children, len(board.names), *sizes, board.equity is not None))
        names += board.names
        hands += board.hands
        source += [part for pair in board.sources for part in pair]
        compare += [tree.form.compare[tree.hands(number, player), WEAKER : NOT_STRONGER + 1] for player in (0, 1)]
    equity = [board.equity.ravel() for board in boards if board.equity is not None]
    return {
        COUNTS: np.array(counts, dtype=np.uint32),
        CHANCE: np.array([board.chance for board in boards]),
        NAMES: np.frombuffer("".join(names).encode(), dtype=np.uint8),
        HELD: np.concatenate(hands).astype(np.uint16),
        SOURCE: np.concatenate([*source, np.zeros(0)]).astype(np.uint16),
        COMPARE: np.concatenate(compare).astype(np.uint16),
        EQUITY: np.concatenate([*equity, np.zeros(0)]).astype(np.float32),
    }


class KeptTree(PublicTree):
    """A tree whose boards were kept, maybe without those of later streets: for looking, as it sorts no hands."""

    tables: Arrays

    @cached_property
    def form(self) -> Form:
        return tables_with(self, _tables(self.tables))


def kept_tree(spot: Spot, arrays: Arrays, suits: Sequence[tuple[int, ...]] = ()) -> KeptTree:
    """The tree of a spot whose boards were kept; a `ValueError` tells what does not fit together.

    `suits` are the permutations of suits that count as interchangeable.
    """
    _check(spot, arrays)
    board = _boards(spot, arrays)
    weights = spot.weights[0][board.hands[0]], spot.weights[1][board.hands[1]]
    tree = KeptTree(spot.name or "holdem", spot.tree, board, weights, tuple(suits))
    object.__setattr__(tree, "tables", arrays)
    return tree


def _check(spot: Spot, arrays: Arrays) -> None:
    """Refuse arrays that do not fit one another or the spot; no length is believed before it is compared."""
    counts = arrays[COUNTS].astype(np.int64)
    number = len(counts)
    if counts.shape != (number, 5) or not 0 < number < 10**6 or arrays[CHANCE].shape != (number,):
        raise ValueError("its boards are not counted")
    hands = counts[:, [ONES, TWOS]]
    if (hands > HAND_COUNT).any() or (counts[:, CARDS] > CARDS_IN_ALL).any():
        raise ValueError("its boards have more hands or cards than there are")
    if counts[:, CHILDREN].sum() != number - 1 or counts[0, CARDS] or (counts[1:, CARDS] == 0).any():
        raise ValueError("its boards do not follow one another")
    sides = hands[np.repeat(np.arange(number), counts[:, CARDS])]
    areas = (hands[:, 0] * hands[:, 1])[counts[:, WITH_EQUITY] > 0]
    total = int(hands.sum())
    lengths = {HELD: total, SOURCE: int(sides.sum()), NAMES: 2 * int(counts[:, CARDS].sum()), EQUITY: int(areas.sum())}
    if any(arrays[name].shape != (length,) for name, length in lengths.items()) or arrays[COMPARE].shape != (total, 2):
        raise ValueError("its boards do not have what they count")
    if not np.isfinite(arrays[CHANCE]).all() or not np.isfinite(arrays[EQUITY]).all():
        raise ValueError("its boards are not whole")
    _check_hands(arrays, counts, sides)
    free = [np.flatnonzero(weights) for weights in spot.weights]
    first = np.split(arrays[HELD][: hands[0].sum()], [hands[0, 0]])
    if any(not np.array_equal(np.sort(one), two) for one, two in zip(first, free, strict=True)):
        raise ValueError("its hands are not those of the ranges")


def _check_hands(arrays: Arrays, counts: Integers, sides: Integers) -> None:
    """Refuse hands, comparisons and sources that lead out of what they point into."""
    hands, number = counts[:, [ONES, TWOS]], len(counts)
    other = np.repeat(hands[:, ::-1].ravel(), hands.ravel())
    compare = arrays[COMPARE].astype(np.int64)
    if (arrays[HELD] >= HAND_COUNT).any() or (compare[:, 0] > compare[:, 1]).any() or (compare[:, 1] > other).any():
        raise ValueError("its hands do not compare")
    parents = np.repeat(np.arange(number), counts[:, CHILDREN])
    if (parents >= np.arange(1, number)).any():
        raise ValueError("its boards do not follow one another")
    before = np.concatenate([np.zeros((1, 2), dtype=np.int64), hands[parents]])
    most = np.repeat(before[np.repeat(np.arange(number), counts[:, CARDS])].ravel(), sides.ravel())
    if (arrays[SOURCE] >= most).any():
        raise ValueError("its hands do not come from those before")


def _boards(spot: Spot, arrays: Arrays) -> Board:
    """The boards as objects, from the first one on."""
    counts, text = arrays[COUNTS].astype(np.int64), arrays[NAMES].tobytes().decode("ascii")
    held, source, equity = arrays[HELD].astype(np.int64), arrays[SOURCE].astype(np.int64), arrays[EQUITY]
    cards = HANDS[held]
    made: list[Board] = []
    hand = move = matrix = name = 0
    for number, (_, stands_for, one, two, has_equity) in enumerate(counts.tolist()):
        middle, end = hand + one, hand + one + two
        board = Board((held[hand:middle], held[middle:end]), (cards[hand:middle], cards[middle:end]))
        board.chance = float(arrays[CHANCE][number])
        for _ in range(stands_for):
            board.names.append(text[name : name + 2])
            board.sources.append((source[move : move + one], source[move + one : move + one + two]))
            name, move = name + 2, move + one + two
        if has_equity:
            board.equity = equity[matrix : matrix + one * two].reshape(one, two)
            matrix += one * two
        hand = end
        made.append(board)
    made[0].label = cards_name(spot.board)
    following = iter(made[1:])
    for board, children in zip(made, counts[:, CHILDREN].tolist(), strict=True):
        for _ in range(children):
            child = next(following)
            child.label = board.label + child.names[0]
            board.children.append(child)
    _check_cards(made)
    return made[0]


def _check_cards(boards: list[Board]) -> None:
    """Refuse boards with a card twice, and hands that a board blocks."""
    for board in boards:
        free = allowed_hands(parse_cards(board.label))
        if not (free[board.hands[0]].all() and free[board.hands[1]].all()):
            raise ValueError("its hands are blocked by the board")


def _tables(arrays: Arrays) -> tuple[Any, ...]:
    """What `rue.forms.public_tables` makes of boards, from the arrays at once."""
    counts = arrays[COUNTS].astype(np.int64)
    hands, number = counts[:, [ONES, TWOS]], len(counts)
    cards = HANDS[arrays[HELD]]
    compare = np.empty((len(cards), COMPARE_COLUMNS), dtype=np.int64)
    compare[:, WEAKER : NOT_STRONGER + 1] = arrays[COMPARE]
    compare[:, SAME_HAND] = _same_hands(arrays[HELD].astype(np.int64), hands)
    groups, group_counts = _groups(compare[:, [WEAKER, NOT_STRONGER]], hands.ravel())
    starts, group_starts = _before(hands.ravel()).reshape(number, 2), _before(group_counts).reshape(number, 2)
    areas = np.where(counts[:, WITH_EQUITY] > 0, hands[:, 0] * hands[:, 1], 0)
    boards = np.empty((number, BOARD_COLUMNS), dtype=np.int64)
    boards[:, 0:4:2], boards[:, 1:4:2] = starts, hands
    boards[:, 4], boards[:, 5] = 1 + _before(counts[:, CHILDREN]), counts[:, CHILDREN]
    boards[:, 6], boards[:, 7] = _before(counts[:, CARDS]), counts[:, CARDS]
    boards[:, 8] = np.where(counts[:, WITH_EQUITY] > 0, _before(areas), -1)
    boards[:, 9:11] = group_starts
    sides = hands[np.repeat(np.arange(number), counts[:, CARDS])]
    begin = _before(sides.sum(axis=1))
    sources = np.column_stack([begin, begin + sides[:, 0]])
    return (
        boards,
        cards.astype(np.uint8),
        compare.astype(np.int16),
        groups.astype(np.int16),
        sources.reshape(-1, 2),
        arrays[SOURCE].astype(np.int32),
        np.asarray(arrays[EQUITY]),
    )


def _before(counts: Integers) -> Integers:
    """How many there are before each."""
    return np.cumsum(counts) - counts


def _same_hands(held: Integers, hands: Integers) -> Integers:
    """For each hand of each board and player where the opponent holds it; -1 if nowhere."""
    board = np.repeat(np.arange(len(hands)), hands.sum(axis=1))
    side = np.repeat(np.tile([0, 1], len(hands)), hands.ravel())
    place = np.arange(len(held)) - np.repeat(_before(hands.ravel()), hands.ravel())
    found = np.full((len(hands), 2, HAND_COUNT), -1, dtype=np.int16)
    found[board, side, held] = place
    return np.asarray(found[board, 1 - side, held], dtype=np.int64)


def _groups(strength: Integers, sizes: Integers) -> tuple[Integers, Integers]:
    """The hands after which the comparison changes within a board and player, and how many there are of each."""
    owner = np.repeat(np.arange(len(sizes)), sizes)
    keys = np.column_stack([owner, strength])
    last = (
        np.flatnonzero(np.any(np.diff(keys, axis=0, append=-1), axis=1)) if len(keys) else np.zeros(0, dtype=np.int64)
    )
    rows = np.column_stack([strength[last], last + 1 - _before(sizes)[owner[last]]])
    return rows, np.bincount(owner[last], minlength=len(sizes))
