"""A saved run, read: what was solved, how far it got, its curve and its strategy. Nothing of it is run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.recipe import algorithm_of
from rue.checked import as_path
from rue.container import RUN, Container, is_container
from rue.disk import DAMAGE
from rue.errors import RueError
from rue.once import cached_property
from rue.problems.find import kind_of
from rue.problems.locked import saved_locks
from rue.problems.problem import Problem, Reached, as_flag, as_text
from rue.results.game import GameResult
from rue.results.points import Point, check_count, check_curve, check_number, point_of
from rue.results.result import Result
from rue.runs.home import existing, file_of
from rue.runs.run import RUNNING, Run
from rue.solvers.base import BaseSolver
from rue.solvers.limits import Limits

STAYING = ("game", "source", "spot", "locks", "suits", "seed", "start_seed", "start_from", "refine", "isomorphism",
           "half", "streets")  # fmt: skip
"""What a run keeps when it goes on."""


class Opened(Container):
    """A run on the disk. Every text and number of it is checked before it is used.

    >>> import rue, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = rue.solve("kuhn", "cfr+", iterations=50, out=f"{folder}/run")
    ...     with Opened(f"{folder}/run") as run:
    ...         run.kind, run.iteration, run.stopped, len(run.curve) > 5
    ('sequences', 50, 'iterations', True)
    """

    def __init__(self, path: str | Path) -> None:
        self.path = as_path(path)
        super().__init__(existing(self.path))
        try:
            with self._checked():
                self._read(self.header)
        except RueError:
            self.close()
            raise

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def told(self, error: BaseException) -> RueError:
        """What went wrong, as a sentence that names the file."""
        if isinstance(error, RueError):
            return error if str(self.path) in str(error) else RueError(f"{self.path} cannot be used: {error}")
        return RueError(f"{self.path} is damaged: {_why(error)}")

    @contextmanager
    def _checked(self) -> Iterator[None]:
        """Tell what goes wrong meanwhile as a sentence."""
        try:
            yield
        except DAMAGE as error:
            raise self.told(error) from None

    def _read(self, header: dict[str, Any]) -> None:
        if header.get("format") != RUN:
            raise RueError(f"{self.path} is not a saved run")
        self.kind = as_text(header["kind"])
        found = kind_of(self.kind)
        if found is None:
            raise RueError(f"{self.path} holds a run of a kind that this rue does not know, {self.kind!r}")
        self.problem_kind: type[Problem] = found
        self.parts: list[dict[str, Any]] = [dict(part) for part in header["parts"]]
        self.code = as_text(self.parts[-1]["rue"])
        if self.kind == "exact" and "iteration" not in header:
            raise RueError(f"{self.path} holds an exact solution as an earlier version saved it: solve it again")
        self.iteration = check_count(header["iteration"])
        self.nodes = None if header["nodes"] is None else check_count(header["nodes"])
        self.seconds = check_number(header["seconds"])
        self.curve = check_curve(point_of(row) for row in header["curve"])
        self.stopped = RUNNING if header["stopped"] is None else as_text(header["stopped"])
        self.reached = Reached(self.curve, self.seconds, self.stopped)
        self.settled = as_flag(header["settled"])
        as_text(header["clock"])
        self.limits = Limits(**{key: _limit(value) for key, value in header["limits"].items()})
        self.seed = None if header["seed"] is None else check_count(header["seed"])
        start_seed = header.get("start_seed")
        self.start_seed = None if start_seed is None else check_count(start_seed)
        as_text(header["algorithm"]["name"])
        numbers = header["numbers"]
        numbers.setdefault("fingerprint", numbers.get("layout"))
        numbers.setdefault("bytes", None)
        for name in ("infosets", "sequences"):
            check_count(numbers.get(name, 0))
        if numbers["bytes"] is not None:
            check_count(numbers["bytes"])
        saved_locks(header)
        found.check_data(header)

    def settled_curve(self, clock: str) -> tuple[Point, ...]:
        """The points that a run without a stop would have, too, if its points are spaced by the same clock."""
        return self.curve if self.settled and clock == self.header["clock"] else self.curve[:-1]

    def algorithm(self, given: str | Algorithm | None = None) -> Algorithm:
        """The algorithm of the run; one with functions of one's own has to be given again."""
        with self._checked():
            return algorithm_of(self.header["algorithm"], given)

    def problem(self, given: Any = None) -> Problem:
        """What was solved; a game that is code of one's own has to be given again."""
        with self._checked():
            found = self.problem_kind.from_data(self.header, given)
            found.take_up(self)
            return found

    def restore(self, solver: BaseSolver) -> None:
        """Give a solver the state of the run."""
        with self._checked():
            solver.take_up(self, self.iteration)

    def result(self) -> Result:
        """What the run has reached, as `rue.solve` returned it."""
        with self._checked():
            return self.problem_kind.read(self)

    def solve(self, problem: Problem, until: float, most: int) -> Result:
        """Solve another problem down to an exploitability, with so many iterations at most."""
        run = Run(problem, problem.algorithm(), Limits(iterations=most, until=until))
        run.advance()
        return run.result()

    @cached_property
    def about(self) -> dict[str, Any]:
        """What was solved, how, by which code and where, ready for JSON."""
        told = [*STAYING, "limits", "parts"]
        return {key: self.header[key] for key in told if key != "source" and self.header.get(key) is not None}


def load(path: str | Path) -> Result:
    """What a run or a result file holds.

    >>> import rue, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = rue.solve("kuhn", iterations=50, out=f"{folder}/run")
    ...     rue.load(f"{folder}/run") == result
    True
    """
    found = as_path(path)
    file = existing(found) if file_of(found) != found and found.is_dir() else found
    if is_container(file):
        with Opened(found) as run:
            return run.result()
    return GameResult.load(file)


def _limit(value: Any) -> Any:
    if value is not None:
        check_number(value)
    return value


def _why(error: BaseException) -> str:
    """What a file lacks or says wrongly.

    >>> _why(KeyError("infosets")), _why(ValueError("a value is not a number"))
    ("it has no 'infosets'", 'a value is not a number')
    """
    if isinstance(error, KeyError):
        return f"it has no {error}"
    if isinstance(error, ValueError) and str(error):
        return str(error)
    return f"its parts do not fit together ({type(error).__name__}: {error})"
