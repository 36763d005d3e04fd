"""What a solver would need to go on: its arrays by name, put back, and checked for numbers that are not finite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.choices import Custom
from rue.errors import RueError

State = Mapping[str, NDArray[Any]]
"""Arrays by name; those of a player end in its number, 0 or 1."""
CHUNK = 1 << 20
"""Numbers that are checked at a time, so that they stay in the cache."""
EXPONENT = np.uint16(0x7C00)
"""The bits of a 16-bit float that are all set where it is not finite."""


class Named(Protocol):
    """A game in some form."""

    @property
    def name(self) -> str:
        """What the game is called."""


class Stateful(Protocol):
    """A solver that can be saved and can go on."""

    iteration: int
    algorithm: Algorithm

    @property
    def form(self) -> Named:
        """The game."""

    def state(self) -> dict[str, NDArray[Any]]:
        """The arrays that the next iteration starts from: all that a run cannot compute again."""

    def restore(self, state: State, iteration: int) -> None:
        """Take up a state that `state` gave after so many iterations of the same algorithm on the same game."""

    def where(self, name: str, index: int) -> str:
        """Which decision a number of the state belongs to."""


def fill(live: State, saved: State) -> None:
    """Copy saved arrays into those of a solver; what does not fit is refused with a sentence.

    >>> into = {"regret0": np.zeros(2)}
    >>> fill(into, {"regret0": np.array([1.0, 2.0])})
    >>> into["regret0"].tolist()
    [1.0, 2.0]
    """
    for name, array in live.items():
        found = saved.get(name)
        if found is None:
            raise RueError(f"the saved state has no {name}")
        if found.shape != array.shape or found.dtype != array.dtype:
            raise RueError(f"the saved {name} does not fit: {found.dtype}{found.shape}, not {array.dtype}{array.shape}")
    for name, array in live.items():
        array[...] = saved[name]


def check_finite(solver: Stateful, state: State) -> None:
    """Refuse to go on with numbers that are not finite: says at which iteration and where.

    A rule of one's own may keep what it likes in its memory and its regret.
    """
    own = ("memory", "regret") if isinstance(solver.algorithm.accumulate, Custom) else ()
    for name, array in state.items():
        index = None if name.rstrip("01") in own else first_not_finite(array)
        if index is not None:
            raise RueError(
                f"{solver.algorithm.name} on {solver.form.name} is no longer finite at iteration {solver.iteration}: "
                f"{name.rstrip('01')} at {solver.where(name, index)}"
            )


def first_not_finite(array: NDArray[Any]) -> int | None:
    """Where an array has its first number that is not finite; 16-bit floats are stored as whole numbers.

    >>> first_not_finite(np.array([1.0, np.inf, np.nan])), first_not_finite(np.array([1.0]))
    (1, None)
    >>> first_not_finite(np.array([1.0, np.nan], dtype=np.float16).view(np.uint16))
    1
    """
    if array.dtype.kind != "f" and array.dtype != np.uint16:
        return None
    flat = array.reshape(-1)
    for start in range(0, flat.size, CHUNK):
        part = flat[start : start + CHUNK]
        fine = (part & EXPONENT) != EXPONENT if part.dtype == np.uint16 else np.isfinite(part)
        if not fine.all():
            return start + int(np.argmin(fine))
    return None
