"""Spots as files: TOML or JSON with the same names as the options of a command, and spots that come along.

    name = "single-raised pot"
    board = "Ks 7h 2d 9c"
    pot = 500
    stack = 9750
    oop = "22+,A2s+,KTs+,QTs+,JTs,ATo+"
    ip = "random"
    bets = "50%,100%,allin"
    raises = "100%,allin"

Only board, pot and stack are needed; docs/holdem.md has all keys.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rue.disk import from_json, text_of, write_atomically
from rue.errors import RueError, nearest
from rue.holdem import deepstack, libratus
from rue.holdem.bets import chips
from rue.holdem.betting import BettingOptions
from rue.holdem.cards import cards_name
from rue.holdem.rake import Rake
from rue.holdem.spots import Spot, spot
from rue.names import HOLDEM
from rue.python_files import home_path

FOLDER = Path(__file__).parent / "spots"
TEXT, NUMBER, EITHER = "a text in quotes", "a number", "a number or a text in quotes"
FLAG, LIST = "true or false", "a list of texts in quotes"
KEYS = {
    **dict.fromkeys(("name", "board", "oop", "ip", "tree", "bets", "raises", "by"), TEXT),
    **dict.fromkeys(("donks", "aggressor", "tree_file"), TEXT),
    **dict.fromkeys(("pot", "stack", "big_blind", "minimum", "allin_threshold", "add_allin", "rake_cap"), NUMBER),
    **dict.fromkeys(("cap", "force_allin", "merge", "rake"), EITHER),
    **dict.fromkeys(("rake_on_folds",), FLAG),
    **dict.fromkeys(("at", "without", "locks"), LIST),
}
"""The keys of a spot's file, and what their values must be."""
_NEEDED = ("board", "pot", "stack")
SIZES = {"bets", "raises", *BettingOptions.__annotations__} - {"minimum", "aggressor"}
"""The keys that a betting tree by name takes the place of."""
MOST_DOTS = 100
"""In a name of a TOML file: the time to read one grows with the square of their number."""


def spot_named(text: str, folder: str | Path | None = None, **parts: Any) -> Spot:
    """The spot of a name, of a file or of its parts alone; parts change what a name or a file says.

    >>> print(spot_named("spot:river", pot=500))
    river of a single-raised pot, changed (Ks7h2d9c4s, pot 500, stack 8700)

    A smallest bet that is the big blind stays the big blind.

    >>> spot_named("spot:river", pot=26, stack=87, big_blind=1).counts() == load_spot("river").counts()
    True
    """
    name = text.strip()
    if folder is not None and not name.lower().startswith("libratus:"):
        raise RueError("the folder of libratus:1 to libratus:4 (--data, folder=) goes with them only")
    if name.lower() == HOLDEM:
        missing = [part for part in _NEEDED if part not in parts]
        if missing:
            raise RueError(
                f"a hold'em spot needs a {missing[0]} (--{missing[0]}), or name one: spot:river, libratus:3, my.toml"
            )
        return spot(**parts)
    known = load_spot(name[5:] if name.lower().startswith("spot:") else name, folder)
    if not parts:
        return known
    fields = to_mapping(known)
    if fields["minimum"] == fields["big_blind"]:
        del fields["minimum"]
    if "tree" in parts:
        fields = {key: value for key, value in fields.items() if key not in SIZES}
    fields |= parts
    if "bets" in parts and fields.pop("by", "") == "actions" and "raises" not in parts:
        fields["raises"] = None
    if fields.get("name"):
        fields["name"] += ", changed"
    return spot(**fields)


def names() -> list[str]:
    """The spots that come with the package.

    >>> names()
    ['flop', 'river', 'turn']
    """
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load_spot(text: str | Path, folder: str | Path | None = None) -> Spot:
    """A spot by name (`river`), by file (`my.toml`, `my.json`), `libratus:3` from a folder, or a random one.

    The last number of `deepstack:river-5k:7` is the seed.

    >>> print(load_spot("river"))
    river of a single-raised pot (Ks7h2d9c4s, pot 2600, stack 8700)
    """
    name = str(text).strip()
    if name.lower().startswith("libratus:"):
        return libratus.load(name.partition(":")[2], folder)
    if name.lower().startswith("deepstack:"):
        kind, _, seed = name.partition(":")[2].partition(":")
        if seed and not (seed.isdecimal() and len(seed) < 19):
            raise RueError(f"cannot read the seed {seed!r} of {name!r}: write deepstack:{kind}:7")
        return deepstack.random_spot(kind, int(seed or 0))
    if name in names():
        return read_spot(FOLDER / f"{name}.toml")
    path = home_path(name)
    if path.suffix.lower() not in (".toml", ".json"):
        known = [*names(), *(f"libratus:{number}" for number in range(1, 5))]
        known += [f"deepstack:{kind}" for kind in deepstack.KINDS]
        raise RueError(f"there is no spot called {name!r} (a file ends in .toml or .json); {nearest(name, known)}")
    return read_spot(path)


def read_spot(path: Path) -> Spot:
    """The spot of a TOML or JSON file."""
    content = text_of(path, "the spot")
    data = mapping_of(content, str(path), path.suffix.lower() == ".json")
    named = data.pop("tree_file", None) if isinstance(data, dict) else None
    try:
        if named is not None and not isinstance(named, str):
            raise RueError(f"tree_file must be {TEXT}, not {named!r:.60}")
        return from_mapping(data, None if named is None else path.parent / home_path(named))
    except RueError as error:
        raise RueError(f"{path}: {error}") from None


def write_spot(found: Spot, path: Path) -> None:
    """Write a spot as TOML or JSON, by the end of the file's name; it reads back to the same spot."""
    data = to_mapping(found)
    if path.suffix.lower() == ".json":
        content = json.dumps(data, indent=2) + "\n"
    elif path.suffix.lower() == ".toml":
        content = to_toml(found)
    else:
        raise RueError(f"a spot is written to a .toml or .json file, not to {path.name}")
    write_atomically(path, content.encode())


def to_toml(found: Spot) -> str:
    """The text of a spot's file."""
    return "".join(f"{key} = {_toml(value)}\n" for key, value in to_mapping(found).items())


def mapping_of(text: str, name: str = "the text", json_expected: bool | None = None) -> Any:
    """The names and values of the text of a spot's file, TOML or JSON, unchecked."""
    as_json = text.lstrip().startswith("{") if json_expected is None else json_expected
    if any(piece.count(".") > MOST_DOTS for piece in re.split(r"[=,:\n{}\[\]]", text)):
        raise RueError(f"{name} is not a spot: it has a name with more than {MOST_DOTS} dots")
    try:
        return from_json(text, name) if as_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise RueError(f"{name} is not readable as {'JSON' if as_json else 'TOML'}: {error}") from None


def to_mapping(found: Spot) -> dict[str, Any]:
    """The names and values of a spot's file."""
    data: dict[str, Any] = {
        "name": found.name,
        "board": cards_name(found.board, " "),
        "pot": found.pot,
        "stack": found.stack,
        "big_blind": found.big_blind,
        "oop": found.oop.to_text(),
        "ip": found.ip.to_text(),
        **found.betting.options(),
        **_rake(found.rake),
        "locks": list(found.locks) or None,
    }
    return {key: value for key, value in data.items() if value is not None and value != ""}


def _rake(rake: Rake) -> dict[str, Any]:
    data: dict[str, Any] = {"rake": rake.rate, "rake_cap": rake.cap, "rake_on_folds": rake.on_folds}
    usual = {"rake": 0.0, "rake_cap": math.inf, "rake_on_folds": True}
    return {key: value for key, value in data.items() if value != usual[key]}


def from_mapping(data: Any, tree_file: Path | None = None) -> Spot:
    """The spot of names and values, checked one by one; they name no other file, but one may be given."""
    if not isinstance(data, Mapping):
        raise RueError("a spot is a table of names and values")
    if "tree_file" in data:
        raise RueError("tree_file names a file, and this is no file: say what is taken out of the tree by without")
    for key, value in data.items():
        if key not in KEYS:
            raise RueError(f"a spot has no {key!r}; {nearest(str(key), KEYS)}")
        if not _fits(value, KEYS[key]) and not (key == "stack" and _is_pair(value)):
            raise RueError(f"{key} must be {KEYS[key]}, not {value!r:.60}")
    missing = [key for key in _NEEDED if key not in data]
    if missing:
        raise RueError(f"the spot has no {missing[0]}")
    edited: Any = {} if tree_file is None else {"tree_file": tree_file}
    return spot(**data, **edited)


def _fits(value: Any, kind: str) -> bool:
    """Whether a value is of a kind."""
    if kind == LIST:
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    text, number = isinstance(value, str), isinstance(value, int | float) and not isinstance(value, bool)
    return {TEXT: text, NUMBER: number, EITHER: text or number, FLAG: isinstance(value, bool)}[kind]


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(_fits(each, NUMBER) for each in value)


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return f"[{', '.join(_toml(each) for each in value)}]"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else chips(value)
