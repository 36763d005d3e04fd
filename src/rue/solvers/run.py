"""A whole run: compile the game, choose the solver, iterate, keep what it found."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.catalogue import algorithm as named_algorithm
from rue.algorithms.choices import Theory
from rue.algorithms.defaults import GENERAL
from rue.algorithms.sampling import PublicChanceSampling
from rue.errors import RueError
from rue.forms.compile import compile_game
from rue.forms.sequence_form import SequenceForm
from rue.forms.treeplex import Floats
from rue.games.catalogue import make
from rue.games.game import Game
from rue.result import Decision, Point, Result
from rue.solvers.board_solver import BoardSolver
from rue.solvers.evaluate import evaluate
from rue.solvers.iterate import Iterating, Keeping, Progress, iterate
from rue.solvers.limits import Limits
from rue.solvers.linear_program import equilibrium
from rue.solvers.rules_solver import RulesSolver
from rue.solvers.sampled_solver import SampledSolver
from rue.solvers.solver import Solver
from rue.solvers.warm import WEIGHT, Warm, check_warm, check_weight, warm_up_from
from rue.strategies.fit import Fill, check_fill, fit
from rue.strategies.names import named_infosets
from rue.strategies.strategy import Given, Strategy

EXACT = "lp"
"""The name of the exact solution."""
FACTORS = tuple(10.0**power for power in range(1, 9))
"""Among which tuned step sizes are picked: spcfr, section 6, has the first three."""


@dataclass(frozen=True)
class Start:
    """Where a run starts: the seed of its draws, and that of random first regrets, if they are not to be zero.

    `strategy` is a strategy to start from instead, `fill` what completes it and `weight` how far it is trusted; see
    `rue.solvers.warm`.
    """

    seed: int | None = None
    start_seed: int | None = None
    strategy: Strategy | None = None
    weight: float = WEIGHT
    fill: Fill | None = None

    def check(self, algorithm: Algorithm | None) -> None:
        """Refuse a seed or a strategy that nothing would use."""
        check_weight(self.weight)
        check_fill(self.fill)
        if self.strategy is not None:
            check_warm(algorithm)
            if self.start_seed is not None:
                raise RueError("a run starts from random regrets or from a strategy, not from both")
        if self.seed is not None and (algorithm is None or algorithm.sampling is None):
            raise RueError(
                f"{EXACT if algorithm is None else algorithm.name} draws nothing: a seed goes with an algorithm that "
                "samples, like mccfr; a start seed (--start-seed, start_seed=) begins from random regrets"
            )

    def warm(self, form: SequenceForm) -> Warm | None:
        """The strategy to start from, fitted to a game."""
        if self.strategy is None:
            return None
        return Warm(self.strategy.source, fit(form, self.strategy, self.fill).strategies, self.weight)


def solve(
    game: str | Game | SequenceForm,
    algorithm: str | Algorithm = GENERAL,
    *,
    iterations: int | None = None,
    until: float | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    threads: int | None = None,
    refine: bool = False,
    seed: int | None = None,
    start_seed: int | None = None,
    start_from: Given | None = None,
    start_weight: float = WEIGHT,
    fill: Fill | None = None,
    by_rules: bool = False,
    out: str | Path | None = None,
    overwrite: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Result:
    """Solve a game and return its average strategy, its value and the curve of its exploitability.

    game: a name like `leduc(suits=3)`, rules, or a game already compiled.
    algorithm: a name like `dcfr(1.5, 0, 2)`, a combination of choices, or `lp` for the exact solution.
    iterations, until, seconds, nodes: the run ends at the first of these that is given: a number of iterations, an
    exploitability, a time, a number of nodes touched (1000 iterations, or 1e7 nodes of a sampled run, if nothing is
    given). threads: None for all cores; it does not change the result.
    refine: split infosets of imperfect recall. seed: of a sampled run, 0 by default; the same seed, the same run.
    start_seed: start from random regret instead of zero. start_from: start from a strategy (a file, a result, a
    mapping; see `rue.read_strategy`) that `fill="uniform"` completes, as far as `start_weight` trusts it. by_rules:
    sample without an enumeration of the game, for games that are too large; see `Result`. out: where the run is saved,
    on the way and at its end, for `rue.load` and `rue.resume`: a folder, or a file in .rue; a name in .json or .json.gz
    keeps the result alone. overwrite: replace a run that lies there. progress: called several times a second. The first
    Ctrl-C ends the run and keeps what was reached.

    >>> result = solve("kuhn", "dcfr", iterations=1000)
    >>> round(result.value, 4), result.exploitability < 1e-3
    (-0.0556, True)
    >>> solve("leduc", "linear-mccfr(1e5)", nodes=10**6, seed=3).exploitability < 0.2
    True
    """
    limits = Limits(iterations, until, seconds, threads, nodes)
    start = Start(seed, start_seed, None if start_from is None else Strategy.of(start_from), start_weight, fill)
    chosen = resolved(algorithm)
    limits.horizon(chosen)
    start.check(chosen)
    if out is None:
        return _solve(game, chosen, limits, start, refine, by_rules, progress)
    from rue.runs.keeper import keeping_general

    text = game if isinstance(game, str) else None
    with keeping_general(out, text, chosen, limits, start, refine, overwrite) as kept:
        return kept.result(_solve(game, chosen, limits, start, refine, by_rules, progress, kept.keeper))


def _solve(
    game: str | Game | SequenceForm,
    algorithm: Algorithm | None,
    limits: Limits,
    start: Start,
    refine: bool,
    by_rules: bool,
    progress: Callable[[Progress], None] | None,
    keeping: Keeping | None = None,
) -> Result:
    if by_rules:
        return solve_rules(rules_of(game), algorithm, limits, start, progress, keeping)
    sampled = algorithm is not None and algorithm.sampling is not None
    return solve_form(compiled(game, refine, sampled), algorithm, limits, start, progress, keeping)


def rules_of(game: str | Game | SequenceForm) -> Game:
    """The rules of a game."""
    if isinstance(game, SequenceForm):
        raise RueError(f"{game.name} is compiled: a run by rules needs the rules")
    return make(game) if isinstance(game, str) else game


def compiled(game: str | Game | SequenceForm, refine: bool = False, sampled: bool = False) -> SequenceForm:
    """A game in sequence form, whatever it is given as; with its histories if it is to be sampled."""
    return game if isinstance(game, SequenceForm) else compile_game(rules_of(game), refine=refine, sampled=sampled)


def resolved(algorithm: str | Algorithm) -> Algorithm | None:
    """The algorithm of a name; None for the exact solution.

    >>> resolved("lp"), str(resolved("cfr"))
    (None, 'cfr')
    """
    if isinstance(algorithm, str) and algorithm.strip().lower() == EXACT:
        return None
    return named_algorithm(algorithm)


def solve_form(
    form: SequenceForm,
    algorithm: Algorithm | None,
    limits: Limits,
    start: Start | None = None,
    progress: Callable[[Progress], None] | None = None,
    keeping: Keeping | None = None,
) -> Result:
    """Run an algorithm, or find the exact solution if it is None, on a compiled game."""
    start = start or Start()
    if algorithm is None:
        return _exact(form)
    if algorithm.sampling is not None:
        sampled = sampled_solver(form, algorithm, limits, start)
        curve, stopped = iterate(sampled, limits, progress, keeping=keeping)
        found = _result(form, algorithm.name, curve, sampled.average, stopped)
        return replace(found, seed=sampled.seed, bytes=sampled.bytes)
    horizon = limits.horizon(algorithm)
    if limits.nodes is not None:
        horizon = min(horizon, math.ceil(limits.nodes / (2 * form.histories)))

    warm = start.warm(form)

    def solver_of(chosen: Algorithm) -> Solver:
        solver = Solver(form, chosen, horizon, start.start_seed, limits.threads)
        if warm is not None:
            warm_up_from(solver, warm)
        return solver

    algorithm = tuned(algorithm, solver_of)
    solver = solver_of(algorithm)
    curve, stopped = iterate(solver, limits, progress, keeping=keeping)
    return _result(form, algorithm.name, curve, solver.average, stopped)


def sampled_solver(
    form: SequenceForm, algorithm: Algorithm, limits: Limits, start: Start
) -> SampledSolver | BoardSolver:
    """The solver of a sampled run within limits."""
    horizon, end = limits.horizon(algorithm), limits.end(algorithm)
    if isinstance(algorithm.sampling, PublicChanceSampling):
        if start.start_seed is not None:
            raise RueError(f"{algorithm.name} starts from zero regret: leave out the start seed")
        return BoardSolver(form, algorithm, start.seed or 0, horizon, end)
    return SampledSolver(form, algorithm, start.seed or 0, horizon, end, start.start_seed)


def solve_rules(
    game: Game,
    algorithm: Algorithm | None,
    limits: Limits,
    start: Start | None = None,
    progress: Callable[[Progress], None] | None = None,
    keeping: Keeping | None = None,
) -> Result:
    """Run a sampled algorithm on the rules of a game, without enumerating it."""
    start = start or Start()
    if algorithm is None or algorithm.sampling is None:
        name = EXACT if algorithm is None else algorithm.name
        raise RueError(f"{name} needs the whole game: by rules alone goes with an algorithm that samples, like mccfr")
    if limits.until is not None:
        raise RueError("by rules alone the exploitability is not known: end the run by nodes, iterations or seconds")
    if start.start_seed is not None:
        raise RueError("by rules alone every infoset starts from zero regret: leave out the start seed")
    solver = RulesSolver(game, algorithm, start.seed or 0, limits.horizon(algorithm), limits.end(algorithm))
    began = time.perf_counter() - (0.0 if keeping is None else keeping.seconds)
    _, stopped = iterate(solver, limits, progress, keeping=keeping)
    return Result(
        game=game.name,
        algorithm=algorithm.name,
        iterations=solver.iteration,
        seconds=time.perf_counter() - began,
        exploitability=math.nan,
        nash_conv=math.nan,
        value=math.nan,
        infosets=solver.table.infosets,
        sequences=solver.table.sequences,
        curve=(),
        decisions=tuple(solver.decisions()),
        stopped=stopped,
        nodes=solver.nodes,
        seed=solver.seed,
        bytes=solver.bytes,
    )


def tuned(algorithm: Algorithm, solver_of: Callable[[Algorithm], Iterating]) -> Algorithm:
    """Pick the factor of tuned step sizes: 10, 100 and so on as long as a tenth of the run gets better by it."""
    if not isinstance(algorithm.steps, Theory) or algorithm.steps.factor is not None:
        return algorithm

    def reached(factor: float) -> float:
        solver = solver_of(algorithm.with_factor(factor))
        solver.run(max(10, solver.horizon // 10))
        found = solver.evaluate()
        return math.inf if found is None else found.exploitability

    best, lowest = FACTORS[0], math.inf
    for factor in FACTORS:
        found = reached(factor)
        if not found < lowest:
            break
        best, lowest = factor, found
    name = algorithm.name.replace("tuned", f"tuned, factor={best:g}", 1)
    return replace(algorithm.with_factor(best), name=name)


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
        decisions=tuple(decisions_of(form, plans)),
        stopped=stopped,
        nodes=last.nodes,
    )


def decisions_of(form: SequenceForm, plans: tuple[Floats, Floats]) -> Iterator[Decision]:
    """What the plans of both players do at each infoset."""
    reaches = [plan[treeplex.tree.parent] for treeplex, plan in zip(form.treeplexes, plans, strict=True)]
    strategies = [treeplex.strategy(plan) for treeplex, plan in zip(form.treeplexes, plans, strict=True)]
    for player, number, text in named_infosets(form):
        treeplex = form.treeplexes[player]
        chances = strategies[player][treeplex.of(number)]
        actions = {str(a): float(p) for a, p in zip(treeplex.actions[number], chances, strict=True)}
        yield Decision(player + 1, text, float(reaches[player][number]), actions)
