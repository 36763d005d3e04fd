"""A saved run that goes on: what it gives is, digit for digit, what a run without a stop would have given."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rue.algorithms.algorithm import Algorithm
from rue.checked import as_path, named
from rue.disk import DAMAGE
from rue.errors import RueError
from rue.problems.problem import Problem
from rue.problems.start import Start
from rue.problems.stored_spot import CUT
from rue.records import dataclass
from rue.results.spot import STRATEGY
from rue.results.unit import Unit
from rue.runs.home import Home, existing
from rue.runs.keeper import Keeper
from rue.runs.opened import STAYING, Opened
from rue.runs.progress import Listener
from rue.runs.run import RUNNING, Run
from rue.solvers.limits import Limits

UNFINISHED = (RUNNING, "interrupted", "memory")
_MORE = re.compile(r"\s*\+\s*(\S+)\s*$")


@dataclass(frozen=True)
class Given:
    """What a saved run does not bring along: code of one's own, which it never runs by itself, and where to work."""

    game: Any = None
    algorithm: str | Algorithm | None = None
    place: Callable[[Problem], Problem] = lambda found: found


def resumed(path: str | Path, more: Mapping[str, Any], given: Given, listener: Listener | None = None) -> Run:
    """A saved run, ready to go on and to be saved again. `more` are the limits of now, as they were given."""
    existing(as_path(path))
    home = Home(path, new=False)
    try:
        with Opened(path) as saved:
            _check(saved)
            chosen = saved.algorithm(given.algorithm)
            problem = given.place(saved.problem(given.game))
            limits = _limits(saved, more, problem.unit, chosen)
            about = {key: saved.header[key] for key in STAYING if key in saved.header}
            if isinstance(named(given.game), str):
                about["game"] = named(given.game)
            start = Start(saved.seed if chosen.sampling else None, saved.start_seed)
            run = Run(problem, chosen, limits, start, listener=listener)
            run.keeper = Keeper(home, {**about, "limits": run.about["limits"]}, saved)
            try:
                problem.check_memory(chosen, limits.threads)
                problem.build(run.tell, chosen.sampling is not None)
                problem.check_saved(saved)
            except DAMAGE as error:
                raise error if isinstance(error, RueError) else saved.told(error) from None
            run.prepare()
            return run
    except BaseException:
        home.close()
        raise


def _check(run: Opened) -> None:
    if run.stopped == "exact":
        raise RueError(f"{run.path} holds the exact solution: there is nothing to go on with")
    if run.kind == STRATEGY:
        raise RueError(f"{run.path} holds the strategy only: runs that are saved on the way (--out, out=) can go on")
    if run.kind == CUT:
        kept = ", ".join(run.header["streets"])
        raise RueError(f"{run.path} has kept the {kept} only (--streets, streets=): it can be looked at, not go on")


def _limits(run: Opened, more: Mapping[str, Any], unit: Unit, algorithm: Algorithm) -> Limits:
    """When the run ends now, by the limits as they were given."""
    before, threads = run.limits, more.get("threads")
    iterations = _whole(more.get("iterations"), run.iteration, "iterations")
    nodes = _whole(more.get("nodes"), run.nodes or 0, "nodes")
    until, seconds = unit.limit(more.get("until")), more.get("seconds")
    given = any(limit is not None for limit in (iterations, until, seconds, nodes))
    if algorithm.needs_horizon and given:
        laid_out = before.horizon(algorithm), before.end(algorithm)
        if (iterations, nodes) != (None, None) and (iterations or laid_out[0], nodes or laid_out[1]) != laid_out:
            raise RueError(
                f"{algorithm.name} is laid out over the whole length of a run, so it cannot be made longer or "
                "shorter: start anew with the length you want"
            )
        iterations, nodes = before.iterations, before.nodes
        if not before.given:
            iterations, nodes = (None, laid_out[1]) if algorithm.sampling else (laid_out[0], None)
    if not given:
        if run.stopped not in UNFINISHED:
            raise RueError(
                f"{run.path} is complete after {run.iteration:,} iterations: say how far it is to go on "
                "(--iterations +1000, iterations='+1000'; or --until, until=; or --seconds, seconds=)"
            )
        return Limits(before.iterations, before.until, before.seconds, threads, before.nodes)
    Limits(seconds=seconds)
    seconds = None if seconds is None else run.seconds + seconds
    limits = Limits(iterations, until, seconds, threads, nodes)
    horizon, end = limits.horizon(algorithm), limits.end(algorithm)
    if run.iteration >= horizon:
        raise RueError(f"{run.path} has {run.iteration:,} iterations already: give a larger number, or +1000")
    if end is not None and (run.nodes or 0) >= end:
        raise RueError(f"{run.path} has touched {run.nodes:,} nodes already: give a larger number, or +1e6")
    if until is not None and run.curve and run.curve[-1].exploitability <= until:
        raise RueError(f"{run.path} has reached {run.curve[-1].exploitability:.4g} already: give a lower limit")
    return limits


def _whole(given: int | str | None, before: int, what: str) -> int | None:
    """A number of the whole run, or so many more with a plus."""
    if given is None or isinstance(given, int):
        return given
    more = _MORE.match(str(given))
    try:
        number = float((more[1] if more else str(given)).replace(",", ""))
        if number != int(number) or (more and number < 1):
            raise ValueError
    except (ValueError, OverflowError):
        raise RueError(f"{what} must be a whole number, or one with a plus like +1000, not {given!r}") from None
    return int(number) + (before if more else 0)
