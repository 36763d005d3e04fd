"""Evaluate strategies of games: against a best response, and against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum.engine.fixed_strategies import GivenSequences
from zerosum.engine.forms.sequence.sequence_form import name_infosets
from zerosum.engine.forms.sequence.treeplex import Floats, Integers, Treeplex
from zerosum.engine.sequence.best_response import evaluate
from zerosum.problems.evaluation import EvaluationOptions, StrategyEvaluation
from zerosum.problems.games.strategy_profile import StrategyProfile, as_game_strategy, match_strategy
from zerosum.results.exploitability import ExploitReport, HeadToHead, InfosetLoss, Loss
from zerosum.results.strategy import StrategySource
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name

if TYPE_CHECKING:
    from zerosum.problems.games.game_problem import GameProblem


class GameEvaluation(StrategyEvaluation):
    """The evaluation of strategies of a game in sequence form."""

    def __init__(self, problem: GameProblem) -> None:
        self.problem = problem

    def check_can_evaluate(self, strategy: StrategySource, options: EvaluationOptions) -> None:
        as_game_strategy(strategy)
        if options.threads is not None:
            raise ZerosumError(
                f"strategies of games are evaluated by a single thread: leave out {option_name('threads')}"
            )

    def exploit(self, strategy: StrategySource, options: EvaluationOptions) -> ExploitReport:
        self.check_can_evaluate(strategy, options)
        problem, form, fixed = self.problem, self.problem.build_form(), self.problem.fixed
        game_strategy = as_game_strategy(strategy)
        profile = match_strategy(form, game_strategy, options.fill).with_fixed(fixed)
        evaluation = evaluate(form, *profile.plans, fixed=fixed)
        return ExploitReport(
            value=evaluation.value,
            gains=evaluation.gains,
            game=problem.name if problem.locks else form.name,
            strategy=profile.source,
            infosets=form.infosets,
            worst=_find_largest_losses(profile, options.worst, fixed) if options.worst else (),
            filled=profile.filled,
            locks=problem.locks.texts,
            solved_locked=game_strategy.locks,
        )

    def head_to_head(self, strategy: StrategySource, against: StrategySource, options: EvaluationOptions) -> HeadToHead:
        self.check_can_evaluate(strategy, options)
        problem, strategies = self.problem, (as_game_strategy(strategy), as_game_strategy(against))
        form, fixed = problem.build_form(), problem.fixed
        profile, opponent = (match_strategy(form, side, options.fill).with_fixed(fixed) for side in strategies)
        first = form.value(profile.plans[0], opponent.plans[1])
        second = 2.0 * form.shift - form.value(opponent.plans[0], profile.plans[1])
        name = problem.name if problem.locks else form.name
        return HeadToHead(name, profile.source, opponent.source, first, second)


def compute_infoset_losses(
    treeplex: Treeplex, strategy: Floats, gradient: Floats, fixed: Floats | None = None
) -> tuple[Floats, Integers]:
    """Return the loss of a strategy at each infoset against a gradient, and the number of a best action.

    With Q[I, a] = g[I, a] + the sum of V[J] over the infosets J that follow (I, a), V[I] = max over a of Q[I, a], and x
    the plan of the strategy:

        loss[I] = x[parent of I] (V[I] - sum over a of sigma[I, a] Q[I, a])

    No loss is negative, and their sum is the gain of a best response: at every infoset that the strategy reaches, it
    compares playing on by the strategy with playing best from there. Where a strategy is fixed, V[I] is its value.
    """
    tree, plan = treeplex.tree, treeplex.plan(strategy)
    total = gradient.copy()
    lost = np.zeros(len(treeplex.infosets))
    best_action = np.zeros(len(treeplex.infosets), dtype=np.int64)
    for start, actions, width, infoset in tree.blocks[::-1]:
        block, columns = slice(infoset, infoset + width), np.arange(width)
        values = total[start : start + actions * width].reshape(actions, width)
        sigma = strategy[start : start + actions * width].reshape(actions, width)
        best = values.argmax(axis=0)
        top = values[best, columns]
        given_away = (sigma * (top - values)).sum(axis=0)
        if fixed is not None:
            learns = np.isnan(fixed[start : start + width])
            top, given_away = np.where(learns, top, top - given_away), np.where(learns, given_away, 0.0)
        lost[block] = plan[tree.parent[block]] * given_away
        best_action[block] = best
        np.add.at(total, tree.parent[block], top)
    return lost, best_action


def _find_largest_losses(profile: StrategyProfile, count: int, fixed: GivenSequences) -> tuple[Loss, ...]:
    """Return the infosets of both players with the largest losses, the worst first; those without loss are left out."""
    form = profile.form
    gradients = form.gradients(*profile.plans)
    names = {(player, number): text for player, number, text in name_infosets(form)}
    losses: list[Loss] = []
    for player, (treeplex, sigma) in enumerate(zip(form.treeplexes, profile.strategies, strict=True)):
        lost, best = compute_infoset_losses(treeplex, sigma, gradients[player], fixed[player])
        for number in np.argsort(-lost, kind="stable")[:count]:
            if lost[number] > 0.0:
                actions = [str(action) for action in treeplex.actions[number]]
                chances = dict(zip(actions, sigma[treeplex.sequences_of(number)].tolist(), strict=True))
                reach = float(profile.plans[player][treeplex.tree.parent[number]])
                fields: Any = {"player": player + 1, "reach": reach, "loss": float(lost[number])}
                fields |= {"best": actions[best[number]], "actions": chances}
                losses.append(InfosetLoss(infoset=names[player, int(number)], **fields))
    return tuple(sorted(losses, key=lambda loss: -loss.loss)[:count])
