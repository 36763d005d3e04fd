"""Spots as TOML or JSON files, whose keys are the options of a spot, and the bundled spots.

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

from zerosum.holdem.betting.sizes import format_chips
from zerosum.holdem.cards.cards import format_cards
from zerosum.holdem.spots.options import BettingOptions, SpotFileOptions
from zerosum.holdem.spots.spot import Spot, spot
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.files import parse_json, read_text_file, write_atomically
from zerosum.support.options import Source, check_options, option_name, options_come_from
from zerosum.support.user_modules import expand_home

FOLDER = Path(__file__).parent / "bundled"
TREE_KEYS = ({"bets", "raises"} | set(BettingOptions.__annotations__)) - {"minimum", "aggressor"}
"""The keys that a betting tree by name replaces."""
MAX_DOTS = 100
"""The most dots in a name of a TOML file: the time to read one grows with the square of their number."""


def resolve_spot(text: str, folder: str | Path | None = None, **parts: Any) -> Spot:
    """Return the spot of a name or a file, with some parts changed, or of the name `holdem` with all its parts.

    >>> print(resolve_spot("spot:river", pot=500))
    river of a single-raised pot, changed (Ks7h2d9c4s, pot 500, stack 8700)

    If the smallest bet is the big blind, it stays so when the big blind changes.

    >>> resolve_spot("spot:river", pot=26, stack=87, big_blind=1).count_tree() == load_spot("river").count_tree()
    True
    """
    name = text.strip()
    if folder is not None and not name.lower().startswith("libratus:"):
        raise ZerosumError(
            f"{option_name('folder')} belongs to libratus:1 to libratus:4 and cannot be used with {name}"
        )
    if name.lower() == "holdem":
        missing = [part for part in ("board", "pot", "stack") if part not in parts]
        if missing:
            raise ZerosumError(
                f"a hold'em spot needs {option_name(missing[0])}: add it, or name a spot like spot:river or my.toml"
            )
        return spot(**parts)
    named_spot = load_spot(name[5:] if name.lower().startswith("spot:") else name, folder)
    if not parts:
        return named_spot
    fields = spot_to_dict(named_spot)
    if fields["minimum"] == fields["big_blind"]:
        del fields["minimum"]
    if "tree" in parts:
        fields = {key: value for key, value in fields.items() if key not in TREE_KEYS}
    fields |= parts
    if "bets" in parts and fields.pop("by", "") == "actions" and "raises" not in parts:
        fields["raises"] = None
    if fields.get("name"):
        fields["name"] += ", changed"
    return spot(**fields)


def list_bundled_spots() -> list[str]:
    """Return the names of the spots that the package includes.

    >>> list_bundled_spots()
    ['flop', 'river', 'turn']
    """
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load_spot(text: str | Path, folder: str | Path | None = None) -> Spot:
    """Load a spot by name (`river`), from a file (`my.toml`), from a folder (`libratus:3`), or draw a random one.

    The last number of `deepstack:river-5k:7` is the seed.

    >>> print(load_spot("river"))
    river of a single-raised pot (Ks7h2d9c4s, pot 2600, stack 8700)
    """
    name = str(text).strip()
    if name.lower().startswith("libratus:"):
        from zerosum.holdem.spots import libratus

        return libratus.load_endgame(name.partition(":")[2], folder)
    if name.lower().startswith("deepstack:"):
        from zerosum.holdem.spots import deepstack

        kind, _, seed = name.partition(":")[2].partition(":")
        if seed and not (seed.isdecimal() and len(seed) < 19):
            raise ZerosumError(f"cannot read the seed {seed!r} of {name!r}: write deepstack:{kind}:7")
        return deepstack.draw_random_spot(kind, int(seed or 0))
    if name in list_bundled_spots():
        return read_spot(FOLDER / f"{name}.toml")
    path = expand_home(name)
    if path.suffix.lower() not in (".toml", ".json"):
        from zerosum.holdem.spots import deepstack

        names = [*list_bundled_spots(), *(f"libratus:{number}" for number in range(1, 5))]
        names += [f"deepstack:{kind}" for kind in deepstack.SPOT_KINDS]
        raise ZerosumError(
            f"there is no spot called {name!r} (a file ends in .toml or .json); {suggest_names(name, names)}"
        )
    return read_spot(path)


def read_spot(path: Path) -> Spot:
    """Read a spot from a TOML or JSON file."""
    data = parse_spot_text(read_text_file(path, "the spot"), str(path), path.suffix.lower() == ".json")
    tree_file = data.pop("tree_file", None) if isinstance(data, dict) else None
    try:
        if tree_file is not None and not isinstance(tree_file, str):
            raise ZerosumError(f"tree_file must be a string in quotes, not {tree_file!r:.60}")
        return spot_from_dict(data, None if tree_file is None else path.parent / expand_home(tree_file))
    except ZerosumError as error:
        raise ZerosumError(f"{path}: {error}") from None


def write_spot(spot: Spot, path: Path) -> None:
    """Write a spot as TOML or JSON, depending on the suffix; it reads back to the same spot."""
    data = spot_to_dict(spot)
    if path.suffix.lower() == ".json":
        content = json.dumps(data, indent=2) + "\n"
    elif path.suffix.lower() == ".toml":
        content = format_toml(spot)
    else:
        raise ZerosumError(f"a spot is written to a .toml or .json file, not to {path.name}")
    write_atomically(path, content.encode())


def format_toml(spot: Spot) -> str:
    """Return the text of a spot's TOML file."""
    lines = []
    for key, value in spot_to_dict(spot).items():
        text = format_chips(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)
        lines.append(f"{key} = {text}\n")
    return "".join(lines)


def parse_spot_text(text: str, name: str = "the text", json_expected: bool | None = None) -> Any:
    """Return the names and values in the text of a spot's file, TOML or JSON, unchecked."""
    as_json = text.lstrip().startswith("{") if json_expected is None else json_expected
    if any(piece.count(".") > MAX_DOTS for piece in re.split(r"[=,:\n{}\[\]]", text)):
        raise ZerosumError(f"{name} is not a spot: it has a name with more than {MAX_DOTS} dots")
    try:
        return parse_json(text, name) if as_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ZerosumError(f"{name} is not readable as {'JSON' if as_json else 'TOML'}: {error}") from None


def spot_to_dict(spot: Spot) -> dict[str, Any]:
    """Return a spot as the names and values of its file."""
    data: dict[str, Any] = {
        "name": spot.name,
        "board": format_cards(spot.board, " "),
        "pot": spot.pot,
        "stack": spot.stack,
        "big_blind": spot.big_blind,
        "oop": spot.oop.to_text(),
        "ip": spot.ip.to_text(),
        **spot.betting.to_options(),
        "rake": spot.rake.rate or None,
        "rake_cap": None if spot.rake.cap == math.inf else spot.rake.cap,
        "rake_on_folds": None if spot.rake.on_folds else False,
        "locks": list(spot.locks) or None,
    }
    return {key: value for key, value in data.items() if value is not None and value != ""}


def spot_from_dict(data: Any, tree_file: Path | None = None) -> Spot:
    """Return the spot of names and values, which are checked one by one; only `tree_file` may name another file."""
    if isinstance(data, Mapping) and "tree_file" in data:
        raise ZerosumError("tree_file is allowed only in a file: remove lines from the tree with without instead")
    with options_come_from(Source.FILE):
        options = check_options(SpotFileOptions, data, "spot")
    return spot(**options) if tree_file is None else spot(**options, tree_file=tree_file)
