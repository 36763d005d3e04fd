"""Options that several commands share, and what they do with them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from zerosum.cli.console import print_json, print_message, redirect_prints
from zerosum.cli.exit_codes import exit_if_interrupted
from zerosum.cli.option_parser import ProblemArgument
from zerosum.problems.options import HOLDEM_PANEL, ProblemOptions, SeedOptions, StartOptions
from zerosum.support.errors import ZerosumError
from zerosum.support.options import COUNT, TEXT, Argument, Option, option_name, select_options

if TYPE_CHECKING:
    from zerosum.algorithms.algorithm import Algorithm
    from zerosum.problems.problem import Problem
    from zerosum.results.curve import X
    from zerosum.results.payoff_unit import Unit
    from zerosum.results.result import Numbers
    from zerosum.results.strategy_view import Selection

GAME = (
    "A game like kuhn, leduc(suits=3), openspiel:leduc_poker, path/to/game.py:MyGame or a Gambit file, game.efg; "
    "see `zerosum games`."
)
GAME_OR_SPOT = f"{GAME} For hold'em: holdem, spot:river, libratus:3, deepstack:river-5k:7 or a .toml or .json file."
GameArgument = Annotated[str, ProblemArgument(GAME_OR_SPOT, "GAME", required=True)]
# fmt: off
RunArgument = Annotated[Path, Argument("A run or a result file that `zerosum solve --out` wrote.", "RUN",
    required=True)]
# fmt: on

Parts = Annotated[dict[str, Any], Option(flags=None)]
"""The options that only some kinds of problems have."""
Json = Annotated[bool, Option("Print one JSON object and nothing else.")]
DryRun = Annotated[bool, Option("Show how many runs there are, their memory and time, and stop.")]
# fmt: off
Axis = Annotated["X", Option("Horizontal axis of the charts: iterations, seconds or nodes.", "AXIS", TEXT,
    choices=("iterations", "seconds", "nodes"), default="iterations", default_text="iterations", flags=("--x",))]
# fmt: on

Cluster = Annotated[str | None, Option("Work on a Ray cluster: local, auto or ray://HOST:PORT.", "ADDRESS")]


# fmt: off
class SeedCountOptions(TypedDict, total=False):
    """How many seeds a sampled run is repeated with."""

    seeds: Annotated[int | None, Option("Run N seeds in parallel; show the mean with its 95% confidence interval.", "N",
        COUNT, least=1)]
# fmt: on


class LockCostOptions(TypedDict, total=False):
    """Whether the cost of locks is computed."""

    price: Annotated[bool, Option("Also solve without the locks, and show what the locks cost.")]


class OutputOptions(TypedDict, total=False):
    """How a result is shown."""

    plot: Annotated[Path | None, Option("Draw the exploitability to an .svg, .png or .pdf file.", "FILE")]
    json: Json


# fmt: off
class DecisionOptions(TypedDict, total=False):
    """Which decision of a solved spot is shown."""

    line: Annotated[str | None, Option('Show the decision after a line like "check bet50 call 4d".', "LINE",
        panel=HOLDEM_PANEL)]
    hand: Annotated[str | None, Option('Show some hands: AKs, AsKd, "top pair", "sets, top pair with flush draw".',
        "HANDS", flags=("--hands", "--hand"), panel=HOLDEM_PANEL)]
    unit: Annotated[str | None, Option("Unit of EVs: chips, big blinds, or % of the starting pot.", "chips|bb|pot",
        default_text="chips", panel=HOLDEM_PANEL)]
    by: Annotated[str | None, Option("List made hands and draws, classes like AKs, or single hands.", "made|class|hand",
        panel=HOLDEM_PANEL)]
# fmt: on


def load_problem(game: str, arguments: Mapping[str, Any]) -> Problem:
    """Return the problem of a game and the options that were typed beside it."""
    from zerosum.options import build_problem

    options = select_options(ProblemOptions, arguments)
    for name in ("unlocked", "price"):
        if arguments.get(name) and not options.get("locks"):
            raise ZerosumError(f"{option_name(name)} needs locks: add {option_name('locks')}")
    if arguments.get("price"):
        options.setdefault("unlocked", True)
    with redirect_prints():
        return build_problem(game, options)


def read_seeds(arguments: Mapping[str, Any]) -> range | None:
    """Return the seeds that a run is repeated with, or None for a single run."""
    count, first = arguments["seeds"], arguments["seed"] or 0
    return None if count is None else range(first, first + count)


def read_start_options(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of where a run starts; refuse those that need a strategy to start from if there is none."""
    group = StartOptions if "start_from" in arguments else SeedOptions
    if arguments.get("start_from") is None:
        for name in ("start_weight", "fill"):
            if arguments.get(name) is not None:
                raise ZerosumError(f"{option_name(name)} needs {option_name('start_from')}")
    return select_options(group, arguments)


def check_plot(path: Path | None, *algorithms: Algorithm) -> None:
    """Refuse a plot that cannot be drawn, before the work that it would show."""
    if path is not None:
        from zerosum.results.display.drawing import check_picture_path

        check_picture_path(path)
        if algorithms and all(algorithm.exact for algorithm in algorithms):
            name = algorithms[0].name
            raise ZerosumError(
                f"{name} solves in one step, so there is no curve to plot: leave out {option_name('plot')}"
            )


def print_result(result: Numbers, selection: Selection, arguments: Mapping[str, Any]) -> None:
    """Draw and print the result of a run, or the mean of many seeds."""
    if arguments["plot"] is not None:
        from zerosum.results.display.curve_plot import save_curves

        save_curves([result], arguments["plot"], result.default_axis)
    if arguments["json"]:
        decision = result.view(selection).to_json() if selection.is_in_spot else {}
        print_json({**result.summary(), **decision})
    else:
        from zerosum.cli.output.blocks import print_blocks

        print_blocks(result.summary_blocks(selection))
    exit_if_interrupted(result.stopped)


def warn_about_unit(unit: Unit, until: float | str | None) -> None:
    """Warn on standard error if a number was probably meant as a percentage."""
    doubt = unit.build_target_warning(until)
    if doubt is not None:
        print_message(doubt)
