"""`rue compare`: one game, several algorithms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rue.cli import options
from rue.cli.chart import chart
from rue.cli.console import aside, duration, number, output, print_json, rate, table
from rue.cli.stopped import INTERRUPTED
from rue.errors import RueError

if TYPE_CHECKING:
    from rue.algorithms.choices import Algorithm
    from rue.plots import X
    from rue.result import Result

EPILOG = """[bold]Examples[/bold]

rue compare leduc cfr cfr+ dcfr pcfr+ --plot leduc.svg

rue compare "liars-dice(4)" dcfr "dcfr(1.5, 0.5, 2)" nh-dcfr --iterations 1e4

rue compare leduc cfr+ dcfr my_rule.py:my_rule --seconds 5 --x seconds"""

Algorithms = Annotated[
    list[str],
    typer.Argument(metavar="ALGORITHM...", help="Names as [bold]rue algorithms[/bold] lists them.", show_default=False),
]
Across = Annotated[str, typer.Option("--x", metavar="iterations|seconds", help="What the charts run along.")]


def compare(
    game: options.Game,
    algorithms: Algorithms,
    iterations: options.Iterations = None,
    until: options.Until = None,
    seconds: options.Seconds = None,
    x: Across = "iterations",
    plot: options.Plot = None,
    json: options.Json = False,
    threads: options.Threads = None,
    refine: options.Refine = False,
    seed: options.Seed = None,
    debug: options.Debug = False,
) -> None:
    """Run several algorithms on one game and compare how fast they come close to equilibrium.

    Each algorithm has the same limits; Ctrl-C ends the comparison and shows what was reached.
    """
    from rue.cli.progress import Display
    from rue.games.catalogue import make
    from rue.solve.run import checked

    across = _across(x)
    twice = [name for name in algorithms if algorithms.count(name) > 1]
    if twice:
        raise RueError(f"{twice[0]} is named twice")
    with aside():
        chosen = [checked(name, iterations, until, seconds, threads)[0] for name in algorithms]
    if plot is not None:
        from rue.plots import check_plot

        check_plot(plot)
        if not any(chosen):
            raise RueError("lp solves in one step and has no curve to plot; leave out --plot")
    with aside():
        rules = make(game)
    from rue.forms.compile import compile_game
    from rue.solve.run import EXACT
    from rue.solve.run import solve as run

    results: list[Result] = []
    failure: RueError | None = None
    with aside(), Display() as display:
        display.compiling(rules.name)
        form = compile_game(rules, refine=refine, progress=display.histories)
        for place, algorithm in enumerate(chosen, start=1):
            display.running(f"{place}/{len(chosen)}  {_name(algorithm)}")
            try:
                results.append(
                    run(
                        form,
                        algorithm or EXACT,
                        iterations=iterations,
                        until=until,
                        seconds=seconds,
                        threads=threads,
                        start_seed=seed,
                        progress=display.run,
                    )
                )
            except RueError as error:
                failure = error
                break
            if results[-1].stopped == "interrupted":
                break
    if plot is not None and any(result.stopped != "exact" for result in results):
        from rue.plots import curves

        curves(results, plot, across)
    if json:
        runs = [result.summary() for result in results]
        print_json({"game": form.name, "infosets": form.infosets, "sequences": form.sequences, "results": runs})
    elif results:
        show(results, across)
    if failure is not None:
        raise failure
    if results[-1].stopped == "interrupted":
        raise typer.Exit(INTERRUPTED)


def _across(x: str) -> X:
    if x not in ("iterations", "seconds"):
        raise RueError(f"--x must be iterations or seconds, not {x!r}")
    return "iterations" if x == "iterations" else "seconds"


def _name(algorithm: Algorithm | None) -> str:
    return "lp" if algorithm is None else algorithm.name


def show(results: list[Result], across: X) -> None:
    """The runs side by side, the best one marked, and their curves."""
    from rich.text import Text

    console = output()
    first = results[0]
    rows = table(
        "algorithm",
        "iterations",
        "time",
        "iterations/s",
        "exploitability",
        "value",
        "",
        title=f"{first.game}: {first.infosets:,} infosets, {first.sequences:,} sequences",
        right=("iterations", "time", "iterations/s", "exploitability", "value"),
    )
    best = min(results, key=lambda result: result.exploitability)
    for result in results:
        note = "best" if result is best else "interrupted" if result.stopped == "interrupted" else ""
        rows.add_row(
            Text(result.algorithm),
            f"{result.iterations:,}",
            duration(result.seconds),
            rate(result.iterations, result.seconds),
            number(result.exploitability),
            f"{result.value:.6g}",
            note,
            style="bold" if result is best else "",
        )
    console.print(rows)
    curves = {
        result.algorithm: [
            (point.iteration if across == "iterations" else point.seconds, point.exploitability)
            for point in result.curve
        ]
        for result in results
    }
    lines = chart(
        curves, unit=across, width=min(72, console.width - 24), height=14, ascii_only=console.options.ascii_only
    )
    if lines:
        console.print("\n".join(["exploitability", *lines]), markup=False)
