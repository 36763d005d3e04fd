"""The options of a problem, and of where its run starts.

This module stays light, because the command line reads it for every page of help.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict

from zerosum.support.options import ANYTHING, INTEGER, NUMBER, PATH, TEXT, Option

if TYPE_CHECKING:
    from zerosum.problems.locks import LocksLike
    from zerosum.results.diff import By, Sort
    from zerosum.results.strategy import StrategyInput

Fill = Literal["uniform"]
"""How infosets are played that a strategy does not mention."""
HOLDEM_PANEL = "Hold'em"
TOP_DIFFERENCES = 10
"""Rows of each table of differences that the terminal prints."""


# fmt: off
class SeedOptions(TypedDict, total=False):
    """Which random numbers a run draws."""

    seed: Annotated[int | None, Option("Seed of an algorithm that samples.", "N", INTEGER, least=0, default_text="0")]
    start_seed: Annotated[int | None, Option("Seed of random regrets to start from, instead of zero.", "N", INTEGER,
        least=0)]


class StartOptions(SeedOptions, total=False):
    """Where a run starts."""

    start_from: Annotated[StrategyInput | None, Option("Start from a strategy: any file that `zerosum exploit` reads.",
        "STRATEGY", manual="See [strategies.md](strategies.md#starting-a-run-from-a-strategy).")]
    start_weight: Annotated[float, Option("Weight of the starting strategy.", "W", NUMBER, default_text="1")]
    fill: Annotated[Fill | None,
        Option("Play uniformly at infosets that the strategy lacks; without it, an incomplete strategy is an error.",
        "uniform", TEXT, choices=("uniform",))]
# fmt: on


class GameOptions(TypedDict, total=False):
    """How a game is read."""

    refine: Annotated[bool, Option("Split information sets until every player has perfect recall.")]


class RuleSamplingOptions(TypedDict, total=False):
    """Whether a game is sampled without being enumerated: its strategies then have no exploitability."""

    by_rules: Annotated[bool, Option("Sample without enumerating the game, for games that are too large to enumerate.")]


# fmt: off
class LockOptions(TypedDict, total=False):
    """What is fixed instead of learned."""

    locks: Annotated[LocksLike | None,
        Option('Fix a strategy and solve the rest: "K|bet: call 70%, fold 30%" by information set, '
        '"check bet33: fold 40%, call 60%" by line, "check bet33: sets: raise 100%" for some hands, '
        '"check bet33: overall: fold 40%" for the whole range, "ip: @run/" from a file. May be repeated.', "LOCK",
        flags=("--lock",), many=True, manual="See [locking decisions](holdem.md#locking-decisions).")]
    unlocked: Annotated[Any, Option("A solution without the locks: for overall locks, and to show what locks cost.",
        "RUN")]


class StorageOptions(TypedDict, total=False):
    """How hold'em is stored, and where the data of some spots are."""

    folder: Annotated[str | Path | None, Option("Folder with the files of libratus:1 to libratus:4.", "FOLDER", PATH,
        flags=("--data",), panel=HOLDEM_PANEL)]
    isomorphism: Annotated[bool, Option("Store every board, even those that differ only by interchangeable suits.",
        default=True, panel=HOLDEM_PANEL)]
    half: Annotated[bool, Option("Store 16-bit numbers: half the memory, accurate to about 0.02% of the pot.",
        panel=HOLDEM_PANEL, manual="See [the 16-bit store](internals.md#the-16-bit-store).")]


class StreetOptions(TypedDict, total=False):
    """The streets that a finished run keeps."""

    streets: Annotated[str | None,
        Option('Streets to keep in a finished run, such as "flop,turn"; the others are solved again when needed. '
        "A run that stopped early keeps all streets.", "STREETS", panel=HOLDEM_PANEL,
        manual="See [runs.md](runs.md#holdem-without-its-last-streets).")]


class ClusterOptions(TypedDict, total=False):
    """Where a run is computed, if not on this machine."""

    on: Annotated[str | None, Option("Share the deals of a spot on a Ray cluster: local, auto or ray://HOST:PORT.",
        "ADDRESS", manual="See [cluster.md](cluster.md).")]
    machines: Annotated[int | None, Option("Number of workers that share the deals.", "N", least=1,
        default_text="one per machine")]
# fmt: on


class ProblemOptions(GameOptions, RuleSamplingOptions, LockOptions, StorageOptions, StreetOptions, total=False):
    """How a problem is built: of games `refine` and `by_rules`, of hold'em the rest."""

    parts: Annotated[dict[str, Any], Option(kind=ANYTHING, flags=None)]
    """Parts of a spot that change what its name says."""


# fmt: off
class DiffOptions(TypedDict, total=False):
    """How two strategies are compared."""

    sort: Annotated[Sort, Option("Sort by difference in strategy or in EV.", "strategy|ev", default="strategy",
        default_text="strategy")]
    top: Annotated[int | None, Option("Number of rows in each table.", "N",
        default_text=f"{TOP_DIFFERENCES}; all with `--json`")]
    min_reach: Annotated[float | None, Option("Leave out places that are reached less often.", "P",
        default_text="0.001 of the deals in hold'em")]
    line: Annotated[str, Option('Begin at the decision after a line like "check bet50".', "LINE", default="",
        panel=HOLDEM_PANEL)]
    by: Annotated[By, Option("List classes like AKs or single hands.", "class|hand", default="class",
        default_text="class", panel=HOLDEM_PANEL)]
# fmt: on
