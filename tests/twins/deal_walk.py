"""Sampled walks with dealt hands over a public tree: the plain twin of `zerosum.engine.sampling.deal_walk`.

The same seed makes the same draws as the kernel, so that regrets and averages agree. Numbers stand in dictionaries
keyed by player, board, line and hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from zerosum.engine.forms.public.rounds import ALLIN, FOLD, BettingDecision, Board, Round, RoundEnd, find_disjoint_hands
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.sampling.deal_tables import build_alias_table

Line = tuple[str, ...]


class Position(NamedTuple):
    """Where a walk stands: the betting of a street, how many public cards were dealt, and the lines so far."""

    betting: Round
    level: int
    before: Line
    line: Line


class DealWalk:
    """A run of walks; `uniform` draws from [0, 1)."""

    def __init__(self, tree: PublicTree, uniform: Any, explore: float = 0.0, step: float = 0.0) -> None:
        self.tree, self.uniform, self.explore, self.step = tree, uniform, explore, step
        self.regret: dict[Any, np.ndarray] = {}
        self.average: dict[Any, np.ndarray] = {}
        self.baseline: dict[Any, np.ndarray] = {}
        self.touched = 0
        self.player = 0
        self.boards: list[Board] = []
        self.hands: list[tuple[int, int]] = []

    def walk(self, kind: str, player: int) -> None:
        """Deal, and walk the betting once for a player."""
        self.player = player
        self.deal()
        self.touched += 1
        start = Position(self.tree.first, 0, (), ())
        if kind == "external":
            self.external(start)
        elif kind == "outcome":
            self.outcome(start, 1.0)
        else:
            self.chance(start, 1.0, 1.0)

    # The deal.

    def deal(self) -> None:
        """Draw two hands that share no card by their weights, then public cards that neither hand holds."""
        board = self.tree.board
        apart = find_disjoint_hands(*board.cards)
        while True:
            hands = [self.draw_hand(weights) for weights in self.tree.weights]
            if apart[hands[0], hands[1]]:
                break
        self.boards, self.hands = [board], [(hands[0], hands[1])]
        while board.children:
            cards = [(child, source) for child in board.children for source in child.sources]
            while True:
                child, sources = cards[int(self.uniform() * len(cards))]
                if all(hand in source for hand, source in zip(hands, sources, strict=True)):
                    break
            hands = [int(np.flatnonzero(source == hand)[0]) for hand, source in zip(hands, sources, strict=True)]
            board = child
            self.boards.append(board)
            self.hands.append((hands[0], hands[1]))

    def draw_hand(self, weights: Any) -> int:
        """A hand in proportion to the weights, by the alias method."""
        keep, alias = build_alias_table(weights)
        x = self.uniform() * len(weights)
        hand = int(x)
        return hand if x - hand < keep[hand] else int(alias[hand])

    # The table.

    def key(self, position: Position, player: int) -> Any:
        """The infoset of a player: of hands that only differ by interchangeable suits, the first."""
        board, hand = self.boards[position.level], self.hands[position.level][player]
        hand = hand if board.representatives is None else int(board.representatives[player][hand])
        return player, board, (*position.before, *position.line), hand

    def sigma(self, key: Any, actions: int) -> np.ndarray:
        """Regret matching."""
        regret = self.regret.setdefault(key, np.zeros(actions))
        positive = np.maximum(regret, 0.0)
        return positive / positive.sum() if positive.sum() > 0.0 else np.full(actions, 1.0 / actions)

    def add(self, table: dict[Any, np.ndarray], key: Any, numbers: np.ndarray) -> None:
        """Add to the regrets or to the average of an infoset."""
        table[key] = table.get(key, 0.0) + numbers

    # The tree.

    def node(self, position: Position) -> BettingDecision | RoundEnd:
        """The node at a position; a deal is skipped, to the betting on the next board."""
        nodes = (*position.betting.choices, *position.betting.ends)
        return next(node for node in nodes if node.line == position.line)

    def enter(self, position: Position) -> tuple[Position, BettingDecision | RoundEnd]:
        """Advance through deals and count every node."""
        node = self.node(position)
        self.touched += 1
        if isinstance(node, RoundEnd) and node.next_round is not None:
            before = (*position.before, *position.line, "/")
            return self.enter(Position(node.next_round, position.level + 1, before, ()))
        return position, node

    def after(self, position: Position, action: str) -> Position:
        """The position after an action."""
        return position._replace(line=(*position.line, action))

    def payoff(self, position: Position, end: RoundEnd) -> float:
        """The winnings of the learner at an end."""
        board, (hand, opponent) = self.boards[position.level], self.hands[position.level]
        if end.kind == FOLD:
            won = -1.0 if end.folder == 0 else 1.0
        elif end.kind == ALLIN:
            won = float(board.equity[hand, opponent])
        else:
            won = float(np.sign(board.strengths[0][hand] - board.strengths[1][opponent]))
        return end.amount * (-won if self.player else won) - end.rake

    # The three ways to sample.

    def pick(self, sigma: Sequence[float]) -> int:
        """A sampled action."""
        return min(int(np.searchsorted(np.cumsum(sigma), self.uniform(), "right")), int(np.flatnonzero(sigma)[-1]))

    def external(self, start: Position) -> None:
        """The learner takes every action, the opponent's is drawn: R += u[a] - u, the opponent's average += sigma.

        Draws happen breadth-first, so the learner's decisions are put in a list as they are met.
        """
        decisions: list[tuple[Position, BettingDecision, list[Any]]] = []

        def advance(position: Position) -> float | int:
            """Go on to the learner's next decision and return its number, or to an end and return its payoff."""
            position, node = self.enter(position)
            if isinstance(node, RoundEnd):
                return self.payoff(position, node)
            if node.player == self.player:
                decisions.append((position, node, []))
                return len(decisions) - 1
            key = self.key(position, node.player)
            sigma = self.sigma(key, len(node.actions))
            self.add(self.average, key, sigma)
            return advance(self.after(position, node.actions[self.pick(sigma)]))

        advance(start)
        for position, choice, results in decisions:
            results += [advance(self.after(position, action)) for action in choice.actions]
        values: dict[int, float] = {}
        for number, (position, choice, results) in reversed(list(enumerate(decisions))):
            key = self.key(position, self.player)
            sigma = self.sigma(key, len(choice.actions))
            u = np.array([values[result] if isinstance(result, int) else result for result in results])
            values[number] = float(sigma @ u)
            self.add(self.regret, key, u - values[number])

    def outcome(self, position: Position, weight: float) -> float:
        """One line, drawn with exploration at the learner's decisions; `weight` is one over their probabilities.

        On the way back, with baselines b (Schmid et al. 2019): u[a] = b[a] + (u - b[a])/s[a] for the sampled action,
        b[a] for the others.
        """
        position, node = self.enter(position)
        if isinstance(node, RoundEnd):
            return self.payoff(position, node)
        key, actions, mine = self.key(position, node.player), len(node.actions), node.player == self.player
        sigma, sign = self.sigma(key, actions), 1.0 - 2.0 * self.player
        if mine:
            x = self.uniform()
            action = min(int(x / self.explore * actions), actions - 1) if x < self.explore else self.pick(sigma)
            sampled = self.explore / actions + (1.0 - self.explore) * sigma[action]
        else:
            action = self.pick(sigma)
            sampled = sigma[action]
            self.add(self.average, key, weight * sigma)
        after = self.after(position, node.actions[action])
        u = self.outcome(after, weight / sampled if mine else weight)
        baseline = self.baseline.setdefault(key, np.zeros(actions))
        values = sign * baseline
        values[action] += (u - values[action]) / sampled
        if mine:
            self.add(self.regret, key, weight * (values - sigma @ values))
        baseline[action] += self.step * sign * (u - sign * baseline[action])
        return float(sigma @ values)

    def chance(self, position: Position, mine: float, other: float) -> float:
        """Every action of both, with their reaches: R += other * (u[a] - u), the learner's average += mine * sigma."""
        position, node = self.enter(position)
        if isinstance(node, RoundEnd):
            return self.payoff(position, node)
        key = self.key(position, node.player)
        sigma = self.sigma(key, len(node.actions))
        after = [self.after(position, action) for action in node.actions]
        if node.player != self.player:
            return float(sum(s * self.chance(next_, mine, other * s) for s, next_ in zip(sigma, after, strict=True)))
        u = np.array([self.chance(next_, mine * s, other) for s, next_ in zip(sigma, after, strict=True)])
        self.add(self.average, key, mine * sigma)
        self.add(self.regret, key, other * (u - sigma @ u))
        return float(sigma @ u)
