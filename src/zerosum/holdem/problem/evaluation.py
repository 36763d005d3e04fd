"""What strategies of spots are worth: best responses, head to head, the cost of locks; in float64."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.forms.public.lines import FixedDecisions
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.engine.public.saved_solution import EVALUATION_ONLY
from zerosum.engine.public.solver import PublicSolver
from zerosum.holdem.betting.sizes import PLAYER_NAMES
from zerosum.holdem.cards.cards import hand_name
from zerosum.holdem.problem.strategy_fit import averages_from_strategy, check_strategy, is_written
from zerosum.holdem.solution.result import SpotResult, chips
from zerosum.holdem.solution.solution import Solution
from zerosum.holdem.spots.spot import Spot
from zerosum.problems.codec import RunOutcome, run_numbers
from zerosum.problems.evaluation import EvaluationOptions, StrategyEvaluation
from zerosum.problems.options import Fill
from zerosum.results.exploitability import ExploitReport, HeadToHead, Loss
from zerosum.results.lock_cost import LockPrice
from zerosum.results.payoff_unit import Unit
from zerosum.results.strategy import StrategySource
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.text import format_number

if TYPE_CHECKING:
    from zerosum.holdem.problem.problem import SpotProblem


@dataclass(frozen=True, kw_only=True)
class HandLoss(Loss):
    """What is given away with one hand at a decision of the first street."""

    line: str
    hand: str

    @property
    def place(self) -> dict[str, str]:
        return {"player": PLAYER_NAMES[self.player - 1], "after": self.line or "the start", "hand": self.hand}


@dataclass(frozen=True, kw_only=True, repr=False)
class SpotExploitReport(ExploitReport):
    """What a strategy of a spot is worth, in chips: `value` is that of the player out of position, net of half the pot.

    `first_street` is how much of each player's gain is given away before the next card comes; `worst` lists where.
    """

    pot: float
    big_blind: float
    first_street: tuple[float, float]
    rake: float = 0.0
    """What the house takes on average."""
    shows_reach: ClassVar[bool] = False

    @property
    def unit(self) -> Unit:
        return chips(self.pot, self.big_blind)

    @property
    def seats(self) -> tuple[str, str]:
        return PLAYER_NAMES

    @property
    def value_text(self) -> str:
        other = f"; in position {-self.value - self.rake:+.2f}, rake {self.rake:.2f}" if self.rake else ""
        return f"{self.value:+.2f} chips   (out of position, net of half the pot{other})"

    @property
    def losses_text(self) -> str:
        """What is given away on the first street, in words."""
        before = self.first_street[0] + self.first_street[1]
        share = f"{format_number(before)} are given away on this street"
        return f"of the {format_number(self.nash_conv)} chips that both could gain, {share}"

    def summary(self) -> dict[str, Any]:
        shares = {
            "exploitability_pot": self.exploitability / self.pot,
            "exploitability_mbb": self.exploitability / self.big_blind * 1000,
        }
        return {**super().summary(), **shares}


class SpotHeadToHead(HeadToHead):
    """Winnings of a strategy of a spot against another, in chips net of half the pot, for the range of each seat."""

    seats = PLAYER_NAMES
    unit = " chips"


class SpotEvaluation(StrategyEvaluation):
    """What strategies of a spot are worth. The ranges may have other weights than those they were solved for."""

    def __init__(self, problem: SpotProblem) -> None:
        self.problem = problem

    def check(self, strategy: StrategySource, options: EvaluationOptions) -> None:
        if self.problem.storage.half:
            raise ZerosumError(f"the 16-bit store is for runs: evaluate strategies without {option_name('half')}")
        self.check_strategy(strategy, options.fill)

    def check_strategy(self, strategy: StrategySource, fill: Fill | None) -> None:
        """Refuse a strategy that does not fit the spot, as far as that is clear before anything is built."""
        if is_written(strategy):
            check_strategy(self.problem.spot, strategy)  # type: ignore[arg-type]
            return
        if fill is not None:
            raise ZerosumError(
                f"{option_name('fill')} applies to strategies read from a file: a saved run has a strategy everywhere"
            )
        self.problem.spot.check_same_game(strategy.spot)  # type: ignore[attr-defined]

    def as_result(self, strategy: StrategySource, fill: Fill | None) -> SpotResult:
        """Return a strategy as a solved spot: as it is, or with what a file says as the averages of a solver."""
        if isinstance(strategy, SpotResult):
            return strategy
        problem, tree = self.problem, self.problem.build()
        solver = PublicSolver(tree, EVALUATION_ONLY, 1)
        solver.set_averages(*averages_from_strategy(tree, problem.spot, strategy, fill))  # type: ignore[arg-type]
        solver.iteration = 1
        fields = {**run_numbers(solver, RunOutcome((), 0.0, "exact")), "algorithm": strategy.source}
        fields |= {"game": problem.name, "infosets": tree.infosets, "sequences": tree.sequences}
        solution = Solution(problem.spot, solver)
        return SpotResult(**fields, equity=problem.equity, solution=solution, unit=problem.unit)

    def exploit(self, strategy: StrategySource, options: EvaluationOptions) -> SpotExploitReport:
        self.check(strategy, options)
        problem, result = self.problem, self.as_result(strategy, options.fill)
        spot, tree = problem.spot, self._tree_for(result)
        judge = solver_from_averages(tree, averages_for_tree(tree, result), options.threads, problem.fixed)
        evaluation = judge.evaluate()
        first = [_first_street(judge, player) for player in (0, 1)]
        losses = sorted((loss for _, losses in first for loss in losses), key=lambda loss: -loss.loss)
        return SpotExploitReport(
            game=problem.name,
            strategy=result.source,
            pot=spot.pot,
            big_blind=spot.big_blind,
            infosets=tree.infosets,
            value=evaluation.value,
            gains=evaluation.gains,
            rake=evaluation.rake,
            first_street=(first[0][0], first[1][0]),
            worst=tuple(losses[: options.worst]),
            locks=problem.locks.texts,
            solved_locked=result.locks,
        )

    def head_to_head(
        self, strategy: StrategySource, opponent: StrategySource, options: EvaluationOptions
    ) -> HeadToHead:
        """Return the winnings of a strategy against another, out of position, in position and on average."""
        self.check(strategy, options)
        self.check(opponent, options)
        fixed, results = self.problem.fixed, [self.as_result(source, options.fill) for source in (strategy, opponent)]
        tree = self._tree_for(results[0])
        ours, theirs = (averages_for_tree(tree, result) for result in results)
        first = solver_from_averages(tree, (ours[0], theirs[1]), options.threads, fixed).values(0).sum()
        second = solver_from_averages(tree, (theirs[0], ours[1]), options.threads, fixed).values(1).sum()
        return SpotHeadToHead(self.problem.name, results[0].source, results[1].source, float(first), float(second))

    def _tree_for(self, strategy: SpotResult) -> PublicTree:
        """Return the tree of the strategy if its ranges and its rake are those of the spot, or else the spot's."""
        spot = self.problem.spot
        weights = zip(spot.weights, strategy.spot.weights, strict=True)
        same = spot.rake == strategy.spot.rake and all((ours == theirs).all() for ours, theirs in weights)
        return strategy.solution.tree if same and not self.problem.locks else self.problem.build()


def averages_for_tree(tree: PublicTree, strategy: SpotResult) -> tuple[Any, Any]:
    """Return the accumulated averages of a strategy, for a tree that must be stored in the same order."""
    source = strategy.solution.tree
    if source is not tree and source.fingerprint != tree.fingerprint:
        why = "other hands are in the ranges"
        if source.suits != tree.suits:
            why = "only one of them distinguishes all suits (isomorphism=False, --no-isomorphism, or locks)"
        raise ZerosumError(f"the strategy of {strategy.spot} does not fit this spot: {why}")
    return strategy.solution.solver.averages()


def check_unlocked(spot: Spot, before: Any) -> None:
    """Refuse anything but a solution of a spot without locks."""
    if not isinstance(before, SpotResult):
        raise ZerosumError("the solution without locks must be a saved run, or a result, of the same spot")
    spot.check_same_game(before.spot)
    if any((ours != theirs).any() for ours, theirs in zip(spot.weights, before.spot.weights, strict=True)):
        raise ZerosumError("the solution without locks has other ranges than the spot")
    if before.locks:
        raise ZerosumError(f"the solution without locks has a lock itself: {before.locks[0]}")


def lock_cost(tree: PublicTree, before: SpotResult, fixed: FixedDecisions) -> LockPrice:
    """Return the cost of locks by the solution without them; the value of the locked game is still missing.

    The values if nobody or one player adapts need a solution that is stored in the order of the locked spot.
    """
    players = tuple(sorted({player + 1 for _, player, _ in fixed}))
    source = before.solution.tree
    unlocked = before.value, -before.value - before.rake
    if source is not tree and source.fingerprint != tree.fingerprint:
        return LockPrice(players, unlocked)
    evaluation = solver_from_averages(tree, before.solution.solver.averages(), fixed=fixed).evaluate()
    values = evaluation.value, -evaluation.value - evaluation.rake
    return LockPrice(players, unlocked, values, (values[0] + evaluation.gains[0], values[1] + evaluation.gains[1]))


def solver_from_averages(
    tree: PublicTree, averages: tuple[Any, Any], threads: int | None = None, fixed: FixedDecisions | None = None
) -> PublicSolver:
    """Return a solver that holds two averages, to be evaluated."""
    solver = PublicSolver(tree, Algorithm(), 1, threads, fixed=fixed)
    solver.set_averages(*averages)
    solver.iteration = 1
    return solver


def _first_street(judge: PublicSolver, player: int) -> tuple[float, list[HandLoss]]:
    """Return the chips that a player loses before the next card, in all and by decision and hand."""
    tree = judge.form
    values = judge.rows(0, judge.entries[1 - player][None], player, best=True)
    reach: dict[int, Floats] = {0: np.ones(values.shape[1])}
    weights = tree.weights[player]
    total, losses = 0.0, []
    for choice in tree.first.choices:
        if choice.player != player:
            continue
        sigma = judge.strategy(0, player, choice.first, len(choice.actions))
        before = reach[choice.parent]
        rows = values[choice.first : choice.first + len(choice.actions)]
        lost = before * (sigma * (rows.max(axis=0) - rows)).sum(axis=0)
        if (0, player, choice.first) in judge.fixed:
            lost = np.where(np.isnan(judge.fixed[0, player, choice.first][0]), lost, 0.0)
        for action, chances in enumerate(sigma):
            reach[choice.first + action] = before * chances
        total += float(lost.sum())
        losses += [
            HandLoss(
                player=player + 1,
                line=" ".join(choice.line),
                hand=hand_name(int(tree.board.hands[player][k])),
                reach=float(before[k] * weights[k]),
                loss=float(lost[k]),
                best=choice.actions[int(rows[:, k].argmax())],
                actions=dict(zip(choice.actions, sigma[:, k].tolist(), strict=True)),
            )
            for k in np.flatnonzero(lost > 0.0)
        ]
    return total, losses
