"""Infosets to bytes and back, without running code: texts, numbers and tuples of them."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.support.errors import ZerosumError
from zerosum.support.files import parse_json

Bytes = NDArray[np.uint8]


def pack_infosets(keys: Iterable[Hashable]) -> Bytes:
    """Pack infosets into an array of bytes.

    >>> unpack_infosets(pack_infosets(["K|", ("bet", 2, None, frozenset({1.5}))]))
    ['K|', ('bet', 2, None, frozenset({1.5}))]
    """
    text = json.dumps([_to_json(key) for key in keys], separators=(",", ":"))
    return np.frombuffer(text.encode(), np.uint8)


def unpack_infosets(data: Bytes) -> list[Hashable]:
    """Return the infosets of such an array."""
    return [_from_json(value) for value in parse_json(data.tobytes(), "its infosets")]


def _to_json(key: Hashable) -> Any:
    kind = type(key)
    if key is None or kind in (bool, int, float, str):
        return key
    if kind is bytes:
        return {"b": key.hex()}  # type: ignore[attr-defined]
    if kind is tuple:
        return [_to_json(part) for part in key]  # type: ignore[attr-defined]
    if kind is frozenset:
        return {"s": sorted((_to_json(part) for part in key), key=repr)}  # type: ignore[attr-defined]
    raise ZerosumError(
        f"--by-rules stores infosets of texts, numbers, tuples and frozensets only, and {key!r} is a {kind.__name__}"
    )


def _from_json(value: Any) -> Hashable:
    if isinstance(value, list):
        return tuple(_from_json(part) for part in value)
    if isinstance(value, dict):
        ((kind, content),) = value.items()
        if kind == "b":
            return bytes.fromhex(content)
        if kind == "s":
            return frozenset(_from_json(part) for part in content)
        raise ValueError(f"an infoset of the kind {kind!r}")
    return value  # type: ignore[no-any-return]
