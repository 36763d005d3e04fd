"""The tree of a game: its histories and infosets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from typing import Any

from zerosum.explorer.handler import Explorer, Handlers, Request
from zerosum.explorer.requests import read
from zerosum.problems.games.game_problem import GameProblem
from zerosum.problems.games.game_tree import GameTree, TreeNode, search_decisions
from zerosum.results.display.action_colours import distinct_colours, hexadecimal
from zerosum.results.game_result import GameResult
from zerosum.results.table import json_numbers
from zerosum.support.errors import ZerosumError, error_message

MAX_DRAWN_HISTORIES = 400
"""Histories of a game whose whole tree is shown."""
MAX_CHILDREN = 100
"""Children of a history that are sent at once."""
MAX_ROWS = 200
"""Infosets that are sent at once."""
MAX_PATH = 100_000
"""Moves of a history."""
DIGITS = 8


@dataclass(frozen=True)
class TreeRequest:
    """A game, the run whose strategy is shown, a history by the numbers of its moves, and the first child to send."""

    game: str
    run: str | None = None
    path: list[Any] | None = None
    first: int = 0

    def checked_path(self) -> list[int]:
        """Return the numbers of the moves."""
        path = self.path or []
        if len(path) > MAX_PATH or not all(isinstance(move, int) and not isinstance(move, bool) for move in path):
            raise ZerosumError("a history is the list of the numbers of its moves")
        return path


@dataclass(frozen=True)
class InfosetRequest:
    """The infosets whose names contain all words of a text."""

    text: str = ""


def game_result(explorer: Explorer, key: str) -> GameResult:
    """Return the result of a run of a game."""
    result = explorer.runs.result(key)
    if not isinstance(result, GameResult):
        raise ZerosumError(f"{result.game} has no game tree: walk through it instead")
    return result


def tree(explorer: Explorer, request: Request) -> Any:
    """Return the whole tree of a small game; of a larger one a history and its children."""
    tree_request = read(TreeRequest, request.body)
    first = tree_request.first
    if first < 0:
        raise ZerosumError(f"'first' must be at least 0, not {first}")
    problem, path = explorer.runs.games.find(tree_request.game), tree_request.checked_path()
    result = None if tree_request.run is None else game_result(explorer, tree_request.run)
    if result is not None and result.game != problem.name:
        raise ZerosumError(f"the run is one of {result.game}, not of {problem.name}")
    if result is not None and math.isnan(
        result.exploitability
    ):  # sampled by rules: it knows only infosets that it has met
        result = None
    try:
        nodes = _nodes_json(GameTree(problem, result), problem, path, first)
        return {"game": problem.name, "run": tree_request.run, **nodes}
    except ZerosumError:
        raise
    except Exception as error:  # custom rules
        raise ZerosumError(f"the rules of {problem.name} fail: {error_message(error)}") from None


def _nodes_json(game_tree: GameTree, problem: GameProblem, path: list[int], first: int) -> dict[str, Any]:
    """Return the whole tree if it is small, else a history and its children from the given one on."""
    nodes = (
        game_tree.whole(MAX_DRAWN_HISTORIES)
        if not path and problem.size is not None and problem.size.histories <= 2 * MAX_DRAWN_HISTORIES
        else None
    )
    is_complete, more = nodes is not None, 0
    if nodes is None:
        children, more = game_tree.children(path, first, MAX_CHILDREN)
        nodes = [game_tree.at(path)[0], *children]
    return {"is_complete": is_complete, "more": more, "nodes": [node_json(node) for node in nodes]}


def node_json(node: TreeNode) -> dict[str, Any]:
    """Return a history for JSON."""
    return {
        "path": list(node.path),
        "move": node.move,
        "kind": node.kind,
        "player": node.player,
        "infoset": node.infoset,
        "actions": list(node.actions),
        "colours": [
            hexadecimal(colour) for colour in distinct_colours(node.actions if node.kind == "decision" else [])
        ],
        "strategy": None if node.strategy is None else json_numbers(node.strategy, DIGITS),
        "reach": node.reach,
        "reaches": None if node.reaches is None else list(node.reaches),
        "payoff": node.payoff,
        "value": node.value,
    }


def infosets(explorer: Explorer, request: Request) -> Any:
    """Return the first infosets of a run that match a text, and the number of all that do."""
    result = game_result(explorer, request.path["run"])
    matches = list(search_decisions(result.decisions, read(InfosetRequest, request.body).text))
    rows = [
        {
            "player": decision.player,
            "infoset": decision.infoset,
            "reach": decision.reach,
            "actions": list(decision.actions),
            "colours": [hexadecimal(colour) for colour in distinct_colours(list(decision.actions))],
            "strategy": json_numbers(list(decision.actions.values()), DIGITS),
        }
        for decision in islice(matches, MAX_ROWS)
    ]
    return {"count": len(matches), "total": len(result.decisions), "rows": rows}


HANDLERS: Handlers = {
    ("POST", "/api/tree"): tree,
    ("GET", "/api/runs/{run}/infosets"): infosets,
}
