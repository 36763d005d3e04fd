"""What the ends of a place are worth: folds, showdowns and all-ins, for every hand against the opponent's reach.

Showdowns: with the hands of both players sorted by strength, one sweep keeps running sums of the opponent's reach in
total and by card. Before a group of equal hands is added they give "weaker", after it "weaker or equal", at the end
"all": weaker - stronger = before + after - all. `LANES` rows are swept side by side, so that a step of the sweep is a
vector operation; rows are transposed in tiles on the way in and out.
"""

from __future__ import annotations

from rue.forms.public_tree import ALLIN, FOLD, LANES, NO_CARD, SHOWDOWN
from rue.regret.borrowed import block
from rue.regret.compiled import apart, inlined, reordered
from rue.solve.simd import (
    TILE,
    add_disjoint,
    add_hand,
    add_lanes,
    set_disjoint,
    subtract_disjoint,
    subtract_lanes,
    transpose_tile,
)

CARD_ROWS = 54
"""Running sums: 52 cards, the missing second card that stays zero, and one that takes what would be added to it."""
TOTAL = CARD_ROWS * LANES
"""Where the sum over all hands is kept."""


@apart
def to_lanes(reach, starts, count, width, lanes):
    """Transpose rows of the reach, of which `starts` says where they begin, into hands of LANES lanes.

    Lanes from `count` on are copies of a row and mean nothing.
    """
    tiled = width - width % TILE
    for first in range(0, LANES, TILE):
        for w in range(0, tiled, TILE):
            transpose_tile(reach, starts, first, w, lanes, w * LANES + first, LANES)
    for w in range(tiled, width):
        for lane in range(count):
            lanes[w * LANES + lane] = reach[starts[lane] + w]


@apart
def to_rows(lanes, starts, width, rows):
    """Transpose hands of LANES lanes into LANES rows of hands."""
    tiled = width - width % TILE
    for k in range(TILE):
        starts[k] = k * LANES
    for first in range(0, LANES, TILE):
        for w in range(0, tiled, TILE):
            transpose_tile(lanes, starts, 0, w * LANES + first, rows, first * width + w, width)
    for w in range(tiled, width):
        for lane in range(LANES):
            rows[lane * width + w] = lanes[w * LANES + lane]


@inlined
def add_hands(lanes, cards, first, last, start, sums):
    """Add the opponent's hands first..last to the running sums; a missing second card goes to a sum never read."""
    for w in range(first, last):
        two = cards[start + w, 1]
        spare = (two + (two == NO_CARD)) * LANES
        add_hand(sums, TOTAL, cards[start + w, 0] * LANES, spare, lanes, w * LANES)


@apart
def sweep(form, board, player, shown, folded, lanes, showdown, fold, sums):
    """Fill `showdown` with weaker - stronger and `fold` with all that shares no card, for every hand of `player`."""
    start, width = form.boards[board, 2 * player], form.boards[board, 2 * player + 1]
    other, other_width = form.boards[board, 2 - 2 * player], form.boards[board, 3 - 2 * player]
    cards, compare = form.cards, form.compare
    for k in range(len(sums)):
        sums[k] = 0.0
    added = 0
    if shown:
        first = 0
        while first < width:
            weaker, equal = compare[start + first, 0], compare[start + first, 1]
            last = first + 1
            while last < width and compare[start + last, 0] == weaker and compare[start + last, 1] == equal:
                last += 1
            add_hands(lanes, cards, added, weaker, other, sums)
            for w in range(first, last):
                one, two = cards[start + w, 0] * LANES, cards[start + w, 1] * LANES
                set_disjoint(showdown, w * LANES, sums, TOTAL, one, two)
            add_hands(lanes, cards, weaker, equal, other, sums)
            for w in range(first, last):
                one, two = cards[start + w, 0] * LANES, cards[start + w, 1] * LANES
                add_disjoint(showdown, w * LANES, sums, TOTAL, one, two)
            added = equal
            first = last
    add_hands(lanes, cards, added, other_width, other, sums)
    for w in range(width):
        one, two = cards[start + w, 0] * LANES, cards[start + w, 1] * LANES
        if folded:
            set_disjoint(fold, w * LANES, sums, TOTAL, one, two)
            if shown:
                subtract_lanes(showdown, w * LANES, fold, w * LANES)
            if compare[start + w, 2] >= 0:
                add_lanes(fold, w * LANES, lanes, compare[start + w, 2] * LANES)
        else:
            subtract_disjoint(showdown, w * LANES, sums, TOTAL, one, two)


@apart
def settle(form, place, player, reach, value, own, rows, lanes, sums, starts):
    """Add to the player's rows what folds and showdowns are worth against the opponent's reach."""
    bundle, board = form.places[place, 0], form.places[place, 1]
    width = form.boards[board, 2 * player + 1]
    start = form.boards[board, 2 * player]
    other_width = form.boards[board, 3 - 2 * player]
    first_row, count, shown, folded = form.lanes[2 * bundle + player]
    first_end, last_end = form.bundles[bundle, 4], form.bundles[bundle, 5]
    weights = block(own, start, 1, width)[0]
    incoming, showdown, fold = lanes[0], lanes[1], lanes[2]
    for chunk in range(0, count, LANES):
        size = min(LANES, count - chunk)
        for lane in range(LANES):
            starts[lane] = form.lane_rows[first_row + chunk + min(lane, size - 1)] * other_width
        to_lanes(reach, starts, size, other_width, incoming)
        some_shown, some_folded = chunk < shown, chunk + size > folded
        sweep(form, board, player, some_shown, some_folded, incoming, showdown, fold, sums)
        if some_shown:
            to_rows(showdown, starts, width, rows[0])
        if some_folded:
            to_rows(fold, starts, width, rows[1])
        for e in range(first_end, last_end):
            kind, lane = form.ends[e, 0], form.ends[e, 4 + player] - chunk
            if lane < 0 or lane >= size or (kind != FOLD and kind != SHOWDOWN):
                continue
            amount = value.dtype.type(form.amounts[e])
            if kind == FOLD and form.ends[e, 3] == player:
                amount = -amount
            source = block(rows[0] if kind == SHOWDOWN else rows[1], lane * width, 1, width)[0]
            target = block(value, form.ends[e, 1 + player] * width, 1, width)[0]
            for w in range(width):
                target[w] += amount * source[w] * weights[w]


@reordered
def dot(one, two):
    """The sum of products, in any order."""
    total = two.dtype.type(0.0)
    for k in range(len(one)):
        total += one[k] * two[k]
    return total


@apart
def settle_allin(form, place, player, reach, value, own):
    """Add what all-ins with cards to come are worth: the equity of each pair of hands is known."""
    bundle, board = form.places[place, 0], form.places[place, 1]
    if form.boards[board, 8] < 0:
        return
    one, two = form.boards[board, 1], form.boards[board, 3]
    width, other_width = (one, two) if player == 0 else (two, one)
    equity = block(form.equity, form.boards[board, 8], one, two)
    flat = form.boards[board, 8]
    weights = block(own, form.boards[board, 2 * player], 1, width)[0]
    for e in range(form.bundles[bundle, 4], form.bundles[bundle, 5]):
        if form.ends[e, 0] != ALLIN:
            continue
        amount = value.dtype.type(form.amounts[e])
        theirs = block(reach, form.ends[e, 2 - player] * other_width, 1, other_width)[0]
        target = block(value, form.ends[e, 1 + player] * width, 1, width)[0]
        if player == 0:
            for w in range(width):
                target[w] += amount * dot(block(form.equity, flat + w * two, 1, two)[0], theirs) * weights[w]
        else:
            for v in range(other_width):
                factor = -amount * theirs[v]
                for w in range(width):
                    target[w] += factor * equity[v, w] * weights[w]
