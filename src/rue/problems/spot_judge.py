"""Strategies of hold'em spots: a saved result is one. Judged on the public form, in float64."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.errors import RueError
from rue.forms.lines import Given
from rue.forms.public_tree import PublicTree
from rue.forms.treeplex import Floats
from rue.holdem.cards import hand_name
from rue.holdem.spots import Spot
from rue.problems.judge import Exploited, HeadToHead, Judging, Loss
from rue.records import dataclass
from rue.results.price import LockPrice
from rue.results.range_decision import PLAYERS
from rue.results.spot import SpotResult, chips
from rue.results.unit import Unit
from rue.solvers.public_solver import PublicSolver
from rue.words import short

SAME = ("board", "pot", "stack", "betting")
"""What a spot must share with the one that a strategy was solved for; the ranges may have other weights, and the house
may take another rake."""


@dataclass(frozen=True, kw_only=True)
class HandLoss(Loss):
    """What is given away with one hand at a decision of the first street."""

    line: str
    hand: str

    @property
    def place(self) -> dict[str, str]:
        return {"player": PLAYERS[self.player - 1], "after": self.line or "the start", "hand": self.hand}


@dataclass(frozen=True, kw_only=True, repr=False)
class ExploitedSpot(Exploited):
    """What a strategy of a spot is worth, in chips: `value` is that of the player out of position, net of half the pot.

    `first_street` is how much of each player's gain is given away before the next card comes; `worst` lists where.
    """

    pot: float
    big_blind: float
    first_street: tuple[float, float]
    rake: float = 0.0
    """What the house takes on average."""
    reach_told: ClassVar[bool] = False

    @property
    def unit(self) -> Unit:
        return chips(self.pot, self.big_blind)

    @property
    def seats(self) -> tuple[str, str]:
        return PLAYERS

    @property
    def value_told(self) -> str:
        other = f"; in position {-self.value - self.rake:+.2f}, rake {self.rake:.2f}" if self.rake else ""
        return f"{self.value:+.2f} chips   (out of position, net of half the pot{other})"

    @property
    def worst_told(self) -> str:
        """What is given away on the first street, in words."""
        before = self.first_street[0] + self.first_street[1]
        return (
            f"of the {short(self.nash_conv)} chips that both could gain, {short(before)} are given away on this street"
        )

    def summary(self) -> dict[str, Any]:
        found = self.exploitability
        shares = {"exploitability_pot": found / self.pot, "exploitability_mbb": found / self.big_blind * 1000}
        return {**super().summary(), **shares}


class SpotMeeting(HeadToHead):
    """What a strategy of a spot wins against another, in chips net of half the pot, each of the range of its seat."""

    seats = PLAYERS
    unit = " chips"


def check_spot(spot: Spot, strategy: SpotResult) -> None:
    """Refuse a strategy of another board, pot, stack or betting: its actions would mean something else."""
    for part in SAME:
        if getattr(spot, part) != getattr(strategy.spot, part):
            told = "the bets differ" if part == "betting" else f"the {part} differs"
            raise RueError(f"the strategy of {strategy.spot} does not fit {spot}: {told}")


def averages_on(tree: PublicTree, strategy: SpotResult) -> tuple[Any, Any]:
    """The accumulated averages of a strategy, for a tree that must be stored in the same order."""
    own = strategy.solution.tree
    if own is not tree and own.fingerprint != tree.fingerprint:
        why = "other hands are in the ranges"
        if own.suits != tree.suits:
            why = "one of them tells suits apart (isomorphism=False, --no-isomorphism, or locks) and the other does not"
        raise RueError(f"the strategy of {strategy.spot} does not fit this spot: {why}")
    return strategy.solution.solver.averages()


def exploit_tree(
    spot: Spot, tree: PublicTree, strategy: SpotResult, how: Judging, given: Given | None = None
) -> ExploitedSpot:
    """What a strategy is worth on the tree of a spot; what is given is played in its place."""
    judge = judge_with(tree, averages_on(tree, strategy), how.threads, given)
    found = judge.evaluate()
    first = [_first_street(judge, player) for player in (0, 1)]
    listed = sorted((loss for _, losses in first for loss in losses), key=lambda loss: -loss.loss)[: how.worst]
    return ExploitedSpot(
        game=str(spot),
        strategy=f"{strategy.algorithm} on {strategy.game}",
        pot=spot.pot,
        big_blind=spot.big_blind,
        infosets=tree.infosets,
        value=found.value,
        gains=found.gains,
        rake=found.rake,
        first_street=(first[0][0], first[1][0]),
        worst=tuple(listed),
        solved_locked=strategy.locks,
    )


def meet(
    spot: Spot, tree: PublicTree, both: tuple[SpotResult, SpotResult], threads: int | None, given: Given | None = None
) -> SpotMeeting:
    """What a strategy wins against another on the tree of a spot; what is given is played in their place."""
    one, two = both
    mine, theirs = averages_on(tree, one), averages_on(tree, two)
    first = float(judge_with(tree, (mine[0], theirs[1]), threads, given).values(0).sum())
    second = float(judge_with(tree, (theirs[0], mine[1]), threads, given).values(1).sum())
    mine_told, theirs_told = (f"{each.algorithm} on {each.game}" for each in (one, two))
    return SpotMeeting(str(spot), mine_told, theirs_told, first, second)


def check_unlocked(spot: Spot, before: Any) -> None:
    """Refuse what is no solution of a spot without locks."""
    if not isinstance(before, SpotResult):
        raise RueError("the solution without locks must be a saved run, or a result, of the same spot")
    check_spot(spot, before)
    if any((one != two).any() for one, two in zip(spot.weights, before.spot.weights, strict=True)):
        raise RueError("the solution without locks has other ranges than the spot")
    if before.locks:
        raise RueError(f"the solution without locks has a lock itself: {before.locks[0]}")


def price_on(tree: PublicTree, before: SpotResult, given: Given) -> LockPrice:
    """What locks cost, by the solution without them; the value of the locked game is still missing.

    What is known if nobody or one player adapts needs that solution to be stored like the locked spot.
    """
    players = tuple(sorted({player + 1 for _, player, _ in given}))
    own = before.solution.tree
    unlocked = before.value, -before.value - before.rake
    if own is not tree and own.fingerprint != tree.fingerprint:
        return LockPrice(players, unlocked)
    found = judge_with(tree, before.solution.solver.averages(), given=given).evaluate()
    values = found.value, -found.value - found.rake
    return LockPrice(players, unlocked, values, (values[0] + found.gains[0], values[1] + found.gains[1]))


def judge_with(
    tree: PublicTree, averages: tuple[Any, Any], threads: int | None = None, given: Given | None = None
) -> PublicSolver:
    """A solver that holds two averages, to be evaluated."""
    solver = PublicSolver(tree, Algorithm(), 1, threads, given=given)
    solver.set_averages(*averages)
    solver.iteration = 1
    return solver


def _first_street(judge: PublicSolver, player: int) -> tuple[float, list[HandLoss]]:
    """What a player gives away before the next card, in all and by decision and hand."""
    tree = judge.form
    values = judge.rows(0, judge.entries[1 - player][None], player, best=True)
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
        if (0, player, choice.first) in judge.given:
            lost = np.where(np.isnan(judge.given[0, player, choice.first][0]), lost, 0.0)
        for action, chances in enumerate(sigma):
            reach[choice.first + action] = here * chances
        total += float(lost.sum())
        found += [
            HandLoss(
                player=player + 1,
                line=" ".join(choice.line),
                hand=hand_name(int(tree.board.hands[player][k])),
                reach=float(here[k] * weights[k]),
                loss=float(lost[k]),
                best=choice.actions[int(rows[:, k].argmax())],
                actions=dict(zip(choice.actions, sigma[:, k].tolist(), strict=True)),
            )
            for k in np.flatnonzero(lost > 0.0)
        ]
    return total, found
