"""How accumulated regret becomes the next strategy of a block.

Every function writes `strategy`, an (A, W) array whose columns are probability vectors, from `score`, the
accumulated regret (plus a prediction where there is one). An infoset without positive score plays uniformly in
the rules of the regret-matching kind.
"""

from __future__ import annotations

import math

from rue.regret.compiled import part

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
def temperature_matching(strategy, score, exponent, work):
    """sigma[a] proportional to R+[a]^exponent (trm eq. 10 and 17); exponent 1 is regret matching, bit for bit."""
    if exponent == 1.0:
        regret_matching(strategy, score, work)
        return
    A, W = strategy.shape
    for w in range(W):
        largest = 0.0
        for a in range(A):
            largest = max(largest, score[a, w])
        total = 0.0
        if largest > 0.0:
            for a in range(A):
                part = score[a, w] / largest
                strategy[a, w] = part**exponent if part > 0.0 else 0.0
                total += strategy[a, w]
        for a in range(A):
            strategy[a, w] = strategy[a, w] / total if total > 0.0 else 1.0 / A


@part
def normal_hedge(strategy, score):
    """sigma[a] proportional to (R+/c) exp(R+^2/(2c)), where the mean of exp(R+^2/(2c)) over the actions is e.

    (dcfr, "NormalHedge for CFR variants".) With z = R+/max R+ and s = max(R+)^2/(2c) the condition is
    log mean exp(s z^2) = 1; the left side is convex and rises in s, the root lies in [1, 1 + log A], so Newton's
    method started at the right end falls monotonically to it and nothing overflows.
    """
    A, W = strategy.shape
    for w in range(W):
        largest = 0.0
        for a in range(A):
            largest = max(largest, score[a, w])
        if not largest > 0.0:
            for a in range(A):
                strategy[a, w] = 1.0 / A
            continue
        for a in range(A):
            strategy[a, w] = score[a, w] / largest if score[a, w] > 0.0 else 0.0
        s = 1.0 + math.log(A)
        for _ in range(NEWTON_STEPS):
            total = 0.0
            slope = 0.0
            for a in range(A):
                square = strategy[a, w] * strategy[a, w]
                part = math.exp(s * square)
                total += part
                slope += part * square
            step = (math.log(total / A) - 1.0) * total / slope
            s -= step
            if step <= 1e-15 * s:
                break
        total = 0.0
        for a in range(A):
            z = strategy[a, w]
            strategy[a, w] = z * math.exp(s * (z * z - 1.0))
            total += strategy[a, w]
        for a in range(A):
            strategy[a, w] /= total


@part
def softmax(strategy, score, step):
    """sigma[a] proportional to exp(step * score[a]): Hedge, and (O)FTRL with entropy (spcfr eq. 8)."""
    A, W = strategy.shape
    for w in range(W):
        largest = -math.inf
        for a in range(A):
            largest = max(largest, score[a, w])
        total = 0.0
        for a in range(A):
            strategy[a, w] = math.exp(step[w] * (score[a, w] - largest))
            total += strategy[a, w]
        for a in range(A):
            strategy[a, w] /= total


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
    for w in range(W):
        heaviest = 0.0
        for a in range(A):
            if score[a, w] > 0.0:
                heaviest = max(heaviest, weight[a, w])
        total = 0.0
        for a in range(A):
            strategy[a, w] = weight[a, w] / heaviest * score[a, w] if score[a, w] > 0.0 else 0.0
            total += strategy[a, w]
        for a in range(A):
            strategy[a, w] = strategy[a, w] / total if total > 0.0 else 1.0 / A
