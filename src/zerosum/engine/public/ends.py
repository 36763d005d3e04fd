"""Values of the ends of a place: folds, showdowns and all-ins, for every hand against the opponent's reach.

At a showdown, with the hands of both players sorted by strength, one sweep keeps running sums of the opponent's reach,
in total and by card. Before a group of equal hands is added they give "weaker", after it "weaker or equal", at the end
"all": weaker - stronger = before + after - all. `LANES` rows are swept side by side, a lane each, so that a step of the
sweep is a vector operation; rows are transposed in tiles on the way in and out. The last step, from the sums to the
player's rows, takes HANDS_AT_A_TIME hands at a time.

Arguments that many functions share:

    tables            the tables of the public form
    lanes             hands of LANES lanes: the opponent's reach
    showdown, fold    hands of LANES lanes: values before they are multiplied with amounts
    sums              (CARD_ROWS + 1) x LANES: the running sums by card, then the sum of all hands
    cards, hand       the two cards of each hand of each board, and the number of a hand among them
"""

from __future__ import annotations

from zerosum.engine.forms.public import columns
from zerosum.engine.forms.public.columns import PublicTables, count_hands, find_first_hand
from zerosum.engine.forms.public.rounds import NO_CARD
from zerosum.engine.updates.blocks import Block, Integers, Numbers, Row, block, read_unchecked
from zerosum.engine.updates.tiles import TILE, add_tile, add_tile_nonzero, transpose_tile
from zerosum.engine.updates.vector_memory import LANES
from zerosum.engine.updates.vectors import Vector, read_full, vector, write_full
from zerosum.native.decorators import inline_source, kernel, reassociated

CARD_ROWS = 54
"""Running sums: of 52 cards; of the missing second card, which stays zero; and one that absorbs what it would get."""
TOTAL = CARD_ROWS
"""The row after them: the sum of all hands."""
HANDS_AT_A_TIME = 128
"""Hands whose values are computed at a time, so that they are still in the first-level cache when they are added."""
EQUITY_ROWS = 4
"""Hands whose equities are read side by side: their factors are fetched once for all of them."""


@kernel
def transpose_to_lanes(reach: Row, starts: Integers, width: int, lanes: Row, size: int) -> None:
    """Transpose the rows of the reach that begin at `starts` into hands of LANES lanes.

    Whole tiles are moved: lanes from `size` on are meaningless, and so are hands after the last, for which there must
    be room.
    """
    for first in range(0, size, TILE):
        for w in range(0, width, TILE):
            transpose_tile(reach, starts, first, w, lanes, w * LANES + first, LANES)


@kernel
def sweep_hands(
    tables: PublicTables, board: int, player: int, any_shown: bool, lanes: Row, showdown: Row, sums: Row
) -> None:
    """Fill `showdown` with "before" + "after" for each of the player's hands, if any lane has one; sum up all hands."""
    start, width = find_first_hand(tables.boards, board, player), count_hands(tables.boards, board, player)
    opponent, cards, groups = 1 - player, tables.cards, tables.groups
    other, other_width = find_first_hand(tables.boards, board, opponent), count_hands(tables.boards, board, opponent)
    total = vector(lanes, 0.0)
    for k in range(CARD_ROWS):
        write_full(sums, k * LANES, total)
    group = columns.GROUP_COLUMNS * tables.boards[board, columns.HAND_GROUP + player]
    first = added = 0
    while any_shown and first < width:
        weaker = read_unchecked(groups, group + columns.WEAKER)
        equal = read_unchecked(groups, group + columns.NOT_STRONGER)
        last = read_unchecked(groups, group + columns.GROUP_END)
        for v in range(added, weaker):
            total = add_hand_reach(total, read_full(lanes, v * LANES), cards, other + v, sums)
        for w in range(first, last):
            write_full(showdown, w * LANES, sum_disjoint_reach(total, cards, start + w, sums))
        for v in range(weaker, equal):
            total = add_hand_reach(total, read_full(lanes, v * LANES), cards, other + v, sums)
        for w in range(first, last):
            both = read_full(showdown, w * LANES) + sum_disjoint_reach(total, cards, start + w, sums)
            write_full(showdown, w * LANES, both)
        first, added, group = last, equal, group + columns.GROUP_COLUMNS
    for v in range(added, other_width):
        total = add_hand_reach(total, read_full(lanes, v * LANES), cards, other + v, sums)
    write_full(sums, TOTAL * LANES, total)


@kernel
def subtract_blocked(
    tables: PublicTables, start: int, lanes: Row, showdown: Row, fold: Row, sums: Row, first: int, last: int,
    any_shown: bool, any_folded: bool,
) -> None:  # fmt: skip
    """Turn before + after into weaker - stronger for the hands from `first` to `last`, and fill `fold` with "all".

    "All" is the reach that shares no card with a hand. A hand that both players may hold was subtracted twice, so it is
    added again. `start` is the number of the board's first hand.
    """
    total = read_full(sums, TOTAL * LANES)
    for w in range(first, last):
        disjoint_reach = sum_disjoint_reach(total, tables.cards, start + w, sums)
        if any_shown:
            write_full(showdown, w * LANES, read_full(showdown, w * LANES) - disjoint_reach)
        if any_folded:
            same = read_unchecked(tables.compare, columns.COMPARE_COLUMNS * (start + w) + columns.SAME_HAND)
            if same >= 0:
                disjoint_reach = disjoint_reach + read_full(lanes, same * LANES)
            write_full(fold, (w - first) * LANES, disjoint_reach)


@inline_source
def add_hand_reach(total: Vector, reach: Vector, cards: Numbers, hand: int, sums: Row) -> Vector:
    """Add a hand to the sums of its cards, a missing card to a sum that is never read; return the new total."""
    high, low = read_unchecked(cards, 2 * hand), read_unchecked(cards, 2 * hand + 1)
    high, low = high * LANES, (low + (low == NO_CARD)) * LANES
    write_full(sums, high, read_full(sums, high) + reach)
    write_full(sums, low, read_full(sums, low) + reach)
    return total + reach


@inline_source
def sum_disjoint_reach(total: Vector, cards: Numbers, hand: int, sums: Row) -> Vector:
    """Return the reach of the hands that share no card with a hand, minus the reach of the same hand."""
    high = read_full(sums, read_unchecked(cards, 2 * hand) * LANES)
    low = read_full(sums, read_unchecked(cards, 2 * hand + 1) * LANES)
    return total - high - low


@kernel
def add_lane_values(
    lanes: Row, before: int, weights: Row, value: Row, targets: Integers, amounts: Row, lowest: int, end: int,
    first: int, last: int,
) -> None:  # fmt: skip
    """Add the values of the hands from `first` to `last` in the lanes from `lowest` to `end` to the player's rows.

    before   the hand that `lanes` begins with
    weights  the weight of each hand
    targets  where the row of each lane begins in `value`
    amounts  what each lane pays

    Tiles are whole: the last one comes first, moved back until it ends with the last hand, so some of its hands are
    added by another tile.
    """
    w, done = last - TILE, (first - last) % TILE
    for following in range(first, last if w >= first else first, TILE):
        for lane in range(lowest - lowest % TILE, end, TILE):
            at = (w - before) * LANES + lane
            if lowest <= lane and lane + TILE <= end:
                add_tile(lanes, at, weights, value, targets, amounts, lane, w, done)
            else:
                add_tile_nonzero(lanes, at, weights, value, targets, amounts, lane, w, done)
        w, done = following, 0
    for lane in range(lowest, end if w < first else lowest):
        for v in range(first, last):
            value[targets[lane] + v] += amounts[lane] * weights[v] * lanes[(v - before) * LANES + lane]


@kernel
def add_end_values(
    tables: PublicTables, place: int, player: int, reach: Row, value: Row, hand_weights: Row, lanes: Block, sums: Row,
    starts: Block, amounts: Block,
) -> None:  # fmt: skip
    """Add the values of folds and showdowns against the opponent's reach to the player's rows.

    reach         the opponent's rows of the place
    value         the player's rows
    hand_weights  the weight of each hand of each board
    lanes         (3, hands x LANES): scratch for reach, showdown and fold values
    sums          scratch for running sums
    starts        (1 + WAYS_TO_PAY, LANES): scratch for the offsets of the lanes' rows
    amounts       (WAYS_TO_PAY, LANES): scratch for what the lanes pay

    Rake of a showdown or all-in is paid like a fold: it only matters which hands the opponent can hold.
    """
    bundle, board = tables.places[place, columns.BUNDLE], tables.places[place, columns.BOARD]
    width, other_width = count_hands(tables.boards, board, player), count_hands(tables.boards, board, 1 - player)
    first_lane, count, n_showdowns, first_folded, has_rake = tables.lanes[bundle, player]
    start = find_first_hand(tables.boards, board, player)
    weights = block(hand_weights, start, 1, width)[0]
    incoming, showdown, fold = lanes[0], lanes[1], lanes[2]
    for chunk in range(0, count, LANES):
        size = min(LANES, count - chunk)
        for lane in range(LANES):
            row = first_lane + chunk + min(lane, size - 1)
            starts[columns.SWEPT_ROW, lane] = tables.lane_rows[row, columns.SWEPT_ROW] * other_width
            for way in range(columns.WAYS_TO_PAY if has_rake else columns.RAKE_PAYMENT):
                starts[columns.PAID_ROW + way, lane] = tables.lane_rows[row, columns.PAID_ROW + way] * width
                amounts[way, lane] = tables.lane_amounts[row, way] if lane < size else 0.0
        transpose_to_lanes(reach, starts[columns.SWEPT_ROW], other_width, incoming, size)
        any_shown, any_folded = chunk < n_showdowns, chunk + size > first_folded
        sweep_hands(tables, board, player, any_shown, incoming, showdown, sums)
        first = 0
        while first < width:
            last = first + HANDS_AT_A_TIME if first + HANDS_AT_A_TIME + TILE <= width else width
            subtract_blocked(
                tables, start, incoming, showdown, fold, sums, first, last, any_shown, any_folded or has_rake
            )
            if any_shown:
                to = starts[columns.PAID_ROW + columns.AT_SHOWDOWN], amounts[columns.AT_SHOWDOWN]
                add_lane_values(showdown, 0, weights, value, *to, 0, min(size, n_showdowns - chunk), first, last)
            if any_folded:
                to = starts[columns.PAID_ROW + columns.AT_FOLD], amounts[columns.AT_FOLD]
                add_lane_values(fold, first, weights, value, *to, max(0, first_folded - chunk), size, first, last)
            if has_rake:
                to = starts[columns.PAID_ROW + columns.RAKE_PAYMENT], amounts[columns.RAKE_PAYMENT]
                add_lane_values(fold, first, weights, value, *to, 0, size, first, last)
            first = last


@reassociated
def add_first_player_equities(equity: Block, reach: Row, amount: float, weights: Row, value: Row) -> None:
    """Add amount * weights[w] * (the sum of equity[w, v] * reach[v] over v, in any order) to value[w]."""
    count, width = equity.shape
    if count == EQUITY_ROWS:
        sum0 = sum1 = sum2 = sum3 = value.dtype.type(0.0)
        for v in range(width):
            sum0 += equity[0, v] * reach[v]
            sum1 += equity[1, v] * reach[v]
            sum2 += equity[2, v] * reach[v]
            sum3 += equity[3, v] * reach[v]
        value[0] += amount * sum0 * weights[0]
        value[1] += amount * sum1 * weights[1]
        value[2] += amount * sum2 * weights[2]
        value[3] += amount * sum3 * weights[3]
        return
    for w in range(count):
        total = value.dtype.type(0.0)
        for v in range(width):
            total += equity[w, v] * reach[v]
        value[w] += amount * total * weights[w]


@kernel
def add_second_player_equities(equity: Block, reach: Row, amount: float, weights: Row, value: Row) -> None:
    """Subtract amount * weights[v] * (the sum of equity[w, v] * reach[w] over w) from value[v]."""
    count, width = equity.shape
    if count == EQUITY_ROWS:
        f0, f1, f2, f3 = -amount * reach[0], -amount * reach[1], -amount * reach[2], -amount * reach[3]
        for v in range(width):
            total = f0 * equity[0, v] + f1 * equity[1, v] + f2 * equity[2, v] + f3 * equity[3, v]
            value[v] += total * weights[v]
        return
    for w in range(count):
        factor = -amount * reach[w]
        for v in range(width):
            value[v] += factor * equity[w, v] * weights[v]


@kernel
def add_allin_values(tables: PublicTables, place: int, player: int, reach: Row, value: Row, hand_weights: Row) -> None:
    """Add the values of all-ins with cards to come, from the equity of each pair of hands; see `add_end_values`.

    The equities are read once for all all-ins, those of EQUITY_ROWS hands of the first player at a time.
    """
    bundle, board = tables.places[place, columns.BUNDLE], tables.places[place, columns.BOARD]
    start = tables.boards[board, columns.EQUITY]
    first, last = tables.bundles[bundle, columns.ALLINS_BEGIN], tables.bundles[bundle, columns.ALLINS_END]
    if start < 0 or first == last:
        return
    width_one, width_two = count_hands(tables.boards, board, 0), count_hands(tables.boards, board, 1)
    first_hand, width = find_first_hand(tables.boards, board, player), width_two if player else width_one
    weights = block(hand_weights, first_hand, 1, width)[0]
    for w in range(0, width_one, EQUITY_ROWS):
        count = min(EQUITY_ROWS, width_one - w)
        equity = block(tables.equity, start + w * width_two, count, width_two)
        for k in range(first, last):
            end = tables.allins[k]
            amount = value.dtype.type(tables.amounts[end])
            row_one = tables.ends[end, columns.END_ROW] * width_one + w
            row_two = tables.ends[end, columns.END_ROW + 1] * width_two
            if player == 0:
                rows = block(reach, row_two, 1, width_two)[0], block(value, row_one, 1, count)[0]
                add_first_player_equities(equity, rows[0], amount, weights[w:], rows[1])
            else:
                rows = block(reach, row_one, 1, count)[0], block(value, row_two, 1, width_two)[0]
                add_second_player_equities(equity, rows[0], amount, weights, rows[1])
