"""The part of a problem that fixes some of its decisions: its locks, their strategies and their cost."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from zerosum.algorithms.algorithm import Algorithm
from zerosum.results.result import LOCKED_AT, Result
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.thread_safety import cached_property

if TYPE_CHECKING:
    from zerosum.problems.locks import LocksLike, Reader
    from zerosum.problems.problem import Problem
    from zerosum.results.lock_cost import LockPrice
    from zerosum.runs.saved_run import SavedRun

MAX_PLACE_LENGTH = 40
"""Characters of the place of a lock in the name of a problem."""
SolveFunction = Callable[["Problem"], Result]
"""Solves a problem as the run that asks for it would."""


class LockSet(ABC):
    """The locks of a problem: see `zerosum.problems.locks`.

    They are requested, then their files are read, then, once the form is built, they are resolved: their strategies are
    arrays from then on, which saved runs hold. It is true if anything is locked.

    >>> import zerosum
    >>> zerosum.problem("kuhn", locks="K|: check 100%").name
    'kuhn, locked at K|'
    """

    def __init__(self, requested: LocksLike | None, unlocked: Any) -> None:
        self.requested, self.unlocked = requested, unlocked
        """The strategies to fix, and the solution without them: a result, a file with one, or True to solve it."""
        self.texts: tuple[str, ...] = ()
        """The locks as texts."""
        self.cost: LockPrice | None = None
        """The cost of the locks, if the solution without them is known."""
        self._strategies: Any = None
        """The strategies to fix, once they are resolved."""

    def __bool__(self) -> bool:
        return bool(self.texts)

    @property
    def name_suffix(self) -> str:
        """The end of the name of a locked problem."""
        from zerosum.problems.locks import EVERYWHERE, split_lock

        place = split_lock(self.texts[0])[0] if len(self.texts) == 1 else f"{len(self.texts)} places"
        place = "what a file says" if place == EVERYWHERE else place
        return f"{LOCKED_AT}{place if len(place) <= MAX_PLACE_LENGTH else '1 place'}"

    @cached_property
    def identity(self) -> tuple[Any, ...]:
        """The content that distinguishes these locks from others, once their files are read."""
        from zerosum.problems.locks import identify_sources

        return self.texts, identify_sources(self.requested, self.unlocked)

    def check_algorithm(self, algorithm: Algorithm) -> None:
        """Raise an error for an algorithm that does not support locks."""
        if self and algorithm.sampling is not None:
            raise ZerosumError(
                f"{algorithm.name} samples, and a locked game is solved by walking all of it: choose another algorithm"
            )

    def read_lock_files(self, reader: Reader) -> None:
        """Read the files that the locks name, and the one that holds the solution without them."""
        if self.requested is not None:
            from zerosum.problems.locks import read_lock_files

            self.requested = read_lock_files(self.requested, reader)
        if isinstance(self.unlocked, str | Path | Mapping):
            self.unlocked = reader(self.unlocked)
        vars(self).pop("identity", None)

    @abstractmethod
    def prepare_strategies(self, problem: Any, solve: SolveFunction | None = None) -> None:
        """Compute the strategies of the locks, once; the form is built for that.

        `solve` computes the solution without locks if it is needed and not known.
        """

    def compute_strategies(self, problem: Any) -> Any:
        """Return the strategies to fix, computed once."""
        self.prepare_strategies(problem)
        return self._strategies

    def take_unlocked_solution(self, problem: Problem, solve: SolveFunction | None) -> Any:
        """Return the solution without locks, or None if it is neither known nor wanted; used once."""
        assert self.identity
        if self.unlocked is True:
            if solve is None:
                raise ZerosumError(f"the solution without locks is not known: name it ({option_name('unlocked')})")
            self.unlocked = solve(problem.without_locks())
        solution, self.unlocked = self.unlocked or None, None
        return solution

    @abstractmethod
    def collect_arrays(self, problem: Any) -> dict[str, NDArray[Any]]:
        """Return the strategies of the locks as arrays, for a saved run."""

    def restore(self, problem: Any, saved: SavedRun) -> None:
        """Restore the locks of a saved run."""
        self.texts, self.cost = read_saved_locks(saved.header)

    def to_json(self) -> dict[str, Any]:
        """Return the locks as texts, ready for JSON."""
        return {"locks": list(self.texts)} if self else {}


def read_saved_locks(header: Mapping[str, Any]) -> tuple[tuple[str, ...], LockPrice | None]:
    """Return the locks of a saved run as texts, and their cost."""
    from zerosum.results.lock_cost import LockPrice

    locks = tuple(header.get("locks") or ())
    if not all(isinstance(text, str) for text in locks):
        raise ValueError("its locks are not texts")
    return locks, LockPrice.from_json(header["numbers"].get("price"))


def collect_lock_fields(locks: tuple[str, ...], cost: LockPrice | None, numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a result about locks and their cost; the other numbers hold the value."""
    value = numbers["value"]
    total = None if cost is None else cost.with_locked_values((value, -value - numbers.get("rake", 0.0)))
    return {"locks": locks, "price": total}


def hash_repr(content: Any) -> str:
    """Return a hash of the text that Python shows of a value."""
    return hashlib.blake2b(repr(content).encode(), digest_size=16).hexdigest()
