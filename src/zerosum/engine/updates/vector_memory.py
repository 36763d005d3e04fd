"""Loading and storing vectors, 16-bit floats included: the base of intrinsics on vectors and tiles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from zerosum.native.numba_api import arrayobj, ir, types

LANES = 16
"""The numbers in a vector of the kernels."""
CONTRACT = ("contract",)
PAGE = 4096
"""Bytes of memory that may be read if one of them may."""


def make_constant(vector: Any, number: float) -> Any:
    """Return a constant vector of one number."""
    return ir.Constant(vector, [number] * vector.count)


def broadcast_scalar(builder: Any, vector: Any, scalar: Any) -> Any:
    """Return a scalar in all lanes."""
    nothing = ir.Constant(vector, ir.Undefined)
    lane = builder.insert_element(nothing, scalar, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(lane, nothing, make_constant(ir.VectorType(ir.IntType(32), vector.count), 0))


def select_lanes(builder: Any, value: Any, lanes: Iterable[int]) -> Any:
    """Return some lanes of a vector, in a given order."""
    order = list(lanes)
    mask = ir.Constant(ir.VectorType(ir.IntType(32), len(order)), order)
    return builder.shuffle_vector(value, ir.Constant(value.type, ir.Undefined), mask)


def call_intrinsic(builder: Any, name: str, result: Any, arguments: list[Any], flags: tuple[str, ...] = ()) -> Any:
    """Call an intrinsic of LLVM."""
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    return builder.call(function, arguments, fastmath=flags)


def mask_first_lanes(builder: Any, count: Any, lanes: int) -> Any:
    """Return a mask that is true in the first `count` lanes."""
    numbers = ir.VectorType(ir.IntType(32), lanes)
    counts = broadcast_scalar(builder, numbers, builder.trunc(count, ir.IntType(32)))
    return builder.icmp_signed("<", ir.Constant(numbers, list(range(lanes))), counts)


def is_half(array: Any) -> bool:
    """Return whether an array holds 16-bit floats, which numba sees as unsigned integers."""
    return isinstance(array.dtype, types.Integer)


def compute_type(array: Any) -> Any:
    """Return the type that an array is computed with."""
    return types.float32 if is_half(array) else array.dtype


class VectorMemory:
    """Loads and stores of vectors in the arrays of an intrinsic's call, all of one dtype.

    `data` is the address of an array's first number, and `position` counts its numbers. With a `salt`, 16-bit floats
    are rounded stochastically when they are stored, so that many small additions are not lost: noise of 13 bits, a hash
    of the position and of the salt, is added before the 13 bits that do not fit are cut off.
    """

    NOISE = (1 << 13) - 1
    LARGEST = 65000.0

    def __init__(self, context: Any, builder: Any, array: Any, lanes: int = LANES) -> None:
        self.context, self.builder = context, builder
        self.half = is_half(array)
        self.vector = ir.VectorType(context.get_data_type(compute_type(array)), lanes)
        self.stored = ir.VectorType(context.get_data_type(array.dtype), lanes)
        self.half_vector = ir.VectorType(ir.HalfType(), lanes)
        self.align = array.dtype.bitwidth // 8
        self.alignment = ir.Constant(ir.IntType(32), self.align)
        self.name = f"v{lanes}{'i' if self.half else 'f'}{array.dtype.bitwidth}.p0"

    def get_address(self, array: Any, value: Any) -> Any:
        """Return the address of the first number of an array."""
        return arrayobj.make_array(array)(self.context, self.builder, value=value).data

    def list_positions(self, first: Any, step: int, count: int) -> list[Any]:
        """Return first, first + step, first + 2 step, ..."""
        positions = [first]
        for _ in range(count - 1):
            positions.append(self.builder.add(positions[-1], ir.Constant(ir.IntType(64), step)))
        return positions

    def load(self, data: Any, position: Any, mask: Any = None) -> Any:
        """Return the vector at a position, zero where the mask is false."""
        pointer = self._get_pointer(data, position)
        if mask is None:
            raw = self.builder.load(pointer, align=self.align)
        elif self.half:
            raw = self._load_first_halves(pointer, mask)
        else:
            raw = self._load_masked(pointer, mask)
        if not self.half:
            return raw
        return self.fence(self.builder.fpext(self.builder.bitcast(raw, self.half_vector), self.vector))

    def store(self, data: Any, position: Any, value: Any) -> None:
        """Write a vector at a position."""
        stored = self._convert_to_stored(value, position, None)
        self.builder.store(stored, self._get_pointer(data, position), align=self.align)

    def store_masked(self, data: Any, position: Any, mask: Any, value: Any, salt: Any = None) -> None:
        """Write a vector at a position, where the mask is true."""
        pointer, stored = self._get_pointer(data, position), self._convert_to_stored(value, position, salt)
        if self.half:
            self._store_first_halves(stored, self.builder.gep(data, [position]), mask)
        else:
            arguments = [stored, pointer, self.alignment, mask]
            call_intrinsic(self.builder, f"llvm.masked.store.{self.name}", ir.VoidType(), arguments)

    def store_unless(self, data: Any, position: Any, done: Any, value: Any, salt: Any) -> None:
        """Write a vector at a position; lanes where `done` is true keep their contents.

        The fence keeps LLVM from making a masked store of it, which takes some processors ten times as long.
        """
        builder, pointer = self.builder, self._get_pointer(data, position)
        before = builder.load(pointer, align=self.align)
        stored = builder.select(done, before, self._convert_to_stored(value, position, salt))
        builder.store(stored if self.half else self.fence(stored), pointer, align=self.align)

    def _convert_to_stored(self, value: Any, position: Any, salt: Any) -> Any:
        """Return a vector as it is stored."""
        if not self.half:
            return value
        rounded = value if salt is None else self._round_stochastically(value, position, salt)
        return self.builder.bitcast(self.builder.fptrunc(rounded, self.half_vector), self.stored)

    def fence(self, value: Any) -> Any:
        """Return the same vector, whose origin LLVM cannot see."""
        bits = 64 if isinstance(self.vector.element, ir.DoubleType) else 32
        return call_intrinsic(self.builder, f"llvm.arithmetic.fence.v{self.vector.count}f{bits}", self.vector, [value])

    def prefetch(self, data: Any, position: Any) -> None:
        """Ask for the cache line at a position, which will be read and written soon."""
        line = self.builder.bitcast(self.builder.gep(data, [position]), ir.IntType(8).as_pointer())
        hints = [ir.Constant(ir.IntType(32), number) for number in (1, 2, 1)]
        call_intrinsic(self.builder, "llvm.prefetch.p0", ir.VoidType(), [line, *hints])

    def _get_pointer(self, data: Any, position: Any) -> Any:
        return self.builder.bitcast(self.builder.gep(data, [position]), self.stored.as_pointer())

    def _load_masked(self, pointer: Any, mask: Any) -> Any:
        arguments = [pointer, self.alignment, mask, ir.Constant(self.stored, None)]
        return call_intrinsic(self.builder, f"llvm.masked.load.{self.name}", self.stored, arguments)

    def _load_first_halves(self, pointer: Any, mask: Any) -> Any:
        """Load the first lanes, 16 bits each, with zeros for the others; memory after them is read, but no other page.

        Few processors have masked loads and stores of 16 bits: without them every number gets a branch.
        """
        builder = self.builder
        within = builder.and_(builder.ptrtoint(pointer, ir.IntType(64)), ir.Constant(ir.IntType(64), PAGE - 1))
        last = ir.Constant(within.type, PAGE - self.align * self.vector.count)
        bits = builder.bitcast(mask, ir.IntType(self.vector.count))
        every = builder.icmp_unsigned("==", bits, ir.Constant(bits.type, -1))
        safe = builder.or_(every, builder.icmp_unsigned("<=", within, last))
        loaded = []
        with builder.if_else(safe) as (whole, some):
            with whole:
                raw = builder.load(pointer, align=self.align)
                loaded.append((builder.select(mask, raw, ir.Constant(self.stored, None)), builder.block))
            with some:
                loaded.append((self._load_masked(pointer, mask), builder.block))
        result = builder.phi(self.stored)
        for value, block in loaded:
            result.add_incoming(value, block)
        return result

    def _store_first_halves(self, value: Any, data: Any, mask: Any) -> None:
        """Write the first lanes of 16 bits each, in pieces of 16, 8, 4, 2 and 1 of them."""
        builder, lanes, bits = self.builder, self.vector.count, ir.IntType(self.vector.count)
        count = call_intrinsic(builder, f"llvm.ctpop.{bits}", bits, [builder.bitcast(mask, bits)])
        size = lanes
        while size:
            is_set = builder.icmp_unsigned("!=", builder.and_(count, ir.Constant(bits, size)), ir.Constant(bits, 0))
            with builder.if_then(is_set):
                done = builder.zext(builder.and_(count, ir.Constant(bits, -2 * size)), ir.IntType(64))
                piece = select_lanes(builder, value, range(size))
                pointer = builder.bitcast(builder.gep(data, [done]), piece.type.as_pointer())
                builder.store(piece, pointer, align=self.align)
            rest = select_lanes(builder, value, [(k + size) % lanes for k in range(lanes)])
            value = builder.select(is_set, rest, value)
            size //= 2

    def _round_stochastically(self, value: Any, position: Any, salt: Any) -> Any:
        """Return numbers that fit 16 bits, rounded stochastically."""
        builder, bits = self.builder, ir.VectorType(ir.IntType(32), self.vector.count)
        for sign, bound in ((">", self.LARGEST), ("<", -self.LARGEST)):
            limit = make_constant(self.vector, bound)
            value = builder.select(builder.fcmp_ordered(sign, value, limit), limit, value)
        raw = builder.add(builder.bitcast(value, bits), self._make_noise(position, salt))
        return builder.bitcast(builder.and_(raw, make_constant(bits, ~self.NOISE & 0xFFFFFFFF)), self.vector)

    def _make_noise(self, position: Any, salt: Any) -> Any:
        """Return 13 bits for each lane: a hash of position and salt, plus a step per lane that spreads them evenly."""
        builder, bits = self.builder, ir.VectorType(ir.IntType(32), self.vector.count)
        hashed = builder.xor(builder.trunc(position, ir.IntType(32)), salt)
        for shift, factor in ((16, 0x21F0AAAD), (15, 0x735A2D97)):
            mixed = builder.xor(hashed, builder.lshr(hashed, ir.Constant(hashed.type, shift)))
            hashed = builder.mul(mixed, ir.Constant(hashed.type, factor))
        order = ir.Constant(bits, [0x9E3779B1 * lane & 0xFFFFFFFF for lane in range(bits.count)])
        return builder.lshr(builder.add(broadcast_scalar(builder, bits, hashed), order), make_constant(bits, 19))
