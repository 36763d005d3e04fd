"""Encode a spot in a link: its keys and values as JSON, compressed, in letters that an address may have."""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Mapping
from typing import Any

from zerosum.support.errors import ZerosumError
from zerosum.support.files import DAMAGE_ERRORS, parse_json

MAX_SPOT_BYTES = 1 << 20
_LINK = re.compile(r"#/build/([A-Za-z0-9_-]+)$")


def encode_spot(spot: Mapping[str, Any]) -> str:
    """Return the end of a link that holds a spot.

    >>> spot = {"board": "Ks 7h 2d", "pot": 500}
    >>> decode_spot(encode_spot(spot)) == spot
    True
    """
    text = json.dumps(spot, separators=(",", ":"), ensure_ascii=False).encode()
    return base64.urlsafe_b64encode(zlib.compress(text, 9)).decode().rstrip("=")


def decode_spot(data: str) -> Any:
    """Return the content of the end of a link, which is not checked."""
    try:
        packed = base64.urlsafe_b64decode(data + "=" * (-len(data) % 4))
        decompressor = zlib.decompressobj()
        text = decompressor.decompress(packed, MAX_SPOT_BYTES)
        if decompressor.unconsumed_tail or not decompressor.eof:
            raise ValueError
        return parse_json(text, "the link")
    except (*DAMAGE_ERRORS, binascii.Error, zlib.error):
        raise ZerosumError("the link is damaged: it holds no spot") from None


def find_link(text: str) -> str | None:
    """Return the end of a link with a spot, or None if a text is no such link.

    >>> find_link("http://127.0.0.1:9376/#/build/eJyr"), find_link("board = 'Ks 7h 2d'")
    ('eJyr', None)
    """
    match = _LINK.search(text.strip())
    return match[1] if match else None
