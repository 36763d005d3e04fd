"""How accumulated regret becomes the next strategy of a block.

Every function writes `strategy`, an (A, W) array whose columns are probability vectors, from `score`, the
accumulated regret (plus a prediction where there is one). An infoset without positive score plays uniformly in
the rules of the regret-matching kind.
"""

from __future__ import annotations

import math

import numpy as np

from rue.native.compiled import part
from rue.regret.elementary import exp, level, log, moderate_exp
from rue.regret.vectors import LANES, anywhere, lanes, read, vector, where, write

NEWTON_STEPS = 60


@part
def regret_matching(strategy, score, work):
    """sigma[a] = R+[a] / sum of R+ (dcfr eq. 3)."""
    A, W = strategy.shape
    total = work[0]
    uniform = work[1]
    kind = work.dtype.type
    zero, one, share = kind(0.0), kind(1.0), kind(1.0 / A)
    for w in range(W):
        total[w] = zero
    for a in range(A):
        for w in range(W):
            positive = score[a, w] if score[a, w] > zero else zero
            strategy[a, w] = positive
            total[w] += positive
    for w in range(W):
        some = total[w] > zero
        uniform[w] = zero if some else share
        total[w] = total[w] if some else one
    for a in range(A):
        for w in range(W):
            strategy[a, w] = strategy[a, w] / total[w] + uniform[w]


@part
def largest_of(score, w, mask):
    """The largest score of each infoset from w on, as many as a vector holds."""
    A, W = score.shape
    largest = read(score, w, mask)
    for a in range(1, A):
        other = read(score, a * W + w, mask)
        largest = where(other > largest, other, largest)
    return largest


@part
def share_out(strategy, w, mask, total, some):
    """Divide by the total, where there is some of it, else play uniformly; a lone action gets 1 to the last digit."""
    A, W = strategy.shape
    divisor = where(some, total, 1.0)
    scale = level(divisor)
    inverse = 1.0 / (divisor * scale)
    for a in range(A):
        part = read(strategy, a * W + w, mask)
        share = where(total > part, part * scale * inverse, 1.0)
        write(strategy, a * W + w, mask, where(some, share, 1.0 / A))


@part
def temperature_matching(strategy, score, exponent, work):
    """sigma[a] proportional to R+[a]^exponent (trm eq. 10 and 17); exponent 1 is regret matching, bit for bit."""
    if exponent == 1.0:
        regret_matching(strategy, score, work)
        return
    A, W = strategy.shape
    for w in range(0, W, LANES):
        mask = lanes(W - w)
        largest = largest_of(score, w, mask)
        some = largest > 0.0
        scale = level(where(some, largest, 1.0))
        most = log(largest * scale)
        total = vector(score, 0.0)
        for a in range(A):
            z = read(score, a * W + w, mask) * scale
            power = where(z > 0.0, exp(exponent * (log(z) - most)), 0.0)
            write(strategy, a * W + w, mask, power)
            total = total + power
        share_out(strategy, w, mask, total, some)


@part
def normal_hedge(strategy, score):
    """sigma[a] proportional to (R+/c) exp(R+^2/(2c)), where the mean of exp(R+^2/(2c)) over the actions is e.

    (dcfr, "NormalHedge for CFR variants".) With z = R+ in a unit near its maximum, and s for 1/(2c) in that unit, the
    condition is f(s) = 1 for f(s) = log mean exp(s z^2), which is convex and rises. As f(s) >= s max z^2 - log A and,
    by Jensen, f(s) >= s mean z^2, the root is at most (1 + log A)/max z^2 and at most 1/mean z^2; Newton's method
    started at the smaller one falls monotonically to it, and nothing overflows. Its step is log(y) / f'(s) for
    y = mean exp(s z^2) / e, and 2(y - 1)/(y + 1) stands for log(y): never more than it, and the same near the root but
    for terms of the third order. f'' <= f' max z^2, so that the error is about squared in a step: once the square of a
    step is below the rounding error the next one would change nothing.
    """
    A, W = strategy.shape
    goal, highest = A * math.e, 1.0 + math.log(A)
    tolerance = np.sqrt(np.finfo(strategy.dtype).eps) / 2.0
    for w in range(0, W, LANES):
        mask = lanes(W - w)
        largest = largest_of(score, w, mask)
        some = largest > 0.0
        scale = level(where(some, largest, 1.0))
        squares = vector(score, 0.0)
        for a in range(A):
            z = read(score, a * W + w, mask) * scale
            z = where(z > 0.0, z, 0.0)
            write(strategy, a * W + w, mask, z)
            squares = squares + z * z
        most = largest * scale
        most = where(some, most * most, 1.0)
        s = highest / most
        s = where(s * squares > A, A / squares, s)
        for _ in range(NEWTON_STEPS):
            total = vector(score, 0.0)
            slope = where(some, total, 1.0)
            for a in range(A):
                z = read(strategy, a * W + w, mask)
                square = z * z
                power = moderate_exp(s * square)
                total = total + power
                slope = slope + power * square
            step = 2.0 * (total - goal) * total / ((total + goal) * slope)
            s = s - step
            if not anywhere(step > tolerance * s):
                break
        total = vector(score, 0.0)
        for a in range(A):
            z = read(strategy, a * W + w, mask)
            power = z * moderate_exp(s * (z * z))
            write(strategy, a * W + w, mask, power)
            total = total + power
        share_out(strategy, w, mask, total, some)


@part
def softmax(strategy, score, step):
    """sigma[a] proportional to exp(step * score[a]): Hedge, and (O)FTRL with entropy (spcfr eq. 8)."""
    A, W = strategy.shape
    for w in range(0, W, LANES):
        mask = lanes(W - w)
        largest = largest_of(score, w, mask)
        eta = read(step, w, mask)
        total = vector(score, 0.0)
        for a in range(A):
            power = exp(eta * (read(score, a * W + w, mask) - largest))
            write(strategy, a * W + w, mask, power)
            total = total + power
        share_out(strategy, w, mask, total, total > 0.0)


@part
def projection(strategy, score, step):
    """The point of the simplex nearest to step * score: (O)FTRL with the Euclidean regulariser (spcfr eq. 8).

    Michelot's method: the threshold that makes the kept entries sum to one only rises as entries fall below it.
    """
    A, W = strategy.shape
    for w in range(W):
        largest = -math.inf
        for a in range(A):
            largest = max(largest, score[a, w])
        for a in range(A):
            strategy[a, w] = step[w] * (score[a, w] - largest)
        threshold = -math.inf
        kept = 0
        while True:
            total = 0.0
            count = 0
            for a in range(A):
                if strategy[a, w] > threshold:
                    total += strategy[a, w]
                    count += 1
            if count == kept:
                break
            kept = count
            threshold = (total - 1.0) / count
        total = 0.0
        for a in range(A):
            strategy[a, w] = max(strategy[a, w] - threshold, 0.0)
            total += strategy[a, w]
        for a in range(A):
            strategy[a, w] /= total


@part
def exponential_matching(strategy, score, weight):
    """sigma[a] proportional to e^L1[a] R+[a] (ecfr eq. 9), with e^L1 as `exponential` left it."""
    A, W = strategy.shape
    for w in range(0, W, LANES):
        mask = lanes(W - w)
        heaviest = vector(score, 0.0)
        for a in range(A):
            heavy = where(read(score, a * W + w, mask) > 0.0, read(weight, a * W + w, mask), 0.0)
            heaviest = where(heavy > heaviest, heavy, heaviest)
        some = heaviest > 0.0
        unit = where(some, heaviest, 1.0)
        total = vector(score, 0.0)
        for a in range(A):
            positive = read(score, a * W + w, mask)
            part = where(positive > 0.0, read(weight, a * W + w, mask) / unit * positive, 0.0)
            write(strategy, a * W + w, mask, part)
            total = total + part
        share_out(strategy, w, mask, total, total > 0.0)
