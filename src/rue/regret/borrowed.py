"""Arrays and views without reference counting, for kernels whose caller keeps the arrays alive.

A kernel that takes small views of large arrays block by block would spend most of its time counting references.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array


@intrinsic
def borrowed(typing_context: Any, value: Any) -> Any:
    """The same array without an owner; of a tuple, which may hold tuples, all the arrays in it."""

    def disowned(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, types.BaseTuple):
            parts = enumerate(kind)
            fields = [disowned(context, builder, part, builder.extract_value(value, k)) for k, part in parts]
            return context.make_tuple(builder, kind, fields)
        if not isinstance(kind, types.Array):
            return value
        view = make_array(kind)(context, builder, value=value)
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return disowned(context, builder, value, arguments[0])

    return value(value), generate


@intrinsic
def block(typing_context: Any, array: Any, first: Any, actions: Any, width: Any) -> Any:
    """array[first : first + actions * width].reshape(actions, width), without an owner and without a check."""
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
