"""Vectors in compiled code: LANES numbers at a time, and transposition in tiles.

LLVM finds vectors in plain loops over hands by itself; here the loops are too short, so the vectors are written. A
vector is a value like any other in a kernel, so that what is used again stays in a register. Positions count numbers of
the array's own kind (float32 or float64); nothing is checked.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from rue.regret.vectors import LANES, Vector

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

    def first(self, count: Any) -> Any:
        """A mask that lets the first `count` lanes through."""
        numbers = ir.VectorType(ir.IntType(64), self.vector.count)
        order = ir.Constant(numbers, list(range(self.vector.count)))
        lane = self.builder.insert_element(ir.Constant(numbers, ir.Undefined), count, ir.Constant(ir.IntType(32), 0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), self.vector.count), [0] * self.vector.count)
        spread = self.builder.shuffle_vector(lane, ir.Constant(numbers, ir.Undefined), zeros)
        return self.builder.icmp_signed("<", order, spread)

    def load(self, data: Any, position: Any, mask: Any = None) -> Any:
        """The vector at a position; zero where the mask does not let it through."""
        return self._load(self.vector, data, position, mask)

    def store(self, value: Any, data: Any, position: Any, mask: Any = None) -> None:
        """Write a vector at a position, where the mask lets it through."""
        self._store(value, data, position, mask)

    def _load(self, kind: Any, data: Any, position: Any, mask: Any) -> Any:
        pointer = self.builder.bitcast(self.builder.gep(data, [position]), kind.as_pointer())
        if mask is None:
            return self.builder.load(pointer, align=self.align)
        align = ir.Constant(ir.IntType(32), self.align)
        return self._masked("load", kind, kind, [pointer, align, mask, ir.Constant(kind, None)])

    def _store(self, value: Any, data: Any, position: Any, mask: Any) -> None:
        pointer = self.builder.bitcast(self.builder.gep(data, [position]), value.type.as_pointer())
        if mask is None:
            self.builder.store(value, pointer, align=self.align)
        else:
            align = ir.Constant(ir.IntType(32), self.align)
            self._masked("store", value.type, ir.VoidType(), [value, pointer, align, mask])

    def _masked(self, name: str, kind: Any, result: Any, arguments: list[Any]) -> Any:
        """Call llvm.masked.load or llvm.masked.store."""
        letter = "i" if isinstance(kind.element, ir.IntType) else "f"
        full = f"llvm.masked.{name}.v{kind.count}{letter}{8 * self.align}.p0"
        return self._call(full, result, arguments)

    def _call(self, name: str, result: Any, arguments: list[Any]) -> Any:
        """Call a function that LLVM knows by its name."""
        kind = ir.FunctionType(result, [argument.type for argument in arguments])
        module = self.builder.module
        return self.builder.call(module.globals.get(name) or ir.Function(module, kind, name), arguments)

    def prefetch(self, data: Any, position: Any) -> None:
        """Ask for the line of the cache at a position, which is to be read and written soon."""
        hints = [ir.Constant(ir.IntType(32), number) for number in (1, 2, 1)]
        self._call("llvm.prefetch.p0", ir.VoidType(), [self.builder.gep(data, [position]), *hints])


class HalfAccess(Access):
    """Loads and stores of float32 vectors in an array of 16-bit floats, which numba sees as unsigned integers.

    A number is rounded up or down by chance, so that what is added often and little by little is not lost: noise of 13
    bits, a hash of the position and of `salt`, is added before the 13 bits that do not fit are cut off.
    """

    NOISE = (1 << 13) - 1
    LARGEST = 65000.0

    def __init__(self, context: Any, builder: Any, kind: Any, lanes: int, salt: Any) -> None:
        self.context, self.builder = context, builder
        self.element = ir.FloatType()
        self.vector = ir.VectorType(self.element, lanes)
        self.align = kind.dtype.bitwidth // 8
        self.bits = ir.VectorType(ir.IntType(32), lanes)
        self.narrow = ir.VectorType(ir.IntType(16), lanes)
        self.half = ir.VectorType(ir.HalfType(), lanes)
        self.salt = salt

    def load(self, data: Any, position: Any, mask: Any = None) -> Any:
        """The vector at a position."""
        raw = self._load(self.narrow, data, position, mask)
        return self.builder.fpext(self.builder.bitcast(raw, self.half), self.vector)

    def store(self, value: Any, data: Any, position: Any, mask: Any = None) -> None:
        """Write a vector at a position, rounded by chance."""
        builder = self.builder
        for sign, bound in ((">", self.LARGEST), ("<", -self.LARGEST)):
            limit = self.constant(bound)
            value = builder.select(builder.fcmp_ordered(sign, value, limit), limit, value)
        raw = builder.add(builder.bitcast(value, self.bits), self._noise(position))
        kept = builder.and_(raw, self._number(~self.NOISE & 0xFFFFFFFF))
        half = builder.fptrunc(builder.bitcast(kept, self.vector), self.half)
        self._store(builder.bitcast(half, self.narrow), data, position, mask)

    def _number(self, number: int) -> Any:
        return ir.Constant(self.bits, [number] * self.bits.count)

    def _noise(self, position: Any) -> Any:
        """A hash of position and salt in 13 bits."""
        builder = self.builder
        mixed = builder.xor(builder.trunc(position, ir.IntType(32)), self.salt)
        order = ir.Constant(self.bits, [0x9E3779B1 * lane & 0xFFFFFFFF for lane in range(self.bits.count)])
        lane = builder.insert_element(ir.Constant(self.bits, ir.Undefined), mixed, ir.Constant(ir.IntType(32), 0))
        zeros = ir.Constant(self.bits, [0] * self.bits.count)
        hashed = builder.add(builder.shuffle_vector(lane, ir.Constant(self.bits, ir.Undefined), zeros), order)
        for shift, factor in ((16, 0x21F0AAAD), (15, 0x735A2D97)):
            hashed = builder.mul(builder.xor(hashed, builder.lshr(hashed, self._number(shift))), self._number(factor))
        return builder.lshr(hashed, self._number(19))


@intrinsic
def load(typing_context: Any, array: Any, position: Any) -> Any:
    """The vector at a position of an array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        access = Access(context, builder, array, LANES)
        return access.load(access.data(array, arguments[0]), arguments[1])

    return Vector(array.dtype)(array, types.intp), generate


@intrinsic
def store(typing_context: Any, array: Any, position: Any, vector: Any) -> Any:
    """Write a vector at a position of an array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        access = Access(context, builder, array, LANES)
        access.store(arguments[2], access.data(array, arguments[0]), arguments[1])
        return context.get_dummy_value()

    return types.void(array, types.intp, vector), generate


@intrinsic
def zero(typing_context: Any, array: Any) -> Any:
    """A vector of zeros of the array's kind."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return Access(context, builder, array, LANES).constant(0.0)

    return Vector(array.dtype)(array), generate


def _operation(name: str) -> Any:
    def declare(typing_context: Any, one: Any, two: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, name)(*arguments)

        return one(one, two), generate

    return intrinsic(declare)


plus = _operation("fadd")
"""The sum of two vectors."""
minus = _operation("fsub")
"""The difference of two vectors."""


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
            gain = builder.fmul(amount, column, flags=("contract",))
            before = access.load(into, position, mask)
            access.store(builder.fadd(before, gain, flags=("contract",)), into, position, mask)
        return context.get_dummy_value()

    return types.void(lanes, weights, value, targets, amounts, *(types.intp,) * 3), generate
