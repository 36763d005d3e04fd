"""`rue solve`: one game, one algorithm."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rue.algorithms.defaults import GENERAL, HOLDEM
from rue.cli import options, spots
from rue.cli.chart import UNITS, chart
from rue.cli.console import aside, duration, number, output, print_json, print_rows, rate
from rue.cli.stopped import INTERRUPTED, NOT_KNOWN, STOPPED
from rue.errors import RueError
from rue.memory import readable

if TYPE_CHECKING:
    from rue.algorithms import algorithm as algorithms
    from rue.games.game import Game
    from rue.result import Result, X
    from rue.solvers.iterate import Keeping
    from rue.solvers.limits import Limits
    from rue.solvers.run import Start

EPILOG = """[bold]Examples[/bold]

rue solve kuhn

rue solve leduc --algorithm "dcfr(1.5, 0, 2)" --iterations 1e4 --out run/ --plot leduc.svg

rue solve "goofspiel(5, order=ascending)" --until 1e-4 --seconds 60

rue solve leduc --algorithm lp    [dim]the exact solution[/dim]

rue solve leduc --algorithm "linear-mccfr(1e6)" --nodes 1e8 --seeds 10    [dim]sampled; the mean of ten seeds[/dim]

rue solve leduc -a cfr+ --start-from leduc.json.gz    [dim]go on from a strategy, with other regrets[/dim]

rue solve my_game.py:MyGame --algorithm my_rule.py:my_rule

rue solve spot:river --until 0.5%    [dim]a hold'em spot that comes along: river, turn, flop; or my_spot.toml[/dim]

rue solve holdem --board "Ks 7h 2d 9c" --pot 500 --stack 9750 --oop "22+,A2s+,KTs+" --ip random --until 0.5%

rue solve libratus:3 --data FOLDER --line "check bet50" --hand AKs"""

Algorithm = Annotated[
    str | None,
    typer.Option(
        "--algorithm",
        "-a",
        metavar="NAME",
        help="A name like cfr+(average=1), lp or path/to/rule.py:mine; see [bold]rue algorithms[/bold]. "
        f"{GENERAL} if none is given, on hold'em spots {HOLDEM}.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="RUN",
        help="Save the run, on the way and at its end, for [bold]rue resume[/bold], [bold]show[/bold] and "
        "[bold]export[/bold]: a folder, or a file in .rue. A name in .json or .json.gz keeps the result alone.",
    ),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", metavar="", help="Replace a run that lies there already.")]


def solve(
    game: options.GameOrSpot,
    limited: options.Limited,
    drawn: options.Drawn,
    started: options.Started,
    given: spots.Given,
    algorithm: Algorithm = None,
    out: Out = None,
    overwrite: Overwrite = False,
    plot: options.Plot = None,
    json: options.Json = False,
    refine: options.Refine = False,
    by_rules: options.ByRules = False,
    line: spots.Line = None,
    hand: spots.Hand = None,
    streets: spots.Streets = None,
    dry_run: spots.DryRun = False,
    debug: options.Debug = False,
) -> None:
    """Solve a game and show how close to equilibrium its strategy is.

    The run ends at the first limit given; Ctrl-C ends it too and keeps what was reached.
    """
    algorithm = algorithm if algorithm is not None else HOLDEM if spots.is_spot(game) else GENERAL
    started.check()
    if started.start_from is not None and drawn.seeds is not None:
        raise RueError("--start-from goes with one run of an algorithm that walks every history: leave out --seeds")
    if spots.is_spot(game):
        from rue.cli.holdem import Wanted, solve_spot

        spots.refuse_general(refine=refine, by_rules=by_rules, start_seed=drawn.start_seed, fill=started.fill)
        _check_files(out, plot, exact=False)
        spot = spots.make_spot(game, given)
        wanted = Wanted(dry_run, json, out, plot, line, hand, streets, overwrite)
        if drawn.numbers is not None:
            _refuse_with_seeds(out, by_rules)
        solve_spot(spot, algorithm, limited.of_spot(spot), given, wanted, drawn, started)
        return
    spots.refuse(game, given, line=line, hand=hand, dry_run=dry_run, streets=streets)
    if drawn.numbers is not None:
        from rue.cli.seeds import solve_seeds

        _refuse_with_seeds(out, by_rules)
        solve_seeds(game, algorithm, limited.of_game(), drawn, refine, plot, json)
        return
    if by_rules and plot is not None:
        raise RueError("by rules alone the exploitability is not known: there is no curve to plot; leave out --plot")
    kept = None if out is None else (out, overwrite)
    result = _solved(game, algorithm, limited.of_game(), started.of(drawn), kept, plot, refine, by_rules)
    if plot is not None:
        from rue.plots import curves

        curves([result], plot, across(result))
    if json:
        print_json(result.summary())
    else:
        show(result)
    if result.stopped == "interrupted":
        raise typer.Exit(INTERRUPTED)


def _refuse_with_seeds(out: Path | None, by_rules: bool) -> None:
    """Refuse what one run has and many have not."""
    if out is not None:
        raise RueError("--out keeps one strategy, and --seeds makes many: use --json for the numbers")
    if by_rules:
        raise RueError("--by-rules tells no exploitability, so --seeds has nothing to take the mean of")


def _solved(
    game: str,
    algorithm: str,
    limits: Limits,
    start: Start,
    kept: tuple[Path, bool] | None,
    plot: Path | None,
    refine: bool,
    by_rules: bool,
) -> Result:
    """Check all that was typed, then solve a game in sequence form or by its rules; keep the run if that is wanted."""
    from rue.games.catalogue import make
    from rue.solvers.run import resolved

    with aside():
        chosen = resolved(algorithm)
        limits.horizon(chosen)
        start.check(chosen)
        _check_files(None if kept is None else kept[0], plot, exact=chosen is None)
        rules = make(game)
    if kept is None:
        return _run(rules, chosen, limits, start, refine, by_rules, None)
    from rue.runs.keeper import keeping_general

    with keeping_general(kept[0], game, chosen, limits, start, refine, kept[1]) as place:
        return place.result(_run(rules, chosen, limits, start, refine, by_rules, place.keeper))


def _run(
    rules: Game,
    chosen: algorithms.Algorithm | None,
    limits: Limits,
    start: Start,
    refine: bool,
    by_rules: bool,
    keeping: Keeping | None,
) -> Result:
    from rue.cli.progress import Display
    from rue.forms.compile import compile_game
    from rue.solvers.run import EXACT, solve_form, solve_rules

    name, sampled = (EXACT, False) if chosen is None else (chosen.name, chosen.sampling is not None)
    with aside(), Display() as display:
        if by_rules:
            if refine:
                raise RueError("--refine needs the whole game: it does not go with --by-rules")
            display.running(name, sampled)
            return solve_rules(rules, chosen, limits, start, display.run, keeping)
        display.compiling(rules.name)
        form = compile_game(rules, refine=refine, sampled=sampled, progress=display.histories)
        display.running(name, sampled)
        return solve_form(form, chosen, limits, start, display.run, keeping)


def _check_files(out: Path | None, plot: Path | None, exact: bool) -> None:
    """Refuse a plot that cannot be drawn, before the run; what is saved has its own checks."""
    if plot is not None:
        from rue.plots import check_plot

        check_plot(plot)
        if exact:
            raise RueError("lp solves in one step and has no curve to plot; leave out --plot")
        if out is not None and out.resolve() == plot.resolve():
            raise RueError(f"--out and --plot both name {out}; give them different files")


def across(result: Result) -> X:
    """What the curve of a run is shown along: nodes touched where the run sampled."""
    return "iterations" if result.seed is None else "nodes"


def show(result: Result) -> None:
    """The numbers of a run and its curve, for people."""
    console = output()
    exact, sampled = result.stopped == "exact", result.seed is not None
    known = not math.isnan(result.exploitability)
    nodes = result.nodes or 0
    print_rows({
        "game": result.game,
        "algorithm": result.algorithm,
        "seed": f"{result.seed}" if sampled else "",
        "infosets": f"{result.infosets:,}{'' if known else '   (met so far)'}",
        "sequences": f"{result.sequences:,}",
        "iterations": "none needed" if exact else f"{result.iterations:,}",
        "nodes touched": f"{nodes:,}" if sampled else "",
        "time": duration(result.seconds),
        "iterations/s": "" if exact else rate(result.iterations, result.seconds),
        "nodes/s": rate(nodes, result.seconds) if sampled else "",
        "memory": readable(result.bytes) if result.bytes is not None else "",
        "exploitability": f"{number(result.exploitability)}   (mean of both players)" if known else NOT_KNOWN,
        "NashConv": f"{number(result.nash_conv)}   (sum of both players)" if known else "",
        "value": f"{result.value:.6g}   (for the first player)" if known else "",
        "stopped": STOPPED.get(result.stopped, result.stopped),
    })  # fmt: skip
    x = across(result)
    curve = {result.algorithm: [(point.along(x) or 0.0, point.exploitability) for point in result.curve]}
    lines = chart(curve, UNITS[x], width=min(64, console.width - 24), ascii_only=console.options.ascii_only)
    if lines:
        console.print("\n" + "\n".join(["exploitability", *lines]), markup=False)
