"""The boards of a public tree as arrays in a saved run, so that they need not be built again when the run is read.

    boards.counts   for each board: children, cards it stands for, hands of both players, whether it has equities
    boards.chance   the probability of each next card
    boards.names    the cards that the boards stand for, two letters each
    boards.hands    the hands of each board, first those out of position, then those in position
    boards.source   for each card a board stands for, the index of each hand among those of the previous board
    boards.compare  for each hand the number of the opponent's hands that are weaker, and that are weaker or equal
    boards.equity   the array `equity` of `zerosum.engine.forms.public.rounds.Board`

Whatever a file contains, no index leads out of an array: all are checked. The fingerprint of the tree shows whether
this version builds the boards in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.forms.public.columns import COMPARE_COLUMNS, NOT_STRONGER, SAME_HAND, WEAKER, PublicTables
from zerosum.engine.forms.public.rounds import Board
from zerosum.engine.forms.public.tables import build_tables
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Integers
from zerosum.holdem.cards.cards import HAND_COUNT, HANDS, find_unblocked_hands, format_cards, parse_cards
from zerosum.holdem.spots.spot import Spot
from zerosum.support.thread_safety import cached_property

Arrays = Mapping[str, NDArray[Any]]
BOARDS = tuple(f"boards.{part}" for part in ("counts", "chance", "names", "hands", "source", "compare", "equity"))
COUNTS, CHANCE, NAMES, HANDS_COLUMN, SOURCE, COMPARE, EQUITY = BOARDS
CHILDREN, CARDS, OOP_HANDS, IP_HANDS, WITH_EQUITY = range(5)
"""Columns of the counts."""


def boards_to_arrays(tree: PublicTree, last: int | None = None) -> dict[str, NDArray[Any]]:
    """Return the arrays of the boards of a tree: of all, or of those up to the street `last` (0 for the flop)."""
    boards = [board for board in tree.boards if last is None or len(board.label) // 2 - 3 <= last]
    included = {id(board) for board in boards}
    counts: list[tuple[int, ...]] = []
    hands, source, compare = list[Integers](), list[Integers](), list[Any]()
    for number, board in enumerate(boards):
        children = sum(id(child) in included for child in board.children)
        counts.append((children, len(board.names), *map(len, board.hands), board.equity is not None))
        hands += board.hands
        source += [part for pair in board.sources for part in pair]
        compare += [
            tree.tables.compare[tree.slice_hands(number, player), WEAKER : NOT_STRONGER + 1] for player in (0, 1)
        ]
    equity = [board.equity.ravel() for board in boards if board.equity is not None]
    names = "".join(name for board in boards for name in board.names)
    return {
        COUNTS: np.array(counts, dtype=np.uint32),
        CHANCE: np.array([board.chance for board in boards]),
        NAMES: np.frombuffer(names.encode(), dtype=np.uint8),
        HANDS_COLUMN: np.concatenate(hands).astype(np.uint16),
        SOURCE: np.concatenate([*source, np.zeros(0)]).astype(np.uint16),
        COMPARE: np.concatenate(compare).astype(np.uint16),
        EQUITY: np.concatenate([*equity, np.zeros(0)]).astype(np.float32),
    }


class LoadedTree(PublicTree):
    """A tree with boards from a saved run, which may lack those of later streets; it builds and sorts nothing."""

    saved_arrays: Arrays

    @cached_property
    def tables(self) -> PublicTables:
        return build_tables(self, _build_board_tables(self.saved_arrays))


def load_public_tree(spot: Spot, arrays: Arrays, suits: Sequence[tuple[int, ...]] = ()) -> LoadedTree:
    """Load the tree of a spot with the boards of a saved run; raise a `ValueError` if they do not fit.

    `suits` are the permutations of suits that count as interchangeable.
    """
    _check_arrays(spot, arrays)
    board = _build_boards(spot, arrays)
    weights = spot.weights[0][board.hands[0]], spot.weights[1][board.hands[1]]
    tree = LoadedTree(spot.name or "holdem", spot.tree, board, weights, tuple(suits))
    object.__setattr__(tree, "saved_arrays", arrays)
    return tree


def _check_arrays(spot: Spot, arrays: Arrays) -> None:
    """Refuse arrays that do not fit one another or the spot; no length is trusted before it is compared."""
    counts = arrays[COUNTS].astype(np.int64)
    number = len(counts)
    if counts.shape != (number, 5) or not 0 < number < 10**6 or arrays[CHANCE].shape != (number,):
        raise ValueError("the counts of its boards are damaged")
    hands = counts[:, [OOP_HANDS, IP_HANDS]]
    if (hands > HAND_COUNT).any() or (counts[:, CARDS] > 52).any():
        raise ValueError("its boards have more hands or cards than there are")
    if counts[:, CHILDREN].sum() != number - 1 or counts[0, CARDS] or (counts[1:, CARDS] == 0).any():
        raise ValueError("its boards do not follow one another")
    sides = hands[np.repeat(np.arange(number), counts[:, CARDS])]
    areas = (hands[:, 0] * hands[:, 1])[counts[:, WITH_EQUITY] > 0]
    total = int(hands.sum())
    names_length = 2 * int(counts[:, CARDS].sum())
    lengths = {HANDS_COLUMN: total, SOURCE: int(sides.sum()), NAMES: names_length, EQUITY: int(areas.sum())}
    if any(arrays[name].shape != (length,) for name, length in lengths.items()) or arrays[COMPARE].shape != (total, 2):
        raise ValueError("its boards do not have the numbers of hands that they state")
    if not np.isfinite(arrays[CHANCE]).all() or not np.isfinite(arrays[EQUITY]).all():
        raise ValueError("its boards have numbers that are not finite")
    _check_hands(arrays, counts, sides)
    free = [np.flatnonzero(weights) for weights in spot.weights]
    first = np.split(arrays[HANDS_COLUMN][: hands[0].sum()], [hands[0, 0]])
    if any(not np.array_equal(np.sort(hands), expected) for hands, expected in zip(first, free, strict=True)):
        raise ValueError("its hands are not those of the ranges")


def _check_hands(arrays: Arrays, counts: Integers, sides: Integers) -> None:
    """Refuse hands, comparisons and sources that are out of bounds."""
    hands, number = counts[:, [OOP_HANDS, IP_HANDS]], len(counts)
    other = np.repeat(hands[:, ::-1].ravel(), hands.ravel())
    weaker, not_stronger = arrays[COMPARE].astype(np.int64).T
    if (arrays[HANDS_COLUMN] >= HAND_COUNT).any() or (weaker > not_stronger).any() or (not_stronger > other).any():
        raise ValueError("its hands or their comparisons are out of bounds")
    parents = np.repeat(np.arange(number), counts[:, CHILDREN])
    if (parents >= np.arange(1, number)).any():
        raise ValueError("its boards do not follow one another")
    before = np.concatenate([np.zeros((1, 2), dtype=np.int64), hands[parents]])
    most = np.repeat(before[np.repeat(np.arange(number), counts[:, CARDS])].ravel(), sides.ravel())
    if (arrays[SOURCE] >= most).any():
        raise ValueError("its hands do not follow from those of the boards before")


def _build_boards(spot: Spot, arrays: Arrays) -> Board:
    """Build the boards as objects and return the first one; refuse a card twice, and hands that a board blocks."""
    counts, text = arrays[COUNTS].astype(np.int64), arrays[NAMES].tobytes().decode("ascii")
    held, source, equity = arrays[HANDS_COLUMN].astype(np.int64), arrays[SOURCE].astype(np.int64), arrays[EQUITY]
    cards = HANDS[held]
    boards: list[Board] = []
    hand = move = matrix = name = 0
    for number, (_, n_cards, n_oop, n_ip, has_equity) in enumerate(counts.tolist()):
        middle, end = hand + n_oop, hand + n_oop + n_ip
        board = Board((held[hand:middle], held[middle:end]), (cards[hand:middle], cards[middle:end]))
        board.chance = float(arrays[CHANCE][number])
        for _ in range(n_cards):
            board.names.append(text[name : name + 2])
            board.sources.append((source[move : move + n_oop], source[move + n_oop : move + n_oop + n_ip]))
            name, move = name + 2, move + n_oop + n_ip
        if has_equity:
            board.equity = equity[matrix : matrix + n_oop * n_ip].reshape(n_oop, n_ip)
            matrix += n_oop * n_ip
        hand = end
        boards.append(board)
    boards[0].label = format_cards(spot.board)
    following = iter(boards[1:])
    for board, children in zip(boards, counts[:, CHILDREN].tolist(), strict=True):
        for _ in range(children):
            child = next(following)
            child.label = board.label + child.names[0]
            board.children.append(child)
        free = find_unblocked_hands(parse_cards(board.label))
        if not (free[board.hands[0]].all() and free[board.hands[1]].all()):
            raise ValueError("its hands are blocked by the board")
    return boards[0]


def _build_board_tables(arrays: Arrays) -> tuple[Any, ...]:
    """Return the tables that `zerosum.engine.forms.public.tables` builds from boards, directly from the arrays."""
    counts = arrays[COUNTS].astype(np.int64)
    hands, number = counts[:, [OOP_HANDS, IP_HANDS]], len(counts)
    cards = HANDS[arrays[HANDS_COLUMN]]
    compare = np.empty((len(cards), COMPARE_COLUMNS), dtype=np.int64)
    compare[:, WEAKER : NOT_STRONGER + 1] = arrays[COMPARE]
    compare[:, SAME_HAND] = _find_same_hands(arrays[HANDS_COLUMN].astype(np.int64), hands)
    groups, group_counts = _find_strength_groups(compare[:, [WEAKER, NOT_STRONGER]], hands.ravel())
    oop_hands, ip_hands = hands.T
    oop_starts, ip_starts = _exclusive_cumsum(hands.ravel()).reshape(number, 2).T
    children, n_cards, has_equity = counts[:, CHILDREN], counts[:, CARDS], counts[:, WITH_EQUITY] > 0
    equity_starts = np.where(has_equity, _exclusive_cumsum(np.where(has_equity, oop_hands * ip_hands, 0)), -1)
    group_starts = _exclusive_cumsum(group_counts).reshape(number, 2)
    # In the order of the columns of `boards` in `zerosum.engine.forms.public.columns`.
    boards = np.column_stack([
        *(oop_starts, oop_hands, ip_starts, ip_hands),
        *(1 + _exclusive_cumsum(children), children),
        *(_exclusive_cumsum(n_cards), n_cards, equity_starts, group_starts),
    ])  # fmt: skip
    sides = hands[np.repeat(np.arange(number), counts[:, CARDS])]
    begin = _exclusive_cumsum(sides.sum(axis=1))
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


def _exclusive_cumsum(counts: Integers) -> Integers:
    """Return the sum of all counts before each one."""
    return np.cumsum(counts) - counts


def _find_same_hands(held: Integers, hands: Integers) -> Integers:
    """Return for each hand of each board and player its index among the opponent's hands; -1 if it has none."""
    board = np.repeat(np.arange(len(hands)), hands.sum(axis=1))
    side = np.repeat(np.tile([0, 1], len(hands)), hands.ravel())
    place = np.arange(len(held)) - np.repeat(_exclusive_cumsum(hands.ravel()), hands.ravel())
    indices = np.full((len(hands), 2, HAND_COUNT), -1, dtype=np.int16)
    indices[board, side, held] = place
    return np.asarray(indices[board, 1 - side, held], dtype=np.int64)


def _find_strength_groups(strength: Integers, sizes: Integers) -> tuple[Integers, Integers]:
    """Return, for each board and player, the hands after which the comparison changes, and how many there are."""
    owner = np.repeat(np.arange(len(sizes)), sizes)
    changes = np.diff(np.column_stack([owner, strength]), axis=0, append=-1)
    last = np.flatnonzero(np.any(changes, axis=1))
    rows = np.column_stack([strength[last], last + 1 - _exclusive_cumsum(sizes)[owner[last]]])
    return rows, np.bincount(owner[last], minlength=len(sizes))
