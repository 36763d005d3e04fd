"""Views of parts of arrays, and numbers in them, without a check: what kernels take block by block."""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array


@intrinsic
def block(typing_context: Any, array: Any, first: Any, actions: Any, width: Any) -> Any:
    """array[first : first + actions * width].reshape(actions, width), without a check."""
    result = types.Array(array.dtype, 2, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source = make_array(signature.args[0])(context, builder, value=arguments[0])
        view = make_array(result)(context, builder)
        size = context.get_constant(types.intp, context.get_abi_sizeof(source.data.type.pointee))
        populate_array(
            view,
            data=builder.gep(source.data, [arguments[1]]),
            shape=[arguments[2], arguments[3]],
            strides=[builder.mul(arguments[3], size), size],
            itemsize=size,
            meminfo=None,
        )
        return view._getvalue()

    return result(array, types.intp, types.intp, types.intp), generate


@intrinsic
def unchecked(typing_context: Any, array: Any, position: Any) -> Any:
    """array.ravel()[position] of a contiguous array; a negative position is not counted from the end."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source = make_array(signature.args[0])(context, builder, value=arguments[0])
        number = builder.load(builder.gep(source.data, [arguments[1]]))
        return context.cast(builder, number, array.dtype, signature.return_type)

    return (types.intp if isinstance(array.dtype, types.Integer) else array.dtype)(array, types.intp), generate
