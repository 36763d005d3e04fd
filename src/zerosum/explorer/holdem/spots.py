"""Check, save and load spots and ranges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zerosum.explorer.file_access import refuse_files, spot_from_request
from zerosum.explorer.handler import Explorer, Handlers, Request
from zerosum.explorer.holdem.spot_links import decode_spot, encode_spot, find_link
from zerosum.explorer.requests import RangeRequest, SpotRequest, read
from zerosum.holdem.betting.sizes import PLAYERS
from zerosum.holdem.cards.cards import HAND_COUNT, STREETS
from zerosum.holdem.cards.ranges import Range
from zerosum.holdem.spots import files
from zerosum.holdem.spots.spot import Spot
from zerosum.problems.registry import problem
from zerosum.results.table import json_numbers
from zerosum.support.errors import ZerosumError
from zerosum.support.system import available_bytes

WEIGHT_DIGITS = 6


def list_spots(explorer: Explorer, request: Request) -> Any:
    """Return the names of the bundled and of the saved spots."""
    return {"bundled": files.bundled_spot_names(), "saved": explorer.workspace.spots()}


def bundled_spot(explorer: Explorer, request: Request) -> Any:
    """Return a bundled spot by the keys of a spot file."""
    name = request.path["name"]
    if name not in files.bundled_spot_names():
        raise ZerosumError(f"there is no bundled spot called {name[:90]!r}")
    return files.spot_to_dict(files.load_spot(name))


def saved_spot(explorer: Explorer, request: Request) -> Any:
    """Return a saved spot."""
    return files.spot_to_dict(explorer.workspace.spot(request.path["name"]))


def save_spot(explorer: Explorer, request: Request) -> Any:
    """Save a spot."""
    explorer.workspace.save_spot(request.path["name"], _build_spot(read(SpotRequest, request.body)))
    return list_spots(explorer, request)


def delete_spot(explorer: Explorer, request: Request) -> Any:
    """Delete a saved spot."""
    explorer.workspace.delete_spot(request.path["name"])
    return list_spots(explorer, request)


def check_spot(explorer: Explorer, request: Request) -> Any:
    """Return a spot as it is understood, the cost of solving it, and a file and a link with it."""
    spot_request = read(SpotRequest, request.body)
    if spot_request.algorithm is not None:
        refuse_files(spot_request.algorithm)
    spot = _build_spot(spot_request)
    spot_problem = problem(spot, half=spot_request.half)
    estimate = spot_problem.estimate(spot_problem.algorithm(spot_request.algorithm))
    assert estimate is not None
    free, too_large = available_bytes(), ""
    try:
        estimate.check()
    except ZerosumError as error:
        too_large = str(error)
    content = files.spot_to_dict(spot)
    copies = {"toml": files.to_toml(spot), "link": encode_spot(content)}
    description = {"spot": content, "name": str(spot), "sizes": _sizes(spot), **copies}
    return {**description, **estimate.content(), "free": free, "too_large": too_large}


def _build_spot(spot_request: SpotRequest) -> Spot:
    """Return the spot of a request, which holds it as an object, as text or as a link."""
    data: Any = spot_request.spot
    if spot_request.text is not None:
        link = find_link(spot_request.text)
        data = files.parse_spot_text(spot_request.text) if link is None else decode_spot(link)
    elif spot_request.link is not None:
        data = decode_spot(spot_request.link)
    if not isinstance(data, Mapping):
        raise ZerosumError("a spot is a table of names and values")
    return spot_from_request(data)


def _sizes(spot: Spot) -> list[dict[str, str]]:
    """Return the sizes of bets and raises by street and player."""
    return [
        {"street": street, "player": player, "bets": bets, "raises": raises}
        for street, pair in zip(STREETS, spot.betting.sizes, strict=True)
        for player, (bets, raises) in zip(PLAYERS, (sizes.texts() for sizes in pair), strict=True)
        if STREETS.index(street) >= spot.street
    ]


def check_range(explorer: Explorer, request: Request) -> Any:
    """Return a range as its shortest text and as its 1,326 weights."""
    body = read(RangeRequest, request.body)
    if (body.text is None) == (body.weights is None):
        raise ZerosumError("a range is a text or a list of weights: send one of them")
    hands = _range_from_weights(body.weights or []) if body.text is None else Range.parse(body.text)
    weights = json_numbers(hands.weights, WEIGHT_DIGITS)
    return {"text": hands.to_text(), "weights": weights, "hands": hands.combos, "share": hands.combos / HAND_COUNT}


def _range_from_weights(weights: list[Any]) -> Range:
    if not all(isinstance(weight, int | float) and not isinstance(weight, bool) for weight in weights):
        raise ZerosumError("the weights of a range are numbers")
    return Range(weights)


def list_ranges(explorer: Explorer, request: Request) -> Any:
    """Return the saved ranges as text, by name."""
    return explorer.workspace.ranges()


def save_range(explorer: Explorer, request: Request) -> Any:
    """Save a range under a name."""
    text = read(RangeRequest, request.body).text
    if text is None:
        raise ZerosumError("a range is saved as text: send one")
    return explorer.workspace.save_range(request.path["name"], text)


def delete_range(explorer: Explorer, request: Request) -> Any:
    """Delete a saved range."""
    return explorer.workspace.save_range(request.path["name"], None)


HANDLERS: Handlers = {
    ("GET", "/api/spots"): list_spots,
    ("GET", "/api/spots/bundled/{name}"): bundled_spot,
    ("GET", "/api/spots/saved/{name}"): saved_spot,
    ("PUT", "/api/spots/saved/{name}"): save_spot,
    ("DELETE", "/api/spots/saved/{name}"): delete_spot,
    ("POST", "/api/spot"): check_spot,
    ("POST", "/api/range"): check_range,
    ("GET", "/api/ranges"): list_ranges,
    ("PUT", "/api/ranges/{name}"): save_range,
    ("DELETE", "/api/ranges/{name}"): delete_range,
}
