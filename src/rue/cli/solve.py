"""`rue solve`: one game, one algorithm."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rue.algorithms.defaults import GENERAL, HOLDEM
from rue.cli import locked, options, spots
from rue.cli.console import aside, print_json
from rue.cli.dry import Runs, tell
from rue.cli.typed import flag, option
from rue.errors import RueError
from rue.records import dataclass

if TYPE_CHECKING:
    from rue.problems.estimate import Estimate

SOLVE_EXAMPLES = """
rue solve kuhn
rue solve leduc --algorithm "dcfr(1.5, 0, 2)" --iterations 1e4 --out run/ --plot leduc.svg
rue solve "goofspiel(5, order=ascending)" --until 1e-4 --seconds 60
rue solve leduc --algorithm lp    [dim]the exact solution[/dim]
rue solve leduc --algorithm "linear-mccfr(1e6)" --nodes 1e8 --seeds 10    [dim]sampled; the mean of ten seeds[/dim]
rue solve leduc -a cfr+ --start-from leduc.json.gz    [dim]go on from a strategy, with other regrets[/dim]
rue solve leduc --lock "Kc|bet: fold 20%, call 80%" --price    [dim]a strategy that is fixed, and what that costs[/dim]
rue solve my_game.py:MyGame --algorithm my_rule.py:my_rule
rue solve spot:river --until 0.5%    [dim]a hold'em spot that comes along: river, turn, flop; or my_spot.toml[/dim]
rue solve holdem --board "Ks 7h 2d 9c" --pot 500 --stack 9750 --oop "22+,A2s+,KTs+" --ip random --until 0.5%
rue solve spot:flop --until 0.5% --on local --machines 2    [dim]shared by two workers; or on a Ray cluster[/dim]
rue solve libratus:3 --data FOLDER --line "check bet50" --hand AKs
rue solve spot:river --lock "check bet33: sets: raise 100%" --lock "bet33: overall: fold 60%" --until 0.5%
"""

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


@dataclass(frozen=True)
class Kept:
    """Where a run is saved, and what of it, as it was typed."""

    out: Path | None = option(
        "RUN",
        "Save the run, on the way and at its end, for [bold]rue resume[/bold], [bold]show[/bold] and "
        "[bold]export[/bold]: a folder, or a file in .rue. A name in .json or .json.gz keeps the result alone.",
    )
    overwrite: bool = flag("--overwrite", "Replace a run that lies there already.")
    streets: spots.Streets = None


@dataclass(frozen=True)
class Sized(spots.Asked):
    """Which decision of a spot is looked at, or that only its size is, as it was typed."""

    dry_run: bool = spots.flag("--dry-run", "Show the size of the tree, the memory and the time, and stop.")


def solve(
    game: options.GameOrSpot,
    limited: options.Limited,
    drawn: options.Drawn,
    started: options.Started,
    given: spots.SpotParts,
    made: options.Made,
    fixed: locked.Locked,
    kept: Kept,
    shown: options.Shown,
    asked: Sized,
    placed: options.Placed,
    algorithm: Algorithm = None,
) -> None:
    """Solve a game and show how close to equilibrium its strategy is.

    The run ends at the first limit given; Ctrl-C ends it too and keeps what was reached.
    """
    import rue.api as api
    from rue.cli.progress import Display
    from rue.views.look import Look

    begin, dry_run = started.given, asked.dry_run
    found = spots.problem_of(game, given, **asdict(made), **fixed.given, streets=kept.streets)
    with aside():
        chosen = found.algorithm(algorithm)
    shown.check(chosen)
    if started.start_from is not None and drawn.seeds is not None:
        raise RueError("--start-from goes with one run of an algorithm that walks every history: leave out --seeds")
    _check(kept, shown, made, drawn, asked)
    if dry_run and drawn.numbers is not None:
        from rue.options import limits_of
        from rue.runs.repeat import check_seeds

        limits = limits_of(found, asdict(limited))
        tell([Runs(found, check_seeds(chosen, limits), limits, len(drawn.numbers))], shown.json)
        return
    wanted = {name: value for name, value in asdict(asked).items() if name != "dry_run"}
    look = Look(**wanted)
    found.check_look(wanted)
    options.doubt_until(found.unit, limited.until)
    run_options = {**asdict(limited), **drawn.given, **begin, "streets": kept.streets}
    if drawn.numbers is not None:
        del run_options["seed"]
        run_options |= asdict(placed)
        with aside(), Display(found.unit) as display:
            display.stage(chosen.name, 0)
            runs = api.repeat(found, chosen, seeds=drawn.numbers, progress=display.seeds, **run_options)
        shown.tell(runs, Look())
        return
    place: dict[str, Any] = {} if dry_run else {"out": kept.out, "overwrite": kept.overwrite}
    run = api.start(
        found, chosen, **place, **asdict(placed), **{**run_options, "streets": None if dry_run else kept.streets}
    )
    if dry_run or (found.sized_ahead and not shown.json):
        with aside(), Display() as display:
            size = run.problem.estimate(chosen, limited.threads, display.stage)
        _size(size, shown.json)
    if dry_run:
        return
    with aside(), Display(found.unit) as display:
        display.running(sampled=chosen.sampling is not None)
        run.listener = display.listener
        result = api.finish(run)
    shown.tell(result, look)


def _check(kept: Kept, shown: options.Shown, made: options.Made, drawn: options.Drawn, asked: spots.Asked) -> None:
    """Refuse what does not go together, before anything is run."""
    if kept.out is not None and shown.plot is not None and kept.out.resolve() == shown.plot.resolve():
        raise RueError(f"--out and --plot both name {kept.out}; give them different files")
    if made.by_rules and shown.plot is not None:
        raise RueError("by rules alone the exploitability is not known: there is no curve to plot; leave out --plot")
    if drawn.numbers is None:
        return
    if kept.out is not None:
        raise RueError("--out keeps one strategy, and --seeds makes many: use --json for the numbers")
    if made.by_rules:
        raise RueError("--by-rules tells no exploitability, so --seeds has nothing to take the mean of")
    if any(part is not None for part in (asked.line, asked.hand, asked.unit, asked.by)):
        raise RueError("--line and --hands look at one strategy, and --seeds makes many: use --seed")


def _size(size: Estimate | None, json: bool) -> None:
    """Show what the run will take; what does not fit is refused."""
    if size is None:
        raise RueError("by rules alone the size of the game is not known: leave out --dry-run")
    if json:
        print_json(size.content())
    else:
        from rue.cli.printed import sized

        sized(size)
    size.check()
