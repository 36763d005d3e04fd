"""The options that commands share."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rue.cli.console import print_json, sentence
from rue.cli.ends import leave
from rue.cli.typed import flag, natural, option
from rue.errors import RueError
from rue.records import dataclass

if TYPE_CHECKING:
    from rue.algorithms.algorithm import Algorithm
    from rue.results.points import X
    from rue.results.result import Numbers
    from rue.results.unit import Unit
    from rue.views.look import Look

GAME = (
    "A game like kuhn, leduc(suits=3), openspiel:leduc_poker, path/to/game.py:MyGame or a file of Gambit's, game.efg; "
    "see [bold]rue games[/bold]."
)
GAME_OR_SPOT = f"{GAME} For hold'em: holdem, spot:river, libratus:3, deepstack:river-5k:7 or a .toml or .json file."
On = Annotated[
    str | None,
    typer.Option("--on", metavar="ADDRESS", help="Work on a Ray cluster: local, auto or ray://HOST:PORT."),
]
GameOrSpot = Annotated[str, typer.Argument(metavar="GAME", help=GAME_OR_SPOT, show_default=False)]
Saved = Annotated[
    Path, typer.Argument(metavar="RUN", help="A run, or a result file, that rue solve --out wrote.", show_default=False)
]
Until = Annotated[
    str | None,
    typer.Option("--until", metavar="EPS", help="Stop at this exploitability; hold'em: in chips, or 0.5% of the pot."),
]
Threads = Annotated[
    int | None, typer.Option(metavar="N", help="Threads, all cores by default; the result is the same.")
]
Refine = Annotated[bool, typer.Option("--refine", metavar="", help="Split infosets that forget what the player did.")]
Fill = Annotated[
    str | None,
    typer.Option("--fill", metavar="uniform", help="Play uniformly where a strategy says nothing; refused otherwise."),
]
Across = Annotated[str, typer.Option("--x", metavar="iterations|seconds|nodes", help="What the charts run along.")]
Json = Annotated[bool, typer.Option("--json", metavar="", help="Print one JSON object and nothing else.")]


@dataclass(frozen=True)
class Limited:
    """When a run ends, as it was typed."""

    iterations: int | None = option("N", "Stop after this many iterations (1000 if no limit is given).")
    until: Until = None
    seconds: float | None = option("S", "Stop after this time.")
    nodes: int | None = option(
        "N", "Stop after this many nodes touched (1e7 if an algorithm samples and no limit is given)."
    )
    threads: Threads = None


@dataclass(frozen=True)
class Drawn:
    """Which draws a run makes, as it was typed."""

    seed: int | None = option("N", "The seed of an algorithm that samples (0).", parser=natural)
    seeds: int | None = option("N", "Run so many seeds on all cores; shows the mean and its 95% band.")
    start_seed: int | None = option("N", "Start from random regrets instead of zero.", parser=natural)

    @property
    def given(self) -> dict[str, Any]:
        """The options of a run."""
        return {"seed": self.seed, "start_seed": self.start_seed}

    @property
    def numbers(self) -> range | None:
        """The seeds of many runs, if many are wanted."""
        if self.seeds is None:
            return None
        if self.seeds < 1:
            raise RueError(f"--seeds must be at least 1, not {self.seeds}")
        return range(self.seed or 0, (self.seed or 0) + self.seeds)


@dataclass(frozen=True)
class Started:
    """Which strategy a run starts from, as it was typed."""

    start_from: Path | None = option("STRATEGY", "Start from a strategy: a file as [bold]rue exploit[/bold] takes it.")
    start_weight: float | None = option("W", "How far the start is trusted (1).")
    fill: Fill = None

    @property
    def given(self) -> dict[str, Any]:
        """The options of a run; what goes with a start where there is none is refused."""
        if self.start_from is None:
            for option, value in (("--start-weight", self.start_weight), ("--fill", self.fill)):
                if value is not None:
                    raise RueError(f"{option} goes with --start-from: name the strategy to start from")
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class Placed:
    """Where a run is worked on, as it was typed."""

    on: str | None = option("ADDRESS", "Share the deals of a spot on a Ray cluster: local, auto or ray://HOST:PORT.")
    machines: int | None = option("N", "Among how many workers (one a machine).")


@dataclass(frozen=True)
class Made:
    """How a game is made, as it was typed."""

    refine: Refine = False
    by_rules: bool = flag("--by-rules", "Sample without enumerating the game, for games that are too large.")


@dataclass(frozen=True)
class Shown:
    """How a result is shown, as it was typed."""

    plot: Path | None = option("FILE", "Draw the exploitability to an .svg, .png or .pdf file.")
    json: Json = False

    def check(self, *algorithms: Algorithm) -> None:
        """Refuse a picture that cannot be drawn, before the work that it is to show."""
        if self.plot is not None:
            from rue.views.plots import check_plot

            check_plot(self.plot)
            if algorithms and all(algorithm.exact for algorithm in algorithms):
                raise RueError(f"{algorithms[0].name} solves in one step and has no curve to plot; leave out --plot")

    def tell(self, result: Numbers, look: Look) -> None:
        """Draw and show what a run has reached, or the mean of many seeds."""
        from rue.views.look import view

        if self.plot is not None:
            from rue.views.plots import curves

            curves([result], self.plot, result.across)
        if self.json:
            print_json({**result.summary(), **(view(result, look).shown() if look.inside else {})})
        else:
            from rue.cli.printed import solved

            solved(result, look)
        leave(result.stopped)


def doubt_until(unit: Unit, until: str | None) -> None:
    """Say so on standard error if a number was probably meant as a percentage."""
    doubt = unit.doubt(until)
    if doubt is not None:
        sentence(doubt)


def across(x: str) -> X:
    """What the charts run along."""
    axes: dict[str, X] = {"iterations": "iterations", "seconds": "seconds", "nodes": "nodes"}
    if x not in axes:
        raise RueError(f"--x must be iterations, seconds or nodes, not {x!r}")
    return axes[x]
