"""One decision block learns: accumulate, predict, match, as the rule's numbers say.

The choice is made once per block by comparing small integers, so that one compiled kernel serves the catalogue.
"""

from __future__ import annotations

from rue.native.compiled import inlined, part
from rue.regret.accumulate import discounted, exponential, immediate
from rue.regret.custom import custom
from rue.regret.match import (
    exponential_matching,
    normal_hedge,
    projection,
    regret_matching,
    softmax,
    temperature_matching,
)
from rue.regret.rule import (
    CUSTOM,
    EXPONENT,
    EXPONENTIAL,
    EXPONENTIAL_MATCHING,
    FACTOR,
    IMMEDIATE,
    ITERATION,
    LAST_REGRET,
    NEGATIVE,
    NORMAL_HEDGE,
    NOTHING,
    POSITIVE,
    PREDICT_NEGATIVE,
    PREDICT_POSITIVE,
    REGRET_MATCHING,
    SCALE,
    SOFTMAX,
    STEP,
    TEMPERATURE,
)


@inlined
def update(rule, c, instant, guess, regret, strategy, weight, step, memory, score, work):
    """Update the (A, W) arrays `regret` and `strategy` from the instantaneous regret and the predicted one."""
    if rule.accumulate == CUSTOM:
        custom(rule.address, c[ITERATION], instant, regret, strategy, memory)
        return
    if rule.accumulate == EXPONENTIAL:
        exponential(regret, instant, weight, c[FACTOR], rule.power, c[SCALE])
    elif rule.accumulate == IMMEDIATE:
        immediate(regret, instant, c[POSITIVE], c[NEGATIVE], rule.floor)
    else:
        discounted(regret, instant, c[POSITIVE], c[NEGATIVE], rule.floor)
    if rule.predict == NOTHING:
        match(rule, c, strategy, regret, weight, step, work)
    else:
        prediction = instant if rule.predict == LAST_REGRET else guess
        discounted_sum(score, regret, prediction, c[PREDICT_POSITIVE], c[PREDICT_NEGATIVE])
        match(rule, c, strategy, score, weight, step, work)


@part
def discounted_sum(score, regret, prediction, positive, negative):
    """score = d R + prediction: what a predictive rule matches on."""
    A, W = regret.shape
    for a in range(A):
        for w in range(W):
            old = regret[a, w]
            score[a, w] = old * (positive if old > 0.0 else negative) + prediction[a, w]


@inlined
def match(rule, c, strategy, score, weight, step, work):
    """Write the strategy that a rule draws from a score."""
    if rule.match == REGRET_MATCHING:
        regret_matching(strategy, score, work)
    elif rule.match == TEMPERATURE:
        temperature_matching(strategy, score, c[EXPONENT], work)
    elif rule.match == NORMAL_HEDGE:
        normal_hedge(strategy, score)
    elif rule.match == EXPONENTIAL_MATCHING:
        exponential_matching(strategy, score, weight)
    else:
        steps = work[2]
        for w in range(len(step)):
            steps[w] = step[w] * c[STEP]
        if rule.match == SOFTMAX:
            softmax(strategy, score, steps)
        else:
            projection(strategy, score, steps)
