"""Tuples that stay where they are: kernels get the address of a tuple's words, and read a member where they use it.

numba passes a tuple as all that is in it: some hundred values for the tables of a spot, copied at every call, with a
name that spells them out. An address is one value. The words (`rue.native.arguments`) do not change while a kernel
runs, and the compiler is told so: what is read once need not be read again.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import lower_builtin, models, register_model
from numba.np.arrayobj import make_array, populate_array

WORD = ir.IntType(64)


class Packed(types.Type):  # type: ignore[misc]
    """A tuple in memory, told apart from others by a number."""

    known: dict[Any, int] = {}  # noqa: RUF012

    def __init__(self, tuple_of: Any) -> None:
        self.members = tuple(packed(member) for member in tuple_of)
        self.names = getattr(tuple_of, "fields", ())
        super().__init__(f"Packed{self.known.setdefault(tuple_of, len(self.known))}")

    @property
    def size(self) -> int:
        """How many words it takes."""
        return sum(map(size_of, self.members))

    def before(self, index: int) -> int:
        """How many words come before a member."""
        return sum(map(size_of, self.members[:index]))


def packed(kind: Any) -> Any:
    """The type by which kernels see an argument of a type."""
    return Packed(kind) if isinstance(kind, types.BaseTuple) else kind


def size_of(kind: Any) -> int:
    """How many words an argument takes."""
    if isinstance(kind, Packed):
        return kind.size
    if isinstance(kind, types.Array):
        return 1 + int(kind.ndim)
    return 0 if isinstance(kind, types.NoneType) else 1


@register_model(Packed)
class PackedModel(models.PrimitiveModel):  # type: ignore[misc]
    """The address of its words."""

    def __init__(self, manager: Any, kind: Packed) -> None:
        super().__init__(manager, kind, WORD.as_pointer())


def read(context: Any, builder: Any, kind: Any, words: Any) -> Any:
    """The argument of a type whose words begin at an address."""
    if isinstance(kind, Packed):
        return words
    if isinstance(kind, types.NoneType):
        return context.get_dummy_value()
    first, *shape = _loaded(builder, words, size_of(kind))
    if not isinstance(kind, types.Array):
        return builder.bitcast(first, context.get_value_type(kind))
    view = make_array(kind)(context, builder)
    size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    strides = [size]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    data = builder.inttoptr(first, view.data.type)
    populate_array(view, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None)
    return view._getvalue()


def _loaded(builder: Any, words: Any, count: int) -> Iterator[Any]:
    """So many words, which nobody changes."""
    for position in range(count):
        word = builder.load(after(builder, words, position))
        word.set_metadata("invariant.load", builder.module.add_metadata([]))
        yield word


def after(builder: Any, words: Any, count: int) -> Any:
    """The address so many words further on."""
    return builder.gep(words, [ir.Constant(WORD, count)])


@infer_getattr
class Member(AttributeTemplate):  # type: ignore[misc]
    """A member by its name."""

    key = Packed

    def generic_resolve(self, tuple_of: Packed, name: str) -> Any:
        return tuple_of.members[tuple_of.names.index(name)] if name in tuple_of.names else None


@lower_getattr_generic(Packed)  # type: ignore[untyped-decorator]
def read_member(context: Any, builder: Any, tuple_of: Packed, words: Any, name: str) -> Any:
    """What `packed.name` is."""
    index = tuple_of.names.index(name)
    return read(context, builder, tuple_of.members[index], after(builder, words, tuple_of.before(index)))


@infer_global(operator.getitem)
class Numbered(AbstractTemplate):  # type: ignore[misc]
    """A member by its number, where all are of one type."""

    def generic(self, args: Any, kws: Any) -> Any:
        tuple_of, index = args
        if isinstance(tuple_of, Packed) and isinstance(index, types.Integer) and len(set(tuple_of.members)) == 1:
            return signature(tuple_of.members[0], tuple_of, types.intp)
        return None


@lower_builtin(operator.getitem, Packed, types.intp)  # type: ignore[untyped-decorator]
def read_numbered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """What `packed[index]` is."""
    words, index = arguments
    kind = signature.return_type
    return read(context, builder, kind, builder.gep(words, [builder.mul(index, ir.Constant(WORD, size_of(kind)))]))
