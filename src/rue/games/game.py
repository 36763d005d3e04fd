"""What a game is: a root, who moves, which actions, what follows, what each player sees, what it pays.

The rules of a game are one class with seven short methods over states of its own choosing (any immutable
value). Nothing here knows about arrays, strategies or solvers.
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
"""Nature moves: `chances` gives the outcomes and their probabilities."""
NOBODY = 3
"""The game is over: `payoff` gives what the players get."""

Action = Hashable
State = Any


class Game(ABC):
    """The rules of a two-player game of perfect recall.

    A state is anything immutable; an action is anything hashable whose `str` a person can read. A
    simultaneous move is written as two moves, the second player's infoset hiding the first player's choice.

    >>> class MatchingPennies(Game):
    ...     def root(self): return ()
    ...     def player(self, state): return (ONE, TWO, NOBODY)[len(state)]
    ...     def actions(self, state): return ("heads", "tails")
    ...     def child(self, state, action): return (*state, action)
    ...     def infoset(self, state): return ("I choose", "you choose")[len(state)]
    ...     def payoff(self, state): return 1.0 if state[0] == state[1] else -1.0
    >>> MatchingPennies().player(())
    0
    """

    name: str
    """What a person calls this game: `leduc(suits=3)` when it was made from that text, else its class."""
    held_bytes: int = 0
    """About how much memory the rules take themselves, if they hold a tree or a library."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in cls.__dict__:
            cls.name = cls.__name__

    @abstractmethod
    def root(self) -> State:
        """The state before anything has happened."""

    @abstractmethod
    def player(self, state: State) -> int:
        """Whose move it is: `ONE`, `TWO`, `CHANCE`, or `NOBODY` when the game is over."""

    def chances(self, state: State) -> Sequence[tuple[Action, float]]:
        """The outcomes of a chance move with their probabilities, which sum to one."""
        raise ValueError(f"{self} has a chance move at {state!r} but its rules give no chances")

    @abstractmethod
    def actions(self, state: State) -> Sequence[Action]:
        """The actions of the player to move: the same in every state of an infoset, in the same order."""

    @abstractmethod
    def child(self, state: State, action: Action) -> State:
        """The state after a player's action or an outcome of chance."""

    @abstractmethod
    def infoset(self, state: State) -> Hashable:
        """What the player to move knows: equal values cannot be told apart by that player."""

    @abstractmethod
    def payoff(self, state: State) -> float | tuple[float, float]:
        """What the first player gets at the end, or a pair when the game is only constant-sum."""

    def describe(self, infoset: Hashable) -> str:
        """An infoset as a person reads it; never empty."""
        return str(infoset)

    def __str__(self) -> str:
        return self.name
