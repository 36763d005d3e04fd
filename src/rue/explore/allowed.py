"""What a page may name: nothing that is a file, neither in a spot nor as a game, its parameters or an algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rue.errors import RueError
from rue.games.gambit_text import names_gambit
from rue.games.openspiel import names_path
from rue.holdem.files import from_mapping
from rue.holdem.spots import Spot
from rue.problems.locks import FROM
from rue.python_files import names_file

FILES = ("tree_file",)
"""Parts of a spot that name files."""


def spot_asked(parts: Any) -> Spot:
    """The spot of names and values that a page, a link or a file of the folder gives; it may name no file."""
    refuse_named_files(parts)
    return from_mapping(parts)


def refuse_named_files(parts: Any) -> None:
    """Refuse a spot that would have a file read: a tree, or a strategy that a lock takes from one.

    >>> refuse_named_files({"locks": ["check: @secret.json"]})
    Traceback (most recent call last):
    rue.errors.RueError: a lock here may not name a file: only the command line may (rue explore my_spot.toml)
    """
    if not isinstance(parts, Mapping):
        return
    for key in FILES:
        if key in parts:
            raise RueError(f"{key} names a file: only the command line may (rue explore my_spot.toml)")
    if FROM in str(parts.get("locks", "")):
        raise RueError("a lock here may not name a file: only the command line may (rue explore my_spot.toml)")


def refuse_files(name: str) -> None:
    """Refuse a game or an algorithm that is a file, of Python or Gambit, or that would have OpenSpiel read one.

    >>> refuse_files("openspiel:misere(game=efg_game(filename=secret))")
    Traceback (most recent call last):
    rue.errors.RueError: OpenSpiel's games may not read files here
    """
    if names_file(name) or ".py" in name.lower() or names_gambit(name):
        raise RueError("games and rules in files are named on the command line only: rue explore my.py:Game")
    if names_path(name):
        raise RueError("OpenSpiel's games may not read files here")
