"""Vectors inside kernels: LANES numbers as one value, with +, -, *, /, > and ==, a number on one side or none.

LLVM turns plain loops into vector code by itself. Vectors are written out where the loops are too short for that, or
where more values should stay in registers. In the docstrings, k is a lane, from 0 to LANES - 1. Positions count the
elements of an array in memory; nothing is checked.

An array of 16-bit floats, which numba sees as unsigned integers, is read as 32-bit floats. A mask for it must select
the first lanes and no others.
"""

from __future__ import annotations

from typing import Any

from zerosum.engine.updates.vector_memory import LANES as LANES
from zerosum.engine.updates.vector_memory import VectorMemory, call_intrinsic, compute_type, is_half, mask_first_lanes
from zerosum.native.decorators import intrinsic
from zerosum.native.numba_api import arrayobj, ir, register_type_module, types

vector_types = register_type_module("zerosum.engine.updates.vector_types")
Vector = Any
"""In annotations: LANES numbers."""
Mask = Any
"""In annotations: LANES booleans."""


@intrinsic
def vector(typing_context: Any, array: Any, number: Any) -> Any:
    """Return a number for each k, in the type that an array is computed with."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.cast(builder, arguments[1], number, signature.return_type)

    return vector_types.Vector(compute_type(array))(array, number), generate


@intrinsic
def where(typing_context: Any, mask: Any, a: Any, b: Any) -> Any:
    """Return a[k] if mask[k] else b[k]; one of `a` and `b` may be a number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pair = [context.cast(builder, arguments[k], signature.args[k], result) for k in (1, 2)]
        return builder.select(arguments[0], *pair)

    result = a if isinstance(a, vector_types.Vector) else b
    return result(mask, a, b), generate


@intrinsic
def maximum(typing_context: Any, a: Any, b: Any) -> Any:
    """Return max(a[k], b[k]), neither of which is NaN; `b` may be a number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pair = [arguments[0], context.cast(builder, arguments[1], b, a)]
        name = f"llvm.maxnum.v{LANES}f{a.dtype.bitwidth}"
        return call_intrinsic(builder, name, pair[0].type, pair, ("nnan", "nsz"))

    return a(a, b), generate


@intrinsic
def any_lane(typing_context: Any, mask: Any) -> Any:
    """Return any(mask)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits = builder.bitcast(arguments[0], ir.IntType(LANES))
        return builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))

    return types.boolean(mask), generate


@intrinsic
def first_lanes(typing_context: Any, count: Any) -> Any:
    """Return k < count: a mask that is true in the first `count` lanes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return mask_first_lanes(builder, arguments[0], LANES)

    return vector_types.MASK(types.intp), generate


@intrinsic
def read_scalar(typing_context: Any, array: Any, position: Any) -> Any:
    """Return array[position], in the type that the array is computed with."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = arrayobj.make_array(array)(context, builder, value=arguments[0]).data
        item = builder.load(builder.gep(data, [arguments[1]]))
        return builder.fpext(builder.bitcast(item, ir.HalfType()), ir.FloatType()) if is_half(array) else item

    return compute_type(array)(array, types.intp), generate


def _make_memory_access(array: Any, access: Any) -> Any:
    """Return the code of an intrinsic whose first argument is an array.

    `access` gets the memory, the address of the array, and the other arguments.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        memory = VectorMemory(context, builder, array)
        result = access(memory, memory.get_address(array, arguments[0]), *arguments[1:])
        return context.get_dummy_value() if result is None else result

    return generate


@intrinsic
def read(typing_context: Any, array: Any, position: Any, mask: Any) -> Any:
    """Return array[position + k] if mask[k] else 0.0."""
    result = vector_types.Vector(compute_type(array))
    return result(array, types.intp, mask), _make_memory_access(array, VectorMemory.load)


@intrinsic
def read_full(typing_context: Any, array: Any, position: Any) -> Any:
    """Return array[position + k]."""
    return vector_types.Vector(compute_type(array))(array, types.intp), _make_memory_access(array, VectorMemory.load)


@intrinsic
def write(typing_context: Any, array: Any, position: Any, mask: Any, value: Any) -> Any:
    """Set array[position + k] = value[k] if mask[k]."""
    return types.void(array, types.intp, mask, value), _make_memory_access(array, VectorMemory.store_masked)


@intrinsic
def write_full(typing_context: Any, array: Any, position: Any, value: Any) -> Any:
    """Set array[position + k] = value[k]."""
    return types.void(array, types.intp, value), _make_memory_access(array, VectorMemory.store)


@intrinsic
def write_rounded(typing_context: Any, array: Any, position: Any, mask: Any, value: Any, salt: Any) -> Any:
    """Set array[position + k] = value[k] if mask[k]; 16-bit floats are rounded stochastically."""
    return types.void(array, types.intp, mask, value, types.int32), _make_memory_access(
        array, VectorMemory.store_masked
    )


@intrinsic
def write_unless(typing_context: Any, array: Any, position: Any, done: Any, value: Any, salt: Any) -> Any:
    """Set array[position + k] = value[k] unless done[k]; 16-bit floats are rounded stochastically."""
    return types.void(array, types.intp, done, value, types.int32), _make_memory_access(
        array, VectorMemory.store_unless
    )


@intrinsic
def prefetch(typing_context: Any, array: Any, position: Any) -> Any:
    """Ask for the cache line of array[position], which will be read and written soon."""
    return types.void(array, types.intp), _make_memory_access(array, VectorMemory.prefetch)
