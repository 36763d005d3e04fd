"""A card game solved by recursion over its public tree: the plain twin of `zerosum.engine.public.walk`.

A strategy is a matrix, (actions, hands), for each decision of each board; a reach and a value are vectors, a number for
each hand of a player on a board. The updates are those of `reference.Decision`, hand by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from reference import Decision, Rules, average_weights
from zerosum.engine.forms.public.rounds import ALLIN, FOLD, BettingDecision, Board, Round, RoundEnd, find_disjoint_hands
from zerosum.engine.forms.public.tree import PublicTree

Line = tuple[str, ...]
Key = tuple[Board, Line]
"""Where a decision stands: a board, and the betting so far with a slash for each deal."""


def end_values(end: RoundEnd, board: Board, player: int, opponent_reach: np.ndarray) -> np.ndarray:
    """The winnings of each hand of a player at an end, from the opponent's hands that share no card with it."""
    apart = find_disjoint_hands(*board.cards).astype(float)  # the first player's hands are the rows of all matrices
    if end.kind == FOLD:
        payoff = (-1 if end.folder == 0 else 1) * apart
    elif end.kind == ALLIN:
        payoff = board.equity.astype(float)
    else:
        payoff = np.sign(board.strengths[0][:, None] - board.strengths[1]) * apart
    matrix = end.amount * (payoff if player == 0 else -payoff.T) - end.rake * (apart if player == 0 else apart.T)
    return matrix @ opponent_reach


class PublicGame:
    """The recursion that learning and evaluating share, over a tree whose boards list their deals."""

    def __init__(self, tree: PublicTree) -> None:
        self.tree = tree

    def start(self) -> tuple[Round, Board, Line]:
        return self.tree.first, self.tree.board, ()

    def deals(self, end: RoundEnd, board: Board, before: Line) -> Iterator[tuple[Round, Board, Line]]:
        """The rounds that may follow a deal: the betting on each board that comes next."""
        for child in board.children:
            yield end.next_round, child, (*before, *end.line, "/")

    def node(self, betting: Round, line: Line) -> BettingDecision | RoundEnd:
        """The decision or the end that the actions of a round lead to."""
        return next(node for node in (*betting.choices, *betting.ends) if node.line == line)


class PublicWalk(PublicGame):
    """A run of an algorithm; `iterate` runs its iterations."""

    def __init__(self, tree: PublicTree, rules: Rules, n: int) -> None:
        super().__init__(tree)
        self.rules, self.n, self.t = rules, n, 0
        self.decisions: dict[Key, list[Decision]] = {}
        """One for each hand."""
        self.played: dict[Key, list[np.ndarray]] = {}
        """What each iteration adds to the average, but for its weight."""
        self.previous: list[dict[Key, np.ndarray] | None] = [None, None]
        """The opponent's strategies that each player met in the last iteration."""

    def sigma(self, board: Board, line: Line, choice: BettingDecision) -> np.ndarray:
        """The current strategy of a decision, (actions, hands)."""
        hands = len(board.hands[choice.player])
        if (board, line) not in self.decisions:
            self.decisions[board, line] = [Decision(self.rules, self.n, len(choice.actions)) for _ in range(hands)]
        return np.stack([decision.sigma for decision in self.decisions[board, line]], axis=1)

    def strategies(self, player: int) -> dict[Key, np.ndarray]:
        """A player's current strategies, of all decisions."""

        def visit(betting: Round, board: Board, before: Line) -> Iterator[tuple[Key, np.ndarray]]:
            for choice in betting.choices:
                if choice.player == player:
                    line = (*before, *choice.line)
                    yield (board, line), self.sigma(board, line, choice)
            for end in betting.deals:
                for following in self.deals(end, board, before):
                    yield from visit(*following)

        return dict(visit(*self.start()))

    def iterate(self) -> None:
        """One iteration: both players in turn, or both against the strategies from before it."""
        self.t += 1
        before = [self.strategies(player) for player in (0, 1)]
        for player in (self.rules.first - 1, 2 - self.rules.first):
            opponent = before[1 - player] if self.rules.simultaneous else self.strategies(1 - player)
            self.update(player, opponent)
            self.previous[player] = opponent

    def update(self, player: int, opponent: dict[Key, np.ndarray]) -> None:
        """A player's share of an iteration: regret and strategy of all decisions; the opponent's average grows."""
        rules, tree = self.rules, self.tree
        previous = self.previous[player] if rules.both_plans else None

        def visit(
            betting: Round,
            board: Board,
            before: Line,
            line: Line,
            reach: Any,
            old_reach: Any,
            own_reach: Any,
            weights: Any,
        ) -> tuple[np.ndarray, np.ndarray]:
            """The value of each hand of the player, and the same by the strategies just updated.

            `reach` is the opponent's, `old_reach` that of the last iteration (zero if the rule does not use it) and
            `own_reach` the player's; `weights` are those of the player's hands in the first range.
            """
            node, visits = self.node(betting, line), []
            if isinstance(node, RoundEnd):
                if node.next_round is None:
                    value = weights * end_values(node, board, player, reach + old_reach)
                    return value, value.copy()
                value, prediction = np.zeros(len(board.hands[player])), np.zeros(len(board.hands[player]))
                for following, child, after in self.deals(node, board, before):
                    mine, theirs = child.sources[0][player], child.sources[0][1 - player]
                    passed = (
                        board.chance * reach[theirs],
                        board.chance * old_reach[theirs],
                        own_reach[mine],
                        weights[mine],
                    )
                    below = visit(following, child, after, (), *passed)
                    for source in child.sources:  # isomorphic cards: the same value, at other hands
                        value[source[player]] += below[0]
                        prediction[source[player]] += below[1]
                return value, prediction
            key = board, (*before, *line)
            if node.player != player:
                sigma = opponent[key]
                old_sigma = sigma if previous is None else previous[key]
                if rules.b is None:
                    self.played.setdefault(key, []).append(reach * sigma)
                for a, action in enumerate(node.actions):
                    passed = reach * sigma[a], old_reach * old_sigma[a], own_reach, weights
                    visits.append(visit(betting, board, before, (*line, action), *passed))
                return sum(value for value, _ in visits), sum(prediction for _, prediction in visits)
            sigma = self.sigma(board, key[1], node)
            for a, action in enumerate(node.actions):
                passed = reach, old_reach, own_reach * sigma[a], weights
                visits.append(visit(betting, board, before, (*line, action), *passed))
            q, m = (np.array(values) for values in zip(*visits, strict=True))
            r = q - (sigma * q).sum(axis=0)
            predicted = {"none": None, "last": r, "propagated": m - (sigma * m).sum(axis=0)}[rules.prediction]
            action_weights = np.ones_like(r)
            for hand, decision in enumerate(self.decisions[key]):
                prediction = None if predicted is None else predicted[:, hand]
                action_weights[:, hand] = decision.update(r[:, hand], prediction, self.t)
            if rules.b is not None:  # ecfr eq. 11: the weights of the actions are those of this iteration's regret
                self.played.setdefault(key, []).append(action_weights * own_reach * sigma)
            new_sigma = self.sigma(board, key[1], node)
            return ((new_sigma if rules.instant else sigma) * q).sum(axis=0), (new_sigma * m).sum(axis=0)

        betting, board, before = self.start()
        entering = tree.weights[1 - player] / tree.total_weight
        old_entering = np.zeros_like(entering) if previous is None else entering
        visit(
            betting, board, before, (), entering, old_entering, np.ones(len(tree.weights[player])), tree.weights[player]
        )

    def average(self, key: Key) -> np.ndarray:
        """The accumulated average of a decision, (actions, hands); a strategy once normalized over the actions."""
        weights = average_weights(self.rules, self.t, self.n)
        return sum(weight * played for weight, played in zip(weights, self.played[key], strict=True))


class PublicEvaluation(PublicGame):
    """The value of a pair of strategies, with a matrix for every decision."""

    def __init__(self, tree: PublicTree, strategies: dict[Key, np.ndarray]) -> None:
        super().__init__(tree)
        self.strategies = strategies

    def hand_values(self, player: int, best: bool) -> np.ndarray:
        """The value of each hand of the first board for a player, by a best response or by the player's strategy."""
        tree = self.tree

        def visit(betting: Round, board: Board, before: Line, line: Line, reach: Any, weights: Any) -> np.ndarray:
            node = self.node(betting, line)
            if isinstance(node, RoundEnd):
                if node.next_round is None:
                    return weights * end_values(node, board, player, reach)
                value = np.zeros(len(board.hands[player]))
                for following, child, after in self.deals(node, board, before):
                    mine, theirs = child.sources[0][player], child.sources[0][1 - player]
                    below = visit(following, child, after, (), board.chance * reach[theirs], weights[mine])
                    for source in child.sources:
                        value[source[player]] += below
                return value
            sigma = self.strategies[board, (*before, *line)]
            passed = [reach if node.player == player else reach * chance for chance in sigma]
            values = np.array(
                [
                    visit(betting, board, before, (*line, action), passed[a], weights)
                    for a, action in enumerate(node.actions)
                ]
            )
            if node.player != player:
                return values.sum(axis=0)
            return values.max(axis=0) if best else (sigma * values).sum(axis=0)

        betting, board, before = self.start()
        return visit(betting, board, before, (), tree.weights[1 - player] / tree.total_weight, tree.weights[player])
