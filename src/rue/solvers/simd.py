"""Transposition in tiles: rows of hands into hands of lanes and back, TILE by TILE numbers at a time."""

from __future__ import annotations

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
    """Transpose a tile: row k is source[starts[first + k] + shift ...], column k goes to out[to + k * step ...]."""

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


@intrinsic
def pay_tile(
    typing_context: Any, lanes: Any, weights: Any, value: Any, targets: Any, amounts: Any,
    first: Any, w: Any, width: Any,
) -> Any:  # fmt: skip
    """Add what TILE hands, or as many as are left of `width`, get in TILE lanes to rows of hands.

    value[targets[k] + v] += amounts[k] * weights[v] * lanes[v * LANES + k] for the lanes k from `first`, hands v from w
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        access = Access(context, builder, lanes, TILE)
        kinds = lanes, weights, value, targets, amounts
        source, own, into, table, factors = (access.data(*pair) for pair in zip(kinds, arguments[:5], strict=True))
        first, w, width = arguments[5:]
        one, step = ir.Constant(ir.IntType(64), 1), ir.Constant(ir.IntType(64), LANES)
        at = builder.add(builder.mul(w, step), first)
        hands = [access.load(source, position) for position in access.steps(at, step, TILE)]
        mask = access.first(builder.sub(width, w))
        weight = access.load(own, w, mask)
        for column, lane in zip(_transposed(builder, hands), access.steps(first, one, TILE), strict=True):
            position = builder.add(builder.load(builder.gep(table, [lane])), w)
            amount = builder.fmul(weight, access.spread(builder.load(builder.gep(factors, [lane]))))
            gain = builder.fmul(amount, column, flags=CONTRACT)
            before = access.load(into, position, mask)
            access.store(builder.fadd(before, gain, flags=CONTRACT), into, position, mask)
        return context.get_dummy_value()

    return types.void(lanes, weights, value, targets, amounts, *(types.intp,) * 3), generate
