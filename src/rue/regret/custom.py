"""The call of a user's own rule: the kernels know no more of it than its address, so it is compiled apart from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import njit
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from rue.native.compiled import OPTIONS

RULE_OPTIONS = {name: OPTIONS[name] for name in ("error_model", "fastmath", "nogil")}
"""A rule of one's own may take memory: it runs where numba is."""


def own(function: Callable[..., Any]) -> Any:
    """The rule itself, compiled into the function that kernels call."""
    return njit(forceinline=True, **RULE_OPTIONS)(function)


def call_signature(number: Any) -> Any:
    """t, where `instant`, `regret`, `strategy` and `memory` begin, the actions, the infosets, the rows of `memory`."""
    return types.void(number, *[types.CPointer(number)] * 4, *[types.intp] * 3)


@intrinsic
def custom(typing_context: Any, address: Any, t: Any, instant: Any, regret: Any, strategy: Any, memory: Any) -> Any:
    """Learn at a block of infosets with the rule at an address, which has the `call_signature`.

    `instant`, `regret` and `strategy` are (A, W) arrays, `memory` is a (K A, W) array, K being what the rule asked
    for. `strategy` holds the old strategy on entry.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args[2:]
        arrays = [make_array(kind)(context, builder, value=v) for kind, v in zip(kinds, arguments[2:], strict=True)]
        shape, (rows, _) = (cgutils.unpack_tuple(builder, array.shape) for array in arrays[1::2])
        given = [arguments[1], *(array.data for array in arrays), *shape, rows]
        kind = ir.FunctionType(ir.VoidType(), [value.type for value in given])
        builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), given)
        return context.get_dummy_value()

    return types.void(types.int64, regret.dtype, instant, regret, strategy, memory), generate
