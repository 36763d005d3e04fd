"""Iterative refinement of a pair of plans by linear programs, until only the last digits are left to gain.

Plans and payoffs are whole numbers here, over a power of two: values and what is left to gain are known exactly.
The error of the plans is a linear program again: the lower bounds say how far each number may fall, and the costs
of actions and inequalities are the prices. Times a large power of two it is one whose numbers are about 1, which
HiGHS solves to some digits; and so on with these (Gleixner, Steffy & Wolter 2016). Its rows and columns are multiplied
by powers of two that bring the coefficients near 1, where HiGHS would otherwise take small ones for zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zerosum.engine.exact.constraints import plan_constraints
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.treeplex import Floats

BITS = 600
"""Binary digits of a number of a plan."""
BOX = 2.0**22
"""The largest step and the largest price, in the unit of the step: more is never reached, or never paid."""
MIN_BITS_GAINED = 6
"""Binary digits that a step must gain; otherwise the next step has another unit."""
OTHER_UNITS = (0, 12, -12, 24, -24, 36)
"""Binary digits by which the unit then differs."""
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
    """A plan, the value that it guarantees, and the cost of each action of the opponent beside the best; all exact."""

    plan: BigIntegers
    guaranteed_value: int
    costs: BigIntegers


@dataclass(frozen=True)
class RefinedPlans:
    """A pair of plans, the value that they guarantee the first player, and the sum of what both could gain."""

    plans: tuple[Floats, Floats]
    value: float
    nash_conv: float


class IntegerGame:
    """A game whose payoffs are integers over 2^bits; plans are integers over 2^BITS."""

    def __init__(self, form: SequenceForm, fixed: Sequence[Floats | None]) -> None:
        start, column, entry, _ = form.payoffs
        self.treeplexes = form.treeplexes
        sizes = np.abs(entry[entry != 0.0]) if entry.any() else np.ones(1)
        self.bits = 53 - math.frexp(sizes.min())[1]
        rows = np.repeat(np.arange(len(start) - 1), np.diff(start))
        self.entries = list(zip(rows.tolist(), column.tolist(), to_integers(entry, self.bits), strict=True))
        self.infosets = [
            [(int(parent), tree.of(infoset).tolist()) for infoset, parent in enumerate(tree.tree.parent)]
            for tree in form.treeplexes
        ]
        self.fixed = [None if strategy is None else _fixed_integers(strategy) for strategy in fixed]

    def bound(self, player: int, masses: BigIntegers) -> PlanBound:
        """Return the plan of a player that takes actions in proportion to masses, and what it guarantees."""
        plan = self._plan(player, masses)
        value, costs = self._best(1 - player, self._gradient(1 - player, plan))
        return PlanBound(plan, -value, costs)

    def _plan(self, player: int, masses: BigIntegers) -> BigIntegers:
        fixed, plan = self.fixed[player], [0] * len(masses)
        plan[0] = 1 << BITS
        for parent, sequences in self.infosets[player]:
            reach = plan[parent]
            if fixed is not None and fixed[sequences[0]] is not None:
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

    def _gradient(self, player: int, plan: BigIntegers) -> BigIntegers:
        gradient = [0] * self.treeplexes[player].sequences
        if player == 0:
            for row, column, entry in self.entries:
                gradient[row] += entry * plan[column]
        else:
            for row, column, entry in self.entries:
                gradient[column] -= entry * plan[row]
        return gradient

    def _best(self, player: int, gradient: BigIntegers) -> tuple[int, BigIntegers]:
        """Return the value of a best response, and what each action loses beside the best of its infoset."""
        fixed, total, costs = self.fixed[player], list(gradient), [0] * len(gradient)
        for parent, sequences in reversed(self.infosets[player]):
            if fixed is not None and fixed[sequences[0]] is not None:
                best = sum(fixed[sequence] * total[sequence] for sequence in sequences) >> BITS
            else:
                best = max(total[sequence] for sequence in sequences)
                for sequence in sequences:
                    costs[sequence] = best - total[sequence]
            total[parent] += best
        return total[0], costs


class CorrectionProgram:
    """The linear program of a game over x, p and the slack of the inequalities, its coefficients brought near 1."""

    def __init__(self, form: SequenceForm, fixed: Sequence[Floats | None]) -> None:
        from scipy import sparse

        first, second = form.treeplexes
        (e, _), (f, _) = plan_constraints(first, fixed[0]), plan_constraints(second, fixed[1])
        nothing = sparse.csr_array((e.shape[0], f.shape[0]))
        whole = sparse.block_array([[form.payoff.T, -f.T], [e, nothing]], format="csr")
        self.row_units, self.column_units = _near_one(whole)
        scaled = sparse.diags_array(self.row_units) @ whole @ sparse.diags_array(self.column_units)
        slack = sparse.vstack([-sparse.eye_array(second.sequences), sparse.csr_array((e.shape[0], second.sequences))])
        self.matrix = sparse.hstack([scaled, slack], format="csr")
        self.plan_units, self.slack_units = self.column_units[: first.sequences], self.row_units[: second.sequences]
        self.values = f.shape[0]
        self.pivots = sum(self.matrix.shape)

    def first(self) -> tuple[Floats, Floats] | None:
        """Solve for the plans with the precision of HiGHS."""
        x, y = len(self.plan_units), len(self.slack_units)
        cost = np.zeros(x + self.values + y)
        cost[x] = -1.0
        right = np.zeros(len(self.row_units))
        right[y] = 1.0
        lowest = np.zeros(len(cost))
        lowest[x : x + self.values] = -np.inf
        return self._solved(cost, np.stack([lowest, np.full(len(cost), np.inf)], axis=1), right, self.pivots)

    def unit(self, bound_one: PlanBound, bound_two: PlanBound, bits: int) -> int:
        """Return the power of two that scales the error of both plans to about 1.

        In an equilibrium, an action that is played costs nothing: the error is the smaller of probability and cost.
        """
        return -round(
            math.log2(
                max(
                    np.minimum(
                        _floats(bound_one.plan, BITS) / self.plan_units,
                        _floats(bound_two.costs, bits) * self.plan_units,
                    ).max(),
                    np.minimum(
                        _floats(bound_two.plan, BITS) * (1.0 / self.slack_units),
                        _floats(bound_one.costs, bits) * self.slack_units,
                    ).max(),
                    2.0**-BITS,
                )
            )
        )

    def step(self, bound_one: PlanBound, bound_two: PlanBound, unit: int, bits: int) -> tuple[Floats, Floats] | None:
        """Return what to add to both plans, times 2^unit."""
        first = len(self.plan_units)
        values = slice(first, first + self.values)
        lowest = np.concatenate(
            [
                -_capped(bound_one.plan, BITS - unit, 1.0 / self.plan_units),
                np.full(self.values, -np.inf),
                -_capped(bound_one.costs, bits - unit, self.slack_units),
            ]
        )
        highest = np.full(len(lowest), BOX)
        highest[values] = np.inf
        lowest[0] = highest[0] = 0.0
        cost = np.concatenate(
            [
                _capped(bound_two.costs, bits - unit, self.plan_units),
                np.zeros(self.values),
                _capped(bound_two.plan, BITS - unit, 1.0 / self.slack_units),
            ]
        )
        max_pivots = PIVOT_FACTOR * self.pivots + MIN_PIVOTS
        return self._solved(cost, np.stack([lowest, highest], axis=1), np.zeros(len(self.row_units)), max_pivots)

    def _solved(self, cost: Floats, bounds: Floats, right: Floats, max_pivots: int) -> tuple[Floats, Floats] | None:
        from scipy.optimize import linprog

        options = {**TIGHT_TOLERANCES, "maxiter": max_pivots}
        solution = linprog(cost, A_eq=self.matrix, b_eq=right, bounds=bounds, method="highs-ds", options=options)
        self.pivots = min(self.pivots, solution.nit)
        if solution.status != 0:
            return None
        multipliers = solution.eqlin.marginals[: len(self.slack_units)]
        return solution.x[: len(self.plan_units)] * self.plan_units, multipliers * self.slack_units


def refine(form: SequenceForm, fixed: Sequence[Floats | None], plans: tuple[Floats, Floats] | None) -> RefinedPlans:
    """Return the best pair of plans that steps lead to, from a pair or from the solution of HiGHS.

    >>> from zerosum.engine.forms.sequence.form_compiler import compile_game
    >>> from zerosum.games.catalogue import create_game
    >>> refinement = refine(compile_game(create_game("kuhn")), (None, None), None)
    >>> round(18 * refinement.value, 15), refinement.nash_conv < 1e-18
    (-1.0, True)
    """
    game, correction = IntegerGame(form, fixed), CorrectionProgram(form, fixed)
    digits = game.bits + BITS
    sides: tuple[PlanBound, PlanBound] | None = None
    for start in (plans, correction.first()):
        if start is not None:
            sides = _keep_better(sides, game, [to_integers(plan, BITS) for plan in start])
    if sides is None:
        sides = _keep_better(None, game, [[0] * tree.sequences for tree in form.treeplexes])
    failed, other = 0, 0
    for _ in range(STEPS):
        left, unit = _gain_left(sides), correction.unit(*sides, digits)
        if (
            left << ENOUGH_BITS <= abs(sides[0].guaranteed_value)
            or failed == len(OTHER_UNITS)
            or unit > BITS - ENOUGH_BITS
        ):
            break
        unit = max(0, unit + OTHER_UNITS[other])
        changes = correction.step(*sides, unit, digits)
        if changes is not None:
            masses = [
                [old + more for old, more in zip(side.plan, to_integers(change, BITS - unit), strict=True)]
                for side, change in zip(sides, changes, strict=True)
            ]
            sides = _keep_better(sides, game, masses)
        won = _gain_left(sides) << MIN_BITS_GAINED <= left
        failed, other = (0, other) if won else (failed + 1, (other + 1) % len(OTHER_UNITS))
    first, second = (_floats(side.plan, BITS) for side in sides)
    left = _gain_left(sides)
    return RefinedPlans((first, second), _float(sides[0].guaranteed_value, digits), _float(left, digits))


def nash_conv(form: SequenceForm, fixed: Sequence[Floats | None], plans: Sequence[Floats]) -> float:
    """Return the sum of what both players could gain, without the rounding of sums.

    >>> from zerosum.engine.forms.sequence.form_compiler import compile_game
    >>> from zerosum.games.catalogue import create_game
    >>> kuhn = compile_game(create_game("kuhn"))
    >>> round(nash_conv(kuhn, (None, None), [treeplex.uniform_plan() for treeplex in kuhn.treeplexes]), 6)
    0.916667
    """
    game = IntegerGame(form, fixed)
    sides = _keep_better(None, game, [to_integers(plan, BITS) for plan in plans])
    return _float(_gain_left(sides), game.bits + BITS)


def to_integers(numbers: Floats, bits: int) -> BigIntegers:
    """Return numbers times 2^bits, truncated to integers.

    >>> to_integers(np.array([0.75, -1.5]), 1)
    [1, -3]
    """
    fractions, powers = np.frexp(numbers)
    shifts = zip(np.ldexp(fractions, 53).astype(np.int64).tolist(), (powers + (bits - 53)).tolist(), strict=True)
    return [whole << shift if shift >= 0 else whole >> -shift for whole, shift in shifts]


def _keep_better(
    sides: tuple[PlanBound, PlanBound] | None, game: IntegerGame, masses: Sequence[BigIntegers]
) -> tuple[PlanBound, PlanBound]:
    """Return for each player the plan that guarantees more: the present one, or that of some masses."""
    first, second = (game.bound(player, own_masses) for player, own_masses in enumerate(masses))
    if sides is None:
        return first, second
    old_first, old_second = sides
    first = first if first.guaranteed_value > old_first.guaranteed_value else old_first
    return first, second if second.guaranteed_value > old_second.guaranteed_value else old_second


def _gain_left(sides: tuple[PlanBound, PlanBound]) -> int:
    """Return the sum of what both players could gain."""
    return -sides[0].guaranteed_value - sides[1].guaranteed_value


def _fixed_integers(strategy: Floats) -> list[int | None]:
    """Return a fixed strategy as integers over 2^BITS; None where it is free."""
    digits = to_integers(np.nan_to_num(strategy), BITS)
    return [None if math.isnan(chance) else whole for chance, whole in zip(strategy, digits, strict=True)]


def _float(whole: int, bits: int) -> float:
    """whole / 2^bits, or infinity."""
    drop = max(0, whole.bit_length() - 64)
    try:
        return math.ldexp(float(whole >> drop), drop - bits)
    except OverflowError:
        return math.inf if whole > 0 else -math.inf


def _capped(numbers: BigIntegers, bits: int, units: Floats) -> Floats:
    """Return numbers in different units, none larger than a step."""
    with np.errstate(over="ignore"):
        return np.minimum(_floats(numbers, bits) * units, BOX)


def _floats(numbers: BigIntegers, bits: int) -> Floats:
    """Return numbers over 2^bits as floats."""
    return np.array([_float(whole, bits) for whole in numbers])


def _near_one(matrix: Any) -> tuple[Floats, Floats]:
    """Return powers of two for rows and columns that bring the largest and smallest entries of each near 1."""
    entries = abs(matrix).tocoo()
    entries.eliminate_zeros()
    logarithms, (rows, columns) = np.log2(entries.data), entries.coords
    row_powers, column_powers = (np.zeros(length) for length in matrix.shape)
    for _ in range(SWEEPS):
        row_powers = -_ends(rows, logarithms + column_powers[columns], matrix.shape[0]).mean(axis=0)
        column_powers = -_ends(columns, logarithms + row_powers[rows], matrix.shape[1]).mean(axis=0)
    row_powers = -_ends(rows, logarithms + column_powers[columns], matrix.shape[0])[1]
    return np.exp2(np.round(row_powers)), np.exp2(np.round(column_powers))


def _ends(places: Any, numbers: Floats, length: int) -> Floats:
    """Return the smallest and the largest number at each index; zeros where there are none."""
    ends = np.stack([np.full(length, np.inf), np.full(length, -np.inf)])
    np.minimum.at(ends[0], places, numbers)
    np.maximum.at(ends[1], places, numbers)
    return np.where(np.isfinite(ends), ends, 0.0)
