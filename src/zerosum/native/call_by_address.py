"""How one kernel calls another that was compiled separately: by its address, as Python does."""

from __future__ import annotations

from typing import Any

from zerosum.native.decorators import intrinsic
from zerosum.native.numba_api import arrayobj, cgutils, ir, types


@intrinsic
def call_kernel(typing_context: Any, address: Any, arguments: Any) -> Any:
    """Call the kernel at an address (int64) with a tuple of arrays and integers, packed into slots
    (`zerosum.native.signatures`)."""
    slot = ir.IntType(64)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        slots = [ir.Constant(slot, 0)]
        for argument, value in zip(arguments, cgutils.unpack_tuple(builder, values[1]), strict=True):
            if isinstance(argument, types.Array):
                array = arrayobj.make_array(argument)(context, builder, value=value)
                slots += [builder.ptrtoint(array.data, slot), *cgutils.unpack_tuple(builder, array.shape)]
            else:
                slots.append(context.cast(builder, value, argument, types.int64))
        packed, result, status = (cgutils.alloca_once(builder, slot, size) for size in (len(slots), 1, 1))
        for k, value in enumerate(slots):
            builder.store(value, builder.gep(packed, [ir.Constant(slot, k)]))
        pointers = [result, status, packed]
        function = ir.FunctionType(ir.IntType(32), [pointer.type for pointer in pointers])
        builder.call(builder.inttoptr(values[0], function.as_pointer()), pointers)
        return context.get_dummy_value()

    return types.void(types.int64, arguments), generate
