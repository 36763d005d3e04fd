"""Continue a saved run: its result equals, digit for digit, that of a run without a stop."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.limits import Limits
from zerosum.problems.problem import Problem
from zerosum.problems.start import Start
from zerosum.results.payoff_unit import Unit
from zerosum.runs.progress import Listener
from zerosum.runs.run import RUNNING, Run
from zerosum.runs.run_location import RunLocation, existing_run
from zerosum.runs.run_saver import RunSaver
from zerosum.runs.saved_run import CONTINUED_KEYS, SavedRun
from zerosum.support.errors import ZerosumError
from zerosum.support.files import DAMAGE_ERRORS
from zerosum.support.options import option_name
from zerosum.support.validation import as_path, path_as_text

UNFINISHED = (RUNNING, "interrupted", "memory")
_MORE = re.compile(r"\s*\+\s*(\S+)\s*$")


@dataclass(frozen=True)
class ResumeInputs:
    """Inputs that a saved run does not hold: user code, which it never runs by itself, and the machines to run on."""

    game: Any = None
    algorithm: str | Algorithm | None = None
    place: Callable[[Problem], Problem] = lambda problem: problem


def resume_run(
    path: str | Path, more: Mapping[str, Any], inputs: ResumeInputs, listener: Listener | None = None
) -> Run:
    """Return a saved run, ready to continue and to be saved again; `more` are its new limits, as typed."""
    existing_run(as_path(path))
    home = RunLocation(path, new=False)
    try:
        with SavedRun(path) as saved:
            _check(saved)
            chosen = saved.algorithm(inputs.algorithm)
            problem = inputs.place(saved.problem(inputs.game))
            limits = _limits(saved, more, problem.unit, chosen)
            about = {key: saved.header[key] for key in CONTINUED_KEYS if key in saved.header}
            if isinstance(path_as_text(inputs.game), str):
                about["game"] = path_as_text(inputs.game)
            start = Start(saved.seed if chosen.sampling else None, saved.start_seed)
            run = Run(problem, chosen, limits, start, listener=listener)
            run.saver = RunSaver(home, {**about, "limits": run.saved_fields["limits"]}, saved)
            try:
                problem.check_memory(chosen, limits.threads)
                problem.build(run.report_stage, chosen.sampling is not None)
                saved.codec.check_saved(problem, saved)
            except DAMAGE_ERRORS as error:
                raise error if isinstance(error, ZerosumError) else saved.as_error(error) from None
            run.prepare()
            return run
    except BaseException:
        home.close()
        raise


def _check(run: SavedRun) -> None:
    if run.stopped == "exact":
        raise ZerosumError(f"{run.path} holds the exact solution: there is nothing to continue")
    run.codec.check_resumable(run)


def _limits(run: SavedRun, more: Mapping[str, Any], unit: Unit, algorithm: Algorithm) -> Limits:
    """Return the new limits of a run, from the limits as typed."""
    before, threads = run.limits, more.get("threads")
    iterations = _total(more.get("iterations"), run.iteration, "iterations")
    nodes = _total(more.get("nodes"), run.nodes or 0, "nodes")
    until, seconds = unit.limit(more.get("until")), more.get("seconds")
    has_limit = any(limit is not None for limit in (iterations, until, seconds, nodes))
    if algorithm.needs_horizon and has_limit:
        laid_out = before.horizon(algorithm), before.end(algorithm)
        if (iterations, nodes) != (None, None) and (iterations or laid_out[0], nodes or laid_out[1]) != laid_out:
            raise ZerosumError(
                f"{algorithm.name} depends on the length of a run, which cannot be changed: start a new run with "
                "the length you want"
            )
        iterations, nodes = before.iterations, before.nodes
        if not before.has_limit:
            iterations, nodes = (None, laid_out[1]) if algorithm.sampling else (laid_out[0], None)
    if not has_limit:
        if run.stopped not in UNFINISHED:
            raise ZerosumError(
                f"{run.path} is complete after {run.iteration:,} iterations: say how far to continue "
                f"({option_name('iterations', '+1000')}, {option_name('until')} or {option_name('seconds')})"
            )
        return Limits(before.iterations, before.until, before.seconds, threads, before.nodes)
    Limits(seconds=seconds)
    seconds = None if seconds is None else run.seconds + seconds
    limits = Limits(iterations, until, seconds, threads, nodes)
    horizon, end = limits.horizon(algorithm), limits.end(algorithm)
    if run.iteration >= horizon:
        raise ZerosumError(f"{run.path} has {run.iteration:,} iterations already: give a larger number, or +1000")
    if end is not None and (run.nodes or 0) >= end:
        raise ZerosumError(f"{run.path} has touched {run.nodes:,} nodes already: give a larger number, or +1e6")
    if until is not None and run.curve and run.curve[-1].exploitability <= until:
        raise ZerosumError(f"{run.path} has reached {run.curve[-1].exploitability:.4g} already: give a lower limit")
    return limits


def _total(value: int | str | None, before: int, what: str) -> int | None:
    """Return a number of the whole run from a number, or from an increment like +1000."""
    if value is None or isinstance(value, int):
        return value
    more = _MORE.match(str(value))
    try:
        number = float((more[1] if more else str(value)).replace(",", ""))
        if number != int(number) or (more and number < 1):
            raise ValueError
    except (ValueError, OverflowError):
        raise ZerosumError(f"{what} must be a whole number, or one with a plus like +1000, not {value!r}") from None
    return int(number) + (before if more else 0)
