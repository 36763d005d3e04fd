"""What every problem can do with locks: name them, find their strategies, save them, tell their price."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from rue.algorithms.algorithm import Algorithm
from rue.errors import RueError
from rue.once import cached_property
from rue.problems.locks import EVERYWHERE, LocksLike, Reader, identity, read_files, split
from rue.results.price import LockPrice
from rue.results.result import LOCKED_AT, Result

if TYPE_CHECKING:
    from rue.problems.problem import Problem, Saved

MOST_TOLD = 40
"""Characters of the place of a lock in a name."""
Solve = Callable[["Problem"], Result]
"""Solves a problem as the run that asks for it would."""


class Lockable(ABC):
    """A problem some of whose decisions may be locked: see `rue.problems.locks`.

    The locks are asked for, then their files are read, then, once the form is built, they are settled: the strategies
    are known. Saved runs hold what was settled.

    >>> import rue
    >>> rue.problem("kuhn", locks="K|: check 100%").name
    'kuhn, locked at K|'
    """

    asked: LocksLike | None = None
    """What is to be fixed instead of learned, as it was asked for."""
    locks: tuple[str, ...] = ()
    """The same in words."""
    unlocked: Any = None
    """The solution without locks: a result, a file that holds one, or True if it is to be solved first."""
    price: LockPrice | None = None
    """What the locks cost, if the solution without them is known."""

    @property
    @abstractmethod
    def bare_name(self) -> str:
        """What it is called without its locks."""

    @property
    def name(self) -> str:
        """What it is called."""
        if not self.locks:
            return self.bare_name
        place = split(self.locks[0])[0] if len(self.locks) == 1 else f"{len(self.locks)} places"
        place = "what a file says" if place == EVERYWHERE else place
        return f"{self.bare_name}{LOCKED_AT}{place if len(place) <= MOST_TOLD else '1 place'}"

    @property
    def fingerprint(self) -> str:
        """A hash of what the name alone does not say."""
        return digest(self.lock_identity) if self.locks else ""

    @cached_property
    def lock_identity(self) -> tuple[Any, ...]:
        """What tells the locks from others, once their files are read."""
        return self.locks, identity(self.asked, self.unlocked)

    def check_locks(self, algorithm: Algorithm) -> None:
        """Refuse an algorithm that does not honour locks."""
        if self.locks and algorithm.sampling is not None:
            raise RueError(
                f"{algorithm.name} samples, and a locked game is solved by walking all of it: choose another algorithm"
            )

    def read_files(self, reader: Reader) -> None:
        """Read the files that the locks name, and the one that holds the solution without them."""
        self.asked = read_files(self.asked, reader)
        if isinstance(self.unlocked, str | Path | Mapping):
            self.unlocked = reader(self.unlocked)
        vars(self).pop("lock_identity", None)

    def settle(self, solve: Solve | None = None) -> None:
        """Find the strategies of the locks, once; the form is built for that. `solve` finds the solution without locks
        where that is needed and not known."""

    def without_locks(self) -> Any:
        """The same problem without its locks, on the same form."""
        return self

    def known_unlocked(self, solve: Solve | None) -> Any:
        """The solution without locks; None if it is neither known nor asked for. It is needed once."""
        assert self.lock_identity
        if self.unlocked is True:
            if solve is None:
                raise RueError("the solution without locks is not known: name it (--unlocked, unlocked=)")
            self.unlocked = solve(self.without_locks())
        return self.unlocked or None

    def settled(self) -> dict[str, NDArray[Any]]:
        """The strategies of the locks as arrays, for a saved run."""
        return {}

    def take_up(self, saved: Saved) -> None:
        """Take up the locks of a saved run; runs of earlier versions had none."""
        self.locks, self.price = saved_locks(saved.header)

    def lock_data(self) -> dict[str, Any]:
        """The locks in words, ready for JSON."""
        return {"locks": list(self.locks)} if self.locks else {}

    def told(self) -> dict[str, Any]:
        """What a saved run tells of the locks beside the numbers of its solver."""
        return {"name": self.name, "price": None if self.price is None else self.price.before()} if self.locks else {}


def saved_locks(header: Mapping[str, Any]) -> tuple[tuple[str, ...], LockPrice | None]:
    """What was locked in a saved run, in words, and what that costs."""
    locks = tuple(header.get("locks") or ())
    if not all(isinstance(text, str) for text in locks):
        raise ValueError("its locks are not texts")
    return locks, LockPrice.of(header["numbers"].get("price"))


def lock_fields(locks: tuple[str, ...], price: LockPrice | None, numbers: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a result that say what was locked, and what that costs; the other numbers have the value."""
    value = numbers["value"]
    known = None if price is None else price.after((value, -value - numbers.get("rake", 0.0)))
    return {"locks": locks, "price": known}


def digest(content: Any) -> str:
    """A hash of whatever has a readable text."""
    return hashlib.blake2b(repr(content).encode(), digest_size=16).hexdigest()
