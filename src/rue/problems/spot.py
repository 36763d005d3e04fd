"""A hold'em spot: solved on its public form, in chips."""

from __future__ import annotations

import copy
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.defaults import HOLDEM
from rue.algorithms.sampling import ExternalSampling, PublicChanceSampling
from rue.errors import RueError
from rue.forms.lines import Given, given_arrays, given_of
from rue.forms.poker_public import poker_tree
from rue.forms.public_tree import PublicTree
from rue.games.kuhn import Kuhn
from rue.holdem.equity import comparing, equity
from rue.holdem.files import from_mapping, to_mapping
from rue.holdem.form import AS_THEY_ARE, Suits, public_tree, suit_symmetries
from rue.holdem.hands_named import hands_named
from rue.holdem.kept_boards import BOARDS, COUNTS, board_arrays, kept_tree
from rue.holdem.line import follow
from rue.holdem.ranges import Range
from rue.holdem.spots import Spot, spot
from rue.holdem.tree import RIVER
from rue.native.kernel import prepare
from rue.problems.fit import Fill
from rue.problems.judge import HeadToHead, Judging
from rue.problems.locked import Solve, digest, lock_fields
from rue.problems.locks import LocksLike, Reader, listed, locks_of, split
from rue.problems.problem import (
    Problem,
    Reached,
    Saved,
    Tell,
    Written,
    as_flag,
    as_share,
    as_text,
    numbers_of,
    saved_numbers,
)
from rue.problems.shared_estimate import Hire, Order, share_estimate
from rue.problems.spot_estimate import SpotEstimate, Storage, estimate_spot
from rue.problems.spot_judge import (
    ExploitedSpot,
    averages_on,
    check_spot,
    check_unlocked,
    exploit_tree,
    meet,
    price_on,
)
from rue.problems.spot_locks import SpotLocks
from rue.problems.spot_written import check_written, is_written, laid
from rue.problems.start import Start
from rue.results.said import PioText
from rue.results.solution import PLAYERS, Solution
from rue.results.spot import STRATEGY, SpotResult, chips
from rue.results.strategy import Strategy
from rue.results.streets import KeptStreets, Resolving, cut, kept_streets, last_street
from rue.results.unit import Unit
from rue.solvers.base import BaseSolver
from rue.solvers.deals_solver import DealsSolver
from rue.solvers.dealt_solver import DealtSolver
from rue.solvers.limits import WITHOUT_END, Limits
from rue.solvers.public_sampler import PublicSampler
from rue.solvers.public_solver import PublicSolver, check_half
from rue.solvers.saved_averages import LOOKING, SavedAverages
from rue.solvers.shared_solver import SharedSolver, dealt_out

if TYPE_CHECKING:
    from rue.problems.diff import Comparing, Diff

CUT = "cut"
"""The kind of a saved run that kept some streets only."""
TO_GO_ON = ("seconds", "memory")
"""What ends a run that is likely to go on: all of it is kept."""
SAMPLED = (DealtSolver.kind, PublicSampler.kind)
DEALT = Algorithm(sampling=ExternalSampling())
"""The same where hands were dealt."""


class SpotProblem(Problem):
    """A spot, how it is stored and, where a saved run is to keep some streets only, which.

    >>> from rue.holdem.files import load_spot
    >>> SpotProblem(load_spot("river")).estimate(LOOKING).infosets
    6420
    """

    default = HOLDEM
    kinds = (PublicSolver.kind, *SAMPLED, CUT, STRATEGY)
    sized_ahead = True
    in_json = False
    built = ("_lock", "_tree")

    def __init__(
        self,
        spot: Spot,
        isomorphism: bool = True,
        half: bool = False,
        streets: str | Sequence[str] | None = None,
        locks: LocksLike | None = None,
        unlocked: Any = None,
    ) -> None:
        self.spot = replace(spot, locks=())
        self.storage = Storage(isomorphism, half)
        self.streets = kept_streets(streets, spot)
        if self.streets is not None and (locks or spot.locks):
            raise RueError("streets that are dropped are solved again, without locks: leave out either of them")
        self._tree: PublicTree | None = None
        self._lock = threading.Lock()
        self._hire: Hire | None = None
        """Where workers hold its deals, if they do."""
        self.asked, self.unlocked = [*spot.locks, *listed(locks)] or None, unlocked
        self._locks = SpotLocks(self.spot, locks_of(self.asked, split))
        self.locks = self._locks.told
        self._suits: list[Suits] | None = None
        self._given: Given | None = None

    @property
    def bare_name(self) -> str:
        return str(self.spot)

    @property
    def unit(self) -> Unit:
        return chips(self.spot.pot, self.spot.big_blind)

    @property
    def fingerprint(self) -> str:
        """A hash of the cards, ranges, bets and locks."""
        locked = {"locks": self.lock_identity} if self.locks else {}
        return digest(sorted({**to_mapping(self.spot), **locked}.items()))

    def build(self, tell: Tell | None = None, sampled: bool = False) -> PublicTree:
        with self._lock:
            if self._tree is None:
                if tell is not None:
                    tell(f"building {self.name}", 0)
                self._tree = public_tree(self.spot, self.storage.isomorphism, tell, self.suits)
            return self._tree

    @property
    def suits(self) -> list[Suits] | None:
        """The interchangeable suits where locks may tell others apart; None for all that the spot allows."""
        if self.locks and self._suits is None:
            self._suits = self._locks.suits(suit_symmetries(self.spot))
        return self._suits

    @property
    def given(self) -> Given:
        """The strategies of the locks."""
        self.settle()
        assert self._given is not None
        return self._given

    def read_files(self, reader: Reader) -> None:
        super().read_files(reader)
        if self.asked is not None:
            self._locks = SpotLocks(self.spot, locks_of(self.asked, split))

    def settle(self, solve: Solve | None = None) -> None:
        if self._given is not None:
            return
        if self._locks.overall and not self.unlocked:
            self.unlocked = True
        tree, before = self.build(), self.known_unlocked(solve)
        if before is not None:
            check_unlocked(self.spot, before)
        self._given = self._locks.given_on(tree, before)
        if before is not None:
            self.price = price_on(tree, before, self._given)
        self.unlocked = None

    def without_locks(self) -> SpotProblem:
        bare = SpotProblem(self.spot, self.storage.isomorphism, self.storage.half)
        bare._tree, bare._suits = self.build(), self.suits
        return bare

    def settled(self) -> dict[str, NDArray[Any]]:
        return given_arrays(self.given) if self.locks else {}

    def take_up(self, saved: Saved) -> None:
        super().take_up(saved)
        if self.locks:
            self._suits = saved_suits(saved.header)
            self._given = given_of(self.build(), saved.array)

    def scaled(self, times: float) -> SpotProblem:
        if times == 1.0:
            return self
        other = copy.copy(self)
        other._tree, other.payoffs = self.build().scaled(times), self.payoffs * times
        return other

    def let_go(self) -> None:
        self._tree = None

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
            raise RueError(f"a run that {what} stays on one machine: leave out --on (on=)")

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
        whole = estimate_spot(self.spot, algorithm, self.storage, self._hire.threads(threads))
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
            size = share_estimate(estimate_spot(self.spot, algorithm, self.storage), self._hire)
            order = Order(self.data(), algorithm, limits, size.machine_bytes)
            crew = self._hire.crew(order, dealt_out(tree, self._hire.workers))
            return SharedSolver(tree, algorithm, horizon, crew, threads=1, dtype=dtype)
        solver = PublicSolver(tree, algorithm, horizon, limits.threads, dtype, self.given)
        if start.strategy is not None:
            solver.start_from(averages_on(tree, self._strategy(start.strategy, start.fill)), start.weight)
        return solver

    def check_shared(self) -> None:
        if self.spot.street == RIVER:
            raise RueError("a river has no card to come by which it could be shared: solve it on one machine")
        if self.streets is not None:
            raise RueError("streets are kept of runs on one machine: leave out --streets (streets=)")

    def shared(self, hire: Hire) -> SpotProblem:
        if self.locks:
            raise RueError("a spot with locks is solved on one machine: leave out either the locks or the machines")
        found = copy.copy(self)
        found._lock, found._hire = threading.Lock(), hire
        return found

    def deals_solver(self, algorithm: Algorithm, limits: Limits, deals: Sequence[int]) -> DealsSolver:
        """The solver of a worker that holds some deals."""
        choices = {"threads": limits.threads, "dtype": self.storage.dtype}
        return DealsSolver(self.build(), algorithm, limits.horizon(algorithm), deals, **choices)

    def result(self, solver: BaseSolver, reached: Reached) -> SpotResult:
        return self._solved(Solution(self.spot, judge_of(solver)), numbers_of(solver, reached))

    def _solved(self, solution: Solution, numbers: dict[str, Any]) -> SpotResult:
        sizes = {"infosets": solution.tree.infosets, "sequences": solution.tree.sequences}
        told = {"game": self.name, "equity": self.equity, "solution": solution, "unit": self.unit}
        locked = lock_fields(self.locks, self.price, numbers)
        return SpotResult(**{**sizes, **told, **numbers, **locked})

    @cached_property
    def equity(self) -> float:
        """The share of the pot that the player out of position wins if nobody bets."""
        return equity(self.spot.board, *(Range(weights) for weights in self.spot.weights))

    def data(self) -> dict[str, Any]:
        """The spot in the words of its file, and how it is stored."""
        content = to_mapping(self.spot)
        if from_mapping(content) != self.spot:
            raise RueError(f"{self.spot} cannot be written down and read back, so its run cannot be saved")
        stored = {"isomorphism": self.storage.isomorphism, "half": self.storage.half}
        return {"spot": content, **stored, "streets": self.streets, **self.lock_data()}

    def lock_data(self) -> dict[str, Any]:
        return {**super().lock_data(), "suits": [list(suits) for suits in self.suits or ()]} if self.locks else {}

    @classmethod
    def from_data(cls, header: Mapping[str, Any], given: Any = None) -> SpotProblem:
        if given is not None:
            raise RueError("a saved run knows its spot: leave out the game")
        return cls(from_mapping(header["spot"]), header["isomorphism"], header["half"], header["streets"])

    @classmethod
    def check_data(cls, header: Mapping[str, Any]) -> None:
        for name in ("isomorphism", "half"):
            as_flag(header[name])
        numbers = header["numbers"]
        for value in (numbers["name"], numbers["fingerprint"], header.get("was", ""), *(header["streets"] or ())):
            as_text(value)
        if header.get("locks") and not all(sorted(suits) == [0, 1, 2, 3] for suits in header["suits"]):
            raise ValueError("its suits are not four")

    def check_saved(self, saved: Saved) -> None:
        """Refuse a tree that is stored in another order."""
        known = (
            saved.header["kept"] if saved.kind == CUT and saved.has(COUNTS) else saved.header["numbers"]["fingerprint"]
        )
        if self.build().fingerprint != known:
            raise RueError(f"it was stored by rue {saved.code} in an order that this rue does not know")

    @classmethod
    def read(cls, saved: Saved) -> SpotResult:
        """The strategies of the file, which are read as far as they are looked at; streets that were not kept are
        solved again. Only where a file has no boards are they built."""
        problem = cls.from_data(saved.header)
        kind, reached = saved.kind, saved.reached
        judge: Any = None
        if saved.has(COUNTS) and kind != DealtSolver.kind:
            suits = saved_suits(saved.header) or suit_symmetries(problem.spot)
            problem._tree = kept_tree(problem.spot, {name: saved.array(name) for name in BOARDS}, suits)
        problem.take_up(saved)
        if kind == CUT:
            problem.check_saved(saved)
            if problem.streets is None:
                raise ValueError("a run that was cut has no street to drop")
            kept = KeptStreets(problem.build(), problem.streets, saved.arrays())

            def again(spot: Spot, until: float, most: int) -> SpotResult:
                found = saved.solve(SpotProblem(spot), until, most)
                assert isinstance(found, SpotResult)
                return found

            solution: Solution = Resolving(problem.spot, kept, again)
        else:
            problem.estimate(DEALT if kind == DealtSolver.kind else LOOKING).check()
            problem.check_saved(saved)
            judge = problem._looking(saved)
            solution = Solution(problem.spot, judge)
        numbers = saved_numbers(saved)
        if reached.stopped == "running" and judge is not None and not reached.curve:
            found = judge.evaluate()
            numbers |= {name: getattr(found, name) for name in ("exploitability", "nash_conv", "value", "rake")}
        sampled = saved.header.get("was", kind) in SAMPLED
        sizes = {name: saved.header["numbers"][name] for name in ("infosets", "sequences")}
        if saved.header.get("equity") is not None:
            problem.equity = as_share(saved.header["equity"])
        return problem._solved(solution, {**numbers, **sizes, "seed": saved.seed or 0 if sampled else None})

    def _looking(self, saved: Saved) -> PublicSolver:
        """A solver that holds the averages of a run."""
        tree = self.build()
        if saved.kind == DealtSolver.kind:
            dealt = DealtSolver(tree, DEALT)
            _fill(dealt.table.average, saved.array("average"))
            dealt.iteration = saved.iteration
            return dealt.judge
        averages = saved.lazy("average0"), saved.lazy("average1")
        values = (saved.array("value0"), saved.array("value1")) if saved.has("value0") else None
        return SavedAverages(tree, averages, values, saved.iteration, self.storage.dtype, self.given)

    def fixed(self, solver: BaseSolver) -> dict[str, NDArray[Any]]:
        return {} if solver.kind == DealtSolver.kind else board_arrays(self.build()) | self.settled()

    def finished(
        self, solver: BaseSolver, header: dict[str, Any], arrays: dict[str, NDArray[Any]]
    ) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """The streets to keep, if not all of them, and what the first place is worth: who looks need not walk."""
        judge, header = judge_of(solver), {**header, "equity": self.equity}
        if self.streets is None or header["stopped"] in TO_GO_ON:
            if solver.kind == DealtSolver.kind:
                return header, arrays
            weights = self.build().weights
            return header, arrays | {f"value{p}": judge.rows(0, weights[1 - p][None], p) for p in (0, 1)}
        boards = board_arrays(self.build(), last_street(self.streets))
        cut_short = {"kind": CUT, "was": header["kind"], "kept": kept_tree(self.spot, boards).fingerprint}
        return {**header, **cut_short}, cut(judge, self.streets) | boards

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
            raise RueError("--fill (fill=) goes with strategies that were written down, and a run of hold'em is whole")
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


def saved_suits(header: Mapping[str, Any]) -> list[Suits]:
    """The suits that count as interchangeable in a saved run, where that is not clear."""
    if not header["isomorphism"]:
        return [AS_THEY_ARE]
    return [tuple(suits) for suits in header.get("suits") or ()]


def judge_of(solver: BaseSolver) -> PublicSolver:
    """The solver of the public form that holds the averages."""
    return solver if isinstance(solver, PublicSolver) else solver.judge  # type: ignore[attr-defined]


def _fill(average: NDArray[Any], saved: NDArray[Any]) -> None:
    if saved.shape != average.shape or saved.dtype != average.dtype:
        raise ValueError("its strategies do not fit the spot")
    if not np.isfinite(saved).all() or (saved < 0).any():
        raise ValueError("its strategies are not made of chances")
    average[:] = saved
