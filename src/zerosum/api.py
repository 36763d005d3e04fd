"""The functions that users call: solve, compare, repeat, resume, evaluate and export games and hold'em spots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from zerosum.algorithms.algorithm import Algorithm
from zerosum.options import (
    BatchOptions,
    ResumeOptions,
    SolveOptions,
    build_limits,
    build_problem,
    build_start,
    build_workers,
    load_strategy,
    place_on_cluster,
)
from zerosum.problems.estimate import Estimate
from zerosum.problems.kinds import kind_of_name
from zerosum.problems.options import ProblemOptions
from zerosum.problems.registry import ProblemLike
from zerosum.results.result import Result
from zerosum.runs.progress import Listener, Progress
from zerosum.runs.run import Run
from zerosum.support.errors import ZerosumError
from zerosum.support.options import check_options, option_name
from zerosum.support.signals import stop_on_interrupt
from zerosum.support.validation import as_path, list_members, short_repr

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from zerosum.games.game import Game
    from zerosum.jobs.workers import Workers
    from zerosum.problems.options import Fill
    from zerosum.results.exploitability import ExploitReport, HeadToHead
    from zerosum.results.seed_average import SeedAverage
    from zerosum.results.strategy import StrategyInput
    from zerosum.results.sweep import By, Sweep


def start(
    game: ProblemLike,
    algorithm: str | Algorithm | None = None,
    *,
    out: str | Path | None = None,
    overwrite: bool = False,
    listener: Listener | None = None,
    **options: Unpack[SolveOptions],
) -> Run:
    """Return a run that has not begun, with the options of `solve`: see `Run`.

    >>> run = start("kuhn", "cfr+", iterations=1000)
    >>> while run.advance(seconds=0.1):
    ...     pass
    >>> run.progress.iteration
    1000
    """
    problem = place_on_cluster(build_problem(game, options), options, out)
    chosen, limits, begin = problem.algorithm(algorithm), build_limits(problem, options), build_start(options)
    if out is None and options.get("streets") is not None:
        raise ZerosumError(f"{option_name('streets')} selects what a saved run keeps: add {option_name('out')}")
    run = Run(problem, chosen, limits, begin, listener=listener)
    if out is not None:
        from zerosum.algorithms.serialization import to_data
        from zerosum.runs.run_location import RunLocation, is_result_file
        from zerosum.runs.run_saver import ResultSaver, RunSaver

        path = as_path(out)
        to_data(chosen)  # raises an error before the run if it cannot be saved
        if not is_result_file(path):
            fields = run.saved_fields
            run.saver = RunSaver(RunLocation(path, new=True, overwrite=overwrite), fields)
        elif problem.codec().saves_as_json:
            run.saver = ResultSaver(path)
        else:
            raise ZerosumError(f"a run on {problem.name} is saved as a folder or a file in .zs, not as {path.name}")
    return run


def finish(run: Run) -> Result:
    """Advance a run to its end and return its result; the first Ctrl-C ends it early."""
    try:
        run.prepare()
        with stop_on_interrupt(run.stop):
            run.advance()
        return run.final()
    finally:
        run.close()


def solve(
    game: ProblemLike,
    algorithm: str | Algorithm | None = None,
    *,
    out: str | Path | None = None,
    overwrite: bool = False,
    progress: Callable[[Progress], Any] | None = None,
    evaluated: Callable[[Run], Any] | None = None,
    **options: Unpack[SolveOptions],
) -> Result:
    """Solve a game or a hold'em spot: its average strategy, its value and the curve of its exploitability.

    game: a name like `leduc(suits=3)` or `spot:river`, rules, a game already compiled, or a spot. algorithm: a name
    like `dcfr(1.5, 0, 2)`, a combination of choices, or `lp` for the exact solution. out: where the run is saved, on
    the way and at its end, for `zerosum.load` and `zerosum.resume`: a folder, or a file in .zs; a name in .json or
    .json.gz keeps the result of a game alone. overwrite: replace an existing run. progress: called several times a
    second; without it, a notebook shows the progress under the cell. evaluated: called with the run whenever its curve
    has a new point, `run.curve[-1]`; it may read `run.result()` and may call `run.stop()`.

    The options: iterations, until, seconds, nodes: the run ends at the first of these limits: a number of iterations,
    an exploitability (of hold'em in chips, or `"0.5%"` of the pot), a time, a number of nodes touched (without any,
    after 1000 iterations, or 1e7 nodes of a sampled run). threads: None for all cores; it does not change the result.
    seed: of a sampled run, 0 by default; the same seed, the same run. start_seed: start from random regret instead of
    zero. start_from: start from a strategy (a file, a result, a mapping; see `zerosum.read_strategy`) that
    `fill="uniform"` completes, as far as `start_weight` trusts it. refine: split infosets of imperfect recall.
    by_rules: sample without an enumeration of the game, for games that are too large. Of hold'em: isomorphism: store
    boards that only differ by interchangeable suits once, which changes nothing but time and memory. half: store 16-bit
    floats. folder: where the files of `libratus:1` to `libratus:4` are. streets: which ones a finished run keeps on the
    disk, such as `"flop,turn"`. on, machines: share the deals of a spot among a number of workers of a Ray cluster:
    `"local"`, `"auto"` or an address; it does not change the result. The first Ctrl-C ends the run and keeps the result
    so far.

    locks: strategies that are fixed, everything else being solved around them: texts like those of `--lock`, or a
    mapping from infosets or lines to `{action: probability}`; see docs/strategies.md and docs/holdem.md. unlocked: the
    solution without them, a result or a saved run, or True to solve that first: the result then has the cost of the
    locks.

    >>> result = solve("kuhn", "dcfr", iterations=1000)
    >>> round(result.value, 4), result.exploitability < 1e-3
    (-0.0556, True)
    >>> solve("leduc", "linear-mccfr(1e5)", nodes=10**6, seed=3).exploitability < 0.2
    True
    >>> river = solve("spot:river", until="0.5%")
    >>> river.exploitability_pot <= 0.005, river.stopped
    (True, 'until')
    >>> locked = solve("kuhn", "lp", locks={"K|bet": {"fold": 1.0}}, unlocked=True)
    >>> locked.game, {player: round(lost, 4) for player, lost in locked.price.loses.items()}
    ('kuhn, locked at K|bet', {2: 0.7222})
    """
    from zerosum.runs.notebook import show_run_progress

    with show_run_progress(progress, evaluated) as listener:
        return finish(start(game, algorithm, out=out, overwrite=overwrite, listener=listener, **options))


def compare(
    game: ProblemLike,
    algorithms: Iterable[str | Algorithm],
    *,
    progress: Callable[[Progress], None] | None = None,
    **options: Unpack[SolveOptions],
) -> list[Result]:
    """Solve a game or a spot with several algorithms, one after the other, each within the same limits; see `solve`.

    The game is built once. `seed` is that of the algorithms that sample. Ctrl-C ends the comparison and keeps the
    results so far.

    >>> results = compare("kuhn", ["cfr", "dcfr"], iterations=100)
    >>> min(results, key=lambda result: result.exploitability).algorithm
    'dcfr'
    """
    from zerosum.jobs.comparison import AlgorithmComparison

    if options.get("on") is not None or options.get("machines") is not None:
        raise ZerosumError(
            f"algorithms are compared one after the other on this machine, without {option_name('on')}: "
            "zerosum.repeat runs many seeds on a cluster"
        )
    problem = build_problem(game, options)
    if isinstance(algorithms, str) or not isinstance(algorithms, Iterable):
        raise ZerosumError(f"algorithms must be a list of names like ['cfr', 'dcfr'], not {short_repr(algorithms)}")
    chosen = [problem.algorithm(algorithm) for algorithm in algorithms]
    comparison = AlgorithmComparison(problem, chosen, build_limits(problem, options), build_start(options))
    from zerosum.runs.notebook import show_run_progress

    with show_run_progress(progress) as listener:
        comparison.build(listener)
        return [result for result in comparison.run_each(listener) if isinstance(result, Result)]


def repeat(
    game: ProblemLike,
    algorithm: str | Algorithm = "mccfr",
    *,
    seeds: int | Iterable[int] = 10,
    progress: Callable[[int, int], None] | None = None,
    executor: Executor | Workers | None = None,
    out: str | Path | None = None,
    **options: Unpack[SolveOptions],
) -> SeedAverage:
    """Solve a game or a spot with many seeds of an algorithm that samples: the mean and its band.

    seeds: how many, counted from 0, or which. The limits are those of `solve`, for each seed. threads: how many seeds
    run at a time; it does not change the result. executor: where the seeds run, as in `concurrent.futures`; by default,
    on threads of this process. on: a Ray cluster to run them on. out: a folder that stores the curve of every seed; the
    same call continues from there. progress: called with the seeds done and their number. Ctrl-C ends all seeds.

    >>> runs = repeat("kuhn", "mccfr", seeds=4, nodes=20_000)
    >>> len(runs.reached), runs.low < runs.exploitability < runs.high
    (4, True)
    """
    from zerosum.jobs.seeds import check_seeded, parse_seeds, run_seeds

    problem = build_problem(game, options)
    limits = build_limits(problem, options)
    chosen = check_seeded(problem.algorithm(algorithm), limits)
    begin = build_start(options)
    starts = [replace(begin, seed=seed) for seed in parse_seeds(seeds)]
    from zerosum.runs.notebook import show_progress_of_many

    with show_progress_of_many(progress, chosen.name, lambda line: line.seeds) as notify:
        report = None if notify is None else lambda task: notify(task.done, task.total)
        where = build_workers({**options, "executor": executor, "progress": report})
        return run_seeds(problem, chosen, starts, limits, where, out)


def sweep(
    games: ProblemLike | Sequence[ProblemLike],
    algorithm: str,
    grid: Mapping[str, Sequence[Any]],
    *,
    by: By | None = None,
    **options: Unpack[BatchOptions],
) -> Sweep:
    """Run an algorithm at every point of a grid of its parameters, on one game or several.

    algorithm: a name with parameters in braces, like `dcfr({alpha}, {beta}, 2)`; grid: the values of each. by: how the
    points are compared: by exploitability, or with `until` the iterations (or seconds, or nodes) needed to reach it.
    out: a folder that stores every finished run; the same call continues from there. executor: where the runs go, as
    in `concurrent.futures`; by default to threads on all cores. on: a Ray cluster to run them on, `"local"`, `"auto"`
    or an address. progress: called a few times a second with a `TaskProgress`. The options are those of `solve`, for
    each run; threads: how many runs at once. Ctrl-C ends it and keeps what is done.

    >>> result = sweep("kuhn", "dcfr({alpha}, 0, 2)", {"alpha": [1, 1.5, 2]}, iterations=100)
    >>> [row.parameters["alpha"] for row in result.rows], result.by
    (['1', '1.5', '2'], 'exploitability')
    """
    from zerosum.jobs.sweep import SweepPlan
    from zerosum.results.sweep import MOST_POINTS

    is_list = isinstance(games, Sequence) and not isinstance(games, str)
    names: list[Any] = list_members("games", games, MOST_POINTS) if is_list else [games]
    problems = [build_problem(game, options, BatchOptions) for game in names]
    limits = [build_limits(problem, options) for problem in problems]
    plan = SweepPlan(problems, algorithm, grid, limits, build_start(options), by)
    from zerosum.runs.notebook import show_progress_of_many

    with show_progress_of_many(options.get("progress"), algorithm, lambda line: line.solves) as progress:
        return plan.run(build_workers({**options, "progress": progress}), options.get("out"))


def open_run(
    path: str | Path,
    *,
    game: ProblemLike | None = None,
    algorithm: str | Algorithm | None = None,
    listener: Listener | None = None,
    **options: Unpack[ResumeOptions],
) -> Run:
    """Return a saved run, ready to continue and to be saved again; see `resume` and `Run`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = solve("kuhn", "dcfr", iterations=100, out=f"{folder}/run")
    ...     run = open_run(f"{folder}/run", iterations="+100")
    ...     run.advance(iterations=50), run.iteration
    ...     run.close()
    (True, 150)
    """
    from zerosum.runs.resume import ResumeInputs, resume_run

    check_options(ResumeOptions, options)
    inputs = ResumeInputs(game, algorithm, lambda problem: place_on_cluster(problem, options, path))
    return resume_run(path, options, inputs, listener)


def resume(
    path: str | Path,
    *,
    game: ProblemLike | None = None,
    algorithm: str | Algorithm | None = None,
    progress: Callable[[Progress], Any] | None = None,
    evaluated: Callable[[Run], Any] | None = None,
    **options: Unpack[ResumeOptions],
) -> Result:
    """Continue a run that `zerosum.solve(..., out=path)` saved, and save it there again.

    iterations, nodes: the number of the whole run, or `"+1000"` for 1000 more; until: an exploitability; seconds: from
    now on. Without any, a run that was stopped or killed continues to its original end. game, algorithm: pass them
    again if they are your functions or classes: a saved run is data, and never runs code by itself. progress and
    evaluated are those of `solve`.

    >>> import zerosum, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = zerosum.solve("kuhn", "dcfr", iterations=100, out=f"{folder}/run")
    ...     longer = zerosum.resume(f"{folder}/run", iterations="+900")
    >>> longer.strategy == zerosum.solve("kuhn", "dcfr", iterations=1000).strategy
    True
    """
    from zerosum.runs.notebook import show_run_progress

    with show_run_progress(progress, evaluated) as listener:
        return finish(open_run(path, game=game, algorithm=algorithm, listener=listener, **options))


def estimate(
    game: ProblemLike, algorithm: str | Algorithm | None = None, **options: Unpack[SolveOptions]
) -> Estimate | None:
    """Return the cost of solving a game or a spot: infosets, memory, seconds per iteration; None with `by_rules`.

    A game is enumerated for that, unless it has millions of histories: then the numbers are rough (`RoughEstimate`).
    A spot is not built.

    >>> cost = estimate("spot:river")
    >>> cost.infosets, cost.infoset_actions, cost.boards
    (6420, 18190, (1,))
    """
    problem = place_on_cluster(build_problem(game, options), options)
    return problem.estimate(problem.algorithm(algorithm), build_limits(problem, options).threads)


def exploit(
    game: ProblemLike,
    strategy: StrategyInput,
    *,
    worst: int = 10,
    threads: int | None = None,
    fill: Fill | None = None,
    **options: Unpack[ProblemOptions],
) -> ExploitReport:
    """Return the value of a strategy, the gains of best responses to it, and the infosets with the largest losses.

    strategy: a file, a result or a mapping; see `zerosum.read_strategy`; of a hold'em spot a result or a saved run,
    whose ranges may have other weights. fill: `"uniform"` completes a strategy that lacks some infosets, which is an
    error otherwise. worst: how many infosets; of hold'em, hands at decisions of the first street.

    >>> import zerosum
    >>> pure = {"row": {"rock": 1.0}, "column": {"rock": 0.5, "paper": 0.5}}
    >>> report = zerosum.exploit("rps", pure)
    >>> report.value, report.gains, report.exploitability
    (-0.5, (1.0, 0.5), 0.75)
    >>> report.worst[0].infoset, report.worst[0].best, report.worst[0].loss
    ('row', 'paper', 1.0)
    """
    from zerosum.problems.evaluation import EvaluationOptions

    evaluation = EvaluationOptions(fill, worst, threads)
    return build_problem(game, options).evaluation.exploit(load_strategy(strategy), evaluation)


def head_to_head(
    game: ProblemLike,
    strategy: StrategyInput,
    against: StrategyInput,
    *,
    threads: int | None = None,
    fill: Fill | None = None,
    **options: Unpack[ProblemOptions],
) -> HeadToHead:
    """Return the winnings of a strategy against another in each seat, and on average.

    >>> import zerosum
    >>> good, poor = zerosum.solve("leduc", iterations=1000), zerosum.solve("leduc", iterations=5)
    >>> zerosum.head_to_head("leduc", good, poor).mean > 0
    True
    """
    from zerosum.problems.evaluation import EvaluationOptions

    evaluation = EvaluationOptions(fill, threads=threads)
    pair = load_strategy(strategy), load_strategy(against)
    return build_problem(game, options).evaluation.head_to_head(*pair, evaluation)


def write_game(game: str | Game, path: str | Path, progress: Callable[[int], None] | None = None) -> None:
    """Write a game to a Gambit file, completely or not at all: .efg for its tree, .nfg for its strategies.

    The strategies of an .nfg file are those of the reduced strategic form: actions at the infosets that the player's
    earlier actions do not rule out. game: rules, or a name like `leduc(suits=3)`. progress: called now and then with
    the number of histories enumerated. Chances are written as fractions that sum to exactly 1, as Gambit requires, and
    the payoffs of both players so that their sum is the same everywhere.

    >>> import pathlib, zerosum, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_game("coin-toss", f"{folder}/coin.efg")
    ...     zerosum.solve(f"{folder}/coin.efg", "lp").value == zerosum.solve("coin-toss", "lp").value
    True
    """
    from zerosum.engine.forms.sequence.gambit_export import write_gambit_file

    kind = kind_of_name(game) if isinstance(game, str) else None
    if kind is not None:
        raise ZerosumError(f"{game} is a {kind.noun}, which a Gambit file cannot hold: name another game")
    write_gambit_file(game, path, progress)
