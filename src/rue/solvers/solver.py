"""A run of an algorithm on a game: its state, and the two things one can do with it, iterate and evaluate."""

from __future__ import annotations

from typing import Any

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.catalogue import algorithm as named_algorithm
from rue.algorithms.choices import Custom
from rue.algorithms.own_rule import compiled_rule
from rue.checked import check_whole
from rue.errors import RueError
from rue.forms.bounds import largest_values
from rue.forms.compile import form_of
from rue.forms.sequence_form import SequenceForm, numbers
from rue.forms.stored import arrays_of
from rue.forms.treeplex import ACTIONS, WIDEST, WIDTH, Floats
from rue.games.game import Game
from rue.interrupt import held_back
from rue.machine import cores
from rue.native.kernel import prepare
from rue.regret.rule import EXPONENT, EXPONENTIAL, PROPAGATED
from rue.solvers.base import AT_ONCE, Arrays, BaseSolver, State, fill
from rue.solvers.costs import iteration_of, judgement_of
from rue.solvers.evaluate import Evaluation, Judgement, evaluate
from rue.solvers.given import check_pair, given_sequences, with_given
from rue.solvers.learner import ITERATE, WORK_ROWS, Learner
from rue.solvers.starts import check_startable, check_weight
from rue.solvers.steps import step_sizes
from rue.solvers.team import Team

ENTRIES_A_THREAD = 100_000
"""Payoff entries below which a second thread costs more than it brings."""


def worth_threads(form: SequenceForm, threads: int | None) -> int:
    """The number of threads to use: what was asked for, or all cores, but no more than the game is worth."""
    wanted = cores() if threads is None else min(threads, cores())
    return int(max(1, min(wanted, len(form.payoffs.entry) // ENTRIES_A_THREAD)))


class Solver(BaseSolver):
    """Iterates an algorithm on a game in sequence form; deterministic, and free to stop after any iteration.

    `horizon` is the number of iterations that schedules refer to. With `start_seed` the regrets of the first
    iteration are drawn from (0, 1) instead of being zero. `given` has strategies that are not learned, a number for
    each sequence of a player: nan where it is learned after all (see `rue.solvers.given`).

    >>> from rue.algorithms.catalogue import algorithm
    >>> from rue.forms.compile import compile_game
    >>> from rue.games.catalogue import make
    >>> solver = Solver(compile_game(make("kuhn")), algorithm("cfr+"), horizon=1000)
    >>> solver.run(1000)
    >>> round(solver.evaluate().value, 3)
    -0.056
    """

    kind = "sequences"
    most_at_once = AT_ONCE
    form: SequenceForm

    def __init__(
        self,
        form: SequenceForm | Game | str,
        algorithm: str | Algorithm,
        horizon: int,
        start_seed: int | None = None,
        threads: int | None = None,
        given: tuple[Floats | None, Floats | None] | None = None,
    ) -> None:
        algorithm, form = named_algorithm(algorithm), form_of(form)
        check_whole("horizon", horizon, least=1)
        check_whole("start_seed", start_seed, least=0)
        check_whole("threads", threads, least=1)
        algorithm.check_horizon(horizon)
        if algorithm.sampling is not None:
            raise RueError(f"{algorithm.name} samples, and Solver walks every history: use SampledSolver")
        if algorithm.exact:
            raise RueError(f"{algorithm.name} does not iterate: use equilibrium")
        super().__init__(form, algorithm, horizon)
        self.threads = worth_threads(form, threads)
        self._team = Team()
        self.rule = compiled_rule(algorithm, np.float64)
        given = (None, None) if given is None else given
        check_pair(given)
        both = zip(form.treeplexes, given, (0, 1), strict=True)
        self.given = tuple(given_sequences(*own) for own in both)
        generator = None if start_seed is None else np.random.default_rng(start_seed)
        self.learners = tuple(self._learner(player, generator) for player in (0, 1))
        self._trees = tuple(treeplex.tree for treeplex in form.treeplexes)
        self.look_seconds, self._step = judgement_of(form), iteration_of(form, algorithm)
        self.begin()

    def _learner(self, player: int, generator: np.random.Generator | None) -> Learner:
        treeplex = self.form.treeplexes[player]
        size = treeplex.sequences
        blocks = treeplex.tree.blocks
        custom = self.algorithm.accumulate
        gradient = np.zeros(size)
        given = self.given[player]
        if given is None and any(other is not None for other in self.given):
            given = np.full(size, np.nan)  # kernels want both players alike
        return Learner(
            regret=np.zeros(size) if generator is None else generator.random(size),
            strategy=np.ones(size),
            plan=np.ones(size),
            average=np.zeros(size),
            gradient=gradient,
            guess=np.zeros(size) if self.rule.predict == PROPAGATED else gradient,
            previous=np.zeros(size) if self.rule.both_plans else gradient,
            weight=np.ones(size) if self.rule.accumulate == EXPONENTIAL else gradient,
            given=given,
            step=step_sizes(self.algorithm, self.form, player, self.horizon),
            memory=np.zeros(size * custom.memory if isinstance(custom, Custom) else 0),
            score=np.zeros(int((blocks[:, ACTIONS] * blocks[:, WIDTH]).max(initial=1))),
            work=np.zeros((max(WORK_ROWS, self.threads), WIDEST)),
        )

    def _run(self, iterations: int, nodes: int | None) -> None:
        first = self.iteration + 1
        rows = self.algorithm.coefficients(first, first + iterations - 1, self.horizon)
        with held_back():  # what was learned is counted
            self._team.call(ITERATE, self._arguments(rows, False), self.threads)
            self.iteration += iterations

    @property
    def nodes(self) -> int:
        """The nodes touched so far: every history once for each player in an iteration."""
        return 2 * self.form.histories * self.iteration

    @property
    def worked(self) -> float:
        return self._step * self.iteration

    def begin(self) -> None:
        """Draw the first strategies from the regret there is."""
        arguments = self._arguments(self.algorithm.coefficients(1, 1, self.horizon), True)
        prepare([*self._team.calls(ITERATE, arguments, 1), Judgement(self.form, self.averages()).call])
        self._team.call(ITERATE, arguments, 1)

    def _arguments(self, coefficients: Floats, begin: bool) -> tuple[Any, ...]:
        return self._trees, self.form.operators, self.learners, self.rule, coefficients, begin

    def state(self) -> Arrays:
        """The arrays that the next iteration starts from; the plans follow from the strategies."""
        kept = ["regret", "strategy", "average"]
        kept += ["previous"] * self.rule.both_plans + ["weight"] * (self.rule.accumulate == EXPONENTIAL)
        kept += ["memory"] * isinstance(self.algorithm.accumulate, Custom)
        return {f"{name}{p}": getattr(learner, name) for p, learner in enumerate(self.learners) for name in kept}

    def restore(self, state: State, iteration: int) -> None:
        """Take up a state of the same algorithm on the same game after so many iterations."""
        fill(self.state(), state)
        self.iteration = iteration
        self.check_finite()
        for treeplex, learner in zip(self.form.treeplexes, self.learners, strict=True):
            learner.plan[:] = treeplex.plan(learner.strategy)

    def fixed(self) -> Arrays:
        """How the infosets read and how they follow each other."""
        return arrays_of(self.form)

    def start_from(self, strategies: tuple[Floats, Floats], weight: float) -> None:
        """Take up the regret of a start before the first iteration, which then plays the strategies: `starts`."""
        check_pair(strategies)
        check_startable(self.algorithm)
        check_weight(weight)
        first = self.algorithm.coefficients(1, 1, self.horizon)[0]
        bounds = largest_values(self.form)
        for player, (treeplex, learner) in enumerate(zip(self.form.treeplexes, self.learners, strict=True)):
            stake = np.where(bounds[player] > 0.0, bounds[player], 1.0)[treeplex.owner[1:]]
            start = numbers(treeplex, strategies[player], f"what player {player + 1} starts from")
            sigma = treeplex.strategy(start)[1:]
            learner.regret[1:] = weight * stake * sigma ** (1.0 / first[EXPONENT])
        self.begin()

    def where(self, name: str, index: int) -> str:
        """The infoset of a number of the state."""
        player = int(name[-1])
        if name.startswith("memory"):
            index //= max(1, len(self.state()[name]) // self.form.treeplexes[player].sequences)
        return self.form.where(player, index)

    @property
    def current(self) -> tuple[Floats, Floats]:
        """The plans that the next iteration starts from."""
        one, two = (learner.plan.copy() for learner in self.learners)
        return one, two

    @property
    def regrets(self) -> tuple[Floats, Floats]:
        """The accumulated regret of every sequence, discounted and floored as the algorithm does."""
        one, two = (learner.regret.copy() for learner in self.learners)
        return one, two

    def averages(self) -> tuple[Floats, Floats]:
        """The averages as masses of each sequence: accumulated plans, or, where some are given, strategies."""
        masses = [learner.average if self.iteration else learner.plan for learner in self.learners]
        return with_given(self.form.treeplexes, masses, self.given)

    @property
    def average(self) -> tuple[Floats, Floats]:
        """The plans of the average strategies, which converge to an equilibrium."""
        return self.form.plans(self.averages())

    def evaluate(self) -> Evaluation:
        """The value and the exploitability of the average strategies."""
        if any(given is not None for given in self.given):
            return evaluate(self.form, *self.average, given=self.given)
        return Judgement(self.form, self.averages()).evaluate()
