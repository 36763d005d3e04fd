"""A game in sequence form: every history is enumerated, once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from numpy.typing import NDArray

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.defaults import GENERAL
from rue.algorithms.sampling import PublicChanceSampling
from rue.checked import named
from rue.errors import RueError
from rue.forms.compile import compile_game
from rue.forms.enumeration import CHECK_EVERY
from rue.forms.footprint import Found
from rue.forms.probing import Size, sized
from rue.forms.sequence_form import SequenceForm
from rue.games.catalogue import check_rules, make
from rue.games.gambit_text import names_gambit
from rue.games.game import Game
from rue.games.openspiel import names_path
from rue.once import cached_property
from rue.problems.estimate import MARGIN, Estimate, RoughEstimate
from rue.problems.fit import FREE, GivenSequences, fit
from rue.problems.game_locks import game_locks, given_on, price_on
from rue.problems.judge import Exploited, HeadToHead, Judging, exploit_form, meet_on
from rue.problems.locked import Solve, lock_fields, saved_locks
from rue.problems.locks import LocksLike
from rue.problems.problem import Problem, Reached, Saved, Tell, Written, as_flag, as_text, numbers_of, saved_numbers
from rue.problems.start import Start
from rue.problems.stored_game import decisions_of, saved_decisions, saved_given
from rue.python_files import fingerprint_of_named, names_file
from rue.results.game import GameResult, check_result
from rue.results.result import Decision, Result
from rue.results.said import PioText
from rue.results.strategy import Strategy
from rue.solvers.base import BaseSolver
from rue.solvers.costs import A_NODE, A_SEQUENCE, AN_ENTRY, iteration_of
from rue.solvers.footprint import peak, solving
from rue.solvers.limits import Limits
from rue.solvers.solver import Solver

if TYPE_CHECKING:
    from rue.problems.diff import Comparing, Diff

SECONDS_A_HISTORY = 4e-6
"""Of enumerating it by rules in Python."""
QUICK = 10_000_000
"""Histories that are enumerated to tell how large a game is; beyond that it is told roughly."""
LARGEST = 1e300

GameLike = str | Path | Game | SequenceForm
"""A name like `leduc(suits=3)`, a file, rules, or a game already compiled."""


def game_from(header: Mapping[str, Any], given: GameLike | None) -> GameLike:
    """The game of a saved run; what is a file of Python has to be named again by who wants it run."""
    text, name = header["game"], header["numbers"]["name"]
    if given is not None:
        return given
    if not isinstance(text, str):
        raise RueError(f"this run plays {name}, which was given as an object: give it again (game=)")
    if names_file(text):
        raise RueError(
            f"this run plays {text}, a file of Python, which is run only if you name it (--game {text}, game=)"
        )
    if names_gambit(text) or names_path(text):
        raise RueError(f"this run plays {text}, a file, which is read only if you name it (--game {text}, game=)")
    return text


class GameProblem(Problem):
    """A game whose histories are enumerated. `refine` splits infosets of imperfect recall; `locks` are strategies that
    are fixed, and `unlocked` is the solution without them, if their price is asked for.

    >>> GameProblem("kuhn").sizes
    (12, 26)
    """

    default = GENERAL
    kinds: ClassVar[tuple[str, ...]] = ("sequences", "slots", "boards", "exact")
    """Of its solvers."""

    def __init__(
        self, game: GameLike, refine: bool = False, locks: LocksLike | None = None, unlocked: Any = None
    ) -> None:
        game = named(game)
        if not isinstance(game, str | SequenceForm):
            check_rules(game)
        self.text = game if isinstance(game, str) else None
        self.refine = refine
        self._form = game if isinstance(game, SequenceForm) else None
        self.rules: Any = None if isinstance(game, SequenceForm) else make(game) if isinstance(game, str) else game
        self._lock = threading.Lock()
        self.asked, self.unlocked = locks, unlocked
        self.locks = tuple(lock.told for lock in game_locks(locks))
        self._given: GivenSequences | None = None if self.locks else FREE

    def __getstate__(self) -> dict[str, Any]:
        """What was given: a name, or rules, or a compiled form."""
        given = {"rules": None} if self.text is not None else {"_form": self._form} if self.rules is None else {}
        return super().__getstate__() | given

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if self.text is not None:
            self.rules = make(self.text)

    @property
    def bare_name(self) -> str:
        if self.rules is None:
            return str(self.build().name)
        return getattr(self.rules, "name", str(self.rules))

    def build(self, tell: Tell | None = None, sampled: bool = False) -> Any:
        """The sequence form; with its histories if it is to be sampled."""
        with self._lock:
            if self._form is None:
                count: Callable[[int], None] | None = None
                if tell is not None:
                    heard = tell
                    heard(f"compiling {self.name}", 0)
                    if self.size is not None and self.size.histories > CHECK_EVERY:
                        heard("expected", round(self.size.histories))
                    count = lambda histories: heard("histories", histories)  # noqa: E731
                self._form = compile_game(self.rules, refine=self.refine, sampled=sampled, progress=count)
            return self._form

    def scaled(self, times: float) -> GameProblem:
        if times == 1.0:
            return self
        other = GameProblem(self.build().scaled(times), self.refine)
        other.payoffs = self.payoffs * times
        return other

    def let_go(self) -> None:
        """Free the memory of the form, unless it was given."""
        if self.rules is not None:
            self._form = None

    @property
    def given(self) -> GivenSequences:
        """The strategies of the locks."""
        if self._given is None:
            self.settle()
        assert self._given is not None
        return self._given

    def settle(self, solve: Solve | None = None) -> None:
        if self._given is not None:
            return
        form = self.build()
        locks = game_locks(self.asked, form)
        self.locks = tuple(lock.told for lock in locks)
        self._given = given_on(form, locks)
        before = self.known_unlocked(solve)
        if before is not None:
            known = _strategy(before)
            if known.locks:
                raise RueError(f"the solution without locks has a lock itself: {known.locks[0]}")
            self.price = price_on(form, known, self._given)
        self.unlocked = None

    def without_locks(self) -> GameProblem:
        bare = GameProblem(self.build() if self.rules is None else self.rules, self.refine)
        bare._form = self.build()
        return bare

    def settled(self) -> dict[str, NDArray[Any]]:
        return {f"given{player}": own for player, own in enumerate(self.given) if own is not None}

    def take_up(self, saved: Saved) -> None:
        super().take_up(saved)
        self._given = saved_given(saved)

    @cached_property
    def size(self) -> Size | None:
        """About how large the game is; None where its rules fail, which enumerating it will tell better."""
        try:
            return sized(self.rules)
        except Exception:
            return None

    def check_memory(self, algorithm: Algorithm, threads: int | None = None) -> None:
        """Refuse a game that is too large by far before it is enumerated, and one that is too large afterwards."""
        size = self.rough if self._form is None else self._estimate(self._form, algorithm)
        if size is not None:
            size.check()

    def expected_bytes(self, algorithm: Algorithm) -> int | None:
        if self._form is not None:
            return self._estimate(self._form, algorithm).bytes
        return None if self.rough is None else MARGIN * self.rough.bytes

    @cached_property
    def rough(self) -> RoughEstimate | None:
        """About what solving it takes, by its size alone: nothing is enumerated."""
        if self.size is None:
            return None
        histories, ends, decisions = (int(min(number, LARGEST)) for number in astuple(self.size)[:3])
        return RoughEstimate(
            game=self.name,
            histories=histories,
            infosets=decisions,
            infoset_actions=histories,
            bytes=self._held + Found(histories, ends).making,
            seconds=2 * AN_ENTRY * ends + A_SEQUENCE * histories,
            enumeration=SECONDS_A_HISTORY * histories,
        )

    def estimate(self, algorithm: Algorithm, threads: int | None = None, tell: Tell | None = None) -> Estimate | None:
        """What solving it takes; the game is enumerated for that, unless it is so large that this takes long."""
        if self._form is None and self.size is not None and self.size.histories > QUICK:
            return self.rough
        return self._estimate(self.build(tell, sampled=algorithm.sampling is not None), algorithm)

    def _estimate(self, form: SequenceForm, algorithm: Algorithm) -> Estimate:
        run = solving(form, algorithm)
        whole = self._held + peak(form, run)
        return Estimate(
            game=self.name,
            infosets=form.infosets,
            infoset_actions=form.sequences - 2,
            bytes=whole,
            seconds=iteration_of(form, algorithm),
            histories=form.histories,
            taken=whole - run,
            iterates=not algorithm.exact and algorithm.sampling is None,
            node_seconds=None if algorithm.sampling is None else A_NODE,
        )

    @property
    def _held(self) -> int:
        """Bytes of what the rules themselves hold."""
        return int(getattr(self.rules, "held_bytes", 0))

    def _solver(self, algorithm: Algorithm, limits: Limits, start: Start) -> BaseSolver:
        form = self.build(sampled=algorithm.sampling is not None)
        self._estimate(form, algorithm).check()
        if algorithm.exact:
            from rue.solvers.linear_program import ExactSolver

            return ExactSolver(form, algorithm, self.given)
        if isinstance(algorithm.sampling, PublicChanceSampling):
            from rue.solvers.board_solver import BoardSolver

            if start.start_seed is not None:
                raise RueError(f"{algorithm.name} starts from zero regret: leave out the start seed")
            return BoardSolver(form, algorithm, start.seed or 0, limits)
        if algorithm.sampling is not None:
            from rue.solvers.sampled_solver import SampledSolver

            return SampledSolver(form, algorithm, start.seed or 0, limits, start.start_seed)
        horizon = limits.horizon(algorithm)
        if limits.nodes is not None:
            horizon = min(horizon, -(-int(limits.nodes) // (2 * form.histories)))
        solver = Solver(form, algorithm, horizon, start.start_seed, limits.threads, self.given)
        if start.strategy is not None:
            solver.start_from(fit(form, _strategy(start.strategy), start.fill).strategies, start.weight)
        return solver

    def result(self, solver: BaseSolver, reached: Reached) -> GameResult:
        """The average strategies, infoset by infoset."""
        form, numbers = self.build(), numbers_of(solver, reached)
        return GameResult(
            game=self.name if self.locks else form.name,
            infosets=form.infosets,
            sequences=form.sequences,
            decisions=tuple(decisions_of(form, form.plans(solver.averages()), self.given)),
            **numbers,
            **lock_fields(self.locks, self.price, numbers),
        )

    def data(self) -> dict[str, Any]:
        """The name of the game, the fingerprint of its file if it has one, whether it is refined, and its locks."""
        source = None
        if self.text is not None:
            source = self.rules.fingerprint if names_gambit(self.text) else fingerprint_of_named(self.text)
        return {"game": self.text, "source": source, "refine": self.refine, **self.lock_data()}

    @classmethod
    def from_data(cls, header: Mapping[str, Any], given: GameLike | None = None) -> GameProblem:
        return cls(game_from(header, given), header["refine"])

    @classmethod
    def check_data(cls, header: Mapping[str, Any]) -> None:
        as_flag(header["refine"])
        as_text(header["numbers"]["name"])
        for value in (header["game"], header["source"], header["numbers"]["fingerprint"]):
            as_text("" if value is None else value)

    @classmethod
    def read(cls, saved: Saved) -> GameResult:
        told, numbers = saved.header["numbers"], saved_numbers(saved)
        result = GameResult(
            game=told["name"],
            infosets=told["infosets"],
            sequences=told["sequences"],
            decisions=tuple(cls._saved_decisions(saved)),
            seed=None if saved.kind in ("sequences", "exact") else saved.seed or 0,
            **numbers,
            **lock_fields(*saved_locks(saved.header), numbers),
        )
        check_result(result)
        return result

    @classmethod
    def _saved_decisions(cls, saved: Saved) -> Iterable[Decision]:
        """What is done at the infosets that the file names."""
        return saved_decisions(saved)

    def check_judging(self, strategy: Written, how: Judging) -> None:
        """Refuse a strategy of hold'em, and threads."""
        _strategy(strategy)
        if how.threads is not None:
            raise RueError(
                "threads go with hold'em: other games are judged by one: leave threads out (--threads, threads=)"
            )

    def exploit(self, strategy: Written, how: Judging) -> Exploited:
        self.check_judging(strategy, how)
        found = exploit_form(self.build(), _strategy(strategy), how, self.given)
        return replace(found, game=self.name, locks=self.locks) if self.locks else found

    def meet(self, one: Written, two: Written, how: Judging) -> HeadToHead:
        self.check_judging(one, how)
        found = meet_on(self.build(), _strategy(one), _strategy(two), how.fill, self.given)
        return replace(found, game=self.name) if self.locks else found

    def diff(self, one: Written, two: Written, how: Comparing, tell: Tell | None = None) -> Diff:
        from rue.problems.diff import game_diff

        self.check_look({"line": how.line or None})
        both = _strategy(one), _strategy(two)
        for each, other in (both, both[::-1]):
            if each.game is not None and other.game not in (None, each.game):
                raise RueError(f"{each.source} is of {each.game} and {other.source} of {other.game}: compare one game")
        return game_diff(self.build(tell, sampled=True), both, how)


def _strategy(given: Written) -> Strategy:
    """A strategy of a game; that of a hold'em spot is refused."""
    if isinstance(given, Result | PioText) and not isinstance(given, GameResult):
        told = given.game if isinstance(given, Result) else given.source
        raise RueError(f"{told} is a hold'em spot: its strategy goes with the spot it was solved for")
    return Strategy.of(given)
