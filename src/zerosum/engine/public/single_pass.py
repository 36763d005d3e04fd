"""One pass over memory for rules with discounts.

The commonest rules match the strategy to the regret alone. For these the way down (strategy, reach, average) and the
way up (strategy, value, regret) are one pass each: LANES hands at a time, every number fetched from memory once. The
formulas are those of `zerosum.engine.updates.matching.regret_matching` and
`zerosum.engine.updates.accumulation.accumulate_discounted`; the quotient is a product with the inverse, except that a
lone action gets exactly 1.

A pass is compiled for each number of actions from MIN_SINGLE_PASS to MAX_SINGLE_PASS, so that its loops over actions
become straight runs. Any other rule or number of actions, and decisions with fixed strategies, take the passes over a
strategy that was filled before.

Arguments that many functions share:

    regret, average   the player's store, float32, float64 or 16-bit floats
    at                offset of the decision's first number in the store
    reach, value      the rows of the place
    before, row       offsets in them: of the row before the decision, and of the row of its first action
    width             the number of hands
    salt              (int32) of the stochastic rounding of 16-bit floats
    done              a mask of lanes that another vector has written or will write
    ahead             offset in the store of what will be read soon
"""

from __future__ import annotations

import math

from zerosum.engine.updates.blocks import Block, Index, Numbers, Row
from zerosum.engine.updates.vectors import (
    LANES,
    Mask,
    Vector,
    first_lanes,
    maximum,
    prefetch,
    read,
    read_full,
    vector,
    where,
    write,
    write_full,
    write_rounded,
    write_unless,
)
from zerosum.native.decorators import inline, kernel

MIN_SINGLE_PASS, MAX_SINGLE_PASS = 2, 5
"""The numbers of actions for which a single pass is compiled."""
TINY = 1e-30
"""Regret below this counts as zero: 1 over a denormal number is infinite."""


@inline
def read_positive_regret(regret: Numbers, at: int) -> Vector:
    """Return R+ of an action for LANES hands."""
    return maximum(read_full(regret, at), 0.0)


@inline
def match_probability(regret: Numbers, at: int, divisor: Vector, inverse: Vector, uniform: Vector) -> Vector:
    """Return R+ / sum of R+ of an action; `uniform` where that sum is zero."""
    part = read_positive_regret(regret, at)
    return where(part == divisor, 1.0, part * inverse + uniform)


@inline
def discount_regret(
    regret: Numbers, old: Vector, gain: Vector, positive: float, negative: float, lowest: float
) -> Vector:
    """Return the discounted regret of an action plus its gain, but at least `lowest`."""
    new = old * where(old > 0.0, vector(regret, positive), negative) + gain
    return maximum(new, lowest)


@inline
def sum_positive_regret(actions: int, regret: Numbers, at: int, width: int) -> tuple[Vector, Vector, Vector]:
    """Return the sum of R+, or 1 where that is tiny; its inverse; and the share of each action where it is tiny."""
    total = read_positive_regret(regret, at)
    for a in range(1, actions):
        total = total + read_positive_regret(regret, at + a * width)
    is_positive = total > TINY
    divisor = where(is_positive, total, 1.0)
    return divisor, 1.0 / divisor, where(is_positive, vector(regret, 0.0), 1.0 / actions)


@inline
def forward_lanes(
    actions: int, regret: Numbers, average: Numbers, at: int, reach: Row, before: int, row: int, width: int,
    factor: float, weight: float, salt: Index, done: Mask, ahead: int,
) -> None:  # fmt: skip
    """Fill the reaches below the decision for LANES hands; average = factor * average + weight * reach."""
    for a in range(actions):
        prefetch(regret, ahead + a * LANES)
        prefetch(average, ahead + a * LANES)
    divisor, inverse, uniform = sum_positive_regret(actions, regret, at, width)
    parent = read_full(reach, before)
    for a in range(actions):
        k = a * width
        reached = parent * match_probability(regret, at + k, divisor, inverse, uniform)
        write_full(reach, row + k, reached)
        write_unless(average, at + k, done, factor * read_full(average, at + k) + weight * reached, salt)


@inline
def backward_lanes(
    actions: int, regret: Numbers, at: int, value: Row, before: int, row: int, width: int,
    positive: float, negative: float, lowest: float, salt: Index, done: Mask, ahead: int,
) -> None:  # fmt: skip
    """Add the value of the decision to the row before it for LANES hands, and update the regret."""
    for a in range(actions):
        prefetch(regret, ahead + a * LANES)
    divisor, inverse, uniform = sum_positive_regret(actions, regret, at, width)
    mean = match_probability(regret, at, divisor, inverse, uniform) * read_full(value, row)
    for a in range(1, actions):
        sigma = match_probability(regret, at + a * width, divisor, inverse, uniform)
        mean = mean + sigma * read_full(value, row + a * width)
    write_unless(value, before, done, read_full(value, before) + mean, salt)
    for a in range(actions):
        k = a * width
        gain = read_full(value, row + k) - mean
        new = discount_regret(regret, read_full(regret, at + k), gain, positive, negative, lowest)
        write_unless(regret, at + k, done, new, salt)


@inline
def forward_all_hands(
    actions: int, regret: Numbers, average: Numbers, at: int, reach: Row, before: int, row: int, width: int,
    factor: float, weight: float, salt: Index,
) -> None:  # fmt: skip
    """Go down with all hands of a decision: the last ones first, if they do not fill a vector.

    What is prefetched is MAX_SINGLE_PASS rows ahead, as much as is used here: nothing is missed or fetched twice.
    """
    rest, ahead = width % LANES, at + MAX_SINGLE_PASS * width
    if rest > 0:
        w = width - LANES
        rows = at + w, reach, before + w, row + w, width, factor, weight, salt, first_lanes(LANES - rest)
        forward_lanes(actions, regret, average, *rows, ahead + w * actions)
    for w in range(0, width - rest, LANES):
        rows = at + w, reach, before + w, row + w, width, factor, weight, salt, first_lanes(0)
        forward_lanes(actions, regret, average, *rows, ahead + w * actions)


@inline
def backward_all_hands(
    actions: int, regret: Numbers, at: int, value: Row, before: int, row: int, width: int,
    positive: float, negative: float, floor: int, salt: Index,
) -> None:  # fmt: skip
    """Go up with all hands of a decision."""
    factors = positive, negative, 0.0 if floor else -math.inf, salt
    rest, ahead = width % LANES, at - MAX_SINGLE_PASS * width
    if rest > 0:
        w = width - LANES
        rows = at + w, value, before + w, row + w, width
        backward_lanes(actions, regret, *rows, *factors, first_lanes(LANES - rest), ahead + w * actions)
    for w in range(0, width - rest, LANES):
        rows = at + w, value, before + w, row + w, width
        backward_lanes(actions, regret, *rows, *factors, first_lanes(0), ahead + w * actions)


@kernel
def single_pass_forward(
    A: int, regret: Numbers, average: Numbers, at: int, reach: Row, before: int, row: int, width: int,
    factor: float, weight: float, salt: Index,
) -> None:  # fmt: skip
    """Make the pass down for A actions, from MIN_SINGLE_PASS to MAX_SINGLE_PASS."""
    if A == 2:
        forward_all_hands(2, regret, average, at, reach, before, row, width, factor, weight, salt)
    elif A == 3:
        forward_all_hands(3, regret, average, at, reach, before, row, width, factor, weight, salt)
    elif A == 4:
        forward_all_hands(4, regret, average, at, reach, before, row, width, factor, weight, salt)
    else:
        forward_all_hands(5, regret, average, at, reach, before, row, width, factor, weight, salt)


@kernel
def single_pass_backward(
    A: int, regret: Numbers, at: int, value: Row, before: int, row: int, width: int,
    positive: float, negative: float, floor: int, salt: Index,
) -> None:  # fmt: skip
    """Make the pass up for A actions, from MIN_SINGLE_PASS to MAX_SINGLE_PASS."""
    if A == 2:
        backward_all_hands(2, regret, at, value, before, row, width, positive, negative, floor, salt)
    elif A == 3:
        backward_all_hands(3, regret, at, value, before, row, width, positive, negative, floor, salt)
    elif A == 4:
        backward_all_hands(4, regret, at, value, before, row, width, positive, negative, floor, salt)
    else:
        backward_all_hands(5, regret, at, value, before, row, width, positive, negative, floor, salt)


@kernel
def forward_with_strategy(
    sigma: Block, next_store: Numbers, average: Numbers, at: int, reach: Row, before: int, row: int,
    factor: float, weight: float, salt: Index,
) -> None:  # fmt: skip
    """Make the pass down with a strategy that was filled before.

    `next_store` is the array that the strategy of the next decision will be read from: it is prefetched.
    """
    A, W = sigma.shape
    for w in range(0, W, LANES):
        mask = first_lanes(W - w)
        parent = read(reach, before + w, mask)
        for k in range(w, w + A * W, W):
            prefetch(next_store, at + A * W + k)
            prefetch(average, at + A * W + k)
            reached = parent * read(sigma, k, mask)
            write(reach, row + k, mask, reached)
            write_rounded(average, at + k, mask, factor * read(average, at + k, mask) + weight * reached, salt)


@kernel
def backward_with_strategy(
    sigma: Block, regret: Numbers, at: int, value: Row, before: int, row: int,
    positive: float, negative: float, floor: int, salt: Index,
) -> None:  # fmt: skip
    """Make the pass up with a strategy that was filled before."""
    A, W = sigma.shape
    lowest = 0.0 if floor else -math.inf
    for w in range(0, W, LANES):
        mask = first_lanes(W - w)
        mean = read(sigma, w, mask) * read(value, row + w, mask)
        for k in range(w + W, w + A * W, W):
            mean = mean + read(sigma, k, mask) * read(value, row + k, mask)
        write(value, before + w, mask, read(value, before + w, mask) + mean)
        for k in range(w, w + A * W, W):
            prefetch(regret, at - A * W + k)
            gain = read(value, row + k, mask) - mean
            new = discount_regret(regret, read(regret, at + k, mask), gain, positive, negative, lowest)
            write_rounded(regret, at + k, mask, new, salt)
