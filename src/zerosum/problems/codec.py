"""The storage of problems and their runs: the header of a saved run, and the result that is read from it."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from numpy.typing import NDArray

from zerosum.engine.solver import BaseSolver
from zerosum.results.curve import Point
from zerosum.results.result import Result
from zerosum.support.errors import ZerosumError

if TYPE_CHECKING:
    from zerosum.problems.problem import Problem
    from zerosum.runs.saved_run import SavedRun

Solved = TypeVar("Solved", bound="Problem")
"""The problems of a codec."""


@dataclass(frozen=True)
class RunOutcome:
    """The part of a result that describes the run: its curve, its seconds and why it stopped."""

    curve: tuple[Point, ...]
    seconds: float
    stopped: str

    def collect_outcome_fields(self, position: BaseSolver | SavedRun) -> dict[str, Any]:
        """Return the fields of a result that follow from the last point of the curve; nan where there is none."""
        unknown = math.nan, math.nan, math.nan
        last = self.curve[-1] if self.curve else Point(position.iteration, self.seconds, *unknown, position.nodes)
        numbers = {**asdict(last), "iterations": last.iteration, "curve": self.curve, "stopped": self.stopped}
        del numbers["iteration"]
        return numbers


class Codec(ABC, Generic[Solved]):
    """The storage of the problems of a class and of their runs: the part of a problem that knows its file format."""

    run_formats: ClassVar[tuple[str, ...]]
    """The formats of its saved runs: what their solvers call themselves."""
    saves_as_json: ClassVar[bool] = True
    """Whether a result can be saved as JSON."""
    has_exploitability: ClassVar[bool] = True
    """Whether its runs know how exploitable their strategies are."""

    def __init__(self, problem_class: type[Solved]) -> None:
        self.problem_class = problem_class

    @abstractmethod
    def to_json(self, problem: Solved) -> dict[str, Any]:
        """Return the problem, ready for JSON; `from_json` builds it again."""

    @abstractmethod
    def from_json(self, header: Mapping[str, Any], game: Any = None) -> Solved:
        """Return the problem of a saved run. A user's code must be passed again as `game`: a file never runs code."""

    @abstractmethod
    def check_json(self, header: Mapping[str, Any]) -> None:
        """Raise an error unless a header has the content of `to_json`; nothing is built or run."""

    def check_saved(self, problem: Solved, saved: SavedRun) -> None:
        """Raise an error if a saved run is of another problem."""
        if problem.build_form().fingerprint != saved.header["numbers"]["fingerprint"]:
            name = saved.header["numbers"]["name"]
            raise ZerosumError(
                f"{problem.name} is not the game of this run, which is {name}, or its rules have changed"
            )

    def check_resumable(self, saved: SavedRun) -> None:
        """Raise an error if a saved run does not hold enough to be resumed."""

    @abstractmethod
    def read_result(self, saved: SavedRun) -> Result:
        """Return the result of a saved run, without running any code of a user."""

    def static_arrays(self, problem: Solved, solver: BaseSolver) -> dict[str, NDArray[Any]]:
        """Return the arrays that stay the same over a run and are needed to view it once it is saved."""
        return {} if problem.locks is None else problem.locks.collect_arrays(problem)

    def collect_header_numbers(self, problem: Solved, solver: BaseSolver) -> dict[str, Any]:
        """Return the numbers in the header of a saved run, besides its curve."""
        locks = problem.locks
        if not locks:
            return solver.describe_game()
        return {
            **solver.describe_game(),
            "name": problem.name,
            "price": None if locks.cost is None else locks.cost.unsolved_to_json(),
        }

    def trim_finished(
        self, problem: Solved, solver: BaseSolver, header: dict[str, Any], arrays: dict[str, NDArray[Any]]
    ) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the header and the arrays that are stored of a finished run."""
        return header, arrays


def collect_result_fields(solver: BaseSolver, outcome: RunOutcome) -> dict[str, Any]:
    """Return the fields of a result that follow from the solver and where its run stands."""
    fields = {"algorithm": solver.algorithm.name, "seed": solver.seed, "bytes": solver.bytes}
    return {**outcome.collect_outcome_fields(solver), **fields}


def collect_saved_result_fields(saved: SavedRun) -> dict[str, Any]:
    """Return the fields of a result that follow from a saved run."""
    header, outcome = saved.header, saved.reached
    fields = {"algorithm": header["algorithm"]["name"], "iterations": saved.iteration, "nodes": saved.nodes}
    running = {"seconds": outcome.seconds} if outcome.stopped == "running" else {}
    return {
        **outcome.collect_outcome_fields(saved),
        **running,
        **fields,
        "bytes": header["numbers"]["bytes"],
        "zerosum": saved.code,
    }
