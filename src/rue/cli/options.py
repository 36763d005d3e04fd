"""The options that commands share."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rue.cli.typed import natural, whole
from rue.errors import RueError

if TYPE_CHECKING:
    from rue.algorithms.algorithm import Algorithm
    from rue.results.points import X

GAME = "A game like kuhn, leduc(suits=3), openspiel:leduc_poker or path/to/game.py:MyGame; see [bold]rue games[/bold]."
GAME_OR_SPOT = f"{GAME} For hold'em: holdem, spot:river, libratus:3, deepstack:river-5k:7 or a .toml or .json file."
GameOrSpot = Annotated[str, typer.Argument(metavar="GAME", help=GAME_OR_SPOT, show_default=False)]
Iterations = Annotated[
    int | None,
    typer.Option(parser=whole, metavar="N", help="Stop after this many iterations (1000 if no limit is given)."),
]
Nodes = Annotated[
    int | None,
    typer.Option(
        parser=whole,
        metavar="N",
        help="Stop after this many nodes touched (1e7 if an algorithm samples and no limit is given).",
    ),
]
Until = Annotated[
    str | None,
    typer.Option("--until", metavar="EPS", help="Stop at this exploitability; hold'em: in chips, or 0.5% of the pot."),
]
Seconds = Annotated[float | None, typer.Option(metavar="S", help="Stop after this time.")]
Threads = Annotated[
    int | None,
    typer.Option(parser=whole, metavar="N", help="Threads, all cores by default; the result is the same."),
]
Refine = Annotated[bool, typer.Option("--refine", metavar="", help="Split infosets that forget what the player did.")]
Seed = Annotated[
    int | None, typer.Option(parser=natural, metavar="N", help="The seed of an algorithm that samples (0).")
]
Seeds = Annotated[
    int | None,
    typer.Option(parser=whole, metavar="N", help="Run so many seeds on all cores; shows the mean and its 95% band."),
]
StartSeed = Annotated[
    int | None, typer.Option(parser=natural, metavar="N", help="Start from random regrets instead of zero.")
]
StartFrom = Annotated[
    Path | None,
    typer.Option(
        "--start-from", metavar="STRATEGY", help="Start from a strategy: a file as [bold]rue exploit[/bold] takes it."
    ),
]
StartWeight = Annotated[
    float | None, typer.Option("--start-weight", metavar="W", help="How far the start is trusted (1).")
]
Fill = Annotated[
    str | None,
    typer.Option("--fill", metavar="uniform", help="Play uniformly where a strategy says nothing; refused otherwise."),
]
ByRules = Annotated[
    bool,
    typer.Option("--by-rules", metavar="", help="Sample without enumerating the game, for games that are too large."),
]
Across = Annotated[str, typer.Option("--x", metavar="iterations|seconds|nodes", help="What the charts run along.")]
Json = Annotated[bool, typer.Option("--json", metavar="", help="Print one JSON object and nothing else.")]
Plot = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Draw the exploitability to an .svg, .png or .pdf file.")
]
Debug = Annotated[bool, typer.Option("--debug", metavar="", help="Show the traceback of an error.")]


@dataclass(frozen=True)
class Limited:
    """When a run ends, as it was typed."""

    iterations: Iterations = None
    until: Until = None
    seconds: Seconds = None
    nodes: Nodes = None
    threads: Threads = None

    @property
    def given(self) -> dict[str, Any]:
        """The options of a run."""
        return asdict(self)


@dataclass(frozen=True)
class Drawn:
    """Which draws a run makes, as it was typed."""

    seed: Seed = None
    seeds: Seeds = None
    start_seed: StartSeed = None

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

    start_from: StartFrom = None
    start_weight: StartWeight = None
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
class Made:
    """How a game is made, as it was typed."""

    refine: Refine = False
    by_rules: ByRules = False

    @property
    def given(self) -> dict[str, Any]:
        """The options of a problem."""
        return asdict(self)


@dataclass(frozen=True)
class Shown:
    """How a result is shown, as it was typed."""

    plot: Plot = None
    json: Json = False

    def check(self, *algorithms: Algorithm) -> None:
        """Refuse a picture that cannot be drawn, before the work that it is to show."""
        if self.plot is not None:
            from rue.views.plots import check_plot

            check_plot(self.plot)
            if algorithms and all(algorithm.exact for algorithm in algorithms):
                raise RueError(f"{algorithms[0].name} solves in one step and has no curve to plot; leave out --plot")


def across(x: str) -> X:
    """What the charts run along."""
    axes: dict[str, X] = {"iterations": "iterations", "seconds": "seconds", "nodes": "nodes"}
    if x not in axes:
        raise RueError(f"--x must be iterations, seconds or nodes, not {x!r}")
    return axes[x]
