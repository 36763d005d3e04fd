"""`rue compare`: one game, several algorithms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from rue.cli import dry, locked, options, spots
from rue.cli.chart import UNITS, chart
from rue.cli.console import aside, output, print_json, table
from rue.cli.ends import leave
from rue.cli.typed import option
from rue.errors import RueError
from rue.records import dataclass
from rue.words import duration, rate, short

if TYPE_CHECKING:
    from rue.problems.problem import Problem
    from rue.results.points import X
    from rue.results.result import Numbers
    from rue.runs.compare import Contest

COMPARE_EXAMPLES = """
rue compare leduc cfr cfr+ dcfr pcfr+ --plot leduc.svg
rue compare "liars-dice(4)" dcfr "dcfr(1.5, 0.5, 2)" nh-dcfr --iterations 1e4
rue compare leduc cfr+ dcfr my_rule.py:my_rule --seconds 5 --x seconds
rue compare leduc mccfr linear-mccfr os-mccfr --nodes 1e7 --seeds 10 --x nodes --plot sampled.svg
rue compare leduc mccfr os-mccfr --nodes 1e8 --seeds 100 --out seeds/ --on auto    [dim]on a Ray cluster[/dim]
rue compare spot:river dcfr cfr+ pcfr+ --until 0.1%
"""

Algorithms = Annotated[
    list[str],
    typer.Argument(metavar="ALGORITHM...", help="Names as [bold]rue algorithms[/bold] lists them.", show_default=False),
]


@dataclass(frozen=True)
class Kept:
    """Where many seeds run and what is kept of them, as it was typed."""

    out: Path | None = option("FOLDER", "Keep every seed that is done; the same command goes on from there.")
    on: options.On = None

    def check(self, drawn: options.Drawn) -> None:
        """Refuse what goes with many seeds alone."""
        if drawn.numbers is None and (self.out is not None or self.on is not None):
            name = "--out" if self.out is not None else "--on"
            raise RueError(f"{name} goes with many seeds: add --seeds; rue solve takes {name} for one run")


def compare(
    game: options.GameOrSpot,
    algorithms: Algorithms,
    limited: options.Limited,
    drawn: options.Drawn,
    given: spots.SpotParts,
    fixed: locked.Locked,
    shown: options.Shown,
    kept: Kept,
    x: options.Across = "iterations",
    refine: options.Refine = False,
    dry_run: Annotated[bool, dry.Flag] = False,
) -> None:
    """Run several algorithms on one game and compare how fast they come close to equilibrium.

    Each algorithm has the same limits; Ctrl-C ends the comparison and shows what was reached.
    """
    from rue.options import limits_of, start_of
    from rue.runs.compare import Contest

    across = options.across(x)
    shown.check()
    kept.check(drawn)
    problem = spots.problem_of(game, given, refine=refine, **fixed.given)
    with aside():
        chosen = [problem.algorithm(name) for name in algorithms]
        run_options = {**asdict(limited), **drawn.given}
        limits, start = limits_of(problem, run_options), start_of(run_options)
        contest = Contest(problem, chosen, limits, start, drawn.numbers)
    shown.check(*chosen)
    options.doubt_until(problem.unit, limited.until)
    if dry_run:
        seeds = 1 if drawn.numbers is None else len(drawn.numbers)
        kinds = [dry.Runs(problem, each, limits, seeds if each.sampling is not None else 1) for each in chosen]
        dry.tell(kinds, shown.json)
        return
    rows, failure = _run(contest, kept)
    runs = [numbers for numbers, _ in rows]
    if shown.plot is not None and any(run.stopped != "exact" for run in runs):
        from rue.views.plots import curves

        series = [(run.algorithm, run.curve) for run in runs]
        curves(series, shown.plot, across, problem.name, problem.unit.drawn)
    if shown.json:
        infosets, sequences = problem.sizes
        size = {"game": problem.name, "infosets": infosets, "sequences": sequences}
        print_json({**size, "results": [summary for _, summary in rows]})
    elif runs:
        show(problem, runs, across)
    if failure is not None:
        raise failure
    leave(runs[-1].stopped)


def _run(contest: Contest, kept: Kept) -> tuple[list[tuple[Numbers, dict[str, Any]]], RueError | None]:
    """The runs one after the other, until one is interrupted or fails: their numbers, alone and for a script."""
    from rue.cli.progress import Display
    from rue.options import workers
    from rue.results.result import Numbers

    rows: list[tuple[Numbers, dict[str, Any]]] = []
    count = len(contest.algorithms)
    with aside(), Display(contest.problem.unit) as display:
        contest.build(display.listener)
        where = workers({"on": kept.on, "progress": display.solves})
        results = contest.one_by_one(display.listener, where, kept.out)
        try:
            for algorithm in contest.algorithms:
                display.running(f"{len(rows) + 1}/{count}  ", algorithm.sampling is not None)
                display.stage(algorithm.name, 0)
                found = next(results, None)
                if found is None:
                    break
                numbers = {each.name: getattr(found, each.name) for each in fields(Numbers)}
                rows.append((Numbers(**numbers), found.summary()))
        except RueError as error:
            return rows, error
    return rows, None


def _rank(run: Numbers, across: X) -> tuple[bool, float]:
    """Those that reached the exploitability that was asked for come first, the fastest before the others."""
    if run.stopped == "until":
        return False, run.curve[-1].along(across) or 0.0
    return True, run.exploitability


def show(problem: Problem, runs: list[Numbers], across: X) -> None:
    """The runs side by side, the best one marked, and their curves."""
    console = output()
    unit = problem.unit
    scaled = bool(unit.measures)
    columns: dict[str, Callable[[Numbers], str]] = {"iterations": lambda run: f"{run.iterations:,}"}
    if across == "nodes":
        columns["nodes"] = lambda run: f"{run.nodes:,}" if run.nodes else "-"
    columns["time"] = lambda run: duration(run.seconds)
    columns["iterations/s"] = lambda run: rate(run.iterations, run.seconds)
    columns[f"exploitability ({unit.name})" if scaled else "exploitability"] = lambda run: short(run.exploitability)
    if scaled:
        columns[unit.drawn.name] = lambda run: short(unit.drawn.factor * run.exploitability)
    if any(run.curve[-1].band for run in runs):
        columns["95% of the mean"] = lambda run: run.curve[-1].band
    columns["value"] = lambda run: f"{run.value:.6g}"
    infosets, sequences = problem.sizes
    title = f"{problem.name}: {infosets:,} infosets, {sequences:,} sequences"
    rows = table("algorithm", *columns, "", title=title, right=tuple(columns))
    best = min(runs, key=lambda run: _rank(run, across))
    for run in runs:
        note = "best" if run is best else "interrupted" if run.stopped == "interrupted" else ""
        cells = [column(run) for column in columns.values()]
        rows.add_row(Text(run.algorithm), *cells, note, style="bold" if run is best else "")
    console.print(rows)
    curves = {
        run.algorithm: [(point.along(across) or 0.0, unit.drawn.factor * point.exploitability) for point in run.curve]
        for run in runs
    }
    lines = chart(
        curves, UNITS[across], width=min(72, console.width - 24), height=14, ascii_only=console.options.ascii_only
    )
    if lines:
        heading = f"exploitability, {unit.drawn.name}" if scaled else "exploitability"
        console.print("\n".join([heading, *lines]), markup=False)
