"""Where two strategies differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from zerosum.problems.games.game_diff import compare_game_strategies
from zerosum.problems.games.game_storage import resolve_saved_game
from zerosum.problems.kinds import find_kind_of_object
from zerosum.problems.options import DiffOptions
from zerosum.problems.problem import Problem
from zerosum.problems.registry import ProblemLike, problem
from zerosum.results.diff import Diff, DiffSettings
from zerosum.results.result import Result
from zerosum.runs.strategy_reader import read_strategy_source
from zerosum.support.errors import ZerosumError
from zerosum.support.options import check_options, option_name

if TYPE_CHECKING:
    from zerosum.results.strategy import StrategyInput


def diff(
    first: StrategyInput,
    second: StrategyInput,
    *,
    game: ProblemLike | None = None,
    progress: Callable[[str, int], None] | None = None,
    **options: Unpack[DiffOptions],
) -> Diff:
    """Return where two strategies of a game or a hold'em spot differ most in their actions or EVs.

    Parameters
    ----------
    first, second : str, Path, Result or mapping
        Two strategies in any form that `read_strategy` accepts. For hold'em, one of them must be a run or a result, and
        the other may be an export. The gaps of an incomplete strategy are filled from the other one.
    game : optional
        The game, if neither strategy names it or it is user-defined.
    progress : callable, optional
        Called with the name of a stage and how much of it is done.
    sort : {"strategy", "ev"}, optional
        Whether rows are sorted by the difference of actions, which is the default, or of EV; both weighted by reach.
    top : int, optional
        The number of rows.
    min_reach : float, optional
        Leave out places that one of the strategies reaches less often; 0.001 by default for hold'em.
    line : str, optional
        For hold'em, the line after which decisions are compared.
    by : {"class", "hand"}, optional
        For hold'em, whether rows are classes such as AKs or single hands.

    Examples
    --------

    >>> import zerosum
    >>> bluffs = zerosum.solve("kuhn", "lp", locks={"J|": {"bet": 1.0}})
    >>> result = zerosum.diff(zerosum.solve("kuhn", "lp"), bluffs)
    >>> result.rows[0].place, result.rows[0].mix_b
    ({'infoset': 'J|'}, {'check': 0.0, 'bet': 1.0})
    """
    check_options(DiffOptions, options)
    settings = DiffSettings(**options)
    strategies = read_strategy_source(first), read_strategy_source(second)
    shared = _load_problem(game) if game is not None else _find_shared_problem(*strategies)
    kind = find_kind_of_object(shared)
    compare = compare_game_strategies if kind is None else kind.load().compare_strategies
    result = compare(shared, *strategies, settings, progress)
    names = (
        _describe_strategy(source, strategy, name)
        for source, strategy, name in zip(
            (first, second), strategies, (result.strategy_a, result.strategy_b), strict=True
        )
    )
    return replace(result, strategy_a=next(names), strategy_b=next(names))


def _describe_strategy(source: StrategyInput, strategy: Any, name: str) -> str:
    """Return the file that a strategy was read from and its locks; its name if it was not read from a file."""
    if not isinstance(source, str | Path):
        return name
    return f"{source}, locked: {'; '.join(strategy.locks)}" if getattr(strategy, "locks", ()) else str(source)


def _load_problem(game: ProblemLike) -> Problem:
    loaded = problem(game)
    if loaded.locks is not None:
        loaded.locks.read_lock_files(read_strategy_source)
    return loaded


def _find_shared_problem(*strategies: Any) -> Problem:
    """Return the problem that strategies were computed for; a Python file that one of them names is not run."""
    for strategy in strategies:
        source = strategy.problem_source if isinstance(strategy, Result) else getattr(strategy, "game", None)
        if source is not None and not isinstance(source, str):
            return _load_problem(source)
        if source is not None:
            try:
                return _load_problem(resolve_saved_game({"game": source, "numbers": {"name": source}}, None))
            except ZerosumError as error:
                raise ZerosumError(f"the game of the strategies is unknown: {error} ({option_name('game')})") from None
    raise ZerosumError(f"neither strategy names its game: name it with {option_name('game')}")
