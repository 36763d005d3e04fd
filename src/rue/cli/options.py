"""The options that commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from rue.errors import RueError

if TYPE_CHECKING:
    from rue.holdem.spot import Spot
    from rue.result import X
    from rue.solve.limits import Limits
    from rue.solve.run import Start


def whole(text: str) -> int:
    """A whole number, also written 1e6 or 1_000_000.

    >>> whole("2000"), whole("1e6")
    (2000, 1000000)
    """
    try:
        number = float(text.replace(",", ""))
        if number == int(number):
            return int(number)
    except (ValueError, OverflowError):
        pass
    raise RueError(f"{text!r} is not a whole number")


def natural(text: str) -> int:
    """A whole number that is not negative."""
    number = whole(text)
    if number < 0:
        raise RueError(f"{text!r} is negative")
    return number


def limit(text: str) -> float:
    """An exploitability; a percentage needs a pot, which only hold'em has."""
    if text.strip().endswith("%"):
        raise RueError(f"--until {text} is a share of a pot, and only hold'em has one: write a number")
    try:
        return float(text)
    except ValueError:
        raise RueError(f"--until must be a number, not {text!r}") from None


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

    def of_game(self) -> Limits:
        """The limits of a run on a game."""
        from rue.solve.limits import Limits

        until = None if self.until is None else limit(self.until)
        return Limits(self.iterations, until, self.seconds, self.threads, self.nodes)

    def of_spot(self, spot: Spot) -> Limits:
        """The limits of a run on a hold'em spot, whose pot `--until 0.5%` refers to."""
        from rue.holdem.solve import until_chips
        from rue.solve.limits import Limits

        until = until_chips(self.until, spot.pot)
        return Limits(self.iterations, until, self.seconds, self.threads, self.nodes)


@dataclass(frozen=True)
class Drawn:
    """Which draws a run makes, as it was typed."""

    seed: Seed = None
    seeds: Seeds = None
    start_seed: StartSeed = None

    @property
    def start(self) -> Start:
        """Where one run starts."""
        from rue.solve.run import Start

        return Start(self.seed, self.start_seed)

    @property
    def numbers(self) -> range | None:
        """The seeds of many runs, if many are wanted."""
        if self.seeds is None:
            return None
        if self.seeds < 1:
            raise RueError(f"--seeds must be at least 1, not {self.seeds}")
        return range(self.seed or 0, (self.seed or 0) + self.seeds)


def across(x: str) -> X:
    """What the charts run along."""
    axes: dict[str, X] = {"iterations": "iterations", "seconds": "seconds", "nodes": "nodes"}
    if x not in axes:
        raise RueError(f"--x must be iterations, seconds or nodes, not {x!r}")
    return axes[x]


def ungrouped(command: Callable[..., None]) -> Callable[..., None]:
    """The command as typer reads it: a parameter that is a dataclass of options stands for its fields."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command).parameters.values():
        if parameter.name not in groups:
            parameters.append(parameter.replace(annotation=hints[parameter.name]))
            continue
        group = groups[parameter.name]
        kinds = get_type_hints(group, include_extras=True)
        parameters += [
            parameter.replace(name=field.name, default=field.default, annotation=kinds[field.name])
            for field in fields(group)
        ]

    @wraps(command)
    def run(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run
