"""The walk over all histories of a game, which checks its rules."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from zerosum.engine.forms.sequence.memory import MAX_HISTORY_SHARE, GameCounts, NameSizeEstimator
from zerosum.games.game import CHANCE, ONE, TERMINAL, TWO, Game, State
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.text import format_bytes

CHECK_EVERY = 1 << 16
"""Histories between two checks of the memory."""
CHECK_MOVES = 1 << 10
"""Moves of a history between two checks of its memory."""
TOLERANCE = 1e-9
MAX_SHOWN_MOVES = 20
"""Moves of a history that a message shows, half of them the first ones."""
PASS_THROUGH = (ZerosumError, RecursionError, MemoryError)
"""Errors to which no path is added. They are raised as they are: an error that is its own cause stays in memory until
Python collects garbage, and so does all that its traceback refers to."""
SEQUENCE_TYPES = (list, tuple)
"""Sequences that are used as they are; a generator, which can be read only once, becomes a tuple."""


class RulesError(ZerosumError):
    """An error in the rules of a game, with the history at which it occurs."""


@dataclass
class PlayerInfosets:
    """The infosets of a player, in the order in which the walk meets them."""

    index: dict[Hashable, int] = field(default_factory=dict)
    parents: list[int] = field(default_factory=list)
    actions: list[tuple[Hashable, ...]] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    sequences: int = 1

    def add(self, infoset: Hashable, parent: int, actions: tuple[Hashable, ...]) -> int:
        number = self.index[infoset] = len(self.index)
        self.parents.append(parent)
        self.actions.append(actions)
        self.first.append(self.sequences)
        self.sequences += len(actions)
        return number

    @property
    def depth(self) -> int:
        """The largest number of decisions of the player in one history."""
        after = [0] * self.sequences
        for parent, first, actions in zip(self.parents, self.first, self.actions, strict=True):
            after[first : first + len(actions)] = [after[parent] + 1] * len(actions)
        return max(after)


class InvalidRulesError(Exception):
    """An error in the rules, which collects the path to it, last move first, while the walk unwinds."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.path: list[Hashable] = []

    def describe_path(self) -> str:
        """Describe the path, by its first and its last moves if it is long."""
        moves = [str(move) for move in reversed(self.path)]
        if len(moves) > MAX_SHOWN_MOVES:
            moves[MAX_SHOWN_MOVES // 2 : -MAX_SHOWN_MOVES // 2] = [f"... {len(moves) - MAX_SHOWN_MOVES:,} moves ..."]
        return f"after {', '.join(moves)}" if moves else "at the root"


class Enumeration:
    """The state of one enumeration.

    With `refine`, infosets are split by the player's own actions before them. `progress` is called now and then with
    the number of histories visited; `memory` is the number of bytes that may be used.
    """

    recorded: ClassVar[bool] = False
    """Whether the histories are stored."""

    def __init__(self, game: Game, refine: bool, progress: Callable[[int], None] | None, memory: int) -> None:
        self.game = game
        self.refine = refine
        self.progress = progress
        self.memory = memory
        self.decisions = (PlayerInfosets(), PlayerInfosets())
        self.rows, self.columns, self.entries = array("i"), array("i"), array("d")
        self.histories = 0
        self.names = NameSizeEstimator()
        self.next_check = CHECK_EVERY
        self.payoff_sum: float | None = None
        self.largest_payoff = 0.0

    def visit_with_stack(self) -> None:
        """Visit all histories without nested calls, for a game that is deeper than Python's recursion limit.

        Histories are visited in the same order as by `visit`.
        """
        pending: list[tuple[State, int, int, float, int]] = [(self.game.root(), 0, 0, 1.0, 0)]
        visit, moves = self.visit, 0

        def push(state: State, sequence_one: int, sequence_two: int, reach: float) -> None:
            pending.append((state, sequence_one, sequence_two, reach, moves + 1))

        self.visit = push  # type: ignore[method-assign]
        while pending:
            before = len(pending) - 1
            *history, moves = pending.pop()
            try:
                visit(*history)
                if not moves % CHECK_MOVES:
                    check_history_memory(moves, self.counts, self.memory)
            except PASS_THROUGH:
                raise
            except Exception as error:
                raise _add_move_to_path(f"{moves:,} moves", error) from error
            if self.histories >= self.next_check:
                self.report_and_check_memory()
            if len(pending) > before + 1:
                pending[before:] = pending[before:][::-1]

    def visit(self, state: State, sequence_one: int, sequence_two: int, reach: float) -> None:
        """Visit a state, and all below, that is reached by a sequence of each player and by chance with `reach`."""
        self.histories += 1
        game = self.game
        player = game.player(state)
        if player == TERMINAL:
            self.add_end(game.payoff(state), sequence_one, sequence_two, reach)
        elif player in (ONE, TWO):
            self.visit_actions(state, player, sequence_one, sequence_two, reach)
        elif player == CHANCE:
            self.visit_outcomes(state, game.chances(state), sequence_one, sequence_two, reach)
        else:
            raise InvalidRulesError(f"player() must be ONE, TWO, CHANCE or TERMINAL, not {player!r}")

    def add_end(self, payoff: float | tuple[float, float], sequence_one: int, sequence_two: int, reach: float) -> None:
        """Add the payoff of an end of the game."""
        try:
            if isinstance(payoff, tuple):
                payoff, other = payoff
                both = payoff + other
            else:
                both = 0.0
            if both != self.payoff_sum:
                self.check_payoff_sum(both)
            if self.payoff_sum:
                payoff -= self.payoff_sum / 2
            finite = -math.inf < payoff < math.inf
        except (TypeError, ValueError):
            raise InvalidRulesError(f"payoff() must return a number or a pair of two, not {payoff!r}") from None
        if not finite:
            raise InvalidRulesError(f"the payoff {payoff} is not a finite number")
        if payoff and reach:
            self.rows.append(sequence_one)
            self.columns.append(sequence_two)
            self.entries.append(reach * payoff)
            if payoff > self.largest_payoff:
                self.largest_payoff = payoff
            elif -payoff > self.largest_payoff:
                self.largest_payoff = -payoff
        if self.histories >= self.next_check:
            self.report_and_check_memory()

    def check_payoff_sum(self, both: float) -> None:
        """Refuse payoffs whose sum differs from that of the ends before."""
        if self.payoff_sum is None:
            self.payoff_sum = both
        elif abs(both - self.payoff_sum) > TOLERANCE * max(1.0, abs(self.payoff_sum)):
            raise InvalidRulesError(
                f"the game is not zero-sum: the payoffs sum to {both:g} here and to {self.payoff_sum:g} elsewhere"
            )
        elif both != both:
            raise InvalidRulesError("a payoff is not a finite number")

    def visit_outcomes(
        self,
        state: State,
        chances: Sequence[tuple[Hashable, float]],
        sequence_one: int,
        sequence_two: int,
        reach: float,
    ) -> None:
        """Visit every outcome of a chance move, even of probability 0, because strategies cover its infosets."""
        if not isinstance(chances, SEQUENCE_TYPES):
            chances = tuple(chances)
        total = 0.0
        for outcome, probability in chances:
            if not 0.0 <= probability <= 1.0 + TOLERANCE:
                raise InvalidRulesError(f"chance gives {outcome} the probability {probability}")
            total += probability
        if abs(total - 1.0) > TOLERANCE:
            raise InvalidRulesError(f"the probabilities of chance sum to {total:.12g}, not to 1")
        child, visit = self.game.child, self.visit
        try:
            for outcome, probability in chances:
                visit(child(state, outcome), sequence_one, sequence_two, reach * probability)
        except PASS_THROUGH:
            raise
        except Exception as error:
            raise _add_move_to_path(outcome, error) from error

    def number_infoset(self, state: State, player: int, parent: int) -> tuple[int, Sequence[Hashable]]:
        """Check the infoset and the actions of a decision; return the number of the infoset, and the actions."""
        infoset: Hashable = self.game.infoset(state)
        actions: Sequence[Hashable] = self.game.actions(state)
        decisions = self.decisions[player]
        if self.refine:
            infoset = (infoset, parent)
        if not isinstance(actions, SEQUENCE_TYPES):
            actions = tuple(actions)
        number = decisions.index.get(infoset)
        if number is None:
            actions = tuple(actions)
            if not actions:
                raise InvalidRulesError(f"the player to move has no action at infoset {self.describe(infoset)}")
            if len(set(actions)) != len(actions):
                raise InvalidRulesError(f"infoset {self.describe(infoset)} offers an action twice")
            if len({str(action) for action in actions}) != len(actions):
                raise InvalidRulesError(f"infoset {self.describe(infoset)} offers two actions that read the same")
            number = decisions.add(infoset, parent, actions)
            self.names.add(number, infoset, actions)
        else:
            existing = decisions.actions[number]
            if existing != actions and existing != tuple(actions):
                listed, others = ("/".join(map(str, choices)) for choices in (actions, existing))
                raise InvalidRulesError(
                    f"infoset {self.describe(infoset)} offers {listed} here and {others} elsewhere; "
                    "a player cannot distinguish its states, so the actions must be the same"
                )
            if decisions.parents[number] != parent:
                raise InvalidRulesError(
                    f"imperfect recall: infoset {self.describe(infoset)} of player {player + 1} is reached by "
                    "different own actions; make the infosets remember them, or have them refined "
                    f"({option_name('refine', True)})"
                )
        return number, actions

    def visit_actions(self, state: State, player: int, sequence_one: int, sequence_two: int, reach: float) -> None:
        """Visit what every action of a decision leads to."""
        number, actions = self.number_infoset(state, player, sequence_one if player == ONE else sequence_two)
        sequence = self.decisions[player].first[number]
        child, visit = self.game.child, self.visit
        try:
            if player == ONE:
                for action in actions:
                    visit(child(state, action), sequence, sequence_two, reach)
                    sequence += 1
            else:
                for action in actions:
                    visit(child(state, action), sequence_one, sequence, reach)
                    sequence += 1
        except PASS_THROUGH:
            raise
        except Exception as error:
            raise _add_move_to_path(action, error) from error

    @property
    def describe(self) -> Callable[[Hashable], str]:
        """The function that describes an infoset on one line."""
        return partial(describe_infoset, self.game, is_refined=self.refine)

    @property
    def counts(self) -> GameCounts:
        infosets = sum(len(player.index) for player in self.decisions)
        sequences = sum(player.sequences for player in self.decisions)
        return GameCounts(self.histories, len(self.entries), infosets, sequences, self.names.bytes, self.recorded)

    def report_and_check_memory(self) -> None:
        """Report progress, and refuse a game that is about to take more memory than there is."""
        self.next_check = self.histories + CHECK_EVERY
        if self.progress is not None:
            self.progress(self.histories)
        need = self.counts.peak_bytes
        if need > self.memory:
            raise ZerosumError(
                f"{getattr(self.game, 'name', self.game)} does not fit: after {self.histories:,} histories it needs "
                f"{format_bytes(need)} and {format_bytes(self.memory)} are free; choose smaller parameters, "
                f"or sample it without enumerating it ({option_name('by_rules', True)})"
            )


def check_history_memory(moves: int, counts: GameCounts, memory: float) -> None:
    """Refuse a history of a number of moves that takes too large a share of the memory."""
    need, most = moves * counts.bytes_per_move, MAX_HISTORY_SHARE * memory
    if need > most:
        raise InvalidRulesError(
            f"the game does not seem to end: one history takes {format_bytes(need)} so far, and a history may take "
            f"{format_bytes(most)} of the {format_bytes(memory)} that are free; let it end, or free memory"
        )


def describe_infoset(game: Game, infoset: Hashable, is_refined: bool = False) -> str:
    """Describe an infoset on one line; one that was split by the player's actions as the rules describe it."""
    if is_refined and isinstance(infoset, tuple):
        infoset = infoset[0]
    try:
        return " ".join(game.describe(infoset).split())
    except Exception as error:
        raise RulesError(f"{game}: describe({infoset!r}) must return a string ({error})") from error


def as_invalid_rules(error: Exception) -> InvalidRulesError:
    """Return an exception raised by the rules as an error in the rules."""
    if isinstance(error, InvalidRulesError):
        return error
    return InvalidRulesError(f"the rules raised {type(error).__name__}: {error}")


def _add_move_to_path(move: Hashable, error: Exception) -> InvalidRulesError:
    """Return the error to raise one step closer to the root, with the move added to its path."""
    error_in_rules = as_invalid_rules(error)
    error_in_rules.path.append(move)
    return error_in_rules
