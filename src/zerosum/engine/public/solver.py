"""Runs an algorithm on a card game in public form."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.choices import CustomRule
from zerosum.algorithms.kernel_rule import DISCOUNTED, EXPONENT, NOTHING, PROPAGATED, REGRET_MATCHING
from zerosum.engine.fixed_strategies import build_fixed_tables, overlay_fixed_strategy
from zerosum.engine.forms.public.columns import ACTIONS, PublicTables
from zerosum.engine.forms.public.lines import FixedDecisions
from zerosum.engine.forms.public.tree import PublicDecision, PublicTree, normalize_columns
from zerosum.engine.forms.sequence.treeplex import Floats, Integers
from zerosum.engine.public.decisions import PlayerStore
from zerosum.engine.public.scratch import (
    Shapes,
    add_prediction_room,
    allocate_scratch,
    compute_deal_values_shape,
    compute_scratch_shapes,
)
from zerosum.engine.public.single_pass import MAX_SINGLE_PASS
from zerosum.engine.public.staged_pass import StagedPass
from zerosum.engine.public.step_sizes import StepSizes, compute_public_step_sizes, iterate_decision_bounds
from zerosum.engine.public.walk import BOTH, WHOLE, Portion, Scratch, evaluate_public, run_public_iterations
from zerosum.engine.sequence.best_response import Evaluation
from zerosum.engine.solver import MAX_BATCH, Arrays, BaseSolver, State, compile_kernel_rule, copy_arrays
from zerosum.engine.threads import Binder, KernelThreads
from zerosum.engine.time_costs import estimate_public_evaluation, estimate_public_iteration
from zerosum.native.kernel_call import KernelCall, compile_missing
from zerosum.support.errors import ZerosumError
from zerosum.support.system import available_cores, defer_interrupt
from zerosum.support.thread_safety import cached_property

SMALL, LARGE = 2.0**-10, 2.0**30
"""The range of the largest payoff in which values are stored in chips; outside it, in a unit near that payoff."""


class PublicSolver(BaseSolver):
    """Iterates an algorithm on a card game; stores float32, evaluates in float64.

    A player's average holds the strategies that the opponent played against: with alternating updates, those of
    iterations 1 to T for the second player and of 2 to T + 1 for the player who updates first. `fixed` has strategies
    of decisions that are not learned (see `zerosum.engine.fixed_strategies`).
    """

    kind = "public"
    max_batch = MAX_BATCH
    form: PublicTree

    def __init__(
        self,
        tree: PublicTree,
        algorithm: Algorithm,
        horizon: int,
        threads: int | None = None,
        dtype: Any = np.float32,
        fixed: FixedDecisions | None = None,
    ) -> None:
        algorithm.check_horizon(horizon)
        super().__init__(tree, algorithm, horizon)
        self.half = dtype == np.float16
        self.dtype = dtype = np.float32 if self.half else dtype
        if self.half:
            check_half_store(algorithm, int(tree.tables.choices[:, ACTIONS].max()))
        cores = available_cores()
        self.threads = max(1, min(cores if threads is None else threads, cores, tree.extents.jobs))
        self._threads = KernelThreads()
        self.rule = compile_kernel_rule(algorithm, dtype)
        self.fixed: FixedDecisions = dict(fixed or {})
        self._fixed, self._fixed_exact = (
            (build_fixed_tables(tree, self.fixed, 0, kind), build_fixed_tables(tree, self.fixed, 1, kind))
            for kind in (dtype, np.float64)
        )
        self.evaluation_seconds = estimate_public_evaluation(tree)
        self._iteration_seconds = estimate_public_iteration(tree, algorithm)
        self.stores = self._allocate_store(0), self._allocate_store(1)
        self._first_store = {
            name: self.allocate(f"{name}0", len(array) if self.rule.simultaneous else 0, array.dtype)
            for name, array in self.stores[0]._asdict().items()
            if name in ("regret", "strategy")
        }
        """Copies of the first player's arrays before an iteration, where both players update at once."""
        self.entering_reach = tuple((weights / tree.total_weight) for weights in tree.weights)
        self._steps = self._scale_step_sizes()
        self.iteration_scratch = allocate_scratch(self._compute_shapes(self.rule.predict == PROPAGATED), dtype)

    def _scale_step_sizes(self) -> StepSizes:
        """Return the step sizes of decisions and hands in the unit of the stored values."""
        decision, hand = compute_public_step_sizes(self.algorithm, self.form, self.horizon)
        for player, unit in enumerate(self._units[1]):
            for board in range(len(self.form.boards)):
                hand[self.form.slice_hands(board, player)] /= unit
        return StepSizes(decision.astype(self.dtype), hand.astype(self.dtype))

    def _allocate_store(self, player: int) -> PlayerStore:
        """Return a player's arrays before the first iteration."""
        custom, kind = self.algorithm.accumulate, np.uint16 if self.half else self.dtype
        size, rows = self.count_numbers(player)
        stored = self.rule.accumulate != DISCOUNTED or self.rule.predict != NOTHING
        memory_arrays = custom.memory if isinstance(custom, CustomRule) else 0
        store = PlayerStore(
            regret=self.allocate(f"regret{player}", size, kind),
            average=self.allocate(f"average{player}", size, kind),
            strategy=self.allocate(f"strategy{player}", size if stored else 0, self.dtype),
            weight=self.allocate(f"weight{player}", size if self.rule.weighted else 0, kind),
            memory=self.allocate(f"memory{player}", size * memory_arrays, self.dtype),
            previous=self.allocate(f"previous{player}", rows if self.rule.both_plans else 0, self.dtype),
        )
        for decision in self.iterate_held_decisions() if stored else ():
            if decision.player == player:
                store.strategy[decision.at] = 1.0 / decision.actions
                if len(store.weight):
                    store.weight[decision.at] = 1.0
        return store

    def count_numbers(self, player: int) -> tuple[int, int]:
        """Return the numbers that a player stores: of all actions, and of all rows, the entering ones included."""
        return self.form.store_sizes[player], int((self.form.row_counts * self.form.widths)[:, player].sum())

    def allocate(self, name: str, size: int, kind: Any) -> Any:
        """Allocate zeros for an array of the state."""
        return np.zeros(size, kind)

    def iterate_held_decisions(self) -> Iterable[PublicDecision]:
        """Return the decisions whose numbers this solver holds."""
        return self.form.iterate_decisions()

    def _compute_shapes(self, prediction: bool = False) -> Shapes:
        return compute_scratch_shapes(self.form.extents, self.threads, prediction, bool(self.rule.weighted))

    def allocate_deal_values(self, scratch: Scratch, deals: int) -> Any:
        """Allocate the values of some deals of the first place."""
        shape = compute_deal_values_shape(self.form.extents, deals, scratch.prediction.size > 0)
        return np.zeros(shape, scratch.reach.dtype)

    def _run(self, iterations: int, nodes: int | None) -> None:
        with defer_interrupt():  # an iteration that has run must be counted
            self.run_portion(iterations, *self._prepare_whole_walk(BOTH, self.iteration_scratch))
            self.iteration += iterations

    @property
    def work_seconds(self) -> float:
        return self._iteration_seconds * self.iteration

    def _prepare_whole_walk(self, player: int, scratch: Scratch) -> tuple[Portion, Any]:
        """Return the portion of a whole walk, and room for the deal values that threads pass to each other."""
        portion = Portion(WHOLE, player, np.arange(self.form.deal_count))
        return portion, self.allocate_deal_values(scratch, self.form.deal_count if self.threads > 1 else 0)

    def load_kernels(self) -> None:
        compile_missing(self.bind_calls())

    def bind_calls(self) -> list[KernelCall]:
        """Return the kernel calls of an iteration and of an evaluation."""
        whole_walk = self._prepare_whole_walk(BOTH, self.iteration_scratch)
        iteration = self.bind_iterations(self._compute_coefficients(0), *whole_walk, self.form.tables)
        scratch = self.evaluation_scratch
        evaluation = self._bind_evaluation(scratch, 0, False, *self._prepare_whole_walk(0, scratch))
        return [*self._threads.bind_calls(iteration, 1), *self._threads.bind_calls(evaluation, 1)]

    def run_portion(self, iterations: int, portion: Portion, results: Any) -> None:
        """Walk a portion of some iterations; `iteration` does not change."""
        bind = self.bind_iterations(self._compute_coefficients(iterations), portion, results, self.form.tables)
        self._threads.run(bind, self.threads)

    def _compute_coefficients(self, iterations: int) -> Any:
        """Return the coefficients of the last iteration, with which the strategies were matched, and of the next."""
        first = self.iteration + 1
        rows = self.algorithm.coefficients(max(1, first - 1), first + iterations - 1, self.horizon)
        return np.concatenate([rows[:1], rows] if first == 1 else [rows]).astype(self.dtype)

    def bind_iterations(self, rows: Any, portion: Portion, results: Any, tables: PublicTables) -> Binder:
        """Bind the kernel for iterations with some coefficients, on the tables of the form or a part of them."""
        entering, hand_weights = self._scaled_weights
        spare = self.stores[0]._replace(**self._first_store)
        return partial(
            run_public_iterations.bind, tables, self.stores, self._fixed, spare, entering, hand_weights, self._steps,
            self.iteration_scratch, results, self.rule, rows, portion,
        )  # fmt: skip

    @cached_property
    def _scaled_weights(self) -> tuple[Any, Any]:
        """The entering reaches and the hand weights of iterations, in the units of the stored numbers."""
        entering, weights = (
            tuple((unit * numbers).astype(self.dtype) for unit, numbers in zip(units, arrays, strict=True))
            for units, arrays in zip(self._units, (self.entering_reach, self.form.hand_weights), strict=True)
        )
        return entering, weights

    def keep_previous_store(self, player: int, deals: Integers) -> None:
        """Copy the first player's numbers of some deals, against which the second updates, if both update at once."""
        if self.rule.simultaneous and player == 0:
            for deal in deals:
                span = self.form.slice_deal(int(deal), 0)
                for name, copy in self._first_store.items():
                    if len(copy):
                        copy[span] = getattr(self.stores[0], name)[span]

    def make_update_pass(self, player: int) -> StagedPass:
        """Return a player's share of the next iteration, as a pass in stages."""
        return StagedPass(self, player, None)

    def make_evaluation_pass(self, player: int, best: bool = False, with_average: bool = False) -> StagedPass:
        """Return the evaluation of a player's hands against the other's average, as a pass in stages."""
        return StagedPass(self, player, best, with_average)

    @cached_property
    def _units(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Factors of reach and of values that bring the stored numbers near 1; they cancel in every strategy.

        16-bit floats always need them; 32-bit floats need a power of two where payoffs are very small or very large.
        """
        if not self.half:
            unit = 2.0 ** -math.frexp(self.form.largest_payoff)[1]
            value_unit = 1.0 if 1.0 / LARGE <= unit <= 1.0 / SMALL else unit
            return (1.0, 1.0), (value_unit, value_unit)
        reach = tuple(1.0 / float(entry.max()) for entry in self.entering_reach)
        largest = [
            self.form.largest_payoff * weights.max() * entry.sum() * unit
            for weights, entry, unit in zip(self.form.hand_weights, self.entering_reach[::-1], reach[::-1], strict=True)
        ]
        return (reach[0], reach[1]), (1.0 / float(largest[0]), 1.0 / float(largest[1]))

    def state(self) -> Arrays:
        stores = enumerate(self.stores)
        return {f"{name}{p}": array for p, store in stores for name, array in store._asdict().items() if array.size}

    def restore(self, state: State, iteration: int) -> None:
        copy_arrays(self.state(), state)
        self.iteration = iteration

    def describe_decision_at(self, name: str, index: int) -> str:
        player = int(name[-1])
        if name[:-1] == "previous":
            return f"player {player + 1}"
        memory_arrays = len(self.state()[name]) // max(1, len(self.stores[player].regret))
        return self.form.describe_decision_at(player, index // max(1, memory_arrays))

    def _view_as_floats(self, numbers: Any) -> Any:
        """Return numbers of the store as floats: kernels see 16-bit floats as unsigned integers."""
        return numbers.view(np.float16) if self.half else numbers

    def averages(self) -> tuple[Any, Any]:
        averages = self._view_as_floats(self.stores[0].average), self._view_as_floats(self.stores[1].average)
        if self.fixed:
            averages = averages[0].copy(), averages[1].copy()
            for (place, player, first), chances in self.fixed.items():
                block = self.form.slice_decision(place, player, first, len(chances))
                averages[player][block] = overlay_fixed_strategy(averages[player][block], np.ravel(chances))
        return averages

    def set_averages(self, first: Any, second: Any) -> None:
        """Set the accumulated averages of both players, to evaluate and view them."""
        for store, average in zip(self.stores, (first, second), strict=True):
            self._view_as_floats(store.average)[:] = average

    def start_from(self, strategies: tuple[Any, Any], weight: float) -> None:
        """Fill the initial regret: the first iteration plays the strategies (`zerosum.engine.initial_regret`)."""
        from zerosum.engine.initial_regret import compute_initial_regret

        exponent = self.algorithm.coefficients(1, 1, self.horizon)[0, EXPONENT]
        for player, at, bounds in iterate_decision_bounds(self.form):
            store = self.stores[player]
            sigma = normalize_columns(np.asarray(strategies[player][at], dtype=np.float64).reshape(-1, len(bounds)))
            store.regret[at] = compute_initial_regret(bounds, sigma, self._units[1][player] * weight, exponent).ravel()
            if len(store.strategy):
                store.strategy[at] = sigma.ravel()

    def compute_hand_values(self, player: int, best: bool = False) -> Floats:
        """Return the value of each hand of the first board for a player against the other's average, in float64."""
        values: Floats = self.compute_row_values(0, self.entering_reach[1 - player][None], player, best)[0]
        return values

    def compute_row_values(self, place: int, entering: Floats, player: int, best: bool = False) -> Floats:
        """Return the value of every row of a player at a place when the opponent enters with a given reach.

        `entering` has a row for each entry of the place; values are weighted by the probability of the player's hand.
        """
        scratch = self.evaluation_scratch
        self._evaluate_into_scratch(scratch, place, entering, player, best)
        count, width = self.form.get_shape(place, player)
        return np.array(scratch.value[0, 0, : count * width].reshape(count, width))

    def _evaluate_into_scratch(self, scratch: Scratch, place: int, entering: Floats, player: int, best: bool) -> None:
        """Compute the values of a player's rows at a place, in some scratch arrays."""
        scratch.reach[0, 0, : entering.size] = entering.ravel()
        bind = self._bind_evaluation(scratch, place, best, *self._prepare_whole_walk(player, scratch))
        self._threads.run(bind, 1 if place else self.threads)

    def evaluate_portion(self, scratch: Scratch, best: bool, portion: Portion, results: Any) -> None:
        """Walk a portion of an evaluation; the opponent's entering rows must be in the scratch arrays."""
        self._threads.run(self._bind_evaluation(scratch, 0, best, portion, results), self.threads)

    def _bind_evaluation(self, scratch: Scratch, place: int, best: bool, portion: Portion, results: Any) -> Binder:
        """Bind the kernel for a portion of an evaluation from a place on."""
        averages = self.stores[0].average, self.stores[1].average
        return partial(
            evaluate_public.bind, self.form.tables, place, averages, self._fixed_exact, self.form.hand_weights, scratch,
            results, best, portion,
        )  # fmt: skip

    @property
    def rounding(self) -> float:
        """An exploitability that rounding in the store can cause: a part of the last digit, as most errors cancel."""
        digits = np.finfo(np.float16 if self.half else self.dtype)
        return float(digits.eps * self.form.largest_payoff / 64)

    @property
    def bytes(self) -> int:
        """The memory of the stores, the tables and the scratch arrays."""
        stores = *self.stores[0], *self.stores[1], *self._first_store.values()
        constants = *self.form.tables, *self.form.hand_weights, *self.entering_reach
        return int(sum(array.nbytes for array in (*stores, *constants, *self.iteration_scratch)))

    def weights_at(self, place: int, player: int) -> Floats:
        """Return the weight of each of a player's hands at a place."""
        return self.form.hand_weights[player][self.form.slice_hands_at(place, player)]

    def strategy(self, place: int, player: int, first: int, actions: int) -> Floats:
        """Return the average strategy of a decision, (actions, hands); `first` is the row of its first action."""
        average = self.read_average(place, player, self.form.slice_decision(place, player, first, actions))
        learned = normalize_columns(self._view_as_floats(average).reshape(actions, -1))
        fixed = self.fixed.get((place, player, first))
        return learned if fixed is None else overlay_fixed_strategy(learned, fixed)

    def read_average(self, place: int, player: int, at: slice) -> Any:
        """Return a part of a player's accumulated average that belongs to a place, as it is stored."""
        return self.stores[player].average[at].copy()

    @cached_property
    def evaluation_scratch(self) -> Scratch:
        """The scratch arrays of evaluations, in float64."""
        return allocate_scratch(self._compute_shapes(), np.float64)

    @cached_property
    def evaluation_scratch_both(self) -> Scratch:
        """The scratch arrays of evaluations of both the average and a best response."""
        return add_prediction_room(self.evaluation_scratch, self._compute_shapes(True))

    def evaluate(self) -> Evaluation:
        """Return the value and the exploitability of the average strategies, in float64: a walk for each player."""
        scratch, values, best = self.evaluation_scratch_both, [0.0, 0.0], [0.0, 0.0]
        for player in (0, 1):
            self._evaluate_into_scratch(scratch, 0, self.entering_reach[1 - player], player, True)
            width = self.form.get_shape(0, player)[1]
            values[player] = float(scratch.prediction[0, 0, :width].sum())
            best[player] = float(scratch.value[0, 0, :width].sum())
        if not self.form.has_rake:
            values[1] = -values[0]
        return Evaluation(values[0], (best[0] - values[0], best[1] - values[1]), -values[0] - values[1])


def check_half_store(algorithm: Algorithm, actions: int = 0) -> None:
    """Refuse a 16-bit store for algorithms with other arrays than regret and average, sampling, or many actions."""
    rule = algorithm.kernel_rule
    plain = rule.accumulate == DISCOUNTED and rule.match == REGRET_MATCHING and rule.predict == NOTHING
    if not plain or rule.instant or rule.both_plans or algorithm.sampling is not None:
        raise ZerosumError(f"the 16-bit store does not support {algorithm.name}: use CFR, CFR+, LCFR or DCFR")
    if actions > MAX_SINGLE_PASS:
        raise ZerosumError(
            f"the 16-bit store is for up to {MAX_SINGLE_PASS} actions a decision, and this tree has {actions}: "
            "use the 32-bit store"
        )
