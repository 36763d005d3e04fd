"""`rue solve`: one game, one algorithm."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rue.cli import options, spots
from rue.cli.chart import chart
from rue.cli.console import aside, duration, number, output, print_json, rate
from rue.cli.stopped import INTERRUPTED, STOPPED
from rue.errors import RueError

if TYPE_CHECKING:
    from rue.result import Result
    from rue.solve.limits import Limits

EPILOG = """[bold]Examples[/bold]

rue solve kuhn

rue solve leduc --algorithm "dcfr(1.5, 0, 2)" --iterations 1e4 --out leduc.json.gz --plot leduc.svg

rue solve "goofspiel(5, order=ascending)" --until 1e-4 --seconds 60

rue solve leduc --algorithm lp    [dim]the exact solution[/dim]

rue solve my_game.py:MyGame --algorithm my_rule.py:my_rule

rue solve spot:river --until 0.5%    [dim]a hold'em spot that comes along: river, turn, flop; or my_spot.toml[/dim]

rue solve holdem --board "Ks 7h 2d 9c" --pot 500 --stack 9750 --oop "22+,A2s+,KTs+" --ip random --until 0.5%

rue solve libratus:3 --data FOLDER --line "check bet50" --hand AKs"""

Algorithm = Annotated[
    str,
    typer.Option(
        "--algorithm",
        "-a",
        metavar="NAME",
        help="A name like dcfr, cfr+(average=1), lp or path/to/rule.py:mine; see [bold]rue algorithms[/bold].",
    ),
]
Out = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Save the result for [bold]rue show[/bold]; .gz compresses it.")
]


def solve(
    game: options.GameOrSpot,
    limited: options.Limited,
    given: spots.Given,
    algorithm: Algorithm = "dcfr",
    out: Out = None,
    plot: options.Plot = None,
    json: options.Json = False,
    refine: options.Refine = False,
    seed: options.Seed = None,
    line: spots.Line = None,
    hand: spots.Hand = None,
    dry_run: spots.DryRun = False,
    debug: options.Debug = False,
) -> None:
    """Solve a game and show how close to equilibrium its strategy is.

    The run ends at the first limit given; Ctrl-C ends it too and keeps what was reached.
    """
    if spots.is_spot(game):
        from rue.cli.holdem import Wanted, solve_spot

        spots.refuse_general(refine, seed)
        _check_files(out, plot, exact=False)
        spot = spots.make_spot(game, given)
        wanted = Wanted(dry_run, json, out, plot, line, hand)
        solve_spot(spot, algorithm, limited.of_spot(spot), not given.no_isomorphism, wanted)
        return
    spots.refuse(game, given, line=line, hand=hand, dry_run=dry_run)
    result = _solved(game, algorithm, limited.of_game(), out, plot, refine, seed)
    if out is not None:
        result.save(out)
    if plot is not None:
        from rue.plots import curves

        curves([result], plot)
    if json:
        print_json(result.summary())
    else:
        show(result)
    if result.stopped == "interrupted":
        raise typer.Exit(INTERRUPTED)


def _solved(
    game: str, algorithm: str, limits: Limits, out: Path | None, plot: Path | None, refine: bool, seed: int | None
) -> Result:
    """Check all that was typed, then solve a game in sequence form."""
    from rue.cli.progress import Display
    from rue.games.catalogue import make
    from rue.solve.run import EXACT, resolved

    with aside():
        chosen = resolved(algorithm)
        limits.horizon(chosen)
        _check_files(out, plot, exact=chosen is None)
        rules = make(game)
    from rue.forms.compile import compile_game
    from rue.solve.run import solve_form

    with aside(), Display() as display:
        display.compiling(rules.name)
        form = compile_game(rules, refine=refine, progress=display.histories)
        display.running(EXACT if chosen is None else chosen.name)
        return solve_form(form, chosen, limits, seed, display.run)


def _check_files(out: Path | None, plot: Path | None, exact: bool) -> None:
    """Refuse paths that cannot be written, before the run."""
    if out is not None:
        from rue.result import check_writable

        check_writable(out)
    if plot is not None:
        from rue.plots import check_plot

        check_plot(plot)
        if exact:
            raise RueError("lp solves in one step and has no curve to plot; leave out --plot")
        if out is not None and out.resolve() == plot.resolve():
            raise RueError(f"--out and --plot both name {out}; give them different files")


def show(result: Result) -> None:
    """The numbers of a run and its curve, for people."""
    from rich.table import Table
    from rich.text import Text

    console = output()
    grid = Table.grid(padding=(0, 2))
    exact = result.stopped == "exact"
    rows = {
        "game": result.game,
        "algorithm": result.algorithm,
        "infosets": f"{result.infosets:,}",
        "sequences": f"{result.sequences:,}",
        "iterations": "none needed" if exact else f"{result.iterations:,}",
        "time": duration(result.seconds),
        "iterations/s": "" if exact else rate(result.iterations, result.seconds),
        "exploitability": f"{number(result.exploitability)}   (mean of both players)",
        "NashConv": f"{number(result.nash_conv)}   (sum of both players)",
        "value": f"{result.value:.6g}   (for the first player)",
        "stopped": STOPPED.get(result.stopped, result.stopped),
    }
    for name, value in rows.items():
        if value:
            grid.add_row(Text(name, style="bold"), Text(value))
    console.print(grid)
    curve = {result.algorithm: [(point.iteration, point.exploitability) for point in result.curve]}
    lines = chart(curve, width=min(64, console.width - 24), ascii_only=console.options.ascii_only)
    if lines:
        console.print("\n" + "\n".join(["exploitability", *lines]), markup=False)
