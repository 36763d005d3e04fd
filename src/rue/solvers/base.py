"""What all solvers share: an algorithm on a form of a game, which can be iterated, evaluated, saved and taken up.

A solver belongs to whoever has its turn: `with solver.turns:` keeps other threads from iterating or looking at it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.choices import Custom
from rue.checked import check_whole
from rue.container import Container, Pieces
from rue.errors import RueError
from rue.solvers.evaluate import Evaluation
from rue.turns import Turns
from rue.words import visible

State = Mapping[str, NDArray[Any]]
"""Arrays by name; those of a player end in its number, 0 or 1."""
Arrays = dict[str, NDArray[Any]]
CHUNK = 1 << 20
"""Numbers that are checked at a time, so that they stay in the cache."""
MOST = 2**62
"""Iterations and nodes that a kernel can count."""
AT_ONCE = 1 << 16
"""Iterations whose coefficients are held at a time, so that a long run takes no more memory than a short one."""
EXPONENT = np.uint16(0x7C00)
"""The bits of a 16-bit float that are all set where it is not finite."""


class BaseSolver(ABC):
    """An algorithm on a form. `horizon` is the number of iterations of the run, which schedules refer to."""

    kind: ClassVar[str]
    """What a saved run of such a solver is called."""
    sampled: ClassVar[bool] = False
    """Whether it walks a sample of the histories, so that nodes touched are its clock."""
    grows: ClassVar[bool] = False
    """Whether it learns what the game is while it runs, so that nothing can be saved before it has begun."""
    look_seconds = 0.0
    """About how long an evaluation takes one thread, by constants (`rue.solvers.costs`)."""
    most_at_once: ClassVar[int] = MOST
    """Iterations whose numbers are worked out together."""
    seed: int | None = None
    """Of its draws, if it makes any."""

    def __init__(self, form: Any, algorithm: Algorithm, horizon: int) -> None:
        self.form = form
        self.algorithm = algorithm
        self.horizon = horizon
        self.iteration = 0
        self.turns = Turns()

    def __repr__(self) -> str:
        """On one line."""
        game = getattr(self.form, "name", type(self.form).__name__)
        told = f"{game}, {self.algorithm.name}: {self.iteration:,} iterations"
        return visible(f"{type(self).__name__}({' '.join(told.split())})")

    @property
    def nodes(self) -> int | None:
        """The nodes touched so far; None where nobody counts."""
        return None

    @property
    def worked(self) -> float:
        """About how long the run so far took one thread, by the same constants and never by a clock."""
        return 0.0

    @property
    def bytes(self) -> int | None:
        """The memory it takes; None where nobody counts."""
        return None

    @property
    def rounding(self) -> float:
        """An exploitability that the last digit of a payoff makes."""
        return float(np.finfo(float).eps * self.form.largest_payoff)

    @property
    def full(self) -> bool:
        """Whether there is no memory left to go on."""
        return False

    def load(self) -> None:
        """Load the compiled code, or compile it, without an iteration."""

    def run(self, iterations: int, nodes: float | None = None) -> None:
        """Go on for a number of iterations, or, where nodes are the clock, until so many are touched in all."""
        if iterations is None:
            raise RueError("a run goes on for a number of iterations: say for how many")
        check_whole("iterations", iterations, least=0, floats=True)
        check_whole("nodes", nodes, least=0, floats=True)
        left, end = int(iterations), None if nodes is None else min(int(nodes), MOST)
        while left > 0:
            self._run(min(left, self.most_at_once), end)
            left -= self.most_at_once

    @abstractmethod
    def _run(self, iterations: int, nodes: int | None) -> None:
        """The same, for what is a number of iterations."""

    @abstractmethod
    def evaluate(self) -> Evaluation | None:
        """The value and the exploitability of the average strategies; None where they cannot be known."""

    @abstractmethod
    def averages(self) -> tuple[Any, Any]:
        """The accumulated averages of both players, in the order in which the form stores them."""

    @abstractmethod
    def state(self) -> Arrays:
        """The arrays that the next iteration starts from: all that a run cannot compute again."""

    @abstractmethod
    def restore(self, state: State, iteration: int) -> None:
        """Take up a state that `state` gave after so many iterations of the same algorithm on the same game."""

    @property
    def kept_bytes(self) -> int:
        """The bytes of the state."""
        return sum(array.nbytes for array in self.state().values())

    def kept(self, file: Path) -> Mapping[str, NDArray[Any] | Pieces]:
        """The state, to be written to a run's file; parts of it may lie in other files beside that one by now."""
        return self.state()

    def remember(self, file: Path) -> None:
        """The present state was written to a run's file."""

    def take_up(self, saved: Container, iteration: int) -> None:
        """Take up the state of a saved run."""
        self.restore(saved.arrays(), iteration)

    def fixed(self) -> Arrays:
        """Arrays that a strategy is read with and that stay the same over the run."""
        return {}

    def shown(self) -> Arrays:
        """Arrays that a strategy is read with, that change over the run and that are not in the state."""
        return {}

    def numbers(self) -> dict[str, Any]:
        """What a saved run tells of its game."""
        form = self.form
        found = {"name": form.name, "infosets": form.infosets, "sequences": form.sequences, "bytes": self.bytes}
        return {**found, "fingerprint": form.fingerprint}

    @abstractmethod
    def where(self, name: str, index: int) -> str:
        """Which decision a number of the state belongs to."""

    def check_finite(self) -> None:
        """Refuse to go on with numbers that are not finite: says at which iteration and where.

        A rule of one's own may keep what it likes in its memory and its regret.
        """
        for name, array in self.state().items():
            index = first_not_finite(array) if self.checked(name) else None
            if index is not None:
                raise self.not_finite(name, index)

    def checked(self, name: str) -> bool:
        """Whether the numbers of an array must be finite."""
        return not isinstance(self.algorithm.accumulate, Custom) or name.rstrip("01") not in ("memory", "regret")

    def not_finite(self, name: str, index: int) -> RueError:
        """The sentence about a number of an array that is not finite."""
        return RueError(
            f"{self.algorithm.name} on {self.form.name} is no longer finite at iteration {self.iteration}: "
            f"{name.rstrip('01')} at {self.where(name, index)}"
        )


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
