"""The tree of a game: its histories and infosets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any

from zerosum.explorer.handler import Explorer, route
from zerosum.problems.games.game_problem import GameProblem
from zerosum.problems.games.game_tree import GameTree, TreeNode, search_decisions
from zerosum.results.display.action_colours import choose_distinct_colours, format_colour
from zerosum.results.game_result import GameResult
from zerosum.results.table import format_json_numbers
from zerosum.support.errors import ZerosumError, format_error
from zerosum.support.options import Option

MAX_DRAWN_HISTORIES = 400
"""Histories of a game whose whole tree is shown."""
MAX_CHILDREN = 100
"""Children of a history that are sent at once."""
MAX_ROWS = 200
"""Infosets that are sent at once."""
MAX_PATH = 100_000
"""Moves of a history."""
DIGITS = 8


@route("POST", "/api/tree")
def show_tree(
    explorer: Explorer,
    game: str,
    run: str | None = None,
    path: list[Any] | None = None,
    first: Annotated[int, Option(least=0)] = 0,
) -> Any:
    """Return the whole tree of a small game; of a larger one a history and its children.

    run: the run whose strategy is shown. path: the history by the numbers of its moves. first: the first child to send.
    """
    moves = path or []
    if len(moves) > MAX_PATH or not all(isinstance(move, int) and not isinstance(move, bool) for move in moves):
        raise ZerosumError("a history must be a list of the numbers of its moves")
    problem = explorer.runs.games.find_game(game)
    result = None if run is None else _find_result(explorer, run)
    if result is not None and result.game != problem.name:
        raise ZerosumError(f"the run solves {result.game}, not {problem.name}: name a run of this game")
    if result is not None and math.isnan(result.exploitability):
        result = None  # sampled by rules: it has a strategy only where it has been
    try:
        return {"game": problem.name, "run": run, **_nodes_to_json(GameTree(problem, result), problem, moves, first)}
    except ZerosumError:
        raise
    except Exception as error:  # custom rules
        raise ZerosumError(f"the rules of {problem.name} fail: {format_error(error)}") from None


def _find_result(explorer: Explorer, run: str) -> GameResult:
    result = explorer.runs.read_result(run)
    if not isinstance(result, GameResult):
        raise ZerosumError(f"{result.game} has no game tree: walk through it instead")
    return result


def _nodes_to_json(game_tree: GameTree, problem: GameProblem, path: list[int], first: int) -> dict[str, Any]:
    """Return the whole tree if it is small, else a history and its children from the given one on."""
    is_small = problem.approximate_size is not None and problem.approximate_size.histories <= 2 * MAX_DRAWN_HISTORIES
    nodes, more = game_tree.list_nodes(MAX_DRAWN_HISTORIES) if is_small and not path else None, 0
    is_complete = nodes is not None
    if nodes is None:
        children, more = game_tree.list_children(path, first, MAX_CHILDREN)
        nodes = [game_tree.find_node(path)[0], *children]
    return {"is_complete": is_complete, "more": more, "nodes": [_node_to_json(node) for node in nodes]}


def _node_to_json(node: TreeNode) -> dict[str, Any]:
    return {
        **vars(node),
        "reach": node.reach,
        "colours": _choose_colour_codes(node.actions) if node.kind == "decision" else [],
        "strategy": None if node.strategy is None else format_json_numbers(node.strategy, DIGITS),
    }


def _choose_colour_codes(actions: Sequence[str]) -> list[str]:
    return [format_colour(colour) for colour in choose_distinct_colours(actions)]


@route("GET", "/api/runs/{run}/infosets")
def list_infosets(explorer: Explorer, run: str, text: str = "") -> Any:
    """Return the first infosets of a run whose names contain all words of a text, and the number of all that do."""
    result = _find_result(explorer, run)
    matches = list(search_decisions(result.decisions, text))
    rows = [
        {
            "player": decision.player,
            "infoset": decision.infoset,
            "reach": decision.reach,
            "actions": list(decision.actions),
            "colours": _choose_colour_codes(list(decision.actions)),
            "strategy": format_json_numbers(list(decision.actions.values()), DIGITS),
        }
        for decision in matches[:MAX_ROWS]
    ]
    return {"count": len(matches), "total": len(result.decisions), "rows": rows}
