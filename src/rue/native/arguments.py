"""The arguments of a kernel as a row of 64-bit words, and their kinds as a text.

A kernel takes arrays, whole numbers, floats, None, and tuples of these, named or not. An array becomes the address of
its first number and its shape, a number itself, a tuple what is in it.

    kind    what
    <f4:2   an array of two axes, of the numbers that numpy calls <f4, one after the other
    i d n   a whole number, a float of 64 bits, None
    (..)    a tuple; before the bracket where its class is, if it has names: rue.regret.rule:Rule(i,i)
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

SEPARATOR = ","


def kind_of(value: Any) -> str:
    """The kind of an argument.

    >>> kind_of((np.zeros((2, 3)), 1, (0.5, None)))
    '(<f8:2,i,(d,n))'
    """
    if isinstance(value, np.ndarray):
        if not (value.flags.c_contiguous and value.flags.aligned):
            raise TypeError("kernels take arrays whose numbers lie one after the other")
        return f"{value.dtype.str}:{value.ndim}"
    if isinstance(value, tuple):
        named = f"{type(value).__module__}:{type(value).__name__}" if type(value) is not tuple else ""
        return f"{named}({SEPARATOR.join(map(kind_of, value))})"
    if value is None:
        return "n"
    if isinstance(value, float):
        return "d"
    if isinstance(value, int | np.integer | np.bool_):
        return "i"
    raise TypeError(f"kernels take arrays, numbers and tuples of them, not {type(value).__name__}")


def words_of(value: Any) -> Iterator[int]:
    """The words of an argument.

    >>> list(words_of((3, (True, None), -1)))
    [3, 1, -1]
    """
    if isinstance(value, np.ndarray):
        yield value.__array_interface__["data"][0]
        yield from value.shape
    elif isinstance(value, tuple):
        for each in value:
            yield from words_of(each)
    elif isinstance(value, float):
        yield struct.unpack("<q", struct.pack("<d", value))[0]
    elif value is not None:
        yield int(value)
