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
from rue.regret.vectors import (
    LANES,
    expect,
    lanes,
    most,
    read,
    read_all,
    vector,
    where,
    write,
    write_all,
    write_by_chance,
    write_rest,
)
from rue.solvers.public_space import MOST

NOTHING = 1e-30
"""Regret below this counts as none: 1 over a denormal number is infinite."""


@inlined
def plus(regret, at):  # type: ignore[no-untyped-def]
    """R+ of an action."""
    return most(read_all(regret, at), 0.0)


@inlined
def quotient(regret, at, divisor, inverse, uniform):  # type: ignore[no-untyped-def]
    """R+ / sum of R+ of an action; its share where there is no such sum."""
    part = plus(regret, at)
    return where(part == divisor, 1.0, part * inverse + uniform)


@inlined
def learned(regret, old, gain, positive, negative, lowest):  # type: ignore[no-untyped-def]
    """The regret of an action, discounted, and what it gained; but not below the lowest."""
    new = old * where(old > 0.0, vector(regret, positive), negative) + gain
    return most(new, lowest)


@inlined
def divisors(actions, regret, at, width):  # type: ignore[no-untyped-def]
    """The sum of R+, or 1 where it is so small that its inverse is infinite; the inverse; the share of each there."""
    total = plus(regret, at)
    for a in range(1, actions):
        total = total + plus(regret, at + a * width)
    some = total > NOTHING
    divisor = where(some, total, 1.0)
    return divisor, 1.0 / divisor, where(some, vector(regret, 0.0), 1.0 / actions)


@inlined
def down(actions, regret, average, at, reach, before, row, width, keep, weight, salt, done, ahead):  # type: ignore[no-untyped-def]
    """LANES hands: rows of the reach below the decision, and the average; lanes that are done stay as they are."""
    for a in range(actions):
        expect(regret, ahead + a * LANES)
        expect(average, ahead + a * LANES)
    divisor, inverse, uniform = divisors(actions, regret, at, width)
    parent = read_all(reach, before)
    for a in range(actions):
        k = a * width
        reached = parent * quotient(regret, at + k, divisor, inverse, uniform)
        write_all(reach, row + k, reached)
        write_rest(average, at + k, done, keep * read_all(average, at + k) + weight * reached, salt)


@inlined
def up(actions, regret, at, value, before, row, width, positive, negative, lowest, salt, done, ahead):  # type: ignore[no-untyped-def]
    """LANES hands: the value of the decision is added to the row before it, its regret is updated."""
    for a in range(actions):
        expect(regret, ahead + a * LANES)
    divisor, inverse, uniform = divisors(actions, regret, at, width)
    mean = quotient(regret, at, divisor, inverse, uniform) * read_all(value, row)
    for a in range(1, actions):
        sigma = quotient(regret, at + a * width, divisor, inverse, uniform)
        mean = mean + sigma * read_all(value, row + a * width)
    write_rest(value, before, done, read_all(value, before) + mean, salt)
    for a in range(actions):
        k = a * width
        gain = read_all(value, row + k) - mean
        new = learned(regret, read_all(regret, at + k), gain, positive, negative, lowest)
        write_rest(regret, at + k, done, new, salt)


@inlined
def all_down(actions, regret, average, at, reach, before, row, width, keep, weight, salt):  # type: ignore[no-untyped-def]
    """All hands of a decision, on the way down: first the last ones, if they do not fill a vector.

    What is asked for ahead lies MOST rows on, as much of it as is used here: so nothing is left out or asked for twice.
    """
    rest, ahead = width % LANES, at + MOST * width
    if rest > 0:
        w = width - LANES
        rows = at + w, reach, before + w, row + w, width, keep, weight, salt, lanes(LANES - rest)
        down(actions, regret, average, *rows, ahead + w * actions)
    for w in range(0, width - rest, LANES):
        rows = at + w, reach, before + w, row + w, width, keep, weight, salt, lanes(0)
        down(actions, regret, average, *rows, ahead + w * actions)


@inlined
def all_up(actions, regret, at, value, before, row, width, positive, negative, floor, salt):  # type: ignore[no-untyped-def]
    """All hands of a decision, on the way up."""
    factors = positive, negative, 0.0 if floor else -math.inf, salt
    rest, ahead = width % LANES, at - MOST * width
    if rest > 0:
        w = width - LANES
        rows = at + w, value, before + w, row + w, width
        up(actions, regret, *rows, *factors, lanes(LANES - rest), ahead + w * actions)
    for w in range(0, width - rest, LANES):
        rows = at + w, value, before + w, row + w, width
        up(actions, regret, *rows, *factors, lanes(0), ahead + w * actions)


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
            gain = read(value, row + k, mask) - mean
            new = learned(regret, read(regret, at + k, mask), gain, positive, negative, lowest)
            write_by_chance(regret, at + k, mask, new, salt)
