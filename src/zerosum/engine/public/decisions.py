"""The decisions of a place, on the way down (strategy, reach, average) and on the way up (value, regret, update).

Each way exists twice, for iterations and for the evaluation of averages. The words place, bundle, row and lane are
explained in `zerosum.engine.public.walk`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zerosum.algorithms.kernel_rule import ITERATION, NEGATIVE, POSITIVE, PROPAGATED, REGRET_MATCHING, KernelRule
from zerosum.engine.forms.public import columns
from zerosum.engine.forms.public.columns import PublicTables, count_hands, find_first_hand
from zerosum.engine.public.single_pass import (
    MAX_SINGLE_PASS,
    MIN_SINGLE_PASS,
    backward_with_strategy,
    forward_with_strategy,
    single_pass_backward,
    single_pass_forward,
)
from zerosum.engine.sequence.walk import MEAN, PREDICTION_MEAN, add_mean, match_block, overlay_fixed, subtract_mean
from zerosum.engine.updates.block_update import update_block
from zerosum.engine.updates.blocks import Block, Numbers, Row, block
from zerosum.engine.updates.matching import regret_matching
from zerosum.engine.updates.vectors import LANES, read_scalar
from zerosum.native.decorators import inline, inline_source, kernel

if TYPE_CHECKING:
    from zerosum.engine.fixed_strategies import FixedTables
    from zerosum.engine.public.step_sizes import StepSizes

STEPS = 5
"""The row of the scratch array that holds step sizes, after those that every walk has."""
WORK_ROWS = 6


class PlayerStore(NamedTuple):
    """The arrays of one player: for each decision of each place, a row of hands for each action."""

    regret: Numbers
    average: Numbers
    strategy: Numbers
    """The strategy, where it cannot be matched to the regret again; else empty."""
    weight: Numbers
    """The weights of a weighted rule; else empty."""
    memory: Numbers
    """The memory of a user-defined rule."""
    previous: Numbers
    """The last iteration's gradient of every row, where regret is taken against two plans; else empty."""


class UpdateContext(NamedTuple):
    """The stores of both players, the rule of an update and its coefficients."""

    opponent: PlayerStore
    player: PlayerStore
    rule: KernelRule
    c: Row
    """The coefficients of the iteration."""
    player_c: Row
    """The coefficients with which the player's current strategy was matched."""
    opponent_c: Row
    """The same for the opponent."""
    average_factor: Any
    iteration_weight: Any
    steps: StepSizes
    opponent_fixed: FixedTables
    player_fixed: FixedTables


class EvaluationContext(NamedTuple):
    """The averages of an evaluation, and how the player plays."""

    opponent: Numbers
    """The accumulated average, in the order of the store."""
    player: Numbers
    best: int
    """1 if the player plays a best response, 0 if the player's own average."""
    with_average: int
    """1 if the value of the player's average is computed beside it, in the array of predictions."""
    opponent_fixed: FixedTables
    player_fixed: FixedTables


@inline_source
def locate_decisions(tables: PublicTables, place: int, player: int) -> Any:
    """Return where a place's decisions are.

    The number of the player's hands; where row 0 would begin in the player's store; the first decision of the bundle
    and the end of its decisions; and what to add to a decision's number to count those of all places.
    """
    bundle = tables.places[place, columns.BUNDLE]
    width = count_hands(tables.boards, tables.places[place, columns.BOARD], player)
    base = tables.places[place, columns.START + player] - tables.bundles[bundle, columns.ENTRIES] * width
    first, end = tables.bundles[bundle, columns.CHOICES_BEGIN], tables.bundles[bundle, columns.CHOICES_END]
    return width, base, first, end, tables.places[place, columns.FIRST_DECISION] - first


@inline_source
def fill_step_sizes(
    tables: PublicTables, place: int, decision: int, number: int, context: UpdateContext, work: Block
) -> Row:
    """Return the step sizes of a decision, one for each hand; `number` counts the decisions of all places."""
    board, player = tables.places[place, columns.BOARD], tables.choices[decision, columns.MOVER]
    width = count_hands(tables.boards, board, player)
    row = work[STEPS, :width]
    if context.rule.has_steps:
        step = context.steps.decision[number]
        start = find_first_hand(tables.boards, board, player)
        for w in range(width):
            row[w] = step * context.steps.hand[start + w]
    return row


@inline_source
def find_fixed_strategy(first: Numbers, number: int) -> int:
    """Return where the fixed strategy of a decision begins among all that are fixed; -1 if it is not fixed."""
    return first[number] if len(first) > 0 else -1


@kernel
def overlay_fixed_at(fixed: FixedTables, begin: int, sigma: Block) -> None:
    """Replace a strategy by the fixed one that begins at an offset, where that is not NaN."""
    A, width = sigma.shape
    overlay_fixed(block(fixed.chance, begin, A, width), sigma)


@kernel
def normalize_masses(sigma: Block, mass: Numbers, at: int, work: Block) -> None:
    """Fill a strategy in proportion to the positive masses that begin at an offset; they may be 16-bit floats.

    This is regret matching with one division for each hand.
    """
    A, width = sigma.shape
    number = work.dtype.type
    zero, share = number(0.0), number(1.0 / A)
    factor, uniform = work[0], work[1]
    for w in range(width):
        factor[w] = zero
    for a in range(A):
        for w in range(width):
            positive = number(read_scalar(mass, at + a * width + w))
            positive = positive if positive > zero else zero
            sigma[a, w] = positive
            factor[w] += positive
    for w in range(width):
        is_positive = factor[w] > zero
        factor[w] = number(1.0) / (factor[w] if is_positive else number(1.0))
        uniform[w] = zero if is_positive else share
    for a in range(A):
        for w in range(width):
            sigma[a, w] = sigma[a, w] * factor[w] + uniform[w]


@inline
def match_strategy(
    sigma: Block, store: PlayerStore, rule: KernelRule, c: Row, at: int, steps: Row, work: Block
) -> None:
    """Fill the strategy of a decision from its regret, unless the strategy is stored."""
    if len(store.strategy) > 0:
        return
    A, width = sigma.shape
    regret = block(store.regret, at, A, width)
    if rule.match == REGRET_MATCHING:
        regret_matching(sigma, regret, work)
    else:
        match_block(rule, c, sigma, regret, regret, steps, work)


@kernel
def fill_reaches(
    tables: PublicTables, place: int, opponent: int, context: UpdateContext, reach: Row, strategy: Row, work: Block
) -> None:
    """Fill the opponent's rows of a place with reaches on the way down, and add them to the opponent's average.

    tables    the tables of the public form
    opponent  the player whose rows are filled; the other one is updated
    reach     the opponent's rows of the place, the entering ones filled
    strategy  scratch for the strategy of a decision
    work      (WORK_ROWS, hands): scratch
    """
    width, base, first_decision, end, number = locate_decisions(tables, place, opponent)
    store, factor, weight = context.opponent, context.average_factor, context.iteration_weight
    plain = context.rule.match == REGRET_MATCHING and len(store.strategy) == 0
    salt = np.int32(2 * context.c[ITERATION])
    for k in range(first_decision, end):
        mover, first, A, parent = tables.choices[k]
        if mover != opponent:
            continue
        at = base + first * width
        fixed = find_fixed_strategy(context.opponent_fixed.first, number + k)
        if plain and MIN_SINGLE_PASS <= A <= MAX_SINGLE_PASS and fixed < 0 and width >= LANES:
            rows = at, reach, parent * width, first * width, width
            single_pass_forward(A, store.regret, store.average, *rows, factor, weight, salt)
            continue
        steps = fill_step_sizes(tables, place, k, number + k, context, work)
        sigma = block(store.strategy, at, A, width) if len(store.strategy) > 0 else block(strategy, 0, A, width)
        match_strategy(sigma, store, context.rule, context.opponent_c, at, steps, work)
        if plain and (fixed >= 0 or width < LANES):
            normalize_masses(sigma, store.regret, at, work)
        if fixed >= 0:
            overlay_fixed_at(context.opponent_fixed, fixed, sigma)
        if context.rule.weighted:
            multiply_reach(block(reach, first * width, A, width), block(reach, parent * width, 1, width)[0], sigma)
            continue
        rows_at = at, reach, parent * width, first * width
        if len(store.strategy) > 0:
            forward_with_strategy(sigma, store.strategy, store.average, *rows_at, factor, weight, salt)
        else:
            forward_with_strategy(sigma, store.regret, store.average, *rows_at, factor, weight, salt)


@inline_source
def multiply_reach(rows: Block, before: Row, sigma: Block) -> None:
    """Set rows = before * sigma."""
    A, width = rows.shape
    for a in range(A):
        for w in range(width):
            rows[a, w] = before[w] * sigma[a, w]


@kernel
def prepare_update(
    tables: PublicTables, place: int, player: int, context: UpdateContext, value: Row, own_reach: Row
) -> None:
    """Add the last iteration's gradient and fill the player's own reach, for rules that need them.

    This happens between the way down and the way up.

    value      the player's rows of the place: payoffs at the ends
    own_reach  the player's own reach of the same rows, the entering ones filled; empty if the rule is not weighted
    """
    width, base, first_decision, end, number = locate_decisions(tables, place, player)
    store = context.player
    if context.rule.both_plans:
        start = tables.places[place, columns.START_OF_ROWS + player]
        for k in range(tables.bundles[tables.places[place, columns.BUNDLE], columns.ROWS + player] * width):
            current = value[k]
            value[k] += store.previous[start + k]
            store.previous[start + k] = current
    if context.rule.weighted:
        for k in range(first_decision, end):
            mover, first, A, parent = tables.choices[k]
            if mover == player:
                sigma = block(store.strategy, base + first * width, A, width)
                fixed = find_fixed_strategy(context.player_fixed.first, number + k)
                if fixed >= 0:
                    overlay_fixed_at(context.player_fixed, fixed, sigma)
                before = block(own_reach, parent * width, 1, width)[0]
                multiply_reach(block(own_reach, first * width, A, width), before, sigma)


@kernel
def prepare_evaluation(
    tables: PublicTables, place: int, player: int, context: EvaluationContext, value: Row, own_reach: Row
) -> None:
    """Do nothing: an evaluation has nothing to add between the way down and the way up."""


@kernel
def update_decisions(
    tables: PublicTables, place: int, player: int, context: UpdateContext, value: Row, prediction: Row, own_reach: Row,
    strategy: Row, score: Row, work: Block,
) -> None:  # fmt: skip
    """Update the player's decisions on the way up, last first, and add their values to the rows before them.

    tables      the tables of the public form
    value       the player's rows of the place: values of the ends and of the next places
    prediction  the same, propagated through the new strategies; `value` itself if nothing is propagated
    own_reach   the player's own reach, for weighted rules
    strategy    scratch for the strategy of a decision
    score       scratch for its score
    work        (WORK_ROWS, hands): scratch
    """
    width, base, first_decision, end, number = locate_decisions(tables, place, player)
    store, rule, c = context.player, context.rule, context.c
    stored = len(store.strategy) > 0
    plain = rule.match == REGRET_MATCHING and not stored and not rule.instant
    salt = np.int32(2 * c[ITERATION] + 1)
    memory_arrays = len(store.memory) // max(1, len(store.regret))
    mean, prediction_mean = work[MEAN], work[PREDICTION_MEAN]
    for k in range(end - 1, first_decision - 1, -1):
        mover, first, A, parent = tables.choices[k]
        if mover != player:
            continue
        at = base + first * width
        fixed = find_fixed_strategy(context.player_fixed.first, number + k)
        if plain and MIN_SINGLE_PASS <= A <= MAX_SINGLE_PASS and fixed < 0 and width >= LANES:
            factors = c[POSITIVE], c[NEGATIVE], rule.floor, salt
            single_pass_backward(A, store.regret, at, value, parent * width, first * width, width, *factors)
            continue
        steps = fill_step_sizes(tables, place, k, number + k, context, work)
        sigma = block(store.strategy, at, A, width) if len(store.strategy) > 0 else block(strategy, 0, A, width)
        match_strategy(sigma, store, rule, context.player_c, at, steps, work)
        if plain and (fixed >= 0 or width < LANES):
            normalize_masses(sigma, store.regret, at, work)
        if fixed >= 0:
            overlay_fixed_at(context.player_fixed, fixed, sigma)
        if not stored and not rule.instant:
            factors = c[POSITIVE], c[NEGATIVE], rule.floor, salt
            backward_with_strategy(sigma, store.regret, at, value, parent * width, first * width, *factors)
            continue
        instant = block(value, first * width, A, width)
        regret = block(store.regret, at, A, width)
        subtract_mean(instant, sigma, mean)
        expected = block(prediction, first * width, A, width)
        if rule.predict == PROPAGATED:
            subtract_mean(expected, sigma, prediction_mean)
        weights = block(store.weight if rule.weighted else store.regret, at, A, width)
        memory = block(store.memory, at * memory_arrays, memory_arrays * A, width)
        scores = block(score, 0, A, width)
        call_update_block(rule, c, instant, expected, regret, sigma, weights, steps, memory, scores, work)
        if fixed >= 0:
            overlay_fixed_at(context.player_fixed, fixed, sigma)
        if rule.weighted:
            average = block(store.average, at, A, width)
            rows = block(own_reach, first * width, A, width)
            for a in range(A):
                for w in range(width):
                    part = context.iteration_weight * weights[a, w] * rows[a, w]
                    average[a, w] = context.average_factor * average[a, w] + part
        if rule.instant:
            add_mean(instant, sigma, mean)
        add_to_row(value, parent, width, mean)
        if rule.predict == PROPAGATED:
            add_mean(expected, sigma, prediction_mean)
            add_to_row(prediction, parent, width, prediction_mean)


@kernel
def call_update_block(
    rule: KernelRule, c: Row, instant: Block, prediction: Block, regret: Block, strategy: Block, weight: Block,
    step: Row, memory: Block, score: Block, work: Block,
) -> None:  # fmt: skip
    """Call `update_block` as a separate function, which is not inlined into the walk."""
    update_block(rule, c, instant, prediction, regret, strategy, weight, step, memory, score, work)


@inline
def add_to_row(rows: Row, row: int, width: int, values: Row) -> None:
    """Add values to a row of hands."""
    target = block(rows, row * width, 1, width)[0]
    for w in range(width):
        target[w] += values[w]


@kernel
def fill_average_reaches(
    tables: PublicTables, place: int, opponent: int, context: EvaluationContext, reach: Row, strategy: Row, work: Block
) -> None:
    """Fill the opponent's rows with reaches under its average on the way down, with the arguments of `fill_reaches`."""
    width, base, first_decision, end, number = locate_decisions(tables, place, opponent)
    for k in range(first_decision, end):
        mover, first, A, parent = tables.choices[k]
        if mover == opponent:
            sigma = block(strategy, 0, A, width)
            normalize_masses(sigma, context.opponent, base + first * width, work)
            fixed = find_fixed_strategy(context.opponent_fixed.first, number + k)
            if fixed >= 0:
                overlay_fixed_at(context.opponent_fixed, fixed, sigma)
            multiply_reach(block(reach, first * width, A, width), block(reach, parent * width, 1, width)[0], sigma)


@kernel
def fill_best_strategy(rows: Block, sigma: Block) -> None:
    """Fill the strategy that takes the best action of each hand."""
    A, width = rows.shape
    for w in range(width):
        best = 0
        for a in range(1, A):
            best = a if rows[a, w] > rows[best, w] else best
        for a in range(A):
            sigma[a, w] = 1.0 if a == best else 0.0


@kernel
def evaluate_decisions(
    tables: PublicTables, place: int, player: int, context: EvaluationContext, value: Row, prediction: Row,
    own_reach: Row, strategy: Row, score: Row, work: Block,
) -> None:  # fmt: skip
    """Compute the values of a best response or of the player's average on the way up.

    With `context.with_average` those of the average are computed in `prediction`, beside those of a best response. The
    arguments are those of `update_decisions`.
    """
    width, base, first_decision, end, number = locate_decisions(tables, place, player)
    for k in range(end - 1, first_decision - 1, -1):
        mover, first, A, parent = tables.choices[k]
        if mover != player:
            continue
        rows = block(value, first * width, A, width)
        fixed = find_fixed_strategy(context.player_fixed.first, number + k)
        sigma = block(strategy, 0, A, width)
        if context.with_average or not context.best:
            normalize_masses(sigma, context.player, base + first * width, work)
            if fixed >= 0:
                overlay_fixed_at(context.player_fixed, fixed, sigma)
            own_rows = block(prediction, first * width, A, width)
            add_mean(own_rows, sigma, block(prediction, parent * width, 1, width)[0])
        if context.best and fixed < 0:
            add_best_value(rows, block(value, parent * width, 1, width)[0])
        elif context.best:
            fill_best_strategy(rows, sigma)
            overlay_fixed_at(context.player_fixed, fixed, sigma)
            add_mean(rows, sigma, block(value, parent * width, 1, width)[0])


@inline
def add_best_value(rows: Block, target: Row) -> None:
    """Add the value of the best action to the row before."""
    A, width = rows.shape
    for w in range(width):
        best = rows[0, w]
        for a in range(1, A):
            best = max(best, rows[a, w])
        target[w] += best
