"""Adding instantaneous regret to accumulated regret.

Every function updates the regret R of a block in place from r, the instantaneous regret of the iteration. Both are
(A, W) arrays: A actions of W infosets side by side.
"""

from __future__ import annotations

import numpy as np

from zerosum.algorithms.kernel_rule import PARAMETER_1, PARAMETER_2, PARAMETER_3
from zerosum.engine.updates.blocks import Block, Row
from zerosum.engine.updates.vector_math import exp
from zerosum.engine.updates.vectors import LANES, first_lanes, read, vector, where, write
from zerosum.native.decorators import kernel

MAX_EXPONENT, MAX_EXPONENT_SINGLE = 300.0, 60.0
"""The exponents of float64 and of float32 at which exp() of the exponential rule is cut off, far from overflow."""


@kernel
def accumulate_discounted(regret: Block, instant: Block, positive: float, negative: float, floor: int) -> None:
    """Set R = d R + r, with d = `positive` where R > 0 and `negative` elsewhere; with a floor, R = max(d R + r, 0).

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


@kernel
def accumulate_immediate(regret: Block, instant: Block, positive: float, negative: float, floor: int) -> None:
    """Set R = R + d r, with d = `positive` where r > 0 and `negative` elsewhere; with a floor, R = max(R + d r, 0).

    This is how ecfr, section 3.4, describes DCFR.
    """
    A, W = regret.shape
    for a in range(A):
        for w in range(W):
            r = instant[a, w]
            total = regret[a, w] + r * (positive if r > 0.0 else negative)
            regret[a, w] = 0.0 if floor and total < 0.0 else total


@kernel
def accumulate_exponential(regret: Block, instant: Block, weight: Block, step: Row, work: Block, c: Row) -> None:
    """Add e^L1[a] r[a] to R[a] where r[a] > 0, else e^L1[a] b, with L1[a] = r[a] - mean of r (ecfr, eq. 7 and 8).

    b = factor * r^power: the paper's -r^2 is factor -1, power 2. `scale` multiplies r first, because exp() makes
    the result depend on the unit of the payoffs. e^L1 is left in `weight` for matching and for the average. The
    coefficients `PARAMETER_1` to `PARAMETER_3` are factor, scale and power.
    """
    factor, scale, power = c[PARAMETER_1], c[PARAMETER_2], int(c[PARAMETER_3])
    A, W = regret.shape
    limit = MAX_EXPONENT if np.finfo(instant.dtype).max > 1e300 else MAX_EXPONENT_SINGLE
    for w in range(0, W, LANES):
        mask = first_lanes(W - w)
        mean = vector(instant, 0.0)
        for a in range(A):
            mean = mean + read(instant, a * W + w, mask)
        mean = mean / A
        for a in range(A):
            r = read(instant, a * W + w, mask)
            exponent = scale * (r - mean)
            exponent = where(exponent > limit, limit, exponent)
            weights = exp(where(exponent > -limit, exponent, -limit))
            write(weight, a * W + w, mask, weights)
            r = scale * r
            b = vector(instant, factor)
            for _ in range(power):
                b = b * r
            gain = weights * where(r > 0.0, r, b)
            write(regret, a * W + w, mask, read(regret, a * W + w, mask) + gain)


FORMULAS = (accumulate_exponential,)
"""The formulas here that `zerosum.engine.updates.rare_rules` selects by number."""
