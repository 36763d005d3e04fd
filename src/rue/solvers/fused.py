"""Rules with discounts in one pass over memory.

The commonest rules draw the strategy from the regret alone. For these the way down (strategy, reach, average) and
the way up (strategy, value, regret) are each written as one straight run of vector instructions: LANES hands at a
time, every number read once and written once. The formulas are those of `rue.regret.match.regret_matching` and
`rue.regret.accumulate.discounted`; the quotient is a product with the inverse, except that a lone action gets 1.

That is regret matching at decisions with a few actions. For any other rule and any number of actions, and where a
strategy is given, there are passes over a strategy that was drawn before.
"""

from __future__ import annotations

import math
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from rue.regret.access import CONTRACT, LANES, Access
from rue.regret.compiled import apart
from rue.regret.vectors import expect, lanes, read, vector, where, write, write_by_chance

NOTHING = 1e-30
"""Regret below this counts as none: 1 over a denormal number is infinite."""


def _strategy(access: Access, regret: list[Any]) -> list[Any]:
    """R+ / sum of R+, uniform where the sum is so small that its inverse would not be finite."""
    builder = access.builder
    zero, one, share = access.constant(0.0), access.constant(1.0), access.constant(1.0 / len(regret))
    positive = [builder.select(builder.fcmp_ordered(">", r, zero), r, zero) for r in regret]
    total = positive[0]
    for part in positive[1:]:
        total = builder.fadd(total, part)
    some = builder.fcmp_ordered(">", total, access.constant(NOTHING))
    divisor = builder.select(some, total, one)
    inverse = builder.fdiv(one, divisor)
    parts = []
    for part in positive:
        quotient = builder.select(builder.fcmp_ordered("==", part, divisor), one, builder.fmul(part, inverse))
        parts.append(builder.select(some, quotient, share))
    return parts


def _forward(actions: int, masked: bool) -> Any:
    """Down: rows of the reach below a decision, and the average; LANES hands, or `count` of them."""

    def declare(
        typing_context: Any, regret: Any, average: Any, at: Any, reach: Any, before: Any, row: Any, width: Any,
        keep: Any, weight: Any, salt: Any, count: Any,
    ) -> Any:  # fmt: skip
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            access = Access(context, builder, reach)
            store = Access(context, builder, regret, LANES, arguments[9])
            mask = access.first(arguments[10]) if masked else None
            regrets, averages = access.data(regret, arguments[0]), access.data(average, arguments[1])
            reaches = access.data(reach, arguments[3])
            keeps, weights = access.spread(arguments[7]), access.spread(arguments[8])
            ats = access.steps(arguments[2], arguments[6], actions)
            rows = access.steps(arguments[5], arguments[6], actions)
            ahead = builder.mul(arguments[6], ir.Constant(ir.IntType(64), actions))
            for at in ats:
                access.prefetch(regrets, builder.add(at, ahead))
                access.prefetch(averages, builder.add(at, ahead))
            sigma = _strategy(access, [store.load(regrets, at, mask) for at in ats])
            parent = access.load(reaches, arguments[4], mask)
            for part, at, row in zip(sigma, ats, rows, strict=True):
                reached = builder.fmul(parent, part)
                access.store(reached, reaches, row, mask)
                kept = builder.fmul(keeps, store.load(averages, at, mask), flags=CONTRACT)
                added = builder.fmul(weights, reached, flags=CONTRACT)
                store.store(builder.fadd(kept, added, flags=CONTRACT), averages, at, mask)
            return context.get_dummy_value()

        kinds = (reach.dtype, reach.dtype, types.int32, types.intp)
        return types.void(regret, average, types.intp, reach, *(types.intp,) * 3, *kinds), generate

    return intrinsic(declare)


def _backward(actions: int, masked: bool) -> Any:
    """Up: the value of a decision is added to the row before it, its regret is updated; LANES hands, or `count`."""

    def declare(
        typing_context: Any, regret: Any, at: Any, value: Any, before: Any, row: Any, width: Any,
        positive: Any, negative: Any, floor: Any, salt: Any, count: Any,
    ) -> Any:  # fmt: skip
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            access = Access(context, builder, value)
            store = Access(context, builder, regret, LANES, arguments[9])
            mask = access.first(arguments[10]) if masked else None
            regrets, values = access.data(regret, arguments[0]), access.data(value, arguments[2])
            ats = access.steps(arguments[1], arguments[5], actions)
            ahead = builder.mul(arguments[5], ir.Constant(ir.IntType(64), actions))
            for at in ats:
                access.prefetch(regrets, builder.sub(at, ahead))
            old = [store.load(regrets, at, mask) for at in ats]
            gains = [access.load(values, row, mask) for row in access.steps(arguments[4], arguments[5], actions)]
            mean = None
            for part, gain in zip(_strategy(access, old), gains, strict=True):
                product = builder.fmul(part, gain, flags=CONTRACT)
                mean = product if mean is None else builder.fadd(mean, product, flags=CONTRACT)
            access.store(builder.fadd(access.load(values, arguments[3], mask), mean), values, arguments[3], mask)
            zero = access.constant(0.0)
            factors = [access.spread(arguments[6]), access.spread(arguments[7])]
            lowest = builder.select(
                builder.icmp_signed("!=", arguments[8], ir.Constant(arguments[8].type, 0)),
                zero,
                access.constant(float("-inf")),
            )
            for r, gain, at in zip(old, gains, ats, strict=True):
                factor = builder.select(builder.fcmp_ordered(">", r, zero), *factors)
                kept = builder.fmul(r, factor, flags=CONTRACT)
                new = builder.fadd(kept, builder.fsub(gain, mean, flags=CONTRACT), flags=CONTRACT)
                store.store(builder.select(builder.fcmp_ordered(">", new, lowest), new, lowest), regrets, at, mask)
            return context.get_dummy_value()

        kinds = (value.dtype, value.dtype, types.int64, types.int32, types.intp)
        return types.void(regret, types.intp, value, *(types.intp,) * 3, *kinds), generate

    return intrinsic(declare)


def _passes(actions: int) -> tuple[Any, Any]:
    """The loops over the hands of a decision with so many actions, down and up."""
    forward_all, forward_some = _forward(actions, False), _forward(actions, True)
    backward_all, backward_some = _backward(actions, False), _backward(actions, True)

    @apart
    def forward(regret, average, at, reach, before, row, width, keep, weight, salt):  # type: ignore[no-untyped-def]
        w = 0
        while w + LANES <= width:
            forward_all(regret, average, at + w, reach, before + w, row + w, width, keep, weight, salt, LANES)
            w += LANES
        if w < width:
            forward_some(regret, average, at + w, reach, before + w, row + w, width, keep, weight, salt, width - w)

    @apart
    def backward(regret, at, value, before, row, width, positive, negative, floor, salt):  # type: ignore[no-untyped-def]
        w = 0
        while w + LANES <= width:
            backward_all(regret, at + w, value, before + w, row + w, width, positive, negative, floor, salt, LANES)
            w += LANES
        if w < width:
            backward_some(regret, at + w, value, before + w, row + w, width, positive, negative, floor, salt, width - w)

    return forward, backward


FEWEST, MOST = 2, 5
"""Numbers of actions that have a pass of their own."""
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
            old = read(regret, at + k, mask)
            kept = old * where(old > 0.0, vector(value, positive), negative)
            new = kept + (read(value, row + k, mask) - mean)
            write_by_chance(regret, at + k, mask, where(new > lowest, new, lowest), salt)
