"""Transposition in tiles: rows of hands into hands of lanes and back, TILE by TILE numbers at a time.

What there is, with k and v from 0 to TILE - 1:

    transpose_tile(source, starts, first, shift, out, to, step)
        out[to + v * step + k] = source[starts[first + k] + shift + v]
    pay_tile and pay_picked(lanes, at, weights, value, targets, amounts, first, w, done), for v >= done
        value[targets[first + k] + w + v] += amounts[first + k] * weights[w + v] * lanes[at + v * LANES + k]
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from rue.regret.access import CONTRACT, LANES, Access

TILE = 8


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """The columns of TILE vectors of TILE numbers: three rounds of interleaving halves."""
    span = 1
    while span < TILE:
        low: list[int] = []
        high: list[int] = []
        for start in range(0, TILE, 2 * span):
            low += [*range(start, start + span), *range(TILE + start, TILE + start + span)]
            high += [*range(start + span, start + 2 * span), *range(TILE + start + span, TILE + start + 2 * span)]
        masks = [ir.Constant(ir.VectorType(ir.IntType(32), TILE), mask) for mask in (low, high)]
        paired = list(rows)
        for first in range(TILE):
            if not first & span:
                pair = rows[first], rows[first + span]
                paired[first] = builder.shuffle_vector(*pair, masks[0])
                paired[first + span] = builder.shuffle_vector(*pair, masks[1])
        rows = paired
        span *= 2
    return rows


@intrinsic
def transpose_tile(
    typing_context: Any, source: Any, starts: Any, first: Any, shift: Any, out: Any, to: Any, step: Any
) -> Any:
    """Transpose a tile: TILE rows that begin here and there become the columns of rows a step apart."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        access = Access(context, builder, source, TILE)
        data, into = access.data(source, arguments[0]), access.data(out, arguments[4])
        table = access.data(starts, arguments[1])
        rows = []
        for k in range(TILE):
            place = builder.load(builder.gep(table, [builder.add(arguments[2], ir.Constant(ir.IntType(64), k))]))
            rows.append(access.load(data, builder.add(place, arguments[3])))
        position = arguments[5]
        for column in _transposed(builder, rows):
            access.store(column, into, position)
            position = builder.add(position, arguments[6])
        return context.get_dummy_value()

    return types.void(source, starts, types.intp, types.intp, out, types.intp, types.intp), generate


def _pay_tile(picked: bool) -> Any:
    """The intrinsic that pays a tile to all its hands but those that are done.

    If lanes are picked, those that pay 0 are left out: all have the same target, so they would wait for each other.
    """

    def declare(
        typing_context: Any, lanes: Any, at: Any, weights: Any, value: Any, targets: Any, amounts: Any,
        first: Any, w: Any, done: Any,
    ) -> Any:  # fmt: skip
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            access = Access(context, builder, lanes, TILE)
            kinds = lanes, weights, value, targets, amounts
            arrays = arguments[0], *arguments[2:6]
            source, own, into, table, factors = (access.data(*pair) for pair in zip(kinds, arrays, strict=True))
            at, first, w, done = arguments[1], *arguments[6:]
            one, step = ir.Constant(ir.IntType(64), 1), ir.Constant(ir.IntType(64), LANES)
            hands = [access.load(source, position) for position in access.steps(at, step, TILE)]
            weight = builder.select(access.first(done), access.constant(0.0), access.load(own, w))
            for column, lane in zip(_transposed(builder, hands), access.steps(first, one, TILE), strict=True):
                factor = builder.load(builder.gep(factors, [lane]))
                some = builder.fcmp_unordered("!=", factor, ir.Constant(factor.type, 0.0))
                with builder.if_then(some) if picked else nullcontext():
                    position = builder.add(builder.load(builder.gep(table, [lane])), w)
                    gain = builder.fmul(builder.fmul(weight, access.spread(factor)), column, flags=CONTRACT)
                    before = access.load(into, position)
                    access.store(builder.fadd(before, gain, flags=CONTRACT), into, position)
            return context.get_dummy_value()

        return types.void(lanes, types.intp, weights, value, targets, amounts, *(types.intp,) * 3), generate

    return intrinsic(declare)


pay_tile, pay_picked = _pay_tile(False), _pay_tile(True)
