"""The rules of a game, and the name or the file that they come from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.games.catalogue import check_is_game, create_game
from zerosum.games.external_names import is_gambit_file, may_read_file
from zerosum.games.game import Game
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.user_modules import fingerprint_named_file, names_python_object
from zerosum.support.validation import path_as_text

GameLike = str | Path | Game | SequenceForm
"""A name like `leduc(suits=3)`, a file, rules, or a game already compiled."""


class GameSource:
    """The rules of a game, and the text that names them, if any; a game already compiled has neither.

    >>> source = GameSource("leduc( suits=3 )")
    >>> source.text, source.rules.name
    ('leduc( suits=3 )', 'leduc(suits=3)')
    """

    def __init__(self, game: GameLike) -> None:
        game = path_as_text(game)
        if not isinstance(game, str | SequenceForm):
            check_is_game(game)
        self.text = game if isinstance(game, str) else None
        self.rules: Any = (
            create_game(game) if isinstance(game, str) else None if isinstance(game, SequenceForm) else game
        )

    def __getstate__(self) -> dict[str, Any]:
        """The state for another process: a name, from which it builds the rules, or the rules."""
        return {"text": self.text, "rules": None if self.text is not None else self.rules}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.text, self.rules = state["text"], state["rules"] if state["text"] is None else create_game(state["text"])

    @property
    def name(self) -> str:
        """The name of the rules."""
        return getattr(self.rules, "name", str(self.rules))

    @property
    def file_fingerprint(self) -> str | None:
        """A hash of the file that the game is named by; None if it is named otherwise."""
        if self.text is None:
            return None
        return self.rules.fingerprint if is_gambit_file(self.text) else fingerprint_named_file(self.text)


def resolve_saved_game(header: Mapping[str, Any], game: GameLike | None) -> GameLike:
    """Return the game of a saved run; a Python file must be named again, as `game`, to be run."""
    text, name = header["game"], header["numbers"]["name"]
    if game is not None:
        return game
    if not isinstance(text, str):
        raise ZerosumError(f"this run plays {name}, whose game was passed as an object: pass it again (game=)")
    if names_python_object(text):
        raise ZerosumError(
            f"this run plays {text}, a file of Python, which is run only if you name it ({option_name('game', text)})"
        )
    if is_gambit_file(text) or may_read_file(text):
        raise ZerosumError(
            f"this run plays {text}, a file, which is read only if you name it ({option_name('game', text)})"
        )
    return text
