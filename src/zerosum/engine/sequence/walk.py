"""The iteration over a game in sequence form, and the evaluation of two average strategies (kernels).

An iteration of player 1, against the plan y of player 2 (and likewise for player 2):

    g = A y                                                 `compute_gradient`
    bottom-up, block by block:                              `update_strategy`
        q[I, a] = g[I, a] + sum of v[J] over the infosets J that follow (I, a)
        v[I]    = sum over a of sigma[I, a] q[I, a]
        r[I, a] = q[I, a] - v[I]
        sigma[I] = the strategy that the rule derives       `zerosum.engine.updates.block_update`
                   from R and r
    average = factor * average + weight * x                 `add_to_average`
    top-down: x[I, a] = x[parent of I] * sigma[I, a]        `fill_plan`

The evaluation:

    top-down: sigma[I, a] = average[I, a] / sum over a      `fill_average_plan`
        (uniform where that is zero), x as above
    g = A y, and -A^T x for the second player
    bottom-up: v[I] = max over a of g[I, a] + the sum of    `compute_best_response_values`
        v[J] over the infosets J that follow (I, a)
"""

from __future__ import annotations

from typing import NamedTuple

from zerosum.algorithms.kernel_rule import AVERAGE_FACTOR, ITERATION, ITERATION_WEIGHT, PROPAGATED, KernelRule
from zerosum.engine.forms.sequence.payoff_matrix import FIRST_ENTRY, Operator, apply_group
from zerosum.engine.forms.sequence.treeplex import Floats, Tree
from zerosum.engine.threads import Counters, wait_at_barrier
from zerosum.engine.updates.block_update import match_score, update_block
from zerosum.engine.updates.blocks import Block, Row, block
from zerosum.native.decorators import inline, kernel

MEAN, PREDICTION_MEAN = 3, 4
"""Rows of the scratch array, after those that `zerosum.engine.updates` uses."""
WORK_ROWS = 5


class PlayerState(NamedTuple):
    """The arrays of one player: a number for each sequence, unless the field says otherwise."""

    regret: Floats
    strategy: Floats
    plan: Floats
    average: Floats
    gradient: Floats
    prediction: Floats
    """The gradient once more, to be propagated through the new strategies; used by predictive rules."""
    previous: Floats
    """The gradient of the last iteration; used when regret is taken against two plans."""
    weight: Floats
    """The weights of a weighted rule."""
    fixed: Floats
    """The strategy where it is fixed instead of learned, NaN elsewhere; empty if nothing is fixed."""
    step: Floats
    """The step size of each infoset."""
    memory: Floats
    """The memory of a user-defined rule: a number of arrays for each sequence."""
    score: Floats
    """Scratch for the largest block."""
    work: Block
    """Scratch: (rows, width of the widest block)."""


@inline
def compute_gradient(operator: Operator, plan: Row, gradient: Row, work: Block, thread: int, threads: int) -> None:
    """Compute a thread's rows of gradient = operator @ plan; the gradient must be zero."""
    groups, entries = operator.groups, len(operator.entry)
    for g in range(len(groups)):
        if threads == 1 or groups[g, FIRST_ENTRY] * threads // entries == thread:
            apply_group(operator, plan, gradient, g, work[thread])


@inline
def subtract_mean(value: Block, strategy: Block, mean: Row) -> None:
    """Subtract from each column of `value` its mean under the strategy, which is left in `mean`."""
    A, W = value.shape
    for w in range(W):
        mean[w] = strategy[0, w] * value[0, w]
    for a in range(1, A):
        for w in range(W):
            mean[w] += strategy[a, w] * value[a, w]
    for a in range(A):
        for w in range(W):
            value[a, w] -= mean[w]


@inline
def add_mean(value: Block, strategy: Block, mean: Row) -> None:
    """Add to `mean` the mean of each column of `value` under the strategy."""
    A, W = value.shape
    for a in range(A):
        for w in range(W):
            mean[w] += strategy[a, w] * value[a, w]


@inline
def add_to_parents(parent: Row, mean: Row, gradient: Row) -> None:
    """Add the value of each infoset to the gradient of its parent sequence."""
    for w in range(len(parent)):
        gradient[parent[w]] += mean[w]


@kernel
def overlay_fixed(fixed: Block, strategy: Block) -> None:
    """Replace the strategy by the fixed one, where that is not NaN."""
    A, W = strategy.shape
    for a in range(A):
        for w in range(W):
            if fixed[a, w] >= 0.0:
                strategy[a, w] = fixed[a, w]


@inline
def overlay_fixed_block(fixed: Row, first: int, A: int, W: int, strategy: Block) -> None:
    """Replace the strategy of the block of sequences that begins at `first`, if anything is fixed at all."""
    if len(fixed) > 0:
        overlay_fixed(block(fixed, first, A, W), strategy)


@inline
def update_strategy(tree: Tree, state: PlayerState, rule: KernelRule, c: Row) -> None:
    """Bottom-up: turn the gradient into regret, update every block, add its value to the gradient of its parents."""
    memory_arrays = len(state.memory) // len(state.plan)
    mean, prediction_mean = state.work[MEAN], state.work[PREDICTION_MEAN]
    for b in range(len(tree.blocks) - 1, -1, -1):
        first, A, W, infoset = tree.blocks[b]
        value = block(state.gradient, first, A, W)
        strategy = block(state.strategy, first, A, W)
        parent = block(tree.parent, infoset, 1, W)[0]
        prediction = block(state.prediction, first, A, W)
        subtract_mean(value, strategy, mean)
        if rule.predict == PROPAGATED:
            subtract_mean(prediction, strategy, prediction_mean)
        update_block(
            rule,
            c,
            value,
            prediction,
            block(state.regret, first, A, W),
            strategy,
            block(state.weight, first, A, W),
            block(state.step, infoset, 1, W)[0],
            block(state.memory, first * memory_arrays, memory_arrays * A, W),
            block(state.score, 0, A, W),
            state.work,
        )
        overlay_fixed_block(state.fixed, first, A, W, strategy)
        if rule.instant:
            add_mean(value, strategy, mean)
        add_to_parents(parent, mean, state.gradient)
        if rule.predict == PROPAGATED:
            add_mean(prediction, strategy, prediction_mean)
            add_to_parents(parent, prediction_mean, state.prediction)


@inline
def fill_plan(tree: Tree, strategy: Row, plan: Row, work: Block) -> None:
    """Top-down: fill the plan of a strategy."""
    reach = work[0]
    for b in range(len(tree.blocks)):
        first, A, W, infoset = tree.blocks[b]
        parent = block(tree.parent, infoset, 1, W)[0]
        sigma = block(strategy, first, A, W)
        below = block(plan, first, A, W)
        for w in range(W):
            reach[w] = plan[parent[w]]
        for a in range(A):
            for w in range(W):
                below[a, w] = reach[w] * sigma[a, w]


@inline
def add_to_average(state: PlayerState, rule: KernelRule, factor: float, weight: float) -> None:
    """Add the plan of the iteration to the average."""
    average, plan = state.average, state.plan
    if rule.weighted:
        for s in range(len(plan)):
            average[s] = factor * average[s] + weight * state.weight[s] * plan[s]
    else:
        for s in range(len(plan)):
            average[s] = factor * average[s] + weight * plan[s]


@inline
def combine_gradients(state: PlayerState, rule: KernelRule, t: float) -> None:
    """Add the last iteration's gradient if regret is taken against both plans; copy the gradient for the prediction."""
    if rule.both_plans:
        for s in range(len(state.gradient)):
            current = state.gradient[s]
            if t > 1.0:
                state.gradient[s] += state.previous[s]
            state.previous[s] = current
    if rule.predict == PROPAGATED:
        for s in range(len(state.gradient)):
            state.prediction[s] = state.gradient[s]


@inline
def update_player(tree: Tree, state: PlayerState, rule: KernelRule, c: Row) -> None:
    """Run one player's share of an iteration, once its gradient is computed."""
    combine_gradients(state, rule, c[ITERATION])
    update_strategy(tree, state, rule, c)
    add_to_average(state, rule, c[AVERAGE_FACTOR], c[ITERATION_WEIGHT])
    fill_plan(tree, state.strategy, state.plan, state.work)


@kernel
def match_block(rule: KernelRule, c: Row, strategy: Block, score: Block, weight: Block, step: Row, work: Block) -> None:
    """Call `match_score`, compiled once for all its callers."""
    match_score(rule, c, strategy, score, weight, step, work)


@inline
def match_first_strategy(tree: Tree, state: PlayerState, rule: KernelRule, c: Row) -> None:
    """Fill the strategy and the plan before the first iteration from the initial regret."""
    for b in range(len(tree.blocks)):
        first, A, W, infoset = tree.blocks[b]
        strategy, regret = block(state.strategy, first, A, W), block(state.regret, first, A, W)
        weight, step = block(state.weight, first, A, W), block(state.step, infoset, 1, W)[0]
        match_block(rule, c, strategy, regret, weight, step, state.work)
    size = len(state.strategy)
    overlay_fixed_block(state.fixed, 0, 1, size, block(state.strategy, 0, 1, size))
    state.plan[0] = 1.0
    fill_plan(tree, state.strategy, state.plan, state.work)


@kernel
def run_sequence_iterations(
    trees: tuple[Tree, Tree], operators: tuple[Operator, Operator], states: tuple[PlayerState, PlayerState],
    rule: KernelRule, rows: Block, begin: bool, shared: Counters, thread: int, threads: int,
) -> None:  # fmt: skip
    """Run one iteration for each row of coefficients, or only match the first strategies with the first row.

    trees      the blocks and parent sequences of each player's treeplex
    operators  from the opponent's plan to each player's gradient
    states     the arrays of each player, which are updated
    rule       the choices of the algorithm
    rows       (iterations, N_COEFFICIENTS): the coefficients of each iteration
    begin      whether to match the first strategies only
    shared     the counters of the threads (`zerosum.engine.threads`)
    thread     the number of this thread, of `threads`: they share the products; the first one updates the players

    The plain twin is `run` in `tests/reference.py`.
    """
    if begin:
        for player in range(2):
            match_first_strategy(trees[player], states[player], rule, rows[0])
        return
    barriers = 0
    for step in range(2 * len(rows)):  # a single loop: LLVM does not copy its body for each player
        k, turn = step >> 1, step & 1
        player = turn ^ rule.first
        state = states[player]
        if not rule.simultaneous or turn == 0:
            end = 2 if rule.simultaneous else player + 1
            for updated in range(player, end):
                if thread == 0:
                    states[updated].gradient[:] = 0.0
            if threads > 1:
                wait_at_barrier(shared, barriers, threads)
            for updated in range(player, end):
                plan, gradient = states[1 - updated].plan, states[updated].gradient
                compute_gradient(operators[updated], plan, gradient, state.work, thread, threads)
            if threads > 1:
                wait_at_barrier(shared, barriers + 1, threads)
            barriers += 2
        if thread == 0:
            update_player(trees[player], state, rule, rows[k])


@inline
def fill_average_plan(tree: Tree, average: Row, plan: Row, total: Row, reach: Row) -> None:
    """Top-down: fill the plan of an average strategy from its accumulated masses."""
    plan[0] = 1.0
    for b in range(len(tree.blocks)):
        first, A, W, infoset = tree.blocks[b]
        parent = block(tree.parent, infoset, 1, W)[0]
        mass, below = block(average, first, A, W), block(plan, first, A, W)
        for w in range(W):
            total[w] = mass[0, w]
            reach[w] = plan[parent[w]]
        for a in range(1, A):
            for w in range(W):
                total[w] += mass[a, w]
        for a in range(A):
            for w in range(W):
                # a comparison with NaN is false, so a total that is NaN is not mistaken for uniform play
                below[a, w] = (1.0 / A if total[w] <= 0.0 else mass[a, w] / total[w]) * reach[w]


@inline
def compute_best_response_values(tree: Tree, value: Row, best: Row) -> None:
    """Bottom-up: turn a gradient into best-response values; the value of the game is left at the empty sequence."""
    for b in range(len(tree.blocks) - 1, -1, -1):
        first, A, W, infoset = tree.blocks[b]
        rows = block(value, first, A, W)
        for w in range(W):
            best[w] = rows[0, w]
        for a in range(1, A):
            for w in range(W):
                best[w] = max(best[w], rows[a, w])
        add_to_parents(block(tree.parent, infoset, 1, W)[0], best, value)


@kernel
def evaluate_averages(
    trees: tuple[Tree, Tree], operators: tuple[Operator, Operator], averages: tuple[Floats, Floats],
    plans: tuple[Floats, Floats], gradients: tuple[Floats, Floats], values: tuple[Floats, Floats], work: Block,
) -> None:  # fmt: skip
    """Evaluate two averages; every array but `work` has a number for each sequence of its player.

    trees      the blocks and parent sequences of each player's treeplex
    operators  from the opponent's plan to each player's gradient
    averages   the accumulated average of each player
    plans      filled with the plans of the averages
    gradients  filled with the gradients against them; they must be zero
    values     filled with best-response values; those of the whole game at index 0
    work       (2, width of the widest block): scratch

    The plain twin is `best_response_value` in `tests/twins/evaluation.py`.
    """
    for player in range(2):
        fill_average_plan(trees[player], averages[player], plans[player], work[0], work[1])
    for player in range(2):
        operator, gradient = operators[player], gradients[player]
        for g in range(len(operator.groups)):
            apply_group(operator, plans[1 - player], gradient, g, work[0])
        for s in range(len(gradient)):
            values[player][s] = gradient[s]
        compute_best_response_values(trees[player], values[player], work[0])
