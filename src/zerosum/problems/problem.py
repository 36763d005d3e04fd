"""A problem: all that is needed to solve, compare, resume, evaluate and draw it."""

from __future__ import annotations

import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.catalogue import algorithm as named_algorithm
from zerosum.algorithms.choices import Theory
from zerosum.engine.limits import Limits
from zerosum.engine.solver import BaseSolver
from zerosum.problems.codec import Codec, RunOutcome
from zerosum.problems.estimate import Estimate
from zerosum.problems.kinds import reject_foreign_options
from zerosum.problems.lock_set import LockSet, hash_repr
from zerosum.problems.start import Start
from zerosum.results.payoff_unit import Unit
from zerosum.results.result import Result
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name

if TYPE_CHECKING:
    from zerosum.cluster.placement import MachinePool
    from zerosum.problems.evaluation import StrategyEvaluation

FACTORS = tuple(10.0**power for power in range(1, 9))
"""Candidates for tuned step sizes. Section 6 of spcfr has the first three, which suffice if losses are not scaled by
their bound."""

StageCallback = Callable[[str, int], None]
"""Is called with a stage of the work and how much of it is done, and may raise an error to end the work."""


class Problem(ABC):
    """A problem to solve, composed of parts: its form, its locks, its storage and the evaluation of its strategies.

    The form is built when it is first needed, which may take a while.

    >>> import zerosum
    >>> river = zerosum.problem("spot:river")
    >>> river.unit.format(13.0), river.resolve_algorithm().name
    ('13 chips, 0.5% of the pot, 130 mbb/g', 'dcfr(1.25, 0.5, 4)')
    """

    problem_kind: ClassVar[str] = "game"
    """Its kind; see `zerosum.problems.kinds`."""
    default: ClassVar[str]
    """The name of the algorithm that is used if none is named."""
    estimates_without_building: ClassVar[bool] = False
    """Whether `estimate` works without building the form."""
    rebuilt: ClassVar[tuple[str, ...]] = ("_lock", "_form")
    """Attributes that another process builds for itself, when it needs them."""
    locks: LockSet | None = None
    """The strategies that are fixed instead of learned; None if the problem does not support locks."""
    payoffs: float = 1.0
    """The factor by which the payoffs of the game were multiplied; see `scaled`."""

    def __repr__(self) -> str:
        from zerosum.results.display.html import format_line

        return format_line(type(self).__name__, self.name)

    def __getstate__(self) -> dict[str, Any]:
        """The state for another process, without anything that was built."""
        return {name: value for name, value in vars(self).items() if name not in self.rebuilt}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(dict.fromkeys(self.rebuilt) | state)
        self._lock = threading.Lock()

    @property
    @abstractmethod
    def bare_name(self) -> str:
        """The name without the locks."""

    @property
    def name(self) -> str:
        """The name, with the locks."""
        return f"{self.bare_name}{self.locks.name_suffix if self.locks else ''}"

    @property
    def fingerprint(self) -> str:
        """A hash of everything that the name leaves out."""
        return hash_repr(self.locks.identity) if self.locks else ""

    def without_locks(self) -> Problem:
        """Return the same problem without its locks, on the same form."""
        return self

    @property
    def unit(self) -> Unit:
        """The unit of its payoffs."""
        return Unit()

    @abstractmethod
    def build_form(self, notify: StageCallback | None = None, sampled: bool = False) -> Any:
        """Return the form that is solved, built once.

        `notify` is called with each stage of the work; `sampled` says whether a run will sample the histories.
        """

    @abstractmethod
    def scaled(self, times: float) -> Problem:
        """Return the same problem with every payoff multiplied by a number; it shares the form, which is built.

        In exact arithmetic only the unit changes, so a run on each of them shows the effect of rounding.
        """

    def release_form(self) -> None:
        """Free the memory of the form; it is built again when it is needed."""

    @property
    def sizes(self) -> tuple[int, int]:
        """The infosets and the sequences of both players."""
        form = self.build_form()
        return form.infosets, form.sequences

    def resolve_algorithm(self, choice: str | Algorithm | None = None) -> Algorithm:
        """Return an algorithm by its name, or the default; raise an error if it cannot be used on the problem."""
        chosen = named_algorithm(self.default if choice is None else choice)
        self.check_algorithm(chosen)
        return chosen

    def check_algorithm(self, algorithm: Algorithm) -> None:
        """Raise an error for an algorithm that cannot be used on the problem."""
        if self.locks is not None:
            self.locks.check_algorithm(algorithm)

    def check_run(self, algorithm: Algorithm, limits: Limits, start: Start) -> None:
        """Raise an error for options that cannot be combined; nothing is built."""
        limits.find_horizon(algorithm)
        start.check_algorithm(algorithm)

    def check_memory(self, algorithm: Algorithm, threads: int | None = None) -> None:
        """Raise an error if the problem does not fit in memory and that is clear before it is built."""
        if self.estimates_without_building:
            size = self.estimate(algorithm, threads)
            assert size is not None
            size.check_memory()

    def check_view(self, options: Mapping[str, str | None]) -> None:
        """Raise an error for a line or hands that the problem does not have; nothing is solved."""
        reject_foreign_options(options, self.name)

    @abstractmethod
    def estimate(
        self, algorithm: Algorithm, threads: int | None = None, notify: StageCallback | None = None
    ) -> Estimate | None:
        """Return the cost of solving; None if it is unknown. `notify` is called while the game is enumerated."""

    def estimate_bytes(self, algorithm: Algorithm) -> int | None:
        """Return about how many bytes a solver takes, if that is known before anything is built."""
        size = self.estimate(algorithm, 1) if self.estimates_without_building else None
        return None if size is None else size.bytes

    def load_kernels(self, algorithm: Algorithm) -> None:
        """Load or compile the kernels that `load` of a solver would leave for its first evaluation."""

    @abstractmethod
    def _build_untuned_solver(self, algorithm: Algorithm, limits: Limits, start: Start) -> BaseSolver:
        """Return the solver of a run."""

    def build_solver(self, algorithm: Algorithm, limits: Limits, start: Start | None = None) -> BaseSolver:
        """Return the solver of a run; step sizes are tuned first if the algorithm asks for it."""
        start = start or Start()
        return self._build_untuned_solver(
            tune_step_sizes(algorithm, lambda chosen: self._build_untuned_solver(chosen, limits, start)), limits, start
        )

    def check_can_be_shared(self) -> None:
        """Raise an error if the problem cannot be shared among machines."""
        raise ZerosumError(
            f"{self.name} cannot be shared among machines ({option_name('on')}): only a spot with a card to come can"
        )

    def share_among(self, pool: MachinePool) -> Problem:
        """Return the same problem, whose deals are held and walked by workers."""
        raise NotImplementedError

    @abstractmethod
    def collect_result(self, solver: BaseSolver, outcome: RunOutcome) -> Result:
        """Return the result that a solver has reached."""

    @classmethod
    @abstractmethod
    def codec(cls) -> Codec[Any]:
        """Return how such problems and their runs are stored."""

    @property
    def evaluation(self) -> StrategyEvaluation:
        """The evaluation of strategies of the problem."""
        raise ZerosumError(
            f"{self.name} is sampled without enumerating the game, so its strategies cannot be evaluated: leave out "
            "--by-rules (by_rules=)"
        )


def tune_step_sizes(algorithm: Algorithm, build_solver: Callable[[Algorithm], BaseSolver]) -> Algorithm:
    """Pick the factor of tuned step sizes that is best after a tenth of the run.

    The candidates are 10, 100 and 1,000; if losses are scaled by their bound, powers of 10 as long as they improve.
    """
    if not isinstance(algorithm.steps, Theory) or algorithm.steps.factor is not None:
        return algorithm

    def exploitability(factor: float) -> float:
        solver = build_solver(algorithm.with_step_factor(factor))
        solver.run(max(10, solver.horizon // 10))
        evaluation = solver.evaluate()
        return math.inf if evaluation is None else evaluation.exploitability

    best, lowest = FACTORS[0], math.inf
    bounded = algorithm.steps.unit is None
    for factor in FACTORS if bounded else FACTORS[:3]:
        reached = exploitability(factor)
        if reached < lowest:
            best, lowest = factor, reached
        elif bounded:
            break
    name = algorithm.name.replace("tuned", f"tuned, factor={best:g}", 1)
    return replace(algorithm.with_step_factor(best), name=name)
