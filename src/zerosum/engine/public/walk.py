"""The walk over a card game in public form, place by place, hands side by side (kernel).

A *place* is a board with the betting that may be played on it: one round, or several short ones as a *bundle*. Each
player has a table there. A *row* of the table holds a number for each hand: first a row for each way to enter each
round, then for every decision a row for each of its actions. Here a flop with one round, player 1 first. While player 2
is updated, the walk fills player 1's table with reaches on the way down and player 2's with values on the way up.

    player 1            AA  AK  KK ..      player 2       AA  AK  KK ..
    0  enters            .   .   .         0  enters       .   .   .
    1  check             .   .   .         1  check        .   .   .       rows 1, 1 and 4, 2 and 2, 4 lead to a deal:
    2  bet               .   .   .         2  bet          .   .   .       for each card a place, where they are the
    3  fold to 2         .   .   .         3  fold to 2    .   .   .       entering rows of a bundle of three rounds;
    4  call 2            .   .   .         4  call 2       .   .   .       rows 3, 2 and 2, 3 are folds

At the ends, a sweep over the hands from the weakest to the strongest needs each of the opponent's rows once. It takes
`LANES` rows at a time, a *lane* each: the table is transposed, so that the rows of one hand are a vector.

To update one player (the other is "the opponent"), at each place, from the first one down:

    down     the opponent's rows: reach[action] = reach[parent] * sigma[action]; its average grows on the way
    ends     a fold pays amount * (the opponent's reach that shares no card), a showdown amount * (weaker - stronger)
             - rake * (the opponent's reach that shares no card)
    deals    the places that follow, one for each card; their values come back
    up       the player's decisions, last first: regret, update, value passed up

So an iteration walks all places twice, for one player and then for the other. `run_public_iterations` makes many
iterations in a call; `evaluate_public` is the same walk with the averages, where nothing is updated.

A *deal* is a place that follows the first one. Threads and workers share the deals, so the walk can stop before and
after them: stages OPEN, SHARE and CLOSE.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zerosum.algorithms.kernel_rule import AVERAGE_FACTOR, ITERATION_WEIGHT, KernelRule
from zerosum.engine.forms.public import columns
from zerosum.engine.forms.public.columns import PublicTables, count_hands
from zerosum.engine.public.decisions import (
    EvaluationContext,
    PlayerStore,
    UpdateContext,
    evaluate_decisions,
    fill_average_reaches,
    fill_reaches,
    prepare_evaluation,
    prepare_update,
    update_decisions,
)
from zerosum.engine.public.ends import add_allin_values, add_end_values
from zerosum.engine.threads import (
    FINISHED,
    LEFT,
    OFFERED,
    PER_THREAD,
    RETURNED,
    SHARED,
    TAKEN,
    Counters,
    atomic_store,
    fetch_add,
    steal_work,
    wait_at_barrier,
    wait_until,
)
from zerosum.engine.updates.blocks import Block, Integers, Numbers, Row, block
from zerosum.native.decorators import Kernel, inline_source, kernel

if TYPE_CHECKING:
    from zerosum.engine.fixed_strategies import FixedTables
    from zerosum.engine.public.step_sizes import StepSizes

WHOLE, OPEN, SHARE, CLOSE = 0, 1, 2, 3
"""Stages: the whole walk from a place on; or go down to its deals, walk some of them, go up from there."""
BOTH = -1
"""In place of a player: one after the other."""
PLACE, DONE = 0, 1
"""Columns of the stack: the place of a level and how many of the places after it are done."""
VALUE, PREDICTION = 0, 1
"""Rows of the deal values: the value of a deal, and the same by the prediction."""


class Portion(NamedTuple):
    """The part of the walk that a call makes."""

    stage: int
    player: int
    """The player who is updated or evaluated, or BOTH."""
    deals: Integers
    """The deals of the first place that are walked; all of them, unless the stage is SHARE."""


class Scratch(NamedTuple):
    """Scratch arrays. The first axis is a thread; the second of the first four is a level of deals."""

    reach: Numbers
    """The opponent's rows of a place."""
    value: Numbers
    """The player's rows of a place."""
    prediction: Numbers
    """The value propagated through the new strategies, for predictive rules; else empty."""
    own_reach: Numbers
    """The player's own reach, for weighted rules; else empty."""
    lanes: Numbers
    """Reach, showdown and fold values of the lanes, as hands of lanes."""
    sums: Numbers
    """Running sums of the sweep."""
    strategy: Numbers
    """The strategy of a decision."""
    score: Numbers
    """The score of a decision."""
    work: Numbers
    """Rows that updates use."""
    starts: Integers
    """Where the rows of the lanes begin: the opponent's, and the player's for each way to pay."""
    amounts: Numbers
    """What the lanes pay each way."""
    stack: Integers
    """A row for each level: PLACE, DONE."""
    parts: Numbers
    """The values of the deals after a deal, where threads share them; else empty."""


@kernel
def copy_numbers(source: Row, into: Row) -> None:
    """Write the numbers of an array at the beginning of another one."""
    for k in range(len(source)):
        into[k] = source[k]


@inline_source
def count_next_places(tables: PublicTables, place: int) -> int:
    """Return the number of places that follow a place: cards times groups of deals."""
    cards = tables.boards[tables.places[place, columns.BOARD], columns.CHILDREN]
    return cards * tables.bundles[tables.places[place, columns.BUNDLE], columns.GROUPS]


@inline_source
def locate_next_place(tables: PublicTables, place: int, job: int, player: int) -> Any:
    """Return how the next place number `job` is entered.

    The number of the player's hands before; the board, and the number of the player's hands there; the first and the
    end of the deals that enter.
    """
    bundle, board = tables.places[place, columns.BUNDLE], tables.places[place, columns.BOARD]
    groups = tables.bundles[bundle, columns.GROUPS]
    child = tables.boards[board, columns.FIRST_CHILD] + job // groups
    first, end = tables.followers[tables.bundles[bundle, columns.FIRST_GROUP] + job % groups]
    return count_hands(tables.boards, board, player), child, count_hands(tables.boards, child, player), first, end


@kernel
def push_reach(tables: PublicTables, place: int, job: int, player: int, chance: float, reach: Row, below: Row) -> int:
    """Fill the entering rows of the next place number `job`: a player's reach times the chance. Return the place."""
    width, child, child_width, first, end = locate_next_place(tables, place, job, player)
    source = block(tables.source, tables.sources[tables.boards[child, columns.FIRST_SOURCE], player], 1, child_width)[0]
    for k in range(first, end):
        above = block(reach, tables.ends[tables.deals[k], columns.END_ROW + player] * width, 1, width)[0]
        row = block(below, (k - first) * child_width, 1, child_width)[0]
        for w in range(child_width):
            row[w] = chance * above[np.uint32(source[w])]
    return tables.places[place, columns.FIRST_PLACE] + job


@kernel
def pull_value(tables: PublicTables, place: int, job: int, player: int, below: Row, value: Row) -> None:
    """Add the entering rows of the next place number `job` to the rows that lead there, for each card of the place."""
    width, child, child_width, first, end = locate_next_place(tables, place, job, player)
    first_source = tables.boards[child, columns.FIRST_SOURCE]
    for member in range(first_source, first_source + tables.boards[child, columns.SOURCES]):
        source = block(tables.source, tables.sources[member, player], 1, child_width)[0]
        for k in range(first, end):
            above = block(value, tables.ends[tables.deals[k], columns.END_ROW + player] * width, 1, width)[0]
            row = block(below, (k - first) * child_width, 1, child_width)[0]
            for w in range(child_width):
                above[np.uint32(source[w])] += row[w]


def make_walk(go_down: Kernel[..., None], prepare: Kernel[..., None], go_up: Kernel[..., None]) -> Kernel[..., None]:
    """Return the kernel that visits a place and all that follow it, with one way down and one way up.

    It is built twice, for iterations and for evaluations. The walk has a stack and does not call itself, because numba
    would compile every level of calls again.
    """

    @inline_source
    def open_place(
        tables: PublicTables, place: int, player: int, context: Any, hand_weights: Row, scratch: Scratch, thread: int,
        level: int,
    ) -> None:  # fmt: skip
        """Go down, then add the values of the ends."""
        bundle, board = tables.places[place, columns.BUNDLE], tables.places[place, columns.BOARD]
        reach, value = scratch.reach[thread, level], scratch.value[thread, level]
        go_down(tables, place, 1 - player, context, reach, scratch.strategy[thread], scratch.work[thread])
        size = tables.bundles[bundle, columns.ROWS + player] * count_hands(tables.boards, board, player)
        for k in range(size):
            value[k] = 0.0
        arrays = scratch.lanes[thread], scratch.sums[thread], scratch.starts[thread], scratch.amounts[thread]
        add_end_values(tables, place, player, reach, value, hand_weights, *arrays)
        add_allin_values(tables, place, player, reach, value, hand_weights)
        prepare(tables, place, player, context, value, scratch.own_reach[thread, level])
        if scratch.prediction.shape[2] > 0:
            prediction = scratch.prediction[thread, level]
            for k in range(size):
                prediction[k] = value[k]

    @inline_source
    def close_place(
        tables: PublicTables, place: int, player: int, context: Any, scratch: Scratch, thread: int, level: int
    ) -> None:
        """Go up."""
        value = scratch.value[thread, level]
        prediction = scratch.prediction[thread, level] if scratch.prediction.shape[2] > 0 else value
        arrays = scratch.own_reach[thread, level], scratch.strategy[thread], scratch.score[thread], scratch.work[thread]
        go_up(tables, place, player, context, value, prediction, *arrays)

    @inline_source
    def enter_place(
        tables: PublicTables, place: int, job: int, player: int, scratch: Scratch, thread: int, level: int, source: int
    ) -> int:
        """Fill the reaches of the next place number `job` from the arrays of thread `source`; return the place."""
        chance = scratch.reach.dtype.type(tables.chance[tables.places[place, columns.BOARD]])
        reach = scratch.reach[source, level], scratch.reach[thread, level + 1]
        if scratch.own_reach.shape[2] > 0:
            own_reach = scratch.own_reach[source, level], scratch.own_reach[thread, level + 1]
            push_reach(tables, place, job, player, scratch.reach.dtype.type(1.0), *own_reach)
        return push_reach(tables, place, job, 1 - player, chance, *reach)

    @inline_source
    def collect_value(
        tables: PublicTables, place: int, job: int, player: int, scratch: Scratch, thread: int, level: int
    ) -> None:
        """Add the value of the next place number `job` to the place before it."""
        pull_value(tables, place, job, player, scratch.value[thread, level + 1], scratch.value[thread, level])
        if scratch.prediction.shape[2] > 0:
            prediction = scratch.prediction[thread, level + 1], scratch.prediction[thread, level]
            pull_value(tables, place, job, player, *prediction)

    @inline_source
    def sum_values(
        tables: PublicTables, place: int, player: int, values: Numbers, scratch: Scratch, thread: int, level: int
    ) -> None:
        """Add the values of all next places in order: the sum does not depend on the threads that walked them."""
        for job in range(count_next_places(tables, place)):
            pull_value(tables, place, job, player, values[VALUE, job], scratch.value[thread, level])
            if scratch.prediction.shape[2] > 0:
                pull_value(tables, place, job, player, values[PREDICTION, job], scratch.prediction[thread, level])

    @inline_source
    def store_value(scratch: Scratch, thread: int, level: int, values: Numbers, job: int) -> None:
        """Put the value of a place where other threads read it."""
        copy_numbers(scratch.value[thread, level, : values.shape[2]], values[VALUE, job])
        if scratch.prediction.shape[2] > 0:
            copy_numbers(scratch.prediction[thread, level, : values.shape[2]], values[PREDICTION, job])

    @kernel
    def visit(
        tables: PublicTables, first: int, player: int, context: Any, hand_weights: Row, scratch: Scratch,
        deal_values: Numbers, deals: Integers, shared: Counters, turn: int, stage: int, thread: int, threads: int,
    ) -> None:  # fmt: skip
        """Visit a place and all that follow, or one stage of it: OPEN it, a thread's SHARE of its deals, CLOSE it.

        A thread that shares takes the next deal. When it takes one of the last, it offers the deals that follow it,
        piece by piece: threads without a deal take pieces, and the thread waits for them before it goes up.
        """
        stack, counters = scratch.stack[thread], SHARED + thread * PER_THREAD
        offers = scratch.parts.shape[2] > 0
        has_place, opening = stage != SHARE, stage != SHARE and stage != CLOSE
        offering = searching = False
        base = level = deal = piece = job = 0
        owner = thread
        place = first
        stack[0, PLACE], stack[0, DONE] = first, 0 if stage == WHOLE else count_next_places(tables, first)
        while True:
            source = thread
            if has_place:
                place = stack[level, PLACE]
                if opening:
                    open_place(tables, place, player, context, hand_weights, scratch, thread, level)
                    opening = False
                    if offering and level == 1:
                        stack[1, DONE] = count_next_places(tables, place)
                        shared[counters + OFFERED] = place
                        atomic_store(shared, counters + RETURNED, 0)
                        atomic_store(shared, counters + LEFT, stack[1, DONE])
                        has_place = False
                        continue
                job = stack[level, DONE]
                if job >= count_next_places(tables, place):
                    if stage == OPEN:
                        return
                    if stage == CLOSE:
                        sum_values(tables, first, player, deal_values, scratch, 0, 0)
                    close_place(tables, place, player, context, scratch, thread, level)
                    if level > base:
                        level -= 1
                        collect_value(tables, stack[level, PLACE], stack[level, DONE], player, scratch, thread, level)
                        stack[level, DONE] += 1
                        continue
                    if stage != SHARE:
                        return
                    if base == 1:
                        store_value(scratch, thread, 1, deal_values, deal)
                        fetch_add(shared, FINISHED, 1)
                        offering = False
                    else:
                        store_value(scratch, thread, 2, scratch.parts[owner], piece)
                        fetch_add(shared, SHARED + owner * PER_THREAD + RETURNED, 1)
                    has_place = False
                    continue
            elif offering:
                owner, piece = thread, fetch_add(shared, counters + LEFT, -1) - 1
                place, job, level, base = stack[1, PLACE], piece, 1, 2
                if piece < 0:
                    wait_until(shared, counters + RETURNED, stack[1, DONE])
                    sum_values(tables, place, player, scratch.parts[thread], scratch, thread, 1)
                    base, has_place = 1, True
                    continue
            elif not searching:
                number = fetch_add(shared, TAKEN, 1) - turn * (len(deals) + threads)
                searching = number >= len(deals)
                if searching:
                    continue
                deal = deals[number]
                place, job, level, base, source = first, deal, 0, 1, 0
                offering = offers and number + 2 * threads >= len(deals)
            else:
                stolen = steal_work(shared, (turn + 1) * len(deals), threads)
                if stolen < 0:
                    return
                owner, piece = stolen >> 32, stolen & 0xFFFFFFFF
                place, job, level, base, source = shared[SHARED + owner * PER_THREAD + OFFERED], piece, 1, 2, owner
            next_place = enter_place(tables, place, job, player, scratch, thread, level, source)
            level += 1
            stack[level, PLACE], stack[level, DONE] = next_place, 0
            has_place = opening = True

    @kernel
    def visit_in_parallel(
        tables: PublicTables, first: int, player: int, context: Any, hand_weights: Row, scratch: Scratch,
        deal_values: Numbers, portion: Portion, shared: Counters, turn: int, thread: int, threads: int,
    ) -> None:  # fmt: skip
        """Visit a place and all that follow, its deals shared among threads; `turn` counts such visits of one call.

        The values of each deal are stored separately and summed in order.
        """
        in_stages = portion.stage == WHOLE and threads > 1
        for stage in range(OPEN if in_stages else portion.stage, (CLOSE if in_stages else portion.stage) + 1):
            if thread == 0 or stage == SHARE:
                place = tables, first, player, context, hand_weights, scratch, deal_values
                visit(*place, portion.deals, shared, turn, stage, thread, threads)
            if in_stages and stage != CLOSE:
                wait_at_barrier(shared, 2 * turn + stage - OPEN, threads)

    return visit_in_parallel


update_places = make_walk(fill_reaches, prepare_update, update_decisions)
evaluate_places = make_walk(fill_average_reaches, prepare_evaluation, evaluate_decisions)


@kernel
def run_public_iterations(
    tables: PublicTables, stores: tuple[PlayerStore, PlayerStore], fixed: tuple[FixedTables, FixedTables],
    spare: PlayerStore, entries: tuple[Row, Row], hand_weights: tuple[Row, Row], steps: StepSizes, scratch: Scratch,
    deal_values: Numbers, rule: KernelRule, rows: Block, portion: Portion, shared: Counters, thread: int, threads: int,
) -> None:  # fmt: skip
    """Run one iteration for each row of coefficients but the first, which the current strategies were matched with.

    tables        the tables of the public form
    stores        the arrays of each player, which are updated
    fixed         the strategies of each player that are not learned
    spare         room for the first player's store before an iteration, where both players update at once
    entries       the reach of each player's hands at the first place
    hand_weights  the weight of each hand of each board, for each player
    steps         the factors of step sizes
    scratch       scratch arrays (`zerosum.engine.public.scratch`)
    deal_values   (1 or 2, deals, entering numbers): values of deals, VALUE and PREDICTION
    rule          the choices of the algorithm
    rows          (1 + iterations, N_COEFFICIENTS)
    portion       the part of the walk to make
    shared        the counters of the threads (`zerosum.engine.threads`)
    thread        the number of this thread, of `threads`

    The plain twin is `PublicWalk` in `tests/twins/public_walk.py`.
    """
    for k in range(1, len(rows)):
        before, current = rows[k - 1], rows[k]
        for turn in range(2):
            player = turn ^ rule.first
            if portion.player != BOTH and portion.player != player:
                continue
            other = stores[1 - player]
            other_c = current if turn == 1 else before
            if rule.simultaneous and turn == 1:
                other, other_c = spare, before
            weights = current[AVERAGE_FACTOR], current[ITERATION_WEIGHT]
            both_fixed = fixed[1 - player], fixed[player]
            context = UpdateContext(other, stores[player], rule, current, before, other_c, *weights, steps, *both_fixed)
            if thread == 0 and (portion.stage == WHOLE or portion.stage == OPEN):
                if rule.simultaneous and turn == 0:
                    copy_numbers(stores[0].regret, spare.regret)
                    copy_numbers(stores[0].strategy, spare.strategy)
                copy_numbers(entries[1 - player], scratch.reach[0, 0])
                if scratch.own_reach.shape[2] > 0:
                    for hand in range(len(entries[player])):
                        scratch.own_reach[0, 0, hand] = 1.0
            visits = 2 * (k - 1) + turn if portion.player == BOTH else 0
            place = tables, 0, player, context, hand_weights[player], scratch, deal_values
            update_places(*place, portion, shared, visits, thread, threads)


@kernel
def evaluate_public(
    tables: PublicTables, first: int, averages: tuple[Numbers, Numbers], fixed: tuple[FixedTables, FixedTables],
    hand_weights: tuple[Row, Row], scratch: Scratch, deal_values: Numbers, best: bool, portion: Portion,
    shared: Counters, thread: int, threads: int,
) -> None:  # fmt: skip
    """Evaluate one player against the other's average from a place on.

    tables    the tables of the public form
    first     the place
    averages  the accumulated average of each player
    best      whether the player plays a best response or the average

    The other arguments are those of `run_public_iterations`. The opponent's entering rows must be in the reach of
    thread 0, level 0; the player's rows are left in the value. If the scratch arrays have a prediction, it gets the
    values of the player's own average in the same walk.

    The plain twin is `PublicEvaluation` in `tests/twins/public_walk.py`.
    """
    player = portion.player
    with_average = scratch.prediction.shape[2] > 0
    both_fixed = fixed[1 - player], fixed[player]
    context = EvaluationContext(averages[1 - player], averages[player], best, with_average, *both_fixed)
    place = tables, first, player, context, hand_weights[player], scratch, deal_values
    evaluate_places(*place, portion, shared, 0, thread, threads)
