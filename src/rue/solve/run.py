"""A whole run: compile the game, iterate in batches, evaluate now and then, stop when asked."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

from rue.algorithms.catalogue import algorithm as named_algorithm
from rue.algorithms.choices import Algorithm, Theory
from rue.errors import RueError
from rue.forms.compile import compile_game
from rue.forms.sequence_form import SequenceForm
from rue.forms.treeplex import Floats
from rue.games.catalogue import make
from rue.games.game import Game
from rue.result import Decision, Point, Result
from rue.solve.evaluate import Evaluation, evaluate
from rue.solve.limits import WITHOUT_END, Limits
from rue.solve.linear_program import equilibrium
from rue.solve.solver import Solver

DEFAULT_ALGORITHM = "dcfr"
EXACT = "lp"
"""The name of the exact solution."""
BATCH_SECONDS = 0.05
POINTS_A_DECADE = 12
FACTORS = (10.0, 100.0, 1000.0)
"""Among which tuned step sizes are picked (spcfr, section 6)."""


@dataclass(frozen=True)
class Progress:
    """Where a run is: what a progress display needs.

    >>> seen = []
    >>> _ = solve("kuhn", iterations=50, progress=seen.append)
    >>> seen[-1].iteration, seen[-1].iterations, seen[-1].remaining
    (50, 50, 0.0)
    """

    iteration: int
    iterations: int
    seconds: float
    point: Point | None
    """The last evaluation."""
    remaining: float | None
    """Seconds left, by the nearest end that can be foreseen."""


class Named(Protocol):
    """A game in some form."""

    @property
    def name(self) -> str:
        """What the game is called."""


class Iterating(Protocol):
    """What a run needs of a solver, whatever form its game has."""

    iteration: int
    horizon: int
    algorithm: Algorithm

    @property
    def form(self) -> Named:
        """The game."""

    def warm_up(self) -> None:
        """Load the compiled code without an iteration."""

    def run(self, iterations: int) -> None:
        """Go on for a number of iterations."""

    def evaluate(self) -> Evaluation:
        """The value and the exploitability of the average strategies."""


def checkpoints(iterations: int, per_decade: int = POINTS_A_DECADE) -> Iterator[int]:
    """The iterations at which a run is evaluated: log-spaced, the last one included.

    >>> list(checkpoints(20, 4))
    [1, 2, 3, 6, 10, 18, 20]
    """
    last, step = 0, 0
    while last < iterations:
        point = min(iterations, round(10 ** (step / per_decade)))
        if point > last:
            yield point
            last = point
        step += 1


def solve(
    game: str | Game | SequenceForm,
    algorithm: str | Algorithm = DEFAULT_ALGORITHM,
    *,
    iterations: int | None = None,
    until: float | None = None,
    seconds: float | None = None,
    threads: int | None = None,
    refine: bool = False,
    start_seed: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Result:
    """Solve a game and return its average strategy, its value and the curve of its exploitability.

    game: a name like `leduc(suits=3)`, rules, or a game already compiled.
    algorithm: a name like `dcfr(1.5, 0, 2)`, a combination of choices, or `lp` for the exact solution.
    iterations, until, seconds: the run ends at the first of these that is given: a number of iterations (1000 if
    nothing is given), an exploitability, a time. threads: None for all cores; it does not change the result.
    refine: split infosets of imperfect recall. start_seed: start from random regret instead of zero.
    progress: called several times a second. The first Ctrl-C ends the run and keeps what was reached.

    >>> result = solve("kuhn", "dcfr", iterations=1000)
    >>> round(result.value, 4), result.exploitability < 1e-3
    (-0.0556, True)
    """
    limits = Limits(iterations, until, seconds, threads)
    chosen = resolved(algorithm)
    limits.horizon(chosen)
    return solve_form(compiled(game, refine), chosen, limits, start_seed, progress)


def compiled(game: str | Game | SequenceForm, refine: bool = False) -> SequenceForm:
    """A game in sequence form, whatever it is given as."""
    if isinstance(game, SequenceForm):
        return game
    return compile_game(make(game) if isinstance(game, str) else game, refine=refine)


def resolved(algorithm: str | Algorithm) -> Algorithm | None:
    """The algorithm of a name; None for the exact solution.

    >>> resolved("lp"), str(resolved("cfr"))
    (None, 'cfr')
    """
    exact = isinstance(algorithm, str) and algorithm.strip().lower() == EXACT
    return None if exact else named_algorithm(algorithm)


def solve_form(
    form: SequenceForm,
    algorithm: Algorithm | None,
    limits: Limits,
    start_seed: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Result:
    """Run an algorithm, or find the exact solution if it is None, on a compiled game."""
    if algorithm is None:
        return _exact(form)
    horizon = limits.horizon(algorithm)

    def solver_of(chosen: Algorithm) -> Solver:
        return Solver(form, chosen, horizon, start_seed, limits.threads)

    algorithm = tuned(algorithm, solver_of)
    solver = solver_of(algorithm)
    curve, stopped = iterate(solver, limits, progress)
    return _result(form, algorithm.name, curve, solver.average, stopped)


def tuned(algorithm: Algorithm, solver_of: Callable[[Algorithm], Iterating]) -> Algorithm:
    """Pick the factor of tuned step sizes: the best of 10, 100 and 1000 after a tenth of the run each."""
    if not isinstance(algorithm.steps, Theory) or algorithm.steps.factor is not None:
        return algorithm

    def reached(factor: float) -> float:
        solver = solver_of(algorithm.with_factor(factor))
        solver.run(max(10, solver.horizon // 10))
        return solver.evaluate().exploitability

    best = min(FACTORS, key=reached)
    name = algorithm.name.replace("tuned", f"tuned, factor={best:g}", 1)
    return replace(algorithm.with_factor(best), name=name)


def iterate(
    solver: Iterating, limits: Limits, progress: Callable[[Progress], None] | None = None
) -> tuple[list[Point], str]:
    """Iterate until the first limit and return the evaluations on the way and why the run ended.

    The first Ctrl-C ends it too; numbers that are no longer finite are an error.
    """
    iterations, until, seconds = solver.horizon, limits.until, limits.seconds
    solver.warm_up()
    began = time.perf_counter()
    curve: list[Point] = []
    stopped = "iterations"
    rate = 0.0
    with _interruptible() as interrupted:
        for target in checkpoints(iterations):
            while solver.iteration < target and not stopped_by_hand(interrupted):
                elapsed = time.perf_counter() - began
                if seconds is not None and elapsed >= seconds:
                    break
                left = math.inf if seconds is None else seconds - elapsed
                wanted = max(1, int(rate * min(BATCH_SECONDS, left)))
                solver.run(min(wanted, target - solver.iteration))
                now = time.perf_counter() - began
                rate = solver.iteration / max(now, 1e-9)
                if progress is not None:
                    progress(_progress(solver, seconds, now, rate, curve))
            if not solver.iteration:
                solver.run(1)
            curve.append(_point(solver, time.perf_counter() - began))
            if progress is not None:
                now = time.perf_counter() - began
                progress(_progress(solver, seconds, now, rate, curve))
            if until is not None and curve[-1].exploitability <= until:
                stopped = "until"
            elif stopped_by_hand(interrupted):
                stopped = "interrupted"
            elif seconds is not None and curve[-1].seconds >= seconds and solver.iteration < iterations:
                stopped = "seconds"
            else:
                continue
            break
    return curve, stopped


def stopped_by_hand(interrupted: threading.Event) -> bool:
    """Whether Ctrl-C was pressed."""
    return interrupted.is_set()


@contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """Turn the first Ctrl-C into an event; the second one interrupts as usual."""
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event
        return
    previous = signal.getsignal(signal.SIGINT)

    def note(number: int, frame: object) -> None:
        event.set()
        signal.signal(signal.SIGINT, previous)

    signal.signal(signal.SIGINT, note)
    try:
        yield event
    finally:
        signal.signal(signal.SIGINT, previous)


def _progress(solver: Iterating, seconds: float | None, now: float, rate: float, curve: list[Point]) -> Progress:
    iterations = solver.horizon
    left = [(iterations - solver.iteration) / rate] if iterations < WITHOUT_END and rate > 0 else []
    if seconds is not None:
        left.append(max(0.0, seconds - now))
    point = curve[-1] if curve else None
    return Progress(solver.iteration, iterations, now, point, min(left) if left else None)


def _point(solver: Iterating, elapsed: float) -> Point:
    found = solver.evaluate()
    if not math.isfinite(found.exploitability):
        raise RueError(
            f"{solver.algorithm.name} on {solver.form.name} is no longer finite at iteration {solver.iteration}"
        )
    return Point(solver.iteration, elapsed, found.exploitability, found.nash_conv, found.value)


def _exact(form: SequenceForm) -> Result:
    began = time.perf_counter()
    plans = equilibrium(form)
    found = evaluate(form, *plans)
    point = Point(0, time.perf_counter() - began, found.exploitability, found.nash_conv, found.value)
    return _result(form, EXACT, [point], plans, "exact")


def _result(form: SequenceForm, name: str, curve: list[Point], plans: tuple[Floats, Floats], stopped: str) -> Result:
    last = curve[-1]
    return Result(
        game=form.name,
        algorithm=name,
        iterations=last.iteration,
        seconds=last.seconds,
        exploitability=last.exploitability,
        nash_conv=last.nash_conv,
        value=last.value,
        infosets=form.infosets,
        sequences=form.sequences,
        curve=tuple(curve),
        decisions=tuple(_decisions(form, plans)),
        stopped=stopped,
    )


def _decisions(form: SequenceForm, plans: tuple[Floats, Floats]) -> Iterator[Decision]:
    taken: set[str] = set()
    for player, (treeplex, plan) in enumerate(zip(form.treeplexes, plans, strict=True), start=1):
        reach = plan[treeplex.tree.parent]
        strategy = treeplex.strategy(plan)
        for number, infoset in enumerate(treeplex.infosets):
            text = form.describe(infoset)
            if text in taken:
                text = f"player {player}: {text}"
            if text in taken:
                text = f"{text} #{number}"
            taken.add(text)
            chances = strategy[treeplex.of(number)]
            actions = {str(a): float(p) for a, p in zip(treeplex.actions[number], chances, strict=True)}
            yield Decision(player, text, float(reach[number]), actions)
