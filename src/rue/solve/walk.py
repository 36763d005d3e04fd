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

from typing import NamedTuple

from rue.forms.treeplex import Floats
from rue.regret.compiled import compiled
from rue.regret.update import (
    EXPONENTIAL,
    ITERATION,
    KEEP,
    PROPAGATED,
    WEIGHT,
    match,
    update,
)

WORK_ROWS = 5


class Learner(NamedTuple):
    """What one player knows: arrays over sequences, except `step` (infosets), `memory` and the scratch arrays."""

    regret: Floats
    strategy: Floats
    plan: Floats
    average: Floats
    gradient: Floats
    guess: Floats
    """The gradient once more, to be propagated through the new strategies; used by predictive rules."""
    previous: Floats
    """The gradient of the last iteration; used when regret is taken against two plans."""
    weight: Floats
    """e^L1 of the exponential rule."""
    step: Floats
    memory: Floats
    score: Floats
    work: Floats


@compiled
def apply(operator, plan, gradient):
    """gradient = operator @ plan."""
    start, column, entry = operator.start, operator.column, operator.entry
    for row in range(len(gradient)):
        total = 0.0
        for k in range(start[row], start[row + 1]):
            total += entry[k] * plan[column[k]]
        gradient[row] = total


@compiled
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


@compiled
def add_mean(value, strategy, mean):
    """Add to `mean` the mean of each column of `value` under the strategy."""
    A, W = value.shape
    for a in range(A):
        for w in range(W):
            mean[w] += strategy[a, w] * value[a, w]


@compiled
def pass_up(parent, infoset, mean, gradient, width):
    """Add the value of each infoset to the sequence that leads to it."""
    for w in range(width):
        gradient[parent[infoset + w]] += mean[w]


@compiled
def ascend(tree, learner, rule, c):
    """Bottom-up: turn the gradient into regret, learn at every block, pass the value up."""
    extra = len(learner.memory) // len(learner.plan)
    for b in range(len(tree.blocks) - 1, -1, -1):
        first, A, W, infoset = tree.blocks[b]
        last = first + A * W
        value = learner.gradient[first:last].reshape((A, W))
        strategy = learner.strategy[first:last].reshape((A, W))
        guess = learner.guess[first:last].reshape((A, W))
        work = learner.work
        mean = work[3]
        guess_mean = work[4]
        centre(value, strategy, mean)
        if rule.predict == PROPAGATED:
            centre(guess, strategy, guess_mean)
        update(
            rule,
            c,
            value,
            guess,
            learner.regret[first:last].reshape((A, W)),
            strategy,
            learner.weight[first:last].reshape((A, W)),
            learner.step[infoset : infoset + W],
            learner.memory[first * extra : last * extra].reshape((extra, A, W)),
            learner.score[: A * W].reshape((A, W)),
            work,
        )
        if rule.instant:
            add_mean(value, strategy, mean)
        pass_up(tree.parent, infoset, mean, learner.gradient, W)
        if rule.predict == PROPAGATED:
            add_mean(guess, strategy, guess_mean)
            pass_up(tree.parent, infoset, guess_mean, learner.guess, W)


@compiled
def descend(tree, strategy, plan, work):
    """Top-down: the plan of a strategy."""
    reach = work[0]
    for b in range(len(tree.blocks)):
        first, A, W, infoset = tree.blocks[b]
        for w in range(W):
            reach[w] = plan[tree.parent[infoset + w]]
        for a in range(A):
            row = first + a * W
            for w in range(W):
                plan[row + w] = reach[w] * strategy[row + w]


@compiled
def remember(learner, rule, keep, weight):
    """Add the plan of the iteration to the average."""
    average, plan = learner.average, learner.plan
    if rule.accumulate == EXPONENTIAL:
        for s in range(len(plan)):
            average[s] = keep * average[s] + weight * learner.weight[s] * plan[s]
    else:
        for s in range(len(plan)):
            average[s] = keep * average[s] + weight * plan[s]


@compiled
def prepare(learner, rule, t):
    """Add the last iteration's gradient if the rule wants it; keep a copy for the prediction."""
    if rule.both_plans:
        for s in range(len(learner.gradient)):
            now = learner.gradient[s]
            if t > 1.0:
                learner.gradient[s] += learner.previous[s]
            learner.previous[s] = now
    if rule.predict == PROPAGATED:
        learner.guess[:] = learner.gradient


@compiled
def learn(tree, learner, rule, c):
    """One player's share of an iteration, once its gradient is there."""
    prepare(learner, rule, c[ITERATION])
    ascend(tree, learner, rule, c)
    remember(learner, rule, c[KEEP], c[WEIGHT])
    descend(tree, learner.strategy, learner.plan, learner.work)


@compiled
def iterate(trees, operators, learners, rule, coefficients):
    """Run one iteration for each row of coefficients."""
    for k in range(len(coefficients)):
        c = coefficients[k]
        apply(operators[0], learners[1].plan, learners[0].gradient)
        if rule.simultaneous:
            apply(operators[1], learners[0].plan, learners[1].gradient)
            learn(trees[0], learners[0], rule, c)
        else:
            learn(trees[0], learners[0], rule, c)
            apply(operators[1], learners[0].plan, learners[1].gradient)
        learn(trees[1], learners[1], rule, c)


@compiled
def start(tree, learner, rule, c):
    """The strategy and plan before the first iteration, from the regret there is."""
    for b in range(len(tree.blocks)):
        first, A, W, infoset = tree.blocks[b]
        last = first + A * W
        match(
            rule,
            c,
            learner.strategy[first:last].reshape((A, W)),
            learner.regret[first:last].reshape((A, W)),
            learner.weight[first:last].reshape((A, W)),
            learner.step[infoset : infoset + W],
            learner.work,
        )
    learner.plan[0] = 1.0
    descend(tree, learner.strategy, learner.plan, learner.work)
