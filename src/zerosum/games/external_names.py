"""Recognise names of OpenSpiel games and of Gambit files, without loading their readers."""

from __future__ import annotations

import re

OPENSPIEL_PREFIX = "openspiel:"
"""The beginning of the name of an OpenSpiel game."""
GAMBIT_SUFFIXES = (".efg", ".nfg")
_PATH = re.compile(r"(?:file|root)\w*\s*=|[/\\~]", re.IGNORECASE)


def is_openspiel_game(text: str) -> bool:
    return text.strip().startswith(OPENSPIEL_PREFIX)


def may_read_file(text: str) -> bool:
    """Return whether a text names an OpenSpiel game that may read a file.

    >>> may_read_file("openspiel:efg_game(filename=my.efg)")
    True
    >>> may_read_file("openspiel:leduc_poker(players=2)")
    False
    """
    return is_openspiel_game(text) and _PATH.search(text) is not None


def is_gambit_file(text: str) -> bool:
    """Return whether a text names a Gambit file.

    >>> is_gambit_file("games/poker.efg"), is_gambit_file("leduc")
    (True, False)
    """
    return text.strip().lower().endswith(GAMBIT_SUFFIXES)
