"""The options of a run, and what they say: a problem, limits, a start, a place, workers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar

from rue.errors import RueError, nearest
from rue.problems.find import ProblemLike, ProblemOptions, problem
from rue.problems.fit import Fill, check_fill
from rue.problems.problem import Problem
from rue.problems.start import Start
from rue.results.result import Result
from rue.results.strategy import StrategyLike
from rue.solvers.limits import Limits
from rue.solvers.starts import WEIGHT

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rue.runs.many import Standing, Workers

Number = TypeVar("Number")
MOST_BITS = 4096
"""Of a whole number: longer ones mean nothing, and Python does not write them out for a sentence."""
StrategyGiven = str | Path | Result | StrategyLike
"""What is taken for a strategy: a file, a result, or infosets with {action: probability}."""


class LimitOptions(TypedDict, Generic[Number], total=False):
    """A run ends at the first of these that is given. `Number` is int, or also str where `"+1000"` means so many more
    than a saved run has."""

    iterations: Number | None
    until: float | str | None
    """An exploitability; of hold'em in chips, or like `0.5%` of the pot."""
    seconds: float | None
    """Of a saved run from now on."""
    nodes: Number | None
    threads: int | None
    """None for all cores; it does not change the result."""


class StartOptions(TypedDict, total=False):
    """Where a run starts."""

    seed: int | None
    start_seed: int | None
    start_from: StrategyGiven | None
    start_weight: float
    fill: Fill | None


class PlaceOptions(TypedDict, total=False):
    """Where a run is worked on, if not here."""

    on: str | None
    """A Ray cluster: `local` for one on this machine, `auto`, or an address like `ray://host:10001`."""
    machines: int | None
    """Among how many workers the deals of a spot are shared; one a machine if None."""


class Options(LimitOptions[int], StartOptions, ProblemOptions, PlaceOptions, total=False):
    """All options of a run."""


class ManyOptions(Options, total=False):
    """All options of many solves."""

    out: str | Path | None
    """A folder that keeps every one that is done."""
    executor: Executor | Workers | None
    progress: Callable[[Standing], None] | None


class ResumeOptions(LimitOptions[int | str], PlaceOptions, total=False):
    """The options of a run that goes on."""


def limits_of(found: Problem, options: Mapping[str, Any]) -> Limits:
    """The limits among the options of a run."""
    given: dict[str, Any] = {name: options.get(name) for name in LimitOptions.__annotations__}
    return Limits(**{**given, "until": found.unit.limit(given["until"])})


def start_of(options: Mapping[str, Any]) -> Start:
    """Where a run starts, by its options."""
    given = options.get("start_from")
    strategy = None if given is None else strategy_of(given)
    seeds = options.get("seed"), options.get("start_seed")
    return Start(*seeds, strategy, options.get("start_weight", WEIGHT), check_fill(options.get("fill")))


def strategy_of(given: StrategyGiven) -> Any:
    """A strategy, read if it is a file."""
    from rue.runs.read import written

    return written(given)


def check_names(options: Mapping[str, Any], known: type) -> None:
    """Refuse an option that is not among the known ones."""
    for name, value in options.items():
        if name not in known.__annotations__:
            raise RueError(f"there is no option {name!r}; {nearest(name, known.__annotations__)}")
        if isinstance(value, int) and value.bit_length() > MOST_BITS:
            raise RueError(f"{name} cannot be a number of more than {MOST_BITS} bits")


def problem_of(given: ProblemLike, options: Mapping[str, Any], known: type = Options) -> Problem:
    """The problem that was named; an option that is not among the known ones is refused."""
    check_names(options, known)
    found = problem(given, **{name: options[name] for name in ProblemOptions.__annotations__ if name in options})
    found.read_files(strategy_of)
    return found


def placed(found: Problem, options: Mapping[str, Any], out: str | Path | None = None) -> Problem:
    """A problem where its run is to be worked on: here, or by the machines of a cluster."""
    on, machines = options.get("on"), options.get("machines")
    if on is None and machines is None:
        return found
    from rue.cluster.place import shared

    return shared(found, on, machines, out)


def workers(options: Mapping[str, Any], processes: bool = False) -> Workers:
    """Where many solves go: to the cores of this machine, in threads or processes, to an executor, or to a cluster."""
    from rue.runs.many import Workers

    on, executor = options.get("on"), options.get("executor")
    if options.get("machines") is not None:
        raise RueError("machines share the deals of one spot; many solves take every core of a cluster: leave it out")
    if on is not None:
        if executor is not None:
            raise RueError("name a cluster (on) or pass an executor, not both")
        from rue.cluster.executor import RayExecutor

        executor = RayExecutor(on)
    if isinstance(executor, Workers):
        return executor
    told = options.get("progress")
    return Workers(executor, options.get("threads"), progress=told, processes=processes and executor is None)
