"""Check, save and share spots and ranges.

A link to a spot ends with its keys and values as JSON, compressed, in letters that an address may have.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zerosum.explorer.file_access import refuse_file_names, spot_from_request
from zerosum.explorer.handler import Explorer, route
from zerosum.explorer.requests import catch_error_message
from zerosum.holdem.betting.sizes import PLAYERS
from zerosum.holdem.cards.cards import HAND_COUNT, STREETS
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.spots import files
from zerosum.holdem.spots.spot import Spot
from zerosum.problems.registry import problem
from zerosum.results.table import format_json_numbers
from zerosum.support.errors import ZerosumError
from zerosum.support.files import DAMAGE_ERRORS, parse_json
from zerosum.support.system import available_bytes
from zerosum.support.validation import is_number

WEIGHT_DIGITS = 6
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


def extract_link_data(text: str) -> str | None:
    """Return the encoded spot at the end of a link, or None if a text is no such link.

    >>> extract_link_data("http://127.0.0.1:9376/#/build/eJyr"), extract_link_data("board = 'Ks 7h 2d'")
    ('eJyr', None)
    """
    match = _LINK.search(text.strip())
    return match[1] if match else None


@route("GET", "/api/spots")
def list_spots(explorer: Explorer) -> Any:
    """Return the names of the bundled and of the saved spots."""
    return {"bundled": files.list_bundled_spots(), "saved": explorer.workspace.list_spot_names()}


@route("GET", "/api/spots/bundled/{name}")
def load_bundled_spot(explorer: Explorer, name: str) -> Any:
    """Return a bundled spot by the keys of a spot file."""
    if name not in files.list_bundled_spots():
        raise ZerosumError(f"there is no bundled spot called {name[:90]!r}")
    return files.spot_to_dict(files.load_spot(name))


@route("GET", "/api/spots/saved/{name}")
def load_saved_spot(explorer: Explorer, name: str) -> Any:
    """Return a saved spot by the keys of a spot file."""
    return files.spot_to_dict(explorer.workspace.load_spot(name))


@route("PUT", "/api/spots/saved/{name}")
def save_spot(explorer: Explorer, name: str, spot: dict[str, Any]) -> Any:
    """Save a spot; return the names of all spots."""
    explorer.workspace.save_spot(name, spot_from_request(spot))
    return list_spots(explorer)


@route("DELETE", "/api/spots/saved/{name}")
def delete_spot(explorer: Explorer, name: str) -> Any:
    """Delete a saved spot; return the names of all that are left."""
    explorer.workspace.delete_spot(name)
    return list_spots(explorer)


@dataclass(frozen=True)
class SpotRequest:
    """A spot, by the parts of its file, the text of a file or a link, or the end of a link; and how to solve it."""

    spot: dict[str, Any] | None = None
    text: str | None = None
    link: str | None = None
    algorithm: str | None = None
    half: bool = False


@route("POST", "/api/spot")
def check_spot(explorer: Explorer, request: SpotRequest) -> Any:
    """Return a spot as it is understood, the cost of solving it, and a file and a link with it."""
    if request.algorithm is not None:
        refuse_file_names(request.algorithm)
    spot = _build_spot(request)
    spot_problem = problem(spot, half=request.half)
    estimate = spot_problem.estimate(spot_problem.resolve_algorithm(request.algorithm))
    assert estimate is not None
    content = files.spot_to_dict(spot)
    return {
        "spot": content,
        "name": str(spot),
        "sizes": _list_bet_sizes(spot),
        "toml": files.format_toml(spot),
        "link": encode_spot(content),
        **estimate.content(),
        "free": available_bytes(),
        "too_large": catch_error_message(estimate.check_memory),
    }


def _build_spot(request: SpotRequest) -> Spot:
    data: Any = request.spot
    if request.text is not None:
        link = extract_link_data(request.text)
        data = files.parse_spot_text(request.text) if link is None else decode_spot(link)
    elif request.link is not None:
        data = decode_spot(request.link)
    if not isinstance(data, Mapping):
        raise ZerosumError("a spot must be an object of names and values")
    return spot_from_request(data)


def _list_bet_sizes(spot: Spot) -> list[dict[str, str]]:
    """Return the sizes of bets and raises by street and player."""
    return [
        {"street": street, "player": player, "bets": bets, "raises": raises}
        for street, pair in zip(STREETS, spot.betting.sizes, strict=True)
        for player, (bets, raises) in zip(PLAYERS, (sizes.format_texts() for sizes in pair), strict=True)
        if STREETS.index(street) >= spot.street
    ]


@route("POST", "/api/range")
def check_range(explorer: Explorer, text: str | None = None, weights: list[Any] | None = None) -> Any:
    """Return a range as its shortest text and as its 1,326 weights."""
    if (text is None) == (weights is None):
        raise ZerosumError("a range is a string or a list of weights: send one of them")
    if weights is not None and not all(map(is_number, weights)):
        raise ZerosumError("the weights of a range must be numbers")
    hands = Range(weights or []) if text is None else Range.parse(text)
    return {
        "text": hands.to_text(),
        "weights": format_json_numbers(hands.weights, WEIGHT_DIGITS),
        "hands": hands.combos,
        "share": hands.combos / HAND_COUNT,
    }


@route("GET", "/api/ranges")
def list_ranges(explorer: Explorer) -> Any:
    """Return the saved ranges as text, by name."""
    return explorer.workspace.load_ranges()


@route("PUT", "/api/ranges/{name}")
def save_range(explorer: Explorer, name: str, text: str) -> Any:
    """Save a range under a name; return all ranges."""
    return explorer.workspace.save_range(name, text)


@route("DELETE", "/api/ranges/{name}")
def delete_range(explorer: Explorer, name: str) -> Any:
    """Delete a saved range; return those that are left."""
    return explorer.workspace.save_range(name, None)
