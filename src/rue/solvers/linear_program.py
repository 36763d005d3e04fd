"""The exact solution: the sequence-form linear program, by HiGHS.

max p_0  over plans x and values p of player 2's infosets,  such that  F^T p <= A^T x,  E x = e,  x >= 0

(Koller, Megiddo & von Stengel 1994.) E and F say that the actions of an infoset sum to its parent sequence; the
multipliers of the inequality are an optimal plan of player 2. Where a strategy is given, E and F say that each
action is its share of the parent sequence: the linear program is that of the game in which nothing is chosen there.

HiGHS takes a violation of 1e-7 for none, whatever the unit of the payoffs. So each infoset of player 2 has a unit of
its own, the largest entry of A at its actions or below: its p and the inequalities of its actions are divided by it, so
that their largest coefficients are about 1. What was found is measured before it is called exact.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.errors import RueError
from rue.forms.compile import form_of
from rue.forms.sequence_form import SequenceForm
from rue.forms.stored import arrays_of
from rue.forms.treeplex import Floats, Integers, Treeplex
from rue.games.game import Game
from rue.solvers.base import Arrays, BaseSolver, State, fill
from rue.solvers.evaluate import Evaluation, evaluate
from rue.solvers.given import check_pair, laid_over, with_given

GivenPair = tuple[Floats | None, Floats | None]
"""What is given each player: a number for each sequence, nan where it is learned."""
ROUNDING = 1e-12
"""NashConv that rounding leaves to an exact solution, at most, as a share of that of uniform play: what is at stake."""
DIGITS = 256 * np.finfo(float).eps
"""And as a share of the largest payoff: payoffs that differ in their last digits alone decide nothing."""
SMALLEST_UNIT = 2.0**-1000
LARGEST_POWER = 1023
"""The largest power of two that is a number, where payoffs are no less."""
CLOSER = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
"""As near as HiGHS can be asked to come."""

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def constraints(treeplex: Treeplex, given: Floats | None = None) -> tuple[csr_array, Integers]:
    """E, such that E x = (1, 0, ..., 0) for plans x, and the infoset of each row.

    There is a row for the empty sequence (-1) and a row an infoset. One whose strategy is given has instead a row an
    action: x[I, a] = given[I, a] x[parent of I].
    """
    from scipy.sparse import csr_array

    fixed = np.zeros(treeplex.sequences, dtype=bool) if given is None else ~np.isnan(given)
    fixed[0] = False
    actions, learned = np.flatnonzero(fixed), np.flatnonzero(~fixed[treeplex.first])
    infosets = np.concatenate([[-1], learned, treeplex.owner[actions]]).astype(np.int64)
    row = np.zeros(1 + len(treeplex.infosets), dtype=np.int64)
    row[1 + infosets[: 1 + len(learned)]] = np.arange(1 + len(learned))
    rows = row[1 + treeplex.owner]
    rows[actions] = 1 + len(learned) + np.arange(len(actions))
    columns = np.concatenate([np.arange(treeplex.sequences), treeplex.tree.parent[infosets[1:]]])
    shares = np.zeros(0) if given is None else given[actions]
    entries = np.concatenate([np.ones(treeplex.sequences), -np.ones(len(learned)), -shares])
    places = np.concatenate([rows, np.arange(1, len(infosets))]), columns.astype(np.int64)
    return csr_array((entries, places), shape=(len(infosets), treeplex.sequences)), infosets


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
    left, uniform = np.inf, [treeplex.uniform_plan() for treeplex in form.treeplexes]
    rounding = ROUNDING * evaluate(form, uniform[0], uniform[1], given).nash_conv + DIGITS * form.largest_payoff
    for options, units in product(({}, CLOSER), (_units(form), np.ones(1 + len(form.treeplexes[1].infosets)))):
        plans = _solved(form, given, options, units)
        if plans is not None:
            left = evaluate(form, *plans, given).nash_conv
            if left <= rounding:
                return plans
    short = f": an exploitability of {left / 2:.1g} is left" if left < np.inf else ""
    raise RueError(f"the linear program of {form.name} could not be solved exactly{short}; choose another algorithm")


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
