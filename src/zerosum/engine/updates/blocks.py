"""Unchecked views of parts of arrays: kernels take arrays block by block."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.native.decorators import intrinsic
from zerosum.native.numba_api import arrayobj, types

Row = NDArray[Any]
"""In annotations: a contiguous array of one axis."""
Block = NDArray[Any]
"""In annotations: an (A, W) array, A actions of W infosets side by side, W contiguous."""
Numbers = NDArray[Any]
"""In annotations: an array of any shape, whose elements a kernel counts in memory order."""
Integers = NDArray[np.int64]
"""In annotations: an array of int64."""
Index = Any
"""In annotations: an integer, Python's or numpy's, which mypy does not unite."""


@intrinsic
def block(typing_context: Any, array: Any, first: Any, actions: Any, width: Any) -> Any:
    """Return array.ravel()[first : first + actions * width].reshape(actions, width), unchecked."""
    result = types.Array(array.dtype, 2, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source = arrayobj.make_array(signature.args[0])(context, builder, value=arguments[0])
        view = arrayobj.make_array(result)(context, builder)
        size = context.get_constant(types.intp, context.get_abi_sizeof(source.data.type.pointee))
        arrayobj.populate_array(
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
def read_unchecked(typing_context: Any, array: Any, index: Any) -> Any:
    """Return array.ravel()[index], unchecked; a negative index does not count from the end."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source = arrayobj.make_array(signature.args[0])(context, builder, value=arguments[0])
        item = builder.load(builder.gep(source.data, [arguments[1]]))
        return context.cast(builder, item, array.dtype, signature.return_type)

    return (types.intp if isinstance(array.dtype, types.Integer) else array.dtype)(array, types.intp), generate
