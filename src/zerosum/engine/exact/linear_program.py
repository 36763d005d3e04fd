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
from zerosum.engine.exact.refinement import (
    TIGHT_TOLERANCES,
    RefinedPlans,
    build_plan_constraints,
    compute_nash_conv,
    refine_plans,
)
from zerosum.engine.fixed_strategies import (
    FREE,
    GivenSequences,
    check_strategy_pair,
    overlay_averages,
    overlay_fixed_strategy,
)
from zerosum.engine.forms.sequence.form_compiler import as_sequence_form
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.serialization import form_to_arrays
from zerosum.engine.forms.sequence.treeplex import Floats, Treeplex
from zerosum.engine.sequence.best_response import Evaluation, best_response, evaluate
from zerosum.engine.solver import Arrays, BaseSolver, State, copy_arrays
from zerosum.games.game import Game
from zerosum.support.errors import ZerosumError

DIGIT = float(np.finfo(float).eps)
"""The last digit of a float, as a share of the float."""
ROUNDING = 256 * DIGIT
"""The largest NashConv that rounding may leave in an exact solution, as a share of the terms of its value."""
NEGLIGIBLE_PROBABILITY = 1e-4
"""Actions played with a smaller probability are ignored when refinement gains nothing on a small game."""
CANCELLATION_FACTOR = 1024.0
"""If the terms are this many times the value, rounding may hide the value, and a small game is refined."""
REFINED = DIGIT / 256
"""The largest NashConv of a completed refinement, as a share of the terms of the value."""
NOTHING = 2.0**-200
"""The same as a share of the terms of best responses, for a value without terms."""
FLOAT_TOLERANCE = 1e-6
"""The largest NashConv that exact plans may have once they are rounded to floats, as a share of the terms."""
SMALL, REFINABLE = 10_000, 100_000
"""Payoff entries up to which refinement takes almost no time, and up to which it takes at most a minute."""
SMALLEST_UNIT = 2.0**-1000
LARGEST_POWER = 1023
"""The exponent of the largest power of two that a float can hold."""


def equilibrium(form: SequenceForm | Game | str, fixed: GivenSequences = FREE) -> tuple[Floats, Floats]:
    """Return an exact pair of equilibrium plans, or raise an error if rounding prevents it.

    With fixed strategies, it is an equilibrium of the game in which they are played.

    >>> from zerosum.engine.forms.sequence.form_compiler import compile_game
    >>> from zerosum.games.catalogue import create_game
    >>> kuhn = compile_game(create_game("kuhn"))
    >>> round(18 * kuhn.value(*equilibrium(kuhn)), 9)
    -1.0
    """
    form = as_sequence_form(form)
    check_strategy_pair(fixed)
    exponent = find_payoff_exponent(form)
    form = form.scaled(math.ldexp(1.0, -exponent))
    best, accepted, nash_conv, entries = None, None, np.inf, len(form.payoffs.entry)
    units = choose_infoset_units(form)
    for options, row_units in product(({}, TIGHT_TOLERANCES), (units, np.ones(len(units)))):
        plans = _solve_program(form, fixed, options, row_units)
        if plans is None:
            continue
        evaluation, terms = evaluate(form, *plans, fixed), sum_absolute_terms(form, plans)
        if evaluation.nash_conv < nash_conv:
            best, nash_conv = plans, evaluation.nash_conv
        if evaluation.nash_conv <= ROUNDING * terms:
            if entries > SMALL or terms <= CANCELLATION_FACTOR * abs(evaluation.value - form.shift):
                return plans
            first, second = (np.where(plan < NEGLIGIBLE_PROBABILITY, 0.0, plan) for plan in plans)
            if evaluation.nash_conv <= ROUNDING * sum_absolute_terms(form, (first, second)):
                accepted = plans
            break
    if entries <= REFINABLE:
        refined = refine_plans(form, fixed, best)
        first, second = (normalize_plan(*parts) for parts in zip(form.treeplexes, refined.plans, fixed, strict=True))
        nash_conv = compute_nash_conv(form, fixed, (first, second))
        if nash_conv <= find_tolerated_nash_conv(form, fixed, refined, (first, second)):
            return first, second
    if accepted is not None:
        return accepted
    nash_conv = float(np.ldexp(nash_conv, exponent))
    remainder = f": an exploitability of {nash_conv / 2:.1g} is left" if 0.0 < nash_conv < np.inf else ""
    raise ZerosumError(
        f"the linear program of {form.name} could not be solved exactly{remainder}; choose another algorithm"
    )


def find_payoff_exponent(form: SequenceForm) -> int:
    """Return the exponent of the largest payoff, by which all are scaled so that their unit does not matter.

    It is 0 if scaling would turn the smallest payoff into zero.
    """
    sizes = np.abs(form.payoffs.entry[form.payoffs.entry != 0.0])
    if not len(sizes):
        return 0
    exponent = max(math.frexp(sizes.max())[1], -LARGEST_POWER)
    return exponent if math.frexp(sizes.min())[1] - exponent > -LARGEST_POWER else 0


def sum_absolute_terms(form: SequenceForm, plans: tuple[Floats, Floats]) -> float:
    """Return the sum of the absolute terms of the value of two plans."""
    return float(plans[0] @ (abs(form.payoff) @ plans[1]))


def find_tolerated_nash_conv(
    form: SequenceForm, fixed: GivenSequences, refined: RefinedPlans, plans: tuple[Floats, Floats]
) -> float:
    """Return the NashConv that refined plans may have once they are floats; 0 if the refinement was not completed."""
    first, second = plans
    answers = [
        best_response(treeplex, gradient, strategy)[1]
        for treeplex, gradient, strategy in zip(form.treeplexes, form.gradients(first, second), fixed, strict=True)
    ]
    terms = sum_absolute_terms(form, plans)
    largest = max(terms, sum_absolute_terms(form, (answers[0], second)), sum_absolute_terms(form, (first, answers[1])))
    if refined.nash_conv > max(DIGIT * abs(refined.value), REFINED * terms, NOTHING * largest):
        return 0.0
    return ROUNDING * largest if terms <= NOTHING * largest else min(ROUNDING * largest, FLOAT_TOLERANCE * terms)


def _solve_program(
    form: SequenceForm, fixed: GivenSequences, options: dict[str, float], units: Floats
) -> tuple[Floats, Floats] | None:
    """Solve the linear program by HiGHS; return None if it gives up."""
    from scipy import sparse
    from scipy.optimize import linprog

    first, second = form.treeplexes
    inverse = sparse.diags_array(1.0 / units[1 + second.owner])
    (e, _), (f, infosets) = build_plan_constraints(first, fixed[0]), build_plan_constraints(second, fixed[1])
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
    return normalize_plan(first, solution.x[: first.sequences], fixed[0]), normalize_plan(second, marginals, fixed[1])


def choose_infoset_units(form: SequenceForm) -> Floats:
    """Return a power of two near the largest entry of the game, then one for each infoset of player 2 and all below."""
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


def normalize_plan(treeplex: Treeplex, vector: Floats, fixed: Floats | None) -> Floats:
    """Return the plan that a vector is, but for rounding."""
    return treeplex.plan(overlay_fixed_strategy(treeplex.strategy(np.maximum(vector, 0.0)), fixed))


class LinearProgramSolver(BaseSolver):
    """The exact solution as a solver: `run` computes it in one step, which is not counted as an iteration."""

    kind = "exact"
    form: SequenceForm

    def __init__(self, form: SequenceForm, algorithm: Algorithm, fixed: GivenSequences = FREE) -> None:
        super().__init__(form, algorithm, 0)
        self.fixed = fixed
        self._plans = form.treeplexes[0].uniform_plan(), form.treeplexes[1].uniform_plan()

    def _run(self, iterations: int, nodes: int | None) -> None:
        for plan, exact in zip(self._plans, equilibrium(self.form, self.fixed), strict=True):
            plan[:] = exact

    def evaluate(self) -> Evaluation:
        return evaluate(self.form, *self._plans, self.fixed)

    def averages(self) -> tuple[Floats, Floats]:
        """Return the plans or, where strategies are fixed, strategies."""
        return overlay_averages(self.form.treeplexes, self._plans, self.fixed)

    def state(self) -> Arrays:
        return {f"average{player}": plan for player, plan in enumerate(self._plans)}

    def static_arrays(self) -> Arrays:
        return form_to_arrays(self.form)

    def restore(self, state: State, iteration: int) -> None:
        copy_arrays(self.state(), state)

    def describe_decision_at(self, name: str, index: int) -> str:
        return self.form.describe_sequence(int(name[-1]), index)
