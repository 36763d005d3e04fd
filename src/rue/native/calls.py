"""How one kernel calls another, which has object code of its own: by its address, as Python would."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

WORD = ir.IntType(64)


@intrinsic
def call(typing_context: Any, address: Any, arguments: Any) -> Any:
    """Call the kernel at an address with a tuple of arrays and whole numbers, made words (`rue.native.arguments`)."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        words = [ir.Constant(WORD, 0)]
        for kind, value in zip(arguments, cgutils.unpack_tuple(builder, given[1]), strict=True):
            if isinstance(kind, types.Array):
                array = make_array(kind)(context, builder, value=value)
                words += [builder.ptrtoint(array.data, WORD), *cgutils.unpack_tuple(builder, array.shape)]
            else:
                words.append(context.cast(builder, value, kind, types.int64))
        room, result, problem = (cgutils.alloca_once(builder, WORD, size) for size in (len(words), 1, 1))
        for k, word in enumerate(words):
            builder.store(word, builder.gep(room, [ir.Constant(WORD, k)]))
        pointers = [result, problem, room]
        kind = ir.FunctionType(ir.IntType(32), [pointer.type for pointer in pointers])
        builder.call(builder.inttoptr(given[0], kind.as_pointer()), pointers)
        return context.get_dummy_value()

    return types.void(types.int64, arguments), generate
