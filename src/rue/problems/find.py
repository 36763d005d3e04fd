"""The problem of whatever people name: a game, rules, a compiled form, a hold'em spot."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypedDict, Unpack

from rue.errors import RueError
from rue.forms.sequence_form import SequenceForm
from rue.games.game import Game
from rue.holdem.files import names_spot, spot_named
from rue.holdem.spots import Spot
from rue.problems.game import GameProblem
from rue.problems.problem import Problem
from rue.problems.rules import RulesProblem
from rue.problems.spot import SpotProblem

KINDS: tuple[type[Problem], ...] = (GameProblem, RulesProblem, SpotProblem)
"""Every kind of problem."""
ProblemLike = str | Game | SequenceForm | Spot | Problem
"""What is taken for a problem."""
OF_GAMES = ("refine", "by_rules")


class ProblemOptions(TypedDict, total=False):
    """How a problem is made: of games `refine` and `by_rules`, of hold'em the rest."""

    refine: bool
    """Split infosets of imperfect recall."""
    by_rules: bool
    """Sample without an enumeration of the game, for games that are too large."""
    isomorphism: bool
    """Store boards that only differ by interchangeable suits once, which changes nothing but time and memory."""
    half: bool
    """Store 16-bit floats: half the memory; it stops getting nearer at about 0.02% of the pot."""
    streets: str | None
    """Which streets a finished run keeps on the disk, such as `flop,turn`; the others are solved again if asked for."""
    folder: str | Path | None
    """Where the files of `libratus:1` to `libratus:4` are."""
    parts: dict[str, Any]
    """Parts of a spot that change what its name says."""


def problem(given: ProblemLike, **options: Unpack[ProblemOptions]) -> Problem:
    """The problem of a name like `leduc(suits=3)` or `spot:river`, of rules, a compiled game or a spot.

    >>> problem("kuhn").name, problem("spot:river").unit.name
    ('kuhn', 'chips')
    """
    if isinstance(given, Problem):
        return given
    told = {name: value for name, value in options.items() if value not in (None, False, {})}
    told.pop("isomorphism", None)
    if options.get("isomorphism") is False:
        told["no_isomorphism"] = True
    if isinstance(given, Spot) or (isinstance(given, str) and names_spot(given)):
        _refuse({name: True for name in OF_GAMES if name in told}, "does not go with hold'em")
        folder, parts = options.get("folder"), options.get("parts", {})
        spot = given if isinstance(given, Spot) else spot_named(given, folder, **parts)
        half, streets = options.get("half", False), options.get("streets")
        return SpotProblem(spot, options.get("isomorphism") is not False, half, streets)
    told |= dict(options.get("parts", {}))
    told.pop("parts", None)
    if "folder" in told:
        told["data"] = told.pop("folder")
    others = {name: value for name, value in told.items() if name not in OF_GAMES}
    _refuse(others, f"is an option of hold'em, and {given} is another game: use it with rue solve holdem")
    if not options.get("by_rules"):
        return GameProblem(given, bool(options.get("refine")))
    if options.get("refine"):
        raise RueError("--refine needs the whole game: it does not go with --by-rules")
    return RulesProblem(given)


def _refuse(options: dict[str, Any], why: str) -> None:
    for name in options:
        raise RueError(f"--{name.replace('_', '-')} {why}")


def kind_of(kind: str) -> type[Problem] | None:
    """The kind of problem that has saved runs of a kind."""
    return next((each for each in KINDS if kind in each.kinds), None)
