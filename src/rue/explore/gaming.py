"""Games: what a page asks about the catalogue, what a game takes, and several algorithms on one game."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.catalogue import ALGORITHMS, EXACT, PREFIXES
from rue.errors import RueError
from rue.explore.allowed import refuse_files
from rue.explore.asked import NewRun, read
from rue.explore.explorer import Explorer, Handlers, Request
from rue.games.catalogue import GAMES
from rue.games.openspiel import PREFIX, solvable_names
from rue.machine import available_bytes
from rue.names import bind, parse
from rue.options import limits_of
from rue.problems.estimate import Estimate, RoughEstimate
from rue.problems.game import GameProblem
from rue.records import dataclass
from rue.runs.compare import Contest
from rue.solvers.limits import Limits
from rue.views.texts import curves_csv

QUICK = 300_000
"""Histories that are enumerated to tell exactly what a game takes: about a second; beyond that it is told roughly."""
LONGEST = 3600.0
"""Seconds of finding all histories of a game; one that would take longer is refused."""
MOST = 12
"""Algorithms that are started at once."""


@dataclass(frozen=True)
class GameAsked:
    """A game, the algorithms it is to be solved by and when they end; those of `NewRun`."""

    game: str
    algorithms: list[Any] | None = None
    until: float | str | None = None
    iterations: int | None = None
    seconds: float | None = None

    def names(self) -> list[str | None]:
        """The algorithms by name; None is the default."""
        names = self.algorithms or [None]
        if len(names) > MOST:
            raise RueError(f"at most {MOST} algorithms are started at once, not {len(names)}")
        if not all(name is None or (isinstance(name, str) and name.strip()) for name in names):
            raise RueError("an algorithm is a name like dcfr(1.5, 0, 2)")
        for name in names:
            refuse_files(name or "")
        return names

    def limits(self, problem: GameProblem) -> Limits:
        """When a run ends."""
        return limits_of(problem, self.ends)

    @property
    def ends(self) -> dict[str, Any]:
        """The same as options."""
        return {"until": self.until, "iterations": self.iterations, "seconds": self.seconds}


@dataclass(frozen=True)
class RunsAsked:
    """Runs by their ids, separated by commas."""

    runs: str


def games(explorer: Explorer, request: Request) -> Any:
    """The games and the algorithms of the catalogue, and the games in files that the command line named."""
    return {
        "games": [
            {
                "name": entry.name,
                "example": entry.example,
                "summary": entry.summary,
                "source": entry.source,
                "parameters": _parameters(entry.constructor),
            }
            for entry in GAMES.values()
        ],
        "own": list(explorer.workshop.shelf.own),
        "algorithms": [
            *({"name": name, "summary": each.summary, "paper": each.paper} for name, each in ALGORITHMS.items()),
            {"name": EXACT, "summary": "the exact solution, by linear programming", "paper": ""},
        ],
        "prefixes": [
            {"name": f"{name}-", "summary": each.summary, "paper": each.paper} for name, each in PREFIXES.items()
        ],
    }


def _parameters(constructor: Any) -> list[dict[str, str]]:
    """The parameters of a game with what they are if nothing is given, as one would type it."""
    found = inspect.signature(constructor).parameters.values()
    return [{"name": each.name, "default": "" if each.default is each.empty else typed(each.default)} for each in found]


def typed(value: Any) -> str:
    """A parameter as one would type it.

    >>> typed((1, 2)), typed(True), typed(None), typed("known")
    ('[1, 2]', 'true', 'none', 'known')
    """
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(typed, value))}]"
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)


def openspiel(explorer: Explorer, request: Request) -> Any:
    """The names of OpenSpiel's games that can be solved, if it is installed."""
    return {"names": [f"{PREFIX}{name}" for name in solvable_names()]}


def check_game(explorer: Explorer, request: Request) -> Any:
    """A game as it is understood, how large it is and what its algorithms take; what does not go is told for each."""
    asked = read(GameAsked, request.data)
    problem = explorer.workshop.shelf.find(asked.game)
    limits, rows, good = asked.limits(problem), [], list[Algorithm]()
    for name in asked.names():
        error = ""
        try:
            good.append(_checked(problem, name, limits))
        except RueError as refused:
            error = str(refused)
        rows.append({"asked": name, "name": "" if error else good[-1].name, "error": error})
    sizes = _sizes(problem, good or [problem.algorithm()])
    large = _too_large(problem, sizes)
    return {
        **_about(problem, asked.game),
        **_told(sizes),
        "sentence": large or _refused(problem, good, limits),
        "instead": _by_rules(asked.game) if large and problem.rules is not None else "",
        "algorithms": rows,
    }


def _checked(problem: GameProblem, name: str | None, limits: Limits) -> Algorithm:
    found = problem.algorithm(name)
    Contest(problem, [found], limits)
    return found


def _sizes(problem: GameProblem, algorithms: Sequence[Algorithm]) -> list[Estimate]:
    """What each algorithm takes: exact for a game that is enumerated at once."""
    if problem.rough is not None and problem.size is not None and problem.size.histories > QUICK:
        return [problem.rough]
    found = [problem.estimate(algorithm) for algorithm in algorithms]
    return [each for each in found if each is not None]


def _refused(problem: GameProblem, algorithms: Sequence[Algorithm], limits: Limits) -> str:
    """Why the algorithms cannot be started together, in a sentence; empty if they can."""
    try:
        if algorithms:
            Contest(problem, algorithms, limits)
    except RueError as error:
        return str(error)
    return ""


def _too_large(problem: GameProblem, sizes: Sequence[Estimate]) -> str:
    """Why the histories of a game cannot all be found here, in a sentence; empty if they can."""
    try:
        replace(sizes[0], bytes=_bytes(sizes)).check()
        _refuse_endless(problem)
    except RueError as error:
        return str(error)
    return ""


def _by_rules(game: str) -> str:
    """What to type for a game that is too large for curves, which need the exploitability: sampled, then looked at."""
    folder = f"{game.partition('(')[0].strip().replace(':', '-')}-run"
    return f'rue solve "{game}" --by-rules --algorithm mccfr --seconds 60 --out {folder} && rue explore {folder}'


def _refuse_endless(problem: GameProblem) -> None:
    """Refuse a game whose histories nobody would wait for."""
    rough = problem.rough
    if rough is not None and rough.enumeration > LONGEST:
        found = f"{rough.game} has about {rough.histories:.2g} histories"
        hours = rough.enumeration / 3600
        raise RueError(f"{found}: to find them all would take about {hours:.2g} hours; choose smaller parameters")


def _bytes(sizes: Sequence[Estimate]) -> int:
    return sum(each.bytes for each in sizes)


def _told(sizes: Sequence[Estimate]) -> dict[str, Any]:
    """How large the game is, and what all runs together take; null where that is not known before it is enumerated."""
    first = sizes[0]
    exact = not isinstance(first, RoughEstimate)
    return {
        "exact": exact,
        "histories": first.histories,
        "infosets": first.infosets,
        "infoset_actions": first.infoset_actions,
        "bytes": _bytes(sizes),
        "free": available_bytes(),
        "seconds_per_iteration": sum(each.seconds for each in sizes) if exact else None,
        "seconds_to_enumerate": first.enumeration if isinstance(first, RoughEstimate) else None,
    }


def _about(problem: GameProblem, text: str) -> dict[str, Any]:
    """The game's name, its parameters as they were given, and what the catalogue says of it."""
    told: dict[str, Any] = {"game": problem.name, "text": text, "arguments": {}}
    told |= {"summary": "", "source": "", "value": None}
    name = text.partition("(")[0].strip().lower()
    if name in GAMES:
        entry, call = GAMES[name], parse(text)
        given = bind(call, entry.constructor).arguments
        told |= {"arguments": {key: typed(value) for key, value in given.items()}}
        told |= {"summary": entry.summary, "source": entry.source, "value": None if given else entry.value}
    return told


def new_runs(explorer: Explorer, request: Request) -> Any:
    """Start a run of each algorithm; they take turns, so that their curves grow side by side."""
    asked = read(GameAsked, request.data)
    problem = explorer.workshop.shelf.find(asked.game)
    algorithms = [problem.algorithm(name) for name in asked.names()]
    Contest(problem, algorithms, asked.limits(problem))
    _refuse_endless(problem)
    game = problem.name.split("(")[0].rpartition("/")[2]
    asking = [
        NewRun(game=asked.game, algorithm=each.name, name=f"{game} {each.name}", **asked.ends) for each in algorithms
    ]
    return [explorer.workshop.begin(problem, each).view() for each in asking]


def curves(explorer: Explorer, request: Request) -> Any:
    """The curves of runs as a table."""
    sessions = [explorer.workshop.get(key) for key in read(RunsAsked, request.data).runs.split(",")]
    found = [each.standing for each in sessions]
    return {"text": curves_csv((each.game, each.algorithm, each.curve) for each in found if each is not None)}


HANDLERS: Handlers = {
    ("GET", "/api/games"): games,
    ("GET", "/api/games/openspiel"): openspiel,
    ("POST", "/api/games/runs"): new_runs,
    ("POST", "/api/game"): check_game,
    ("GET", "/api/curves"): curves,
}
