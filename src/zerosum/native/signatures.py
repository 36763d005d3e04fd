"""Argument types as text and arguments as 64-bit slots.

A kernel takes arrays, integers, floats, None, and tuples of these, named or not. An array becomes the address of its
first element and its shape, a number becomes itself, a tuple becomes the slots of its members, None takes no slot.

    text    type
    <f4:2   a contiguous array of two axes whose dtype numpy calls <f4
    i d n   an integer, a 64-bit float, None
    (..)    a tuple; a named tuple has its class before the bracket: zerosum.algorithms.kernel_rule:Rule(i,i)
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

SEPARATOR = ","


def format_signature(value: Any) -> str:
    """Return the type of an argument as text.

    >>> format_signature((np.zeros((2, 3)), 1, (0.5, None)))
    '(<f8:2,i,(d,n))'
    """
    if isinstance(value, np.ndarray):
        if not (value.flags.c_contiguous and value.flags.aligned):
            raise TypeError("kernels take contiguous, aligned arrays: copy it with numpy.ascontiguousarray")
        return f"{value.dtype.str}:{value.ndim}"
    if isinstance(value, tuple):
        class_name = f"{type(value).__module__}:{type(value).__name__}" if type(value) is not tuple else ""
        return f"{class_name}({SEPARATOR.join(map(format_signature, value))})"
    if value is None:
        return "n"
    if isinstance(value, float):
        return "d"
    if isinstance(value, int | np.integer | np.bool_):
        return "i"
    raise TypeError(f"kernels take arrays, numbers and tuples of them, not {type(value).__name__}")


def pack_slots(value: Any) -> Iterator[int]:
    """Yield the slots of an argument.

    >>> list(pack_slots((3, (True, None), -1)))
    [3, 1, -1]
    """
    if isinstance(value, np.ndarray):
        yield value.__array_interface__["data"][0]
        yield from value.shape
    elif isinstance(value, tuple):
        for member in value:
            yield from pack_slots(member)
    elif isinstance(value, float):
        yield struct.unpack("<q", struct.pack("<d", value))[0]
    elif value is not None:
        yield int(value)
