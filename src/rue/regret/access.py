"""How compiled code gets at the numbers of arrays, LANES at a time: what vectors and transpositions are made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.np.arrayobj import make_array

from rue.native.lanes import LANES

CONTRACT = ("contract",)
PAGE = 4096
"""Bytes of memory that may be read if one of them may."""


def constant(vector: Any, number: float) -> Any:
    """A vector of one number, known when it is compiled."""
    return ir.Constant(vector, [number] * vector.count)


def spread(builder: Any, vector: Any, scalar: Any) -> Any:
    """A vector of one scalar."""
    nothing = ir.Constant(vector, ir.Undefined)
    lane = builder.insert_element(nothing, scalar, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(lane, nothing, constant(ir.VectorType(ir.IntType(32), vector.count), 0))


def shuffled(builder: Any, value: Any, order: Iterable[int], other: Any = None) -> Any:
    """The lanes of a vector in an order; numbers from its length on mean lanes of the other one."""
    numbers = list(order)
    mask = ir.Constant(ir.VectorType(ir.IntType(32), len(numbers)), numbers)
    return builder.shuffle_vector(value, ir.Constant(value.type, ir.Undefined) if other is None else other, mask)


def known(builder: Any, name: str, result: Any, arguments: list[Any], flags: tuple[str, ...] = ()) -> Any:
    """Call a function that LLVM knows by its name."""
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    return builder.call(function, arguments, fastmath=flags)


def first_lanes(builder: Any, count: Any, lanes: int) -> Any:
    """A mask that says yes in the first `count` of so many lanes."""
    numbers = ir.VectorType(ir.IntType(32), lanes)
    spreaded = spread(builder, numbers, builder.trunc(count, ir.IntType(32)))
    return builder.icmp_signed("<", ir.Constant(numbers, list(range(lanes))), spreaded)


def is_half(array: Any) -> bool:
    """Whether an array holds 16-bit floats, which numba sees as unsigned integers."""
    return isinstance(array.dtype, types.Integer)


def worked(array: Any) -> Any:
    """The kind that an array's numbers are worked with."""
    return types.float32 if is_half(array) else array.dtype


class Access:
    """Loads and stores of vectors in the arrays of an intrinsic's call, all of one kind.

    With a `salt`, 16-bit floats are rounded up or down by chance when they are stored, so that what is added often and
    little by little is not lost: noise of 13 bits, a hash of the position and of the salt, is added before the 13 bits
    that do not fit are cut off.
    """

    NOISE = (1 << 13) - 1
    LARGEST = 65000.0

    def __init__(self, context: Any, builder: Any, array: Any, lanes: int = LANES, salt: Any = None) -> None:
        self.context, self.builder, self.salt = context, builder, salt
        self.half = is_half(array)
        self.vector = ir.VectorType(context.get_data_type(worked(array)), lanes)
        self.stored = ir.VectorType(context.get_data_type(array.dtype), lanes)
        self.align = array.dtype.bitwidth // 8
        self.name = f"v{lanes}{'i' if self.half else 'f'}{array.dtype.bitwidth}.p0"

    def data(self, array: Any, value: Any) -> Any:
        """The start of an array."""
        return make_array(array)(self.context, self.builder, value=value).data

    def constant(self, number: float) -> Any:
        """A vector of one number."""
        return constant(self.vector, number)

    def spread(self, scalar: Any) -> Any:
        """A vector of one scalar."""
        return spread(self.builder, self.vector, scalar)

    def steps(self, first: Any, step: Any, count: int) -> list[Any]:
        """first, first + step, first + 2 step, ..."""
        positions = [first]
        for _ in range(count - 1):
            positions.append(self.builder.add(positions[-1], step))
        return positions

    def first(self, count: Any) -> Any:
        """A mask that lets the first `count` lanes through."""
        return first_lanes(self.builder, count, self.vector.count)

    def load(self, data: Any, position: Any, mask: Any = None) -> Any:
        """The vector at a position; zero where the mask does not let it through."""
        pointer = self._pointer(data, position)
        if mask is None:
            raw = self.builder.load(pointer, align=self.align)
        elif self.half:
            raw = self._load_narrow(pointer, mask)
        else:
            parts = [pointer, self._alignment(), mask, ir.Constant(self.stored, None)]
            raw = known(self.builder, f"llvm.masked.load.{self.name}", self.stored, parts)
        if not self.half:
            return raw
        wide = self.builder.fpext(self.builder.bitcast(raw, self._narrow()), self.vector)
        return self.fenced(wide)

    def store(self, value: Any, data: Any, position: Any, mask: Any = None) -> None:
        """Write a vector at a position, where the mask lets it through."""
        builder, pointer, kept = self.builder, self._pointer(data, position), self._kept(value, position)
        if mask is None:
            builder.store(kept, pointer, align=self.align)
        elif self.half:
            self._store_narrow(kept, builder.gep(data, [position]), mask)
        else:
            parts = [kept, pointer, self._alignment(), mask]
            known(builder, f"llvm.masked.store.{self.name}", ir.VoidType(), parts)

    def store_rest(self, value: Any, data: Any, position: Any, done: Any) -> None:
        """Write a vector at a position; lanes that are done are written as they are.

        The fence keeps LLVM from making a masked store of it, which takes some processors ten times as long.
        """
        builder, pointer = self.builder, self._pointer(data, position)
        before = builder.load(pointer, align=self.align)
        kept = builder.select(done, before, self._kept(value, position))
        builder.store(kept if self.half else self.fenced(kept), pointer, align=self.align)

    def _kept(self, value: Any, position: Any) -> Any:
        """What is stored of a vector."""
        if not self.half:
            return value
        rounded = value if self.salt is None else self._by_chance(value, position)
        return self.builder.bitcast(self.builder.fptrunc(rounded, self._narrow()), self.stored)

    def fenced(self, value: Any) -> Any:
        """The same vector, of which LLVM forgets where it comes from."""
        bits = 64 if isinstance(self.vector.element, ir.DoubleType) else 32
        return known(self.builder, f"llvm.arithmetic.fence.v{self.vector.count}f{bits}", self.vector, [value])

    def prefetch(self, data: Any, position: Any) -> None:
        """Ask for the line of the cache at a position, which is to be read and written soon."""
        line = self.builder.bitcast(self.builder.gep(data, [position]), ir.IntType(8).as_pointer())
        hints = [ir.Constant(ir.IntType(32), number) for number in (1, 2, 1)]
        known(self.builder, "llvm.prefetch.p0", ir.VoidType(), [line, *hints])

    def _pointer(self, data: Any, position: Any) -> Any:
        return self.builder.bitcast(self.builder.gep(data, [position]), self.stored.as_pointer())

    def _load_narrow(self, pointer: Any, mask: Any) -> Any:
        """The first lanes of 16 bits each, then zeros: what lies behind is read too, unless another page begins there.

        Few processors have masked loads and stores of 16 bits: without them every number gets a branch.
        """
        builder, nothing = self.builder, ir.Constant(self.stored, None)
        within = builder.and_(builder.ptrtoint(pointer, ir.IntType(64)), ir.Constant(ir.IntType(64), PAGE - 1))
        last = ir.Constant(within.type, PAGE - self.align * self.vector.count)
        bits = builder.bitcast(mask, ir.IntType(self.vector.count))
        every = builder.icmp_unsigned("==", bits, ir.Constant(bits.type, -1))
        safe = builder.or_(every, builder.icmp_unsigned("<=", within, last))
        with builder.if_else(safe) as (whole, some):
            with whole:
                raw = builder.select(mask, builder.load(pointer, align=self.align), nothing), builder.block
            with some:
                parts = [pointer, self._alignment(), mask, nothing]
                rare = known(builder, f"llvm.masked.load.{self.name}", self.stored, parts), builder.block
        found = builder.phi(self.stored)
        found.add_incoming(*raw)
        found.add_incoming(*rare)
        return found

    def _store_narrow(self, value: Any, data: Any, mask: Any) -> None:
        """Write the first lanes of 16 bits each, in pieces of 16, 8, 4, 2 and 1 of them."""
        builder, lanes, bits = self.builder, self.vector.count, ir.IntType(self.vector.count)
        count = known(builder, f"llvm.ctpop.{bits}", bits, [builder.bitcast(mask, bits)])
        size = lanes
        while size:
            there = builder.icmp_unsigned("!=", builder.and_(count, ir.Constant(bits, size)), ir.Constant(bits, 0))
            with builder.if_then(there):
                done = builder.zext(builder.and_(count, ir.Constant(bits, -2 * size)), ir.IntType(64))
                piece = shuffled(builder, value, range(size))
                builder.store(
                    piece, builder.bitcast(builder.gep(data, [done]), piece.type.as_pointer()), align=self.align
                )
            value = builder.select(there, shuffled(builder, value, [(k + size) % lanes for k in range(lanes)]), value)
            size //= 2

    def _alignment(self) -> Any:
        return ir.Constant(ir.IntType(32), self.align)

    def _narrow(self) -> Any:
        return ir.VectorType(ir.HalfType(), self.vector.count)

    def _by_chance(self, value: Any, position: Any) -> Any:
        """Numbers that fit 16 bits, rounded by chance."""
        builder, bits = self.builder, ir.VectorType(ir.IntType(32), self.vector.count)
        for sign, bound in ((">", self.LARGEST), ("<", -self.LARGEST)):
            limit = self.constant(bound)
            value = builder.select(builder.fcmp_ordered(sign, value, limit), limit, value)
        raw = builder.add(builder.bitcast(value, bits), self._noise(position))
        return builder.bitcast(builder.and_(raw, constant(bits, ~self.NOISE & 0xFFFFFFFF)), self.vector)

    def _noise(self, position: Any) -> Any:
        """A hash of position and salt, from lane to lane a step that spreads them evenly; in 13 bits."""
        builder, bits = self.builder, ir.VectorType(ir.IntType(32), self.vector.count)
        hashed = builder.xor(builder.trunc(position, ir.IntType(32)), self.salt)
        for shift, factor in ((16, 0x21F0AAAD), (15, 0x735A2D97)):
            mixed = builder.xor(hashed, builder.lshr(hashed, ir.Constant(hashed.type, shift)))
            hashed = builder.mul(mixed, ir.Constant(hashed.type, factor))
        order = ir.Constant(bits, [0x9E3779B1 * lane & 0xFFFFFFFF for lane in range(bits.count)])
        return builder.lshr(builder.add(spread(builder, bits, hashed), order), constant(bits, 19))
