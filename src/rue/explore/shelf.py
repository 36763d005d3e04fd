"""The games that a page may name: made once, as long as they are wanted."""

from __future__ import annotations

import threading

from rue.errors import RueError
from rue.explore.allowed import refuse_files
from rue.names import names_spot
from rue.problems.find import problem
from rue.problems.game import GameProblem

RECENT = 3
"""Games of the catalogue that are kept with what was built of them."""


class Shelf:
    """Games by name: those that the command line named, for good, and the last few that the page asked for.

    >>> shelf = Shelf()
    >>> shelf.find("kuhn") is shelf.find("kuhn")
    True
    >>> shelf.find("my.py:Game")
    Traceback (most recent call last):
    rue.errors.RueError: games and rules in files are named on the command line only: rue explore my.py:Game
    """

    def __init__(self) -> None:
        self.own: dict[str, GameProblem] = {}
        """Games in files of one's own, by the text that the command line had."""
        self._recent: dict[str, GameProblem] = {}
        self._lock = threading.Lock()

    def admitted(self, text: str) -> str:
        """The name of a game that the command line names: any, files included."""
        found = _game(text)
        try:
            refuse_files(text)
        except RueError:
            self.own[text] = found
        return text

    def find(self, text: str) -> GameProblem:
        """A game that the page names."""
        if text in self.own:
            return self.own[text]
        refuse_files(text)
        if names_spot(text):
            raise RueError("a spot is given by its parts, not by a name")
        with self._lock:
            found = self._recent.pop(text, None)
        found = _game(text) if found is None else found
        with self._lock:
            self._recent[text] = found
            while len(self._recent) > RECENT:
                del self._recent[next(iter(self._recent))]
        return found


def _game(text: str) -> GameProblem:
    found = problem(text)
    assert isinstance(found, GameProblem)
    return found
