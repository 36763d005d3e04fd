"""Vectors inside kernels: LANES numbers as one value, with +, -, *, /, > and ==, a number on one side or none.

LLVM turns plain loops into vector code by itself. Vectors are written out where the loops are too short for that, or
where more values should stay in registers. Positions count the elements of an array in memory; nothing is checked.

With k from 0 to LANES - 1; `tests/test_intrinsics.py` compares each function with its line:

    vector(array, x)                         x for each k
    where(mask, a, b)                        a[k] if mask[k] else b[k]
    maximum(a, b)                            max(a[k], b[k])
    any_lane(mask)                           any(mask)
    first_lanes(count)                       k < count
    read_scalar(array, at)                   array[at]
    read(array, at, mask)                    array[at + k] if mask[k] else 0.0
    read_full(array, at)                     array[at + k]
    write(array, at, mask, v)                array[at + k] = v[k] if mask[k] else array[at + k]
    write_full(array, at, v)                 array[at + k] = v[k]
    write_rounded(array, at, mask, v, salt)  as write, but 16-bit floats are rounded stochastically
    write_unless(array, at, done, v, salt)   array[at + k] = array[at + k] if done[k] else v[k], rounded likewise
    prefetch(array, at)                      pass

An array of 16-bit floats, which numba sees as unsigned integers, is read as 32-bit floats. A mask for it must select
the first lanes and no others.
"""

from __future__ import annotations

from typing import Any

from zerosum.engine.updates.vector_memory import LANES as LANES
from zerosum.engine.updates.vector_memory import VectorMemory, call_intrinsic, compute_type, is_half, mask_first_lanes
from zerosum.native.decorators import intrinsic
from zerosum.native.numba_api import arrayobj, ir, type_module, types

vector_types = type_module("zerosum.engine.updates.vector_types")
Vector = Any
"""In annotations: LANES numbers."""
Mask = Any
"""In annotations: LANES booleans."""


@intrinsic
def vector(typing_context: Any, array: Any, number: Any) -> Any:
    """Return a number in all lanes, in the type that an array is computed with."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.cast(builder, arguments[1], number, signature.return_type)

    return vector_types.Vector(compute_type(array))(array, number), generate


@intrinsic
def where(typing_context: Any, mask: Any, a: Any, b: Any) -> Any:
    """Return `a` where the mask is true and `b` elsewhere; one of them may be a number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pair = [context.cast(builder, arguments[k], signature.args[k], result) for k in (1, 2)]
        return builder.select(arguments[0], *pair)

    result = a if isinstance(a, vector_types.Vector) else b
    return result(mask, a, b), generate


@intrinsic
def maximum(typing_context: Any, a: Any, b: Any) -> Any:
    """Return the larger number in each lane, neither of which is NaN; `b` may be a number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pair = [arguments[0], context.cast(builder, arguments[1], b, a)]
        name = f"llvm.maxnum.v{LANES}f{a.dtype.bitwidth}"
        return call_intrinsic(builder, name, pair[0].type, pair, ("nnan", "nsz"))

    return a(a, b), generate


@intrinsic
def any_lane(typing_context: Any, mask: Any) -> Any:
    """Return whether any lane is true."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits = builder.bitcast(arguments[0], ir.IntType(LANES))
        return builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))

    return types.boolean(mask), generate


@intrinsic
def first_lanes(typing_context: Any, count: Any) -> Any:
    """Return a mask that is true in the first `count` lanes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return mask_first_lanes(builder, arguments[0], LANES)

    return vector_types.MASK(types.intp), generate


@intrinsic
def read_scalar(typing_context: Any, array: Any, position: Any) -> Any:
    """Return the number at a position of an array, in the type that the array is computed with."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = arrayobj.make_array(array)(context, builder, value=arguments[0]).data
        item = builder.load(builder.gep(data, [arguments[1]]))
        return builder.fpext(builder.bitcast(item, ir.HalfType()), ir.FloatType()) if is_half(array) else item

    return compute_type(array)(array, types.intp), generate


def _memory_code(array: Any, access: Any) -> Any:
    """Return the code of an intrinsic whose first argument is an array.

    `access` gets the memory, the address of the array, and the other arguments.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        memory = VectorMemory(context, builder, array)
        result = access(memory, memory.data(array, arguments[0]), *arguments[1:])
        return context.get_dummy_value() if result is None else result

    return generate


@intrinsic
def read(typing_context: Any, array: Any, position: Any, mask: Any) -> Any:
    """Return the vector at a position of an array, zero where the mask is false."""
    result = vector_types.Vector(compute_type(array))
    return result(array, types.intp, mask), _memory_code(array, VectorMemory.load)


@intrinsic
def read_full(typing_context: Any, array: Any, position: Any) -> Any:
    """Return the vector at a position of an array."""
    return vector_types.Vector(compute_type(array))(array, types.intp), _memory_code(array, VectorMemory.load)


@intrinsic
def write(typing_context: Any, array: Any, position: Any, mask: Any, value: Any) -> Any:
    """Write a vector at a position of an array, where the mask is true."""
    return types.void(array, types.intp, mask, value), _memory_code(array, VectorMemory.store_masked)


@intrinsic
def write_full(typing_context: Any, array: Any, position: Any, value: Any) -> Any:
    """Write a vector at a position of an array."""
    return types.void(array, types.intp, value), _memory_code(array, VectorMemory.store)


@intrinsic
def write_rounded(typing_context: Any, array: Any, position: Any, mask: Any, value: Any, salt: Any) -> Any:
    """Write a vector at a position of an array, where the mask is true; round 16-bit floats stochastically."""
    return types.void(array, types.intp, mask, value, types.int32), _memory_code(array, VectorMemory.store_masked)


@intrinsic
def write_unless(typing_context: Any, array: Any, position: Any, done: Any, value: Any, salt: Any) -> Any:
    """Write a vector at a position of an array; lanes where `done` is true keep their contents."""
    return types.void(array, types.intp, done, value, types.int32), _memory_code(array, VectorMemory.store_unless)


@intrinsic
def prefetch(typing_context: Any, array: Any, position: Any) -> Any:
    """Ask for the cache line at a position of an array, which will be read and written soon."""
    return types.void(array, types.intp), _memory_code(array, VectorMemory.prefetch)
