"""The exact solution: the sequence-form linear program, by HiGHS.

max p_0  over plans x and values p of player 2's infosets,  such that  F^T p <= A^T x,  E x = e,  x >= 0

(Koller, Megiddo & von Stengel 1994.) E and F say that the actions of an infoset sum to its parent sequence; the
multipliers of the inequality are an optimal plan of player 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.errors import RueError
from rue.forms.sequence_form import SequenceForm
from rue.forms.stored import arrays_of
from rue.forms.treeplex import Floats, Treeplex
from rue.solvers.base import Arrays, BaseSolver, State, fill
from rue.solvers.evaluate import Evaluation, evaluate

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
    """An exact pair of equilibrium plans.

    >>> from rue.forms.compile import compile_game
    >>> from rue.games.catalogue import make
    >>> kuhn = compile_game(make("kuhn"))
    >>> round(18 * kuhn.value(*equilibrium(kuhn)), 9)
    -1.0
    """
    from scipy import sparse
    from scipy.optimize import linprog

    one, two = form.treeplexes
    e, f = constraints(one), constraints(two)
    values = f.shape[0]
    cost = np.zeros(one.sequences + values)
    cost[one.sequences] = -1.0
    solution = linprog(
        cost,
        A_ub=sparse.hstack([-form.payoff.T, f.T], format="csr"),
        b_ub=np.zeros(two.sequences),
        A_eq=sparse.hstack([e, sparse.csr_array((e.shape[0], values))], format="csr"),
        b_eq=np.eye(1, e.shape[0])[0],
        bounds=[(0, None)] * one.sequences + [(None, None)] * values,
        method="highs-ds",
    )
    if solution.status != 0:
        raise RueError(f"the linear program of {form.name} was not solved: {solution.message}")
    return _plan(one, solution.x[: one.sequences]), _plan(two, -solution.ineqlin.marginals)


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
