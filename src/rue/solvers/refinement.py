"""A pair of plans made better until nothing but the last digits is left: iterative refinement of the linear program.

Plans and payoffs are whole numbers here, over a power of two: values and what is left to gain are known exactly.
What the plans lack is a linear program again: how far each number may fall is its lower bound, and what each
action and each inequality costs is its price. Times a large power of two it is one whose numbers are about 1, which
HiGHS solves to some digits; and so on with these (Gleixner, Steffy & Wolter 2016). Its rows and columns are multiplied
by powers of two that bring the coefficients near 1, where HiGHS would otherwise take small ones for zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from rue.forms.sequence_form import SequenceForm
from rue.forms.treeplex import Floats
from rue.records import dataclass
from rue.solvers.sequence_constraints import constraints

BITS = 600
"""Binary digits of a number of a plan."""
BOX = 2.0**22
"""How far a step may go, in its own unit, and the largest price: what is more is never reached, or never paid."""
WON = 6
"""Binary digits that a step must win, or the next one has another unit."""
OTHER_UNITS = (0, 12, -12, 24, -24, 36)
"""Binary digits by which the unit then is another."""
STEPS = 24
SWEEPS = 30
"""How often rows and columns are brought near 1 in turn."""
CLOSE = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
"""As near as HiGHS can be asked to come."""
PATIENCE, LEAST_PATIENCE = 2, 1_000
"""How many times as many pivots as the first solution took a step may take, and how many it may in any case."""
ENOUGH = 60
"""Binary digits of the value beyond which nothing need be won."""

Wholes = list[int]


class Side(NamedTuple):
    """A plan, what it assures its player of, and what each of the other's actions costs beside the best, all exact."""

    plan: Wholes
    assured: int
    costs: Wholes


@dataclass(frozen=True)
class Refined:
    """A pair of plans, the value that they assure the first player of, and what both could gain together."""

    plans: tuple[Floats, Floats]
    value: float
    nash_conv: float


class WholeGame:
    """A game whose payoffs are whole numbers over 2^bits, and plans that are whole numbers over 2^BITS."""

    def __init__(self, form: SequenceForm, given: Sequence[Floats | None]) -> None:
        start, column, entry, _ = form.payoffs
        self.treeplexes = form.treeplexes
        sizes = np.abs(entry[entry != 0.0]) if entry.any() else np.ones(1)
        self.bits = 53 - math.frexp(sizes.min())[1]
        rows = np.repeat(np.arange(len(start) - 1), np.diff(start))
        self.entries = list(zip(rows.tolist(), column.tolist(), wholes(entry, self.bits), strict=True))
        self.infosets = [
            [(int(parent), tree.of(infoset).tolist()) for infoset, parent in enumerate(tree.tree.parent)]
            for tree in form.treeplexes
        ]
        self.given = [None if own is None else _given(own) for own in given]

    def side(self, player: int, masses: Wholes) -> Side:
        """The plan of a player that takes actions in proportion to masses, and how good it is."""
        plan = self._plan(player, masses)
        assured, costs = self._best(1 - player, self._gradient(1 - player, plan))
        return Side(plan, -assured, costs)

    def _plan(self, player: int, masses: Wholes) -> Wholes:
        given, plan = self.given[player], [0] * len(masses)
        plan[0] = 1 << BITS
        for parent, own in self.infosets[player]:
            reach = plan[parent]
            if given is not None and given[own[0]] is not None:
                shares = [reach * given[sequence] >> BITS for sequence in own]
            else:
                mass = [max(0, masses[sequence]) for sequence in own]
                if not any(mass):
                    mass = [1] * len(own)
                total = sum(mass)
                shares = [reach * each // total for each in mass]
                shares[mass.index(max(mass))] += reach - sum(shares)
            for sequence, share in zip(own, shares, strict=True):
                plan[sequence] = share
        return plan

    def _gradient(self, player: int, plan: Wholes) -> Wholes:
        found = [0] * self.treeplexes[player].sequences
        if player == 0:
            for row, column, entry in self.entries:
                found[row] += entry * plan[column]
        else:
            for row, column, entry in self.entries:
                found[column] -= entry * plan[row]
        return found

    def _best(self, player: int, gradient: Wholes) -> tuple[int, Wholes]:
        """The value of a best response, and what each action loses beside the best of its infoset."""
        given, total, costs = self.given[player], list(gradient), [0] * len(gradient)
        for parent, own in reversed(self.infosets[player]):
            if given is not None and given[own[0]] is not None:
                best = sum(given[sequence] * total[sequence] for sequence in own) >> BITS
            else:
                best = max(total[sequence] for sequence in own)
                for sequence in own:
                    costs[sequence] = best - total[sequence]
            total[parent] += best
        return total[0], costs


class Correction:
    """The linear program of a game over x, p and the slack of the inequalities, its coefficients brought near 1."""

    def __init__(self, form: SequenceForm, given: Sequence[Floats | None]) -> None:
        from scipy import sparse

        one, two = form.treeplexes
        (e, _), (f, _) = constraints(one, given[0]), constraints(two, given[1])
        nothing = sparse.csr_array((e.shape[0], f.shape[0]))
        whole = sparse.block_array([[form.payoff.T, -f.T], [e, nothing]], format="csr")
        self.row_units, self.column_units = _near_one(whole)
        scaled = sparse.diags_array(self.row_units) @ whole @ sparse.diags_array(self.column_units)
        slack = sparse.vstack([-sparse.eye_array(two.sequences), sparse.csr_array((e.shape[0], two.sequences))])
        self.matrix = sparse.hstack([scaled, slack], format="csr")
        self.plan_units, self.slack_units = self.column_units[: one.sequences], self.row_units[: two.sequences]
        self.values = f.shape[0]
        self.pivots = sum(self.matrix.shape)

    def first(self) -> tuple[Floats, Floats] | None:
        """The plans as far as HiGHS comes by itself."""
        x, y = len(self.plan_units), len(self.slack_units)
        cost = np.zeros(x + self.values + y)
        cost[x] = -1.0
        right = np.zeros(len(self.row_units))
        right[y] = 1.0
        lowest = np.zeros(len(cost))
        lowest[x : x + self.values] = -np.inf
        return self._solved(cost, np.stack([lowest, np.full(len(cost), np.inf)], axis=1), right, self.pivots)

    def unit(self, one: Side, two: Side, bits: int) -> int:
        """The power of two by which what is wrong with both plans would be about 1.

        In an equilibrium whatever is played costs nothing: the less of both is wrong.
        """
        return -round(
            math.log2(
                max(
                    np.minimum(
                        _floats(one.plan, BITS) / self.plan_units, _floats(two.costs, bits) * self.plan_units
                    ).max(),
                    np.minimum(
                        _floats(two.plan, BITS) * (1.0 / self.slack_units), _floats(one.costs, bits) * self.slack_units
                    ).max(),
                    2.0**-BITS,
                )
            )
        )

    def step(self, one: Side, two: Side, unit: int, bits: int) -> tuple[Floats, Floats] | None:
        """What is to be added to both plans, times 2^unit."""
        first = len(self.plan_units)
        values = slice(first, first + self.values)
        lowest = np.concatenate(
            [
                -_capped(one.plan, BITS - unit, 1.0 / self.plan_units),
                np.full(self.values, -np.inf),
                -_capped(one.costs, bits - unit, self.slack_units),
            ]
        )
        highest = np.full(len(lowest), BOX)
        highest[values] = np.inf
        lowest[0] = highest[0] = 0.0
        cost = np.concatenate(
            [
                _capped(two.costs, bits - unit, self.plan_units),
                np.zeros(self.values),
                _capped(two.plan, BITS - unit, 1.0 / self.slack_units),
            ]
        )
        most = PATIENCE * self.pivots + LEAST_PATIENCE
        return self._solved(cost, np.stack([lowest, highest], axis=1), np.zeros(len(self.row_units)), most)

    def _solved(self, cost: Floats, bounds: Floats, right: Floats, most: int) -> tuple[Floats, Floats] | None:
        from scipy.optimize import linprog

        options = {**CLOSE, "maxiter": most}
        found = linprog(cost, A_eq=self.matrix, b_eq=right, bounds=bounds, method="highs-ds", options=options)
        self.pivots = min(self.pivots, found.nit)
        if found.status != 0:
            return None
        multipliers = found.eqlin.marginals[: len(self.slack_units)]
        return found.x[: len(self.plan_units)] * self.plan_units, multipliers * self.slack_units


def refined(form: SequenceForm, given: Sequence[Floats | None], plans: tuple[Floats, Floats] | None) -> Refined:
    """The best pair of plans that steps lead to, from a pair or from what HiGHS finds by itself.

    >>> from rue.forms.compile import compile_game
    >>> from rue.games.catalogue import make
    >>> found = refined(compile_game(make("kuhn")), (None, None), None)
    >>> round(18 * found.value, 15), found.nash_conv < 1e-18
    (-1.0, True)
    """
    game, correction = WholeGame(form, given), Correction(form, given)
    digits = game.bits + BITS
    sides: tuple[Side, Side] | None = None
    for start in (plans, correction.first()):
        if start is not None:
            sides = _better(sides, game, [wholes(plan, BITS) for plan in start])
    if sides is None:
        sides = _better(None, game, [[0] * tree.sequences for tree in form.treeplexes])
    failed, other = 0, 0
    for _ in range(STEPS):
        left, unit = _left(sides), correction.unit(*sides, digits)
        if left << ENOUGH <= abs(sides[0].assured) or failed == len(OTHER_UNITS) or unit > BITS - ENOUGH:
            break
        unit = max(0, unit + OTHER_UNITS[other])
        found = correction.step(*sides, unit, digits)
        if found is not None:
            masses = [
                [old + more for old, more in zip(side.plan, wholes(change, BITS - unit), strict=True)]
                for side, change in zip(sides, found, strict=True)
            ]
            sides = _better(sides, game, masses)
        won = _left(sides) << WON <= left
        failed, other = (0, other) if won else (failed + 1, (other + 1) % len(OTHER_UNITS))
    one, two = (_floats(side.plan, BITS) for side in sides)
    left = _left(sides)
    return Refined((one, two), _float(sides[0].assured, digits), _float(left, digits))


def nash_conv(form: SequenceForm, given: Sequence[Floats | None], plans: Sequence[Floats]) -> float:
    """What both players could gain together, without the rounding of sums.

    >>> from rue.forms.compile import compile_game
    >>> from rue.games.catalogue import make
    >>> kuhn = compile_game(make("kuhn"))
    >>> round(nash_conv(kuhn, (None, None), [treeplex.uniform_plan() for treeplex in kuhn.treeplexes]), 6)
    0.916667
    """
    game = WholeGame(form, given)
    sides = _better(None, game, [wholes(plan, BITS) for plan in plans])
    return _float(_left(sides), game.bits + BITS)


def wholes(numbers: Floats, bits: int) -> Wholes:
    """Numbers times 2^bits, without what is behind the point.

    >>> wholes(np.array([0.75, -1.5]), 1)
    [1, -3]
    """
    fractions, powers = np.frexp(numbers)
    shifts = zip(np.ldexp(fractions, 53).astype(np.int64).tolist(), (powers + (bits - 53)).tolist(), strict=True)
    return [whole << shift if shift >= 0 else whole >> -shift for whole, shift in shifts]


def _better(sides: tuple[Side, Side] | None, game: WholeGame, masses: Sequence[Wholes]) -> tuple[Side, Side]:
    """For each player the plan that assures more, the one that there is or that of some masses."""
    one, two = (game.side(player, own) for player, own in enumerate(masses))
    if sides is None:
        return one, two
    old_one, old_two = sides
    return one if one.assured > old_one.assured else old_one, two if two.assured > old_two.assured else old_two


def _left(sides: tuple[Side, Side]) -> int:
    """What both players could gain together."""
    return -sides[0].assured - sides[1].assured


def _given(own: Floats) -> list[int | None]:
    """What is given, over 2^BITS; None where there is a choice."""
    digits = wholes(np.nan_to_num(own), BITS)
    return [None if math.isnan(chance) else whole for chance, whole in zip(own, digits, strict=True)]


def _float(whole: int, bits: int) -> float:
    """whole / 2^bits, or infinity."""
    drop = max(0, whole.bit_length() - 64)
    try:
        return math.ldexp(float(whole >> drop), drop - bits)
    except OverflowError:
        return math.inf if whole > 0 else -math.inf


def _capped(numbers: Wholes, bits: int, units: Floats) -> Floats:
    """Numbers in units of their own, none larger than a step."""
    with np.errstate(over="ignore"):
        return np.minimum(_floats(numbers, bits) * units, BOX)


def _floats(numbers: Wholes, bits: int) -> Floats:
    """Numbers over 2^bits as floats."""
    return np.array([_float(whole, bits) for whole in numbers])


def _near_one(matrix: Any) -> tuple[Floats, Floats]:
    """Powers of two for rows and columns: the largest and the smallest entry of each come as near 1 as they can."""
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
    """The least and the greatest of the numbers at each place; zeros where there are none."""
    found = np.stack([np.full(length, np.inf), np.full(length, -np.inf)])
    np.minimum.at(found[0], places, numbers)
    np.maximum.at(found[1], places, numbers)
    return np.where(np.isfinite(found), found, 0.0)
