"""The games that a page may name, each built once."""

from __future__ import annotations

from functools import lru_cache

from zerosum.explorer.file_access import refuse_file_names
from zerosum.problems.games.game_problem import GameProblem
from zerosum.problems.kinds import find_kind_by_name
from zerosum.problems.registry import problem
from zerosum.support.errors import ZerosumError

MAX_GAMES = 3
"""Games of the catalogue that are kept with what was built of them."""


class GameCache:
    """Games by name: for good those that the command line named, and the last few that the page asked for.

    >>> games = GameCache()
    >>> games.find_game("kuhn") is games.find_game("kuhn")
    True
    >>> games.find_game("my.py:Game")
    Traceback (most recent call last):
    zerosum.ZerosumError: games and rules in files are named on the command line only: zerosum explore my.py:Game
    """

    def __init__(self) -> None:
        self.custom: dict[str, GameProblem] = {}
        """Games in files, by the text that the command line had."""
        self._build_recent = lru_cache(MAX_GAMES)(_build_game)

    def allow_game(self, text: str) -> str:
        """Allow the page to name a game that the command line names, which may be in a file; return its name."""
        game = _build_game(text)
        try:
            refuse_file_names(text)
        except ZerosumError:
            self.custom[text] = game
        return text

    def find_game(self, text: str) -> GameProblem:
        """Return a game that the page names."""
        if text in self.custom:
            return self.custom[text]
        refuse_file_names(text)
        if find_kind_by_name(text) is not None:
            raise ZerosumError("pass the parts of a spot, not its name")
        return self._build_recent(text)


def _build_game(text: str) -> GameProblem:
    game = problem(text)
    assert isinstance(game, GameProblem)
    return game
