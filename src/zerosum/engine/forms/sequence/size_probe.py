"""About how large a game is, from a few walks down its tree: before anybody enumerates it.

The walk is Chen's heterogeneous sampling (SIAM J. Comput. 21, 1992). Histories of one depth that look alike (the same
player to move with as many actions) form a stratum, in which one of them stands for all; it is drawn in proportion to
how many each candidate stands for. The sums over strata are unbiased whatever the strata are, and exact where alike
histories have equally large subtrees.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any

from zerosum.games.game import CHANCE, ONE, TERMINAL, TWO, Game

WALKS = 8
STEPS = 20_000
"""Histories that all walks after the first may visit together, and that the first may visit."""
Stratum = tuple[int, int]
"""Who moves, and between how many actions."""


@dataclass(frozen=True)
class ApproximateSize:
    """About how many histories, ends that pay anything and decisions a game has.

    >>> from zerosum.games.catalogue import create_game
    >>> size = probe_size(create_game("liars-dice"))
    >>> abs(size.histories / 294_883 - 1) < 0.02
    True
    """

    histories: float
    paying: float
    """Ends at which something is paid, which the payoff matrix is summed up from."""
    decisions: float
    """Decisions of both players: no fewer than infosets."""
    complete: bool = True
    """Whether the walks got to the end of the game; if not, it is larger than they say."""


def probe_size(game: Game) -> ApproximateSize:
    """Estimate the size of a game; the result is always the same for the same rules."""
    counts: list[tuple[float, float, float]] = []
    draws, steps = random.Random(1), 0
    while len(counts) < WALKS and (not counts or steps + steps / len(counts) <= STEPS):
        walk = _StratifiedWalk(game, draws)
        counts.append(walk.count())
        steps += walk.steps
        if not walk.complete:
            return ApproximateSize(*counts[0], complete=False)
    histories, paying, decisions = (math.fsum(column) / len(counts) for column in zip(*counts, strict=True))
    return ApproximateSize(histories, paying, decisions)


class _StratifiedWalk:
    """One walk down, level by level."""

    def __init__(self, game: Game, draws: random.Random) -> None:
        self.game, self.draws = game, draws
        self.steps = 0
        self.complete = True

    def count(self) -> tuple[float, float, float]:
        """Histories, paying ends and decisions, as far as it got."""
        level = {self._stratum(root := self.game.root()): (1.0, root)}
        histories = paying = decisions = 0.0
        while level:
            below: dict[Stratum, tuple[float, Any]] = {}
            for (player, _), (weight, state) in level.items():
                histories += weight
                if player == TERMINAL:
                    paying += weight if self._pays(state) else 0.0
                    continue
                decisions += weight if player in (ONE, TWO) else 0.0
                for child in self._children(player, state):
                    self._enter(below, weight, child)
            if self.steps > STEPS:
                self.complete = False
                break
            level = below
        return histories, paying, decisions

    def _children(self, player: int, state: Any) -> list[Any]:
        game = self.game
        if player == CHANCE:
            return [game.child(state, outcome) for outcome, chance in game.chances(state) if chance > 0]
        return [game.child(state, action) for action in game.actions(state)]

    def _enter(self, level: dict[Stratum, tuple[float, Any]], weight: float, state: Any) -> None:
        """Add a history of a weight to its stratum; it may become the representative of the stratum."""
        self.steps += 1
        stratum = self._stratum(state)
        before, representative = level.get(stratum, (0.0, None))
        total = before + weight
        level[stratum] = total, state if self.draws.random() * total < weight else representative

    def _stratum(self, state: Any) -> Stratum:
        player = self.game.player(state)
        if player == TERMINAL:
            return player, 0
        return player, len(self.game.chances(state)) if player == CHANCE else len(self.game.actions(state))

    def _pays(self, state: Any) -> bool:
        payoff = self.game.payoff(state)
        return payoff != 0 if not isinstance(payoff, tuple) else payoff[0] != payoff[1]
