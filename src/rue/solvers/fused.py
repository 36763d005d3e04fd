"""Rules with discounts in one pass over memory.

The commonest rules draw the strategy from the regret alone. For these the way down (strategy, reach, average) and
the way up (strategy, value, regret) are each one pass: LANES hands at a time, every number fetched from memory once.
The formulas are those of `rue.regret.match.regret_matching` and `rue.regret.accumulate.discounted`; the quotient is a
product with the inverse, except that a lone action gets 1.

That is regret matching at decisions with a few actions: a pass is made for each number of them when it is compiled into
its caller, so that its loops over actions become straight runs. For any other rule and any number of actions, and where
a strategy is given, there are passes over a strategy that was drawn before.
"""

from __future__ import annotations

import math

from rue.native.compiled import apart, inlined
from rue.regret.vectors import LANES, expect, lanes, read, vector, where, write, write_by_chance

NOTHING = 1e-30
"""Regret below this counts as none: 1 over a denormal number is infinite."""


@inlined
def plus(regret, at, mask):  # type: ignore[no-untyped-def]
    """R+ of an action."""
    r = read(regret, at, mask)
    return where(r > 0.0, r, 0.0)


@inlined
def quotient(regret, at, mask, some, divisor, inverse, share):  # type: ignore[no-untyped-def]
    """R+ / sum of R+ of an action; its share where there is no such sum."""
    part = plus(regret, at, mask)
    return where(some, where(part == divisor, 1.0, part * inverse), share)


@inlined
def learn(regret, at, gain, positive, negative, lowest, salt, mask):  # type: ignore[no-untyped-def]
    """Discount the regret of an action and add what it gained, but not below the lowest."""
    old = read(regret, at, mask)
    new = old * where(old > 0.0, vector(regret, positive), negative) + gain
    write_by_chance(regret, at, mask, where(new > lowest, new, lowest), salt)


@inlined
def divisors(actions, regret, at, width, mask):  # type: ignore[no-untyped-def]
    """Where the sum of R+ is so large that its inverse is finite; the sum, or 1 where not; the inverse."""
    total = plus(regret, at, mask)
    for a in range(1, actions):
        total = total + plus(regret, at + a * width, mask)
    some = total > NOTHING
    divisor = where(some, total, 1.0)
    return some, divisor, 1.0 / divisor


@inlined
def down(actions, regret, average, at, reach, before, row, width, keep, weight, salt, mask):  # type: ignore[no-untyped-def]
    """LANES hands: rows of the reach below the decision, and the average."""
    share = 1.0 / actions
    for a in range(actions, 2 * actions):
        expect(regret, at + a * width)
        expect(average, at + a * width)
    some, divisor, inverse = divisors(actions, regret, at, width, mask)
    parent = read(reach, before, mask)
    for a in range(actions):
        k = a * width
        reached = parent * quotient(regret, at + k, mask, some, divisor, inverse, share)
        write(reach, row + k, mask, reached)
        write_by_chance(average, at + k, mask, keep * read(average, at + k, mask) + weight * reached, salt)


@inlined
def up(actions, regret, at, value, before, row, width, positive, negative, lowest, salt, mask):  # type: ignore[no-untyped-def]
    """LANES hands: the value of the decision is added to the row before it, its regret is updated."""
    share = 1.0 / actions
    for a in range(1, 1 + actions):
        expect(regret, at - a * width)
    some, divisor, inverse = divisors(actions, regret, at, width, mask)
    mean = quotient(regret, at, mask, some, divisor, inverse, share) * read(value, row, mask)
    for a in range(1, actions):
        sigma = quotient(regret, at + a * width, mask, some, divisor, inverse, share)
        mean = mean + sigma * read(value, row + a * width, mask)
    write(value, before, mask, read(value, before, mask) + mean)
    for a in range(actions):
        k = a * width
        learn(regret, at + k, read(value, row + k, mask) - mean, positive, negative, lowest, salt, mask)


@inlined
def all_down(actions, regret, average, at, reach, before, row, width, keep, weight, salt):  # type: ignore[no-untyped-def]
    """All hands of a decision, on the way down."""
    w = 0
    while w + LANES <= width:
        down(actions, regret, average, at + w, reach, before + w, row + w, width, keep, weight, salt, lanes(LANES))
        w += LANES
    if w < width:
        down(actions, regret, average, at + w, reach, before + w, row + w, width, keep, weight, salt, lanes(width - w))


@inlined
def all_up(actions, regret, at, value, before, row, width, positive, negative, floor, salt):  # type: ignore[no-untyped-def]
    """All hands of a decision, on the way up."""
    lowest = 0.0 if floor else -math.inf
    w = 0
    while w + LANES <= width:
        up(actions, regret, at + w, value, before + w, row + w, width, positive, negative, lowest, salt, lanes(LANES))
        w += LANES
    if w < width:
        rest = lanes(width - w)
        up(actions, regret, at + w, value, before + w, row + w, width, positive, negative, lowest, salt, rest)


@apart
def fused_forward(A, regret, average, at, reach, before, row, width, keep, weight, salt):  # type: ignore[no-untyped-def]
    """The pass down for FEWEST to MOST actions: a pass for each number of them."""
    if A == 2:
        all_down(2, regret, average, at, reach, before, row, width, keep, weight, salt)
    elif A == 3:
        all_down(3, regret, average, at, reach, before, row, width, keep, weight, salt)
    elif A == 4:
        all_down(4, regret, average, at, reach, before, row, width, keep, weight, salt)
    else:
        all_down(5, regret, average, at, reach, before, row, width, keep, weight, salt)


@apart
def fused_backward(A, regret, at, value, before, row, width, positive, negative, floor, salt):  # type: ignore[no-untyped-def]
    """The pass up for FEWEST to MOST actions."""
    if A == 2:
        all_up(2, regret, at, value, before, row, width, positive, negative, floor, salt)
    elif A == 3:
        all_up(3, regret, at, value, before, row, width, positive, negative, floor, salt)
    elif A == 4:
        all_up(4, regret, at, value, before, row, width, positive, negative, floor, salt)
    else:
        all_up(5, regret, at, value, before, row, width, positive, negative, floor, salt)


@apart
def drawn_forward(sigma, drawn, average, at, reach, before, row, keep, weight, salt):  # type: ignore[no-untyped-def]
    """The pass down with a strategy that was drawn before; `drawn` is what that of the next decision will come from."""
    A, W = sigma.shape
    for w in range(0, W, LANES):
        mask = lanes(W - w)
        parent = read(reach, before + w, mask)
        for k in range(w, w + A * W, W):
            expect(drawn, at + A * W + k)
            expect(average, at + A * W + k)
            reached = parent * read(sigma, k, mask)
            write(reach, row + k, mask, reached)
            write_by_chance(average, at + k, mask, keep * read(average, at + k, mask) + weight * reached, salt)


@apart
def drawn_backward(sigma, regret, at, value, before, row, positive, negative, floor, salt):  # type: ignore[no-untyped-def]
    """The pass up with a strategy that was drawn before."""
    A, W = sigma.shape
    lowest = 0.0 if floor else -math.inf
    for w in range(0, W, LANES):
        mask = lanes(W - w)
        mean = read(sigma, w, mask) * read(value, row + w, mask)
        for k in range(w + W, w + A * W, W):
            mean = mean + read(sigma, k, mask) * read(value, row + k, mask)
        write(value, before + w, mask, read(value, before + w, mask) + mean)
        for k in range(w, w + A * W, W):
            expect(regret, at - A * W + k)
            learn(regret, at + k, read(value, row + k, mask) - mean, positive, negative, lowest, salt, mask)
