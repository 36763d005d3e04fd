"""The exact solution: the sequence-form linear program, by HiGHS.

max p_0  over plans x and values p of player 2's infosets,  such that  F^T p <= A^T x,  E x = e,  x >= 0

(Koller, Megiddo & von Stengel 1994.) E and F say that the actions of an infoset sum to its parent sequence; the
multipliers of the inequality are an optimal plan of player 2. Where a strategy is given, E and F say that each
action is its share of the parent sequence: the linear program is that of the game in which nothing is chosen there.

HiGHS takes a violation of 1e-7 for none, whatever the unit of the payoffs. So each infoset of player 2 has a unit of
its own, the largest entry of A at its actions or below: its p and the inequalities of its actions are divided by it, so
that their largest coefficients are about 1. What was found is measured, beside the terms that its value is made of,
before it is called exact; where rounding is in the way, `refinement` wins more digits, or a sentence says what is left.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.errors import RueError
from rue.forms.compile import form_of
from rue.forms.sequence_form import SequenceForm
from rue.forms.stored import arrays_of
from rue.forms.treeplex import Floats, Treeplex
from rue.games.game import Game
from rue.solvers.base import Arrays, BaseSolver, State, fill
from rue.solvers.evaluate import Evaluation, best_response, evaluate
from rue.solvers.given import check_pair, laid_over, with_given
from rue.solvers.refinement import CLOSE, Refined, nash_conv, refined
from rue.solvers.sequence_constraints import constraints

GivenPair = tuple[Floats | None, Floats | None]
"""What is given each player: a number for each sequence, nan where it is learned."""
DIGIT = float(np.finfo(float).eps)
"""The last digit of a number."""
ROUNDING = 256 * DIGIT
"""NashConv that rounding leaves to an exact solution, at most, as a share of the terms that its value is made of."""
SELDOM = 1e-4
"""Terms that are played less say nothing for a small game that refinement brings no further."""
CANCELLED = 1024.0
"""Terms so many times the value say less about it: a small game then goes through refinement."""
REFINED = DIGIT / 256
"""NashConv that this leaves, at most, as a share of the terms or, where they are none, of best responses: NOTHING."""
NOTHING = 2.0**-200
SHOWN = 1e-6
"""NashConv that rounding to floats leaves to exact plans, at most, as a share of the terms."""
SMALL, REFINABLE = 10_000, 100_000
"""Entries of a game for which refinement takes next to no time, and no more than a minute."""
SMALLEST_UNIT = 2.0**-1000
LARGEST_POWER = 1023
"""The largest power of two that is a number, where payoffs are no less."""


def equilibrium(form: SequenceForm | Game | str, given: GivenPair = (None, None)) -> tuple[Floats, Floats]:
    """An exact pair of equilibrium plans; a sentence if rounding was in the way.

    With strategies that are given, that of the game in which they are played.

    >>> from rue.forms.compile import compile_game
    >>> from rue.games.catalogue import make
    >>> kuhn = compile_game(make("kuhn"))
    >>> round(18 * kuhn.value(*equilibrium(kuhn)), 9)
    -1.0
    """
    form = form_of(form)
    check_pair(given)
    power = _power(form)
    form = form.scaled(math.ldexp(1.0, -power))
    best, sure, left, entries = None, None, np.inf, len(form.payoffs.entry)
    for options, units in product(({}, CLOSE), (_units(form), np.ones(1 + len(form.treeplexes[1].infosets)))):
        plans = _solved(form, given, options, units)
        if plans is None:
            continue
        found, terms = evaluate(form, *plans, given), _terms(form, plans)
        if found.nash_conv < left:
            best, left = plans, found.nash_conv
        if found.nash_conv <= ROUNDING * terms:
            if entries > SMALL or terms <= CANCELLED * abs(found.value - form.shift):
                return plans
            kept = [np.where(plan < SELDOM, 0.0, plan) for plan in plans]
            sure = plans if found.nash_conv <= ROUNDING * _terms(form, (kept[0], kept[1])) else None
            break
    if entries <= REFINABLE:
        better = refined(form, given, best)
        one, two = (_plan(*each) for each in zip(form.treeplexes, better.plans, given, strict=True))
        left = nash_conv(form, given, (one, two))
        if left <= _rounding(form, given, better, (one, two)):
            return one, two
    if sure is not None:
        return sure
    left = float(np.ldexp(left, power))
    short = f": an exploitability of {left / 2:.1g} is left" if 0.0 < left < np.inf else ""
    raise RueError(f"the linear program of {form.name} could not be solved exactly{short}; choose another algorithm")


def _power(form: SequenceForm) -> int:
    """The power of two that brings the largest payoff near 1, so that the unit of payoffs does not matter; 0 where it
    would make nothing of the smallest."""
    sizes = np.abs(form.payoffs.entry[form.payoffs.entry != 0.0])
    if not len(sizes):
        return 0
    power = max(math.frexp(sizes.max())[1], -LARGEST_POWER)
    return power if math.frexp(sizes.min())[1] - power > -LARGEST_POWER else 0


def _terms(form: SequenceForm, plans: tuple[Floats, Floats]) -> float:
    """The sum of the absolute terms of the value of two plans."""
    return float(plans[0] @ (abs(form.payoff) @ plans[1]))


def _rounding(form: SequenceForm, given: GivenPair, found: Refined, plans: tuple[Floats, Floats]) -> float:
    """NashConv that plans may have which refinement found, once they are floats; none if it did not come to the end."""
    one, two = plans
    answers = [
        best_response(treeplex, gradient, own)[1]
        for treeplex, gradient, own in zip(form.treeplexes, form.gradients(one, two), given, strict=True)
    ]
    terms = _terms(form, plans)
    gained = max(terms, _terms(form, (answers[0], two)), _terms(form, (one, answers[1])))
    if found.nash_conv > max(DIGIT * abs(found.value), REFINED * terms, NOTHING * gained):
        return 0.0
    return ROUNDING * gained if terms <= NOTHING * gained else min(ROUNDING * gained, SHOWN * terms)


def _solved(
    form: SequenceForm, given: GivenPair, options: dict[str, float], units: Floats
) -> tuple[Floats, Floats] | None:
    """What HiGHS makes of the linear program; None if it gives up."""
    from scipy import sparse
    from scipy.optimize import linprog

    one, two = form.treeplexes
    inverse = sparse.diags_array(1.0 / units[1 + two.owner])
    (e, _), (f, infosets) = constraints(one, given[0]), constraints(two, given[1])
    values = f.shape[0]
    cost = np.zeros(one.sequences + values)
    cost[one.sequences] = -1.0
    solution = linprog(
        cost,
        A_ub=sparse.hstack(
            [inverse @ -form.payoff.T, inverse @ f.T @ sparse.diags_array(units[1 + infosets])], format="csr"
        ),
        b_ub=np.zeros(two.sequences),
        A_eq=sparse.hstack([e, sparse.csr_array((e.shape[0], values))], format="csr"),
        b_eq=np.eye(1, e.shape[0])[0],
        bounds=[(0, None)] * one.sequences + [(None, None)] * values,
        method="highs-ds",
        options=options,
    )
    if solution.status != 0:
        return None
    marginals = -(inverse @ solution.ineqlin.marginals)
    return _plan(one, solution.x[: one.sequences], given[0]), _plan(two, marginals, given[1])


def _units(form: SequenceForm) -> Floats:
    """Powers of two near the largest entry at each infoset of the second player or below; first that of the game."""
    two = form.treeplexes[1]
    largest = np.zeros(two.sequences)
    np.maximum.at(largest, form.payoffs.column, np.abs(form.payoffs.entry))
    units = np.zeros(1 + len(two.infosets))
    for start, actions, width, infoset in two.tree.blocks[::-1]:
        here = slice(1 + infoset, 1 + infoset + width)
        units[here] = largest[start : start + actions * width].reshape(actions, width).max(axis=0)
        np.maximum.at(largest, two.tree.parent[infoset : infoset + width], units[here])
    units[0] = largest[0]
    powers = np.ldexp(1.0, np.minimum(np.frexp(units)[1], LARGEST_POWER))
    return np.where(units > 0.0, np.maximum(powers, SMALLEST_UNIT), 1.0)


def _plan(treeplex: Treeplex, almost: Floats, given: Floats | None) -> Floats:
    """A vector that is a plan up to rounding, made one."""
    return treeplex.plan(laid_over(treeplex.strategy(np.maximum(almost, 0.0)), given))


class ExactSolver(BaseSolver):
    """The exact solution as a solver: `run` finds it, in one step that counts as no iteration."""

    kind = "exact"
    form: SequenceForm

    def __init__(self, form: SequenceForm, algorithm: Algorithm, given: GivenPair = (None, None)) -> None:
        super().__init__(form, algorithm, 0)
        self.given = given
        self._plans = tuple(treeplex.uniform_plan() for treeplex in form.treeplexes)

    def _run(self, iterations: int, nodes: int | None) -> None:
        for own, found in zip(self._plans, equilibrium(self.form, self.given), strict=True):
            own[:] = found

    def evaluate(self) -> Evaluation:
        """The value and what rounding has left of an exploitability."""
        one, two = self._plans
        return evaluate(self.form, one, two, self.given)

    def averages(self) -> tuple[Floats, Floats]:
        """The plans, or, where some are given, strategies."""
        return with_given(self.form.treeplexes, self._plans, self.given)

    def state(self) -> Arrays:
        """The plans."""
        return {f"average{player}": plan for player, plan in enumerate(self._plans)}

    def fixed(self) -> Arrays:
        """How the infosets read and how they follow each other."""
        return arrays_of(self.form)

    def restore(self, state: State, iteration: int) -> None:
        """Take up the plans."""
        fill(self.state(), state)

    def where(self, name: str, index: int) -> str:
        """The infoset of a number of a plan."""
        return self.form.where(int(name[-1]), index)
