"""Any two-player game of OpenSpiel: `openspiel:leduc_poker`, `openspiel:goofspiel(num_cards=5)`.

A simultaneous game becomes turn-based. `openspiel-recall:` in front instead of `openspiel:` makes an infoset
of all that a player ever knew and did: it repairs games whose information states forget, such as goofspiel
with `imp_info=False`.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import sys
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from rue.errors import RueError, nearest
from rue.games.game import CHANCE, NOBODY, ONE, Action, Game

PREFIX = "openspiel:"
RECALL = "openspiel-recall:"

Memory = tuple[Hashable, ...]
State = tuple[Any, Memory, Memory]
"""OpenSpiel's state, and what each player remembers of its past infosets and actions."""


class Move(int):
    """OpenSpiel's number of an action, which prints as OpenSpiel's name of it."""

    text: str

    def __new__(cls, number: int, text: str) -> Move:
        move = super().__new__(cls, number)
        move.text = text
        return move

    def __str__(self) -> str:
        return self.text


class OpenSpiel(Game):
    """The rules of OpenSpiel's game `text`; with `recall` players forget nothing."""

    def __init__(self, text: str, recall: bool = False) -> None:
        self.recall = recall
        self.name = (RECALL if recall else PREFIX) + text
        self._game = _load(text)
        self._zero_sum = self._game.utility_sum() == 0

    def root(self) -> State:
        return self._game.new_initial_state(), (), ()

    def player(self, state: State) -> int:
        spiel = state[0]
        if spiel.is_terminal():
            return NOBODY
        return CHANCE if spiel.is_chance_node() else int(spiel.current_player())

    def chances(self, state: State) -> Sequence[tuple[Move, float]]:
        spiel = state[0]
        return [(_move(spiel, action), chance) for action, chance in spiel.chance_outcomes()]

    def actions(self, state: State) -> Sequence[Move]:
        spiel = state[0]
        return [_move(spiel, action) for action in spiel.legal_actions()]

    def child(self, state: State, action: Action) -> State:
        assert isinstance(action, int)
        spiel, one, two = state
        if self.recall and not spiel.is_chance_node():
            player = spiel.current_player()
            new = (spiel.information_state_string(player), int(action))
            one, two = ((*one, new), two) if player == ONE else (one, (*two, new))
        return spiel.child(int(action)), one, two

    def infoset(self, state: State) -> tuple[int, str, Memory]:
        spiel, one, two = state
        player = spiel.current_player()
        return player, spiel.information_state_string(player), one if player == ONE else two

    def payoff(self, state: State) -> float | tuple[float, float]:
        one, two = state[0].returns()
        return float(one) if self._zero_sum else (float(one), float(two))

    def describe(self, infoset: Hashable) -> str:
        """OpenSpiel's information state on one line; with `recall`, after the player's own past."""
        assert isinstance(infoset, tuple)
        player, text, memory = infoset
        past = [f"{_line(before)} -> {action}" for before, action in memory]
        return f"player {player}: {' | '.join([*past, _line(text)])}"


def make(text: str) -> OpenSpiel:
    """The game of a text that begins with `openspiel:` or `openspiel-recall:`."""
    prefix, _, rest = text.strip().partition(":")
    return OpenSpiel("".join(rest.split()), recall=f"{prefix}:" == RECALL)


def _move(spiel: Any, action: int) -> Move:
    return Move(action, spiel.action_to_string(spiel.current_player(), action))


def _load(text: str) -> Any:
    """OpenSpiel's game, turn-based, or a sentence why it cannot be solved here."""
    try:
        import pyspiel
    except ImportError:
        raise RueError('OpenSpiel is not installed; pip install "rue[openspiel]" brings it') from None
    if not text:
        raise RueError("openspiel: needs the name of a game, like openspiel:leduc_poker")
    if text.startswith("python_"):
        with contextlib.suppress(ImportError):
            importlib.import_module("open_spiel.python.games")  # registers the games written in Python
    try:
        with _quiet():
            game = pyspiel.load_game(text)
    except (pyspiel.SpielError, RuntimeError, ValueError) as error:
        name, known = text.partition("(")[0], pyspiel.registered_names()
        if name not in known:
            raise RueError(f"OpenSpiel has no game {name!r}; {_hint(name, known)}") from None
        reason = re.sub(r"^\S+\.(?:cc|h):\d+ ", "", (str(error).strip() or "no reason given").splitlines()[0])
        raise RueError(f"OpenSpiel cannot load {text!r}: {reason}") from None
    kind = game.get_type()
    if game.num_players() != 2:
        raise RueError(f"the players of OpenSpiel's {text} are {game.num_players()}; rue solves games of two")
    if kind.utility not in (pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.Utility.CONSTANT_SUM):
        raise RueError(f"OpenSpiel's {text} is not zero-sum or constant-sum; rue solves no other games")
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise RueError(f"OpenSpiel's {text} only samples its chance moves; rue needs their probabilities")
    if kind.dynamics not in (pyspiel.GameType.Dynamics.SEQUENTIAL, pyspiel.GameType.Dynamics.SIMULTANEOUS):
        raise RueError(f"OpenSpiel's {text} is a mean-field game; rue solves games of two players")
    if not kind.provides_information_state_string:
        raise RueError(f"OpenSpiel's {text} gives no information states, so its infosets are unknown")
    if kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        return pyspiel.convert_to_turn_based(game)
    return game


def _line(text: str) -> str:
    return ", ".join(line.strip() for line in text.splitlines() if line.strip())


def _hint(name: str, known: Sequence[str]) -> str:
    close = nearest(name, known)
    return close if close.startswith("did") else "its documentation lists the games it has"


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep OpenSpiel from printing its errors: they are raised as well."""
    try:
        sys.stderr.flush()
        kept = os.dup(2)
    except OSError:
        yield
        return
    try:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
