"""Building the tables of a public tree, through which the compiled kernels see its rounds, boards and places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.forms.public.columns import (
    BOARD,
    BOARD_COLUMNS,
    BUNDLE,
    BUNDLE_COLUMNS,
    CHILDREN,
    CHOICE_COLUMNS,
    COMPARE_COLUMNS,
    END_COLUMNS,
    FIRST_CHILD,
    LANE_COLUMNS,
    LANE_ROW_COLUMNS,
    NOT_STRONGER,
    SAME_HAND,
    WAYS_TO_PAY,
    WEAKER,
    WIDTH,
    PublicTables,
)
from zerosum.engine.forms.public.rounds import ALLIN, NO_CARD, Board
from zerosum.engine.forms.sequence.treeplex import Integers

if TYPE_CHECKING:
    from zerosum.engine.forms.public.tree import PublicTree


def build_tables(tree: PublicTree) -> PublicTables:
    """Return the tables of a tree."""
    return build_tables_with_boards(tree, _boards(tree))


def build_tables_with_boards(tree: PublicTree, board_tables: tuple[Any, ...]) -> PublicTables:
    """Return the tables of a tree, given those of its boards."""
    boards, *hands = board_tables
    chance = np.array([board.chance for board in tree.boards])
    return PublicTables._make([*_bundles(tree), boards, chance, *hands, _places(tree, boards)])


def _bundles(tree: PublicTree) -> tuple[Any, ...]:
    choices: list[tuple[int, ...]] = []
    ends: list[tuple[int, ...]] = []
    amounts: list[float] = []
    rakes: list[float] = []
    bundles: list[tuple[int, ...]] = []
    followers: list[tuple[int, int]] = []
    deals: list[int] = []
    allins: list[int] = []
    lanes: list[tuple[int, ...]] = []
    lane_rows: list[tuple[int, ...]] = []
    lane_amounts: list[tuple[float, ...]] = []
    for bundle in tree.bundles:
        for player in (0, 1):
            player_lanes = bundle.lanes(player)
            none = bundle.rows[player]
            showdowns = sum(lane.showdown[0] != none for lane in player_lanes)
            has_rake = any(lane.rake[0] != none for lane in player_lanes)
            first_folded = next((k for k, lane in enumerate(player_lanes) if lane.fold[0] != none), len(player_lanes))
            lanes.append((len(lane_rows), len(player_lanes), showdowns, first_folded, has_rake))
            lane_rows += [(lane.row, lane.showdown[0], lane.fold[0], lane.rake[0]) for lane in player_lanes]
            lane_amounts += [(lane.showdown[1], lane.fold[1], lane.rake[1]) for lane in player_lanes]
        before = len(choices), len(ends), len(followers), len(allins)
        choices += bundle.choices()
        for end, rows in bundle.ends():
            if end.kind == ALLIN:
                allins.append(len(ends))
            ends.append((end.kind, *rows))
            amounts.append(end.amount)
            rakes.append(end.rake)
        for numbers, _ in bundle.next_rounds():
            followers.append((len(deals), len(deals) + len(numbers)))
            deals += [before[1] + number for number in numbers]
        spans = before[0], len(choices), before[3], len(allins), len(followers) - before[2], before[2]
        bundles.append((*bundle.rows, *spans, bundle.entries))
    return (
        int_table(choices, CHOICE_COLUMNS),
        int_table(ends, END_COLUMNS),
        np.array(amounts),
        np.array(rakes),
        int_table(bundles, BUNDLE_COLUMNS),
        int_table(followers, 2),
        np.array(deals, dtype=np.int64),
        np.array(allins, dtype=np.int64),
        int_table(lanes, LANE_COLUMNS).reshape(-1, 2, LANE_COLUMNS),
        int_table(lane_rows, LANE_ROW_COLUMNS),
        np.array(lane_amounts).reshape(-1, WAYS_TO_PAY),
    )


def _boards(tree: PublicTree) -> tuple[Any, ...]:
    boards: list[tuple[int, ...]] = []
    cards: list[NDArray[np.uint8]] = []
    compare: list[NDArray[np.int16]] = []
    groups: list[NDArray[np.int16]] = []
    sources: list[tuple[int, int]] = []
    source: list[NDArray[np.int32]] = []
    equity: list[NDArray[np.float32]] = []
    hand = move = matrix = group = 0
    child = 1
    for board in tree.boards:
        starts = []
        first_groups = []
        for player in (0, 1):
            starts += [hand, len(board.hands[player])]
            hand += len(board.hands[player])
            cards.append(board.cards[player].astype(np.uint8))
            compare.append(_comparison(board, player).astype(np.int16))
            groups.append(_groups(compare[-1]))
            first_groups.append(group)
            group += len(groups[-1])
        first_source = len(sources)
        for pair in board.sources:
            sources.append((move, move + len(pair[0])))
            source += [part.astype(np.int32) for part in pair]
            move += len(pair[0]) + len(pair[1])
        place = -1
        if board.equity is not None:
            place, matrix = matrix, matrix + board.equity.size
            equity.append(board.equity.ravel())
        boards.append((*starts, child, len(board.children), first_source, len(board.sources), place, *first_groups))
        child += len(board.children)
    return (
        int_table(boards, BOARD_COLUMNS),
        np.concatenate(cards),
        np.concatenate(compare),
        np.concatenate(groups),
        int_table(sources, 2),
        np.concatenate([*source, np.zeros(0, np.int32)]),
        np.concatenate([*equity, np.zeros(0, np.float32)]),
    )


def _places(tree: PublicTree, boards: Integers) -> Integers:
    """Return the table of places, depth-first: a place and all that follows it lie together in the store."""
    numbers = {bundle.rounds: number for number, bundle in enumerate(tree.bundles)}
    followers = [[numbers[rounds] for _, rounds in bundle.next_rounds()] for bundle in tree.bundles]
    sizes = [tuple(rows - bundle.entries for rows in bundle.rows) for bundle in tree.bundles]
    places: list[tuple[int, ...]] = [(0, 0, 0, 0, 0)]
    used = [0, 0]

    def fill(place: int, bundle: int, board: int) -> None:
        start = tuple(used)
        for player in (0, 1):
            used[player] += sizes[bundle][player] * int(boards[board, WIDTH + 2 * player])
        children = len(places)
        first, count = int(boards[board, FIRST_CHILD]), int(boards[board, CHILDREN])
        places[place] = (bundle, board, *start, children)
        places.extend([(0, 0, 0, 0, 0)] * (len(followers[bundle]) * count))
        for card in range(count):
            for number, following in enumerate(followers[bundle]):
                fill(children + card * len(followers[bundle]) + number, following, first + card)

    fill(0, 0, 0)
    decisions = [sum(len(betting.choices) for betting in bundle.rounds) for bundle in tree.bundles]
    rows = np.array([[decisions[n], *bundle.rows] for n, bundle in enumerate(tree.bundles)])
    done = int_table(places, 5)
    counts = rows[done[:, BUNDLE]]
    counts[:, 1:] *= boards[done[:, BOARD]][:, [WIDTH, WIDTH + 2]]
    return np.column_stack([done, np.cumsum(counts, axis=0) - counts])


def _comparison(board: Board, player: int) -> Integers:
    """Return for each hand the opponent's number of weaker hands, of weaker or equal ones, and of the same hand."""
    hands, opposing = board.hands[player], board.hands[1 - player]
    rows = np.zeros((len(hands), COMPARE_COLUMNS), dtype=np.int64)
    rows[:, SAME_HAND] = -1
    if board.strengths is not None:
        mine, theirs = board.strengths[player], board.strengths[1 - player]
        rows[:, WEAKER] = np.searchsorted(theirs, mine, "left")
        rows[:, NOT_STRONGER] = np.searchsorted(theirs, mine, "right")
    if len(hands) and (board.cards[player][:, 1] != NO_CARD).all():
        largest = max(int(hands.max(initial=0)), int(opposing.max(initial=0)))
        where = np.full(largest + 1, -1, dtype=np.int64)
        where[opposing] = np.arange(len(opposing))
        rows[:, SAME_HAND] = where[hands]
    return rows


def _groups(comparison: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return the hands after which the comparison changes, and the comparison before."""
    strength = comparison[:, [WEAKER, NOT_STRONGER]]
    last = np.flatnonzero(np.any(np.diff(strength, axis=0, append=-1), axis=1))
    return np.column_stack([strength[last], last + 1]).astype(np.int16)


def int_table(rows: Sequence[Sequence[int]], columns: int) -> Integers:
    """Return rows of integers as an array, even when there are none."""
    return np.array(rows, dtype=np.int64).reshape(-1, columns)
