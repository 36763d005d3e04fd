"""`rue solve --seeds`: many seeds of an algorithm that samples."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from rue.cli import options
from rue.cli.chart import UNITS, chart
from rue.cli.console import aside, duration, number, output, print_json, print_rows, rate
from rue.cli.stopped import INTERRUPTED, STOPPED

if TYPE_CHECKING:
    from rue.plots import Unit
    from rue.solvers.limits import Limits
    from rue.solvers.seeds import Repeated


def solve_seeds(
    game: str, algorithm: str, limits: Limits, drawn: options.Drawn, refine: bool, plot: Path | None, json: bool
) -> None:
    """Run the seeds of a game and show their mean."""
    told(_repeated(game, algorithm, limits, drawn, refine, plot), plot, json)


def told(runs: Repeated, plot: Path | None, json: bool, unit: Unit | None = None) -> None:
    """Draw and show the mean of seeds; `unit` is what the exploitability is drawn in."""
    if plot is not None:
        from rue.plots import PAYOFF, curves

        curves([(runs.algorithm, runs.curve)], plot, "nodes", f"{runs.game}, {title(runs)}", unit or PAYOFF)
    if json:
        print_json(runs.summary())
    else:
        show(runs)
    if runs.stopped == "interrupted":
        raise typer.Exit(INTERRUPTED)


def _repeated(
    game: str, algorithm: str, limits: Limits, drawn: options.Drawn, refine: bool, plot: Path | None
) -> Repeated:
    from rue.cli.progress import Display
    from rue.games.catalogue import make
    from rue.solvers.run import resolved
    from rue.solvers.seeds import check_seeds, repeat_form

    with aside():
        chosen = check_seeds(resolved(algorithm), limits)
        if plot is not None:
            from rue.plots import check_plot

            check_plot(plot)
        rules = make(game)
    from rue.forms.compile import compile_game

    with aside(), Display() as display:
        display.compiling(rules.name)
        form = compile_game(rules, refine=refine, sampled=True, progress=display.histories)
        display.running(chosen.name)
        return repeat_form(form, chosen, drawn.numbers or (), limits, drawn.start_seed, display.seeds)


def title(runs: Repeated) -> str:
    """The algorithm and how many seeds it had."""
    count = len(runs.seeds)
    return f"{runs.algorithm}, {f'mean of {count} seeds' if count > 1 else f'seed {runs.seeds[0]}'}"


def show(runs: Repeated) -> None:
    """The means and their curve, for people."""

    console = output()
    first, last = runs.seeds[0], runs.seeds[-1]
    print_rows({
        "game": runs.game,
        "algorithm": runs.algorithm,
        "seeds": f"{len(runs.seeds)}   ({first} to {last})",
        "infosets": f"{runs.infosets:,}",
        "sequences": f"{runs.sequences:,}",
        "iterations": f"{runs.iterations:,}   (mean)",
        "nodes touched": f"{runs.nodes:,}   (mean)",
        "time": f"{duration(runs.seconds)}   (mean)",
        "nodes/s": f"{rate(runs.nodes, runs.seconds)}   (of one seed)",
        "exploitability": f"{number(runs.exploitability)}   (mean; with 95% confidence {band(runs)})",
        "of the seeds": f"{number(min(runs.reached))} to {number(max(runs.reached))}",
        "value": f"{runs.value:.6g}   (for the first player, mean)",
        "stopped": STOPPED.get(runs.stopped, runs.stopped),
    })  # fmt: skip
    curve = {runs.algorithm: [(float(point.nodes or 0), point.exploitability) for point in runs.curve]}
    lines = chart(curve, UNITS["nodes"], width=min(64, console.width - 24), ascii_only=console.options.ascii_only)
    if lines:
        console.print("\n" + "\n".join(["exploitability", *lines]), markup=False)


def band(runs: Repeated) -> str:
    """The interval of the mean in words."""
    return f"{number(max(0.0, runs.low))} to {number(runs.high)}"
