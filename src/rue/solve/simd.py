"""Vector instructions for the sweep: LANES numbers at a time, and transposition in tiles.

LLVM finds vectors in plain loops over hands by itself; here the loops are too short, so the vectors are written.
Positions count numbers of the array's own kind (float32 or float64); nothing is checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from rue.forms.public_tree import LANES

TILE = 8


class Access:
    """Loads and stores of vectors in the arrays of an intrinsic's call."""

    def __init__(self, context: Any, builder: Any, array_type: Any, lanes: int) -> None:
        self.context, self.builder = context, builder
        self.element = context.get_data_type(array_type.dtype)
        self.vector = ir.VectorType(self.element, lanes)
        self.align = array_type.dtype.bitwidth // 8

    def data(self, array_type: Any, value: Any) -> Any:
        """The start of an array."""
        return make_array(array_type)(self.context, self.builder, value=value).data

    def constant(self, number: float) -> Any:
        """A vector of one number."""
        return ir.Constant(self.vector, [number] * self.vector.count)

    def spread(self, scalar: Any) -> Any:
        """A vector of one scalar."""
        lane = self.builder.insert_element(
            ir.Constant(self.vector, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0)
        )
        mask = ir.Constant(ir.VectorType(ir.IntType(32), self.vector.count), [0] * self.vector.count)
        return self.builder.shuffle_vector(lane, ir.Constant(self.vector, ir.Undefined), mask)

    def steps(self, first: Any, step: Any, count: int) -> list[Any]:
        """first, first + step, first + 2 step, ..."""
        positions = [first]
        for _ in range(count - 1):
            positions.append(self.builder.add(positions[-1], step))
        return positions

    def pointer(self, data: Any, position: Any) -> Any:
        """Where the vector at a position lies."""
        return self.builder.bitcast(self.builder.gep(data, [position]), self.vector.as_pointer())

    def load(self, data: Any, position: Any) -> Any:
        """The vector at a position."""
        return self.builder.load(self.pointer(data, position), align=self.align)

    def store(self, value: Any, data: Any, position: Any) -> None:
        """Write a vector at a position."""
        self.builder.store(value, self.pointer(data, position), align=self.align)


def _positions(count: int) -> tuple[Any, ...]:
    return (types.intp,) * count


@intrinsic
def add_hand(typing_context: Any, sums: Any, total: Any, one: Any, two: Any, lanes: Any, hand: Any) -> Any:
    """Add the lanes of a hand to the total and to the sums of its two cards."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        access = Access(context, builder, sums, LANES)
        into, source = access.data(sums, arguments[0]), access.data(lanes, arguments[4])
        reach = access.load(source, arguments[5])
        for position in arguments[1:4]:
            access.store(builder.fadd(access.load(into, position), reach), into, position)
        return context.get_dummy_value()

    return types.void(sums, *_positions(3), lanes, types.intp), generate


def _disjoint(access: Access, builder: Any, sums: Any, positions: Sequence[Any]) -> Any:
    """total - one - two."""
    total, one, two = (access.load(sums, position) for position in positions)
    return builder.fsub(builder.fsub(total, one), two)


def _combined(name: str) -> Any:
    """An intrinsic that sets, adds or subtracts total - one - two."""

    def declare(typing_context: Any, out: Any, hand: Any, sums: Any, total: Any, one: Any, two: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            access = Access(context, builder, sums, LANES)
            into, source = access.data(out, arguments[0]), access.data(sums, arguments[2])
            value = _disjoint(access, builder, source, arguments[3:6])
            if name == "add":
                value = builder.fadd(access.load(into, arguments[1]), value)
            elif name == "subtract":
                value = builder.fsub(access.load(into, arguments[1]), value)
            access.store(value, into, arguments[1])
            return context.get_dummy_value()

        return types.void(out, types.intp, sums, *_positions(3)), generate

    return intrinsic(declare)


set_disjoint = _combined("set")
"""out[hand] = total - one - two, LANES wide: the reach that shares no card with a hand."""
add_disjoint = _combined("add")
"""out[hand] += total - one - two."""
subtract_disjoint = _combined("subtract")
"""out[hand] -= total - one - two."""


def _elementwise(name: str) -> Any:
    """An intrinsic that adds to or subtracts from lanes other lanes."""

    def declare(typing_context: Any, out: Any, hand: Any, lanes: Any, source: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            access = Access(context, builder, out, LANES)
            into, other = access.data(out, arguments[0]), access.data(lanes, arguments[2])
            operation = builder.fadd if name == "add" else builder.fsub
            value = operation(access.load(into, arguments[1]), access.load(other, arguments[3]))
            access.store(value, into, arguments[1])
            return context.get_dummy_value()

        return types.void(out, types.intp, lanes, types.intp), generate

    return intrinsic(declare)


add_lanes = _elementwise("add")
"""out[hand] += lanes[source], LANES wide."""
subtract_lanes = _elementwise("subtract")
"""out[hand] -= lanes[source], LANES wide."""


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
        table = make_array(starts)(context, builder, value=arguments[1]).data
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
