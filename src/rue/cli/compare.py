"""`rue compare`: one game, several algorithms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from rue.cli import options, spots
from rue.cli.chart import chart
from rue.cli.console import aside, duration, number, output, print_json, rate, table
from rue.cli.stopped import INTERRUPTED
from rue.errors import RueError

if TYPE_CHECKING:
    from rue.algorithms.choices import Algorithm
    from rue.cli.progress import Display
    from rue.holdem.solve import HoldemResult
    from rue.plots import Unit, X
    from rue.result import Point, Result
    from rue.solve.limits import Limits

EPILOG = """[bold]Examples[/bold]

rue compare leduc cfr cfr+ dcfr pcfr+ --plot leduc.svg

rue compare "liars-dice(4)" dcfr "dcfr(1.5, 0.5, 2)" nh-dcfr --iterations 1e4

rue compare leduc cfr+ dcfr my_rule.py:my_rule --seconds 5 --x seconds

rue compare spot:river dcfr cfr+ pcfr+ --until 0.1%"""

Algorithms = Annotated[
    list[str],
    typer.Argument(metavar="ALGORITHM...", help="Names as [bold]rue algorithms[/bold] lists them.", show_default=False),
]
Across = Annotated[str, typer.Option("--x", metavar="iterations|seconds", help="What the charts run along.")]


class Row(NamedTuple):
    """What a comparison keeps of a run: numbers, not strategies."""

    algorithm: str
    iterations: int
    seconds: float
    exploitability: float
    value: float
    curve: Sequence[Point]
    stopped: str
    summary: dict[str, Any]

    @staticmethod
    def of(result: Result | HoldemResult) -> Row:
        """The row of a result."""
        return Row(
            result.algorithm,
            result.iterations,
            result.seconds,
            result.exploitability,
            result.value,
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
    given: spots.Given,
    x: Across = "iterations",
    plot: options.Plot = None,
    json: options.Json = False,
    refine: options.Refine = False,
    seed: options.Seed = None,
    debug: options.Debug = False,
) -> None:
    """Run several algorithms on one game and compare how fast they come close to equilibrium.

    Each algorithm has the same limits; Ctrl-C ends the comparison and shows what was reached.
    """
    across = _across(x)
    if plot is not None:
        from rue.plots import check_plot

        check_plot(plot)
    if spots.is_spot(game):
        spots.refuse_general(refine, seed)
        chosen, prepare, told = _spot(game, algorithms, limited, given)
    else:
        spots.refuse(game, given)
        chosen, prepare, told = _game(game, algorithms, limited.of_game(), refine, seed)
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


def _across(x: str) -> X:
    if x not in ("iterations", "seconds"):
        raise RueError(f"--x must be iterations or seconds, not {x!r}")
    return "iterations" if x == "iterations" else "seconds"


Prepared = tuple[Sequence["Algorithm | None"], Callable[["Display"], Contest], Callable[[float], str]]
"""Algorithms that were checked, what makes the contest, and an exploitability in words."""


def _game(game: str, names: list[str], limits: Limits, refine: bool, seed: int | None) -> Prepared:
    """A comparison on a game in sequence form."""
    from rue.games.catalogue import make
    from rue.solve.compare import check_distinct
    from rue.solve.run import resolved

    with aside():
        chosen = [resolved(name) for name in names]
        check_distinct(chosen)
        for algorithm in chosen:
            limits.horizon(algorithm)
        rules = make(game)

    def prepare(display: Display) -> Contest:
        from rue.forms.compile import compile_game
        from rue.plots import PAYOFF
        from rue.solve.run import solve_form

        display.compiling(rules.name)
        form = compile_game(rules, refine=refine, progress=display.histories)

        def solve(algorithm: Algorithm | None, display: Display) -> Row:
            return Row.of(solve_form(form, algorithm, limits, seed, display.run))

        return Contest(form.name, form.infosets, form.sequences, solve, PAYOFF)

    return chosen, prepare, number


def _spot(game: str, names: list[str], limited: options.Limited, given: spots.Given) -> Prepared:
    """A comparison on a hold'em spot."""
    from rue.cli.holdem import exploitability, share_of
    from rue.holdem.estimate import estimate, supported
    from rue.solve.compare import check_distinct

    spot = spots.make_spot(game, given)
    limits, isomorphism = limited.of_spot(spot), not given.no_isomorphism
    with aside():
        chosen = [supported(name) for name in names]
    check_distinct(chosen)
    for algorithm in chosen:
        limits.horizon(algorithm)
        estimate(spot, algorithm, isomorphism=isomorphism, threads=limits.threads).check()

    def prepare(display: Display) -> Contest:
        from rue.holdem.form import public_tree
        from rue.holdem.solve import solve_tree

        display.building(spot)
        tree = public_tree(spot, isomorphism)

        def solve(algorithm: Algorithm | None, display: Display) -> Row:
            assert algorithm is not None
            return Row.of(solve_tree(spot, tree, algorithm, limits, display.run))

        return Contest(str(spot), tree.infosets, tree.sequences, solve, share_of(spot))

    return chosen, prepare, lambda chips: exploitability(chips, spot)


def _run(
    chosen: Sequence[Algorithm | None], prepare: Callable[[Display], Contest], told: Callable[[float], str]
) -> tuple[Contest, list[Row], RueError | None]:
    """The runs one after the other, until one is interrupted or fails."""
    from rue.cli.progress import Display
    from rue.solve.compare import one_by_one

    rows: list[Row] = []
    with aside(), Display(told) as display:
        contest = prepare(display)

        def solve(algorithm: Algorithm | None) -> Row:
            name = "lp" if algorithm is None else algorithm.name
            display.running(f"{len(rows) + 1}/{len(chosen)}  {name}")
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
        return False, run.iterations if across == "iterations" else run.seconds
    return True, run.exploitability


def show(contest: Contest, runs: list[Row], across: X) -> None:
    """The runs side by side, the best one marked, and their curves."""
    from rich.text import Text

    from rue.plots import PAYOFF

    console = output()
    scaled = contest.unit is not PAYOFF
    measured = ("exploitability (chips)", contest.unit.name) if scaled else ("exploitability",)
    numbers = ("iterations", "time", "iterations/s", *measured, "value")
    title = f"{contest.game}: {contest.infosets:,} infosets, {contest.sequences:,} sequences"
    rows = table("algorithm", *numbers, "", title=title, right=numbers)
    best = min(runs, key=lambda run: _rank(run, across))
    for run in runs:
        note = "best" if run is best else "interrupted" if run.stopped == "interrupted" else ""
        reached = [run.exploitability, *([contest.unit.factor * run.exploitability] if scaled else [])]
        rows.add_row(
            Text(run.algorithm),
            f"{run.iterations:,}",
            duration(run.seconds),
            rate(run.iterations, run.seconds),
            *map(number, reached),
            f"{run.value:.6g}",
            note,
            style="bold" if run is best else "",
        )
    console.print(rows)
    curves = {
        run.algorithm: [
            (point.iteration if across == "iterations" else point.seconds, contest.unit.factor * point.exploitability)
            for point in run.curve
        ]
        for run in runs
    }
    lines = chart(
        curves, unit=across, width=min(72, console.width - 24), height=14, ascii_only=console.options.ascii_only
    )
    if lines:
        heading = f"exploitability, {contest.unit.name}" if scaled else "exploitability"
        console.print("\n".join([heading, *lines]), markup=False)
