"""The options of a run, and functions that build a problem, limits, a start and workers from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerosum.engine.limits import LimitOptions, Limits, ResumeLimitOptions
from zerosum.problems.options import ClusterOptions, ProblemOptions, StartOptions
from zerosum.problems.problem import Problem
from zerosum.problems.registry import ProblemLike, problem
from zerosum.problems.start import Start
from zerosum.support.errors import ZerosumError
from zerosum.support.options import check_options, option_name

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from zerosum.jobs.workers import Workers
    from zerosum.results.strategy import StrategyInput
    from zerosum.runs.progress import TaskProgress


class SolveOptions(LimitOptions, StartOptions, ProblemOptions, ClusterOptions, total=False):
    """All options of a run."""


class BatchOptions(SolveOptions, total=False):
    """All options of many solves."""

    out: str | Path | None
    """A folder that stores every finished solve."""
    executor: Executor | Workers | None
    progress: Callable[[TaskProgress], None] | None


class ResumeOptions(ResumeLimitOptions, ClusterOptions, total=False):
    """The options of a run that is continued."""


def build_limits(problem: Problem, options: Mapping[str, Any]) -> Limits:
    """Return the limits among the options of a run, in the unit of its problem."""
    limits: dict[str, Any] = {name: options.get(name) for name in LimitOptions.__annotations__}
    return Limits(**{**limits, "until": problem.unit.parse_target(limits["until"])})


def build_start(options: Mapping[str, Any]) -> Start:
    """Return where a run starts."""
    source = options.get("start_from")
    strategy = None if source is None else load_strategy(source)
    seeds = options.get("seed"), options.get("start_seed")
    return Start(*seeds, strategy, options.get("start_weight", 1.0), options.get("fill"))


def load_strategy(source: StrategyInput) -> Any:
    """Return a strategy, which is read if it is a file."""
    from zerosum.runs.strategy_reader import read_strategy_source

    return read_strategy_source(source)


def build_problem(game: ProblemLike, options: Mapping[str, Any], group: type = SolveOptions) -> Problem:
    """Return the problem of a game after checking all options of the call, which are those of `group`."""
    checked = check_options(group, options)
    built = problem(game, **{name: checked[name] for name in ProblemOptions.__annotations__ if name in checked})
    if built.locks is not None:
        built.locks.read_lock_files(load_strategy)
    return built


def place_on_cluster(problem: Problem, options: Mapping[str, Any], out: str | Path | None = None) -> Problem:
    """Return a problem whose deals are shared among workers on a cluster; the problem itself if none is named."""
    on, machines = options.get("on"), options.get("machines")
    if on is None:
        if machines is not None:
            raise ZerosumError(f"machines are those of a cluster: name it ({option_name('on', 'local')})")
        return problem
    from zerosum.cluster.placement import share_among_machines

    return share_among_machines(problem, on, machines, out)


def build_workers(options: Mapping[str, Any], processes: bool = False) -> Workers:
    """Return the workers of many solves: threads or processes of this machine, an executor, or a cluster."""
    from zerosum.jobs.workers import Workers

    on, executor = options.get("on"), options.get("executor")
    if options.get("machines") is not None:
        name = option_name("machines")
        raise ZerosumError(f"{name} shares the deals of one spot, but many solves use every core of a cluster: drop it")
    if on is not None:
        if executor is not None:
            raise ZerosumError(f"name a cluster ({option_name('on')}) or pass an executor, not both")
        from zerosum.cluster.executor import RayExecutor

        executor = RayExecutor(on)
    if isinstance(executor, Workers):
        return executor
    progress = options.get("progress")
    return Workers(executor, options.get("threads"), progress=progress, processes=processes and executor is None)
