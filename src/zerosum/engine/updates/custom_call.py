"""Calling a user-defined rule from a kernel, which knows only its address, so that the two are compiled separately."""

from __future__ import annotations

from typing import Any

from zerosum.native.decorators import OPTIONS, intrinsic
from zerosum.native.numba_api import arrayobj, cgutils, ir, types

RULE_OPTIONS = {name: OPTIONS[name] for name in ("error_model", "fastmath", "nogil")}
"""A user-defined rule may allocate memory: it runs where numba is loaded."""


@intrinsic
def call_custom_rule(
    typing_context: Any, address: Any, t: Any, instant: Any, regret: Any, strategy: Any, memory: Any
) -> Any:
    """Update a block of infosets with the rule at an address (`zerosum.engine.updates.custom_rule.rule_signature`).

    `instant`, `regret` and `strategy` are (A, W) arrays, `memory` is a (K A, W) array, where K is the number of arrays
    that the rule asked for. `strategy` holds the old strategy on entry and the new one afterwards.
    """

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        array_types = signature.args[2:]
        arrays = [
            arrayobj.make_array(array_type)(context, builder, value=value)
            for array_type, value in zip(array_types, values[2:], strict=True)
        ]
        shape, (rows, _) = (cgutils.unpack_tuple(builder, array.shape) for array in arrays[1::2])
        arguments = [values[1], *(array.data for array in arrays), *shape, rows]
        function = ir.FunctionType(ir.VoidType(), [argument.type for argument in arguments])
        builder.call(builder.inttoptr(values[0], function.as_pointer()), arguments)
        return context.get_dummy_value()

    return types.void(types.int64, regret.dtype, instant, regret, strategy, memory), generate
