"""A run of an algorithm on a card game in public form; the same two things to do as with any solver."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.choices import Custom
from rue.algorithms.own_rule import compiled_rule
from rue.errors import RueError
from rue.forms.lines import Given
from rue.forms.public_form import ACTIONS
from rue.forms.public_tree import Decision, PublicTree, shares
from rue.forms.treeplex import Floats, Integers
from rue.interrupt import held_back
from rue.machine import cores
from rue.native.kernel import Call, prepare
from rue.once import cached_property
from rue.regret.rule import DISCOUNTED, EXPONENT, EXPONENTIAL, NOTHING, PROPAGATED, REGRET_MATCHING
from rue.solvers.base import AT_ONCE, Arrays, BaseSolver, State, fill
from rue.solvers.costs import public_iteration_of, public_judgement_of
from rue.solvers.evaluate import Evaluation
from rue.solvers.given import given_tables, laid_over
from rue.solvers.passes import Pass
from rue.solvers.public_space import BOTH, JUDGE, LEARN, MOST, WHOLE, Portion, Space, Store
from rue.solvers.public_steps import Steps, public_steps, stakes
from rue.solvers.scratch import new_space, results_shape, space_shapes, with_both
from rue.solvers.team import Team

SMALL, LARGE = 2.0**-10, 2.0**30
"""Largest payoffs that are stored in chips; where it is smaller or larger, in a unit of its own size."""


class PublicSolver(BaseSolver):
    """Iterates an algorithm on a card game; float32 in the store, float64 when it is judged.

    A player's average holds the strategies that the opponent met: of iterations 1 to T for the second player and 2 to
    T + 1 for the one who updates first, with alternating updates. `given` has strategies of decisions that are not
    learned (see `rue.solvers.given`).
    """

    kind = "public"
    most_at_once = AT_ONCE
    form: PublicTree

    def __init__(
        self,
        tree: PublicTree,
        algorithm: Algorithm,
        horizon: int,
        threads: int | None = None,
        dtype: Any = np.float32,
        given: Given | None = None,
    ) -> None:
        algorithm.check_horizon(horizon)
        super().__init__(tree, algorithm, horizon)
        self.half = dtype == np.float16
        self.dtype = dtype = np.float32 if self.half else dtype
        if self.half:
            check_half(algorithm, int(tree.form.choices[:, ACTIONS].max()))
        self.threads = max(1, min(cores() if threads is None else threads, cores(), tree.extents.jobs))
        self._team = Team()
        self.rule = compiled_rule(algorithm, dtype)
        self.given: Given = dict(given or {})
        self._given, self._given_exactly = (
            tuple(given_tables(tree, self.given, player, kind) for player in (0, 1)) for kind in (dtype, np.float64)
        )
        self._tables = tree.form
        self.look_seconds, self._step = public_judgement_of(tree), public_iteration_of(tree, algorithm)
        self.stores = tuple(self._store(player) for player in (0, 1))
        self._kept = {
            name: self.room(f"{name}0", len(array) if self.rule.simultaneous else 0, array.dtype)
            for name, array in self.stores[0]._asdict().items()
            if name in ("regret", "strategy")
        }
        """What the first player learned before an iteration, where both learn at once."""
        self.entries = tuple((weights / tree.total) for weights in tree.weights)
        self.owns = tuple(self._own(player) for player in (0, 1))
        self._steps = self._new_steps()
        self.learning_space = new_space(self._shapes(self.rule.predict == PROPAGATED), dtype)

    def _new_steps(self) -> Steps:
        decision, hand = public_steps(self.algorithm, self.form, self.horizon)
        for player, unit in enumerate(self._units[1]):
            for board in range(len(self.form.boards)):
                hand[self.form.hands(board, player)] /= unit
        return Steps(decision.astype(self.dtype), hand.astype(self.dtype))

    def _store(self, player: int) -> Store:
        """A player's numbers before the first iteration."""
        custom, kind = self.algorithm.accumulate, np.uint16 if self.half else self.dtype
        size, rows = self.extent(player)
        stored = self.rule.accumulate != DISCOUNTED or self.rule.predict != NOTHING
        store = Store(
            regret=self.room(f"regret{player}", size, kind),
            average=self.room(f"average{player}", size, kind),
            strategy=self.room(f"strategy{player}", size if stored else 0, self.dtype),
            weight=self.room(f"weight{player}", size if self.rule.accumulate == EXPONENTIAL else 0, kind),
            memory=self.room(f"memory{player}", size * custom.memory if isinstance(custom, Custom) else 0, self.dtype),
            previous=self.room(f"previous{player}", rows if self.rule.both_plans else 0, self.dtype),
        )
        for decision in self.held_decisions() if stored else ():
            if decision.player == player:
                store.strategy[decision.at] = 1.0 / decision.actions
                if len(store.weight):
                    store.weight[decision.at] = 1.0
        return store

    def extent(self, player: int) -> tuple[int, int]:
        """The numbers a player stores: actions times hands; and the same of all rows, the entering ones included."""
        return self.form.store[player], int((self.form.row_counts * self.form.widths)[:, player].sum())

    def room(self, name: str, size: int, kind: Any) -> Any:
        """So many zeros for an array of the state."""
        return np.zeros(size, kind)

    def held_decisions(self) -> Iterable[Decision]:
        """The decisions whose numbers are held here."""
        return self.form.decisions()

    def _own(self, player: int) -> Any:
        """The weight of each hand of each board, in the order of the form's tables."""
        weights = np.zeros(len(self._tables.cards))
        boards = self.form.boards
        here = {id(boards[0]): self.form.weights[player]}
        for number, board in enumerate(boards):
            weights[self.form.hands(number, player)] = here[id(board)]
            for child in board.children:
                here[id(child)] = here[id(board)][child.sources[0][player]]
        return weights

    def _shapes(self, guess: bool = False) -> Space:
        return space_shapes(self.form.extents, self.threads, guess, self.rule.accumulate == EXPONENTIAL)

    def new_results(self, space: Space, deals: int) -> Any:
        """Room for what so many deals of the first place are worth."""
        return np.zeros(results_shape(self.form.extents, deals, space.guess.size > 0), space.reach.dtype)

    def _run(self, iterations: int, nodes: int | None) -> None:
        with held_back():  # what was learned is counted
            self.learn_portion(iterations, self._whole(BOTH), self._shared_results(self.learning_space))
            self.iteration += iterations

    @property
    def worked(self) -> float:
        return self._step * self.iteration

    def _whole(self, player: int) -> Portion:
        return Portion(WHOLE, player, np.arange(self.form.deals))

    def _shared_results(self, space: Space) -> Any:
        """What threads leave for each other; one alone needs none."""
        return self.new_results(space, self.form.deals if self.threads > 1 else 0)

    def load(self) -> None:
        """Load the compiled code, or compile it, without an iteration."""
        prepare(self.calls())

    def calls(self) -> list[Call]:
        """An iteration and a judgement, as kernels take them."""
        learning = self._learning_arguments(0, self._whole(BOTH), self._shared_results(self.learning_space))
        space = self.judging_space
        judging = self._judging_arguments(space, 0, False, self._whole(0), self._shared_results(space))
        return [*self._team.calls(LEARN, learning, 1), *self._team.calls(JUDGE, judging, 1)]

    def learn_portion(self, iterations: int, portion: Portion, results: Any) -> None:
        """Walk a portion of so many iterations; `iteration` stays."""
        self._team.call(LEARN, self._learning_arguments(iterations, portion, results), self.threads)

    def _learning_arguments(self, iterations: int, portion: Portion, results: Any) -> tuple[Any, ...]:
        first = self.iteration + 1
        rows = self.algorithm.coefficients(max(1, first - 1), first + iterations - 1, self.horizon)
        if first == 1:
            rows = np.concatenate([rows[:1], rows])
        return self.learning_arguments(self._tables, self.weights, results, rows.astype(self.dtype), portion)

    @cached_property
    def weights(self) -> tuple[Any, Any]:
        """The reaches that enter and those of hands, as iterations take them."""
        reach, worth = self._units
        entering = tuple((unit * entry).astype(self.dtype) for unit, entry in zip(reach, self.entries, strict=True))
        return entering, tuple((unit * own).astype(self.dtype) for unit, own in zip(worth, self.owns, strict=True))

    def learning_arguments(
        self, tables: Any, weights: tuple[Any, Any], results: Any, rows: Any, portion: Portion
    ) -> tuple[Any, ...]:
        """What iterations on some tables take; `weights` are the reaches that enter and those of hands."""
        spare = self.stores[0]._replace(**self._kept)
        before = tables, self.stores, self._given, spare, *weights, self._steps, self.learning_space
        return *before, results, self.rule, rows, portion

    def keep_spare(self, player: int, deals: Integers) -> None:
        """Before the first player's deals are walked: what the second one will meet there, if both learn at once."""
        if self.rule.simultaneous and player == 0:
            for deal in deals:
                at = self.form.deal_span(int(deal), 0)
                for name, kept in self._kept.items():
                    if len(kept):
                        kept[at] = getattr(self.stores[0], name)[at]

    def learning(self, player: int) -> Pass:
        """A player's share of the next iteration, in stages."""
        return Pass(self, player, None)

    def judging(self, player: int, best: bool = False, own: bool = False) -> Pass:
        """What each hand of the first board is worth to a player against the other's average, in stages."""
        return Pass(self, player, best, own)

    @cached_property
    def _units(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Factors of reach and of worth that bring what is stored near 1; they cancel in every strategy.

        16 bits need them always, 32 bits where chips are very small or very large: then a power of two.
        """
        if not self.half:
            unit = 2.0 ** -math.frexp(self.form.largest_payoff)[1]
            worth = 1.0 if 1.0 / LARGE <= unit <= 1.0 / SMALL else unit
            return (1.0, 1.0), (worth, worth)
        one, two = (1.0 / float(entry.max()) for entry in self.entries)
        most = [
            self.form.largest_payoff * own.max() * entry.sum() * unit
            for own, entry, unit in zip(self.owns, self.entries[::-1], (two, one), strict=True)
        ]
        return (one, two), (1.0 / float(most[0]), 1.0 / float(most[1]))

    def state(self) -> Arrays:
        """The arrays that the next iteration starts from; 16-bit floats as whole numbers."""
        stores = enumerate(self.stores)
        return {f"{name}{p}": array for p, store in stores for name, array in store._asdict().items() if array.size}

    def restore(self, state: State, iteration: int) -> None:
        """Take up a state of the same algorithm on the same game after so many iterations."""
        fill(self.state(), state)
        self.iteration = iteration

    def where(self, name: str, index: int) -> str:
        """The decision of a number of the state: the board, what was done on the street, and whose turn it is."""
        player = int(name[-1])
        store = len(self.stores[player].regret)
        if name[:-1] in ("regret", "average", "strategy", "weight", "memory"):
            index //= max(1, len(self.state()[name]) // max(1, store))
            return self.form.where(player, index)
        return f"player {player + 1}"

    def averages(self) -> tuple[Any, Any]:
        """The accumulated averages of both players, as floats; with what is given in them, they are a copy."""
        one, two = (store.average.view(np.float16) if self.half else store.average for store in self.stores)
        if self.given:
            one, two = one.copy(), two.copy()
            for (place, player, first), chances in self.given.items():
                at = self.form.block(place, player, first, len(chances))
                (one, two)[player][at] = laid_over((one, two)[player][at], np.ravel(chances))
        return one, two

    def set_averages(self, one: Any, two: Any) -> None:
        """Take up accumulated averages, to evaluate them and to look at them."""
        for store, given in zip(self.stores, (one, two), strict=True):
            own = store.average.view(np.float16) if self.half else store.average
            own[:] = given

    def start_from(self, strategies: tuple[Any, Any], weight: float) -> None:
        """Take up the regret of a start before the first iteration, which then plays the strategies: `starts`."""
        power = 1.0 / self.algorithm.coefficients(1, 1, self.horizon)[0, EXPONENT]
        for player, at, bounds in stakes(self.form):
            store = self.stores[player]
            sigma = shares(np.asarray(strategies[player][at], dtype=np.float64).reshape(-1, len(bounds)))
            store.regret[at] = (self._units[1][player] * weight * bounds * sigma**power).ravel()
            if len(store.strategy):
                store.strategy[at] = sigma.ravel()

    def values(self, player: int, best: bool = False) -> Floats:
        """What each hand of the first board is worth to a player against the other's average, in float64."""
        worth: Floats = self.rows(0, self.entries[1 - player][None], player, best)[0]
        return worth

    def both_values(self, player: int) -> tuple[Floats, Floats]:
        """What each hand is worth to a player by the own average and by a best response, in one walk."""
        space = self.judging_both
        self.judge_both(player)
        width = self.form.shape(0, player)[1]
        return np.array(space.guess[0, 0, :width]), np.array(space.value[0, 0, :width])

    def judge_both(self, player: int) -> None:
        """Judge a player's hands both ways and leave them in the space."""
        self._judge_rows(self.judging_both, 0, self.entries[1 - player], player, True)

    def rows(self, place: int, entering: Floats, player: int, best: bool = False) -> Floats:
        """What every row of a player at a place is worth when the opponent enters with the given reach.

        `entering` has a row for each entry of the place; the values count the chance of the player's own hand.
        """
        space = self.judging_space
        self._judge_rows(space, place, entering, player, best)
        count, width = self.form.shape(place, player)
        return np.array(space.value[0, 0, : count * width].reshape(count, width))

    def _judge_rows(self, space: Space, place: int, entering: Floats, player: int, best: bool) -> None:
        """Judge a player's rows at a place and leave them in a space."""
        space.reach[0, 0, : entering.size] = entering.ravel()
        arguments = self._judging_arguments(space, place, best, self._whole(player), self._shared_results(space))
        self._team.call(JUDGE, arguments, 1 if place else self.threads)

    def judge_portion(self, space: Space, best: bool, portion: Portion, results: Any) -> None:
        """Walk a portion of a judgement, where the opponent's entering rows are in the space."""
        self._team.call(JUDGE, self._judging_arguments(space, 0, best, portion, results), self.threads)

    def _judging_arguments(
        self, space: Space, place: int, best: bool, portion: Portion, results: Any
    ) -> tuple[Any, ...]:
        averages = tuple(store.average for store in self.stores)
        return self._tables, place, averages, self._given_exactly, self.owns, space, results, best, portion

    @property
    def rounding(self) -> float:
        """An exploitability that the digits of the store make; those of many decisions cancel, so a part of a digit."""
        digits = np.finfo(np.float16 if self.half else self.dtype)
        return float(digits.eps * self.form.largest_payoff / 64)

    @property
    def bytes(self) -> int:
        """Memory of the store, the tables and the scratch arrays."""
        arrays = [*self._tables, *self._kept.values(), *self.owns, *self.learning_space, *self.entries]
        for store in self.stores:
            arrays += store
        return int(sum(array.nbytes for array in arrays))

    def own(self, place: int, player: int) -> Floats:
        """The weight of each of a player's hands at a place."""
        weights: Floats = self.owns[player][self.form.hands_at(place, player)]
        return weights

    def strategy(self, place: int, player: int, first: int, actions: int) -> Floats:
        """The average strategy of a decision of a place, (actions, hands); `first` is the row of its first action."""
        at = self.form.block(place, player, first, actions)
        average = self.stores[player].average[at]
        learned = shares((average.view(np.float16) if self.half else average).reshape(actions, -1))
        return laid_over(learned, self.given.get((place, player, first)))

    @cached_property
    def judging_space(self) -> Space:
        """Scratch arrays of judgements, in float64."""
        return new_space(self._shapes(), np.float64)

    @cached_property
    def judging_both(self) -> Space:
        """The same with room for what the own average is worth beside a best answer."""
        return with_both(self.judging_space, self._shapes(True))

    def evaluate(self) -> Evaluation:
        """The value and the exploitability of the average strategies, in float64: a walk for each player."""
        (value, best), (others, other) = ([float(own.sum()) for own in self.both_values(player)] for player in (0, 1))
        if not self.form.raked:
            others = -value
        return Evaluation(value, (best - value, other - others), -value - others)


def check_half(algorithm: Algorithm, actions: int = 0) -> None:
    """Refuse a 16-bit store for what stores more than regret and average, what samples, and for many actions."""
    rule = algorithm.rule
    plain = rule.accumulate == DISCOUNTED and rule.match == REGRET_MATCHING and rule.predict == NOTHING
    if not plain or rule.instant or rule.both_plans or algorithm.sampling is not None:
        raise RueError(f"the 16-bit store goes with CFR, CFR+, LCFR, DCFR and the like, not with {algorithm.name}")
    if actions > MOST:
        raise RueError(f"the 16-bit store goes with up to {MOST} actions a decision, and this tree has {actions}")
