"""The numba types of vectors and masks, and their operators: +, -, *, /, > and ==, a number on one side or none.

Importing this module registers them, so it is imported only where numba compiles.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, lower_cast, models, register_model

from zerosum.engine.updates.vector_memory import CONTRACT, LANES, broadcast_scalar


class Vector(types.Type):
    """LANES numbers of one dtype."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f"Vector({dtype})")


class Mask(types.Type):
    """LANES booleans."""

    def __init__(self) -> None:
        super().__init__(name="Mask")


MASK = Mask()


@register_model(Vector)
class VectorModel(models.PrimitiveModel):
    """How LLVM holds a vector: as a vector of numbers."""

    def __init__(self, manager: Any, kind: Vector) -> None:
        number = manager.lookup(kind.dtype).get_value_type()
        super().__init__(manager, kind, ir.VectorType(number, LANES))


@register_model(Mask)
class MaskModel(models.PrimitiveModel):
    """How LLVM holds a mask: as a vector of bits."""

    def __init__(self, manager: Any, kind: Mask) -> None:
        super().__init__(manager, kind, ir.VectorType(ir.IntType(1), LANES))


@lower_cast(types.Number, Vector)
def spread_number(context: Any, builder: Any, number: Any, kind: Any, value: Any) -> Any:
    """Spread a number over all lanes."""
    return broadcast_scalar(builder, context.get_value_type(kind), context.cast(builder, value, number, kind.dtype))


def _register_operator(operation: Any, result: Any, instruction: Any) -> None:
    """Register an operation of two vectors, or of a vector and a number."""

    @infer_global(operation)
    class Template(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            vectors = [kind for kind in args if isinstance(kind, Vector)]
            if len(args) != 2 or not vectors or not all(isinstance(kind, Vector | types.Number) for kind in args):
                return None
            return signature(result or vectors[0], vectors[0], vectors[0])

    @lower_builtin(operation, Vector, Vector)
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return instruction(builder, *arguments)


_register_operator(operator.add, None, lambda builder, a, b: builder.fadd(a, b, flags=CONTRACT))
_register_operator(operator.sub, None, lambda builder, a, b: builder.fsub(a, b, flags=CONTRACT))
_register_operator(operator.mul, None, lambda builder, a, b: builder.fmul(a, b, flags=CONTRACT))
_register_operator(operator.truediv, None, lambda builder, a, b: builder.fdiv(a, b))
_register_operator(operator.gt, MASK, lambda builder, a, b: builder.fcmp_ordered(">", a, b))
_register_operator(operator.eq, MASK, lambda builder, a, b: builder.fcmp_ordered("==", a, b))
