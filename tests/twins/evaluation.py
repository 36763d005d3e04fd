"""The worth of two strategies by recursion over histories: the twin of `zerosum.engine.sequence.walk`."""

from __future__ import annotations

from typing import Any

from reference import CHANCE, START, TERMINAL, Node, Strategy, gradient

Strategies = tuple[Strategy, Strategy]


def value(node: Node, strategies: Strategies) -> float:
    """The value of a history for the first player."""
    if node.player == TERMINAL:
        return node.payoff
    if node.player == CHANCE:
        probabilities = node.probabilities
    else:
        probabilities = [strategies[node.player][node.infoset][action] for action in node.actions]
    return sum(p * value(child, strategies) for p, child in zip(probabilities, node.children, strict=True))


def plan(root: Node, player: int, strategy: Strategy) -> dict[Any, float]:
    """The product of a player's own probabilities up to each sequence."""
    reach = {START: 1.0}

    def visit(node: Node, sequence: Any) -> None:
        for action, child in zip(node.actions, node.children, strict=True):
            after = sequence
            if node.player == player:
                after = (node.infoset, action)
                reach[after] = reach[sequence] * strategy[node.infoset][action]
            visit(child, after)

    visit(root, START)
    return reach


def best_response_value(root: Node, player: int, opponent_strategy: Strategy) -> float:
    """The value of a best response for a player: v[I] = max over a of g[I, a] + the sum of v[J] that follow (I, a)."""
    g = gradient(root, player, plan(root, 1 - player, opponent_strategy))
    following: dict[Any, dict[Any, tuple[Any, ...]]] = {}

    def collect(node: Node, sequence: Any) -> None:
        if node.player == player:
            following.setdefault(sequence, {})[node.infoset] = node.actions
        for action, child in zip(node.actions, node.children, strict=True):
            collect(child, (node.infoset, action) if node.player == player else sequence)

    def best(sequence: Any) -> float:
        infosets = following.get(sequence, {}).items()
        return g.get(sequence, 0.0) + sum(max(best((infoset, a)) for a in actions) for infoset, actions in infosets)

    collect(root, START)
    return best(START)
