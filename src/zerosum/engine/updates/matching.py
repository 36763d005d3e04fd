"""From accumulated regret to the next strategy of a block.

Every function writes `strategy`, an (A, W) array whose columns are probability vectors, from `score`, the accumulated
regret (plus a prediction where there is one). An infoset without a positive score plays uniformly in the rules of the
regret-matching kind. The other arguments are those of `zerosum.engine.updates.rare_rules.apply_formula`.
"""

from __future__ import annotations

import math

import numpy as np

from zerosum.algorithms.kernel_rule import EXPONENT, STEP
from zerosum.engine.updates.blocks import Block, Row
from zerosum.engine.updates.vector_math import exp, exp_unchecked, log, power_of_two_scale
from zerosum.engine.updates.vectors import LANES, Mask, Vector, any_lane, first_lanes, read, vector, where, write
from zerosum.native.decorators import inline, kernel

NEWTON_STEPS = 60


@kernel
def regret_matching(strategy: Block, score: Block, work: Block) -> None:
    """Fill sigma[a] = R+[a] / sum of R+ (dcfr eq. 3)."""
    A, W = strategy.shape
    total = work[0]
    uniform = work[1]
    number = work.dtype.type
    zero, share = number(0.0), number(1.0 / A)
    for w in range(W):
        total[w] = zero
    for a in range(A):
        for w in range(W):
            positive = score[a, w] if score[a, w] > zero else zero
            strategy[a, w] = positive
            total[w] += positive
    for w in range(W):
        is_positive = total[w] > zero
        uniform[w] = zero if is_positive else share
        total[w] = total[w] if is_positive else number(1.0)
    for a in range(A):
        for w in range(W):
            strategy[a, w] = strategy[a, w] / total[w] + uniform[w]


@kernel
def find_max_score(score: Block, w: int, mask: Mask) -> Vector:
    """Return the largest score of each of LANES infosets from w on."""
    A, W = score.shape
    largest = read(score, w, mask)
    for a in range(1, A):
        other = read(score, a * W + w, mask)
        largest = where(other > largest, other, largest)
    return largest


@kernel
def normalize(strategy: Block, w: int, mask: Mask, total: Vector, is_positive: Mask) -> None:
    """Divide LANES columns by their total, or play uniformly where it is not positive; a lone action gets exactly 1."""
    A, W = strategy.shape
    divisor = where(is_positive, total, 1.0)
    scale = power_of_two_scale(divisor)
    inverse = 1.0 / (divisor * scale)
    for a in range(A):
        part = read(strategy, a * W + w, mask)
        share = where(total > part, part * scale * inverse, 1.0)
        write(strategy, a * W + w, mask, where(is_positive, share, 1.0 / A))


@inline
def scale_steps(steps: Row, step: Row, c: Row) -> None:
    """Fill the step sizes of the iteration: those of the infosets times the factor of the iteration."""
    for w in range(len(step)):
        steps[w] = step[w] * c[STEP]


@kernel
def temperature_matching(strategy: Block, score: Block, weight: Block, step: Row, work: Block, c: Row) -> None:
    """Fill sigma[a] in proportion to R+[a]^exponent (trm eq. 10 and 17); exponent 1 is regret matching, bit for bit."""
    exponent = c[EXPONENT]
    if exponent == 1.0:
        regret_matching(strategy, score, work)
        return
    A, W = strategy.shape
    for w in range(0, W, LANES):
        mask = first_lanes(W - w)
        largest = find_max_score(score, w, mask)
        is_positive = largest > 0.0
        scale = power_of_two_scale(where(is_positive, largest, 1.0))
        log_max = log(largest * scale)
        total = vector(score, 0.0)
        for a in range(A):
            z = read(score, a * W + w, mask) * scale
            power = where(z > 0.0, exp(exponent * (log(z) - log_max)), 0.0)
            write(strategy, a * W + w, mask, power)
            total = total + power
        normalize(strategy, w, mask, total, is_positive)


@kernel
def normal_hedge(strategy: Block, score: Block, weight: Block, step: Row, work: Block, c: Row) -> None:
    """Fill sigma[a] in proportion to (R+/c) exp(R+^2/(2c)), with c such that exp(R+^2/(2c)) is e in the mean over a.

    This is dcfr, "NormalHedge for CFR variants". Let z = R+ in a unit near its maximum and s = 1/(2c) in that unit. The
    condition is f(s) = 1 for f(s) = log mean exp(s z^2), which is convex and increasing. As f(s) >= s max z^2 - log A
    and, by Jensen, f(s) >= s mean z^2, the root is at most (1 + log A)/max z^2 and at most 1/mean z^2. Newton's method
    starts at the smaller one and falls monotonically to the root, so nothing overflows. Its step is log(y) / f'(s) with
    y = mean exp(s z^2) / e; 2(y - 1)/(y + 1) stands in for log(y): it is never larger, and near the root equal up to
    terms of third order. As f'' <= f' max z^2, a step about squares the error: once the square of a step is below the
    rounding error, another step would change nothing.
    """
    A, W = strategy.shape
    goal, highest = A * math.e, 1.0 + math.log(A)
    tolerance = np.sqrt(np.finfo(strategy.dtype).eps) / 2.0
    for w in range(0, W, LANES):
        mask = first_lanes(W - w)
        largest = find_max_score(score, w, mask)
        is_positive = largest > 0.0
        scale = power_of_two_scale(where(is_positive, largest, 1.0))
        squares = vector(score, 0.0)
        for a in range(A):
            z = read(score, a * W + w, mask) * scale
            z = where(z > 0.0, z, 0.0)
            write(strategy, a * W + w, mask, z)
            squares = squares + z * z
        max_z = largest * scale
        max_square = where(is_positive, max_z * max_z, 1.0)
        s = highest / max_square
        s = where(s * squares > A, A / squares, s)
        for _ in range(NEWTON_STEPS):
            total = vector(score, 0.0)
            slope = where(is_positive, total, 1.0)
            for a in range(A):
                z = read(strategy, a * W + w, mask)
                square = z * z
                power = exp_unchecked(s * square)
                total = total + power
                slope = slope + power * square
            change = 2.0 * (total - goal) * total / ((total + goal) * slope)
            s = s - change
            if not any_lane(change > tolerance * s):
                break
        total = vector(score, 0.0)
        for a in range(A):
            z = read(strategy, a * W + w, mask)
            power = z * exp_unchecked(s * (z * z))
            write(strategy, a * W + w, mask, power)
            total = total + power
        normalize(strategy, w, mask, total, is_positive)


@kernel
def softmax(strategy: Block, score: Block, weight: Block, step: Row, work: Block, c: Row) -> None:
    """Fill sigma[a] in proportion to exp(step * score[a]): Hedge, and (O)FTRL with entropy (spcfr eq. 8)."""
    A, W = strategy.shape
    steps = work[2]
    scale_steps(steps, step, c)
    for w in range(0, W, LANES):
        mask = first_lanes(W - w)
        largest = find_max_score(score, w, mask)
        eta = read(steps, w, mask)
        total = vector(score, 0.0)
        for a in range(A):
            power = exp(eta * (read(score, a * W + w, mask) - largest))
            write(strategy, a * W + w, mask, power)
            total = total + power
        normalize(strategy, w, mask, total, total > 0.0)


@kernel
def projection(strategy: Block, score: Block, weight: Block, step: Row, work: Block, c: Row) -> None:
    """Project step * score to the nearest point of the simplex: (O)FTRL with the Euclidean regulariser (spcfr eq. 8).

    This is Michelot's method: the threshold at which the positive entries sum to 1 only rises as entries fall below it.
    """
    A, W = strategy.shape
    steps = work[2]
    scale_steps(steps, step, c)
    for w in range(W):
        largest = -math.inf
        for a in range(A):
            largest = max(largest, score[a, w])
        for a in range(A):
            strategy[a, w] = steps[w] * (score[a, w] - largest)
        threshold = -math.inf
        n_above = 0
        while True:
            total = 0.0
            count = 0
            for a in range(A):
                if strategy[a, w] > threshold:
                    total += strategy[a, w]
                    count += 1
            if count == n_above:
                break
            n_above = count
            threshold = (total - 1.0) / count
        total = 0.0
        for a in range(A):
            strategy[a, w] = max(strategy[a, w] - threshold, 0.0)
            total += strategy[a, w]
        for a in range(A):
            strategy[a, w] /= total


@kernel
def exponential_matching(strategy: Block, score: Block, weight: Block, step: Row, work: Block, c: Row) -> None:
    """Fill sigma[a] in proportion to e^L1[a] R+[a] (ecfr eq. 9), with e^L1 as `accumulate_exponential` left it."""
    A, W = strategy.shape
    for w in range(0, W, LANES):
        mask = first_lanes(W - w)
        max_weight = vector(score, 0.0)
        for a in range(A):
            masked_weight = where(read(score, a * W + w, mask) > 0.0, read(weight, a * W + w, mask), 0.0)
            max_weight = where(masked_weight > max_weight, masked_weight, max_weight)
        is_positive = max_weight > 0.0
        unit = where(is_positive, max_weight, 1.0)
        total = vector(score, 0.0)
        for a in range(A):
            positive = read(score, a * W + w, mask)
            part = where(positive > 0.0, read(weight, a * W + w, mask) / unit * positive, 0.0)
            write(strategy, a * W + w, mask, part)
            total = total + part
        normalize(strategy, w, mask, total, total > 0.0)


FORMULAS = (temperature_matching, normal_hedge, softmax, projection, exponential_matching)
"""The formulas here that `zerosum.engine.updates.rare_rules` selects by number."""
