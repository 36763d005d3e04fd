"""Evaluate strategies of spots in float64: best responses, head to head, the cost of locks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zerosum.engine.forms.public.lines import FixedDecisions
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.engine.public.saved_solution import EVALUATION_ONLY
from zerosum.engine.public.solver import PublicSolver
from zerosum.holdem.betting.sizes import PLAYER_NAMES
from zerosum.holdem.cards.cards import hand_name
from zerosum.holdem.problem.strategy_fit import build_averages, is_written_strategy
from zerosum.holdem.solution.result import SpotResult, build_chip_unit
from zerosum.holdem.solution.solution import Solution
from zerosum.holdem.solution.strategy import fit_strategy
from zerosum.holdem.spots.spot import Spot
from zerosum.problems.codec import RunOutcome, collect_result_fields
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
    """The EV that a player gives away with one hand at a decision of the first street."""

    line: str
    hand: str

    @property
    def place(self) -> dict[str, str]:
        return {"player": PLAYER_NAMES[self.player - 1], "after": self.line or "the start", "hand": self.hand}


@dataclass(frozen=True, kw_only=True, repr=False)
class SpotExploitReport(ExploitReport):
    """The evaluation of a strategy of a spot, in chips.

    `value` is that of the player out of position, net of half the pot. `first_street` is how much each player gives
    away before the next card comes; `worst` lists where.
    """

    pot: float
    big_blind: float
    first_street: tuple[float, float]
    rake: float = 0.0
    """The average rake."""
    shows_reach: ClassVar[bool] = False

    seats = PLAYER_NAMES

    @property
    def unit(self) -> Unit:
        return build_chip_unit(self.pot, self.big_blind)

    @property
    def value_text(self) -> str:
        other = f"; in position {-self.value - self.rake:+.2f}, rake {self.rake:.2f}" if self.rake else ""
        return f"{self.value:+.2f} chips   (out of position, net of half the pot{other})"

    @property
    def listed_losses_text(self) -> str:
        """The sum of both players' losses on the first street, as text."""
        given_away, gains = format_number(sum(self.first_street)), format_number(self.nash_conv)
        return f"of the {gains} chips that both could gain, {given_away} are given away on this street"

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
    """The evaluation of strategies of a spot, also for other weights of the hands than those they were solved for."""

    def __init__(self, problem: SpotProblem) -> None:
        self.problem = problem

    def check_can_evaluate(self, strategy: StrategySource, options: EvaluationOptions) -> None:
        if self.problem.storage.half:
            raise ZerosumError(f"the 16-bit store is for runs: evaluate strategies without {option_name('half')}")
        self.check_strategy(strategy, options.fill)

    def check_strategy(self, strategy: StrategySource, fill: Fill | None) -> None:
        """Refuse a strategy that does not fit the spot, as far as that is clear before anything is built."""
        if is_written_strategy(strategy):
            fit_strategy(self.problem.spot, strategy)  # type: ignore[arg-type]
            return
        if fill is not None:
            raise ZerosumError(
                f"{option_name('fill')} applies to strategies read from a file: a saved run has a strategy everywhere"
            )
        self.problem.spot.check_same_game(strategy.spot)  # type: ignore[attr-defined]

    def convert_to_result(self, strategy: StrategySource, fill: Fill | None) -> SpotResult:
        """Return a strategy as a solved spot: as it is, or as the averages of a solver if it comes from a file."""
        if isinstance(strategy, SpotResult):
            return strategy
        problem, tree = self.problem, self.problem.build_form()
        averages = build_averages(tree, problem.spot, strategy, fill)  # type: ignore[arg-type]
        solver = build_evaluator(tree, averages)
        fields = {**collect_result_fields(solver, RunOutcome((), 0.0, "exact")), "algorithm": strategy.source}
        fields |= {"game": problem.name, "infosets": tree.infosets, "sequences": tree.sequences}
        solution = Solution(problem.spot, solver)
        return SpotResult(**fields, equity=problem.equity, solution=solution, unit=problem.unit)

    def exploit(self, strategy: StrategySource, options: EvaluationOptions) -> SpotExploitReport:
        self.check_can_evaluate(strategy, options)
        problem, result = self.problem, self.convert_to_result(strategy, options.fill)
        spot, tree = problem.spot, self._choose_tree(result)
        evaluator = build_evaluator(tree, read_averages(tree, result), options.threads, problem.fixed)
        evaluation = evaluator.evaluate()
        (oop_total, oop_losses), (ip_total, ip_losses) = (
            _find_first_street_losses(evaluator, player) for player in (0, 1)
        )
        losses = sorted([*oop_losses, *ip_losses], key=lambda loss: -loss.loss)
        return SpotExploitReport(
            game=problem.name,
            strategy=result.source,
            pot=spot.pot,
            big_blind=spot.big_blind,
            infosets=tree.infosets,
            value=evaluation.value,
            gains=evaluation.gains,
            rake=evaluation.rake,
            first_street=(oop_total, ip_total),
            worst=tuple(losses[: options.worst]),
            locks=problem.locks.texts,
            solved_locked=result.locks,
        )

    def head_to_head(
        self, strategy: StrategySource, opponent: StrategySource, options: EvaluationOptions
    ) -> HeadToHead:
        self.check_can_evaluate(strategy, options)
        self.check_can_evaluate(opponent, options)
        results = [self.convert_to_result(source, options.fill) for source in (strategy, opponent)]
        tree, fixed = self._choose_tree(results[0]), self.problem.fixed
        ours, theirs = (read_averages(tree, result) for result in results)
        first = build_evaluator(tree, (ours[0], theirs[1]), options.threads, fixed).compute_hand_values(0).sum()
        second = build_evaluator(tree, (theirs[0], ours[1]), options.threads, fixed).compute_hand_values(1).sum()
        return SpotHeadToHead(self.problem.name, results[0].source, results[1].source, float(first), float(second))

    def _choose_tree(self, strategy: SpotResult) -> PublicTree:
        """Return the tree of the strategy if its ranges and its rake are those of the spot, or else the spot's."""
        spot = self.problem.spot
        weights = zip(spot.weights, strategy.spot.weights, strict=True)
        same = spot.rake == strategy.spot.rake and all((ours == theirs).all() for ours, theirs in weights)
        return strategy.solution.tree if same and not self.problem.locks else self.problem.build_form()


def read_averages(tree: PublicTree, strategy: SpotResult) -> tuple[Any, Any]:
    """Return the accumulated averages of a strategy; raise an error unless its tree is stored in the same order."""
    source = strategy.solution.tree
    if source is not tree and source.fingerprint != tree.fingerprint:
        reason = "other hands are in the ranges"
        if source.suits != tree.suits:
            reason = "only one of them distinguishes all suits (isomorphism=False, --no-isomorphism, or locks)"
        raise ZerosumError(f"the strategy of {strategy.spot} does not fit this spot: {reason}")
    return strategy.solution.solver.averages()


def check_unlocked_solution(spot: Spot, before: Any) -> None:
    """Refuse anything but a solution of a spot without locks."""
    if not isinstance(before, SpotResult):
        raise ZerosumError("the solution without locks must be a saved run, or a result, of the same spot")
    spot.check_same_game(before.spot)
    if any((ours != theirs).any() for ours, theirs in zip(spot.weights, before.spot.weights, strict=True)):
        raise ZerosumError("the solution without locks has other ranges than the spot")
    if before.locks:
        raise ZerosumError(f"the solution without locks has a lock itself: {before.locks[0]}")


def compute_lock_cost(tree: PublicTree, before: SpotResult, fixed: FixedDecisions) -> LockPrice:
    """Return the cost of locks by the solution without them; the value of the locked game is still missing.

    The values for the case that nobody or one player adapts are known only if that solution is stored in the order of
    the locked spot.
    """
    players = tuple(sorted({player + 1 for _, player, _ in fixed}))
    source = before.solution.tree
    unlocked = before.value, -before.value - before.rake
    if source is not tree and source.fingerprint != tree.fingerprint:
        return LockPrice(players, unlocked)
    evaluation = build_evaluator(tree, before.solution.solver.averages(), fixed=fixed).evaluate()
    values = evaluation.value, -evaluation.value - evaluation.rake
    return LockPrice(players, unlocked, values, (values[0] + evaluation.gains[0], values[1] + evaluation.gains[1]))


def build_evaluator(
    tree: PublicTree, averages: tuple[Any, Any], threads: int | None = None, fixed: FixedDecisions | None = None
) -> PublicSolver:
    """Return a solver that evaluates two averages and does not iterate."""
    solver = PublicSolver(tree, EVALUATION_ONLY, 1, threads, fixed=fixed)
    solver.set_averages(*averages)
    solver.iteration = 1
    return solver


def _find_first_street_losses(evaluator: PublicSolver, player: int) -> tuple[float, list[HandLoss]]:
    """Return the chips that a player loses before the next card, in all and by decision and hand."""
    tree = evaluator.form
    values = evaluator.compute_row_values(0, evaluator.entering_reach[1 - player][None], player, best=True)
    reach: dict[int, Floats] = {0: np.ones(values.shape[1])}
    weights = tree.weights[player]
    total, losses = 0.0, list[HandLoss]()
    for choice in tree.first.choices:
        if choice.player != player:
            continue
        sigma = evaluator.strategy(0, player, choice.first, len(choice.actions))
        before = reach[choice.parent]
        rows = values[choice.first : choice.first + len(choice.actions)]
        loss_by_hand = before * (sigma * (rows.max(axis=0) - rows)).sum(axis=0)
        if (0, player, choice.first) in evaluator.fixed:
            loss_by_hand = np.where(np.isnan(evaluator.fixed[0, player, choice.first][0]), loss_by_hand, 0.0)
        for action, chances in enumerate(sigma):
            reach[choice.first + action] = before * chances
        total += float(loss_by_hand.sum())
        losses += [
            HandLoss(
                player=player + 1,
                line=" ".join(choice.line),
                hand=hand_name(int(tree.board.hands[player][k])),
                reach=float(before[k] * weights[k]),
                loss=float(loss_by_hand[k]),
                best=choice.actions[int(rows[:, k].argmax())],
                actions=dict(zip(choice.actions, sigma[:, k].tolist(), strict=True)),
            )
            for k in np.flatnonzero(loss_by_hand > 0.0)
        ]
    return total, losses
