"""`rue compare`: one game, several algorithms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from rue.cli import options, spots
from rue.cli.chart import UNITS, chart
from rue.cli.console import aside, duration, number, output, print_json, rate, table
from rue.cli.stopped import INTERRUPTED
from rue.errors import RueError

if TYPE_CHECKING:
    from rue.algorithms.algorithm import Algorithm
    from rue.cli.progress import Display
    from rue.holdem.solve import HoldemResult
    from rue.plots import Unit
    from rue.result import Point, Result, X
    from rue.solvers.limits import Limits
    from rue.solvers.seeds import Repeated

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
    def of(result: Result | Repeated | HoldemResult) -> Row:
        """The row of a result."""
        from rue.result import MeanPoint

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


Solve = Callable[["Algorithm | None", "Display"], Row]


class Contest(NamedTuple):
    """A game ready to be solved, and how its exploitability is told."""

    game: str
    infosets: int
    sequences: int
    solve: Solve
    unit: Unit


def compare(
    game: options.GameOrSpot,
    algorithms: Algorithms,
    limited: options.Limited,
    drawn: options.Drawn,
    given: spots.Given,
    x: options.Across = "iterations",
    plot: options.Plot = None,
    json: options.Json = False,
    refine: options.Refine = False,
    debug: options.Debug = False,
) -> None:
    """Run several algorithms on one game and compare how fast they come close to equilibrium.

    Each algorithm has the same limits; Ctrl-C ends the comparison and shows what was reached.
    """
    across = options.across(x)
    if plot is not None:
        from rue.plots import check_plot

        check_plot(plot)
    if spots.is_spot(game):
        spots.refuse_general(refine=refine, start_seed=drawn.start_seed)
        chosen, prepare, told = _spot(game, algorithms, limited, given, drawn)
    else:
        spots.refuse(game, given)
        chosen, prepare, told = _game(game, algorithms, limited.of_game(), refine, drawn)
    if plot is not None and not any(chosen):
        raise RueError("lp solves in one step and has no curve to plot; leave out --plot")
    contest, rows, failure = _run(chosen, prepare, told)
    if plot is not None and any(row.stopped != "exact" for row in rows):
        from rue.plots import curves

        curves([(row.algorithm, row.curve) for row in rows], plot, across, contest.game, contest.unit)
    if json:
        size = {"game": contest.game, "infosets": contest.infosets, "sequences": contest.sequences}
        print_json({**size, "results": [row.summary for row in rows]})
    elif rows:
        show(contest, rows, across)
    if failure is not None:
        raise failure
    if rows[-1].stopped == "interrupted":
        raise typer.Exit(INTERRUPTED)


Prepared = tuple[Sequence["Algorithm | None"], Callable[["Display"], Contest], Callable[[float], str]]
"""Algorithms that were checked, what makes the contest, and an exploitability in words."""


def _game(game: str, names: list[str], limits: Limits, refine: bool, drawn: options.Drawn) -> Prepared:
    """A comparison on a game in sequence form."""
    from rue.games.catalogue import make
    from rue.solvers.compare import check_distinct, samples, starts_of
    from rue.solvers.run import resolved
    from rue.solvers.seeds import check_seeds

    with aside():
        chosen = [resolved(name) for name in names]
        check_distinct(chosen)
        for algorithm in chosen:
            limits.horizon(algorithm)
        starts, seeds = starts_of(chosen, drawn.start), drawn.numbers
        if seeds is not None:
            check_seeds(next((algorithm for algorithm in chosen if samples([algorithm])), chosen[0]), limits)
        rules = make(game)

    def prepare(display: Display) -> Contest:
        from rue.forms.compile import compile_game
        from rue.plots import PAYOFF
        from rue.solvers.run import solve_form
        from rue.solvers.seeds import repeat_form

        display.compiling(rules.name)
        form = compile_game(rules, refine=refine, sampled=samples(chosen), progress=display.histories)

        def solve(algorithm: Algorithm | None, display: Display) -> Row:
            if algorithm is not None and algorithm.sampling is not None and seeds is not None:
                return Row.of(repeat_form(form, algorithm, seeds, limits, drawn.start_seed, display.seeds))
            return Row.of(solve_form(form, algorithm, limits, starts(algorithm), display.run))

        return Contest(form.name, form.infosets, form.sequences, solve, PAYOFF)

    return chosen, prepare, number


def _spot(game: str, names: list[str], limited: options.Limited, given: spots.Given, drawn: options.Drawn) -> Prepared:
    """A comparison on a hold'em spot."""
    from rue.cli.holdem import percent_of_pot, share_of
    from rue.holdem.estimate import estimate, supported
    from rue.solvers.compare import check_distinct, samples, starts_of
    from rue.solvers.seeds import check_seeds

    spot = spots.make_spot(game, given)
    limits, isomorphism = limited.of_spot(spot), not given.no_isomorphism
    with aside():
        chosen = [supported(name) for name in names]
    check_distinct(chosen)
    for algorithm in chosen:
        limits.horizon(algorithm)
        estimate(spot, algorithm, isomorphism=isomorphism, threads=limits.threads, half=given.half).check()
    starts, seeds = starts_of(chosen, drawn.start), drawn.numbers
    if seeds is not None:
        check_seeds(next((algorithm for algorithm in chosen if samples([algorithm])), chosen[0]), limits)

    def prepare(display: Display) -> Contest:
        from rue.holdem.form import public_tree
        from rue.holdem.seeds import repeat_tree
        from rue.holdem.solve import solve_tree

        display.building(spot)
        tree = public_tree(spot, isomorphism)

        def solve(algorithm: Algorithm | None, display: Display) -> Row:
            assert algorithm is not None
            if algorithm.sampling is not None and seeds is not None:
                return Row.of(repeat_tree(spot, tree, algorithm, seeds, limits, display.seeds))
            seed = starts(algorithm).seed
            return Row.of(solve_tree(spot, tree, algorithm, limits, display.run, seed, given.half))

        return Contest(str(spot), tree.infosets, tree.sequences, solve, share_of(spot))

    return chosen, prepare, lambda chips: percent_of_pot(chips, spot)


def _run(
    chosen: Sequence[Algorithm | None], prepare: Callable[[Display], Contest], told: Callable[[float], str]
) -> tuple[Contest, list[Row], RueError | None]:
    """The runs one after the other, until one is interrupted or fails."""
    from rue.cli.progress import Display
    from rue.solvers.compare import one_by_one, samples

    rows: list[Row] = []
    with aside(), Display(told) as display:
        contest = prepare(display)

        def solve(algorithm: Algorithm | None) -> Row:
            name = "lp" if algorithm is None else algorithm.name
            display.running(f"{len(rows) + 1}/{len(chosen)}  {name}", samples([algorithm]))
            return contest.solve(algorithm, display)

        try:
            for row in one_by_one(chosen, solve):
                rows.append(row)
        except RueError as error:
            return contest, rows, error
    return contest, rows, None


def _rank(run: Row, across: X) -> tuple[bool, float]:
    """Those that reached the exploitability that was asked for come first, the fastest before the others."""
    if run.stopped == "until":
        return False, run.curve[-1].along(across) or 0.0
    return True, run.exploitability


def _band(run: Row) -> str:
    """Where the mean of the seeds lies with 95% confidence."""
    return "" if run.band is None else f"{number(max(0.0, run.band[0]))} to {number(run.band[1])}"


def show(contest: Contest, runs: list[Row], across: X) -> None:
    """The runs side by side, the best one marked, and their curves."""
    from rich.text import Text

    from rue.plots import PAYOFF

    console = output()
    scaled = contest.unit is not PAYOFF
    measured = ("exploitability (chips)", contest.unit.name) if scaled else ("exploitability",)
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
    title = f"{contest.game}: {contest.infosets:,} infosets, {contest.sequences:,} sequences"
    rows = table("algorithm", *numbers, "", title=title, right=numbers)
    best = min(runs, key=lambda run: _rank(run, across))
    for run in runs:
        note = "best" if run is best else "interrupted" if run.stopped == "interrupted" else ""
        reached = [run.exploitability, *([contest.unit.factor * run.exploitability] if scaled else [])]
        rows.add_row(
            Text(run.algorithm),
            f"{run.iterations:,}",
            *([f"{run.nodes:,}" if run.nodes else "-"] if counted else []),
            duration(run.seconds),
            rate(run.iterations, run.seconds),
            *map(number, reached),
            *([_band(run)] if banded else []),
            f"{run.value:.6g}",
            note,
            style="bold" if run is best else "",
        )
    console.print(rows)
    curves = {
        run.algorithm: [(point.along(across) or 0.0, contest.unit.factor * point.exploitability) for point in run.curve]
        for run in runs
    }
    lines = chart(
        curves, UNITS[across], width=min(72, console.width - 24), height=14, ascii_only=console.options.ascii_only
    )
    if lines:
        heading = f"exploitability, {contest.unit.name}" if scaled else "exploitability"
        console.print("\n".join([heading, *lines]), markup=False)
