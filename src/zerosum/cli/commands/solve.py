"""`zerosum solve`: one game, one algorithm."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from zerosum.algorithms import DEFAULT_FOR_GAMES, DEFAULT_FOR_HOLDEM
from zerosum.cli import common_options
from zerosum.cli.console import print_json, redirect_prints
from zerosum.engine.limits import LimitOptions
from zerosum.problems.options import (
    ClusterOptions,
    GameOptions,
    LockOptions,
    RuleSamplingOptions,
    StartOptions,
    StorageOptions,
    StreetOptions,
)
from zerosum.support.errors import ZerosumError
from zerosum.support.options import Option, select_options

if TYPE_CHECKING:
    from zerosum.problems.estimate import Estimate

SOLVE_EXAMPLES = """
zerosum solve kuhn
zerosum solve leduc --algorithm "dcfr(1.5, 0, 2)" --iterations 1e4 --out run/ --plot leduc.svg
zerosum solve "goofspiel(5, order=ascending)" --until 1e-4 --seconds 60
zerosum solve leduc --algorithm lp    # the exact solution
zerosum solve leduc --algorithm "linear-mccfr(1e6)" --nodes 1e8 --seeds 10    # sampled; mean of ten seeds
zerosum solve leduc -a cfr+ --start-from leduc.json.gz    # start from a saved strategy
zerosum solve leduc --lock "Kc|bet: fold 20%, call 80%" --price    # a fixed strategy, and what it costs
zerosum solve my_game.py:MyGame --algorithm my_rule.py:my_rule
zerosum solve spot:river --until 0.5%    # a bundled hold'em spot: river, turn or flop; or my_spot.toml
zerosum solve holdem --board "Ks 7h 2d 9c" --pot 500 --stack 9750 --oop "22+,A2s+,KTs+" --ip random --until 0.5%
zerosum solve spot:flop --until 0.5% --on local --machines 2    # shared by two workers; or on a Ray cluster
zerosum solve libratus:3 --data FOLDER --line "check bet50" --hand AKs
zerosum solve spot:river --lock "check bet33: sets: raise 100%" --lock "bet33: overall: fold 60%" --until 0.5%
"""

# fmt: off
Algorithm = Annotated[str | None,
    Option("Name like cfr+(average=1), lp or path/to/rule.py:mine; see `zerosum algorithms`.", "NAME",
    flags=("--algorithm", "-a"), default_text=f"{DEFAULT_FOR_GAMES}; on hold'em spots {DEFAULT_FOR_HOLDEM}",
    manual="See [which algorithm to pick](holdem.md#which-algorithm-to-pick).")]
# fmt: on


class NamedAlgorithm(TypedDict, total=False):
    """A game and an algorithm, by name."""

    game: common_options.GameArgument
    algorithm: Algorithm


class SaveOptions(TypedDict, total=False):
    """Where a run is saved."""

    out: Annotated[
        Path | None,
        Option(
            "Save the run, regularly and at its end, in a folder or a .zs file, for `zerosum resume`, `show` and "
            "`export`; a .json or .json.gz file holds the result alone.",
            "RUN",
        ),
    ]
    overwrite: Annotated[bool, Option("Overwrite an existing run.")]


class SolveArguments(
    NamedAlgorithm,
    LimitOptions,
    StartOptions,
    common_options.SeedCountOptions,
    GameOptions,
    RuleSamplingOptions,
    LockOptions,
    common_options.LockCostOptions,
    SaveOptions,
    common_options.OutputOptions,
    ClusterOptions,
    StorageOptions,
    StreetOptions,
    common_options.DecisionOptions,
    total=False,
):
    dry_run: Annotated[bool, Option("Show the size of the game, the memory and the time, and stop.")]
    parts: common_options.Parts


def solve(arguments: SolveArguments) -> None:
    """Solve a game and show how close to equilibrium its strategy is.

    The run ends at the first limit that it reaches. Ctrl-C also ends it and keeps the result so far.
    """
    import zerosum.api as api
    from zerosum.cli.progress import Display
    from zerosum.results.strategy_view import Selection

    start = common_options.read_start_options(arguments)
    problem = common_options.load_problem(arguments["game"], arguments)
    with redirect_prints():
        algorithm = problem.resolve_algorithm(arguments["algorithm"])
    common_options.check_plot(arguments["plot"], algorithm)
    _check_combinations(arguments)
    seeds, dry_run, streets = common_options.read_seeds(arguments), arguments["dry_run"], arguments["streets"]
    limits = select_options(LimitOptions, arguments)
    if dry_run and seeds is not None:
        from zerosum.cli.output.estimate import RunBatch, print_dry_run
        from zerosum.jobs.seeds import check_seeds_apply
        from zerosum.options import build_limits

        resolved = build_limits(problem, limits)
        print_dry_run(
            [RunBatch(problem, check_seeds_apply(algorithm, resolved), resolved, len(seeds))], arguments["json"]
        )
        return
    decision: dict[str, Any] = {name: arguments.get(name) for name in common_options.DecisionOptions.__annotations__}
    selection = Selection(**decision)
    problem.check_view(decision)
    common_options.warn_about_unit(problem.unit, arguments["until"])
    options: dict[str, Any] = {**limits, **start, **select_options(ClusterOptions, arguments)}
    if seeds is not None:
        options.pop("seed", None)
        with redirect_prints(), Display(problem.unit) as display:
            display.show_stage(algorithm.name, 0)
            average = api.repeat(
                problem, algorithm, seeds=seeds, progress=display.show_seeds, streets=streets, **options
            )
        common_options.print_result(average, Selection(), arguments)
        return
    if not dry_run:
        options |= {"out": arguments["out"], "overwrite": arguments["overwrite"], "streets": streets}
    run = api.start(problem, algorithm, **options)
    if dry_run or (problem.estimates_without_building and not arguments["json"]):
        with redirect_prints(), Display() as display:
            size = run.problem.estimate(algorithm, arguments["threads"], display.show_stage)
        _print_estimate(size, arguments["json"])
    if dry_run:
        return
    with redirect_prints(), Display(problem.unit) as display:
        display.start_algorithm(sampled=algorithm.sampling is not None)
        run.listener = display.listener
        result = run.finish()
    common_options.print_result(result, selection, arguments)


def _check_combinations(arguments: SolveArguments) -> None:
    """Refuse options that cannot be combined, before anything runs."""
    out, plot = arguments["out"], arguments["plot"]
    if arguments["start_from"] is not None and arguments["seeds"] is not None:
        raise ZerosumError("--start-from cannot be combined with --seeds")
    if out is not None and plot is not None and out.resolve() == plot.resolve():
        raise ZerosumError(f"--out and --plot both name {out}: give them different files")
    if arguments["by_rules"] and plot is not None:
        raise ZerosumError("--by-rules computes no exploitability, so there is no curve for --plot")
    if arguments["seeds"] is None:
        return
    if out is not None:
        raise ZerosumError("--out saves a single strategy, and --seeds computes many: use --json for the numbers")
    if arguments["by_rules"]:
        raise ZerosumError("--by-rules cannot compute exploitability, so there is nothing to average over --seeds")
    if any(arguments.get(name) is not None for name in common_options.DecisionOptions.__annotations__):
        raise ZerosumError("--line and --hands need a single strategy: use --seed instead of --seeds")


def _print_estimate(size: Estimate | None, json: bool) -> None:
    """Show what the run will take; refuse one that does not fit in memory."""
    if size is None:
        raise ZerosumError("--dry-run needs the whole game, which --by-rules does not enumerate: drop one of them")
    if json:
        print_json(size.content())
    else:
        from zerosum.cli.output.blocks import print_blocks

        print_blocks(size.blocks())
    size.check_memory()
