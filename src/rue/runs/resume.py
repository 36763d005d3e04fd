"""A saved run that goes on: what it gives is, digit for digit, what a run without a stop would have given."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rue.algorithms.algorithm import Algorithm
from rue.errors import RueError
from rue.forms.sequence_form import SequenceForm
from rue.games.files import names_file
from rue.games.game import Game
from rue.result import Result
from rue.runs.keeper import Keeper, file_fingerprint
from rue.runs.opened import CUT, DAMAGE, RUNNING, STRATEGY, Opened
from rue.runs.place import Place, existing
from rue.runs.tables import fingerprint_of
from rue.solvers.iterate import Progress
from rue.solvers.limits import Limits
from rue.solvers.run import Start, compiled, rules_of, solve_form, solve_rules

if TYPE_CHECKING:
    from rue.holdem.solve import HoldemResult

STAYING = ("game", "source", "spot", "seed", "start_seed", "start_from", "refine", "isomorphism", "half", "streets")
"""What a run keeps when it goes on."""
UNFINISHED = (RUNNING, "interrupted", "memory")
_MORE = re.compile(r"\s*\+\s*(\S+)\s*$")


def resume(
    path: str | Path,
    *,
    iterations: int | str | None = None,
    until: float | str | None = None,
    seconds: float | None = None,
    nodes: int | str | None = None,
    threads: int | None = None,
    game: str | Game | SequenceForm | None = None,
    algorithm: str | Algorithm | None = None,
    progress: Callable[[Progress], None] | None = None,
    stage: Callable[[str], None] | None = None,
) -> Result | HoldemResult:
    """Go on with a run that `rue.solve(..., out=path)` saved, and save it there again.

    iterations, nodes: the number of the whole run, or `"+1000"` for so many more; until: an exploitability; seconds:
    from now on. Without any, a run that was stopped or killed goes on to the end it had. game, algorithm: again, if
    they are functions or classes of one's own: a saved run is data, and never runs code by itself. stage: told what is
    done now.

    >>> import rue, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = rue.solve("kuhn", "dcfr", iterations=100, out=f"{folder}/run")
    ...     longer = rue.resume(f"{folder}/run", iterations="+900")
    >>> longer.strategy == rue.solve("kuhn", "dcfr", iterations=1000).strategy
    True
    """
    existing(Path(path))
    place = Place(path, new=False)
    try:
        with Opened(path) as run:
            _check(run)
            chosen = run.algorithm(algorithm)
            given = _Given(run, iterations, until, seconds, nodes)
            limits = given.limits(chosen, threads)
            header = run.header
            about = {key: header[key] for key in STAYING if key in header}
            limited = {key: value for key, value in asdict(limits).items() if key != "threads"}
            keeper = Keeper(place, {**about, "limits": limited}, run)
            if "spot" in header:
                return _spot(run, chosen, limits, keeper, progress, stage)
            return _general(run, chosen, limits, keeper, progress, stage, game)
    finally:
        place.close()


def load(path: str | Path) -> Result | HoldemResult:
    """What a run or a result file holds, of this version or of an earlier one.

    >>> import rue, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = rue.solve("kuhn", iterations=50, out=f"{folder}/run")
    ...     rue.load(f"{folder}/run") == result
    True
    """
    from rue.runs.place import file_of

    found = Path(path)
    file = existing(found) if found.is_dir() else file_of(found)
    try:
        with file.open("rb") as opened:
            first = opened.read(2)
    except OSError as error:
        raise RueError(f"cannot read {path}: {error.strerror or error}") from None
    if first == b"PK":
        from rue.holdem.saved import load_zip

        return load_zip(file)
    if first == b"\x89R":
        with Opened(found) as run:
            return run.result()
    return Result.load(file)


def _check(run: Opened) -> None:
    if run.kind == "exact":
        raise RueError(f"{run.path} holds the exact solution: there is nothing to go on with")
    if run.kind == STRATEGY:
        raise RueError(f"{run.path} holds the strategy only: rue solve ... --out saves runs that can go on")
    if run.kind == CUT:
        kept = ", ".join(run.header["streets"])
        raise RueError(f"{run.path} has kept the {kept} only (--streets): it can be looked at and cannot go on")


class _Given:
    """The limits as they were given, for the run as it is."""

    def __init__(self, run: Opened, iterations: Any, until: Any, seconds: float | None, nodes: Any) -> None:
        self.run = run
        self.iterations = _whole(iterations, run.iteration, "iterations")
        self.nodes = _whole(nodes, run.nodes or 0, "nodes")
        self.until = _until(run, until)
        self.seconds = seconds
        self.any = any(limit is not None for limit in (iterations, until, seconds, nodes))

    def limits(self, algorithm: Algorithm, threads: int | None) -> Limits:
        """When the run ends now."""
        run, before = self.run, self.run.limits
        iterations, nodes = self.iterations, self.nodes
        if algorithm.needs_horizon and self.any:
            laid_out = before.horizon(algorithm), before.end(algorithm)
            if (iterations, nodes) != (None, None) and (iterations or laid_out[0], nodes or laid_out[1]) != laid_out:
                raise RueError(
                    f"{algorithm.name} is laid out over the whole length of a run, so it cannot be made longer or "
                    "shorter: start anew with the length you want"
                )
            iterations, nodes = before.iterations, before.nodes
            if not before.given:
                iterations, nodes = (None, laid_out[1]) if algorithm.sampling else (laid_out[0], None)
        if not self.any:
            if run.stopped not in UNFINISHED:
                raise RueError(
                    f"{run.path} is complete after {run.iteration:,} iterations: say how far it is to go on, as in "
                    "--iterations +1000 (iterations='+1000'), --until or --seconds"
                )
            return Limits(before.iterations, before.until, before.seconds, threads, before.nodes)
        seconds = None if self.seconds is None else run.seconds + self.seconds
        limits = Limits(iterations, self.until, seconds, threads, nodes)
        horizon, end = limits.horizon(algorithm), limits.end(algorithm)
        if run.iteration >= horizon:
            raise RueError(f"{run.path} has {run.iteration:,} iterations already: give a larger number, or +1000")
        if end is not None and (run.nodes or 0) >= end:
            raise RueError(f"{run.path} has touched {run.nodes:,} nodes already: give a larger number, or +1e6")
        if self.until is not None and run.curve and run.curve[-1].exploitability <= self.until:
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


def _until(run: Opened, until: float | str | None) -> float | None:
    if until is None:
        return None
    if "spot" in run.header:
        from rue.holdem.solve import until_chips
        from rue.runs.spots import spot_of

        return until_chips(until, spot_of(run).pot)
    try:
        return float(until)
    except ValueError:
        raise RueError(f"until must be a number, not {until!r}") from None


def _general(
    run: Opened,
    algorithm: Algorithm,
    limits: Limits,
    keeper: Keeper,
    progress: Callable[[Progress], None] | None,
    stage: Callable[[str], None] | None,
    given: str | Game | SequenceForm | None,
) -> Result:
    start = Start(run.seed if algorithm.sampling else None, run.start_seed)
    named = given if given is not None else _named(run)
    if isinstance(given, str):
        keeper.about["game"] = given
        source = file_fingerprint(given)
        if run.kind == "rules" and source != run.header.get("source"):
            raise RueError(f"{given} is not the game of this run, or its file has changed")
    if run.kind == "rules":
        return solve_rules(rules_of(named), algorithm, limits, start, progress, keeper)
    if stage is not None:
        stage(f"compiling {run.name}")
    form = compiled(named, bool(run.header["refine"]), algorithm.sampling is not None)
    if fingerprint_of(form) != run.header["numbers"]["fingerprint"]:
        raise RueError(f"{form.name} is not the game of this run, which is {run.name}, or its rules have changed")
    if stage is not None:
        stage(algorithm.name)
    return solve_form(form, algorithm, limits, start, progress, keeper)


def _named(run: Opened) -> str:
    """The game by its name; what is a file of Python has to be named again by who wants it run."""
    text = run.header["game"]
    if not isinstance(text, str):
        raise RueError(f"this run plays {run.name}, which was given as an object: give it again (game=)")
    if names_file(text):
        raise RueError(f"this run plays {text}, a file of Python, which is run only if you name it: add --game {text}")
    return text


def _spot(
    run: Opened,
    algorithm: Algorithm,
    limits: Limits,
    keeper: Keeper,
    progress: Callable[[Progress], None] | None,
    stage: Callable[[str], None] | None,
) -> HoldemResult:
    from rue.holdem.estimate import estimate
    from rue.holdem.solve import solve_tree
    from rue.runs.spots import spot_of, tree_of

    isomorphism, half = bool(run.header["isomorphism"]), bool(run.header["half"])
    try:
        spot = spot_of(run)
        estimate(spot, algorithm, isomorphism=isomorphism, threads=limits.threads, half=half).check()
        if stage is not None:
            stage(f"building {spot}")
        tree = tree_of(run, spot)
    except DAMAGE as error:
        raise run._told(error) from None
    if stage is not None:
        stage(algorithm.name)
    seed = run.seed if algorithm.sampling else None
    return solve_tree(spot, tree, algorithm, limits, progress, seed, half, keeping=keeper)
