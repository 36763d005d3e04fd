"""Where two strategies differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

from rue.errors import RueError
from rue.options import StrategyGiven, check_names, problem_of
from rue.problems.diff import By, Comparing, Diff, Sort
from rue.problems.find import ProblemLike
from rue.problems.game import game_from
from rue.problems.problem import Problem
from rue.results.result import Result
from rue.results.spot import SpotResult
from rue.runs.read import written


class DiffOptions(TypedDict, total=False):
    """How two strategies are compared; see `diff`."""

    sort: Sort
    top: int | None
    min_reach: float | None
    line: str
    by: By


def diff(
    one: StrategyGiven,
    two: StrategyGiven,
    *,
    game: ProblemLike | None = None,
    progress: Callable[[str, int], None] | None = None,
    **options: Unpack[DiffOptions],
) -> Diff:
    """Where two strategies of a game or a hold'em spot differ most, and what they earn: see `Diff`.

    one, two: results, saved runs, or files as `rue.read_strategy` takes them; of hold'em one of them must be a run or a
    result, the other may be an export. What one of them does not say is taken from the other. game: what is played,
    where neither says it or it is code of one's own. sort: `"strategy"`, or `"ev"` for what hands earn; both count by
    how often play gets there. top: keep so many rows. min_reach: leave out what play gets to less often, in either; of
    hold'em a thousandth by default. Of hold'em also line: where to begin, and by: `"class"` like AKs, or `"hand"`.

    >>> import rue
    >>> bluffs = rue.solve("kuhn", "lp", locks={"J|": {"bet": 1.0}})
    >>> found = rue.diff(rue.solve("kuhn", "lp"), bluffs)
    >>> found.rows[0].place, found.rows[0].two
    ({'infoset': 'J|'}, {'check': 0.0, 'bet': 1.0})
    """
    check_names(options, DiffOptions)
    how = Comparing(**options)
    first, second = written(one), written(two)
    found = problem_of(game, {}) if game is not None else _played(first, second)
    told = found.diff(first, second, how, progress)
    return replace(told, one=_told(one, first, told.one), two=_told(two, second, told.two))


def _told(given: StrategyGiven, read: Any, known: str) -> str:
    """A file that was named, and what is locked in it; what else is known otherwise."""
    if not isinstance(given, str | Path):
        return known
    return f"{given}, locked: {'; '.join(read.locks)}" if getattr(read, "locks", ()) else str(given)


def _played(*given: Any) -> Problem:
    """What strategies were solved for; a file of Python that one of them names is not run."""
    for each in given:
        if isinstance(each, SpotResult):
            return problem_of(each.spot, {})
        name = each.bare_game if isinstance(each, Result) else getattr(each, "game", None)
        if name is not None:
            try:
                return problem_of(game_from({"game": name, "numbers": {"name": name}}, None), {})
            except RueError as error:
                raise RueError(f"what was played is not known: {error} (--game, game=)") from None
    raise RueError("neither of the two says what was played: name it (--game, game=)")
