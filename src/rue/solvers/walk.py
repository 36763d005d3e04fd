"""The walk over a game in sequence form: compiled, many iterations a call, no allocation inside.

An iteration of player 1, against the plan y of player 2 (and likewise for player 2):

    g = A y                                          `apply`
    bottom-up, block by block:                       `ascend`
        q[I, a] = g[I, a] + sum of v[J] over the infosets J that follow (I, a)
        v[I]    = sum over a of sigma[I, a] q[I, a]
        r[I, a] = q[I, a] - v[I]
        sigma[I] = what the rule makes of R and r    `rue.regret.update`
    average = keep * average + weight * x            `remember`
    top-down: x[I, a] = x[parent of I] * sigma[I, a] `descend`
"""

from __future__ import annotations

from numba.core import types
from numba.extending import overload

from rue.forms.kernels import apply_group
from rue.forms.payoffs import FIRST_ENTRY
from rue.native.compiled import compiled, inlined, part
from rue.regret.blocks import block
from rue.regret.rule import EXPONENTIAL, ITERATION, KEEP, PROPAGATED, WEIGHT
from rue.regret.update import match, update
from rue.solvers.learner import GUESS_MEAN, MEAN
from rue.solvers.together import meet


@inlined
def apply(operator, plan, gradient, work, thread, threads):
    """A thread's share of gradient = operator @ plan, which was zero; every row is summed by one thread, as always."""
    groups, entries = operator.groups, len(operator.entry)
    for g in range(len(groups)):
        if threads == 1 or groups[g, FIRST_ENTRY] * threads // entries == thread:
            apply_group(operator, plan, gradient, g, work[thread])


@inlined
def centre(value, strategy, mean):
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


@inlined
def add_mean(value, strategy, mean):
    """Add to `mean` the mean of each column of `value` under the strategy."""
    A, W = value.shape
    for a in range(A):
        for w in range(W):
            mean[w] += strategy[a, w] * value[a, w]


@inlined
def pass_up(parent, mean, gradient):
    """Add the value of each infoset to the sequence that leads to it."""
    for w in range(len(parent)):
        gradient[parent[w]] += mean[w]


@part
def play_given(given, strategy):
    """Put what is given in the place of what was learned; it is not a number where nothing is given."""
    A, W = strategy.shape
    for a in range(A):
        for w in range(W):
            if given[a, w] >= 0.0:
                strategy[a, w] = given[a, w]


def play_given_block(given, first, A, W, strategy):
    """The same for a block of sequences. That nothing is given at all is known when a kernel is compiled: no cost."""


@overload(play_given_block)
def play_given_block_kernel(given, first, A, W, strategy):
    """What numba makes of it."""
    if isinstance(given, types.NoneType):
        return lambda given, first, A, W, strategy: None
    return lambda given, first, A, W, strategy: play_given(block(given, first, A, W), strategy)


@inlined
def ascend(tree, learner, rule, c):
    """Bottom-up: turn the gradient into regret, learn at every block, pass the value up."""
    extra = len(learner.memory) // len(learner.plan)
    mean, guess_mean = learner.work[MEAN], learner.work[GUESS_MEAN]
    for b in range(len(tree.blocks) - 1, -1, -1):
        first, A, W, infoset = tree.blocks[b]
        value = block(learner.gradient, first, A, W)
        strategy = block(learner.strategy, first, A, W)
        parent = block(tree.parent, infoset, 1, W)[0]
        guess = block(learner.guess, first, A, W)
        centre(value, strategy, mean)
        if rule.predict == PROPAGATED:
            centre(guess, strategy, guess_mean)
        update(
            rule,
            c,
            value,
            guess,
            block(learner.regret, first, A, W),
            strategy,
            block(learner.weight, first, A, W),
            block(learner.step, infoset, 1, W)[0],
            block(learner.memory, first * extra, extra * A, W),
            block(learner.score, 0, A, W),
            learner.work,
        )
        play_given_block(learner.given, first, A, W, strategy)
        if rule.instant:
            add_mean(value, strategy, mean)
        pass_up(parent, mean, learner.gradient)
        if rule.predict == PROPAGATED:
            add_mean(guess, strategy, guess_mean)
            pass_up(parent, guess_mean, learner.guess)


@inlined
def descend(tree, strategy, plan, work):
    """Top-down: the plan of a strategy."""
    reach = work[0]
    for b in range(len(tree.blocks)):
        first, A, W, infoset = tree.blocks[b]
        parent = block(tree.parent, infoset, 1, W)[0]
        chance = block(strategy, first, A, W)
        below = block(plan, first, A, W)
        for w in range(W):
            reach[w] = plan[parent[w]]
        for a in range(A):
            for w in range(W):
                below[a, w] = reach[w] * chance[a, w]


@inlined
def remember(learner, rule, keep, weight):
    """Add the plan of the iteration to the average."""
    average, plan = learner.average, learner.plan
    if rule.accumulate == EXPONENTIAL:
        for s in range(len(plan)):
            average[s] = keep * average[s] + weight * learner.weight[s] * plan[s]
    else:
        for s in range(len(plan)):
            average[s] = keep * average[s] + weight * plan[s]


@inlined
def prepare(learner, rule, t):
    """Add the last iteration's gradient if the rule wants it; keep a copy for the prediction."""
    if rule.both_plans:
        for s in range(len(learner.gradient)):
            now = learner.gradient[s]
            if t > 1.0:
                learner.gradient[s] += learner.previous[s]
            learner.previous[s] = now
    if rule.predict == PROPAGATED:
        for s in range(len(learner.gradient)):
            learner.guess[s] = learner.gradient[s]


@inlined
def learn(tree, learner, rule, c):
    """One player's share of an iteration, once its gradient is there."""
    prepare(learner, rule, c[ITERATION])
    ascend(tree, learner, rule, c)
    remember(learner, rule, c[KEEP], c[WEIGHT])
    descend(tree, learner.strategy, learner.plan, learner.work)


@compiled
def match_block(rule, c, strategy, score, weight, step, work):
    """`match`, compiled once for all its callers."""
    match(rule, c, strategy, score, weight, step, work)


@inlined
def start(tree, learner, rule, c):
    """The strategy and plan before the first iteration, from the regret there is."""
    for b in range(len(tree.blocks)):
        first, A, W, infoset = tree.blocks[b]
        strategy, regret = block(learner.strategy, first, A, W), block(learner.regret, first, A, W)
        weight, step = block(learner.weight, first, A, W), block(learner.step, infoset, 1, W)[0]
        match_block(rule, c, strategy, regret, weight, step, learner.work)
    size = len(learner.strategy)
    play_given_block(learner.given, 0, 1, size, block(learner.strategy, 0, 1, size))
    learner.plan[0] = 1.0
    descend(tree, learner.strategy, learner.plan, learner.work)


@compiled
def iterate(trees, operators, learners, rule, rows, begin, shared, thread, threads):
    """Run one iteration for each row of coefficients; or, to begin with, draw the first strategies with the first row.

    Threads share the products; the first one learns, and the others wait for it.
    """
    if begin:
        for player in range(2):
            start(trees[player], learners[player], rule, rows[0])
        return
    meetings = 0
    for step in range(2 * len(rows)):  # one loop, of which LLVM makes no copy for each player
        k, turn = step >> 1, step & 1
        player = turn ^ rule.first
        learner = learners[player]
        if not rule.simultaneous or turn == 0:
            last = 2 if rule.simultaneous else player + 1
            for each in range(player, last):
                if thread == 0:
                    learners[each].gradient[:] = 0.0
            if threads > 1:
                meet(shared, meetings, threads)
            for each in range(player, last):
                plan, gradient = learners[1 - each].plan, learners[each].gradient
                apply(operators[each], plan, gradient, learner.work, thread, threads)
            if threads > 1:
                meet(shared, meetings + 1, threads)
            meetings += 2
        if thread == 0:
            learn(trees[player], learner, rule, rows[k])
