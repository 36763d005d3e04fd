"""Rules with discounts in one pass over memory.

The commonest rules draw the strategy from the regret alone. For these the way down (strategy, reach, average) and
the way up (strategy, value, regret) are each one pass: LANES hands at a time, every number fetched from memory once.
The formulas are those of `rue.regret.match.regret_matching` and `rue.regret.accumulate.discounted`; the quotient is a
product with the inverse, except that a lone action gets 1.

That is regret matching at decisions with a few actions: a pass is compiled for each number of them, so that its loops
over actions become straight runs. For any other rule and any number of actions, and where a strategy is given, there
are passes over a strategy that was drawn before.
"""

from __future__ import annotations

import math
from typing import Any

from rue.native.compiled import apart, inlined
from rue.regret.vectors import LANES, expect, lanes, read, vector, where, write, write_by_chance
from rue.solvers.public_space import FEWEST, MOST

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


def _passes(actions: int) -> tuple[Any, Any]:
    """The passes over the hands of a decision with so many actions, down and up."""
    share = 1.0 / actions

    @inlined
    def divisors(regret, at, width, mask):  # type: ignore[no-untyped-def]
        """Where the sum of R+ is so large that its inverse is finite; the sum, or 1 where not; the inverse."""
        total = plus(regret, at, mask)
        for a in range(1, actions):
            total = total + plus(regret, at + a * width, mask)
        some = total > NOTHING
        divisor = where(some, total, 1.0)
        return some, divisor, 1.0 / divisor

    @inlined
    def down(regret, average, at, reach, before, row, width, keep, weight, salt, mask):  # type: ignore[no-untyped-def]
        """LANES hands: rows of the reach below the decision, and the average."""
        for a in range(actions, 2 * actions):
            expect(regret, at + a * width)
            expect(average, at + a * width)
        some, divisor, inverse = divisors(regret, at, width, mask)
        parent = read(reach, before, mask)
        for a in range(actions):
            k = a * width
            reached = parent * quotient(regret, at + k, mask, some, divisor, inverse, share)
            write(reach, row + k, mask, reached)
            write_by_chance(average, at + k, mask, keep * read(average, at + k, mask) + weight * reached, salt)

    @inlined
    def up(regret, at, value, before, row, width, positive, negative, lowest, salt, mask):  # type: ignore[no-untyped-def]
        """LANES hands: the value of the decision is added to the row before it, its regret is updated."""
        for a in range(1, 1 + actions):
            expect(regret, at - a * width)
        some, divisor, inverse = divisors(regret, at, width, mask)
        mean = quotient(regret, at, mask, some, divisor, inverse, share) * read(value, row, mask)
        for a in range(1, actions):
            sigma = quotient(regret, at + a * width, mask, some, divisor, inverse, share)
            mean = mean + sigma * read(value, row + a * width, mask)
        write(value, before, mask, read(value, before, mask) + mean)
        for a in range(actions):
            k = a * width
            learn(regret, at + k, read(value, row + k, mask) - mean, positive, negative, lowest, salt, mask)

    @apart
    def forward(regret, average, at, reach, before, row, width, keep, weight, salt):  # type: ignore[no-untyped-def]
        w = 0
        while w + LANES <= width:
            down(regret, average, at + w, reach, before + w, row + w, width, keep, weight, salt, lanes(LANES))
            w += LANES
        if w < width:
            down(regret, average, at + w, reach, before + w, row + w, width, keep, weight, salt, lanes(width - w))

    @apart
    def backward(regret, at, value, before, row, width, positive, negative, floor, salt):  # type: ignore[no-untyped-def]
        lowest = 0.0 if floor else -math.inf
        w = 0
        while w + LANES <= width:
            up(regret, at + w, value, before + w, row + w, width, positive, negative, lowest, salt, lanes(LANES))
            w += LANES
        if w < width:
            up(regret, at + w, value, before + w, row + w, width, positive, negative, lowest, salt, lanes(width - w))

    return forward, backward


(forward_2, backward_2), (forward_3, backward_3), (forward_4, backward_4), (forward_5, backward_5) = (
    _passes(actions) for actions in range(FEWEST, MOST + 1)
)


@apart
def fused_forward(A, regret, average, at, reach, before, row, width, keep, weight, salt):  # type: ignore[no-untyped-def]
    """The pass down for 2 to 5 actions."""
    if A == 2:
        forward_2(regret, average, at, reach, before, row, width, keep, weight, salt)
    elif A == 3:
        forward_3(regret, average, at, reach, before, row, width, keep, weight, salt)
    elif A == 4:
        forward_4(regret, average, at, reach, before, row, width, keep, weight, salt)
    else:
        forward_5(regret, average, at, reach, before, row, width, keep, weight, salt)


@apart
def fused_backward(A, regret, at, value, before, row, width, positive, negative, floor, salt):  # type: ignore[no-untyped-def]
    """The pass up for 2 to 5 actions."""
    if A == 2:
        backward_2(regret, at, value, before, row, width, positive, negative, floor, salt)
    elif A == 3:
        backward_3(regret, at, value, before, row, width, positive, negative, floor, salt)
    elif A == 4:
        backward_4(regret, at, value, before, row, width, positive, negative, floor, salt)
    else:
        backward_5(regret, at, value, before, row, width, positive, negative, floor, salt)


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
