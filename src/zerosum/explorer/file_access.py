"""Reject names in requests that would make the server read a file: in spots, games, their parameters and algorithms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zerosum.games.catalogue import is_gambit_file, may_read_file
from zerosum.holdem.spots.files import spot_from_dict
from zerosum.holdem.spots.spot import Spot
from zerosum.problems.locks import FILE_PREFIX
from zerosum.support.errors import ZerosumError
from zerosum.support.user_modules import names_python_object

FILE_KEYS = ("tree_file",)
"""Keys of a spot whose values are files."""


def spot_from_request(parts: Any) -> Spot:
    """Return the spot of keys and values from a page, a link or a file of the workspace; raise if it names a file."""
    refuse_file_keys(parts)
    return spot_from_dict(parts)


def refuse_file_keys(parts: Any) -> None:
    """Raise if a spot would make the server read a file: a tree, or a strategy of a lock.

    >>> refuse_file_keys({"locks": ["check: @secret.json"]})
    Traceback (most recent call last):
    zerosum.ZerosumError: a lock here may not name a file: only the command line may (zerosum explore my_spot.toml)
    """
    if not isinstance(parts, Mapping):
        return
    for key in FILE_KEYS:
        if key in parts:
            raise ZerosumError(f"{key} names a file: only the command line may (zerosum explore my_spot.toml)")
    if FILE_PREFIX in str(parts.get("locks", "")):
        raise ZerosumError("a lock here may not name a file: only the command line may (zerosum explore my_spot.toml)")


def refuse_file_names(name: str) -> None:
    """Raise if a game or an algorithm is a file, of Python or Gambit, or would make OpenSpiel read one.

    >>> refuse_file_names("openspiel:misere(game=efg_game(filename=secret))")
    Traceback (most recent call last):
    zerosum.ZerosumError: OpenSpiel's games may not read files here
    """
    if names_python_object(name) or ".py" in name.lower() or is_gambit_file(name):
        raise ZerosumError("games and rules in files are named on the command line only: zerosum explore my.py:Game")
    if may_read_file(name):
        raise ZerosumError("OpenSpiel's games may not read files here")
