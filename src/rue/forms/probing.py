"""About how large a game is, from a few walks down its tree: before anybody enumerates it.

The walk is Chen's heterogeneous sampling (SIAM J. Comput. 21, 1992). Histories of one depth that look alike (the same
player to move with as many actions) form a stratum, in which one of them stands for all; it is drawn in proportion to
how many each candidate stands for. The sums over strata are unbiased whatever the strata are, and exact where alike
histories have equally large subtrees.
"""

from __future__ import annotations

import math
import random
from typing import Any

from rue.games.game import CHANCE, NOBODY, ONE, TWO, Game
from rue.records import dataclass

WALKS = 8
STEPS = 20_000
"""Histories that the walks may look at, all together, after the first walk; and the first alone at most."""
Stratum = tuple[int, int]
"""Who moves, and between how many actions."""


@dataclass(frozen=True)
class Size:
    """About how many histories, ends that pay anything and decisions a game has.

    >>> from rue.games.catalogue import make
    >>> size = sized(make("liars-dice"))
    >>> abs(size.histories / 294_883 - 1) < 0.02
    True
    """

    histories: float
    paying: float
    """Ends at which something is paid, which the payoff matrix is summed up from."""
    decisions: float
    """Of both players: at least as many as infosets."""
    complete: bool = True
    """Whether the walks got to the end of the game; if not, it is larger than they say."""


def sized(game: Game) -> Size:
    """About how large a game is; the same for the same rules."""
    found: list[tuple[float, float, float]] = []
    draws, steps = random.Random(1), 0
    while len(found) < WALKS and (not found or steps + steps / len(found) <= STEPS):
        walk = _Walk(game, draws)
        found.append(walk.count())
        steps += walk.steps
        if not walk.complete:
            return Size(*found[0], complete=False)
    histories, paying, decisions = (math.fsum(each) / len(found) for each in zip(*found, strict=True))
    return Size(histories, paying, decisions)


class _Walk:
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
                if player == NOBODY:
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
        """A history that stands for so many joins its stratum, and may become the one that stands for it."""
        self.steps += 1
        stratum = self._stratum(state)
        before, known = level.get(stratum, (0.0, None))
        total = before + weight
        level[stratum] = total, state if self.draws.random() * total < weight else known

    def _stratum(self, state: Any) -> Stratum:
        player = self.game.player(state)
        if player == NOBODY:
            return player, 0
        return player, len(self.game.chances(state)) if player == CHANCE else len(self.game.actions(state))

    def _pays(self, state: Any) -> bool:
        payoff = self.game.payoff(state)
        return payoff != 0 if not isinstance(payoff, tuple) else payoff[0] != payoff[1]
