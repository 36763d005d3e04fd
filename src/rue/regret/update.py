"""One decision block learns: accumulate, predict, match, as the rule's numbers say.

The choice is made once per block by comparing small integers, so that one compiled kernel serves the catalogue. Rules
that few runs have are a kernel of their own (`rue.regret.rare`).
"""

from __future__ import annotations

from rue.native.calls import call
from rue.native.compiled import inlined, part
from rue.regret.accumulate import discounted, immediate
from rue.regret.custom import custom
from rue.regret.match import regret_matching
from rue.regret.rule import (
    ACCUMULATE_EXPONENTIAL,
    CUSTOM,
    EXPONENTIAL,
    IMMEDIATE,
    ITERATION,
    LAST_REGRET,
    NEGATIVE,
    NOTHING,
    POSITIVE,
    PREDICT_NEGATIVE,
    PREDICT_POSITIVE,
    REGRET_MATCHING,
)


@inlined
def update(rule, c, instant, guess, regret, strategy, weight, step, memory, score, work):
    """Update the (A, W) arrays `regret` and `strategy` from the instantaneous regret and the predicted one."""
    if rule.accumulate == CUSTOM:
        custom(rule.address, c[ITERATION], instant, regret, strategy, memory)
        return
    if rule.accumulate == EXPONENTIAL:
        call(rule.rare, (ACCUMULATE_EXPONENTIAL, rule.power, c, regret, instant, weight, step, work))
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
    else:
        call(rule.rare, (rule.match, rule.power, c, strategy, score, weight, step, work))
