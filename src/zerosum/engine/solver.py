"""The base class of solvers: an algorithm on a form of a game, to iterate, evaluate, save and restore.

Only the thread that holds `solver.lock` may use a solver; the lock serves threads in the order in which they wait.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.choices import CustomRule
from zerosum.algorithms.kernel_rule import CUSTOM, OTHER, KernelRule
from zerosum.engine.sequence.best_response import Evaluation
from zerosum.support.array_file import ArrayFile, SplitArray
from zerosum.support.errors import ZerosumError
from zerosum.support.text import mask_control_characters
from zerosum.support.thread_safety import FairLock
from zerosum.support.validation import check_whole_number

State = Mapping[str, NDArray[Any]]
"""Arrays by name; those of a player end in its number, 0 or 1."""
Arrays = dict[str, NDArray[Any]]
CHUNK = 1 << 20
"""The numbers that are checked at a time, few enough to stay in the cache."""
MAX_COUNT = 2**62
"""The largest number of iterations or nodes that a kernel can count to."""
MAX_BATCH = 1 << 16
"""The iterations whose coefficients are held at a time: a long run takes no more memory than a short one."""
EXPONENT = np.uint16(0x7C00)
"""The bits of a 16-bit float that are all set where it is not finite."""


class Span(NamedTuple):
    """A part of an array of the state, which begins at the number `first`."""

    name: str
    first: int
    numbers: NDArray[Any]


class BaseSolver(ABC):
    """An algorithm on a form of a game; `horizon` is the number of iterations that schedules refer to."""

    kind: ClassVar[str]
    """The name of the format of saved runs."""
    sampled: ClassVar[bool] = False
    """Whether it samples histories, so that its clock counts the nodes touched."""
    discovers_game: ClassVar[bool] = False
    """Whether it discovers the game while it runs, so that nothing can be saved before the first iteration."""
    evaluation_seconds = 0.0
    """The estimated seconds of an evaluation in one thread (`zerosum.engine.time_costs`)."""
    max_batch: ClassVar[int] = MAX_COUNT
    """The largest number of iterations in a call of the kernel."""
    seed: int | None = None
    """The seed of its random numbers, if it draws any."""

    def __init__(self, form: Any, algorithm: Algorithm, horizon: int) -> None:
        self.form = form
        self.algorithm = algorithm
        self.horizon = horizon
        self.iteration = 0
        self.lock = FairLock()

    def __repr__(self) -> str:
        game = getattr(self.form, "name", type(self.form).__name__)
        text = f"{game}, {self.algorithm.name}: {self.iteration:,} iterations"
        return mask_control_characters(f"{type(self).__name__}({' '.join(text.split())})")

    @property
    def nodes(self) -> int | None:
        """The nodes touched so far; None if they are not counted."""
        return None

    @property
    def work_seconds(self) -> float:
        """The estimated seconds of the run so far in one thread; from constants, so that it is reproducible."""
        return 0.0

    @property
    def bytes(self) -> int | None:
        """The memory of the solver; None if it is not counted."""
        return None

    @property
    def rounding(self) -> float:
        """An exploitability that rounding the last digit of a payoff can cause."""
        return float(np.finfo(float).eps * self.form.largest_payoff)

    @property
    def is_full(self) -> bool:
        """Whether the memory is used up, so that the run must end."""
        return False

    def load_kernels(self) -> None:
        """Load the compiled code, or compile it, without an iteration."""

    def run(self, iterations: int, nodes: float | None = None) -> None:
        """Run a number of iterations; a sampled run stops earlier once `nodes` nodes have been touched in total."""
        if iterations is None:
            raise ZerosumError("iterations is None: give the number of iterations to run")
        check_whole_number("iterations", iterations, least=0, floats=True)
        check_whole_number("nodes", nodes, least=0, floats=True)
        remaining, max_nodes = int(iterations), None if nodes is None else min(int(nodes), MAX_COUNT)
        while remaining > 0:
            self._run(min(remaining, self.max_batch), max_nodes)
            remaining -= self.max_batch

    @abstractmethod
    def _run(self, iterations: int, nodes: int | None) -> None:
        """Run a batch of iterations, with checked arguments."""

    @abstractmethod
    def evaluate(self) -> Evaluation | None:
        """Return the value and the exploitability of the average strategies; None if they cannot be computed."""

    @abstractmethod
    def averages(self) -> tuple[Any, Any]:
        """Return the accumulated averages of both players, in the order in which the form stores them."""

    @abstractmethod
    def state(self) -> Arrays:
        """Return the arrays that the next iteration starts from: all that a run cannot compute again."""

    @abstractmethod
    def restore(self, state: State, iteration: int) -> None:
        """Continue from the `state()` of a solver of the same algorithm and game after `iteration` iterations."""

    @property
    def state_bytes(self) -> int:
        """The bytes of the state."""
        return sum(array.nbytes for array in self.state().values())

    def collect_state(self, file: Path) -> Mapping[str, NDArray[Any] | SplitArray]:
        """Return the state to write to a run's file; workers have written parts of it to other files beside it."""
        return self.state()

    def mark_saved(self, file: Path) -> None:
        """Note that the present state has been written to a run's file."""

    def load_saved(self, saved: ArrayFile, iteration: int) -> None:
        """Continue from the state of a saved run."""
        self.restore(saved.read_arrays(), iteration)

    def static_arrays(self) -> Arrays:
        """Return the constant arrays that are needed to read a strategy."""
        return {}

    def display_arrays(self) -> Arrays:
        """Return the arrays that are needed to read a strategy, change over the run and are not in the state."""
        return {}

    def describe_game(self) -> dict[str, Any]:
        """Return the facts about the game that a saved run holds."""
        form = self.form
        sizes = {"name": form.name, "infosets": form.infosets, "sequences": form.sequences, "bytes": self.bytes}
        return {**sizes, "fingerprint": form.fingerprint}

    @abstractmethod
    def describe_decision_at(self, name: str, index: int) -> str:
        """Return the decision that a number of the state belongs to."""

    def iterate_spans(self) -> Iterable[Span]:
        """Return the parts of the state that this solver holds."""
        return [Span(name, 0, array) for name, array in self.state().items()]

    def check_finite(self) -> None:
        """Refuse to continue with numbers that are not finite; the message names the iteration and the decision.

        The regret and the memory of a user-defined rule may hold any numbers.
        """
        unchecked = ("memory", "regret") if isinstance(self.algorithm.accumulate, CustomRule) else ()
        for name, first, numbers in self.iterate_spans():
            index = None if name.rstrip("01") in unchecked else find_non_finite(numbers)
            if index is not None:
                raise ZerosumError(
                    f"{self.algorithm.name} on {self.form.name} is no longer finite at iteration {self.iteration}: "
                    f"{name.rstrip('01')} at {self.describe_decision_at(name, first + index)}"
                )


def copy_arrays(live: State, saved: State) -> None:
    """Copy saved arrays into those of a solver; refuse arrays of another shape or dtype.

    >>> state = {"regret0": np.zeros(2)}
    >>> copy_arrays(state, {"regret0": np.array([1.0, 2.0])})
    >>> state["regret0"].tolist()
    [1.0, 2.0]
    """
    for name, array in live.items():
        source = saved.get(name)
        if source is None:
            raise ZerosumError(f"the saved state has no {name}")
        if source.shape != array.shape or source.dtype != array.dtype:
            saved_type, live_type = f"{source.dtype}{source.shape}", f"{array.dtype}{array.shape}"
            raise ZerosumError(f"the saved {name} does not fit: {saved_type}, not {live_type}")
    for name, array in live.items():
        array[...] = saved[name]


def find_non_finite(array: NDArray[Any]) -> int | None:
    """Return the index of the first number that is not finite, if any; 16-bit floats are stored as unsigned integers.

    >>> find_non_finite(np.array([1.0, np.inf, np.nan])), find_non_finite(np.array([1.0]))
    (1, None)
    >>> find_non_finite(np.array([1.0, np.nan], dtype=np.float16).view(np.uint16))
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


def compile_kernel_rule(algorithm: Algorithm, dtype: Any) -> KernelRule:
    """Return the choices of an algorithm for kernels that compute with a dtype.

    User-defined rules, and those that few runs use, are compiled separately; their compiler is loaded only for them.
    """
    rule = algorithm.kernel_rule
    if rule.accumulate in (CUSTOM, OTHER) or rule.match == OTHER:
        from zerosum.engine.updates.custom_rule import compile_rule

        return compile_rule(algorithm, dtype)
    return rule
