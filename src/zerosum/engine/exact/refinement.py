"""Iterative refinement of a pair of plans by linear programs, until only the last digits are left to gain.

Plans and payoffs are integers over a power of two here, so values and possible gains are known exactly. The error of
the plans is the solution of another linear program: each number may fall to its lower bound, and the costs of actions
and inequalities are the prices. Multiplied by a large power of two, its numbers are about 1, so HiGHS solves it to some
digits, and so on with the remaining error (Gleixner, Steffy & Wolter 2016). Its rows and columns are multiplied by
powers of two that bring the coefficients near 1, because HiGHS takes very small ones for zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.treeplex import Floats, Integers, Treeplex

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BITS = 600
"""Binary digits of a probability in a plan."""
BOX = 2.0**22
"""The largest step and the largest price, in the unit of the step; larger ones are never reached or paid."""
MIN_BITS_GAINED = 6
"""Binary digits that a step must gain; otherwise the next step has another unit."""
UNIT_SHIFTS = (0, 12, -12, 24, -24, 36)
"""Binary digits by which the unit of a step is shifted, one after the other while steps gain too little."""
STEPS = 24
SWEEPS = 30
"""How many times rows and columns are scaled in turn."""
TIGHT_TOLERANCES = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
"""The smallest tolerances that HiGHS accepts."""
PIVOT_FACTOR, MIN_PIVOTS = 2, 1_000
"""A step may take PIVOT_FACTOR times the pivots of the first solution, plus MIN_PIVOTS."""
ENOUGH_BITS = 60
"""Binary digits of the value that are enough."""

BigIntegers = list[int]


class PlanBound(NamedTuple):
    """A plan, the value that it guarantees, and what each action of the opponent loses to its best one; all exact."""

    plan: BigIntegers
    guaranteed_value: int
    costs: BigIntegers


BoundPair = tuple[PlanBound, PlanBound]


@dataclass(frozen=True)
class RefinedPlans:
    """A pair of plans, the value that they guarantee the first player, and the sum of what both could gain."""

    plans: tuple[Floats, Floats]
    value: float
    nash_conv: float


def build_plan_constraints(treeplex: Treeplex, fixed: Floats | None = None) -> tuple[csr_array, Integers]:
    """Return E, such that E x = (1, 0, ..., 0) for plans x, and the infoset of each row.

    There is a row for the empty sequence (-1) and a row for each infoset. An infoset whose strategy is fixed has a row
    for each action: x[I, a] = fixed[I, a] x[parent of I]. `fixed` has a number for each sequence, nan where it is free.
    """
    from scipy.sparse import csr_array

    is_fixed = np.zeros(treeplex.sequences, dtype=bool) if fixed is None else ~np.isnan(fixed)
    is_fixed[0] = False
    actions, learned = np.flatnonzero(is_fixed), np.flatnonzero(~is_fixed[treeplex.first])
    infosets = np.concatenate([[-1], learned, treeplex.owner[actions]]).astype(np.int64)
    row = np.zeros(1 + len(treeplex.infosets), dtype=np.int64)
    row[1 + infosets[: 1 + len(learned)]] = np.arange(1 + len(learned))
    rows = row[1 + treeplex.owner]
    rows[actions] = 1 + len(learned) + np.arange(len(actions))
    columns = np.concatenate([np.arange(treeplex.sequences), treeplex.tree.parent[infosets[1:]]])
    shares = np.zeros(0) if fixed is None else fixed[actions]
    entries = np.concatenate([np.ones(treeplex.sequences), -np.ones(len(learned)), -shares])
    places = np.concatenate([rows, np.arange(1, len(infosets))]), columns.astype(np.int64)
    return csr_array((entries, places), shape=(len(infosets), treeplex.sequences)), infosets


class IntegerGame:
    """A game whose payoffs are integers over 2^bits; plans are integers over 2^BITS."""

    def __init__(self, form: SequenceForm, fixed: Sequence[Floats | None]) -> None:
        start, column, entry, _ = form.payoffs
        sizes = np.abs(entry[entry != 0.0]) if entry.any() else np.ones(1)
        self.bits = 53 - math.frexp(sizes.min())[1]
        rows = np.repeat(np.arange(len(start) - 1), np.diff(start))
        self.entries = list(zip(rows.tolist(), column.tolist(), scale_to_integers(entry, self.bits), strict=True))
        self.infosets = [
            [(int(parent), tree.sequences_of(infoset).tolist()) for infoset, parent in enumerate(tree.tree.parent)]
            for tree in form.treeplexes
        ]
        self.fixed = [
            [None] * tree.sequences if strategy is None else _scale_fixed_strategy(strategy)
            for tree, strategy in zip(form.treeplexes, fixed, strict=True)
        ]
        """For each player the fixed probability of each sequence; None where it is free."""

    def bound_plans(self, masses: Sequence[BigIntegers]) -> BoundPair:
        """Return the plans that take actions in proportion to each player's masses, with what they guarantee."""
        return self._bound_plan(0, masses[0]), self._bound_plan(1, masses[1])

    def _bound_plan(self, player: int, masses: BigIntegers) -> PlanBound:
        plan = self._build_plan(player, masses)
        gradient = [0] * len(self.fixed[1 - player])
        if player == 1:
            for row, column, entry in self.entries:
                gradient[row] += entry * plan[column]
        else:
            for row, column, entry in self.entries:
                gradient[column] -= entry * plan[row]
        value, costs = self._best_response(1 - player, gradient)
        return PlanBound(plan, -value, costs)

    def _build_plan(self, player: int, masses: BigIntegers) -> BigIntegers:
        fixed, plan = self.fixed[player], [0] * len(masses)
        plan[0] = 1 << BITS
        for parent, sequences in self.infosets[player]:
            reach = plan[parent]
            if fixed[sequences[0]] is not None:
                shares = [reach * fixed[sequence] >> BITS for sequence in sequences]
            else:
                mass = [max(0, masses[sequence]) for sequence in sequences]
                if not any(mass):
                    mass = [1] * len(sequences)
                total = sum(mass)
                shares = [reach * weight // total for weight in mass]
                shares[mass.index(max(mass))] += reach - sum(shares)
            for sequence, share in zip(sequences, shares, strict=True):
                plan[sequence] = share
        return plan

    def _best_response(self, player: int, gradient: BigIntegers) -> tuple[int, BigIntegers]:
        """Return the value of a best response, and what each action loses to the best of its infoset."""
        fixed, costs = self.fixed[player], [0] * len(gradient)
        for parent, sequences in reversed(self.infosets[player]):
            if fixed[sequences[0]] is not None:
                best = sum(fixed[sequence] * gradient[sequence] for sequence in sequences) >> BITS
            else:
                best = max(gradient[sequence] for sequence in sequences)
                for sequence in sequences:
                    costs[sequence] = best - gradient[sequence]
            gradient[parent] += best
        return gradient[0], costs


class CorrectionProgram:
    """The linear program of a game over x, p and the slack of the inequalities, its coefficients brought near 1."""

    def __init__(self, form: SequenceForm, fixed: Sequence[Floats | None]) -> None:
        from scipy import sparse

        first, second = form.treeplexes
        (e, _), (f, _) = build_plan_constraints(first, fixed[0]), build_plan_constraints(second, fixed[1])
        nothing = sparse.csr_array((e.shape[0], f.shape[0]))
        whole = sparse.block_array([[form.payoff.T, -f.T], [e, nothing]], format="csr")
        row_units, column_units = _choose_units(whole)
        scaled = sparse.diags_array(row_units) @ whole @ sparse.diags_array(column_units)
        slack = sparse.vstack([-sparse.eye_array(second.sequences), sparse.csr_array((e.shape[0], second.sequences))])
        self.matrix = sparse.hstack([scaled, slack], format="csr")
        self.plan_units, self.slack_units = column_units[: first.sequences], row_units[: second.sequences]
        self.values = f.shape[0]
        self.pivots = sum(self.matrix.shape)

    def solve_game(self) -> tuple[Floats, Floats] | None:
        """Return equilibrium plans with the precision of HiGHS; None if it gives up."""
        x, y = len(self.plan_units), len(self.slack_units)
        cost = np.zeros(x + self.values + y)
        cost[x] = -1.0
        right = np.zeros(self.matrix.shape[0])
        right[y] = 1.0
        lowest = np.zeros(len(cost))
        lowest[x : x + self.values] = -np.inf
        return self._solve(cost, np.stack([lowest, np.full(len(cost), np.inf)], axis=1), right, self.pivots)

    def find_error_exponent(self, bounds: BoundPair, bits: int) -> int:
        """Return the exponent of the power of two that scales the error of both plans to about 1.

        In an equilibrium, an action that is played costs nothing: the error is the smaller of probability and cost.
        """
        first, second = bounds
        x_error = np.minimum(
            _scale_to_floats(first.plan, BITS) / self.plan_units, _scale_to_floats(second.costs, bits) * self.plan_units
        )
        y_error = np.minimum(
            _scale_to_floats(second.plan, BITS) * (1.0 / self.slack_units),
            _scale_to_floats(first.costs, bits) * self.slack_units,
        )
        return -round(math.log2(max(x_error.max(), y_error.max(), 2.0**-BITS)))

    def solve_correction(self, bounds: BoundPair, exponent: int, bits: int) -> tuple[Floats, Floats] | None:
        """Return what to add to both plans, times 2^exponent; None if HiGHS gives up."""
        first, second = bounds
        free = np.full(self.values, np.inf)
        plan_left = _cap_step(first.plan, BITS - exponent, 1.0 / self.plan_units)
        cost_left = _cap_step(first.costs, bits - exponent, self.slack_units)
        lowest = np.concatenate([-plan_left, -free, -cost_left])
        highest = np.concatenate([np.full(len(plan_left), BOX), free, np.full(len(cost_left), BOX)])
        lowest[0] = highest[0] = 0.0
        cost = np.concatenate(
            [
                _cap_step(second.costs, bits - exponent, self.plan_units),
                np.zeros(self.values),
                _cap_step(second.plan, BITS - exponent, 1.0 / self.slack_units),
            ]
        )
        max_pivots = PIVOT_FACTOR * self.pivots + MIN_PIVOTS
        return self._solve(cost, np.stack([lowest, highest], axis=1), np.zeros(self.matrix.shape[0]), max_pivots)

    def _solve(self, cost: Floats, bounds: Floats, right: Floats, max_pivots: int) -> tuple[Floats, Floats] | None:
        from scipy.optimize import linprog

        options = {**TIGHT_TOLERANCES, "maxiter": max_pivots}
        solution = linprog(cost, A_eq=self.matrix, b_eq=right, bounds=bounds, method="highs-ds", options=options)
        self.pivots = min(self.pivots, solution.nit)
        if solution.status != 0:
            return None
        multipliers = solution.eqlin.marginals[: len(self.slack_units)]
        return solution.x[: len(self.plan_units)] * self.plan_units, multipliers * self.slack_units


def refine_plans(
    form: SequenceForm, fixed: Sequence[Floats | None], plans: tuple[Floats, Floats] | None
) -> RefinedPlans:
    """Return the best pair of plans that steps lead to, from a pair or from the solution of HiGHS.

    >>> from zerosum.engine.forms.sequence.form_compiler import compile_game
    >>> from zerosum.games.catalogue import create_game
    >>> refinement = refine_plans(compile_game(create_game("kuhn")), (None, None), None)
    >>> round(18 * refinement.value, 15), refinement.nash_conv < 1e-18
    (-1.0, True)
    """
    game, correction = IntegerGame(form, fixed), CorrectionProgram(form, fixed)
    digits = game.bits + BITS
    starts = [start for start in (plans, correction.solve_game()) if start is not None]
    masses = [[scale_to_integers(plan, BITS) for plan in start] for start in starts]
    uniform = [[0] * treeplex.sequences for treeplex in form.treeplexes]
    bounds = _choose_best_plans(*(game.bound_plans(pair) for pair in masses or [uniform]))
    failed = shift = 0
    for _ in range(STEPS):
        gain, exponent = _sum_gains(bounds), correction.find_error_exponent(bounds, digits)
        is_exact = gain << ENOUGH_BITS <= abs(bounds[0].guaranteed_value)
        if is_exact or failed == len(UNIT_SHIFTS) or exponent > BITS - ENOUGH_BITS:
            break
        exponent = max(0, exponent + UNIT_SHIFTS[shift])
        changes = correction.solve_correction(bounds, exponent, digits)
        if changes is not None:
            corrected = [
                [old + more for old, more in zip(bound.plan, scale_to_integers(change, BITS - exponent), strict=True)]
                for bound, change in zip(bounds, changes, strict=True)
            ]
            bounds = _choose_best_plans(bounds, game.bound_plans(corrected))
        succeeded = _sum_gains(bounds) << MIN_BITS_GAINED <= gain
        failed, shift = (0, shift) if succeeded else (failed + 1, (shift + 1) % len(UNIT_SHIFTS))
    first, second = (_scale_to_floats(bound.plan, BITS) for bound in bounds)
    value = _scale_to_float(bounds[0].guaranteed_value, digits)
    return RefinedPlans((first, second), value, _scale_to_float(_sum_gains(bounds), digits))


def compute_nash_conv(form: SequenceForm, fixed: Sequence[Floats | None], plans: Sequence[Floats]) -> float:
    """Return the sum of what both players could gain, without the rounding of sums.

    >>> from zerosum.engine.forms.sequence.form_compiler import compile_game
    >>> from zerosum.games.catalogue import create_game
    >>> kuhn = compile_game(create_game("kuhn"))
    >>> round(compute_nash_conv(kuhn, (None, None), [treeplex.uniform_plan() for treeplex in kuhn.treeplexes]), 6)
    0.916667
    """
    game = IntegerGame(form, fixed)
    bounds = game.bound_plans([scale_to_integers(plan, BITS) for plan in plans])
    return _scale_to_float(_sum_gains(bounds), game.bits + BITS)


def scale_to_integers(numbers: Floats, bits: int) -> BigIntegers:
    """Return numbers times 2^bits, truncated to integers.

    >>> scale_to_integers(np.array([0.75, -1.5]), 1)
    [1, -3]
    """
    fractions, powers = np.frexp(numbers)
    shifts = zip(np.ldexp(fractions, 53).astype(np.int64).tolist(), (powers + (bits - 53)).tolist(), strict=True)
    return [whole << shift if shift >= 0 else whole >> -shift for whole, shift in shifts]


def _choose_best_plans(*candidates: BoundPair) -> BoundPair:
    """Return for each player the plan that guarantees most; of equal ones, the first."""
    first, second = (max(plans, key=lambda bound: bound.guaranteed_value) for plans in zip(*candidates, strict=True))
    return first, second


def _sum_gains(bounds: BoundPair) -> int:
    """Return the sum of what both players could gain."""
    return -bounds[0].guaranteed_value - bounds[1].guaranteed_value


def _scale_fixed_strategy(strategy: Floats) -> list[int | None]:
    """Return a fixed strategy as integers over 2^BITS; None where it is free."""
    digits = scale_to_integers(np.nan_to_num(strategy), BITS)
    return [None if math.isnan(chance) else whole for chance, whole in zip(strategy, digits, strict=True)]


def _scale_to_float(integer: int, bits: int) -> float:
    """Return integer / 2^bits, or infinity."""
    drop = max(0, integer.bit_length() - 64)
    try:
        return math.ldexp(float(integer >> drop), drop - bits)
    except OverflowError:
        return math.inf if integer > 0 else -math.inf


def _scale_to_floats(integers: BigIntegers, bits: int) -> Floats:
    return np.array([_scale_to_float(integer, bits) for integer in integers])


def _cap_step(integers: BigIntegers, bits: int, units: Floats) -> Floats:
    """Return integers over 2^bits in their units, none larger than a step."""
    with np.errstate(over="ignore"):
        return np.minimum(_scale_to_floats(integers, bits) * units, BOX)


def _choose_units(matrix: Any) -> tuple[Floats, Floats]:
    """Return powers of two for rows and columns that bring the largest and smallest entries of each near 1."""
    entries = abs(matrix).tocoo()
    entries.eliminate_zeros()
    logarithms, (rows, columns) = np.log2(entries.data), entries.coords
    row_powers, column_powers = (np.zeros(length) for length in matrix.shape)
    for _ in range(SWEEPS):
        row_powers = -_find_extremes(rows, logarithms + column_powers[columns], matrix.shape[0]).mean(axis=0)
        column_powers = -_find_extremes(columns, logarithms + row_powers[rows], matrix.shape[1]).mean(axis=0)
    row_powers = -_find_extremes(rows, logarithms + column_powers[columns], matrix.shape[0])[1]
    return np.exp2(np.round(row_powers)), np.exp2(np.round(column_powers))


def _find_extremes(indices: Any, numbers: Floats, length: int) -> Floats:
    """Return the smallest and the largest number at each index; zeros where there are none."""
    extremes = np.stack([np.full(length, np.inf), np.full(length, -np.inf)])
    np.minimum.at(extremes[0], indices, numbers)
    np.maximum.at(extremes[1], indices, numbers)
    return np.where(np.isfinite(extremes), extremes, 0.0)
