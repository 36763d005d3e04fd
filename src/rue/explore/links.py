"""A spot in a link: its names and values as JSON, compressed, in the letters that an address may have."""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Mapping
from typing import Any

from rue.disk import DAMAGE, from_json
from rue.errors import RueError

LARGEST = 1 << 20
"""Bytes of a spot."""
_LINK = re.compile(r"#/build/([A-Za-z0-9_-]+)$")


def to_link(spot: Mapping[str, Any]) -> str:
    """The end of a link that holds a spot.

    >>> spot = {"board": "Ks 7h 2d", "pot": 500}
    >>> from_link(to_link(spot)) == spot
    True
    """
    text = json.dumps(spot, separators=(",", ":"), ensure_ascii=False).encode()
    return base64.urlsafe_b64encode(zlib.compress(text, 9)).decode().rstrip("=")


def from_link(data: str) -> Any:
    """The spot of the end of a link, unchecked."""
    try:
        packed = base64.urlsafe_b64decode(data + "=" * (-len(data) % 4))
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(packed, LARGEST)
        if unpacking.unconsumed_tail or not unpacking.eof:
            raise ValueError
        return from_json(text, "the link")
    except (*DAMAGE, binascii.Error, zlib.error):
        raise RueError("the link is damaged: it holds no spot") from None


def link_in(text: str) -> str | None:
    """The end of a link that a text is, if it is one.

    >>> link_in("http://127.0.0.1:7837/#/build/eJyr"), link_in("board = 'Ks 7h 2d'")
    ('eJyr', None)
    """
    found = _LINK.search(text.strip())
    return found[1] if found else None
