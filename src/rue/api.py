"""What people call: solve, compare, repeat, resume, judge and export, for games and hold'em spots alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.recipe import to_data
from rue.checked import as_path, shown
from rue.errors import RueError
from rue.interrupt import interruptible
from rue.options import (
    Options,
    ResumeOptions,
    StrategyGiven,
    check_names,
    limits_of,
    placed,
    problem_of,
    start_of,
    strategy_of,
    workers,
)
from rue.problems.estimate import Estimate
from rue.problems.find import ProblemLike, ProblemOptions
from rue.problems.fit import Fill
from rue.problems.judge import WORST, Exploited, HeadToHead, Judging
from rue.results.result import Result
from rue.runs.home import Home, is_result
from rue.runs.keeper import Keeper, ResultKeeper
from rue.runs.progress import Listener, Progress
from rue.runs.run import Run
from rue.views.notebook import watching, watching_seeds

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rue.results.repeated import Repeated
    from rue.runs.many import Workers


def start(
    game: ProblemLike,
    algorithm: str | Algorithm | None = None,
    *,
    out: str | Path | None = None,
    overwrite: bool = False,
    listener: Listener | None = None,
    **options: Unpack[Options],
) -> Run:
    """A run that has not begun, with the options of `solve`: see `Run`.

    >>> run = start("kuhn", "cfr+", iterations=1000)
    >>> while run.advance(seconds=0.1):
    ...     pass
    >>> run.progress.iteration
    1000
    """
    found = placed(problem_of(game, options), options, out)
    chosen, limits, begin = found.algorithm(algorithm), limits_of(found, options), start_of(options)
    if out is None and options.get("streets") is not None:
        raise RueError("streets says what a saved run keeps: say where, too (--out, out=)")
    run = Run(found, chosen, limits, begin, listener=listener)
    if out is not None:
        path = as_path(out)
        to_data(chosen)  # what cannot be saved is known before the run
        if not is_result(path):
            about = run.about
            run.keeper = Keeper(Home(path, new=True, overwrite=overwrite), about)
        elif found.in_json:
            run.keeper = ResultKeeper(path)
        else:
            raise RueError(f"a hold'em run is saved as a folder or a file in .rue, not as {path.name}")
    return run


def finish(run: Run) -> Result:
    """Advance a run to its end and return what it reached; the first Ctrl-C ends it and keeps that."""
    try:
        run.prepare()
        with interruptible(run.stop):
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
    **options: Unpack[Options],
) -> Result:
    """Solve a game or a hold'em spot: its average strategy, its value and the curve of its exploitability.

    game: a name like `leduc(suits=3)` or `spot:river`, rules, a game already compiled, or a spot.
    algorithm: a name like `dcfr(1.5, 0, 2)`, a combination of choices, or `lp` for the exact solution.
    out: where the run is saved, on the way and at its end, for `rue.load` and `rue.resume`: a folder, or a file in
    .rue; a name in .json or .json.gz keeps the result of a game alone. overwrite: replace a run that lies there.
    progress: called several times a second; if nobody is to be called, a notebook shows it under the cell. evaluated:
    called with the run whenever its curve has a new point, `run.curve[-1]`; it may look at `run.result()` and may call
    `run.stop()`.

    The options: iterations, until, seconds, nodes: the run ends at the first of these that is given: a number of
    iterations, an exploitability (of hold'em in chips, or `"0.5%"` of the pot), a time, a number of nodes touched (1000
    iterations, or 1e7 nodes of a sampled run, if nothing is given). threads: None for all cores; it does not change the
    result. seed: of a sampled run, 0 by default; the same seed, the same run. start_seed: start from random regret
    instead of zero. start_from: start from a strategy (a file, a result, a mapping; see `rue.read_strategy`) that
    `fill="uniform"` completes, as far as `start_weight` trusts it. refine: split infosets of imperfect recall.
    by_rules: sample without an enumeration of the game, for games that are too large. Of hold'em: isomorphism: store
    boards that only differ by interchangeable suits once, which changes nothing but time and memory. half: store 16-bit
    floats. folder: where the files of `libratus:1` to `libratus:4` are.
    streets: which ones a finished run keeps on the disk, such as `"flop,turn"`. on, machines: share the deals of a spot
    among so many workers of a Ray cluster: `"local"`, `"auto"` or an address; it does not change the result. The first
    Ctrl-C ends the run and keeps what was reached.

    locks: strategies that are fixed, everything else being solved around them: texts like those of `--lock`, or a
    mapping from infosets or lines to `{action: probability}`; see docs/strategies.md and docs/holdem.md. unlocked: the
    solution without them, a result or a saved run, or True to solve that first: what the locks cost is then told.

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
    with watching(progress, evaluated) as listener:
        return finish(start(game, algorithm, out=out, overwrite=overwrite, listener=listener, **options))


def compare(
    game: ProblemLike,
    algorithms: Iterable[str | Algorithm],
    *,
    progress: Callable[[Progress], None] | None = None,
    **options: Unpack[Options],
) -> list[Result]:
    """Solve a game or a spot with several algorithms, one after the other, each within the same limits; see `solve`.

    The game is built once. `seed` is that of the algorithms that sample. Ctrl-C ends the comparison and keeps what was
    reached.

    >>> results = compare("kuhn", ["cfr", "dcfr"], iterations=100)
    >>> min(results, key=lambda result: result.exploitability).algorithm
    'dcfr'
    """
    from rue.runs.compare import Contest

    if options.get("on") is not None or options.get("machines") is not None:
        raise RueError(
            "algorithms are compared one after the other here: a cluster (--on, on=) goes with rue.repeat (--seeds)"
        )
    found = problem_of(game, options)
    if isinstance(algorithms, str) or not isinstance(algorithms, Iterable):
        raise RueError(f"algorithms are compared: give a list of names like ['cfr', 'dcfr'], not {shown(algorithms)}")
    chosen = [found.algorithm(algorithm) for algorithm in algorithms]
    contest = Contest(found, chosen, limits_of(found, options), start_of(options))
    with watching(progress) as listener:
        contest.build(listener)
        return [result for result in contest.one_by_one(listener) if isinstance(result, Result)]


def repeat(
    game: ProblemLike,
    algorithm: str | Algorithm = "mccfr",
    *,
    seeds: int | Iterable[int] = 10,
    progress: Callable[[int, int], None] | None = None,
    executor: Executor | Workers | None = None,
    out: str | Path | None = None,
    **options: Unpack[Options],
) -> Repeated:
    """Solve a game or a spot with many seeds of an algorithm that samples: the mean and its band.

    seeds: how many, counted from 0, or which. The limits are those of `solve`, for each seed. threads: how many seeds
    at a time; it changes nothing else. executor: where the seeds run, as in `concurrent.futures`; threads of our own by
    default. on: a Ray cluster to run them on. out: a folder that keeps the curve of every seed; the same call goes on
    from there. progress: called with the seeds done and their number. Ctrl-C ends all seeds.

    >>> runs = repeat("kuhn", "mccfr", seeds=4, nodes=20_000)
    >>> len(runs.reached), runs.low < runs.exploitability < runs.high
    (4, True)
    """
    from rue.runs.repeat import check_seeds, repeated, seeds_of

    found = problem_of(game, options)
    limits = limits_of(found, options)
    chosen = check_seeds(found.algorithm(algorithm), limits)
    begin = start_of(options)
    starts = [replace(begin, seed=seed) for seed in seeds_of(seeds)]
    with watching_seeds(progress, chosen.name) as told:
        tell = None if told is None else lambda at: told(at.done, at.count)
        where = workers({**options, "executor": executor, "progress": tell})
        return repeated(found, chosen, starts, limits, where, out)


def open_run(
    path: str | Path,
    *,
    game: ProblemLike | None = None,
    algorithm: str | Algorithm | None = None,
    listener: Listener | None = None,
    **options: Unpack[ResumeOptions],
) -> Run:
    """A saved run, ready to go on and to be saved again; see `resume` and `Run`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = solve("kuhn", "dcfr", iterations=100, out=f"{folder}/run")
    ...     run = open_run(f"{folder}/run", iterations="+100")
    ...     run.advance(iterations=50), run.iteration
    ...     run.close()
    (True, 150)
    """
    from rue.runs.resume import Given, resumed

    check_names(options, ResumeOptions)
    given = Given(game, algorithm, lambda found: placed(found, options, path))
    return resumed(path, options, given, listener)


def resume(
    path: str | Path,
    *,
    game: ProblemLike | None = None,
    algorithm: str | Algorithm | None = None,
    progress: Callable[[Progress], Any] | None = None,
    evaluated: Callable[[Run], Any] | None = None,
    **options: Unpack[ResumeOptions],
) -> Result:
    """Go on with a run that `rue.solve(..., out=path)` saved, and save it there again.

    iterations, nodes: the number of the whole run, or `"+1000"` for so many more; until: an exploitability; seconds:
    from now on. Without any, a run that was stopped or killed goes on to the end it had. game, algorithm: again, if
    they are functions or classes of one's own: a saved run is data, and never runs code by itself. progress and
    evaluated are those of `solve`.

    >>> import rue, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = rue.solve("kuhn", "dcfr", iterations=100, out=f"{folder}/run")
    ...     longer = rue.resume(f"{folder}/run", iterations="+900")
    >>> longer.strategy == rue.solve("kuhn", "dcfr", iterations=1000).strategy
    True
    """
    with watching(progress, evaluated) as listener:
        return finish(open_run(path, game=game, algorithm=algorithm, listener=listener, **options))


def estimate(
    game: ProblemLike, algorithm: str | Algorithm | None = None, **options: Unpack[Options]
) -> Estimate | None:
    """What solving a game or a spot would take: infosets, memory, the time of an iteration; None by rules alone.

    A game is enumerated for that, unless it has millions of histories: then the numbers are rough (`RoughEstimate`).
    A spot is not built.

    >>> found = estimate("spot:river")
    >>> found.infosets, found.infoset_actions, found.boards
    (6420, 18190, (1,))
    """
    found = placed(problem_of(game, options), options)
    return found.estimate(found.algorithm(algorithm), limits_of(found, options).threads)


def exploit(
    game: ProblemLike,
    strategy: StrategyGiven,
    *,
    worst: int = WORST,
    threads: int | None = None,
    fill: Fill | None = None,
    **options: Unpack[ProblemOptions],
) -> Exploited:
    """The value of a strategy, what best responses win against it, and the infosets at which most is given away.

    strategy: a file, a result or a mapping; see `rue.read_strategy`; of a hold'em spot a result or a saved run, whose
    ranges may have other weights. fill: `"uniform"` completes a strategy that says nothing about some infosets, which
    is refused otherwise. worst: how many infosets; of hold'em, hands at decisions of the first street.

    >>> import rue
    >>> pure = {"row": {"rock": 1.0}, "column": {"rock": 0.5, "paper": 0.5}}
    >>> found = rue.exploit("rps", pure)
    >>> found.value, found.gains, found.exploitability
    (-0.5, (1.0, 0.5), 0.75)
    >>> found.worst[0].infoset, found.worst[0].best, found.worst[0].loss
    ('row', 'paper', 1.0)
    """
    how = Judging(fill, worst, threads)
    return problem_of(game, options).exploit(strategy_of(strategy), how)


def head_to_head(
    game: ProblemLike,
    strategy: StrategyGiven,
    against: StrategyGiven,
    *,
    threads: int | None = None,
    fill: Fill | None = None,
    **options: Unpack[ProblemOptions],
) -> HeadToHead:
    """What a strategy wins against another in each seat, and on average.

    >>> import rue
    >>> good, poor = rue.solve("leduc", iterations=1000), rue.solve("leduc", iterations=5)
    >>> rue.head_to_head("leduc", good, poor).mean > 0
    True
    """
    how = Judging(fill, threads=threads)
    one, two = strategy_of(strategy), strategy_of(against)
    return problem_of(game, options).meet(one, two, how)
