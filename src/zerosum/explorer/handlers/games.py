"""Games: the catalogue, the cost of a game, several algorithms on one game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.catalogue import describe_algorithms
from zerosum.engine.limits import Limits
from zerosum.explorer.file_access import refuse_file_names
from zerosum.explorer.handler import Explorer, route
from zerosum.explorer.requests import LimitRequest, NewRun, catch_error_message
from zerosum.games.catalogue import GAMES, OPENSPIEL_PREFIX
from zerosum.games.external.openspiel import list_solvable_games
from zerosum.jobs.comparison import AlgorithmComparison
from zerosum.options import build_limits
from zerosum.problems.estimate import Estimate, RoughEstimate
from zerosum.problems.games.game_problem import GameProblem
from zerosum.support.call_syntax import bind_arguments, format_argument, parse_call
from zerosum.support.errors import ZerosumError
from zerosum.support.system import available_bytes
from zerosum.support.text import format_csv

EXACT_COUNT_LIMIT = 300_000
"""Histories that are enumerated for an exact estimate, which takes about a second; larger games are estimated
roughly."""
MAX_ENUMERATION_SECONDS = 3600.0
"""A game whose histories take longer to enumerate is refused."""
MAX_ALGORITHMS = 12
"""Algorithms that are started at once."""
POINT_COLUMNS = ("iteration", "seconds", "nodes", "exploitability", "nash_conv", "value")
"""What the CSV of curves holds of each point."""


@dataclass(frozen=True)
class GameRequest(LimitRequest):
    """A game, the algorithms to solve it with, and the limits of each run."""

    game: str
    algorithms: list[Any] | None = None

    def check_algorithms(self) -> list[str | None]:
        """Return the names of the algorithms after checking them; None is the default."""
        names = self.algorithms or [None]
        if len(names) > MAX_ALGORITHMS:
            raise ZerosumError(f"at most {MAX_ALGORITHMS} algorithms are started at once, not {len(names)}")
        if not all(name is None or (isinstance(name, str) and name.strip()) for name in names):
            raise ZerosumError("an algorithm must be a name like dcfr(1.5, 0, 2)")
        for name in names:
            refuse_file_names(name or "")
        return names


@route("GET", "/api/games")
def list_games(explorer: Explorer) -> Any:
    """Return the games and algorithms of the catalogue, and the games in files that the command line named."""
    games = [entry.to_json() for entry in GAMES.values()]
    return {"games": games, "custom": list(explorer.runs.games.custom), **describe_algorithms()}


@route("GET", "/api/games/openspiel")
def list_openspiel_games(explorer: Explorer) -> Any:
    """Return the names of OpenSpiel's games that can be solved, if it is installed."""
    return {"names": [f"{OPENSPIEL_PREFIX}{name}" for name in list_solvable_games()]}


@route("POST", "/api/game")
def estimate_game(explorer: Explorer, request: GameRequest) -> Any:
    """Return the size of a game and the cost of its algorithms, with an error for each that cannot solve it."""
    problem = explorer.runs.games.find_game(request.game)
    limits, rows, algorithms = build_limits(problem, request.limits), [], list[Algorithm]()
    for name in request.check_algorithms():
        error = catch_error_message(_check_algorithms, problem, [name], limits)
        if not error:
            algorithms.append(problem.resolve_algorithm(name))
        rows.append({"text": name, "name": "" if error else algorithms[-1].name, "error": error})
    estimates = _estimate_algorithms(problem, algorithms or [problem.resolve_algorithm()])
    too_large = catch_error_message(_check_size, problem, estimates)
    conflict = catch_error_message(_check_algorithms, problem, algorithms, limits) if algorithms else ""
    return {
        **_game_to_json(problem, request.game),
        **_cost_to_json(estimates),
        "problem": too_large or conflict,
        "suggestion": _build_sampling_command(request.game) if too_large and problem.source.rules is not None else "",
        "algorithms": rows,
    }


def _check_algorithms(problem: GameProblem, algorithms: Sequence[Algorithm | str | None], limits: Limits) -> None:
    """Raise if some algorithms cannot be started together."""
    AlgorithmComparison(problem, [problem.resolve_algorithm(algorithm) for algorithm in algorithms], limits)


def _estimate_algorithms(problem: GameProblem, algorithms: Sequence[Algorithm]) -> list[Estimate]:
    """Return what each algorithm takes; a single rough estimate for a game that is too large to enumerate at once."""
    if (
        problem.rough_estimate is not None
        and problem.approximate_size is not None
        and problem.approximate_size.histories > EXACT_COUNT_LIMIT
    ):
        return [problem.rough_estimate]
    estimates = [problem.estimate(algorithm) for algorithm in algorithms]
    return [estimate for estimate in estimates if estimate is not None]


def _check_size(problem: GameProblem, estimates: Sequence[Estimate]) -> None:
    """Raise if the histories of a game cannot all be enumerated here."""
    replace(estimates[0], bytes=_sum_bytes(estimates)).check_memory()
    _check_enumeration_time(problem)


def _build_sampling_command(game: str) -> str:
    """Return the command that samples and shows a game that is too large for curves, which need exploitability."""
    folder = f"{game.partition('(')[0].strip().replace(':', '-')}-run"
    return (
        f'zerosum solve "{game}" --by-rules --algorithm mccfr --seconds 60 --out {folder} && zerosum explore {folder}'
    )


def _check_enumeration_time(problem: GameProblem) -> None:
    """Raise if enumerating the histories of a game takes too long."""
    rough = problem.rough_estimate
    if rough is not None and rough.enumeration > MAX_ENUMERATION_SECONDS:
        size = f"{rough.game} has about {rough.histories:.2g} histories"
        hours = rough.enumeration / 3600
        raise ZerosumError(f"{size}: enumerating them takes about {hours:.2g} hours; choose smaller parameters")


def _sum_bytes(estimates: Sequence[Estimate]) -> int:
    return sum(estimate.bytes for estimate in estimates)


def _cost_to_json(estimates: Sequence[Estimate]) -> dict[str, Any]:
    """Return the size of the game and the cost of all runs together; None where only enumeration would show it."""
    first = estimates[0]
    exact = not isinstance(first, RoughEstimate)
    return {
        "exact": exact,
        "histories": first.histories,
        "infosets": first.infosets,
        "infoset_actions": first.infoset_actions,
        "bytes": _sum_bytes(estimates),
        "free": available_bytes(),
        "seconds_per_iteration": sum(estimate.seconds for estimate in estimates) if exact else None,
        "seconds_to_enumerate": first.enumeration if isinstance(first, RoughEstimate) else None,
    }


def _game_to_json(problem: GameProblem, text: str) -> dict[str, Any]:
    """Return the name of a game, its parameters, and its entry in the catalogue."""
    content: dict[str, Any] = {"game": problem.name, "text": text}
    name = text.partition("(")[0].strip().lower()
    if name not in GAMES:
        return {**content, "arguments": {}, "summary": "", "source": "", "value": None}
    entry = GAMES[name]
    arguments = bind_arguments(parse_call(text), entry.constructor).arguments
    return {
        **content,
        "arguments": {key: format_argument(value) for key, value in arguments.items()},
        "summary": entry.summary,
        "source": entry.source,
        "value": None if arguments else entry.value,
    }


@route("POST", "/api/games/runs")
def start_runs(explorer: Explorer, request: GameRequest) -> Any:
    """Start a run of each algorithm; they take turns, so that their curves grow side by side."""
    problem = explorer.runs.games.find_game(request.game)
    algorithms = [problem.resolve_algorithm(name) for name in request.check_algorithms()]
    AlgorithmComparison(problem, algorithms, build_limits(problem, request.limits))
    _check_enumeration_time(problem)
    game = problem.name.split("(")[0].rpartition("/")[2]
    run_requests = [
        NewRun(game=request.game, algorithm=algorithm.name, name=f"{game} {algorithm.name}", **request.limits)
        for algorithm in algorithms
    ]
    return [explorer.runs.start_problem(problem, run_request).to_json() for run_request in run_requests]


@route("GET", "/api/curves")
def export_curves(explorer: Explorer, runs: str) -> Any:
    """Return the curves of runs, which are named by their ids with commas between them, as CSV."""
    summaries = [explorer.runs.find(key).summary for key in runs.split(",")]
    rows = (
        [summary.game, summary.algorithm, *(getattr(point, name) for name in POINT_COLUMNS)]
        for summary in summaries
        if summary is not None
        for point in summary.curve
    )
    return {"text": format_csv(["game", "algorithm", *POINT_COLUMNS], rows)}
