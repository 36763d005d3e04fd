"""Read a saved run: its problem, its progress, its curve and its strategy. No code in it is ever executed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.serialization import decode_algorithm
from zerosum.engine.limits import Limits
from zerosum.engine.solver import BaseSolver
from zerosum.problems.codec import Codec, RunOutcome
from zerosum.problems.lock_set import read_saved_locks
from zerosum.problems.problem import Problem
from zerosum.problems.registry import find_problem_class
from zerosum.results.curve import Point, check_curve, decode_point
from zerosum.results.game_result import GameResult
from zerosum.results.result import Result
from zerosum.runs.run import RUNNING
from zerosum.runs.run_location import locate_existing_run, locate_run_file
from zerosum.support.array_file import RUN_FORMAT, ArrayFile, is_array_file
from zerosum.support.errors import ZerosumError
from zerosum.support.files import DAMAGE_ERRORS
from zerosum.support.thread_safety import cached_property
from zerosum.support.validation import as_path, decode_bool, decode_count, decode_number, decode_text

CONTINUED_KEYS = (
    "game", "source", "spot", "locks", "suits", "seed", "start_seed", "start_from", "refine", "isomorphism", "half",
    "streets",
)  # fmt: skip
"""The fields that a run keeps when it is resumed."""


class SavedRun(ArrayFile):
    """A saved run, open for reading. Every text and number in it is checked before it is used.

    >>> import zerosum, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = zerosum.solve("kuhn", "cfr+", iterations=50, out=f"{folder}/run")
    ...     with SavedRun(f"{folder}/run") as run:
    ...         run.kind, run.iteration, run.stopped, len(run.curve) > 5
    ('sequences', 50, 'iterations', True)
    """

    def __init__(self, path: str | Path) -> None:
        self.path = as_path(path)
        super().__init__(locate_existing_run(self.path))
        try:
            with self._converting_errors():
                self._decode_header(self.header)
        except ZerosumError:
            self.close()
            raise

    def __enter__(self) -> SavedRun:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def convert_error(self, error: BaseException) -> ZerosumError:
        """Return an error in reading as a `ZerosumError` that names the file."""
        if isinstance(error, ZerosumError):
            return error if str(self.path) in str(error) else ZerosumError(f"{self.path} cannot be used: {error}")
        return ZerosumError(f"{self.path} is damaged: {_describe_damage(error)}")

    @contextmanager
    def _converting_errors(self) -> Iterator[None]:
        """Turn the errors that a damaged file causes into a ZerosumError that names it."""
        try:
            yield
        except DAMAGE_ERRORS as error:
            raise self.convert_error(error) from None

    def _decode_header(self, header: dict[str, Any]) -> None:
        if header.get("format") != RUN_FORMAT:
            raise ZerosumError(f"{self.path} is not a saved run")
        self.kind = decode_text(header["kind"])
        problem_class = find_problem_class(self.kind)
        if problem_class is None:
            raise ZerosumError(f"{self.path} holds a run of a kind that this zerosum does not know, {self.kind!r}")
        self.codec: Codec[Any] = problem_class.codec()
        self.segments: list[dict[str, Any]] = [dict(part) for part in header["parts"]]
        self.code = decode_text(self.segments[-1]["zerosum"])
        self.iteration = decode_count(header["iteration"])
        self.nodes = _decode_optional(header["nodes"])
        self.seconds = decode_number(header["seconds"])
        self.curve = check_curve(decode_point(row) for row in header["curve"])
        self.stopped = RUNNING if header["stopped"] is None else decode_text(header["stopped"])
        self.reached = RunOutcome(self.curve, self.seconds, self.stopped)
        self.last_point_is_scheduled = decode_bool(header["settled"])
        decode_text(header["clock"])
        for value in header["limits"].values():
            _decode_optional(value, decode_number)
        self.limits = Limits(**header["limits"])
        self.seed = _decode_optional(header["seed"])
        self.start_seed = _decode_optional(header.get("start_seed"))
        decode_text(header["algorithm"]["name"])
        numbers = header["numbers"]
        numbers.setdefault("fingerprint", None)
        numbers.setdefault("bytes", None)
        for name in ("infosets", "sequences"):
            decode_count(numbers.get(name, 0))
        _decode_optional(numbers["bytes"])
        read_saved_locks(header)
        self.codec.check_json(header)

    def scheduled_curve(self, clock: str) -> tuple[Point, ...]:
        """Return the points that an uninterrupted run would have as well, if its clock has the same unit."""
        return self.curve if self.last_point_is_scheduled and clock == self.header["clock"] else self.curve[:-1]

    def algorithm(self, override: str | Algorithm | None = None) -> Algorithm:
        """Return the algorithm of the run; one with user-defined functions has to be passed again."""
        with self._converting_errors():
            return decode_algorithm(self.header["algorithm"], override)

    def problem(self, game: Any = None) -> Problem:
        """Return the problem of the run; a user-defined game has to be passed again."""
        with self._converting_errors():
            problem: Problem = self.codec.from_json(self.header, game)
            if problem.locks is not None:
                problem.locks.restore(problem, self)
            return problem

    def restore(self, solver: BaseSolver) -> None:
        """Load the state of the run into a solver."""
        with self._converting_errors():
            solver.load_saved(self, self.iteration)

    def result(self) -> Result:
        """Return the result of the run, as `zerosum.solve` returned it."""
        with self._converting_errors():
            return self.codec.read_result(self)

    @cached_property
    def about(self) -> dict[str, Any]:
        """The problem, the limits, and the code and the machines of the run, ready for JSON."""
        keys = [*CONTINUED_KEYS, "limits", "parts"]
        return {key: self.header[key] for key in keys if key != "source" and self.header.get(key) is not None}


def load(path: str | Path) -> Result:
    """Return the result in a saved run or a result file.

    >>> import zerosum, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = zerosum.solve("kuhn", iterations=50, out=f"{folder}/run")
    ...     zerosum.load(f"{folder}/run") == result
    True
    """
    place = as_path(path)
    file = locate_existing_run(place) if locate_run_file(place) != place and place.is_dir() else place
    if is_array_file(file):
        with SavedRun(place) as run:
            return run.result()
    return GameResult.load(file)


def _decode_optional(value: Any, decode: Callable[[Any], Any] = decode_count) -> Any:
    return None if value is None else decode(value)


def _describe_damage(error: BaseException) -> str:
    """Say what is missing or wrong in a damaged file.

    >>> _describe_damage(KeyError("infosets")), _describe_damage(ValueError("a value is not a number"))
    ("it has no 'infosets'", 'a value is not a number')
    """
    if isinstance(error, KeyError):
        return f"it has no {error}"
    if isinstance(error, ValueError) and str(error):
        return str(error)
    return f"its parts do not fit together ({type(error).__name__}: {error})"
