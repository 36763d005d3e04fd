"""Which texts name a game of OpenSpiel or a file of Gambit: known without loading their readers."""

from __future__ import annotations

import re

OPENSPIEL_PREFIX = "openspiel:"
"""What the name of a game of OpenSpiel begins with."""
GAMBIT_SUFFIXES = (".efg", ".nfg")
_PATH = re.compile(r"(?:file|root)\w*\s*=|[/\\~]", re.IGNORECASE)


def is_openspiel_game(text: str) -> bool:
    """Whether a text names a game of OpenSpiel."""
    return text.strip().startswith(OPENSPIEL_PREFIX)


def may_read_file(text: str) -> bool:
    """Whether a text names a game of OpenSpiel that may read a file.

    >>> may_read_file("openspiel:efg_game(filename=my.efg)")
    True
    >>> may_read_file("openspiel:leduc_poker(players=2)")
    False
    """
    return is_openspiel_game(text) and _PATH.search(text) is not None


def is_gambit_file(text: str) -> bool:
    """Whether a text names a file of Gambit's.

    >>> is_gambit_file("games/poker.efg"), is_gambit_file("leduc")
    (True, False)
    """
    return text.strip().lower().endswith(GAMBIT_SUFFIXES)
