"""Runs an algorithm on a game in sequence form."""

from __future__ import annotations

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.catalogue import algorithm as named_algorithm
from zerosum.algorithms.choices import Anytime, CustomRule, Theory
from zerosum.algorithms.kernel_rule import EXPONENT, PROPAGATED
from zerosum.engine.fixed_strategies import (
    FREE,
    GivenSequences,
    check_fixed_sequences,
    check_strategy_pair,
    overlay_averages,
)
from zerosum.engine.forms.sequence.form_compiler import as_sequence_form
from zerosum.engine.forms.sequence.sequence_form import SequenceForm, check_vector
from zerosum.engine.forms.sequence.treeplex import ACTIONS, WIDEST, WIDTH, Floats
from zerosum.engine.sequence.best_response import AverageEvaluator, Evaluation, evaluate
from zerosum.engine.sequence.walk import WORK_ROWS, PlayerState, run_sequence_iterations
from zerosum.engine.solver import MAX_BATCH, Arrays, BaseSolver, State, compile_kernel_rule, copy_arrays
from zerosum.engine.threads import Binder, Counters, KernelThreads
from zerosum.engine.time_costs import estimate_sequence_evaluation, estimate_sequence_iteration
from zerosum.games.game import Game
from zerosum.native.kernel_call import KernelCall, compile_missing
from zerosum.support.errors import ZerosumError
from zerosum.support.system import available_cores, defer_interrupt
from zerosum.support.validation import check_whole_number

ENTRIES_PER_THREAD = 100_000
"""Payoff entries below which another thread costs more time than it saves."""


class Solver(BaseSolver):
    """A solver that iterates an algorithm on a game in sequence form, one or more iterations at a time.

    `horizon` is the number of iterations that schedules refer to. With `start_seed` the initial regrets are drawn from
    (0, 1) instead of being zero. `threads` is the largest number of threads, all cores by default. `fixed` has
    the strategies that are not learned: for each player None, or an array with a number for each sequence, NaN where
    the strategy is learned (`zerosum.engine.fixed_strategies`).

    >>> from zerosum.algorithms.catalogue import algorithm
    >>> from zerosum.engine.forms.sequence.form_compiler import compile_game
    >>> from zerosum.games.catalogue import create_game
    >>> solver = Solver(compile_game(create_game("kuhn")), algorithm("cfr+"), horizon=1000)
    >>> solver.run(1000)
    >>> round(solver.evaluate().value, 3)
    -0.056
    """

    kind = "sequences"
    max_batch = MAX_BATCH
    form: SequenceForm

    def __init__(
        self,
        form: SequenceForm | Game | str,
        algorithm: str | Algorithm,
        horizon: int,
        start_seed: int | None = None,
        threads: int | None = None,
        fixed: GivenSequences | None = None,
    ) -> None:
        algorithm, form = named_algorithm(algorithm), as_sequence_form(form)
        check_whole_number("horizon", horizon, least=1)
        check_whole_number("start_seed", start_seed, least=0)
        check_whole_number("threads", threads, least=1)
        algorithm.check_horizon(horizon)
        if algorithm.sampling is not None:
            raise ZerosumError(f"{algorithm.name} samples, and Solver walks every history: use HistorySampler")
        if algorithm.exact:
            raise ZerosumError(f"{algorithm.name} does not iterate: use equilibrium")
        super().__init__(form, algorithm, horizon)
        cores = available_cores() if threads is None else min(threads, available_cores())
        self.threads = max(1, min(cores, len(form.payoffs.entry) // ENTRIES_PER_THREAD))
        self._threads = KernelThreads()
        self.rule = compile_kernel_rule(algorithm, np.float64)
        fixed = FREE if fixed is None else fixed
        check_strategy_pair(fixed)
        players = zip(form.treeplexes, fixed, (0, 1), strict=True)
        self.fixed = tuple(check_fixed_sequences(*player) for player in players)
        generator = None if start_seed is None else np.random.default_rng(start_seed)
        steps = self._step_factors()
        self.states = self._new_state(0, generator, steps[0]), self._new_state(1, generator, steps[1])
        self._trees = form.treeplexes[0].tree, form.treeplexes[1].tree
        self.evaluation_seconds = estimate_sequence_evaluation(form)
        self._iteration_seconds = estimate_sequence_iteration(form, algorithm)
        self.begin()

    def _new_state(self, player: int, generator: np.random.Generator | None, step: Floats) -> PlayerState:
        treeplex, fixed = self.form.treeplexes[player], self.fixed[player]
        size, blocks = treeplex.sequences, treeplex.tree.blocks
        custom = self.algorithm.accumulate
        gradient = np.zeros(size)
        return PlayerState(
            regret=np.zeros(size) if generator is None else generator.random(size),
            strategy=np.ones(size),
            plan=np.ones(size),
            average=np.zeros(size),
            gradient=gradient,
            prediction=np.zeros(size) if self.rule.predict == PROPAGATED else gradient,
            previous=np.zeros(size) if self.rule.both_plans else gradient,
            weight=np.ones(size) if self.rule.weighted else gradient,
            fixed=np.zeros(0) if fixed is None else fixed,
            step=step,
            memory=np.zeros(size * custom.memory if isinstance(custom, CustomRule) else 0),
            score=np.zeros(int((blocks[:, ACTIONS] * blocks[:, WIDTH]).max(initial=1))),
            work=np.zeros((max(WORK_ROWS, self.threads), WIDEST)),
        )

    def _step_factors(self) -> tuple[Floats, Floats]:
        """Return the factor of the step size of each infoset; the code that computes it is loaded only if needed."""
        if isinstance(self.algorithm.steps, Anytime | Theory):
            from zerosum.engine.sequence.step_sizes import compute_step_sizes

            return compute_step_sizes(self.algorithm, self.form, self.horizon)
        first, second = self.form.treeplexes
        return np.ones(len(first.infosets)), np.ones(len(second.infosets))

    def _run(self, iterations: int, nodes: int | None) -> None:
        first = self.iteration + 1
        rows = self.algorithm.coefficients(first, first + iterations - 1, self.horizon)
        with defer_interrupt():  # an iteration that has run must be counted
            self._threads.run(self._bind_iterations(rows), self.threads)
            self.iteration += iterations

    @property
    def nodes(self) -> int:
        """The nodes touched so far: every history once per player and iteration."""
        return 2 * self.form.histories * self.iteration

    @property
    def work_seconds(self) -> float:
        return self._iteration_seconds * self.iteration

    def begin(self) -> None:
        """Match the first strategies to the initial regret."""
        bind = self._bind_iterations(self.algorithm.coefficients(1, 1, self.horizon), begin=True)
        compile_missing([*self._threads.bind_calls(bind, 1), AverageEvaluator(self.form, self.averages()).call])
        self._threads.run(bind, 1)

    def _bind_iterations(self, rows: Floats, begin: bool = False) -> Binder:
        def bind(shared: Counters, thread: int, threads: int) -> KernelCall:
            operators = self.form.operators
            return run_sequence_iterations.bind(
                self._trees, operators, self.states, self.rule, rows, begin, shared, thread, threads
            )

        return bind

    def state(self) -> Arrays:
        names = ["regret", "strategy", "average"]
        names += ["previous"] * self.rule.both_plans + ["weight"] * (self.rule.weighted)
        names += ["memory"] * isinstance(self.algorithm.accumulate, CustomRule)
        return {f"{name}{p}": getattr(state, name) for p, state in enumerate(self.states) for name in names}

    def restore(self, state: State, iteration: int) -> None:
        copy_arrays(self.state(), state)
        self.iteration = iteration
        self.check_finite()
        for treeplex, arrays in zip(self.form.treeplexes, self.states, strict=True):
            arrays.plan[:] = treeplex.plan(arrays.strategy)

    def static_arrays(self) -> Arrays:
        from zerosum.engine.forms.sequence.serialization import form_to_arrays

        return form_to_arrays(self.form)

    def start_from(self, strategies: tuple[Floats, Floats], weight: float) -> None:
        """Fill the initial regret: the first iteration plays the strategies (`zerosum.engine.initial_regret`)."""
        from zerosum.engine.initial_regret import check_can_start, check_start_weight, compute_initial_regret
        from zerosum.engine.sequence.step_sizes import compute_value_bounds

        check_strategy_pair(strategies)
        check_can_start(self.algorithm)
        check_start_weight(weight)
        first = self.algorithm.coefficients(1, 1, self.horizon)[0]
        bounds = compute_value_bounds(self.form)
        for player, (treeplex, state) in enumerate(zip(self.form.treeplexes, self.states, strict=True)):
            bound = np.where(bounds[player] > 0.0, bounds[player], 1.0)[treeplex.owner[1:]]
            start = check_vector(treeplex, strategies[player], f"the start of player {player + 1}")
            sigma = treeplex.strategy(start)[1:]
            state.regret[1:] = compute_initial_regret(bound, sigma, weight, first[EXPONENT])
        self.begin()

    def describe_decision_at(self, name: str, index: int) -> str:
        player = int(name[-1])
        if name.startswith("memory"):
            index //= max(1, len(self.state()[name]) // self.form.treeplexes[player].sequences)
        return self.form.describe_sequence(player, index)

    @property
    def current(self) -> tuple[Floats, Floats]:
        """The plans that the next iteration starts from."""
        return self.states[0].plan.copy(), self.states[1].plan.copy()

    @property
    def regrets(self) -> tuple[Floats, Floats]:
        """The accumulated regret of every sequence, discounted and floored as the algorithm does."""
        return self.states[0].regret.copy(), self.states[1].regret.copy()

    def averages(self) -> tuple[Floats, Floats]:
        """Return the averages as masses of each sequence: accumulated plans, or strategies if some are fixed."""
        masses = [state.average if self.iteration else state.plan for state in self.states]
        return overlay_averages(self.form.treeplexes, masses, self.fixed)

    @property
    def average(self) -> tuple[Floats, Floats]:
        """The plans of the average strategies, which converge to an equilibrium."""
        return self.form.plans_from_averages(self.averages())

    def evaluate(self) -> Evaluation:
        if any(fixed is not None for fixed in self.fixed):
            return evaluate(self.form, *self.average, fixed=self.fixed)
        return AverageEvaluator(self.form, self.averages()).evaluate()
