"""What the ends of a place are worth: folds, showdowns and all-ins, for every hand against the opponent's reach.

Showdowns: with the hands of both players sorted by strength, one sweep keeps running sums of the opponent's reach in
total and by card. Before a group of equal hands is added they give "weaker", after it "weaker or equal", at the end
"all": weaker - stronger = before + after - all. `LANES` rows are swept side by side, so that a step of the sweep is a
vector operation; rows are transposed in tiles on the way in and out. The last step, from the sums to what is paid, goes
over PAID hands at a time.
"""

from __future__ import annotations

from rue.forms.public_form import (
    ALLINS_BEGIN,
    ALLINS_END,
    AT_FOLD,
    AT_SHOWDOWN,
    BOARD,
    BUNDLE,
    COMPARE_COLUMNS,
    END_ROW,
    EQUITY,
    GROUP_COLUMNS,
    GROUP_END,
    HAND_GROUP,
    NOT_STRONGER,
    PAID_ROW,
    SAME_HAND,
    SWEPT_ROW,
    WAYS_TO_PAY,
    WEAKER,
    WHOEVER_WINS,
)
from rue.forms.rounds import LANES, NO_CARD
from rue.native.compiled import apart, reordered, woven
from rue.regret.blocks import block, unchecked
from rue.regret.tiles import TILE, pay_picked, pay_tile, transpose_tile
from rue.regret.vectors import read_all, vector, write_all
from rue.solvers.public_rows import first_hand, width_of
from rue.solvers.public_space import CARD_ROWS, TOTAL

PAID = 128
"""Hands that are paid at a time, so that what they get is still in the nearest cache."""
TOGETHER = 4
"""Hands whose equities are read side by side: what they are multiplied with is fetched once for all of them."""


@apart
def to_lanes(reach, starts, width, lanes, size):
    """Transpose rows of the reach, of which `starts` says where they begin, into hands of LANES lanes.

    Whole tiles are moved: lanes from `size` on mean nothing, nor do hands after the last, for which there must be room.
    """
    for first in range(0, size, TILE):
        for w in range(0, width, TILE):
            transpose_tile(reach, starts, first, w, lanes, w * LANES + first, LANES)


@apart
def sweep(form, board, player, shown, lanes, showdown, sums):
    """Fill `showdown` with "before" + "after" for every hand of `player`, if any lane is shown, and sum up all."""
    start, width = first_hand(form.boards, board, player), width_of(form.boards, board, player)
    other, other_width = first_hand(form.boards, board, 1 - player), width_of(form.boards, board, 1 - player)
    cards, groups = form.cards, form.groups
    total = vector(lanes, 0.0)
    for k in range(CARD_ROWS):
        write_all(sums, k * LANES, total)
    group = GROUP_COLUMNS * form.boards[board, HAND_GROUP + player]
    first = added = 0
    while shown and first < width:
        weaker, equal = unchecked(groups, group + WEAKER), unchecked(groups, group + NOT_STRONGER)
        last = unchecked(groups, group + GROUP_END)
        for v in range(added, weaker):
            total = add_hand(total, read_all(lanes, v * LANES), cards, other + v, sums)
        for w in range(first, last):
            write_all(showdown, w * LANES, disjoint(total, cards, start + w, sums))
        for v in range(weaker, equal):
            total = add_hand(total, read_all(lanes, v * LANES), cards, other + v, sums)
        for w in range(first, last):
            both = read_all(showdown, w * LANES) + disjoint(total, cards, start + w, sums)
            write_all(showdown, w * LANES, both)
        first, added, group = last, equal, group + GROUP_COLUMNS
    for v in range(added, other_width):
        total = add_hand(total, read_all(lanes, v * LANES), cards, other + v, sums)
    write_all(sums, TOTAL * LANES, total)


@apart
def take_out_all(form, start, lanes, showdown, fold, sums, first, last, shown, folded):
    """Of the hands from `first` to `last`, turn before + after into weaker - stronger, and fill `fold` with all.

    All is what shares no card with a hand; a hand that both may hold was taken out twice.
    """
    total = read_all(sums, TOTAL * LANES)
    for w in range(first, last):
        everyone = disjoint(total, form.cards, start + w, sums)
        if shown:
            write_all(showdown, w * LANES, read_all(showdown, w * LANES) - everyone)
        if folded:
            same = unchecked(form.compare, COMPARE_COLUMNS * (start + w) + SAME_HAND)
            if same >= 0:
                everyone = everyone + read_all(lanes, same * LANES)
            write_all(fold, (w - first) * LANES, everyone)


@woven
def add_hand(total, reach, cards, hand, sums):
    """Add a hand to the sums of its cards, a missing one to a sum that is never read; returns the new total."""
    one, two = unchecked(cards, 2 * hand), unchecked(cards, 2 * hand + 1)
    one, two = one * LANES, (two + (two == NO_CARD)) * LANES
    write_all(sums, one, read_all(sums, one) + reach)
    write_all(sums, two, read_all(sums, two) + reach)
    return total + reach


@woven
def disjoint(total, cards, hand, sums):
    """The reach of the hands that share no card with a hand, itself counted twice out."""
    one = read_all(sums, unchecked(cards, 2 * hand) * LANES)
    two = read_all(sums, unchecked(cards, 2 * hand + 1) * LANES)
    return total - one - two


@apart
def pay(lanes, before, weights, value, targets, amounts, lowest, end, first, last):
    """Add what the hands from `first` to `last` get in the lanes from `lowest` to `end` to the rows the lanes pay to.

    The lanes begin with the hand `before`. Tiles are whole: the last one comes first, moved back until it ends with the
    hands; some of its hands are others'.
    """
    w, done = last - TILE, (first - last) % TILE
    for following in range(first, last if w >= first else first, TILE):
        for lane in range(lowest - lowest % TILE, end, TILE):
            at = (w - before) * LANES + lane
            if lowest <= lane and lane + TILE <= end:
                pay_tile(lanes, at, weights, value, targets, amounts, lane, w, done)
            else:
                pay_picked(lanes, at, weights, value, targets, amounts, lane, w, done)
        w, done = following, 0
    for lane in range(lowest, end if w < first else lowest):
        for v in range(first, last):
            value[targets[lane] + v] += amounts[lane] * weights[v] * lanes[(v - before) * LANES + lane]


@apart
def settle(form, place, player, reach, value, own, lanes, sums, starts, amounts):
    """Add to the player's rows what folds and showdowns are worth against the opponent's reach.

    What a showdown or all-in costs whoever wins is paid like a fold: it only matters which hands can be there.
    """
    bundle, board = form.places[place, BUNDLE], form.places[place, BOARD]
    width, other_width = width_of(form.boards, board, player), width_of(form.boards, board, 1 - player)
    first_lane, count, shown, folded, due = form.lanes[bundle, player]
    start = first_hand(form.boards, board, player)
    weights = block(own, start, 1, width)[0]
    incoming, showdown, fold = lanes[0], lanes[1], lanes[2]
    for chunk in range(0, count, LANES):
        size = min(LANES, count - chunk)
        for lane in range(LANES):
            row = first_lane + chunk + min(lane, size - 1)
            starts[SWEPT_ROW, lane] = form.lane_rows[row, SWEPT_ROW] * other_width
            for kind in range(WAYS_TO_PAY if due else WHOEVER_WINS):
                starts[PAID_ROW + kind, lane] = form.lane_rows[row, PAID_ROW + kind] * width
                amounts[kind, lane] = form.lane_amounts[row, kind] if lane < size else 0.0
        to_lanes(reach, starts[SWEPT_ROW], other_width, incoming, size)
        some_shown, some_folded = chunk < shown, chunk + size > folded
        sweep(form, board, player, some_shown, incoming, showdown, sums)
        first = 0
        while first < width:
            last = first + PAID if first + PAID + TILE <= width else width
            take_out_all(form, start, incoming, showdown, fold, sums, first, last, some_shown, some_folded or due)
            if some_shown:
                to = starts[PAID_ROW + AT_SHOWDOWN], amounts[AT_SHOWDOWN], 0, min(size, shown - chunk)
                pay(showdown, 0, weights, value, *to, first, last)
            if some_folded:
                to = starts[PAID_ROW + AT_FOLD], amounts[AT_FOLD], max(0, folded - chunk), size
                pay(fold, first, weights, value, *to, first, last)
            if due:
                to = starts[PAID_ROW + WHOEVER_WINS], amounts[WHOEVER_WINS], 0, size
                pay(fold, first, weights, value, *to, first, last)
            first = last


@reordered
def add_means(equity, reach, amount, weights, value):
    """value[w] += amount * weights[w] * (the sum of equity[w, v] * reach[v] over v, in any order)."""
    count, width = equity.shape
    if count == TOGETHER:
        one = two = three = four = value.dtype.type(0.0)
        for v in range(width):
            one += equity[0, v] * reach[v]
            two += equity[1, v] * reach[v]
            three += equity[2, v] * reach[v]
            four += equity[3, v] * reach[v]
        value[0] += amount * one * weights[0]
        value[1] += amount * two * weights[1]
        value[2] += amount * three * weights[2]
        value[3] += amount * four * weights[3]
        return
    for w in range(count):
        total = value.dtype.type(0.0)
        for v in range(width):
            total += equity[w, v] * reach[v]
        value[w] += amount * total * weights[w]


@apart
def take_means(equity, reach, amount, weights, value):
    """value[v] -= amount * weights[v] * (the sum of equity[w, v] * reach[w] over w)."""
    count, width = equity.shape
    if count == TOGETHER:
        one, two, three, four = -amount * reach[0], -amount * reach[1], -amount * reach[2], -amount * reach[3]
        for v in range(width):
            total = one * equity[0, v] + two * equity[1, v] + three * equity[2, v] + four * equity[3, v]
            value[v] += total * weights[v]
        return
    for w in range(count):
        factor = -amount * reach[w]
        for v in range(width):
            value[v] += factor * equity[w, v] * weights[v]


@apart
def settle_allin(form, place, player, reach, value, own):
    """Add what all-ins with cards to come are worth: the equity of each pair of hands is known.

    The equities are read once for all of them, those of TOGETHER hands of the first player at a time.
    """
    bundle, board = form.places[place, BUNDLE], form.places[place, BOARD]
    start = form.boards[board, EQUITY]
    first, last = form.bundles[bundle, ALLINS_BEGIN], form.bundles[bundle, ALLINS_END]
    if start < 0 or first == last:
        return
    one, two = width_of(form.boards, board, 0), width_of(form.boards, board, 1)
    weights = block(own, first_hand(form.boards, board, player), 1, two if player else one)[0]
    for w in range(0, one, TOGETHER):
        count = min(TOGETHER, one - w)
        equity = block(form.equity, start + w * two, count, two)
        for k in range(first, last):
            end = form.allins[k]
            amount = value.dtype.type(form.amounts[end])
            own_row, other_row = form.ends[end, END_ROW] * one + w, form.ends[end, END_ROW + 1] * two
            if player == 0:
                rows = block(reach, other_row, 1, two)[0], block(value, own_row, 1, count)[0]
                add_means(equity, rows[0], amount, weights[w:], rows[1])
            else:
                rows = block(reach, own_row, 1, count)[0], block(value, other_row, 1, two)[0]
                take_means(equity, rows[0], amount, weights, rows[1])
