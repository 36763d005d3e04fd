"""A hold'em spot as it is stored: its public form and what is given on it in memory, its runs on the disk."""

from __future__ import annotations

import copy
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.sampling import ExternalSampling
from rue.errors import RueError
from rue.forms.lines import Given, given_arrays, given_of
from rue.forms.public_tree import PublicTree
from rue.holdem.equity import equity
from rue.holdem.files import from_mapping, to_mapping
from rue.holdem.form import AS_THEY_ARE, Suits, public_tree, suit_symmetries
from rue.holdem.kept_boards import BOARDS, COUNTS, board_arrays, kept_tree
from rue.holdem.ranges import Range
from rue.holdem.spots import Spot
from rue.once import cached_property
from rue.problems.locked import Solve, digest, lock_fields
from rue.problems.locks import LocksLike, Reader, listed, locks_of, split
from rue.problems.problem import (
    Problem,
    Saved,
    Tell,
    as_flag,
    as_share,
    as_text,
    saved_numbers,
)
from rue.problems.shared_estimate import Hire
from rue.problems.spot_estimate import Storage
from rue.problems.spot_judge import (
    check_unlocked,
    price_on,
)
from rue.problems.spot_locks import SpotLocks
from rue.results.solution import Solution
from rue.results.spot import STRATEGY, SpotResult, chips
from rue.results.streets import KeptStreets, Resolving, cut, kept_streets, last_street
from rue.results.unit import Unit
from rue.solvers.base import BaseSolver
from rue.solvers.dealt_solver import DealtSolver
from rue.solvers.public_sampler import PublicSampler
from rue.solvers.public_solver import PublicSolver
from rue.solvers.saved_averages import LOOKING, SavedAverages

if TYPE_CHECKING:
    pass

CUT = "cut"
"""The kind of a saved run that kept some streets only."""
TO_GO_ON = ("seconds", "memory")
"""What ends a run that is likely to go on: all of it is kept."""
SAMPLED = (DealtSolver.kind, PublicSampler.kind)
DEALT = Algorithm(sampling=ExternalSampling())
"""The same where hands were dealt."""


class StoredSpot(Problem):
    """A spot, how it is stored and, where a saved run is to keep some streets only, which."""

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

    def without_locks(self) -> Self:
        bare = type(self)(self.spot, self.storage.isomorphism, self.storage.half)
        bare._tree, bare._suits = self.build(), self.suits
        return bare

    def settled(self) -> dict[str, NDArray[Any]]:
        return given_arrays(self.given) if self.locks else {}

    def take_up(self, saved: Saved) -> None:
        super().take_up(saved)
        if self.locks:
            self._suits = saved_suits(saved.header)
            self._given = given_of(self.build(), saved.array)

    def scaled(self, times: float) -> Self:
        if times == 1.0:
            return self
        other = copy.copy(self)
        other._tree, other.payoffs = self.build().scaled(times), self.payoffs * times
        return other

    def let_go(self) -> None:
        self._tree = None

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
        stored = {"isomorphism": self.storage.isomorphism, "half": self.storage.half}
        return {"spot": dict(self._content), **stored, "streets": self.streets, **self.lock_data()}

    @cached_property
    def _content(self) -> dict[str, Any]:
        """The spot in the words of its file: kept, because a run that is watched is told again and again."""
        content = to_mapping(self.spot)
        if from_mapping(content) != self.spot:
            raise RueError(f"{self.spot} cannot be written down and read back, so its run cannot be saved")
        return content

    def lock_data(self) -> dict[str, Any]:
        return {**super().lock_data(), "suits": [list(suits) for suits in self.suits or ()]} if self.locks else {}

    @classmethod
    def from_data(cls, header: Mapping[str, Any], given: Any = None) -> Self:
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
                found = saved.solve(cls(spot), until, most)
                assert isinstance(found, SpotResult)
                return found

            solution: Solution = Resolving(problem.spot, kept, again)
        else:
            problem.check_memory(DEALT if kind == DealtSolver.kind else LOOKING)
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
