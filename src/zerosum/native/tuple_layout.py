"""Tuples that kernels read in place: a kernel gets the address of a tuple's slots and reads a member where it uses it.

numba passes a tuple as all of its members: some hundred values for the tables of a spot, copied at every call, in a
function whose name spells out their types. An address is one value. The slots (`zerosum.native.signatures`) do not
change while a kernel runs. Loads are marked as invariant, so that LLVM reads each value once.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any, ClassVar

from llvmlite import ir
from numba.core import types
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import lower_builtin, models, register_model
from numba.np.arrayobj import make_array, populate_array

SLOT = ir.IntType(64)


class PackedTuple(types.Type):
    """A tuple in memory; each tuple type has a number, which is in its name."""

    numbers: ClassVar[dict[Any, int]] = {}

    def __init__(self, tuple_type: Any) -> None:
        self.members = tuple(pack_type(member) for member in tuple_type)
        self.names = getattr(tuple_type, "fields", ())
        super().__init__(f"Packed{self.numbers.setdefault(tuple_type, len(self.numbers))}")

    @property
    def size(self) -> int:
        """The number of slots."""
        return sum(map(count_slots, self.members))

    def offset(self, index: int) -> int:
        """Return the number of slots before a member."""
        return sum(map(count_slots, self.members[:index]))


def pack_type(argument_type: Any) -> Any:
    """Return the type that kernels see of an argument type."""
    return PackedTuple(argument_type) if isinstance(argument_type, types.BaseTuple) else argument_type


def count_slots(argument_type: Any) -> int:
    """Return the number of slots that an argument takes."""
    if isinstance(argument_type, PackedTuple):
        return argument_type.size
    if isinstance(argument_type, types.Array):
        return 1 + int(argument_type.ndim)
    return 0 if isinstance(argument_type, types.NoneType) else 1


@register_model(PackedTuple)
class PackedTupleModel(models.PrimitiveModel):
    """The address of the slots."""

    def __init__(self, manager: Any, tuple_type: PackedTuple) -> None:
        super().__init__(manager, tuple_type, SLOT.as_pointer())


def read_argument(context: Any, builder: Any, argument_type: Any, slots: Any) -> Any:
    """Return the argument of a type whose slots begin at an address."""
    if isinstance(argument_type, PackedTuple):
        return slots
    if isinstance(argument_type, types.NoneType):
        return context.get_dummy_value()
    first, *shape = _load_slots(builder, slots, count_slots(argument_type))
    if not isinstance(argument_type, types.Array):
        return builder.bitcast(first, context.get_value_type(argument_type))
    view = make_array(argument_type)(context, builder)
    itemsize = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(argument_type.dtype)))
    strides = [itemsize]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    data = builder.inttoptr(first, view.data.type)
    populate_array(view, data=data, shape=shape, strides=strides, itemsize=itemsize, meminfo=None)
    return view._getvalue()


def _load_slots(builder: Any, slots: Any, count: int) -> Iterator[Any]:
    """Load the first slots at an address, as values that nobody changes."""
    for position in range(count):
        value = builder.load(slot_address(builder, slots, position))
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
        yield value


def slot_address(builder: Any, slots: Any, count: int) -> Any:
    """Return the address a number of slots further on."""
    return builder.gep(slots, [ir.Constant(SLOT, count)])


@infer_getattr
class MemberByName(AttributeTemplate):
    """The type of `packed.name`."""

    key = PackedTuple

    def generic_resolve(self, packed: PackedTuple, name: str) -> Any:  # type: ignore[override]
        return packed.members[packed.names.index(name)] if name in packed.names else None


@lower_getattr_generic(PackedTuple)
def read_by_name(context: Any, builder: Any, packed: PackedTuple, slots: Any, name: str) -> Any:
    """Read `packed.name`."""
    index = packed.names.index(name)
    return read_argument(context, builder, packed.members[index], slot_address(builder, slots, packed.offset(index)))


@infer_global(operator.getitem)
class MemberByIndex(AbstractTemplate):
    """The type of `packed[index]`, where all members are of one type."""

    def generic(self, args: Any, kws: Any) -> Any:
        packed, index = args
        if isinstance(packed, PackedTuple) and isinstance(index, types.Integer) and len(set(packed.members)) == 1:
            return signature(packed.members[0], packed, types.intp)
        return None


@lower_builtin(operator.getitem, PackedTuple, types.intp)
def read_by_index(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Read `packed[index]`."""
    slots, index = arguments
    member = signature.return_type
    return read_argument(
        context, builder, member, builder.gep(slots, [builder.mul(index, ir.Constant(SLOT, count_slots(member)))])
    )
