"""The approximate size of a game, from a few walks down its tree, without enumerating it.

The walk is Chen's heterogeneous sampling (SIAM J. Comput. 21, 1992). Histories of one depth with the same player to
move and the same number of actions form a stratum, which is represented by one of them; it is drawn in proportion to
the number of histories that each candidate represents. The sums over strata are unbiased for any strata, and exact
where the histories of a stratum have subtrees of equal size.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from typing import Any

from zerosum.games.game import CHANCE, TERMINAL, Game

WALKS = 8
STEPS = 20_000
"""Histories that the first walk may visit, and that all walks after it may visit together."""
Stratum = tuple[int, int]
"""The player to move, and the number of actions."""


@dataclass(frozen=True)
class ApproximateSize:
    """The approximate numbers of histories, of ends with a payoff other than 0, and of decisions of a game.

    >>> from zerosum.games.catalogue import create_game
    >>> size = probe_size(create_game("liars-dice"))
    >>> abs(size.histories / 294_883 - 1) < 0.02
    True
    """

    histories: float
    paying: float
    """Ends with a payoff other than 0, which are the entries that the payoff matrix is summed from."""
    decisions: float
    """Decisions of both players; the number of infosets is no larger."""
    complete: bool = True
    """Whether the walks reached the end of the game; if not, the game is larger than these numbers."""


def probe_size(game: Game) -> ApproximateSize:
    """Estimate the size of a game; the result is always the same for the same rules."""
    sizes: list[ApproximateSize] = []
    draws, visited = random.Random(1), 0
    while len(sizes) < WALKS and (not sizes or visited + visited / len(sizes) <= STEPS):
        size, count = _walk_down(game, draws)
        sizes.append(size)
        visited += count
        if not size.complete:
            return replace(sizes[0], complete=False)
    return ApproximateSize(
        histories=math.fsum(size.histories for size in sizes) / len(sizes),
        paying=math.fsum(size.paying for size in sizes) / len(sizes),
        decisions=math.fsum(size.decisions for size in sizes) / len(sizes),
    )


def _walk_down(game: Game, draws: random.Random) -> tuple[ApproximateSize, int]:
    """Walk down level by level; return the size of the game and the number of histories visited."""
    root = game.root()
    level: dict[Stratum, tuple[float, Any]] = {_find_stratum(game, root): (1.0, root)}
    histories = paying = decisions = 0.0
    visited = 0
    while level and visited <= STEPS:
        below: dict[Stratum, tuple[float, Any]] = {}
        for (player, _), (weight, state) in level.items():
            histories += weight
            if player == TERMINAL:
                payoff = game.payoff(state)
                pays = payoff[0] != payoff[1] if isinstance(payoff, tuple) else payoff != 0
                paying += weight if pays else 0.0
                continue
            if player == CHANCE:
                moves = [outcome for outcome, chance in game.chances(state) if chance > 0]
            else:
                moves = list(game.actions(state))
                decisions += weight
            for child in [game.child(state, move) for move in moves]:
                stratum = _find_stratum(game, child)
                represented, representative = below.get(stratum, (0.0, None))
                total = represented + weight
                below[stratum] = total, child if draws.random() * total < weight else representative
            visited += len(moves)
        level = below
    return ApproximateSize(histories, paying, decisions, complete=not level), visited


def _find_stratum(game: Game, state: Any) -> Stratum:
    player = game.player(state)
    if player == TERMINAL:
        return player, 0
    return player, len(game.chances(state)) if player == CHANCE else len(game.actions(state))
