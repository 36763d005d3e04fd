"""The problem that a name or an object stands for: a game, rules, a compiled form, or another kind of problem."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Unpack

from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.games.game import Game
from zerosum.problems.kinds import (
    OfKind,
    find_kind_by_name,
    find_kind_of_object,
    list_problem_kinds,
    raise_if_kind_explains_name,
    reject_foreign_options,
)
from zerosum.problems.options import ProblemOptions
from zerosum.problems.problem import Problem
from zerosum.support.errors import ZerosumError
from zerosum.support.options import check_options, option_name
from zerosum.support.validation import path_as_text, short_repr

ProblemLike = str | Path | Game | SequenceForm | OfKind | Problem
"""Accepted as a problem: a name, a file, rules, or an object of another kind, such as a hold'em spot."""


def problem(source: ProblemLike, **options: Unpack[ProblemOptions]) -> Problem:
    """Return the problem of a name like `leduc(suits=3)` or `spot:river`, of rules, a compiled game or a spot.

    >>> problem("kuhn").name, problem("spot:river").unit.name
    ('kuhn', 'chips')
    """
    check_options(ProblemOptions, options)
    source = path_as_text(source)
    if isinstance(source, Problem):
        return source
    parts, locks, unlocked = options.get("parts", {}), options.get("locks") or None, options.get("unlocked") or None
    check_unlocked_input(unlocked)
    if not isinstance(parts, Mapping) or not all(isinstance(part, str) for part in parts):
        raise ZerosumError(f"parts must be those of a spot, like {{'pot': 500}}, not {short_repr(parts)}")
    kind = find_kind_by_name(source) if isinstance(source, str) else find_kind_of_object(source)
    if kind is not None:
        for name in ("refine", "by_rules"):
            if options.get(name):
                raise ZerosumError(f"{option_name(name)} is an option of games and cannot be used with a {kind.noun}")
        return kind.load().make_problem(source, {**options, "locks": locks, "unlocked": unlocked})
    from zerosum.games.catalogue import names_game

    game: Any = source
    if isinstance(game, str) and not names_game(game):
        raise_if_kind_explains_name(game)
    reject_foreign_options({**options, "isomorphism": options.get("isomorphism") is False}, str(game))
    if not options.get("by_rules"):
        from zerosum.problems.games.game_problem import GameProblem

        return GameProblem(game, bool(options.get("refine")), locks, unlocked)
    if options.get("refine"):
        raise ZerosumError(
            f"{option_name('refine')} needs the whole game, which {option_name('by_rules')} does not enumerate: "
            "drop one of them"
        )
    from zerosum.problems.games.rules_problem import RulesProblem

    return RulesProblem(game, locks=locks)


def check_unlocked_input(unlocked: Any) -> None:
    """Raise an error unless a value can be a solution without locks: None, a source, or True to solve it first."""
    if unlocked is None or isinstance(unlocked, str | Path | Mapping | bool):
        return
    from zerosum.results.strategy import StrategySource

    if not isinstance(unlocked, StrategySource):
        raise ZerosumError(
            f"{option_name('unlocked')} must be a result, a saved run or True, not {short_repr(unlocked)}"
        )


def find_problem_class(run_format: str) -> type[Problem] | None:
    """Return the class of the problems whose saved runs have a format; None if there is none."""
    for kind in list_problem_kinds():
        if run_format in kind.run_formats:
            return kind.load().get_problem_class()
    from zerosum.problems.games.game_problem import GameProblem
    from zerosum.problems.games.rules_problem import RulesProblem

    games: tuple[type[Problem], ...] = (GameProblem, RulesProblem)
    return next((game for game in games if run_format in game.codec().run_formats), None)
