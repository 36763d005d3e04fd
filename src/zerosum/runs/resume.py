"""Continue a saved run: its result equals, digit for digit, that of an uninterrupted run."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.limits import Limits
from zerosum.problems.problem import Problem
from zerosum.problems.start import Start
from zerosum.results.payoff_unit import Unit
from zerosum.runs.progress import Listener
from zerosum.runs.run import RUNNING, Run
from zerosum.runs.run_location import RunLocation, locate_existing_run
from zerosum.runs.run_saver import RunSaver
from zerosum.runs.saved_run import CONTINUED_KEYS, SavedRun
from zerosum.support.errors import ZerosumError
from zerosum.support.files import DAMAGE_ERRORS
from zerosum.support.options import option_name
from zerosum.support.validation import as_path, path_as_text

UNFINISHED = (RUNNING, "interrupted", "memory")
_INCREMENT = re.compile(r"\s*\+\s*(\S+)\s*$")


def resume_run(
    path: str | Path,
    limits: Mapping[str, Any],
    game: Any,
    algorithm: str | Algorithm | None,
    place: Callable[[Problem], Problem],
    listener: Listener | None,
) -> Run:
    """Return a saved run, ready to continue and to be saved again.

    limits: the new limits, as typed.
    game, algorithm: a user's code, which a saved run does not hold and never runs by itself; None for the saved names.
    place: returns the problem on the machines where it is to be solved.
    """
    locate_existing_run(as_path(path))
    location = RunLocation(path, new=False)
    try:
        with SavedRun(path) as saved:
            if saved.stopped == "exact":
                raise ZerosumError(f"{saved.path} holds the exact solution: there is nothing to continue")
            saved.codec.check_resumable(saved)
            chosen = saved.algorithm(algorithm)
            problem = place(saved.problem(game))
            new_limits = _merge_limits(saved, limits, problem.unit, chosen)
            fields = {key: saved.header[key] for key in CONTINUED_KEYS if key in saved.header}
            if isinstance(path_as_text(game), str):
                fields["game"] = path_as_text(game)
            start = Start(saved.seed if chosen.sampling else None, saved.start_seed)
            run = Run(problem, chosen, new_limits, start, listener=listener)
            run.saver = RunSaver(location, {**fields, "limits": run.saved_fields["limits"]}, saved)
            try:
                problem.check_memory(chosen, new_limits.threads)
                problem.build_form(run.report_stage, chosen.sampling is not None)
                saved.codec.check_saved(problem, saved)
            except DAMAGE_ERRORS as error:
                raise error if isinstance(error, ZerosumError) else saved.convert_error(error) from None
            run.prepare()
            return run
    except BaseException:
        location.close()
        raise


def _merge_limits(saved: SavedRun, typed: Mapping[str, Any], unit: Unit, algorithm: Algorithm) -> Limits:
    """Return the new limits of a run, from the limits as typed."""
    before, threads = saved.limits, typed.get("threads")
    iterations = _parse_total_or_increment(typed.get("iterations"), saved.iteration, "iterations")
    nodes = _parse_total_or_increment(typed.get("nodes"), saved.nodes or 0, "nodes")
    until, seconds = unit.parse_target(typed.get("until")), typed.get("seconds")
    has_limit = any(limit is not None for limit in (iterations, until, seconds, nodes))
    if algorithm.needs_horizon and has_limit:
        length = before.find_horizon(algorithm), before.find_node_limit(algorithm)
        if (iterations, nodes) != (None, None) and (iterations or length[0], nodes or length[1]) != length:
            raise ZerosumError(
                f"{algorithm.name} depends on the length of a run, which cannot be changed: start a new run with "
                "the length you want"
            )
        iterations, nodes = before.iterations, before.nodes
        if not before.has_limit:
            iterations, nodes = (None, length[1]) if algorithm.sampling else (length[0], None)
    if not has_limit:
        if saved.stopped not in UNFINISHED:
            raise ZerosumError(
                f"{saved.path} is complete after {saved.iteration:,} iterations: say how far to continue "
                f"({option_name('iterations', '+1000')}, {option_name('until')} or {option_name('seconds')})"
            )
        return Limits(before.iterations, before.until, before.seconds, threads, before.nodes)
    Limits(seconds=seconds)
    seconds = None if seconds is None else saved.seconds + seconds
    limits = Limits(iterations, until, seconds, threads, nodes)
    horizon, end = limits.find_horizon(algorithm), limits.find_node_limit(algorithm)
    if saved.iteration >= horizon:
        raise ZerosumError(f"{saved.path} has {saved.iteration:,} iterations already: give a larger number, or +1000")
    if end is not None and (saved.nodes or 0) >= end:
        raise ZerosumError(f"{saved.path} has touched {saved.nodes:,} nodes already: give a larger number, or +1e6")
    if until is not None and saved.curve and saved.curve[-1].exploitability <= until:
        reached = saved.curve[-1].exploitability
        raise ZerosumError(f"{saved.path} has reached {reached:.4g} already: give a lower limit")
    return limits


def _parse_total_or_increment(value: int | str | None, before: int, name: str) -> int | None:
    """Return a number of the whole run from a number, or from an increment like +1000."""
    if value is None or isinstance(value, int):
        return value
    increment = _INCREMENT.match(str(value))
    try:
        number = float((increment[1] if increment else str(value)).replace(",", ""))
        if number != int(number) or (increment and number < 1):
            raise ValueError
    except (ValueError, OverflowError):
        raise ZerosumError(f"{name} must be a whole number, or one with a plus like +1000, not {value!r}") from None
    return int(number) + (before if increment else 0)
