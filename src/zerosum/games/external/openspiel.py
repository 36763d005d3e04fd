"""Any two-player game of OpenSpiel: `openspiel:leduc_poker`, `openspiel:goofspiel(num_cards=5)`.

A simultaneous game becomes turn-based. Some of OpenSpiel's information states forget, such as those of
goofspiel with `imp_info=False`: they are passed on as they are.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import sys
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from zerosum.games.game import CHANCE, TERMINAL, Action, Game
from zerosum.support.errors import ZerosumError, missing_extra_error, suggest_names

State = Any
"""A state of OpenSpiel."""


class OpenSpielAction(int):
    """An action of OpenSpiel: its number, printed as its name."""

    text: str

    def __new__(cls, number: int, text: str) -> OpenSpielAction:
        action = super().__new__(cls, number)
        action.text = text
        return action

    def __str__(self) -> str:
        return self.text


class OpenSpielGame(Game):
    """The rules of a game of OpenSpiel, such as `openspiel:leduc_poker` or `openspiel:liars_dice(dice_sides=4)`."""

    memory_bytes = 20 << 20

    def __init__(self, text: str) -> None:
        prefix, _, text = text.strip().partition(":")
        text = re.sub(r"\s*([(),=])\s*", r"\1", " ".join(text.split()))
        self.name = f"{prefix}:{text}"
        self._game = _load_turn_based(text)
        self._zero_sum = self._game.utility_sum() == 0

    def root(self) -> State:
        return self._game.new_initial_state()

    def player(self, state: State) -> int:
        if state.is_terminal():
            return TERMINAL
        return CHANCE if state.is_chance_node() else int(state.current_player())

    def chances(self, state: State) -> Sequence[tuple[OpenSpielAction, float]]:
        return [(_make_action(state, action), chance) for action, chance in state.chance_outcomes()]

    def actions(self, state: State) -> Sequence[OpenSpielAction]:
        return [_make_action(state, action) for action in state.legal_actions()]

    def child(self, state: State, action: Action) -> State:
        assert isinstance(action, int)
        return state.child(int(action))

    def infoset(self, state: State) -> tuple[int, str]:
        player = state.current_player()
        return player, state.information_state_string(player)

    def payoff(self, state: State) -> float | tuple[float, float]:
        first, second = state.returns()
        return float(first) if self._zero_sum else (float(first), float(second))

    def describe(self, infoset: Hashable) -> str:
        assert isinstance(infoset, tuple)
        player, text = infoset
        return f"player {player + 1}: {', '.join(line.strip() for line in text.splitlines() if line.strip())}"

    def information_state(self, history: str) -> str | None:
        """Return the information state after action numbers like `0, 1, 2`, as OpenSpiel writes histories, if any."""
        state = self._game.new_initial_state()
        for word in history.split(","):
            number = word.strip()
            if not number.isdecimal() or len(number) > 18 or state.is_terminal():
                return None
            if int(number) not in state.legal_actions():
                return None
            state.apply_action(int(number))
        if state.is_terminal() or state.is_chance_node():
            return None
        return str(state.information_state_string(state.current_player()))


def _make_action(state: State, number: int) -> OpenSpielAction:
    return OpenSpielAction(number, state.action_to_string(state.current_player(), number))


def _load_turn_based(text: str) -> Any:
    """Load OpenSpiel's game, turn-based; raise an error that says why it cannot be solved here."""
    try:
        import pyspiel
    except ImportError:
        raise missing_extra_error("a game of OpenSpiel", "openspiel") from None
    if not text:
        raise ZerosumError("openspiel: needs the name of a game, like openspiel:leduc_poker")
    if text.startswith("python_"):
        with contextlib.suppress(ImportError):
            importlib.import_module("open_spiel.python.games")  # registers the games written in Python
    try:
        with _silence_stderr():
            game = pyspiel.load_game(text)
    except Exception as error:  # OpenSpiel raises errors of many kinds
        name, names = text.partition("(")[0], pyspiel.registered_names()
        if name not in names:
            close = suggest_names(name, names)
            hint = close if close.startswith("did") else "its documentation lists the games it has"
            raise ZerosumError(f"OpenSpiel has no game {name!r}; {hint}") from None
        reason = re.sub(r"^\S+\.(?:cc|h):\d+ ", "", (str(error).strip() or "no reason given").splitlines()[0])
        raise ZerosumError(f"OpenSpiel cannot load {text!r}: {reason}") from None
    kind = game.get_type()
    if game.num_players() != 2:
        raise ZerosumError(f"OpenSpiel's {text} has {game.num_players()} players, and zerosum solves games of two")
    reason = _explain_unsupported(kind)
    if reason:
        raise ZerosumError(f"OpenSpiel's {text} {reason}")
    if kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        return pyspiel.convert_to_turn_based(game)
    return game


def _explain_unsupported(kind: Any) -> str:
    """Return why a game of OpenSpiel's cannot be solved, whatever its parameters; empty if it can."""
    import pyspiel

    if kind.utility not in (pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.Utility.CONSTANT_SUM):
        return "is not zero-sum or constant-sum; zerosum solves no other games"
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        return "only samples its chance moves; zerosum needs their probabilities"
    if kind.dynamics not in (pyspiel.GameType.Dynamics.SEQUENTIAL, pyspiel.GameType.Dynamics.SIMULTANEOUS):
        return "is a mean-field game; zerosum solves games of two players"
    if not kind.provides_information_state_string:
        return "gives no information states, so its infosets are unknown"
    return ""


def list_solvable_games() -> list[str]:
    """Return the names of the OpenSpiel games that can be solved if they fit; none if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return []
    return [
        kind.short_name
        for kind in pyspiel.registered_games()
        if kind.default_loadable
        and kind.min_num_players <= 2 <= kind.max_num_players
        and not _explain_unsupported(kind)
    ]


@contextlib.contextmanager
def _silence_stderr() -> Iterator[None]:
    """Keep OpenSpiel from printing its errors: they are raised as well."""
    try:
        sys.stderr.flush()
        stderr_copy = os.dup(2)
    except OSError:
        yield
        return
    try:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(stderr_copy, 2)
        os.close(stderr_copy)
