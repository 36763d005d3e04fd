"""The infosets of a game as bytes and back, without running any code: texts, numbers and tuples of them."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rue.disk import from_json
from rue.errors import RueError

Bytes = NDArray[np.uint8]


def to_bytes(keys: Iterable[Hashable]) -> Bytes:
    """Keys as an array of bytes.

    >>> from_bytes(to_bytes(["K|", ("bet", 2, None, frozenset({1.5}))]))
    ['K|', ('bet', 2, None, frozenset({1.5}))]
    """
    text = json.dumps([_plain(key) for key in keys], separators=(",", ":"))
    return np.frombuffer(text.encode(), np.uint8)


def from_bytes(data: Bytes) -> list[Hashable]:
    """The keys of such an array."""
    return [_key(plain) for plain in from_json(data.tobytes(), "its infosets")]


def _plain(key: Hashable) -> Any:
    kind = type(key)
    if key is None or kind in (bool, int, float, str):
        return key
    if kind is bytes:
        return {"b": key.hex()}  # type: ignore[attr-defined]
    if kind is tuple:
        return [_plain(part) for part in key]  # type: ignore[attr-defined]
    if kind is frozenset:
        return {"s": sorted((_plain(part) for part in key), key=repr)}  # type: ignore[attr-defined]
    raise RueError(
        f"a run by rules keeps infosets made of texts, numbers, tuples and frozensets, and {key!r} is a {kind.__name__}"
    )


def _key(plain: Any) -> Hashable:
    if isinstance(plain, list):
        return tuple(_key(part) for part in plain)
    if isinstance(plain, dict):
        ((kind, content),) = plain.items()
        if kind == "b":
            return bytes.fromhex(content)
        if kind == "s":
            return frozenset(_key(part) for part in content)
        raise ValueError(f"an infoset of the kind {kind!r}")
    return plain  # type: ignore[no-any-return]
