"""The walk over a card game in public form: compiled, place by place, hands side by side.

To update one player (the other is "the opponent"), at each place, from the first one down:

    forward    the opponent's rows: reach[action] = reach[parent] * sigma[action]; its average grows on the way
    ends       a fold pays amount * (the opponent's reach that shares no card), a showdown amount * (weaker - stronger)
    deals      the places that follow, one for each card; what they are worth comes back
    backward   the player's decisions, last first: regret, learning, value passed up

Showdowns: with the hands of both players sorted by strength, one sweep keeps running sums of the opponent's reach in
total and by card. Before a group of equal hands is added they give "weaker", after it "weaker or equal", at the end
"all": weaker - stronger = before + after - all. `LANES` rows are swept side by side, so that a step of the sweep is a
vector operation; rows are transposed in tiles on the way in and out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rue.forms.public_tree import ALLIN, FOLD, LANES, NO_CARD, SHOWDOWN
from rue.regret.accumulate import discounted
from rue.regret.borrowed import block
from rue.regret.compiled import apart, compiled, inlined, part, reordered, woven
from rue.regret.match import regret_matching
from rue.regret.update import (
    EXPONENTIAL,
    KEEP,
    NEGATIVE,
    POSITIVE,
    PROJECTION,
    PROPAGATED,
    REGRET_MATCHING,
    SOFTMAX,
    WEIGHT,
    match,
    update,
)
from rue.solve.fused import FEWEST, MOST, fused_backward, fused_forward
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
from rue.solve.walk import add_mean, centre

WHOLE, OPEN, SHARE, CLOSE = 0, 1, 2, 3
WORK_ROWS = 6
CARD_ROWS = 54
"""Running sums: 52 cards, the missing second card that stays zero, and one that takes what would be added to it."""
TOTAL = CARD_ROWS * LANES
"""Where the sum over all hands is kept."""


class Store(NamedTuple):
    """What one player keeps over all places: a row of hands for each action."""

    regret: Any
    average: Any
    strategy: Any
    """The strategy, where it cannot be drawn from the regret alone; else an empty array."""
    weight: Any
    """e^L1 of the exponential rule; else an empty array."""
    memory: Any
    """What a rule of one's own remembers."""
    previous: Any
    """The last iteration's gradient of every row, where regret is taken against two plans; else an empty array."""


class Space(NamedTuple):
    """Scratch arrays; the first axis is a thread, the second of the first four a level of deals."""

    reach: Any
    value: Any
    guess: Any
    """The value propagated through the new strategies, for predictive rules; else empty."""
    mine: Any
    """The player's own reach, for the exponential rule; else empty."""
    rows: Any
    """Showdown and fold values of the lanes, as rows of hands."""
    lanes: Any
    """Reach, showdown and fold values of the lanes, as hands of lanes."""
    sums: Any
    strategy: Any
    score: Any
    work: Any
    starts: Any
    """Where rows begin, for transposition."""
    stack: Any
    """The place of each level and how many of the places after it are done."""


class Learning(NamedTuple):
    """What an update needs: both stores, whose turn it is, the rule and its numbers."""

    opponent: Store
    player: Store
    rule: Any
    now: Any
    """Coefficients of the iteration."""
    player_drawn: Any
    """Coefficients that the player's current strategy was drawn with."""
    opponent_drawn: Any
    keep: Any
    weight: Any
    steps: Any
    """The step size of each decision of each place."""


class Judging(NamedTuple):
    """What an evaluation needs: the averages, and whether the player answers best or plays the average too."""

    opponent: Any
    player: Any
    best: Any


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


@apart
def match_block(rule, c, strategy, score, weight, step, work):
    """`match`, compiled once for all its callers."""
    match(rule, c, strategy, score, weight, step, work)


@apart
def update_block(rule, c, instant, guess, regret, strategy, weight, step, memory, score, work):
    """`update`, compiled once for all its callers."""
    update(rule, c, instant, guess, regret, strategy, weight, step, memory, score, work)


@inlined
def step_row(form, place, decision, learning, width, work):
    """The step size of a decision, once for each hand."""
    row = work[5, :width]
    if learning.rule.match == SOFTMAX or learning.rule.match == PROJECTION:
        row[:] = learning.steps[form.places[place, 5] + decision - form.bundles[form.places[place, 0], 2]]
    return row


@inlined
def current(store, learning, drawn, at, A, width, steps, strategy, work):
    """The strategy of a decision: kept, or drawn from its regret."""
    if len(store.strategy) > 0:
        return block(store.strategy, at, A, width)
    sigma = block(strategy, 0, A, width)
    regret = block(store.regret, at, A, width)
    if learning.rule.match == REGRET_MATCHING:
        regret_matching(sigma, regret, work)
    else:
        match_block(learning.rule, drawn, sigma, regret, regret, steps, work)
    return sigma


@apart
def forward(form, place, opponent, learning, reach, strategy, work):
    """The opponent's rows at a place, from row 0; the average grows by them."""
    bundle, board = form.places[place, 0], form.places[place, 1]
    width = form.boards[board, 2 * opponent + 1]
    base = form.places[place, 2 + opponent] - form.bundles[bundle, 8] * width
    store, keep, weight = learning.opponent, learning.keep, learning.weight
    plain = learning.rule.match == REGRET_MATCHING and len(store.strategy) == 0
    for k in range(form.bundles[bundle, 2], form.bundles[bundle, 3]):
        player, first, A, parent = form.choices[k]
        if player != opponent:
            continue
        at = base + first * width
        if plain and FEWEST <= A <= MOST:
            fused_forward(A, store.regret, store.average, at, reach, parent * width, first * width, width, keep, weight)
            continue
        steps = step_row(form, place, k, learning, width, work)
        sigma = current(store, learning, learning.opponent_drawn, at, A, width, steps, strategy, work)
        average = block(store.average, at, A, width)
        rows = block(reach, first * width, A, width)
        before = block(reach, parent * width, 1, width)[0]
        if learning.rule.accumulate == EXPONENTIAL:
            multiply(rows, before, sigma)
            continue
        for a in range(A):
            for w in range(width):
                row = before[w] * sigma[a, w]
                rows[a, w] = row
                average[a, w] = keep * average[a, w] + weight * row


@woven
def multiply(rows, before, sigma):
    """rows = before * sigma."""
    A, width = rows.shape
    for a in range(A):
        for w in range(width):
            rows[a, w] = before[w] * sigma[a, w]


@apart
def prepare(form, place, player, learning, value, mine):
    """Add the last iteration's gradient if the rule wants it; follow the player's own reach if its average does."""
    bundle, board = form.places[place, 0], form.places[place, 1]
    width = form.boards[board, 2 * player + 1]
    store = learning.player
    if learning.rule.both_plans:
        start = form.places[place, 6 + player]
        for k in range(form.bundles[bundle, player] * width):
            now = value[k]
            value[k] += store.previous[start + k]
            store.previous[start + k] = now
    if learning.rule.accumulate == EXPONENTIAL:
        base = form.places[place, 2 + player] - form.bundles[bundle, 8] * width
        for k in range(form.bundles[bundle, 2], form.bundles[bundle, 3]):
            mover, first, A, parent = form.choices[k]
            if mover == player:
                sigma = block(store.strategy, base + first * width, A, width)
                multiply(block(mine, first * width, A, width), block(mine, parent * width, 1, width)[0], sigma)


@apart
def judge_prepare(form, place, player, judging, value, mine):
    """Nothing to add."""


@apart
def backward(form, place, player, learning, value, guess, mine, strategy, score, work):
    """The player's decisions at a place, last first: regret, learning, value passed up to the row before."""
    bundle, board = form.places[place, 0], form.places[place, 1]
    width = form.boards[board, 2 * player + 1]
    base = form.places[place, 2 + player] - form.bundles[bundle, 8] * width
    store, rule, c = learning.player, learning.rule, learning.now
    stored = len(store.strategy) > 0
    plain = rule.match == REGRET_MATCHING and not stored and not rule.instant
    extra = len(store.memory) // max(1, len(store.regret))
    mean, guess_mean = work[3], work[4]
    for k in range(form.bundles[bundle, 3] - 1, form.bundles[bundle, 2] - 1, -1):
        mover, first, A, parent = form.choices[k]
        if mover != player:
            continue
        at = base + first * width
        if plain and FEWEST <= A <= MOST:
            factors = c[POSITIVE], c[NEGATIVE], rule.floor
            fused_backward(A, store.regret, at, value, parent * width, first * width, width, *factors)
            continue
        instant = block(value, first * width, A, width)
        regret = block(store.regret, at, A, width)
        steps = step_row(form, place, k, learning, width, work)
        sigma = current(store, learning, learning.player_drawn, at, A, width, steps, strategy, work)
        centre(instant, sigma, mean)
        expected = block(guess, first * width, A, width)
        if rule.predict == PROPAGATED:
            centre(expected, sigma, guess_mean)
        if stored or rule.instant:
            weights = block(store.weight if rule.accumulate == EXPONENTIAL else store.regret, at, A, width)
            memory = block(store.memory, at * extra, extra * A, width)
            scores = block(score, 0, A, width)
            update_block(rule, c, instant, expected, regret, sigma, weights, steps, memory, scores, work)
            if rule.accumulate == EXPONENTIAL:
                average = block(store.average, at, A, width)
                rows = block(mine, first * width, A, width)
                for a in range(A):
                    for w in range(width):
                        part = learning.weight * weights[a, w] * rows[a, w]
                        average[a, w] = learning.keep * average[a, w] + part
        else:
            discounted(regret, instant, c[POSITIVE], c[NEGATIVE], rule.floor)
        if rule.instant:
            add_mean(instant, sigma, mean)
        add_row(value, parent, width, mean)
        if rule.predict == PROPAGATED:
            add_mean(expected, sigma, guess_mean)
            add_row(guess, parent, width, guess_mean)


@inlined
def add_row(rows, row, width, values):
    """Add values to a row of hands."""
    target = block(rows, row * width, 1, width)[0]
    for w in range(width):
        target[w] += values[w]


@apart
def judge_forward(form, place, opponent, judging, reach, strategy, work):
    """The opponent's rows under its average strategy."""
    bundle, board = form.places[place, 0], form.places[place, 1]
    width = form.boards[board, 2 * opponent + 1]
    base = form.places[place, 2 + opponent] - form.bundles[bundle, 8] * width
    for k in range(form.bundles[bundle, 2], form.bundles[bundle, 3]):
        player, first, A, parent = form.choices[k]
        if player == opponent:
            sigma = block(strategy, 0, A, width)
            average = block(judging.opponent, base + first * width, A, width)
            regret_matching(sigma, average, work)
            for a in range(A):
                for w in range(width):
                    reach[(first + a) * width + w] = reach[parent * width + w] * sigma[a, w]


@apart
def judge_backward(form, place, player, judging, value, guess, mine, strategy, score, work):
    """The value of a best response, or of the player's own average strategy."""
    bundle, board = form.places[place, 0], form.places[place, 1]
    width = form.boards[board, 2 * player + 1]
    base = form.places[place, 2 + player] - form.bundles[bundle, 8] * width
    for k in range(form.bundles[bundle, 3] - 1, form.bundles[bundle, 2] - 1, -1):
        mover, first, A, parent = form.choices[k]
        if mover != player:
            continue
        rows = block(value, first * width, A, width)
        target = block(value, parent * width, 1, width)[0]
        if judging.best:
            for w in range(width):
                best = rows[0, w]
                for a in range(1, A):
                    best = max(best, rows[a, w])
                target[w] += best
        else:
            sigma = block(strategy, 0, A, width)
            average = block(judging.player, base + first * width, A, width)
            regret_matching(sigma, average, work)
            for a in range(A):
                for w in range(width):
                    target[w] += sigma[a, w] * rows[a, w]


@woven
def followers_of(form, place):
    """How many places follow a place: cards times groups of deals."""
    return form.boards[form.places[place, 1], 5] * form.bundles[form.places[place, 0], 6]


@apart
def deal_in(form, place, job, opponent, chance, reach, below):
    """A reach after a card: the first rows of the place that follows, which is returned."""
    bundle, board = form.places[place, 0], form.places[place, 1]
    groups = form.bundles[bundle, 6]
    child = form.boards[board, 4] + job // groups
    first, last = form.followers[form.bundles[bundle, 7] + job % groups]
    width, child_width = form.boards[board, 2 * opponent + 1], form.boards[child, 2 * opponent + 1]
    source = block(form.source, form.sources[form.boards[child, 6], opponent], 1, child_width)[0]
    for k in range(first, last):
        above = block(reach, form.ends[form.deals[k], 1 + opponent] * width, 1, width)[0]
        row = block(below, (k - first) * child_width, 1, child_width)[0]
        for w in range(child_width):
            row[w] = chance * above[source[w]]
    return form.places[place, 4] + job


@apart
def deal_out(form, place, job, player, below, value):
    """Add what the place after a card is worth, for every card that it stands for."""
    bundle, board = form.places[place, 0], form.places[place, 1]
    groups = form.bundles[bundle, 6]
    child = form.boards[board, 4] + job // groups
    first, last = form.followers[form.bundles[bundle, 7] + job % groups]
    width, child_width = form.boards[board, 2 * player + 1], form.boards[child, 2 * player + 1]
    for member in range(form.boards[child, 6], form.boards[child, 6] + form.boards[child, 7]):
        source = block(form.source, form.sources[member, player], 1, child_width)[0]
        for k in range(first, last):
            above = block(value, form.ends[form.deals[k], 1 + player] * width, 1, width)[0]
            row = block(below, (k - first) * child_width, 1, child_width)[0]
            for w in range(child_width):
                above[source[w]] += row[w]


def walker(forward, prepare, backward):
    """The kernel that visits a place and all that follow it, with one way down and one way up.

    Made twice, for learning and for judging. The walk keeps its own stack instead of calling itself: numba would
    compile every level of calls anew.
    """

    @woven
    def open_place(form, place, player, context, own, space, thread, level):
        """Forward, then the ends that need no further card."""
        bundle, board = form.places[place, 0], form.places[place, 1]
        reach, value = space.reach[thread, level], space.value[thread, level]
        forward(form, place, 1 - player, context, reach, space.strategy[thread], space.work[thread])
        size = form.bundles[bundle, player] * form.boards[board, 2 * player + 1]
        for k in range(size):
            value[k] = 0.0
        settle(
            form,
            place,
            player,
            reach,
            value,
            own,
            space.rows[thread],
            space.lanes[thread],
            space.sums[thread],
            space.starts[thread],
        )
        settle_allin(form, place, player, reach, value, own)
        prepare(form, place, player, context, value, space.mine[thread, level])
        if space.guess.shape[2] > 0:
            guess = space.guess[thread, level]
            for k in range(size):
                guess[k] = value[k]

    @woven
    def close_place(form, place, player, context, space, thread, level):
        """Backward."""
        value = space.value[thread, level]
        guess = space.guess[thread, level] if space.guess.shape[2] > 0 else value
        scratch = space.mine[thread, level], space.strategy[thread], space.score[thread], space.work[thread]
        backward(form, place, player, context, value, guess, *scratch)

    @woven
    def enter(form, place, job, player, space, thread, level, source):
        """The reaches after a card, from the arrays of thread `source`; returns the place that follows."""
        chance = space.reach.dtype.type(form.chance[form.places[place, 1]])
        reach = space.reach[source, level], space.reach[thread, level + 1]
        if space.mine.shape[2] > 0:
            mine = space.mine[source, level], space.mine[thread, level + 1]
            deal_in(form, place, job, player, space.reach.dtype.type(1.0), *mine)
        return deal_in(form, place, job, 1 - player, chance, *reach)

    @woven
    def take(form, place, job, player, space, thread, level):
        """Add what the place after a card is worth to the place before."""
        deal_out(form, place, job, player, space.value[thread, level + 1], space.value[thread, level])
        if space.guess.shape[2] > 0:
            deal_out(form, place, job, player, space.guess[thread, level + 1], space.guess[thread, level])

    @part
    def visit(form, first, player, context, own, space, results, stage, thread, threads):
        """A place and all that follows, or one stage of it: OPEN it, a thread's SHARE of its deals, CLOSE it."""
        jobs = followers_of(form, first)
        stack = space.stack[thread]
        base = 1 if stage == SHARE else 0
        root_job = thread if stage == SHARE else jobs
        level, opening = 0, stage != SHARE and stage != CLOSE
        stack[0, 0], stack[0, 1] = first, 0 if stage == WHOLE else jobs
        while True:
            if stage == SHARE and level == 0:
                if root_job >= jobs:
                    return
                after = enter(form, first, root_job, player, space, thread, 0, 0)
                level, opening = 1, True
                stack[1, 0], stack[1, 1] = after, 0
            place = stack[level, 0]
            if opening:
                open_place(form, place, player, context, own, space, thread, level)
                opening = False
            job = stack[level, 1]
            if job < followers_of(form, place):
                stack[level + 1, 0], stack[level + 1, 1] = (
                    enter(form, place, job, player, space, thread, level, thread),
                    0,
                )
                level, opening = level + 1, True
                continue
            if stage == OPEN:
                return
            if stage == CLOSE:
                for number in range(jobs):
                    deal_out(form, first, number, player, results[0, number], space.value[0, 0])
                    if space.guess.shape[2] > 0:
                        deal_out(form, first, number, player, results[1, number], space.guess[0, 0])
            close_place(form, place, player, context, space, thread, level)
            if level == base:
                if stage != SHARE:
                    return
                results[0, root_job] = space.value[thread, 1, : results.shape[2]]
                if space.guess.shape[2] > 0:
                    results[1, root_job] = space.guess[thread, 1, : results.shape[2]]
                root_job += threads
                level = 0
                continue
            level -= 1
            take(form, stack[level, 0], stack[level, 1], player, space, thread, level)
            stack[level, 1] += 1

    return visit


learn_all = walker(forward, prepare, backward)
judge_all = walker(judge_forward, judge_prepare, judge_backward)


@compiled
def learn_public(
    form, stores, spare, entries, owns, steps, space, results, rule, coefficients, stage, player, thread, threads
):
    """Iterations: one for each row of coefficients but the first, which the current strategies were drawn with.

    With a stage other than WHOLE, only that stage of one player's update in one iteration.
    """
    for k in range(1, len(coefficients)):
        before, now = coefficients[k - 1], coefficients[k]
        for each in range(2):
            if stage != WHOLE and each != player:
                continue
            if rule.simultaneous and each == 0 and stage in (WHOLE, OPEN):
                spare.regret[:] = stores[0].regret
                spare.strategy[:] = stores[0].strategy
            other = stores[1 - each]
            drawn = now if each == 1 else before
            if rule.simultaneous and each == 1:
                other = Store(spare.regret, other.average, spare.strategy, other.weight, other.memory, other.previous)
                drawn = before
            context = Learning(other, stores[each], rule, now, before, drawn, now[KEEP], now[WEIGHT], steps)
            if stage in (WHOLE, OPEN):
                entry = entries[1 - each]
                space.reach[0, 0, : len(entry)] = entry
                if space.mine.shape[2] > 0:
                    space.mine[0, 0, : len(entries[each])] = 1.0
            learn_all(form, 0, each, context, owns[each], space, results, stage, thread, threads)


@compiled
def judge_public(form, first, averages, owns, space, results, best, stage, player, thread, threads):
    """One player against the other's average from a place on: by a best response or by the player's own average.

    The opponent's entering rows must be in the reach of thread 0, level 0; the player's rows are left in the value.
    """
    context = Judging(averages[1 - player], averages[player], best)
    judge_all(form, first, player, context, owns[player], space, results, stage, thread, threads)
