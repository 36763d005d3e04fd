"""The interface of a game: states, players, actions, chance, infosets, payoffs.

The rules of a game are one class with seven short methods over states, which may be any immutable values. Nothing in
this package knows about arrays, strategies or solvers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any

ONE = 0
"""The first player."""
TWO = 1
"""The second player."""
CHANCE = 2
"""A chance move: `chances` returns the outcomes and their probabilities."""
TERMINAL = 3
"""The game is over: `payoff` returns the payoffs."""

Action = Hashable
State = Any


class Game(ABC):
    """The rules of a two-player game of perfect recall.

    A state is any immutable value; an action is any hashable value with a readable `str`. A simultaneous move is
    written as two moves, where the second player's infoset hides the first player's choice.

    >>> class MatchingPennies(Game):
    ...     def root(self): return ()
    ...     def player(self, state): return (ONE, TWO, TERMINAL)[len(state)]
    ...     def actions(self, state): return ("heads", "tails")
    ...     def child(self, state, action): return (*state, action)
    ...     def infoset(self, state): return ("I choose", "you choose")[len(state)]
    ...     def payoff(self, state): return 1.0 if state[0] == state[1] else -1.0
    >>> MatchingPennies().player(())
    0
    """

    name: str
    """The name of the game: the text that it was created from, such as `leduc(suits=3)`, else that of its class."""
    memory_bytes: int = 0
    """Approximate memory of the rules, if they hold a tree or a library."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in cls.__dict__:
            cls.name = cls.__name__

    @abstractmethod
    def root(self) -> State:
        """Return the state before anything has happened."""

    @abstractmethod
    def player(self, state: State) -> int:
        """Return the player to move: `ONE`, `TWO`, `CHANCE`, or `TERMINAL` when the game is over."""

    def chances(self, state: State) -> Sequence[tuple[Action, float]]:
        """Return the outcomes of a chance move with their probabilities, which sum to one."""
        raise ValueError(f"{self} has a chance move at {state!r} but its rules give no chances")

    @abstractmethod
    def actions(self, state: State) -> Sequence[Action]:
        """Return the actions of the player to move: the same in every state of an infoset, in the same order."""

    @abstractmethod
    def child(self, state: State, action: Action) -> State:
        """Return the state after a player's action or an outcome of chance."""

    @abstractmethod
    def infoset(self, state: State) -> Hashable:
        """Return the information of the player to move, who cannot distinguish states with equal values."""

    @abstractmethod
    def payoff(self, state: State) -> float | tuple[float, float]:
        """Return the first player's payoff at the end; in a constant-sum game, the payoffs of both players."""

    def describe(self, infoset: Hashable) -> str:
        """Return an infoset in words; never an empty text."""
        return str(infoset)

    def __str__(self) -> str:
        return self.name
