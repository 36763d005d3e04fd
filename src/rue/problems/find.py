"""The problem of whatever people name: a game, rules, a compiled form, a hold'em spot."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Union, Unpack

from rue.checked import check_flag, named, shown
from rue.errors import RueError
from rue.forms.sequence_form import SequenceForm
from rue.games.game import Game
from rue.games.other_poker import refuse_other_poker
from rue.names import names_spot
from rue.problems.locks import LocksLike
from rue.problems.problem import Problem
from rue.results.result import Result
from rue.results.said import PioText
from rue.results.strategy import Strategy

if TYPE_CHECKING:
    from rue.holdem.spots import Spot

ProblemLike = Union[str, Path, Game, SequenceForm, "Spot", Problem]
"""What is taken for a problem."""


UNLOCKED = (str, Path, Mapping, Strategy, PioText, Result, bool, type(None))
"""Kinds of solutions without locks."""
FLAGS = ("refine", "by_rules", "isomorphism", "half")
"""The options that are true or false."""


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
    locks: LocksLike | None
    """Strategies that are fixed instead of learned: texts like `check bet33: fold 40%, call 60%`, or a mapping."""
    unlocked: Any
    """The solution without the locks, for their price: a result, a saved run, or True to solve it first."""


def problem(given: ProblemLike, **options: Unpack[ProblemOptions]) -> Problem:
    """The problem of a name like `leduc(suits=3)` or `spot:river`, of rules, a compiled game or a spot.

    >>> problem("kuhn").name, problem("spot:river").unit.name
    ('kuhn', 'chips')
    """
    for name in FLAGS:
        check_flag(name, options.get(name))
    given = named(given)
    if isinstance(given, Problem):
        return given
    all_boards, half = options.get("isomorphism") is False, options.get("half") or False
    folder, parts, streets = options.get("folder"), options.get("parts", {}), options.get("streets")
    locks, unlocked = options.get("locks") or None, options.get("unlocked") or None
    if not isinstance(unlocked, UNLOCKED):
        known_by = "is a result, a saved run or True (--unlocked, unlocked=)"
        raise RueError(f"the solution without locks {known_by}, not {shown(unlocked)}")
    if not isinstance(parts, Mapping) or not all(isinstance(part, str) for part in parts):
        raise RueError(f"parts are those of a spot, like {{'pot': 500}}, not {shown(parts)}")
    known: Any = given
    if _is_spot(given):
        from rue.holdem.files import spot_named
        from rue.problems.spot import SpotProblem

        _refuse({name: options.get(name) for name in ("refine", "by_rules")}, "does not go with hold'em")
        spot = spot_named(known, folder, **parts) if isinstance(given, str) else known
        return SpotProblem(spot, not all_boards, half, streets, locks, unlocked)
    if isinstance(given, str):
        refuse_other_poker(given)
    told = {"folder": folder, "isomorphism": all_boards, "half": half, "streets": streets}
    _refuse({**told, **parts}, f"is an option of hold'em, and {given} is another game: use it with a spot")
    if not options.get("by_rules"):
        from rue.problems.game import GameProblem

        return GameProblem(known, bool(options.get("refine")), locks, unlocked)
    if options.get("refine"):
        raise RueError(
            "infosets are split (--refine, refine=) in the whole game, not by rules alone (--by-rules, by_rules=)"
        )
    from rue.problems.rules import RulesProblem

    return RulesProblem(known, locks=locks)


def _is_spot(given: ProblemLike) -> bool:
    """Whether hold'em is meant; nothing of it is loaded for a game that is named."""
    if isinstance(given, str):
        return names_spot(given)
    from rue.holdem.spots import Spot

    return isinstance(given, Spot)


def _refuse(options: dict[str, Any], why: str) -> None:
    for name, value in options.items():
        if value is not None and value is not False:
            typed = {"folder": "data", "isomorphism": "no-isomorphism"}.get(name, name.replace("_", "-"))
            raise RueError(f"{name} (--{typed}) {why}")


def kind_of(kind: str) -> type[Problem] | None:
    """The kind of problem that has saved runs of a kind."""
    from rue.problems.game import GameProblem
    from rue.problems.rules import RulesProblem
    from rue.problems.spot import SpotProblem

    kinds: tuple[type[Problem], ...] = (GameProblem, RulesProblem, SpotProblem)
    return next((each for each in kinds if kind in each.kinds), None)
