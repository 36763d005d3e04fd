"""How an iteration's regret enters the accumulated regret of a block.

Every function works in place on (A, W) arrays: A actions, W infosets side by side. R is the accumulated regret,
r the instantaneous regret of the iteration.
"""

from __future__ import annotations

import math

from rue.regret.compiled import part

LARGEST_EXPONENT = 300.0
"""exp() of the exponential rule is cut here, far from overflow."""


@part
def discounted(regret, instant, positive, negative, floor):
    """R = d R + r, with d = `positive` where R > 0 and `negative` elsewhere; then max(R, 0) if there is a floor.

    CFR (Zinkevich et al. 2007) has d = 1; CFR+ (Tammelin 2014) d = 1 and a floor; DCFR (dcfr, after theorem 1)
    d = t^alpha / (t^alpha + 1) and t^beta / (t^beta + 1), where t counts the iterations already in R. The papers
    discount at the end of iteration t, here it is done at the start of iteration t + 1: the same numbers, one
    pass less.
    """
    A, W = regret.shape
    if floor:
        for a in range(A):
            for w in range(W):
                total = regret[a, w] * positive + instant[a, w]
                regret[a, w] = total if total > 0.0 else 0.0
    else:
        for a in range(A):
            for w in range(W):
                old = regret[a, w]
                regret[a, w] = old * (positive if old > 0.0 else negative) + instant[a, w]


@part
def exponential(regret, instant, weight, factor, power, scale):
    """R[a] += e^L1[a] r[a] where r[a] > 0, else e^L1[a] b, with L1[a] = r[a] - mean of r (ecfr, eq. 7 and 8).

    b = factor * r^power: the paper's -r^2 is factor -1, power 2. `scale` multiplies r first, because exp() makes
    the result depend on the unit of the payoffs. e^L1 is left in `weight` for matching and for the average.
    """
    A, W = regret.shape
    for w in range(W):
        mean = 0.0
        for a in range(A):
            mean += instant[a, w]
        mean /= A
        for a in range(A):
            exponent = scale * (instant[a, w] - mean)
            exponent = min(max(exponent, -LARGEST_EXPONENT), LARGEST_EXPONENT)
            weight[a, w] = math.exp(exponent)
            r = scale * instant[a, w]
            gain = r if r > 0.0 else factor * r**power
            regret[a, w] += weight[a, w] * gain
