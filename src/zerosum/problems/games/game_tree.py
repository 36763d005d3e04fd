"""The tree of a game: its histories, with the strategy at each and its reach."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from zerosum.engine.forms.sequence.sequence_form import name_infosets
from zerosum.games.game import CHANCE, TERMINAL, Game
from zerosum.problems.games.game_problem import GameProblem
from zerosum.results.game_result import GameResult
from zerosum.results.result import Decision
from zerosum.support.errors import ZerosumError

MAX_VALUED = 10_000
"""Histories that are walked for the values of the children of a node."""
Kind = Literal["chance", "decision", "end"]
Path = tuple[int, ...]
"""The place of a history: the number of each move from the root on."""


@dataclass(frozen=True)
class TreeNode:
    """A history. `reaches` are the parts of its probability that the first player, the second and chance have: their
    product is `reach`. Without a strategy, both and `strategy` are None, except that chance has its own."""

    path: Path
    move: str
    """The last move, as text; empty at the root."""
    kind: Kind
    player: int | None
    """1 or 2, None for chance and at an end."""
    infoset: str
    """The name of the infoset, the same for all histories of it; empty for chance and at an end."""
    actions: tuple[str, ...]
    strategy: tuple[float, ...] | None
    """How often each action is taken."""
    reaches: tuple[float, float, float] | None
    payoff: float | None
    """The payoff of the first player, at an end."""
    value: float | None = None
    """The expected payoff of the first player after this history, if it was computed."""

    @property
    def reach(self) -> float | None:
        """The probability of the history."""
        return None if self.reaches is None else math.prod(self.reaches)


class GameTree:
    """The histories of a game, with the strategy of a result if there is one.

    >>> import zerosum
    >>> from zerosum.problems.registry import problem
    >>> tree = GameTree(problem("kuhn"), zerosum.solve("kuhn", "cfr+", iterations=1000))
    >>> nodes = tree.list_nodes(100)
    >>> len(nodes), nodes[0].kind, round(nodes[0].value, 4)
    (58, 'chance', -0.0556)
    """

    def __init__(self, problem: GameProblem, result: GameResult | None = None) -> None:
        if problem.source.rules is None:
            raise ZerosumError(f"{problem.name} has no rules to walk by")
        self.rules: Game = problem.source.rules
        self._decisions: Mapping[tuple[int, Any], Decision] | None = None
        self._names: Mapping[tuple[int, Any], str] = {}
        if result is not None:
            form, decisions = problem.build_form(), {decision.infoset: decision for decision in result.decisions}
            self._names = {
                (player, form.treeplexes[player].infosets[number]): text for player, number, text in name_infosets(form)
            }
            missing = [text for text in self._names.values() if text not in decisions]
            if missing:
                raise ZerosumError(f"the strategy is not one of {problem.name}: it lacks the infoset {missing[0]}")
            self._decisions = {key: decisions[text] for key, text in self._names.items()}

    def find_node(self, path: Sequence[int]) -> tuple[TreeNode, Any]:
        """Return the history at a path, and its state."""
        state = self.rules.root()
        node = self._describe_node((), "", state, None if self._decisions is None else (1.0, 1.0, 1.0))
        for number in path:
            moves = self._list_moves(state)
            if not 0 <= number < len(moves):
                raise ZerosumError(f"there is no move {number} after {', '.join(map(str, node.path)) or 'the start'}")
            node, state = self._follow_move(node, state, moves, number)
        return node, state

    def list_children(self, path: Sequence[int], first: int, most: int) -> tuple[list[TreeNode], int]:
        """Return up to `most` children of a history, from the number `first` on, and how many are left after those.

        They have values if there is a strategy and few enough histories follow.
        """
        node, state = self.find_node(path)
        moves = self._list_moves(state)
        below = [self._follow_move(node, state, moves, number) for number in range(len(moves))[first : first + most]]
        valued, left = list[TreeNode](), MAX_VALUED
        for child in below if self._decisions is not None else ():
            descendants = self._list_subtree(child, left)
            if descendants is None:
                break
            valued.append(descendants[0])
            left -= len(descendants)
        nodes = valued if len(valued) == len(below) else [child for child, _ in below]
        return nodes, max(0, len(moves) - first - len(nodes))

    def list_nodes(self, most: int) -> list[TreeNode] | None:
        """Return every history, parents before children, with its value if there is a strategy.

        None if there are more than `most`.
        """
        return self._list_subtree(self.find_node(()), most)

    def _list_subtree(self, first: tuple[TreeNode, Any], most: int) -> list[TreeNode] | None:
        """Return a history with all its descendants; None if there are more than `most`."""
        nodes: list[TreeNode] = []
        waiting = [first]
        while waiting:
            node, state = waiting.pop()
            nodes.append(node)
            moves = self._list_moves(state)
            if len(nodes) + len(waiting) + len(moves) > most:
                return None
            waiting += [self._follow_move(node, state, moves, number) for number in reversed(range(len(moves)))]
        return nodes if self._decisions is None else _compute_values(nodes)

    def _list_moves(self, state: Any) -> Sequence[Any]:
        player = self.rules.player(state)
        if player == TERMINAL:
            return ()
        if player == CHANCE:
            return [outcome for outcome, chance in self.rules.chances(state) if chance > 0]
        return self.rules.actions(state)

    def _follow_move(self, node: TreeNode, state: Any, moves: Sequence[Any], number: int) -> tuple[TreeNode, Any]:
        """Return the history after a move, and its state."""
        child_state = self.rules.child(state, moves[number])
        reaches = node.reaches
        if reaches is not None and node.strategy is not None:
            actor = 2 if node.player is None else node.player - 1
            first, second, chance = (
                reach * (node.strategy[number] if k == actor else 1.0) for k, reach in enumerate(reaches)
            )
            reaches = first, second, chance
        return self._describe_node((*node.path, number), str(moves[number]), child_state, reaches), child_state

    def _describe_node(self, path: Path, move: str, state: Any, reaches: tuple[float, float, float] | None) -> TreeNode:
        """Return one node, without its children."""
        rules, player = self.rules, self.rules.player(state)
        if player == TERMINAL:
            paid = rules.payoff(state)
            payoff = float(paid[0] if isinstance(paid, tuple) else paid)
            return TreeNode(path, move, "end", None, "", (), None, reaches, payoff)
        if player == CHANCE:
            outcomes = [(str(outcome), chance) for outcome, chance in rules.chances(state) if chance > 0]
            names, chances = tuple(name for name, _ in outcomes), tuple(float(chance) for _, chance in outcomes)
            return TreeNode(path, move, "chance", None, "", names, chances, reaches, None)
        key, actions = rules.infoset(state), tuple(str(action) for action in rules.actions(state))
        strategy = None
        if self._decisions is not None:
            decision = self._decisions[player, key]
            strategy = tuple(decision.actions[action] for action in actions)
        name = self._names.get((player, key)) or rules.describe(key)
        return TreeNode(path, move, "decision", player + 1, name, actions, strategy, reaches, None)


def _compute_values(nodes: list[TreeNode]) -> list[TreeNode]:
    """Return the same histories with their values: v(h) = sum over a of sigma(a) v(ha), from the ends up."""
    values: dict[Path, float] = {}
    for node in reversed(nodes):
        chances = enumerate(node.strategy or ())
        expected = math.fsum(chance * values[(*node.path, number)] for number, chance in chances)
        values[node.path] = expected if node.payoff is None else node.payoff
    return [replace(node, value=values[node.path]) for node in nodes]


def search_decisions(decisions: Sequence[Decision], text: str) -> Iterator[Decision]:
    """Yield the decisions whose infosets contain every word of a text; lower-case words match capitals, too.

    >>> import zerosum
    >>> [decision.infoset for decision in search_decisions(zerosum.solve("kuhn", iterations=1).decisions, "K bet")]
    ['K|check bet', 'K|bet']
    """
    words = text.split()
    for decision in decisions:
        name, lower = decision.infoset, decision.infoset.lower()
        if all(word in (lower if word == word.lower() else name) for word in words):
            yield decision
