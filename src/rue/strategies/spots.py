"""Strategies of hold'em spots: a saved result is one. Judged on the public form, in float64."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rue.algorithms.catalogue import algorithm as named_algorithm
from rue.errors import RueError
from rue.forms.public_tree import Choice, Floats, PublicTree
from rue.holdem.cards import hand_name
from rue.holdem.form import public_tree
from rue.holdem.saved import LOOKING, layout, load
from rue.holdem.solve import HoldemResult
from rue.holdem.spots import Spot
from rue.solvers.evaluate import Judged
from rue.solvers.public_solver import PublicSolver
from rue.solvers.warm import Warm
from rue.strategies.judge import WORST, HeadToHead, check_worst

SAME = ("board", "pot", "stack", "betting")
"""What a spot must share with the one that a strategy was solved for; the ranges may have other weights."""


@dataclass(frozen=True)
class SpotLoss:
    """What a player gives away with one hand at a decision of the first street; see `rue.strategies.judge.losses`."""

    player: int
    line: str
    hand: str
    reach: float
    """How often the hand gets there by the player's own actions, its weight in the range included."""
    loss: float
    """In chips a deal of the spot."""
    best: str
    actions: dict[str, float]


@dataclass(frozen=True)
class ExploitedSpot(Judged):
    """What a strategy of a spot is worth, in chips: `value` is that of the player out of position, net of half the pot.

    `first_street` is how much of each player's gain is given away before the next card comes; `worst` lists where.
    """

    game: str
    strategy: str
    pot: float
    big_blind: float
    infosets: int
    first_street: tuple[float, float]
    worst: tuple[SpotLoss, ...] = ()

    def summary(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        found = self.exploitability
        shares = {"exploitability_pot": found / self.pot, "exploitability_mbb": found / self.big_blind * 1000}
        return {**asdict(self), "nash_conv": self.nash_conv, "exploitability": found, **shares}


Given = HoldemResult | str | Path
"""What is taken for a strategy of a spot: a result, or the file that one was saved to."""


def exploit(spot: Spot, strategy: Given, *, worst: int = WORST, threads: int | None = None) -> ExploitedSpot:
    """The value of a strategy on a spot, what best responses win, and where most is given away on the first street.

    >>> import rue.holdem
    >>> river = rue.holdem.load_spot("river")
    >>> result = rue.holdem.solve(river, iterations=100)
    >>> found = rue.holdem.exploit(river, result)
    >>> abs(found.exploitability - result.exploitability) < 1e-6
    True
    """
    check_worst(worst)
    written = strategy_of(strategy)
    check_spot(spot, written)
    tree = written.solution.tree
    if any((given != own).any() for given, own in zip(spot.weights, written.spot.weights, strict=True)):
        tree = public_tree(spot, _isomorphic(tree))
    return exploit_tree(spot, tree, written, worst, threads)


def head_to_head(spot: Spot, strategy: Given, against: Given, *, threads: int | None = None) -> HeadToHead:
    """What a strategy wins against another: out of position (`first`), in position (`second`) and on average.

    Both values are net of half the pot, each of the range of its seat.
    """
    one, two = strategy_of(strategy), strategy_of(against)
    check_spot(spot, one)
    check_spot(spot, two)
    return meet(spot, public_tree(spot, _isomorphic(one.solution.tree)), one, two, threads)


def strategy_of(given: Given) -> HoldemResult:
    """A solved spot, whatever it is given as."""
    return given if isinstance(given, HoldemResult) else load(given)


def check_spot(spot: Spot, strategy: HoldemResult) -> None:
    """Refuse a strategy of another board, pot, stack or betting: its actions would mean something else."""
    for part in SAME:
        if getattr(spot, part) != getattr(strategy.spot, part):
            told = "the bets differ" if part == "betting" else f"the {part} differs"
            raise RueError(f"the strategy of {strategy.spot} does not fit {spot}: {told}")


def averages_on(tree: PublicTree, strategy: HoldemResult) -> tuple[Any, Any]:
    """The accumulated averages of a strategy, for a tree that must be stored in the same order."""
    own = strategy.solution.tree
    if own is not tree and layout(own) != layout(tree):
        why = "other hands are in the ranges"
        if _isomorphic(own) != _isomorphic(tree):
            why = "one of them stores every board (--no-isomorphism), the other does not"
        raise RueError(f"the strategy of {strategy.spot} does not fit this spot: {why}")
    return strategy.solution.solver.averages()


def warm_start(spot: Spot, tree: PublicTree, given: Given, weight: float) -> Warm:
    """A start of a run from a strategy."""
    strategy = strategy_of(given)
    check_spot(spot, strategy)
    return Warm(strategy.game, averages_on(tree, strategy), weight)


def exploit_tree(
    spot: Spot, tree: PublicTree, strategy: HoldemResult, worst: int = WORST, threads: int | None = None
) -> ExploitedSpot:
    """`exploit` on a tree that is built."""
    judge = _judge(tree, *averages_on(tree, strategy), threads)
    found = judge.evaluate()
    first = [_first_street(judge, player) for player in (0, 1)]
    listed = sorted((loss for _, losses in first for loss in losses), key=lambda loss: -loss.loss)[:worst]
    return ExploitedSpot(
        game=str(spot),
        strategy=f"{strategy.algorithm} on {strategy.game}",
        pot=spot.pot,
        big_blind=spot.big_blind,
        infosets=tree.infosets,
        value=found.value,
        gains=found.gains,
        first_street=(first[0][0], first[1][0]),
        worst=tuple(listed),
    )


def meet(spot: Spot, tree: PublicTree, one: HoldemResult, two: HoldemResult, threads: int | None = None) -> HeadToHead:
    """`head_to_head` on a tree that is built."""
    mine, theirs = averages_on(tree, one), averages_on(tree, two)
    first = float(_judge(tree, mine[0], theirs[1], threads).values(0).sum())
    second = float(_judge(tree, theirs[0], mine[1], threads).values(1).sum())
    mine_told, theirs_told = (f"{each.algorithm} on {each.game}" for each in (one, two))
    return HeadToHead(str(spot), mine_told, theirs_told, first, second)


def _isomorphic(tree: PublicTree) -> bool:
    return any(len(board.names) > 1 for board in tree.boards)


def _judge(tree: PublicTree, one: Any, two: Any, threads: int | None) -> PublicSolver:
    """A solver that holds two averages, to be evaluated."""
    solver = PublicSolver(tree, named_algorithm(LOOKING), 1, threads)
    for own, given in zip(solver.averages(), (one, two), strict=True):
        own[:] = given
    solver.iteration = 1
    return solver


def _first_street(judge: PublicSolver, player: int) -> tuple[float, list[SpotLoss]]:
    """What a player gives away before the next card, in all and by decision and hand."""
    tree = judge.form
    values = judge.rows(0, judge._entries[1 - player][None], player, best=True)
    reach: dict[int, Floats] = {0: np.ones(values.shape[1])}
    weights = tree.weights[player]
    total, found = 0.0, []
    for choice in tree.first.choices:
        if choice.player != player:
            continue
        sigma = judge.strategy(0, player, choice.first, len(choice.actions))
        here = reach[choice.parent]
        rows = values[choice.first : choice.first + len(choice.actions)]
        lost = here * (sigma * (rows.max(axis=0) - rows)).sum(axis=0)
        for action, chances in enumerate(sigma):
            reach[choice.first + action] = here * chances
        total += float(lost.sum())
        found += _losses(tree, choice, lost, here * weights, sigma, rows)
    return total, found


def _losses(
    tree: PublicTree, choice: Choice, lost: Floats, reach: Floats, sigma: Floats, rows: Floats
) -> list[SpotLoss]:
    hands = tree.board.hands[choice.player]
    return [
        SpotLoss(
            player=choice.player + 1,
            line=" ".join(choice.line),
            hand=hand_name(int(hands[k])),
            reach=float(reach[k]),
            loss=float(lost[k]),
            best=choice.actions[int(rows[:, k].argmax())],
            actions=dict(zip(choice.actions, sigma[:, k].tolist(), strict=True)),
        )
        for k in np.flatnonzero(lost > 0.0)
    ]
