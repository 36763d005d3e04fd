"""A hold'em spot: solved on its public form, in chips, and judged there."""

from __future__ import annotations

import copy
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.defaults import HOLDEM
from rue.algorithms.sampling import PublicChanceSampling
from rue.errors import RueError
from rue.forms.poker_public import poker_tree
from rue.forms.public_tree import PublicTree
from rue.games.kuhn import Kuhn
from rue.holdem.equity import comparing
from rue.holdem.hands_named import hands_named
from rue.holdem.line import follow
from rue.holdem.spots import spot
from rue.holdem.tree import RIVER
from rue.native.kernel import prepare
from rue.problems.fit import Fill
from rue.problems.judge import HeadToHead, Judging
from rue.problems.problem import (
    Reached,
    Tell,
    Written,
    numbers_of,
)
from rue.problems.shared_estimate import Hire, Order, SharedEstimate, share_estimate
from rue.problems.spot_estimate import SpotEstimate, estimate_spot
from rue.problems.spot_judge import (
    ExploitedSpot,
    averages_on,
    check_spot,
    exploit_tree,
    meet,
)
from rue.problems.spot_written import check_written, is_written, laid
from rue.problems.start import Start
from rue.problems.stored_spot import StoredSpot, judge_of, saved_suits
from rue.results.range_decision import PLAYERS
from rue.results.said import PioText
from rue.results.solution import Solution
from rue.results.spot import SpotResult
from rue.results.strategy import Strategy
from rue.solvers.base import BaseSolver
from rue.solvers.deals_solver import DealsSolver
from rue.solvers.dealt_out import dealt_out
from rue.solvers.dealt_solver import DealtSolver
from rue.solvers.limits import WITHOUT_END, Limits
from rue.solvers.public_sampler import PublicSampler
from rue.solvers.public_solver import PublicSolver, check_half
from rue.solvers.saved_averages import LOOKING
from rue.solvers.shared_solver import SharedSolver

if TYPE_CHECKING:
    from rue.problems.diff import Comparing, Diff


class SpotProblem(StoredSpot):
    """A spot that is solved, here or by many machines, and on which strategies are judged.

    >>> from rue.holdem.files import load_spot
    >>> SpotProblem(load_spot("river")).estimate(LOOKING).infosets
    6420
    """

    default = HOLDEM

    def check(self, algorithm: Algorithm) -> None:
        """Refuse what the public form does not run."""
        super().check(algorithm)
        algorithm.check_histories()
        if algorithm.exact:
            raise RueError(
                f"{algorithm.name} needs the whole payoff written out, which hold'em has not: choose another algorithm"
            )
        if self.storage.half:
            check_half(algorithm)

    def check_run(self, algorithm: Algorithm, limits: Limits, start: Start) -> None:
        super().check_run(algorithm, limits, start)
        if start.start_seed is not None:
            raise RueError("a start seed (--start-seed, start_seed=) does not go with hold'em")
        if start.strategy is not None:
            if self.storage.half:
                raise RueError("the 16-bit store starts from zero: leave out either the start or the 16-bit store")
            self._check_strategy(start.strategy, start.fill)
        if self._hire is not None and (algorithm.sampling is not None or start.strategy is not None):
            what = "starts from a strategy" if algorithm.sampling is None else "samples"
            raise RueError(f"a run that {what} stays on one machine: leave that out (--on, on=)")

    def check_look(self, asked: Mapping[str, str | None]) -> None:
        place, hand = follow(self.spot, asked.get("line") or ""), asked.get("hand")
        if hand is not None:
            wanted = hands_named(hand, place.board)
            if not (wanted & (self.spot.weights[place.node.player] > 0)).any():
                raise RueError(f"no hand of {hand} is in the range {PLAYERS[place.node.player]} there")

    def estimate(self, algorithm: Algorithm, threads: int | None = None, tell: Tell | None = None) -> SpotEstimate:
        """What solving it would take; nothing is built for that."""
        size = replace(estimate_spot(self.spot, algorithm, self.storage, threads, self.suits), game=self.name)
        if self._hire is None:
            return size
        whole = estimate_spot(self.spot, algorithm, self.storage, self._hire.threads(threads), self.suits)
        return share_estimate(whole, self._hire)

    def load(self, algorithm: Algorithm) -> None:
        """Iterate and evaluate once on a tiny spot, so that the time of a run is its own.

        Where nothing is compiled, all that a run needs is compiled side by side.
        """
        hands = comparing()
        if algorithm.sampling is None and not all(call.made for call in hands):
            smallest = PublicSolver(poker_tree(Kuhn()), algorithm, 1, 1, self.storage.dtype)
            prepare([*smallest.calls(), *hands])
        tiny = SpotProblem(spot("2s 2h 3d 3c 4s", 100, 100, "AA", "KK", "allin"), half=self.storage.half)
        limits = Limits(iterations=WITHOUT_END, threads=1)
        solver = tiny._solver(algorithm, limits, Start())
        solver.load()
        solver.evaluate()

    def _solver(self, algorithm: Algorithm, limits: Limits, start: Start) -> BaseSolver:
        tree = self.build()
        if algorithm.sampling is not None:
            kind = PublicSampler if isinstance(algorithm.sampling, PublicChanceSampling) else DealtSolver
            return kind(tree, algorithm, start.seed or 0, limits)
        horizon, dtype = limits.horizon(algorithm), self.storage.dtype
        if self._hire is not None:
            size = self.estimate(algorithm, limits.threads)
            assert isinstance(size, SharedEstimate)
            order = Order(self.data(), algorithm, limits, size.machine_bytes, self.given)
            crew = self._hire.crew(order, dealt_out(tree, self._hire.workers))
            return SharedSolver(tree, algorithm, horizon, crew, threads=1, dtype=dtype, given=self.given)
        solver = PublicSolver(tree, algorithm, horizon, limits.threads, dtype, self.given)
        if start.strategy is not None:
            solver.start_from(averages_on(tree, self._strategy(start.strategy, start.fill)), start.weight)
        return solver

    def check_shared(self) -> None:
        if self.spot.street == RIVER:
            raise RueError("a river has no card to come by which it could be shared: solve it on one machine")
        if self.streets is not None:
            raise RueError("streets are kept of runs on one machine: leave them out (--streets, streets=)")

    def shared(self, hire: Hire) -> SpotProblem:
        found = copy.copy(self)
        found._lock, found._hire = threading.Lock(), hire
        return found

    @classmethod
    def deals_solver(cls, order: Order, deals: Sequence[int]) -> DealsSolver:
        """The solver of a worker that holds some deals."""
        problem, limits = cls.from_data(order.spot), order.limits
        if "suits" in order.spot:
            problem._suits = saved_suits(order.spot)
        choices = {"threads": limits.threads, "dtype": problem.storage.dtype, "given": order.given}
        return DealsSolver(problem.build(), order.algorithm, limits.horizon(order.algorithm), deals, **choices)

    def result(self, solver: BaseSolver, reached: Reached) -> SpotResult:
        return self._solved(Solution(self.spot, judge_of(solver)), numbers_of(solver, reached))

    def check_judging(self, strategy: Written, how: Judging) -> None:
        if self.storage.half:
            raise RueError("a 16-bit store (--half, half=) is one of runs: a strategy is judged without it")
        self._check_strategy(strategy, how.fill)

    def _check_strategy(self, given: Written, fill: Fill | None) -> None:
        """Refuse a strategy that does not fit the spot, as far as that is known before anything is built."""
        if is_written(given):
            check_written(self.spot, given)  # type: ignore[arg-type]
            return
        if fill is not None:
            raise RueError(
                "a fill (--fill, fill=) goes with strategies that were written down, and a run of hold'em is whole"
            )
        check_spot(self.spot, given)  # type: ignore[arg-type]

    def _strategy(self, given: Written, fill: Fill | None) -> SpotResult:
        """A strategy as a solved spot: as it is, or with what was written down as the averages of a solver."""
        if isinstance(given, SpotResult):
            return given
        assert isinstance(given, Strategy | PioText)
        solver = PublicSolver(self.build(), LOOKING, 1)
        solver.set_averages(*laid(self.build(), self.spot, given, fill))
        solver.iteration = 1
        told = {**numbers_of(solver, Reached((), 0.0, "exact")), "algorithm": given.source, "game": self.name}
        told |= {"infosets": solver.form.infosets, "sequences": solver.form.sequences, "equity": self.equity}
        return SpotResult(**told, solution=Solution(self.spot, solver), unit=self.unit)

    def exploit(self, strategy: Written, how: Judging) -> ExploitedSpot:
        """What a strategy is worth on the spot, whose ranges may have other weights than those it was solved for."""
        self.check_judging(strategy, how)
        found = self._strategy(strategy, how.fill)
        judged = exploit_tree(self.spot, self._tree_for(found), found, how, self.given)
        return replace(judged, game=self.name, locks=self.locks) if self.locks else judged

    def meet(self, one: Written, two: Written, how: Judging) -> HeadToHead:
        """What a strategy wins against another, out of position, in position and on average."""
        self.check_judging(one, how)
        self.check_judging(two, how)
        first, second = (self._strategy(each, how.fill) for each in (one, two))
        found = meet(self.spot, self._tree_for(first), (first, second), how.threads, self.given)
        return replace(found, game=self.name) if self.locks else found

    def diff(self, one: Written, two: Written, how: Comparing, tell: Tell | None = None) -> Diff:
        """Where two strategies of the spot differ most; one of them may be written down."""
        from rue.problems.spot_diff import sides_of, spot_diff

        heard = None if tell is None else lambda count: tell("decisions", count)
        return spot_diff(self.spot, sides_of(self.spot, one, two), how, heard)

    def _tree_for(self, strategy: SpotResult) -> PublicTree:
        """The tree of the strategy, if its ranges and its rake are those of the spot."""
        both = zip(self.spot.weights, strategy.spot.weights, strict=True)
        same = self.spot.rake == strategy.spot.rake and all((one == two).all() for one, two in both)
        if not self.locks and same:
            return strategy.solution.tree
        return self.build()
