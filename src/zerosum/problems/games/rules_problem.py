"""A game that is sampled without being enumerated, for games that are too large for that."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from zerosum.algorithms import DEFAULT_FOR_GAMES
from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.forms.sequence.sequence_form import SequenceForm, make_unique_name
from zerosum.engine.forms.sequence.serialization import unpack_texts
from zerosum.engine.limits import Limits
from zerosum.engine.sampling.rules_solver import RulesSampler
from zerosum.engine.sampling.rules_table import RulesTable
from zerosum.engine.solver import BaseSolver
from zerosum.problems.codec import RunOutcome, collect_result_fields
from zerosum.problems.games.game_storage import GameCodec, GameLike, GameSource
from zerosum.problems.locks import LocksLike
from zerosum.problems.problem import Problem, StageCallback
from zerosum.problems.start import Start
from zerosum.results.game_result import GameResult
from zerosum.results.result import Decision
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.validation import decode_text

if TYPE_CHECKING:
    from zerosum.runs.saved_run import SavedRun


class RulesCodec(GameCodec["RulesProblem"]):
    """The storage of runs that sample rules: with the infosets that they visited."""

    run_formats = (RulesSampler.kind,)
    has_exploitability = False

    def check_saved(self, problem: RulesProblem, saved: SavedRun) -> None:
        """Raise an error if the file of the rules has changed: rules have no other fingerprint."""
        if problem.source.text is not None and self.to_json(problem)["source"] != saved.header["source"]:
            raise ZerosumError(f"{problem.source.text} is not the game of this run, or its file has changed")

    def read_decisions(self, saved: SavedRun) -> Iterable[Decision]:
        arrays = saved.read_arrays()
        table = RulesTable(baselines=arrays["baseline"].size > 0)
        table.restore(arrays)
        names = dict(zip(table.visited, map(decode_text, unpack_texts(arrays["names"])), strict=True))
        actions_of = {key: names[slot] for slots in table.slots for key, slot in slots.items()}
        return iterate_visited_decisions(table, actions_of.__getitem__)


class RulesProblem(Problem):
    """The rules of a game. The exploitability of a strategy is unknown, since only visited infosets are stored.

    >>> RulesProblem("liars-dice(dice=2)").name
    'liars-dice(dice=2)'
    """

    default = DEFAULT_FOR_GAMES

    def __init__(self, game: GameLike, refine: bool = False, locks: LocksLike | None = None) -> None:
        if isinstance(game, SequenceForm):
            raise ZerosumError(f"{game.name} is compiled: a run by rules needs the rules")
        if locks:
            raise ZerosumError(
                f"locks need the information sets, which {option_name('by_rules')} does not enumerate: drop one of them"
            )
        self.source, self.refine = GameSource(game), False

    @property
    def bare_name(self) -> str:
        return self.source.name

    def scaled(self, times: float) -> RulesProblem:
        raise ZerosumError(
            f"{self.name} is sampled without enumerating the game, so its payoffs cannot be scaled: leave out "
            "--by-rules (by_rules=)"
        )

    def build_form(self, notify: StageCallback | None = None, sampled: bool = True) -> Any:
        return self.source.rules

    def check_algorithm(self, algorithm: Algorithm) -> None:
        if algorithm.sampling is None:
            raise ZerosumError(
                f"{algorithm.name} needs the whole game, which {option_name('by_rules')} does not enumerate: "
                "use an algorithm that samples, like mccfr"
            )
        algorithm.check_without_enumeration()

    def check_run(self, algorithm: Algorithm, limits: Limits, start: Start) -> None:
        super().check_run(algorithm, limits, start)
        if limits.until is not None:
            why = f"{option_name('by_rules')} computes no exploitability"
            raise ZerosumError(f"{why}: end the run by nodes, iterations or seconds")
        if start.start_seed is not None:
            raise ZerosumError(
                f"{option_name('by_rules')} starts every infoset from zero regret: "
                f"leave out {option_name('start_seed')}"
            )

    def estimate(self, algorithm: Algorithm, threads: int | None = None, notify: StageCallback | None = None) -> None:
        """Return None: the size of the game is unknown."""

    def check_memory(self, algorithm: Algorithm, threads: int | None = None) -> None:
        """Do nothing: a run that needs too much memory ends by itself."""

    def _build_untuned_solver(self, algorithm: Algorithm, limits: Limits, start: Start) -> BaseSolver:
        return RulesSampler(self.source.rules, algorithm, start.seed or 0, limits)

    @classmethod
    def codec(cls) -> RulesCodec:
        return RulesCodec(cls)

    def collect_result(self, solver: BaseSolver, outcome: RunOutcome) -> GameResult:
        assert isinstance(solver, RulesSampler)
        return GameResult(
            game=self.name,
            infosets=solver.table.infosets,
            sequences=solver.table.sequences,
            decisions=tuple(iterate_visited_decisions(solver.table, solver.describe)),
            **collect_result_fields(solver, outcome),
        )


def iterate_visited_decisions(table: RulesTable, describe: Callable[[Hashable], str]) -> Iterator[Decision]:
    """Yield the average strategy at the infosets of a table, each with a unique name."""
    reach = table.compute_reaches()
    names: set[str] = set()
    for player, slots in enumerate(table.slots, start=1):
        for infoset, slot in slots.items():
            name = make_unique_name(describe(infoset), player, slot, names)
            probabilities = zip(table.visited[slot].actions, table.compute_average_strategy(slot), strict=True)
            yield Decision(player, name, reach[slot], {str(action): p for action, p in probabilities})
