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
from zerosum.problems.kinds import find_kind_by_name
from zerosum.problems.options import ProblemOptions
from zerosum.problems.registry import ProblemLike
from zerosum.results.result import Result
from zerosum.runs.progress import Listener, Progress
from zerosum.runs.run import Run
from zerosum.support.errors import ZerosumError
from zerosum.support.options import check_options, option_name
from zerosum.support.validation import as_path, check_list, short_repr

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from zerosum.games.game import Game
    from zerosum.jobs.workers import Workers
    from zerosum.problems.options import Fill
    from zerosum.results.exploitability import ExploitReport, HeadToHead
    from zerosum.results.result import SeedAverage
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
    """Return a run that has not begun, to be advanced step by step.

    The run does nothing until `Run.advance` is called. Any thread may pause it, stop it, save it, or read its curve and
    its result in between.

    Parameters
    ----------
    game, algorithm, out, overwrite
        What is solved, how, and where the run is saved; see `solve`.
    listener : Listener, optional
        Functions that are called with the stages of the preparation, the progress, and each new point of the curve.
    **options
        All other options of `solve`.

    Examples
    --------
    >>> run = start("kuhn", "cfr+", iterations=1000)
    >>> while run.advance(seconds=0.1):
    ...     pass
    >>> run.progress.iteration
    1000
    """
    problem = place_on_cluster(build_problem(game, options), options, out)
    chosen, limits, begin = problem.resolve_algorithm(algorithm), build_limits(problem, options), build_start(options)
    if out is None and options.get("streets") is not None:
        raise ZerosumError(f"{option_name('streets')} selects what a saved run keeps: add {option_name('out')}")
    run = Run(problem, chosen, limits, begin, listener=listener)
    if out is not None:
        from zerosum.algorithms.serialization import encode_algorithm
        from zerosum.runs.run_location import RunLocation, is_result_file
        from zerosum.runs.run_saver import RunSaver
        from zerosum.support.files import check_writable

        path = as_path(out)
        encode_algorithm(chosen)  # raises an error before the run if it cannot be saved
        if not is_result_file(path):
            fields = run.saved_fields
            run.saver = RunSaver(RunLocation(path, new=True, overwrite=overwrite), fields)
        elif problem.codec().saves_as_json:
            check_writable(path)
            run.result_path = path
        else:
            raise ZerosumError(f"a run on {problem.name} is saved as a folder or a file in .zs, not as {path.name}")
    return run


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
    """Solve a game or a hold'em spot.

    Run an algorithm until it reaches a limit, and return its average strategy, its value, and the curve of its
    exploitability. With several limits, the run ends at the first that it reaches; without any, it ends after 1000
    iterations, or after 1e7 nodes if the algorithm samples. The first Ctrl-C ends it as well, and the result so far is
    returned.

    Parameters
    ----------
    game : str, Path, Game, SequenceForm, Spot or Problem
        A name such as `"leduc(suits=3)"` or `"spot:river"`, a file, the rules of a game, a compiled game, or a spot.
    algorithm : str or Algorithm, optional
        A name such as `"dcfr(1.5, 0, 2)"`, an `Algorithm`, or `"lp"` for the exact solution. The default is `"dcfr"`
        for games and `"dcfr(1.25, 0.5, 4)"` for hold'em.
    out : str or Path, optional
        Where the run is saved, at intervals and at its end, for `load` and `resume`: a folder, or a file that ends in
        .zs. A file that ends in .json or .json.gz holds only the result.
    overwrite : bool, optional
        Whether to replace an existing run.
    progress : callable, optional
        Called several times a second with a `Progress`. Without it, a notebook shows the progress below the cell.
    evaluated : callable, optional
        Called with the `Run` after each evaluation. It may read `run.curve[-1]` and `run.result()`, and may call
        `run.stop()`.
    iterations : int, optional
        The number of iterations after which the run ends.
    until : float or str, optional
        The exploitability at which the run ends; for hold'em in chips, or as a share of the pot such as `"0.5%"`.
    seconds : float, optional
        The number of seconds after which the run ends.
    nodes : int, optional
        The number of touched nodes after which the run ends.
    threads : int, optional
        The number of threads, all cores by default. The result does not depend on it.
    seed : int, optional
        The seed of an algorithm that samples, 0 by default. Runs with equal seeds are equal.
    start_seed : int, optional
        The seed of random regrets to start from, instead of zero.
    start_from : str, Path, Result or mapping, optional
        A strategy to start from, in any form that `read_strategy` accepts.
    start_weight : float, optional
        The weight of that strategy, 1 by default: a larger weight makes the run stay close to it for longer.
    fill : {"uniform"}, optional
        How to complete that strategy if it lacks some infosets, which is an error otherwise.
    refine : bool, optional
        Whether to split the infosets of a game with imperfect recall until every player has perfect recall.
    by_rules : bool, optional
        Whether to sample without enumerating the game, for games that are too large to be enumerated.
    isomorphism : bool, optional
        Whether hold'em boards that differ only by interchangeable suits are stored once, which is the default. It saves
        time and memory, and does not change the result.
    half : bool, optional
        Whether to store 16-bit floats for hold'em, which halves the memory.
    folder : str or Path, optional
        The folder with the files of `libratus:1` to `libratus:4`.
    streets : str, optional
        The streets that a finished hold'em run keeps on disk, such as `"flop,turn"`. The others are solved again when
        they are viewed.
    parts : dict, optional
        Parts of a spot that replace those of its name, such as `{"pot": 500}`.
    locks : str, mapping or list of these, optional
        Strategies that are fixed while everything else is solved: strings like those of `--lock`, or mappings
        from infosets or lines to `{action: probability}`; see docs/strategies.md and docs/holdem.md.
    unlocked : Result, str, Path or True, optional
        The solution without the locks, or True to compute it first. The result then has the cost of the locks.
    on : str, optional
        A Ray cluster whose workers share the deals of a spot: `"local"`, `"auto"` or an address. The result does not
        depend on it.
    machines : int, optional
        The number of these workers, one per machine by default.

    Returns
    -------
    Result
        A `GameResult` or, for hold'em, a `SpotResult`.

    Raises
    ------
    ZerosumError
        If the input is invalid, or the problem does not fit in memory.

    Examples
    --------
    >>> result = solve("kuhn", "dcfr", iterations=1000)
    >>> round(result.value, 4), result.exploitability < 1e-3
    (-0.0556, True)

    Sample, and end after a million nodes:

    >>> solve("leduc", "linear-mccfr(1e5)", nodes=10**6, seed=3).exploitability < 0.2
    True

    Solve a hold'em spot to half a percent of the pot:

    >>> river = solve("spot:river", until="0.5%")
    >>> river.exploitability_pot <= 0.005, river.stopped
    (True, 'until')

    Fix the strategy at one infoset, and see what it costs:

    >>> locked = solve("kuhn", "lp", locks={"K|bet": {"fold": 1.0}}, unlocked=True)
    >>> locked.game, {player: round(lost, 4) for player, lost in locked.price.loses.items()}
    ('kuhn, locked at K|bet', {2: 0.7222})
    """
    from zerosum.runs.notebook import show_run_progress

    with show_run_progress(progress, evaluated) as listener:
        return start(game, algorithm, out=out, overwrite=overwrite, listener=listener, **options).finish()


def compare(
    game: ProblemLike,
    algorithms: Iterable[str | Algorithm],
    *,
    progress: Callable[[Progress], None] | None = None,
    **options: Unpack[SolveOptions],
) -> list[Result]:
    """Solve a game or a spot with several algorithms, one after the other.

    Each algorithm runs within the same limits; the game is built once. Ctrl-C ends the comparison, and the results so
    far are returned.

    Parameters
    ----------
    game
        What is solved; see `solve`.
    algorithms : list of str or Algorithm
        The algorithms, in the order of the results.
    progress : callable, optional
        Called several times a second with the `Progress` of the current run.
    **options
        The options of `solve`, for each run. `seed` is used by the algorithms that sample.

    Returns
    -------
    list of Result
        A result for each algorithm.

    Examples
    --------
    >>> results = compare("kuhn", ["cfr", "dcfr"], iterations=100)
    >>> min(results, key=lambda result: result.exploitability).algorithm
    'dcfr'
    """
    from zerosum.jobs.comparison import AlgorithmComparison
    from zerosum.runs.notebook import show_run_progress

    if options.get("on") is not None or options.get("machines") is not None:
        raise ZerosumError(
            f"algorithms are compared one after the other on this machine, without {option_name('on')}: "
            "zerosum.repeat runs many seeds on a cluster"
        )
    problem = build_problem(game, options)
    if isinstance(algorithms, str) or not isinstance(algorithms, Iterable):
        raise ZerosumError(f"algorithms must be a list of names like ['cfr', 'dcfr'], not {short_repr(algorithms)}")
    chosen = [problem.resolve_algorithm(algorithm) for algorithm in algorithms]
    comparison = AlgorithmComparison(problem, chosen, build_limits(problem, options), build_start(options))
    with show_run_progress(progress) as listener:
        comparison.build_form(listener)
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
    """Solve a game or a spot with many seeds of an algorithm that samples, and average the curves.

    Ctrl-C ends all seeds; the mean of what they have reached is returned.

    Parameters
    ----------
    game, algorithm
        What is solved, and the algorithm that samples; see `solve`.
    seeds : int or list of int, optional
        The number of seeds, which are counted from 0, or the seeds themselves.
    progress : callable, optional
        Called with the number of seeds that are done, and the number of all seeds.
    executor : concurrent.futures.Executor or Workers, optional
        Where the seeds run; by default, on threads of this process.
    out : str or Path, optional
        A folder that stores the curve of every finished seed. The same call continues from there.
    **options
        The options of `solve`, for each seed. `threads` is the number of seeds that run at a time; the result does not
        depend on it. `on` is a Ray cluster on which the seeds run.

    Returns
    -------
    SeedAverage
        The mean of the curves, with a confidence band.

    Examples
    --------
    >>> runs = repeat("kuhn", "mccfr", seeds=4, nodes=20_000)
    >>> len(runs.reached), runs.low < runs.exploitability < runs.high
    (4, True)
    """
    from zerosum.jobs.seeds import check_seeds_apply, parse_seeds, run_seeds
    from zerosum.runs.notebook import show_progress_of_many

    problem = build_problem(game, options)
    limits = build_limits(problem, options)
    chosen = check_seeds_apply(problem.resolve_algorithm(algorithm), limits)
    begin = build_start(options)
    starts = [replace(begin, seed=seed) for seed in parse_seeds(seeds)]
    with show_progress_of_many(progress, chosen.name, lambda line: line.show_seeds) as notify:
        report = None if notify is None else lambda task: notify(task.done, task.total)
        workers = build_workers({**options, "executor": executor, "progress": report})
        return run_seeds(problem, chosen, starts, limits, workers, out)


def sweep(
    games: ProblemLike | Sequence[ProblemLike],
    algorithm: str,
    grid: Mapping[str, Sequence[Any]],
    *,
    by: By | None = None,
    **options: Unpack[BatchOptions],
) -> Sweep:
    """Run an algorithm at every point of a grid of its parameters, on one game or several.

    Ctrl-C ends the sweep, and the rows so far are returned.

    Parameters
    ----------
    games
        A game as in `solve`, or a list of games.
    algorithm : str
        A name with parameters in braces, such as `"dcfr({alpha}, {beta}, 2)"`.
    grid : mapping
        The values of each parameter.
    by : {"exploitability", "iterations", "seconds", "nodes"}, optional
        How the points are compared: by their exploitability, which is the default, or by the iterations, seconds or
        nodes that they need to reach `until`. With `until`, the default is `"iterations"`.
    **options
        The options of `solve`, for each run. `threads` is the number of runs at a time, and `on` is a Ray cluster on
        which they run. Moreover, `out` is a folder that stores every finished run, from which the same call continues;
        `executor` is a `concurrent.futures.Executor` or `Workers` where the runs are computed, by default threads on
        all cores; and `progress` is called a few times a second with a `TaskProgress`.

    Returns
    -------
    Sweep
        A row for each point and game.

    Examples
    --------
    >>> result = sweep("kuhn", "dcfr({alpha}, 0, 2)", {"alpha": [1, 1.5, 2]}, iterations=100)
    >>> [row.parameters["alpha"] for row in result.rows], result.by
    (['1', '1.5', '2'], 'exploitability')
    """
    from zerosum.jobs.sweep import SweepPlan
    from zerosum.results.sweep import MOST_POINTS
    from zerosum.runs.notebook import show_progress_of_many

    is_list = isinstance(games, Sequence) and not isinstance(games, str)
    names: list[Any] = check_list("games", games, MOST_POINTS) if is_list else [games]
    problems = [build_problem(game, options, BatchOptions) for game in names]
    limits = [build_limits(problem, options) for problem in problems]
    plan = SweepPlan(problems, algorithm, grid, limits, build_start(options), by)
    with show_progress_of_many(options.get("progress"), algorithm, lambda line: line.show_solves) as progress:
        return plan.run(build_workers({**options, "progress": progress}), options.get("out"))


def open_run(
    path: str | Path,
    *,
    game: ProblemLike | None = None,
    algorithm: str | Algorithm | None = None,
    listener: Listener | None = None,
    **options: Unpack[ResumeOptions],
) -> Run:
    """Return a saved run, ready to be advanced and saved again.

    The folder or file is locked against other writers until the run ends or is closed.

    Parameters
    ----------
    path, game, algorithm, **options
        The saved run, user-defined code that it needs, and its new limits; see `resume`.
    listener : Listener, optional
        Functions that are called as the run advances.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = solve("kuhn", "dcfr", iterations=100, out=f"{folder}/run")
    ...     run = open_run(f"{folder}/run", iterations="+100")
    ...     run.advance(iterations=50), run.iteration
    ...     run.close()
    (True, 150)
    """
    from zerosum.runs.resume import resume_run

    check_options(ResumeOptions, options)
    return resume_run(
        path, options, game, algorithm, lambda problem: place_on_cluster(problem, options, path), listener
    )


def resume(
    path: str | Path,
    *,
    game: ProblemLike | None = None,
    algorithm: str | Algorithm | None = None,
    progress: Callable[[Progress], Any] | None = None,
    evaluated: Callable[[Run], Any] | None = None,
    **options: Unpack[ResumeOptions],
) -> Result:
    """Continue a saved run, and save it again in the same place.

    The result equals that of a run that was never interrupted, digit for digit. Without a limit, a run that was stopped
    or killed continues to its original end.

    Parameters
    ----------
    path : str or Path
        The folder or file in which `solve(..., out=path)` has saved the run.
    game, algorithm : optional
        The game and the algorithm, if they are user-defined functions or classes, because a saved run contains no
        code.
    progress, evaluated : callable, optional
        Functions that are called during the run; see `solve`.
    iterations, nodes : int or str, optional
        The iterations or nodes of the whole run, or a string such as `"+1000"` for that many more.
    until : float or str, optional
        The exploitability at which the run ends.
    seconds : float, optional
        The number of seconds from now after which the run ends.
    threads, on, machines : optional
        Where the run is computed; see `solve`.

    Returns
    -------
    Result
        The result of the whole run.

    Examples
    --------
    >>> import zerosum, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = zerosum.solve("kuhn", "dcfr", iterations=100, out=f"{folder}/run")
    ...     longer = zerosum.resume(f"{folder}/run", iterations="+900")
    >>> longer.strategy == zerosum.solve("kuhn", "dcfr", iterations=1000).strategy
    True
    """
    from zerosum.runs.notebook import show_run_progress

    with show_run_progress(progress, evaluated) as listener:
        return open_run(path, game=game, algorithm=algorithm, listener=listener, **options).finish()


def estimate(
    game: ProblemLike, algorithm: str | Algorithm | None = None, **options: Unpack[SolveOptions]
) -> Estimate | None:
    """Estimate the cost of solving a game or a spot: infosets, memory, and seconds per iteration.

    A game is enumerated for that, unless it has millions of histories: then the numbers are rough (`RoughEstimate`). A
    spot is not built.

    Parameters
    ----------
    game, algorithm, **options
        The arguments of `solve`.

    Returns
    -------
    Estimate or None
        The cost; None with `by_rules`, because the size of the game is unknown.

    Examples
    --------
    >>> cost = estimate("spot:river")
    >>> cost.infosets, cost.infoset_actions, cost.boards
    (6420, 18190, (1,))
    """
    problem = place_on_cluster(build_problem(game, options), options)
    return problem.estimate(problem.resolve_algorithm(algorithm), build_limits(problem, options).threads)


def exploit(
    game: ProblemLike,
    strategy: StrategyInput,
    *,
    worst: int = 10,
    threads: int | None = None,
    fill: Fill | None = None,
    **options: Unpack[ProblemOptions],
) -> ExploitReport:
    """Evaluate a strategy: its value, the gains of best responses to it, and where it loses most.

    Parameters
    ----------
    game
        The game or the spot; see `solve`.
    strategy : str, Path, Result or mapping
        A strategy in any form that `read_strategy` accepts. For a spot it may also be a result or a saved run whose
        ranges have other weights.
    worst : int, optional
        The number of infosets with the largest losses to list; for hold'em, of hands at decisions of the first street.
    threads : int, optional
        The number of threads, for hold'em only.
    fill : {"uniform"}, optional
        How to complete a strategy that lacks some infosets, which is an error otherwise.
    **options
        The options of `solve` that describe the problem, such as `refine`, `locks` and `parts`.

    Examples
    --------
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
    """Return the winnings of a strategy against another, in each seat and on average.

    Parameters
    ----------
    game, threads, fill, **options
        The problem and how strategies are evaluated; see `exploit`.
    strategy, against : str, Path, Result or mapping
        Two strategies in any form that `read_strategy` accepts.

    Examples
    --------
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
    """Write a game to a Gambit file, completely or not at all.

    Chances are written as fractions that sum to exactly 1, as Gambit requires, and the payoffs of both players so that
    their sum is the same everywhere. The strategies of an .nfg file are those of the reduced strategic form: actions at
    the infosets that the player's earlier actions do not rule out.

    Parameters
    ----------
    game : str or Game
        The rules, or a name like `"leduc(suits=3)"`.
    path : str or Path
        The file: .efg for the tree of the game, .nfg for its strategies.
    progress : callable, optional
        Called from time to time with the number of histories enumerated.

    Examples
    --------
    >>> import pathlib, zerosum, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_game("coin-toss", f"{folder}/coin.efg")
    ...     zerosum.solve(f"{folder}/coin.efg", "lp").value == zerosum.solve("coin-toss", "lp").value
    True
    """
    from zerosum.engine.forms.sequence.gambit_export import write_gambit_file

    kind = find_kind_by_name(game) if isinstance(game, str) else None
    if kind is not None:
        raise ZerosumError(f"{game} is a {kind.noun}, which a Gambit file cannot hold: name another game")
    write_gambit_file(game, path, progress)
