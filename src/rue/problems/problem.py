"""A problem: all that solving, comparing, resuming, judging and drawing need to know of what is to be solved."""

from __future__ import annotations

import math
import threading
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from numpy.typing import NDArray

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.catalogue import algorithm as named_algorithm
from rue.algorithms.choices import Theory
from rue.container import LazyArray
from rue.errors import RueError
from rue.problems.estimate import Estimate
from rue.problems.judge import Exploited, HeadToHead, Judging
from rue.problems.locked import Lockable
from rue.problems.start import Start
from rue.records import dataclass
from rue.results.page import one_line
from rue.results.points import Point
from rue.results.result import Result
from rue.results.said import PioText
from rue.results.strategy import Strategy
from rue.results.unit import Unit
from rue.solvers.base import BaseSolver
from rue.solvers.limits import Limits

if TYPE_CHECKING:
    from rue.problems.diff import Comparing, Diff
    from rue.problems.shared_estimate import Hire

FACTORS = tuple(10.0**power for power in range(1, 9))
"""Among which tuned step sizes are picked: spcfr, section 6, has the first three, which are enough where losses are not
scaled by the largest there can be."""

Tell = Callable[[str, int], None]
"""Told what is done and how many pieces of it are; it may raise an error to end the work."""
Written = Strategy | PioText | Result
"""A strategy that was given: in the words of a file, or as the result that it was found with."""


@dataclass(frozen=True)
class Reached:
    """Where a run stands, for its result."""

    curve: tuple[Point, ...]
    seconds: float
    stopped: str

    def numbers(self, at: BaseSolver | Saved) -> dict[str, Any]:
        """The fields of a result that follow from the last point of the curve; nan where there is none."""
        unknown = math.nan, math.nan, math.nan
        last = self.curve[-1] if self.curve else Point(at.iteration, self.seconds, *unknown, at.nodes)
        numbers = {**asdict(last), "iterations": last.iteration, "curve": self.curve, "stopped": self.stopped}
        del numbers["iteration"]
        return numbers


class Saved(Protocol):
    """A run on the disk, as far as a problem reads it."""

    header: dict[str, Any]
    kind: str
    iteration: int
    seed: int | None
    nodes: int | None
    reached: Reached
    code: str
    """The version of rue that saved it."""

    def array(self, name: str) -> NDArray[Any]:
        """One array of the file."""

    def lazy(self, name: str) -> LazyArray:
        """One array of the file, read as far as it is needed."""

    def has(self, name: str) -> bool:
        """Whether the file has an array."""

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """All arrays of the file."""

    def solve(self, problem: Problem, until: float, most: int) -> Result:
        """Solve another problem down to an exploitability, with so many iterations at most."""


class Problem(Lockable):
    """What is to be solved. It is built, which may take long, when it is first needed.

    >>> import rue
    >>> river = rue.problem("spot:river")
    >>> river.unit.told(13.0), river.algorithm().name
    ('13 chips, 0.5% of the pot, 130 mbb/g', 'dcfr(1.25, 0.5, 4)')
    """

    default: ClassVar[str]
    """The algorithm where none is named."""
    kinds: ClassVar[tuple[str, ...]]
    """The kinds of saved runs that such a problem has."""
    sized_ahead: ClassVar[bool] = False
    """Whether `estimate` needs nothing to be built."""
    judged: ClassVar[bool] = True
    """Whether the exploitability of a strategy can be known."""
    in_json: ClassVar[bool] = True
    """Whether a result can be saved as JSON."""
    built: ClassVar[tuple[str, ...]] = ("_lock", "_form")
    """What another process makes for itself, when it needs it."""

    def __repr__(self) -> str:
        """On one line."""
        return one_line(type(self).__name__, self.name)

    def __getstate__(self) -> dict[str, Any]:
        """The problem without what was built, for another process."""
        return {name: value for name, value in vars(self).items() if name not in self.built}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(dict.fromkeys(self.built) | state)
        self._lock = threading.Lock()

    payoffs: float = 1.0
    """What the payoffs of the game were multiplied by: see `scaled`."""

    @property
    def unit(self) -> Unit:
        """What its payoffs are measured in."""
        return Unit()

    @abstractmethod
    def build(self, tell: Tell | None = None, sampled: bool = False) -> Any:
        """The form that is solved, built once; `tell` hears how far that is and may end it by an error. `sampled` says
        that a run will sample its histories."""

    @abstractmethod
    def scaled(self, times: float) -> Problem:
        """The same problem with every payoff times a number: in exact arithmetic only the unit changes, so that runs on
        both show what rounding does. It shares the form, which is built."""

    def let_go(self) -> None:
        """Free the memory of the form; it is built again when it is needed."""

    @property
    def sizes(self) -> tuple[int, int]:
        """The infosets and the sequences of both players."""
        form = self.build()
        return form.infosets, form.sequences

    def algorithm(self, given: str | Algorithm | None = None) -> Algorithm:
        """An algorithm by its name, or the default; one that does not go with the problem is refused."""
        chosen = named_algorithm(self.default if given is None else given)
        self.check(chosen)
        return chosen

    def check(self, algorithm: Algorithm) -> None:
        """Refuse an algorithm that does not go with the problem."""
        self.check_locks(algorithm)

    def check_run(self, algorithm: Algorithm, limits: Limits, start: Start) -> None:
        """Refuse what means nothing together, before anything is built."""
        limits.horizon(algorithm)
        start.check(algorithm)

    def check_memory(self, algorithm: Algorithm, threads: int | None = None) -> None:
        """Refuse what does not fit the memory, if that can be told before it is built."""
        if self.sized_ahead:
            size = self.estimate(algorithm, threads)
            assert size is not None
            size.check()

    def check_look(self, asked: Mapping[str, str | None]) -> None:
        """Refuse a line that leads nowhere and hands that are not there, before solving."""
        for option, value in asked.items():
            if value is not None:
                why = f"is an option of hold'em, and {self.name} is another game"
                raise RueError(f"{option} (--{option}) {why}: use it with a spot")

    @abstractmethod
    def estimate(self, algorithm: Algorithm, threads: int | None = None, tell: Tell | None = None) -> Estimate | None:
        """What solving it would take; None where nothing can be told before it is built. `tell` hears how far it is."""

    def expected_bytes(self, algorithm: Algorithm) -> int | None:
        """About what a solver takes, if that can be told before anything is built."""
        size = self.estimate(algorithm, 1) if self.sized_ahead else None
        return None if size is None else size.bytes

    def load(self, algorithm: Algorithm) -> None:
        """Load or compile what a solver's own `load` would leave for its first evaluation."""

    @abstractmethod
    def _solver(self, algorithm: Algorithm, limits: Limits, start: Start) -> BaseSolver:
        """The solver of a run."""

    def solver(self, algorithm: Algorithm, limits: Limits, start: Start | None = None) -> BaseSolver:
        """The solver of a run, its step sizes tuned if that is wanted."""
        start = start or Start()
        return self._solver(tuned(algorithm, lambda chosen: self._solver(chosen, limits, start)), limits, start)

    def check_shared(self) -> None:
        """Refuse to be shared among machines."""
        raise RueError(f"{self.name} cannot be shared among machines: hold'em spots with a card to come can (on, --on)")

    def shared(self, hire: Hire) -> Problem:
        """The same problem, whose deals are held and walked by workers."""
        raise NotImplementedError

    @abstractmethod
    def result(self, solver: BaseSolver, reached: Reached) -> Result:
        """What a solver has reached."""

    @abstractmethod
    def data(self) -> dict[str, Any]:
        """The problem, ready for JSON; `from_data` makes it again."""

    @classmethod
    @abstractmethod
    def from_data(cls, header: Mapping[str, Any], given: Any = None) -> Problem:
        """The problem of a saved run. One that is code of one's own has to be given again: a file never runs code."""

    @classmethod
    @abstractmethod
    def check_data(cls, header: Mapping[str, Any]) -> None:
        """Refuse a header that does not say what `data` would say; nothing is built or run."""

    def check_saved(self, saved: Saved) -> None:
        """Refuse to go on with a run that is not this problem's."""
        if self.build().fingerprint != saved.header["numbers"]["fingerprint"]:
            name = saved.header["numbers"]["name"]
            raise RueError(f"{self.name} is not the game of this run, which is {name}, or its rules have changed")

    @classmethod
    @abstractmethod
    def read(cls, saved: Saved) -> Result:
        """What a saved run has reached, without running any code of one's own."""

    def fixed(self, solver: BaseSolver) -> dict[str, NDArray[Any]]:
        """Arrays that a saved run is looked at with and that stay the same over the run."""
        return self.settled()

    def finished(
        self, solver: BaseSolver, header: dict[str, Any], arrays: dict[str, NDArray[Any]]
    ) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """What is kept of a run that is over."""
        return header, arrays

    @abstractmethod
    def check_judging(self, strategy: Written, how: Judging) -> None:
        """Refuse a strategy that cannot be judged on this problem, before anything is built."""

    @abstractmethod
    def exploit(self, strategy: Written, how: Judging) -> Exploited:
        """What a strategy is worth, what best responses win against it and where most is given away."""

    @abstractmethod
    def meet(self, one: Written, two: Written, how: Judging) -> HeadToHead:
        """What a strategy wins against another in each seat."""

    @abstractmethod
    def diff(self, one: Written, two: Written, how: Comparing, tell: Tell | None = None) -> Diff:
        """Where two strategies differ most; `tell` hears how far that is."""


def tuned(algorithm: Algorithm, solver_of: Callable[[Algorithm], BaseSolver]) -> Algorithm:
    """Pick the factor of tuned step sizes by a tenth of the run: the best of 10, 100 and 1,000; where losses are scaled
    by their bound, 10, 100 and so on as long as it gets better."""
    if not isinstance(algorithm.steps, Theory) or algorithm.steps.factor is not None:
        return algorithm

    def found(factor: float) -> float:
        solver = solver_of(algorithm.with_factor(factor))
        solver.run(max(10, solver.horizon // 10))
        judged = solver.evaluate()
        return math.inf if judged is None else judged.exploitability

    best, lowest = FACTORS[0], math.inf
    bounded = algorithm.steps.unit is None
    for factor in FACTORS if bounded else FACTORS[:3]:
        reached = found(factor)
        if reached < lowest:
            best, lowest = factor, reached
        elif bounded:
            break
    name = algorithm.name.replace("tuned", f"tuned, factor={best:g}", 1)
    return replace(algorithm.with_factor(best), name=name)


def numbers_of(solver: BaseSolver, reached: Reached) -> dict[str, Any]:
    """The fields of a result that follow from the solver and where its run stands."""
    told = {"algorithm": solver.algorithm.name, "seed": solver.seed, "bytes": solver.bytes}
    return {**reached.numbers(solver), **told}


def saved_numbers(saved: Saved) -> dict[str, Any]:
    """The same for a run on the disk."""
    header, reached = saved.header, saved.reached
    told = {"algorithm": header["algorithm"]["name"], "iterations": saved.iteration, "nodes": saved.nodes}
    running = {"seconds": reached.seconds} if reached.stopped == "running" else {}
    return {**reached.numbers(saved), **running, **told, "bytes": header["numbers"]["bytes"], "rue": saved.code}


def as_text(value: Any) -> str:
    """What a file says, if it is a text."""
    if not isinstance(value, str):
        raise ValueError(f"{value!r} should be a text")
    return value


def as_share(value: Any) -> float:
    """What a file says, if it is a number between 0 and 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{value!r} should be a number between 0 and 1")
    return float(value)


def as_flag(value: Any) -> bool:
    """What a file says, if it is true or false."""
    if not isinstance(value, bool):
        raise ValueError(f"{value!r} should be true or false")
    return value
