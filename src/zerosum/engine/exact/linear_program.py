"""The exact solution: the sequence-form linear program, by HiGHS.

max p_0  over plans x and values p of player 2's infosets,  such that  F^T p <= A^T x,  E x = e,  x >= 0

(Koller, Megiddo & von Stengel 1994.) E and F say that the actions of an infoset sum to its parent sequence; the
multipliers of the inequality are an optimal plan of player 2. Where a strategy is fixed, E and F say that each
action has its share of the parent sequence: the linear program is that of the game without a choice there.

HiGHS ignores a violation of 1e-7, whatever the unit of the payoffs. So each infoset of player 2 has its unit, the
largest entry of A at its actions or below: its p and the inequalities of its actions are divided by it, so
that their largest coefficients are about 1. The result is checked against the terms of its value before it is called
exact; where rounding is in the way, `refinement` gains more digits, or an error says how much is left.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.exact.constraints import plan_constraints
from zerosum.engine.exact.refinement import TIGHT_TOLERANCES, RefinedPlans, nash_conv, refine
from zerosum.engine.fixed_strategies import check_pair, overlay, overlay_averages
from zerosum.engine.forms.sequence.form_compiler import as_sequence_form
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.serialization import arrays_of
from zerosum.engine.forms.sequence.treeplex import Floats, Treeplex
from zerosum.engine.sequence.best_response import Evaluation, best_response, evaluate
from zerosum.engine.solver import Arrays, BaseSolver, State, copy_arrays
from zerosum.games.game import Game
from zerosum.support.errors import ZerosumError

FixedPair = tuple[Floats | None, Floats | None]
"""The fixed strategy of each player: a number for each sequence, nan where it is free."""
DIGIT = float(np.finfo(float).eps)
"""The last digit of a number."""
ROUNDING = 256 * DIGIT
"""NashConv that rounding leaves to an exact solution, at most, as a share of the terms of its value."""
NEGLIGIBLE_PROBABILITY = 1e-4
"""Actions played with a smaller probability are ignored when refinement gains nothing on a small game."""
CANCELLATION_FACTOR = 1024.0
"""If the terms are this many times the value, rounding may hide it: a small game is then refined."""
REFINED = DIGIT / 256
"""NashConv that this leaves, at most, as a share of the terms or, where they are none, of best responses: NOTHING."""
NOTHING = 2.0**-200
FLOAT_TOLERANCE = 1e-6
"""NashConv that rounding to floats leaves to exact plans, at most, as a share of the terms."""
SMALL, REFINABLE = 10_000, 100_000
"""Entries of a game for which refinement takes next to no time, and no more than a minute."""
SMALLEST_UNIT = 2.0**-1000
LARGEST_POWER = 1023
"""The largest power of two that is a number, where payoffs are no less."""


def equilibrium(form: SequenceForm | Game | str, fixed: FixedPair = (None, None)) -> tuple[Floats, Floats]:
    """Return an exact pair of equilibrium plans; raise an error if rounding is in the way.

    With fixed strategies, it is an equilibrium of the game in which they are played.

    >>> from zerosum.engine.forms.sequence.form_compiler import compile_game
    >>> from zerosum.games.catalogue import create_game
    >>> kuhn = compile_game(create_game("kuhn"))
    >>> round(18 * kuhn.value(*equilibrium(kuhn)), 9)
    -1.0
    """
    form = as_sequence_form(form)
    check_pair(fixed)
    power = _power(form)
    form = form.scaled(math.ldexp(1.0, -power))
    best, accepted, nash_conv_left, entries = None, None, np.inf, len(form.payoffs.entry)
    for options, units in product(
        ({}, TIGHT_TOLERANCES), (_units(form), np.ones(1 + len(form.treeplexes[1].infosets)))
    ):
        plans = _solve_program(form, fixed, options, units)
        if plans is None:
            continue
        evaluation, terms = evaluate(form, *plans, fixed), _sum_of_terms(form, plans)
        if evaluation.nash_conv < nash_conv_left:
            best, nash_conv_left = plans, evaluation.nash_conv
        if evaluation.nash_conv <= ROUNDING * terms:
            if entries > SMALL or terms <= CANCELLATION_FACTOR * abs(evaluation.value - form.shift):
                return plans
            likely_plans = [np.where(plan < NEGLIGIBLE_PROBABILITY, 0.0, plan) for plan in plans]
            accepted = (
                plans
                if evaluation.nash_conv <= ROUNDING * _sum_of_terms(form, (likely_plans[0], likely_plans[1]))
                else None
            )
            break
    if entries <= REFINABLE:
        refinement = refine(form, fixed, best)
        first, second = (_plan(*parts) for parts in zip(form.treeplexes, refinement.plans, fixed, strict=True))
        nash_conv_left = nash_conv(form, fixed, (first, second))
        if nash_conv_left <= _rounding(form, fixed, refinement, (first, second)):
            return first, second
    if accepted is not None:
        return accepted
    nash_conv_left = float(np.ldexp(nash_conv_left, power))
    short = f": an exploitability of {nash_conv_left / 2:.1g} is left" if 0.0 < nash_conv_left < np.inf else ""
    raise ZerosumError(
        f"the linear program of {form.name} could not be solved exactly{short}; choose another algorithm"
    )


def _power(form: SequenceForm) -> int:
    """The power of two that brings the largest payoff near 1, so that the unit of payoffs does not matter; 0 where it
    would make nothing of the smallest."""
    sizes = np.abs(form.payoffs.entry[form.payoffs.entry != 0.0])
    if not len(sizes):
        return 0
    power = max(math.frexp(sizes.max())[1], -LARGEST_POWER)
    return power if math.frexp(sizes.min())[1] - power > -LARGEST_POWER else 0


def _sum_of_terms(form: SequenceForm, plans: tuple[Floats, Floats]) -> float:
    """The sum of the absolute terms of the value of two plans."""
    return float(plans[0] @ (abs(form.payoff) @ plans[1]))


def _rounding(form: SequenceForm, fixed: FixedPair, refinement: RefinedPlans, plans: tuple[Floats, Floats]) -> float:
    """NashConv that plans may have which refinement found, once they are floats; none if it did not come to the end."""
    first, second = plans
    answers = [
        best_response(treeplex, gradient, strategy)[1]
        for treeplex, gradient, strategy in zip(form.treeplexes, form.gradients(first, second), fixed, strict=True)
    ]
    terms = _sum_of_terms(form, plans)
    gained = max(terms, _sum_of_terms(form, (answers[0], second)), _sum_of_terms(form, (first, answers[1])))
    if refinement.nash_conv > max(DIGIT * abs(refinement.value), REFINED * terms, NOTHING * gained):
        return 0.0
    return ROUNDING * gained if terms <= NOTHING * gained else min(ROUNDING * gained, FLOAT_TOLERANCE * terms)


def _solve_program(
    form: SequenceForm, fixed: FixedPair, options: dict[str, float], units: Floats
) -> tuple[Floats, Floats] | None:
    """Solve the linear program by HiGHS; return None if it gives up."""
    from scipy import sparse
    from scipy.optimize import linprog

    first, second = form.treeplexes
    inverse = sparse.diags_array(1.0 / units[1 + second.owner])
    (e, _), (f, infosets) = plan_constraints(first, fixed[0]), plan_constraints(second, fixed[1])
    values = f.shape[0]
    cost = np.zeros(first.sequences + values)
    cost[first.sequences] = -1.0
    solution = linprog(
        cost,
        A_ub=sparse.hstack(
            [inverse @ -form.payoff.T, inverse @ f.T @ sparse.diags_array(units[1 + infosets])], format="csr"
        ),
        b_ub=np.zeros(second.sequences),
        A_eq=sparse.hstack([e, sparse.csr_array((e.shape[0], values))], format="csr"),
        b_eq=np.eye(1, e.shape[0])[0],
        bounds=[(0, None)] * first.sequences + [(None, None)] * values,
        method="highs-ds",
        options=options,
    )
    if solution.status != 0:
        return None
    marginals = -(inverse @ solution.ineqlin.marginals)
    return _plan(first, solution.x[: first.sequences], fixed[0]), _plan(second, marginals, fixed[1])


def _units(form: SequenceForm) -> Floats:
    """Powers of two near the largest entry at each infoset of the second player or below; first that of the game."""
    treeplex = form.treeplexes[1]
    largest = np.zeros(treeplex.sequences)
    np.maximum.at(largest, form.payoffs.column, np.abs(form.payoffs.entry))
    units = np.zeros(1 + len(treeplex.infosets))
    for start, actions, width, infoset in treeplex.tree.blocks[::-1]:
        block = slice(1 + infoset, 1 + infoset + width)
        units[block] = largest[start : start + actions * width].reshape(actions, width).max(axis=0)
        np.maximum.at(largest, treeplex.tree.parent[infoset : infoset + width], units[block])
    units[0] = largest[0]
    powers = np.ldexp(1.0, np.minimum(np.frexp(units)[1], LARGEST_POWER))
    return np.where(units > 0.0, np.maximum(powers, SMALLEST_UNIT), 1.0)


def _plan(treeplex: Treeplex, almost: Floats, fixed: Floats | None) -> Floats:
    """Return the plan that a vector is up to rounding."""
    return treeplex.plan(overlay(treeplex.strategy(np.maximum(almost, 0.0)), fixed))


class LinearProgramSolver(BaseSolver):
    """The exact solution as a solver: `run` computes it in one step, which is not counted as an iteration."""

    kind = "exact"
    form: SequenceForm

    def __init__(self, form: SequenceForm, algorithm: Algorithm, fixed: FixedPair = (None, None)) -> None:
        super().__init__(form, algorithm, 0)
        self.fixed_pair = fixed
        self._plans = tuple(treeplex.uniform_plan() for treeplex in form.treeplexes)

    def _run(self, iterations: int, nodes: int | None) -> None:
        for plan, exact in zip(self._plans, equilibrium(self.form, self.fixed_pair), strict=True):
            plan[:] = exact

    def evaluate(self) -> Evaluation:
        """The value and what rounding has left of an exploitability."""
        first, second = self._plans
        return evaluate(self.form, first, second, self.fixed_pair)

    def averages(self) -> tuple[Floats, Floats]:
        """The plans, or, where some are given, strategies."""
        return overlay_averages(self.form.treeplexes, self._plans, self.fixed_pair)

    def state(self) -> Arrays:
        """The plans."""
        return {f"average{player}": plan for player, plan in enumerate(self._plans)}

    def static_arrays(self) -> Arrays:
        """The names and the order of the infosets."""
        return arrays_of(self.form)

    def restore(self, state: State, iteration: int) -> None:
        """Load the plans."""
        copy_arrays(self.state(), state)

    def where(self, name: str, index: int) -> str:
        """The infoset of a number of a plan."""
        return self.form.where(int(name[-1]), index)
