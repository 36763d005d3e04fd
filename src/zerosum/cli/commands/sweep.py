"""`zerosum sweep`: an algorithm over a grid of its parameters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rich.text import Text

from zerosum.cli import common_options
from zerosum.cli.console import create_console, new_table, print_json, redirect_prints
from zerosum.cli.exit_codes import exit_if_unfinished
from zerosum.cli.option_parser import ProblemArgument
from zerosum.cli.output import estimate
from zerosum.engine.limits import LimitOptions
from zerosum.problems.options import StorageOptions
from zerosum.support.errors import ZerosumError
from zerosum.support.options import Option, select_options

if TYPE_CHECKING:
    from zerosum.jobs.solve_job import SolveJob
    from zerosum.results.sweep import Sweep

SWEEP_EXAMPLES = """
zerosum sweep leduc kuhn --algorithm "dcfr({alpha}, {beta}, 2)" --grid alpha=1,1.5,2 beta=0,0.5 --plot sweep.svg
zerosum sweep leduc -a "dcfr({alpha}, 0, {gamma})" --grid alpha=1,1.5,2 --grid gamma=1,2,4 --until 1e-3 --out sweep/
zerosum sweep leduc -a "dcfr({alpha})" --grid alpha=1,1.5,2 --out sweep/ --on auto    # on a Ray cluster
zerosum sweep spot:river spot:turn -a "dcfr({alpha}, 0.5, 4)" --grid alpha=1,1.25,1.5 --until 0.2% --csv sweep.csv
"""

MAX_ROWS = 12
"""Points of the grid that are listed for each game."""
GRID = re.compile(r"\s*([A-Za-z_]\w*)\s*=(.*)", re.DOTALL)


# fmt: off
class SweepArguments(LimitOptions, StorageOptions, total=False):
    games: Annotated[list[str], ProblemArgument("Games or spots, as for `zerosum solve`; more of the grid may follow.",
        "GAME... [NAME=VALUES...]", required=True)]
    algorithm: Annotated[str, Option("An algorithm with parameters in braces, like dcfr({alpha}, 0, 2).", "NAME",
        flags=("--algorithm", "-a"), required=True)]
    grid: Annotated[list[str], Option("The values of a parameter, separated by commas.", "NAME=VALUES", required=True)]
    seed: Annotated[int | None, Option("Seed of an algorithm that samples.", "N", least=0, default_text="0")]
    by: Annotated[str | None, Option("Choose the best point by exploitability, iterations, seconds or nodes.",
        "MEASURE", default_text="iterations with `--until`, otherwise exploitability")]
    out: Annotated[Path | None, Option("Save finished runs in this folder; run the same command again to continue.",
        "FOLDER")]
    plot: Annotated[Path | None, Option("Draw a map of the grid to an .svg, .png or .pdf file.", "FILE")]
    csv: Annotated[Path | None, Option("Write one row per run.", "FILE")]
    on: common_options.Cluster
    json: common_options.Json
    dry_run: common_options.DryRun
    parts: common_options.Parts
# fmt: on


def sweep(arguments: SweepArguments) -> None:
    """Run an algorithm over a grid of its parameters and show where it is best.

    The runs share all cores. Ctrl-C ends the sweep and shows the results so far; with --out, run the same command
    again to continue.
    """
    import zerosum.api as api
    from zerosum.cli.progress import Display
    from zerosum.support.files import check_writable, write_atomically

    words, algorithm, out, csv = arguments["games"], arguments["algorithm"], arguments["out"], arguments["csv"]
    games = [word for word in words if not GRID.fullmatch(word)]
    values = _parse_grid([*arguments["grid"], *(word for word in words if GRID.fullmatch(word))])
    common_options.check_plot(arguments["plot"])
    if csv is not None:
        check_writable(csv)
    problems = [common_options.load_problem(game, arguments) for game in games]
    options = {**select_options(LimitOptions, arguments), "seed": arguments["seed"]}
    by: Any = arguments["by"]
    if arguments["dry_run"]:
        from zerosum.jobs.sweep import SweepPlan
        from zerosum.options import build_limits, build_start

        limits = [build_limits(problem, options) for problem in problems]
        plan = SweepPlan(problems, algorithm, values, limits, build_start(options), by)
        estimate.print_dry_run(_group_runs(plan.jobs), arguments["json"])
        return
    with redirect_prints(), Display() as display:
        display.show_stage(algorithm, 0)
        options |= {"out": out, "on": arguments["on"], "progress": display.show_solves}
        result = api.sweep(problems, algorithm, values, by=by, **options)
    if arguments["plot"] is not None and result.rows:
        from zerosum.results.display.sweep_plot import save_sweep_plot

        save_sweep_plot(result, arguments["plot"])
    if csv is not None:
        write_atomically(csv, result.to_csv().encode())
    if arguments["json"]:
        print_json(result.content())
    else:
        print_sweep(result)
    exit_if_unfinished(result.missing, result.missing + len(result.rows), out)
    if result.failures:
        raise ZerosumError("; ".join(result.failures))


def _group_runs(jobs: Sequence[SolveJob]) -> list[estimate.RunBatch]:
    """Return the runs of each game as a batch: all points of the grid cost what the first one costs."""
    count = Counter(job.problem.name for job in jobs)
    firsts = {job.problem.name: job for job in reversed(jobs)}
    return [
        estimate.RunBatch(job.problem, job.algorithm, job.limits, count[name], name)
        for name, job in reversed(firsts.items())
    ]


def _parse_grid(texts: list[str]) -> dict[str, list[str]]:
    """Return the values of each parameter.

    >>> _parse_grid(["alpha=1,1.5,2", "beta=0"])
    {'alpha': ['1', '1.5', '2'], 'beta': ['0']}
    """
    grid: dict[str, list[str]] = {}
    for text in texts:
        match = GRID.fullmatch(text)
        if match is None:
            raise ZerosumError(f"cannot read --grid {text!r}: write a name and values, like alpha=1,1.5,2")
        if match[1] in grid:
            raise ZerosumError(f"--grid has {match[1]} twice")
        grid[match[1]] = [value.strip() for value in re.split(r",(?![^\[(]*[\])])", match[2]) if value.strip()]
    return grid


def print_sweep(result: Sweep) -> None:
    """Print the best points of each game, and over all games."""
    from zerosum.results.sweep import ON_ALL

    for game in result.games:
        rows = result.format_rows(game)
        _print_points(f"{game}: {result.algorithm}", rows)
        if len(rows) > MAX_ROWS:
            create_console().print(
                f"{len(rows) - MAX_ROWS} more points are not shown (see --json or --csv)\n", soft_wrap=True
            )
    if len(result.games) > 1:
        _print_points(ON_ALL, result.format_overall())


def _print_points(title: str, rows: list[dict[str, str]]) -> None:
    if not rows:
        return
    listed = new_table(*rows[0], title=title, right=tuple(rows[0]))
    for number, row in enumerate(rows[:MAX_ROWS]):
        listed.add_row(*map(Text, row.values()), style="bold" if number == 0 else "")
    create_console().print(listed)
