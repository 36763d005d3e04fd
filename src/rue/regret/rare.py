"""The rules that few runs have: a kernel of its own, so that others need not wait until these are compiled.

The kernels that learn call it by its address, which `rue.algorithms.own_rule.compiled_rule` puts into the rule.
"""

from __future__ import annotations

from rue.native.compiled import compiled
from rue.regret.accumulate import exponential
from rue.regret.match import exponential_matching, normal_hedge, projection, softmax, temperature_matching
from rue.regret.rule import (
    ACCUMULATE_EXPONENTIAL,
    EXPONENT,
    EXPONENTIAL_MATCHING,
    FACTOR,
    NORMAL_HEDGE,
    SCALE,
    SOFTMAX,
    STEP,
    TEMPERATURE,
)


@compiled
def rare(what, power, c, into, score, weight, step, work):
    """Write the strategy that a rule draws from a score; or accumulate the instantaneous regret, called the score."""
    if what == ACCUMULATE_EXPONENTIAL:
        exponential(into, score, weight, c[FACTOR], power, c[SCALE])
    elif what == TEMPERATURE:
        temperature_matching(into, score, c[EXPONENT], work)
    elif what == NORMAL_HEDGE:
        normal_hedge(into, score)
    elif what == EXPONENTIAL_MATCHING:
        exponential_matching(into, score, weight)
    else:
        steps = work[2]
        for w in range(len(step)):
            steps[w] = step[w] * c[STEP]
        if what == SOFTMAX:
            softmax(into, score, steps)
        else:
            projection(into, score, steps)
