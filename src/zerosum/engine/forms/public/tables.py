"""Building the tables of a public tree, through which the compiled kernels see its rounds, boards and places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.forms.public import columns
from zerosum.engine.forms.public.columns import PublicTables
from zerosum.engine.forms.public.rounds import ALLIN, NO_CARD, Board, Lane, RoundEnd
from zerosum.engine.forms.sequence.treeplex import Integers

if TYPE_CHECKING:
    from zerosum.engine.forms.public.tree import PublicTree


def build_tables(tree: PublicTree, board_tables: tuple[Any, ...] | None = None) -> PublicTables:
    """Return the tables of a tree; `board_tables` are those of its boards, if they are known."""
    boards, *hands = _build_board_tables(tree) if board_tables is None else board_tables
    chance = np.array([board.chance for board in tree.boards])
    return PublicTables._make([*_build_bundle_tables(tree), boards, chance, *hands, _build_place_table(tree, boards)])


def _build_bundle_tables(tree: PublicTree) -> tuple[Any, ...]:
    """Return the tables of betting, from `choices` to `lane_amounts`."""
    choices, ends, lanes = list[tuple[int, ...]](), list[tuple[RoundEnd, tuple[int, int]]](), list[Lane]()
    bundles, followers, lane_counts = list[tuple[int, ...]](), list[tuple[int, int]](), list[tuple[int, ...]]()
    deals, allins = list[int](), list[int]()
    for bundle in tree.bundles:
        for player in (0, 1):
            added, none = bundle.build_lanes(player), bundle.rows[player]
            showdowns = sum(lane.showdown[0] != none for lane in added)
            has_rake = any(lane.rake[0] != none for lane in added)
            first_folded = next((k for k, lane in enumerate(added) if lane.fold[0] != none), len(added))
            lane_counts.append((len(lanes), len(added), showdowns, first_folded, has_rake))
            lanes += added
        first_choice, first_end, first_allin, first_group = len(choices), len(ends), len(allins), len(followers)
        choices += bundle.decisions
        ends += bundle.ends_with_rows
        allins += [number for number in range(first_end, len(ends)) if ends[number][0].kind == ALLIN]
        for numbers, _ in bundle.deal_groups:
            followers.append((len(deals), len(deals) + len(numbers)))
            deals += [first_end + number for number in numbers]
        ranges = first_choice, len(choices), first_allin, len(allins), len(followers) - first_group, first_group
        bundles.append((*bundle.rows, *ranges, bundle.entries))
    lane_rows = [(lane.row, lane.showdown[0], lane.fold[0], lane.rake[0]) for lane in lanes]
    lane_amounts = [(lane.showdown[1], lane.fold[1], lane.rake[1]) for lane in lanes]
    return (
        make_int_table(choices, columns.CHOICE_COLUMNS),
        make_int_table([(end.kind, *rows) for end, rows in ends], columns.END_COLUMNS),
        np.array([end.amount for end, _ in ends]),
        np.array([end.rake for end, _ in ends]),
        make_int_table(bundles, columns.BUNDLE_COLUMNS),
        make_int_table(followers, 2),
        np.array(deals, dtype=np.int64),
        np.array(allins, dtype=np.int64),
        make_int_table(lane_counts, columns.LANE_COLUMNS).reshape(-1, 2, columns.LANE_COLUMNS),
        make_int_table(lane_rows, columns.LANE_ROW_COLUMNS),
        np.array(lane_amounts).reshape(-1, columns.WAYS_TO_PAY),
    )


def _build_board_tables(tree: PublicTree) -> tuple[Any, ...]:
    """Return the tables of boards and hands: `boards`, then `cards` to `equity`."""
    boards, sources = list[tuple[int, ...]](), list[tuple[int, int]]()
    cards, compare, groups, source, equity = (list[NDArray[Any]]() for _ in range(5))
    n_hands = n_groups = n_moves = n_equities = 0
    first_child = 1
    for board in tree.boards:
        first_hands, first_groups = list[int](), list[int]()
        for player in (0, 1):
            comparison = _compare_hands(board, player).astype(np.int16)
            first_hands += [n_hands, len(board.hands[player])]
            first_groups.append(n_groups)
            cards.append(board.cards[player].astype(np.uint8))
            compare.append(comparison)
            groups.append(_group_equal_hands(comparison))
            n_hands, n_groups = n_hands + len(board.hands[player]), n_groups + len(groups[-1])
        children = first_child, len(board.children), len(sources), len(board.sources)
        first_child += len(board.children)
        for pair in board.sources:
            sources.append((n_moves, n_moves + len(pair[0])))
            source += [part.astype(np.int32) for part in pair]
            n_moves += len(pair[0]) + len(pair[1])
        first_equity = -1
        if board.equity is not None:
            first_equity, n_equities = n_equities, n_equities + board.equity.size
            equity.append(board.equity.ravel())
        boards.append((*first_hands, *children, first_equity, *first_groups))
    return (
        make_int_table(boards, columns.BOARD_COLUMNS),
        np.concatenate(cards),
        np.concatenate(compare),
        np.concatenate(groups),
        make_int_table(sources, 2),
        np.concatenate([*source, np.zeros(0, np.int32)]),
        np.concatenate([*equity, np.zeros(0, np.float32)]),
    )


def _build_place_table(tree: PublicTree, boards: Integers) -> Integers:
    """Return the table of places, depth-first: a place and all that follows it are contiguous in the store."""
    numbers = {bundle.rounds: number for number, bundle in enumerate(tree.bundles)}
    followers = [[numbers[rounds] for _, rounds in bundle.deal_groups] for bundle in tree.bundles]
    places: list[tuple[int, ...]] = [()]
    used = [0, 0]

    def fill(place: int, bundle: int, board: int) -> None:
        start = tuple(used)
        for player in (0, 1):
            rows = tree.bundles[bundle].rows[player] - tree.bundles[bundle].entries
            used[player] += rows * int(boards[board, columns.WIDTH + 2 * player])
        next_place, first_child = len(places), int(boards[board, columns.FIRST_CHILD])
        count = int(boards[board, columns.CHILDREN])
        places[place] = (bundle, board, *start, next_place)
        places.extend([()] * (len(followers[bundle]) * count))
        for child in range(first_child, first_child + count):
            for next_bundle in followers[bundle]:
                fill(next_place, next_bundle, child)
                next_place += 1

    fill(0, 0, 0)
    table = make_int_table(places, 5)
    rows = np.array([[len(bundle.decisions), *bundle.rows] for bundle in tree.bundles])
    counts = rows[table[:, columns.BUNDLE]]
    counts[:, 1:] *= boards[table[:, columns.BOARD]][:, [columns.WIDTH, columns.WIDTH + 2]]
    return np.column_stack([table, np.cumsum(counts, axis=0) - counts])


def _compare_hands(board: Board, player: int) -> Integers:
    """Return for each hand the opponent's number of weaker hands, of weaker or equal ones, and of the same hand."""
    hands, opposing = board.hands[player], board.hands[1 - player]
    rows = np.zeros((len(hands), columns.COMPARE_COLUMNS), dtype=np.int64)
    rows[:, columns.SAME_HAND] = -1
    if board.strengths is not None:
        mine, theirs = board.strengths[player], board.strengths[1 - player]
        rows[:, columns.WEAKER] = np.searchsorted(theirs, mine, "left")
        rows[:, columns.NOT_STRONGER] = np.searchsorted(theirs, mine, "right")
    if len(hands) and (board.cards[player][:, 1] != NO_CARD).all():
        indices = np.full(1 + max(hands.max(initial=0), opposing.max(initial=0)), -1, dtype=np.int64)
        indices[opposing] = np.arange(len(opposing))
        rows[:, columns.SAME_HAND] = indices[hands]
    return rows


def _group_equal_hands(comparison: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return the hands after which the comparison changes, and the comparison before."""
    strength = comparison[:, [columns.WEAKER, columns.NOT_STRONGER]]
    last = np.flatnonzero(np.any(np.diff(strength, axis=0, append=-1), axis=1))
    return np.column_stack([strength[last], last + 1]).astype(np.int16)


def make_int_table(rows: Sequence[Sequence[int]], columns: int) -> Integers:
    """Return rows of integers as an array, even when there are none."""
    return np.array(rows, dtype=np.int64).reshape(-1, columns)
