"""The exact solution: the sequence-form linear program, by HiGHS.

max p_0  over plans x and values p of player 2's infosets,  such that  F^T p <= A^T x,  E x = e,  x >= 0

(Koller, Megiddo & von Stengel 1994.) E and F say that the actions of an infoset sum to its parent sequence; the
multipliers of the inequality are an optimal plan of player 2.

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
from rue.forms.sequence_form import SequenceForm
from rue.forms.stored import arrays_of
from rue.forms.treeplex import Floats, Treeplex
from rue.solvers.base import Arrays, BaseSolver, State, fill
from rue.solvers.evaluate import Evaluation, evaluate

ROUNDING = 1e-12
"""NashConv that rounding leaves to an exact solution, at most, as a share of the largest payoff."""
CLOSER = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
"""As near as HiGHS can be asked to come."""

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def constraints(treeplex: Treeplex) -> csr_array:
    """E: a row for the empty sequence, then a row an infoset, such that E x = (1, 0, ..., 0) for plans x."""
    from scipy.sparse import csr_array

    infosets = np.arange(len(treeplex.infosets))
    rows = np.concatenate([[0], 1 + treeplex.owner[1:], 1 + infosets])
    columns = np.concatenate([[0], np.arange(1, treeplex.sequences), treeplex.tree.parent])
    entries = np.concatenate([np.ones(treeplex.sequences), -np.ones(len(infosets))])
    shape = (1 + len(infosets), treeplex.sequences)
    return csr_array((entries, (rows.astype(np.int64), columns.astype(np.int64))), shape=shape)


def equilibrium(form: SequenceForm) -> tuple[Floats, Floats]:
    """An exact pair of equilibrium plans; a sentence if rounding was in the way.

    >>> from rue.forms.compile import compile_game
    >>> from rue.games.catalogue import make
    >>> kuhn = compile_game(make("kuhn"))
    >>> round(18 * kuhn.value(*equilibrium(kuhn)), 9)
    -1.0
    """
    left = np.inf
    for options, units in product(({}, CLOSER), (_units(form), np.ones(1 + len(form.treeplexes[1].infosets)))):
        plans = _solved(form, options, units)
        if plans is not None:
            left = evaluate(form, *plans).nash_conv
            if left <= ROUNDING * form.largest_payoff:
                return plans
    short = f": an exploitability of {left / 2:.1g} is left" if left < np.inf else ""
    raise RueError(f"the linear program of {form.name} could not be solved exactly{short}; choose another algorithm")


def _solved(form: SequenceForm, options: dict[str, float], units: Floats) -> tuple[Floats, Floats] | None:
    """What HiGHS makes of the linear program; None if it gives up."""
    from scipy import sparse
    from scipy.optimize import linprog

    one, two = form.treeplexes
    inverse = sparse.diags_array(1.0 / units[1 + two.owner])
    e, f = constraints(one), constraints(two)
    values = f.shape[0]
    cost = np.zeros(one.sequences + values)
    cost[one.sequences] = -1.0
    solution = linprog(
        cost,
        A_ub=sparse.hstack([inverse @ -form.payoff.T, inverse @ f.T @ sparse.diags_array(units)], format="csr"),
        b_ub=np.zeros(two.sequences),
        A_eq=sparse.hstack([e, sparse.csr_array((e.shape[0], values))], format="csr"),
        b_eq=np.eye(1, e.shape[0])[0],
        bounds=[(0, None)] * one.sequences + [(None, None)] * values,
        method="highs-ds",
        options=options,
    )
    if solution.status != 0:
        return None
    return _plan(one, solution.x[: one.sequences]), _plan(two, -(inverse @ solution.ineqlin.marginals))


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
    return np.where(units > 0.0, 2.0 ** np.frexp(units)[1], 1.0)


def _plan(treeplex: Treeplex, almost: Floats) -> Floats:
    """A vector that is a plan up to rounding, made one."""
    return treeplex.plan(treeplex.strategy(np.maximum(almost, 0.0)))


class ExactSolver(BaseSolver):
    """The exact solution as a solver: `run` finds it, in one step that counts as no iteration."""

    kind = "exact"
    form: SequenceForm

    def __init__(self, form: SequenceForm, algorithm: Algorithm) -> None:
        super().__init__(form, algorithm, 0)
        self._plans = tuple(treeplex.uniform_plan() for treeplex in form.treeplexes)

    def run(self, iterations: int, nodes: float | None = None) -> None:
        """Solve the linear program."""
        for own, found in zip(self._plans, equilibrium(self.form), strict=True):
            own[:] = found

    def evaluate(self) -> Evaluation:
        """The value and what rounding has left of an exploitability."""
        return evaluate(self.form, *self.averages())

    def averages(self) -> tuple[Floats, Floats]:
        """The plans."""
        one, two = self._plans
        return one, two

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
