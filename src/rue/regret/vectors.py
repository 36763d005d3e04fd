"""Vectors in compiled code: LANES numbers as one value, with +, -, *, /, > and ==, a number on one side or none.

LLVM finds vectors in plain loops by itself; where the loops are too short, or more is to be kept in registers, they are
written. Positions count the numbers of an array in memory; nothing is checked.

What there is, with k from 0 to LANES - 1; `tests/test_intrinsics.py` compares each with its line:

    vector(array, x)                           x for each k
    where(mask, a, b)                          a[k] if mask[k] else b[k]
    most(a, b)                                 max(a[k], b[k])
    anywhere(mask)                             any(mask)
    lanes(count)                               k < count
    number(array, at)                          array[at]
    read(array, at, mask)                      array[at + k] if mask[k] else 0.0
    read_all(array, at)                        array[at + k]
    write(array, at, mask, v)                  array[at + k] = v[k] if mask[k] else array[at + k]
    write_all(array, at, v)                    array[at + k] = v[k]
    write_by_chance(array, at, mask, v, salt)  as write, but 16-bit floats are rounded up or down
    write_rest(array, at, done, v, salt)       array[at + k] = array[at + k] if done[k] else v[k], rounded likewise
    expect(array, at)                          pass

An array of 16-bit floats, which numba sees as whole numbers, is read as 32-bit floats. With it a mask must let the
first lanes through and no others.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, lower_cast, models, register_model
from numba.np.arrayobj import make_array

from rue.regret.access import CONTRACT, LANES, Access, first_lanes, is_half, known, spread, worked


class Vector(types.Type):  # type: ignore[misc]
    """LANES numbers of one kind."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f"Vector({dtype})")


class Mask(types.Type):  # type: ignore[misc]
    """LANES times yes or no."""

    def __init__(self) -> None:
        super().__init__(name="Mask")


MASK = Mask()


@register_model(Vector)
class VectorModel(models.PrimitiveModel):  # type: ignore[misc]
    """A vector is a vector of LLVM."""

    def __init__(self, manager: Any, kind: Vector) -> None:
        number = manager.lookup(kind.dtype).get_value_type()
        super().__init__(manager, kind, ir.VectorType(number, LANES))


@register_model(Mask)
class MaskModel(models.PrimitiveModel):  # type: ignore[misc]
    """A mask is a vector of bits."""

    def __init__(self, manager: Any, kind: Mask) -> None:
        super().__init__(manager, kind, ir.VectorType(ir.IntType(1), LANES))


@lower_cast(types.Number, Vector)  # type: ignore[untyped-decorator]
def spread_number(context: Any, builder: Any, number: Any, kind: Any, value: Any) -> Any:
    """A number where a vector is wanted."""
    return spread(builder, context.get_value_type(kind), context.cast(builder, value, number, kind.dtype))


def _define(operation: Any, result: Any, instruction: Any) -> None:
    """Teach numba an operation of two vectors, or of a vector and a number."""

    @infer_global(operation)  # type: ignore[untyped-decorator]
    class Template(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Any, kws: Any) -> Any:
            vectors = [kind for kind in args if isinstance(kind, Vector)]
            if len(args) != 2 or not vectors or not all(isinstance(kind, Vector | types.Number) for kind in args):
                return None
            return signature(result or vectors[0], vectors[0], vectors[0])

    @lower_builtin(operation, Vector, Vector)  # type: ignore[untyped-decorator]
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return instruction(builder, *arguments)


_define(operator.add, None, lambda builder, one, two: builder.fadd(one, two, flags=CONTRACT))
_define(operator.sub, None, lambda builder, one, two: builder.fsub(one, two, flags=CONTRACT))
_define(operator.mul, None, lambda builder, one, two: builder.fmul(one, two, flags=CONTRACT))
_define(operator.truediv, None, lambda builder, one, two: builder.fdiv(one, two))
_define(operator.gt, MASK, lambda builder, one, two: builder.fcmp_ordered(">", one, two))
_define(operator.eq, MASK, lambda builder, one, two: builder.fcmp_ordered("==", one, two))


@intrinsic
def vector(typing_context: Any, array: Any, number: Any) -> Any:
    """A vector of one number, of the kind that an array's numbers are worked with."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.cast(builder, arguments[1], number, signature.return_type)

    return Vector(worked(array))(array, number), generate


@intrinsic
def where(typing_context: Any, mask: Any, one: Any, two: Any) -> Any:
    """In each lane `one` if the mask says yes, else `two`; one of them may be a number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pair = [context.cast(builder, arguments[k], signature.args[k], kind) for k in (1, 2)]
        return builder.select(arguments[0], *pair)

    kind = one if isinstance(one, Vector) else two
    return kind(mask, one, two), generate


@intrinsic
def most(typing_context: Any, one: Any, two: Any) -> Any:
    """In each lane the larger of two numbers, neither of which is NaN; the second of them may be a number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pair = [arguments[0], context.cast(builder, arguments[1], two, one)]
        name = f"llvm.maxnum.v{LANES}f{one.dtype.bitwidth}"
        return known(builder, name, pair[0].type, pair, ("nnan", "nsz"))

    return one(one, two), generate


@intrinsic
def anywhere(typing_context: Any, mask: Any) -> Any:
    """Whether any lane says yes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits = builder.bitcast(arguments[0], ir.IntType(LANES))
        return builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))

    return types.boolean(mask), generate


@intrinsic
def lanes(typing_context: Any, count: Any) -> Any:
    """A mask that says yes in the first `count` lanes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return first_lanes(builder, arguments[0], LANES)

    return MASK(types.intp), generate


@intrinsic
def number(typing_context: Any, array: Any, position: Any) -> Any:
    """The number at a position of an array, of the kind that its numbers are worked with."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = make_array(array)(context, builder, value=arguments[0]).data
        found = builder.load(builder.gep(data, [arguments[1]]))
        return builder.fpext(builder.bitcast(found, ir.HalfType()), ir.FloatType()) if is_half(array) else found

    return worked(array)(array, types.intp), generate


@intrinsic
def read(typing_context: Any, array: Any, position: Any, mask: Any) -> Any:
    """The vector at a position of an array; zero where the mask says no."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        access = Access(context, builder, array)
        return access.load(access.data(array, arguments[0]), *arguments[1:])

    return Vector(worked(array))(array, types.intp, mask), generate


@intrinsic
def read_all(typing_context: Any, array: Any, position: Any) -> Any:
    """The vector at a position of an array, in all lanes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        access = Access(context, builder, array)
        return access.load(access.data(array, arguments[0]), arguments[1])

    return Vector(worked(array))(array, types.intp), generate


@intrinsic
def write(typing_context: Any, array: Any, position: Any, mask: Any, value: Any) -> Any:
    """Write a vector at a position of an array, where the mask says yes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        access = Access(context, builder, array)
        access.store(arguments[3], access.data(array, arguments[0]), *arguments[1:3])
        return context.get_dummy_value()

    return types.void(array, types.intp, mask, value), generate


@intrinsic
def write_all(typing_context: Any, array: Any, position: Any, value: Any) -> Any:
    """Write a vector at a position of an array, in all lanes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        access = Access(context, builder, array)
        access.store(arguments[2], access.data(array, arguments[0]), arguments[1])
        return context.get_dummy_value()

    return types.void(array, types.intp, value), generate


def _rounded(store: Any, array: Any, mask: Any, value: Any) -> Any:
    """What numba is told of a store with a mask that rounds 16-bit floats by chance."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        access = Access(context, builder, array, LANES, arguments[4])
        store(access, arguments[3], access.data(array, arguments[0]), *arguments[1:3])
        return context.get_dummy_value()

    return types.void(array, types.intp, mask, value, types.int32), generate


@intrinsic
def write_by_chance(typing_context: Any, array: Any, position: Any, mask: Any, value: Any, salt: Any) -> Any:
    """Write a vector at a position of an array, where the mask says yes; 16-bit floats are rounded by chance."""
    return _rounded(Access.store, array, mask, value)


@intrinsic
def write_rest(typing_context: Any, array: Any, position: Any, done: Any, value: Any, salt: Any) -> Any:
    """Write a vector at a position of an array; lanes that are done are written as they are."""
    return _rounded(Access.store_rest, array, done, value)


@intrinsic
def expect(typing_context: Any, array: Any, position: Any) -> Any:
    """Ask for the line of the cache at a position of an array, which is to be read and written soon."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        access = Access(context, builder, array)
        access.prefetch(access.data(array, arguments[0]), arguments[1])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate
