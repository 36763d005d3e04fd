"""The walk over a card game in public form: compiled, place by place, hands side by side.

A *place* is a board with the betting that may be played on it: one round, or several short ones as a *bundle*. What a
player does there is a table. A *row* is what the player did so far, one number for each hand: the first rows are how
each round was entered, then every decision has a row for each of its actions. Here a flop with one round, player 1
first. When player 2 learns, the walk fills player 1's table with reaches on the way down and player 2's with values
on the way up.

    player 1            AA  AK  KK ..      player 2       AA  AK  KK ..
    0  enters            .   .   .         0  enters       .   .   .
    1  check             .   .   .         1  check        .   .   .       rows 1, 1 and 4, 2 and 2, 4 lead to a deal:
    2  bet               .   .   .         2  bet          .   .   .       for each card a place, where they are the
    3  fold to 2         .   .   .         3  fold to 2    .   .   .       entering rows of a bundle of three rounds;
    4  call 2            .   .   .         4  call 2       .   .   .       rows 3, 2 and 2, 3 are folds

At the ends, a sweep over the hands from the weakest to the strongest needs each of the opponent's rows once. It takes
`LANES` rows at a time, a *lane* each: the table is turned, so that the rows of one hand are a vector.

To update one player (the other is "the opponent"), at each place, from the first one down:

    forward    the opponent's rows: reach[action] = reach[parent] * sigma[action]; its average grows on the way
    ends       a fold pays amount * (the opponent's reach that shares no card), a showdown amount * (weaker - stronger)
               - due * (the opponent's reach that shares no card)
    deals      the places that follow, one for each card; what they are worth comes back
    backward   the player's decisions, last first: regret, learning, value passed up

So an iteration walks all places twice, for one player and then for the other. `learn_public` makes many iterations in
a call; `judge_public` is the same walk with the averages, where nothing is learnt.
"""

from __future__ import annotations

import numpy as np

from rue.forms.public_form import (
    BOARD,
    BUNDLE,
    CHILDREN,
    END_ROW,
    FIRST_CHILD,
    FIRST_GROUP,
    FIRST_PLACE,
    FIRST_SOURCE,
    GROUPS,
    ROWS,
    SOURCES,
)
from rue.native.compiled import apart, compiled, part, woven
from rue.regret.blocks import block
from rue.regret.rule import KEEP, WEIGHT
from rue.solvers.public_decisions import (
    Judging,
    Learning,
    backward,
    forward,
    judge_backward,
    judge_forward,
    judge_prepare,
    prepare,
)
from rue.solvers.public_ends import settle, settle_allin
from rue.solvers.public_rows import width_of
from rue.solvers.public_space import BOTH, CLOSE, OPEN, SHARE, WHOLE
from rue.solvers.team import FINISHED, FOR_EACH, LEFT, OFFERED, RETURNED, SHARED, TAKEN
from rue.solvers.together import count, find_work, meet, set_counter, wait_for

PLACE, DONE = 0, 1
"""Columns of the stack: the place of a level and how many of the places after it are done."""
VALUE, GUESS = 0, 1
"""What a deal leaves in the results: what it is worth, and the same by the prediction."""


@part
def copy(source, into):
    """Write the numbers of an array at the beginning of another one."""
    for k in range(len(source)):
        into[k] = source[k]


@woven
def followers_of(form, place):
    """How many places follow a place: cards times groups of deals."""
    return form.boards[form.places[place, BOARD], CHILDREN] * form.bundles[form.places[place, BUNDLE], GROUPS]


@apart
def deal_in(form, place, job, opponent, chance, reach, below):
    """A reach after a card: the first rows of the place that follows, which is returned."""
    bundle, board = form.places[place, BUNDLE], form.places[place, BOARD]
    groups = form.bundles[bundle, GROUPS]
    child = form.boards[board, FIRST_CHILD] + job // groups
    first, last = form.followers[form.bundles[bundle, FIRST_GROUP] + job % groups]
    width, child_width = width_of(form.boards, board, opponent), width_of(form.boards, child, opponent)
    source = block(form.source, form.sources[form.boards[child, FIRST_SOURCE], opponent], 1, child_width)[0]
    for k in range(first, last):
        above = block(reach, form.ends[form.deals[k], END_ROW + opponent] * width, 1, width)[0]
        row = block(below, (k - first) * child_width, 1, child_width)[0]
        for w in range(child_width):
            row[w] = chance * above[np.uint32(source[w])]
    return form.places[place, FIRST_PLACE] + job


@apart
def deal_out(form, place, job, player, below, value):
    """Add what the place after a card is worth, for every card that it stands for."""
    bundle, board = form.places[place, BUNDLE], form.places[place, BOARD]
    groups = form.bundles[bundle, GROUPS]
    child = form.boards[board, FIRST_CHILD] + job // groups
    first, last = form.followers[form.bundles[bundle, FIRST_GROUP] + job % groups]
    width, child_width = width_of(form.boards, board, player), width_of(form.boards, child, player)
    first_source = form.boards[child, FIRST_SOURCE]
    for member in range(first_source, first_source + form.boards[child, SOURCES]):
        source = block(form.source, form.sources[member, player], 1, child_width)[0]
        for k in range(first, last):
            above = block(value, form.ends[form.deals[k], END_ROW + player] * width, 1, width)[0]
            row = block(below, (k - first) * child_width, 1, child_width)[0]
            for w in range(child_width):
                above[np.uint32(source[w])] += row[w]


def walker(forward, prepare, backward):
    """The kernel that visits a place and all that follow it, with one way down and one way up.

    Made twice, for learning and for judging. The walk keeps its own stack instead of calling itself: numba would
    compile every level of calls anew.
    """

    @woven
    def open_place(form, place, player, context, own, space, thread, level):
        """Forward, then the ends that need no further card."""
        bundle, board = form.places[place, BUNDLE], form.places[place, BOARD]
        reach, value = space.reach[thread, level], space.value[thread, level]
        forward(form, place, 1 - player, context, reach, space.strategy[thread], space.work[thread])
        size = form.bundles[bundle, ROWS + player] * width_of(form.boards, board, player)
        for k in range(size):
            value[k] = 0.0
        settle(
            form,
            place,
            player,
            reach,
            value,
            own,
            space.lanes[thread],
            space.sums[thread],
            space.starts[thread],
            space.amounts[thread],
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
        chance = space.reach.dtype.type(form.chance[form.places[place, BOARD]])
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

    @woven
    def sum_up(form, place, player, found, space, thread, level):
        """Add what all places after a place are worth, in order, whoever walked them."""
        for number in range(followers_of(form, place)):
            deal_out(form, place, number, player, found[VALUE, number], space.value[thread, level])
            if space.guess.shape[2] > 0:
                deal_out(form, place, number, player, found[GUESS, number], space.guess[thread, level])

    @woven
    def leave(space, thread, level, found, number):
        """Put what a place is worth where others find it."""
        copy(space.value[thread, level, : found.shape[2]], found[VALUE, number])
        if space.guess.shape[2] > 0:
            copy(space.guess[thread, level, : found.shape[2]], found[GUESS, number])

    @part
    def visit(form, first, player, context, own, space, results, deals, shared, turn, stage, thread, threads):
        """A place and all that follows, or one stage of it: OPEN it, a thread's SHARE of its deals, CLOSE it.

        A thread that shares takes the next deal. Of one of the last it offers the deals that follow, piece by piece:
        whoever finds no deal any more takes pieces, and the thread waits for those before it goes up.
        """
        stack, mine = space.stack[thread], SHARED + thread * FOR_EACH
        offers = space.parts.shape[2] > 0
        holding, opening = stage != SHARE, stage != SHARE and stage != CLOSE
        offering = searching = False
        base = level = deal = piece = job = 0
        owner = thread
        place = first
        stack[0, PLACE], stack[0, DONE] = first, 0 if stage == WHOLE else followers_of(form, first)
        while True:
            source = thread
            if holding:
                place = stack[level, PLACE]
                if opening:
                    open_place(form, place, player, context, own, space, thread, level)
                    opening = False
                    if offering and level == 1:
                        stack[1, DONE] = followers_of(form, place)
                        shared[mine + OFFERED] = place
                        set_counter(shared, mine + RETURNED, 0)
                        set_counter(shared, mine + LEFT, stack[1, DONE])
                        holding = False
                        continue
                job = stack[level, DONE]
                if job >= followers_of(form, place):
                    if stage == OPEN:
                        return
                    if stage == CLOSE:
                        sum_up(form, first, player, results, space, 0, 0)
                    close_place(form, place, player, context, space, thread, level)
                    if level > base:
                        level -= 1
                        take(form, stack[level, PLACE], stack[level, DONE], player, space, thread, level)
                        stack[level, DONE] += 1
                        continue
                    if stage != SHARE:
                        return
                    if base == 1:
                        leave(space, thread, 1, results, deal)
                        count(shared, FINISHED, 1)
                        offering = False
                    else:
                        leave(space, thread, 2, space.parts[owner], piece)
                        count(shared, SHARED + owner * FOR_EACH + RETURNED, 1)
                    holding = False
                    continue
            elif offering:
                owner, piece = thread, count(shared, mine + LEFT, -1) - 1
                place, job, level, base = stack[1, PLACE], piece, 1, 2
                if piece < 0:
                    wait_for(shared, mine + RETURNED, stack[1, DONE])
                    sum_up(form, place, player, space.parts[thread], space, thread, 1)
                    base, holding = 1, True
                    continue
            elif not searching:
                number = count(shared, TAKEN, 1) - turn * (len(deals) + threads)
                searching = number >= len(deals)
                if searching:
                    continue
                deal = deals[number]
                place, job, level, base, source = first, deal, 0, 1, 0
                offering = offers and number + 2 * threads >= len(deals)
            else:
                found = find_work(shared, (turn + 1) * len(deals), threads)
                if found < 0:
                    return
                owner, piece = found >> 32, found & 0xFFFFFFFF
                place, job, level, base, source = shared[SHARED + owner * FOR_EACH + OFFERED], piece, 1, 2, owner
            after = enter(form, place, job, player, space, thread, level, source)
            level += 1
            stack[level, PLACE], stack[level, DONE] = after, 0
            holding = opening = True

    @part
    def visit_together(form, first, player, context, own, space, results, portion, shared, turn, thread, threads):
        """A place and all that follows, its deals shared among threads; `turn` counts such visits of one call.

        Each leaves its results apart, and they are summed in order.
        """
        in_stages = portion.stage == WHOLE and threads > 1
        for stage in range(OPEN if in_stages else portion.stage, (CLOSE if in_stages else portion.stage) + 1):
            if thread == 0 or stage == SHARE:
                each = form, first, player, context, own, space, results, portion.deals, shared, turn, stage
                visit(*each, thread, threads)
            if in_stages and stage != CLOSE:
                meet(shared, 2 * turn + stage - OPEN, threads)

    return visit_together


learn_all = walker(forward, prepare, backward)
judge_all = walker(judge_forward, judge_prepare, judge_backward)


@compiled
def learn_public(
    form, stores, givens, spare, entries, owns, steps, space, results, rule, coefficients, portion, shared, thread,
    threads,
):  # fmt: skip
    """Iterations: one for each row of coefficients but the first, which the current strategies were drawn with."""
    for k in range(1, len(coefficients)):
        before, now = coefficients[k - 1], coefficients[k]
        for turn in range(2):
            each = turn ^ rule.first
            if portion.player != BOTH and portion.player != each:
                continue
            other = stores[1 - each]
            drawn = now if turn == 1 else before
            if rule.simultaneous and turn == 1:
                other, drawn = spare, before
            weights = now[KEEP], now[WEIGHT]
            given = givens[1 - each], givens[each]
            context = Learning(other, stores[each], rule, now, before, drawn, *weights, steps, *given)
            if thread == 0 and (portion.stage == WHOLE or portion.stage == OPEN):
                if rule.simultaneous and turn == 0:
                    copy(stores[0].regret, spare.regret)
                    copy(stores[0].strategy, spare.strategy)
                copy(entries[1 - each], space.reach[0, 0])
                if space.mine.shape[2] > 0:
                    for hand in range(len(entries[each])):
                        space.mine[0, 0, hand] = 1.0
            visits = 2 * (k - 1) + turn if portion.player == BOTH else 0
            learn_all(form, 0, each, context, owns[each], space, results, portion, shared, visits, thread, threads)


@compiled
def judge_public(form, first, averages, givens, owns, space, results, best, portion, shared, thread, threads):
    """One player against the other's average from a place on: by a best response or by the player's own average.

    The opponent's entering rows must be in the reach of thread 0, level 0; the player's rows are left in the value. If
    the space has a guess, it takes up what the player's own average is worth in the same walk.
    """
    player = portion.player
    own = space.guess.shape[2] > 0
    context = Judging(averages[1 - player], averages[player], best, own, givens[1 - player], givens[player])
    judge_all(form, first, player, context, owns[player], space, results, portion, shared, 0, thread, threads)
