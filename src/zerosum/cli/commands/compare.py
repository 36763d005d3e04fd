"""`zerosum compare`: one game, several algorithms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rich.text import Text

from zerosum.cli import common_options
from zerosum.cli.console import create_console, new_table, print_json, redirect_prints
from zerosum.cli.exit_codes import exit_if_interrupted
from zerosum.cli.output import estimate
from zerosum.cli.output.line_chart import AXIS_LABELS, draw_line_chart
from zerosum.engine.limits import LimitOptions
from zerosum.problems.options import GameOptions, LockOptions, SeedOptions, StorageOptions
from zerosum.support.errors import ZerosumError
from zerosum.support.options import Argument, Option, select_options
from zerosum.support.text import format_duration, format_number, format_rate

if TYPE_CHECKING:
    from zerosum.jobs.comparison import AlgorithmComparison
    from zerosum.problems.problem import Problem
    from zerosum.results.curve import X
    from zerosum.results.result import Numbers

COMPARE_EXAMPLES = """
zerosum compare leduc cfr cfr+ dcfr pcfr+ --plot leduc.svg
zerosum compare "liars-dice(4)" dcfr "dcfr(1.5, 0.5, 2)" nh-dcfr --iterations 1e4
zerosum compare leduc cfr+ dcfr my_rule.py:my_rule --seconds 5 --x seconds
zerosum compare leduc mccfr linear-mccfr os-mccfr --nodes 1e7 --seeds 10 --x nodes --plot sampled.svg
zerosum compare leduc mccfr os-mccfr --nodes 1e8 --seeds 100 --out seeds/ --on auto    # on a Ray cluster
zerosum compare spot:river dcfr cfr+ pcfr+ --until 0.1%
"""


# fmt: off
class CompareArguments(
    LimitOptions,
    SeedOptions,
    common_options.SeedCountOptions,
    GameOptions,
    LockOptions,
    common_options.LockCostOptions,
    StorageOptions,
    common_options.OutputOptions,
    total=False,
):
    game: common_options.GameArgument
    algorithms: Annotated[list[str], Argument("Names as `zerosum algorithms` lists them.", "ALGORITHM...",
        required=True)]
    out: Annotated[Path | None, Option("Save finished seeds in this folder; run the same command again to continue.",
        "FOLDER")]
    on: common_options.Cluster
    x: common_options.Axis
    dry_run: common_options.DryRun
    parts: common_options.Parts
# fmt: on


def compare(arguments: CompareArguments) -> None:
    """Run several algorithms on one game and compare how fast they approach equilibrium.

    Each algorithm has the same limits. Ctrl-C ends the comparison and shows the results so far.
    """
    from zerosum.jobs.comparison import AlgorithmComparison
    from zerosum.options import build_limits, build_start

    axis = arguments["x"]
    common_options.check_plot(arguments["plot"])
    seeds = common_options.read_seeds(arguments)
    for name in ("out", "on"):
        if seeds is None and arguments.get(name) is not None:
            raise ZerosumError(f"--{name} needs --seeds here; for a single run, use zerosum solve --{name}")
    problem = common_options.load_problem(arguments["game"], arguments)
    with redirect_prints():
        algorithms = [problem.resolve_algorithm(name) for name in arguments["algorithms"]]
        limits = build_limits(problem, select_options(LimitOptions, arguments))
        comparison = AlgorithmComparison(
            problem, algorithms, limits, build_start(select_options(SeedOptions, arguments)), seeds
        )
    common_options.check_plot(arguments["plot"], *algorithms)
    common_options.warn_about_unit(problem.unit, arguments["until"])
    if arguments["dry_run"]:
        count = 1 if seeds is None else len(seeds)
        batches = [
            estimate.RunBatch(problem, algorithm, limits, count if algorithm.sampling is not None else 1)
            for algorithm in algorithms
        ]
        estimate.print_dry_run(batches, arguments["json"])
        return
    runs, summaries, error = _run_algorithms(comparison, arguments)
    if arguments["plot"] is not None and any(run.stopped != "exact" for run in runs):
        from zerosum.results.display.curve_plot import save_curves

        series = [(run.algorithm, run.curve) for run in runs]
        save_curves(series, arguments["plot"], axis, problem.name, problem.unit.plot_measure)
    if arguments["json"]:
        infosets, sequences = problem.sizes
        size = {"game": problem.name, "infosets": infosets, "sequences": sequences}
        print_json({**size, "results": summaries})
    elif runs:
        print_comparison(problem, runs, axis)
    if error is not None:
        raise error
    exit_if_interrupted(runs[-1].stopped)


def _run_algorithms(
    comparison: AlgorithmComparison, arguments: CompareArguments
) -> tuple[list[Numbers], list[dict[str, Any]], ZerosumError | None]:
    """Run the algorithms one after the other: return their numbers, their summaries for JSON, and the error, if any.

    The results themselves are not kept: each holds the memory of its solver.
    """
    from zerosum.cli.progress import Display
    from zerosum.options import build_workers
    from zerosum.results.result import Numbers

    runs, summaries = list[Numbers](), list[dict[str, Any]]()
    count = len(comparison.algorithms)
    with redirect_prints(), Display(comparison.problem.unit) as display:
        comparison.build_form(display.listener)
        workers = build_workers({"on": arguments["on"], "progress": display.show_solves})
        results = comparison.run_each(display.listener, workers, arguments["out"])
        try:
            for number, algorithm in enumerate(comparison.algorithms, 1):
                display.start_algorithm(f"{number}/{count}  ", algorithm.sampling is not None)
                display.show_stage(algorithm.name, 0)
                result = next(results, None)
                if result is None:
                    break
                runs.append(Numbers(**{field.name: getattr(result, field.name) for field in fields(Numbers)}))
                summaries.append(result.summary())
        except ZerosumError as error:
            return runs, summaries, error
    return runs, summaries, None


def _rank_run(run: Numbers, axis: X) -> tuple[bool, float]:
    """Return the sort key of a run: those that reached `--until` come first, the fastest before the others."""
    if run.stopped == "until":
        return False, run.curve[-1].get_coordinate(axis) or 0.0
    return True, run.exploitability


def print_comparison(problem: Problem, runs: list[Numbers], axis: X) -> None:
    """Print the runs side by side, with the best one marked, and their curves."""
    console = create_console()
    unit = problem.unit
    scaled = bool(unit.measures)
    columns: dict[str, Callable[[Numbers], str]] = {"iterations": lambda run: f"{run.iterations:,}"}
    if axis == "nodes":
        columns["nodes"] = lambda run: f"{run.nodes:,}" if run.nodes else "-"
    columns["time"] = lambda run: format_duration(run.seconds)
    columns["iterations/s"] = lambda run: format_rate(run.iterations, run.seconds)
    name = f"exploitability ({unit.name})" if scaled else "exploitability"
    columns[name] = lambda run: format_number(run.exploitability)
    if scaled:
        columns[unit.plot_measure.name] = lambda run: format_number(unit.plot_measure.factor * run.exploitability)
    if any(run.curve[-1].band for run in runs):
        columns["95% of the mean"] = lambda run: run.curve[-1].band
    columns["value"] = lambda run: f"{run.value:.6g}"
    infosets, sequences = problem.sizes
    title = f"{problem.name}: {infosets:,} infosets, {sequences:,} sequences"
    rows = new_table("algorithm", *columns, "", title=title, right=tuple(columns))
    best = min(runs, key=lambda run: _rank_run(run, axis))
    for run in runs:
        note = "best" if run is best else "interrupted" if run.stopped == "interrupted" else ""
        cells = [column(run) for column in columns.values()]
        rows.add_row(Text(run.algorithm), *cells, note, style="bold" if run is best else "")
    console.print(rows)
    curves = {
        run.algorithm: [
            (point.get_coordinate(axis) or 0.0, unit.plot_measure.factor * point.exploitability) for point in run.curve
        ]
        for run in runs
    }
    width, plain = min(72, console.width - 24), console.options.ascii_only
    lines = draw_line_chart(curves, AXIS_LABELS[axis], width=width, height=14, ascii_only=plain)
    if lines:
        heading = f"exploitability, {unit.plot_measure.name}" if scaled else "exploitability"
        console.print("\n".join([heading, *lines]), markup=False)
