"""The tree of a game: what a page asks about its histories and infosets."""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

from rue.errors import RueError
from rue.errors import told as told_error
from rue.explore.asked import read
from rue.explore.explorer import Explorer, Handlers, Request
from rue.explore.wire import column
from rue.problems.game import GameProblem
from rue.records import dataclass
from rue.results.game import GameResult
from rue.views.colours import apart, hexadecimal
from rue.views.game_tree import GameTree, TreeNode, matching

WHOLE = 400
"""Histories of a game that is shown whole."""
MOST = 100
"""Moves of one history that are told at once."""
ROWS = 200
"""Infosets that are told at once."""
DEEPEST = 100_000
"""Moves of a path."""
DIGITS = 8


@dataclass(frozen=True)
class TreeAsked:
    """A game, the run whose strategy is wanted, a history by the numbers of its moves, and which move is told first."""

    game: str
    run: str | None = None
    at: list[Any] | None = None
    first: int = 0

    def path(self) -> list[int]:
        """The numbers of the moves."""
        path = self.at or []
        if len(path) > DEEPEST or not all(isinstance(each, int) and not isinstance(each, bool) for each in path):
            raise RueError("a history is a list of whole numbers, those of its moves")
        return path


@dataclass(frozen=True)
class InfosetsAsked:
    """The infosets whose names have all words of a text."""

    text: str = ""


def game_result(explorer: Explorer, key: str) -> GameResult:
    """The result of a run that must be one of a game."""
    found = explorer.workshop.result(key)
    if not isinstance(found, GameResult):
        raise RueError(f"{found.game} is a hold'em spot: it is walked through, and has no tree here")
    return found


def tree(explorer: Explorer, request: Request) -> Any:
    """The whole tree of a small game; of a larger one a history and what may follow it."""
    asked = read(TreeAsked, request.data)
    if asked.first < 0:
        raise RueError(f"'first' must be at least 0, not {asked.first}")
    problem, path = explorer.workshop.shelf.find(asked.game), asked.path()
    result = None if asked.run is None else game_result(explorer, asked.run)
    if result is not None and result.game != problem.name:
        raise RueError(f"the run is one of {result.game}, not of {problem.name}")
    if result is not None and math.isnan(result.exploitability):  # by rules alone: only the infosets it met are known
        result = None
    try:
        return {"game": problem.name, "run": asked.run, **_shown(GameTree(problem, result), problem, path, asked.first)}
    except RueError:
        raise
    except Exception as error:  # rules of one's own
        raise RueError(f"the rules of {problem.name} fail: {told_error(error)}") from None


def _shown(found: GameTree, problem: GameProblem, path: list[int], first: int) -> dict[str, Any]:
    """The whole tree if it is small, else a history and what may follow it, from a move on."""
    nodes = (
        found.whole(WHOLE) if not path and problem.size is not None and problem.size.histories <= 2 * WHOLE else None
    )
    whole, more = nodes is not None, 0
    if nodes is None:
        below, more = found.children(path, first, MOST)
        nodes = [found.at(path)[0], *below]
    return {"whole": whole, "more": more, "nodes": [told(each) for each in nodes]}


def told(node: TreeNode) -> dict[str, Any]:
    """A history, ready for JSON."""
    return {
        "path": list(node.path),
        "move": node.move,
        "kind": node.kind,
        "player": node.player,
        "infoset": node.infoset,
        "actions": list(node.actions),
        "colours": [hexadecimal(colour) for colour in apart(node.actions)] if node.kind == "decision" else [],
        "strategy": None if node.strategy is None else column(node.strategy, DIGITS),
        "reach": node.reach,
        "reaches": None if node.reaches is None else list(node.reaches),
        "payoff": node.payoff,
        "value": node.value,
    }


def infosets(explorer: Explorer, request: Request) -> Any:
    """The infosets of a run that a text names, the first ones, and how many there are."""
    result = game_result(explorer, request.parts["run"])
    found = list(matching(result.decisions, read(InfosetsAsked, request.data).text))
    rows = [
        {
            "player": each.player,
            "infoset": each.infoset,
            "reach": each.reach,
            "actions": list(each.actions),
            "colours": [hexadecimal(colour) for colour in apart(list(each.actions))],
            "strategy": column(each.actions.values(), DIGITS),
        }
        for each in islice(found, ROWS)
    ]
    return {"count": len(found), "of": len(result.decisions), "rows": rows}


HANDLERS: Handlers = {
    ("POST", "/api/tree"): tree,
    ("GET", "/api/runs/{run}/infosets"): infosets,
}
