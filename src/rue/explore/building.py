"""Building a spot: what a page asks about spots and ranges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rue.errors import RueError
from rue.explore import wire
from rue.explore.allowed import refuse_files, spot_asked
from rue.explore.asked import RangeAsked, SpotAsked, read
from rue.explore.explorer import Explorer, Handlers, Request
from rue.explore.links import from_link, link_in, to_link
from rue.holdem import files
from rue.holdem.bets import PLAYERS
from rue.holdem.cards import HAND_COUNT, STREETS
from rue.holdem.ranges import Range
from rue.holdem.spots import Spot
from rue.machine import available_bytes
from rue.problems.find import problem


def spots(explorer: Explorer, request: Request) -> Any:
    """The names of the spots that come along and of those that were saved."""
    return {"bundled": files.names(), "saved": explorer.folder.spots()}


def bundled_spot(explorer: Explorer, request: Request) -> Any:
    """A spot that comes along, in the words of its file."""
    name = request.parts["name"]
    if name not in files.names():
        raise RueError(f"no spot called {name[:90]!r} comes along")
    return files.to_mapping(files.load_spot(name))


def saved_spot(explorer: Explorer, request: Request) -> Any:
    """A spot of the folder."""
    return files.to_mapping(explorer.folder.spot(request.parts["name"]))


def save_spot(explorer: Explorer, request: Request) -> Any:
    """Save a spot in the folder."""
    explorer.folder.save_spot(request.parts["name"], _spot(read(SpotAsked, request.data)))
    return spots(explorer, request)


def remove_spot(explorer: Explorer, request: Request) -> Any:
    """Forget a saved spot."""
    explorer.folder.remove_spot(request.parts["name"])
    return spots(explorer, request)


def check_spot(explorer: Explorer, request: Request) -> Any:
    """A spot as it is understood, what solving it would take, and how it is passed on."""
    asked = read(SpotAsked, request.data)
    if asked.algorithm is not None:
        refuse_files(asked.algorithm)
    spot = _spot(asked)
    found = problem(spot, half=asked.half)
    size = found.estimate(found.algorithm(asked.algorithm))
    assert size is not None
    free, sentence = available_bytes(), ""
    try:
        size.check()
    except RueError as error:
        sentence = str(error)
    told = files.to_mapping(spot)
    shared = {"toml": files.to_toml(spot), "link": to_link(told)}
    about = {"spot": told, "name": str(spot), "sizes": _sizes(spot), **shared}
    return {**about, **size.content(), "free": free, "too_large": sentence}


def _spot(asked: SpotAsked) -> Spot:
    """The spot that was asked for, however it was told."""
    data: Any = asked.spot
    if asked.text is not None:
        link = link_in(asked.text)
        data = files.mapping_of(asked.text) if link is None else from_link(link)
    elif asked.link is not None:
        data = from_link(asked.link)
    if not isinstance(data, Mapping):
        raise RueError("a spot is a table of names and values")
    return spot_asked(data)


def _sizes(spot: Spot) -> list[dict[str, str]]:
    """What may be bet and raised, street by street and player by player."""
    return [
        {"street": street, "player": player, "bets": bets, "raises": raises}
        for street, pair in zip(STREETS, spot.betting.sizes, strict=True)
        for player, (bets, raises) in zip(PLAYERS, (sizes.texts() for sizes in pair), strict=True)
        if STREETS.index(street) >= spot.street
    ]


def check_range(explorer: Explorer, request: Request) -> Any:
    """A range in both ways: its shortest text and its 1,326 weights."""
    asked = read(RangeAsked, request.data)
    if (asked.text is None) == (asked.weights is None):
        raise RueError("a range is asked for by a text or by weights")
    found = _weighed(asked.weights or []) if asked.text is None else Range.parse(asked.text)
    weights = wire.column(found.weights.tolist(), wire.DIGITS)
    return {"text": found.to_text(), "weights": weights, "hands": found.total, "share": found.total / HAND_COUNT}


def _weighed(weights: list[Any]) -> Range:
    if not all(isinstance(each, int | float) and not isinstance(each, bool) for each in weights):
        raise RueError("the weights of a range are numbers")
    return Range(weights)


def ranges(explorer: Explorer, request: Request) -> Any:
    """The saved ranges, texts by name."""
    return explorer.folder.ranges()


def save_range(explorer: Explorer, request: Request) -> Any:
    """Save a range under a name."""
    asked = read(RangeAsked, request.data)
    if asked.text is None:
        raise RueError("a range is saved as a text")
    return explorer.folder.save_range(request.parts["name"], asked.text)


def remove_range(explorer: Explorer, request: Request) -> Any:
    """Forget a saved range."""
    return explorer.folder.save_range(request.parts["name"], None)


HANDLERS: Handlers = {
    ("GET", "/api/spots"): spots,
    ("GET", "/api/spots/bundled/{name}"): bundled_spot,
    ("GET", "/api/spots/saved/{name}"): saved_spot,
    ("PUT", "/api/spots/saved/{name}"): save_spot,
    ("DELETE", "/api/spots/saved/{name}"): remove_spot,
    ("POST", "/api/spot"): check_spot,
    ("POST", "/api/range"): check_range,
    ("GET", "/api/ranges"): ranges,
    ("PUT", "/api/ranges/{name}"): save_range,
    ("DELETE", "/api/ranges/{name}"): remove_range,
}
