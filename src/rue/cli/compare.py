"""`rue compare`: one game, several algorithms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from rue.cli import options, spots
from rue.cli.chart import UNITS, chart
from rue.cli.console import aside, duration, output, print_json, rate, table
from rue.cli.told import end
from rue.errors import RueError
from rue.words import short

if TYPE_CHECKING:
    from rue.problems.problem import Problem
    from rue.results.points import Point, X
    from rue.results.result import Result
    from rue.runs.compare import Contest
    from rue.runs.repeat import Repeated

EPILOG = """[bold]Examples[/bold]

rue compare leduc cfr cfr+ dcfr pcfr+ --plot leduc.svg

rue compare "liars-dice(4)" dcfr "dcfr(1.5, 0.5, 2)" nh-dcfr --iterations 1e4

rue compare leduc cfr+ dcfr my_rule.py:my_rule --seconds 5 --x seconds

rue compare leduc mccfr linear-mccfr os-mccfr --nodes 1e7 --seeds 10 --x nodes --plot sampled.svg

rue compare spot:river dcfr cfr+ pcfr+ --until 0.1%"""

Algorithms = Annotated[
    list[str],
    typer.Argument(metavar="ALGORITHM...", help="Names as [bold]rue algorithms[/bold] lists them.", show_default=False),
]


MEAN = "95% of the mean"


class Row(NamedTuple):
    """What a comparison keeps of a run: numbers, not strategies."""

    algorithm: str
    iterations: int
    seconds: float
    exploitability: float
    value: float
    nodes: int | None
    band: tuple[float, float] | None
    curve: Sequence[Point]
    stopped: str
    summary: dict[str, Any]

    @staticmethod
    def of(result: Result | Repeated) -> Row:
        """The row of a result."""
        from rue.results.points import MeanPoint

        last = result.curve[-1]
        return Row(
            result.algorithm,
            result.iterations,
            result.seconds,
            result.exploitability,
            result.value,
            last.nodes,
            (last.low, last.high) if isinstance(last, MeanPoint) else None,
            result.curve,
            result.stopped,
            result.summary(),
        )


def compare(
    game: options.GameOrSpot,
    algorithms: Algorithms,
    limited: options.Limited,
    drawn: options.Drawn,
    given: spots.SpotParts,
    shown: options.Shown,
    x: options.Across = "iterations",
    refine: options.Refine = False,
    debug: options.Debug = False,
) -> None:
    """Run several algorithms on one game and compare how fast they come close to equilibrium.

    Each algorithm has the same limits; Ctrl-C ends the comparison and shows what was reached.
    """
    import rue.api as api
    from rue.runs.compare import Contest

    across = options.across(x)
    shown.check()
    problem = spots.problem_of(game, given, options.Made(refine=refine))
    with aside():
        chosen = [problem.algorithm(name) for name in algorithms]
        run_options = {**limited.given, **drawn.given}
        limits, start = api.limits_of(problem, run_options), api.start_of(run_options)
        contest = Contest(problem, chosen, limits, start, drawn.numbers)
    shown.check(*chosen)
    rows, failure = _run(contest)
    if shown.plot is not None and any(row.stopped != "exact" for row in rows):
        from rue.views.plots import curves

        series = [(row.algorithm, row.curve) for row in rows]
        curves(series, shown.plot, across, problem.name, problem.unit.drawn)
    if shown.json:
        infosets, sequences = problem.sizes
        size = {"game": problem.name, "infosets": infosets, "sequences": sequences}
        print_json({**size, "results": [row.summary for row in rows]})
    elif rows:
        show(problem, rows, across)
    if failure is not None:
        raise failure
    end(rows[-1].stopped)


def _run(contest: Contest) -> tuple[list[Row], RueError | None]:
    """The runs one after the other, until one is interrupted or fails."""
    from rue.cli.progress import Display
    from rue.runs.repeat import Together

    rows: list[Row] = []
    count = len(contest.algorithms)
    with aside(), Display(contest.problem.unit) as display:
        contest.build(display.listener)
        results = contest.one_by_one(display.listener, Together(progress=display.seeds))
        try:
            for algorithm in contest.algorithms:
                display.running(f"{len(rows) + 1}/{count}  ", algorithm.sampling is not None)
                display.stage(algorithm.name, 0)
                found = next(results, None)
                if found is None:
                    break
                rows.append(Row.of(found))
        except RueError as error:
            return rows, error
    return rows, None


def _rank(run: Row, across: X) -> tuple[bool, float]:
    """Those that reached the exploitability that was asked for come first, the fastest before the others."""
    if run.stopped == "until":
        return False, run.curve[-1].along(across) or 0.0
    return True, run.exploitability


def _band(run: Row) -> str:
    """Where the mean of the seeds lies with 95% confidence."""
    return "" if run.band is None else f"{short(max(0.0, run.band[0]))} to {short(run.band[1])}"


def show(problem: Problem, runs: list[Row], across: X) -> None:
    """The runs side by side, the best one marked, and their curves."""
    from rich.text import Text

    console = output()
    unit = problem.unit
    scaled = bool(unit.measures)
    measured = (f"exploitability ({unit.name})", unit.drawn.name) if scaled else ("exploitability",)
    banded, counted = any(run.band for run in runs), across == "nodes"
    numbers = (
        "iterations",
        *(("nodes",) if counted else ()),
        "time",
        "iterations/s",
        *measured,
        *((MEAN,) if banded else ()),
        "value",
    )
    infosets, sequences = problem.sizes
    title = f"{problem.name}: {infosets:,} infosets, {sequences:,} sequences"
    rows = table("algorithm", *numbers, "", title=title, right=numbers)
    best = min(runs, key=lambda run: _rank(run, across))
    for run in runs:
        note = "best" if run is best else "interrupted" if run.stopped == "interrupted" else ""
        reached = [run.exploitability, *([unit.drawn.factor * run.exploitability] if scaled else [])]
        rows.add_row(
            Text(run.algorithm),
            f"{run.iterations:,}",
            *([f"{run.nodes:,}" if run.nodes else "-"] if counted else []),
            duration(run.seconds),
            rate(run.iterations, run.seconds),
            *map(short, reached),
            *([_band(run)] if banded else []),
            f"{run.value:.6g}",
            note,
            style="bold" if run is best else "",
        )
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
