"""Transposing tiles: rows of hands into hands of lanes and back, TILE by TILE numbers at a time."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from zerosum.engine.updates.vector_memory import (
    CONTRACT,
    LANES,
    VectorMemory,
    broadcast_scalar,
    make_constant,
    mask_first_lanes,
)
from zerosum.native.decorators import intrinsic
from zerosum.native.numba_api import ir, types

TILE = 8


def _transpose(builder: Any, rows: list[Any]) -> list[Any]:
    """Return the columns of TILE vectors of TILE numbers, by three rounds of interleaving halves."""
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
    """Set out[to + v * step + k] = source[starts[first + k] + shift + v] for k and v from 0 to TILE - 1."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        memory = VectorMemory(context, builder, source, TILE)
        data, into = memory.get_address(source, arguments[0]), memory.get_address(out, arguments[4])
        table = memory.get_address(starts, arguments[1])
        rows = []
        for k in range(TILE):
            place = builder.load(builder.gep(table, [builder.add(arguments[2], ir.Constant(ir.IntType(64), k))]))
            rows.append(memory.load(data, builder.add(place, arguments[3])))
        position = arguments[5]
        for column in _transpose(builder, rows):
            memory.store(into, position, column)
            position = builder.add(position, arguments[6])
        return context.get_dummy_value()

    return types.void(source, starts, types.intp, types.intp, out, types.intp, types.intp), generate


@intrinsic
def add_tile(
    typing_context: Any, lanes: Any, at: Any, weights: Any, value: Any, targets: Any, amounts: Any, first: Any, w: Any,
    done: Any,
) -> Any:  # fmt: skip
    """Add a tile of lanes to the rows of their targets, for all hands but the first `done`.

    For k from 0 and v from `done` to TILE - 1, add amounts[first + k] * weights[w + v] * lanes[at + v * LANES + k] to
    value[targets[first + k] + w + v].
    """
    return _make_tile_addition(lanes, (weights, value, targets, amounts), skip_zeros=False)


@intrinsic
def add_tile_nonzero(
    typing_context: Any, lanes: Any, at: Any, weights: Any, value: Any, targets: Any, amounts: Any, first: Any, w: Any,
    done: Any,
) -> Any:  # fmt: skip
    """Add a tile as `add_tile` does, but skip lanes of amount 0: they have the same target and would be serialized."""
    return _make_tile_addition(lanes, (weights, value, targets, amounts), skip_zeros=True)


def _make_tile_addition(lanes: Any, arrays: tuple[Any, ...], skip_zeros: bool) -> Any:
    """Return the signature and the code of `add_tile`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        memory = VectorMemory(context, builder, lanes, TILE)
        pairs = zip((lanes, *arrays), (arguments[0], *arguments[2:6]), strict=True)
        source, hand_weights, into, table, factors = (memory.get_address(*pair) for pair in pairs)
        at, (first, w, done) = arguments[1], arguments[6:]
        hands = [memory.load(source, position) for position in memory.list_positions(at, LANES, TILE)]
        is_done = mask_first_lanes(builder, done, TILE)
        weight = builder.select(is_done, make_constant(memory.vector, 0.0), memory.load(hand_weights, w))
        for column, lane in zip(_transpose(builder, hands), memory.list_positions(first, 1, TILE), strict=True):
            factor = builder.load(builder.gep(factors, [lane]))
            is_nonzero = builder.fcmp_unordered("!=", factor, ir.Constant(factor.type, 0.0))
            with builder.if_then(is_nonzero) if skip_zeros else nullcontext():
                position = builder.add(builder.load(builder.gep(table, [lane])), w)
                weighted_factor = builder.fmul(weight, broadcast_scalar(builder, memory.vector, factor))
                gain = builder.fmul(weighted_factor, column, flags=CONTRACT)
                before = memory.load(into, position)
                memory.store(into, position, builder.fadd(before, gain, flags=CONTRACT))
        return context.get_dummy_value()

    return types.void(lanes, types.intp, *arrays, *(types.intp,) * 3), generate
