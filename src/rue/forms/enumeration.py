"""The walk over every history of a game, which refuses what is not a game of perfect recall."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from rue.errors import RueError
from rue.forms.footprint import A_HISTORY_AT_MOST, Found, Names, moves_bytes
from rue.games.game import CHANCE, NOBODY, ONE, TWO, Game, State
from rue.words import readable

CHECK_EVERY = 1 << 16
CHECK_MOVES = 1 << 10
"""Moves of a history between two looks at what it takes."""
TOLERANCE = 1e-9
SHOWN = 20
"""Moves of a history that a message tells, half of them its first ones."""
PASSED = (RueError, RecursionError, MemoryError)
"""Errors that no path is added to. They are raised as they are: one that is its own cause lives until Python looks for
garbage, and so does all that its traceback holds."""
KEPT = (list, tuple)
"""Sequences as they are; a generator, which can be read only once, is made a tuple."""


class RulesError(RueError):
    """Rules that are not a two-player zero-sum game of perfect recall; names the place."""


@dataclass
class Decisions:
    """One player's infosets as the walk finds them."""

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

    def depth(self) -> int:
        """The most decisions of the player one after the other."""
        after = [0] * self.sequences
        for parent, first, actions in zip(self.parents, self.first, self.actions, strict=True):
            after[first : first + len(actions)] = [after[parent] + 1] * len(actions)
        return max(after)


class TroubleError(Exception):
    """Something wrong at a place; collects the path to it, from its end, while the walk unwinds."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.path: list[Hashable] = []

    @property
    def where(self) -> str:
        """The place in words: of a long path its first and its last moves."""
        moves = [str(move) for move in reversed(self.path)]
        if len(moves) > SHOWN:
            moves[SHOWN // 2 : -SHOWN // 2] = [f"... {len(moves) - SHOWN:,} moves ..."]
        return f"after {', '.join(moves)}" if moves else "at the root"


class Enumeration:
    """The state of one enumeration."""

    recorded: ClassVar[bool] = False
    """Whether the histories are kept."""

    def __init__(self, game: Game, refine: bool, progress: Callable[[int], None] | None, memory: int) -> None:
        self.game = game
        self.refine = refine
        self.progress = progress
        self.memory = memory
        self.decisions = (Decisions(), Decisions())
        self.rows, self.columns, self.entries = array("i"), array("i"), array("d")
        self.histories = 0
        self.names = Names()
        self.next_check = CHECK_EVERY
        self.sum: float | None = None
        self.largest = 0.0

    def visit_all(self) -> None:
        """Walk without calls inside calls, for a game that is deeper than Python can call itself.

        What `visit` would do at once waits its turn: histories are seen in the same order.
        """
        waiting: list[tuple[State, int, int, float, int]] = [(self.game.root(), 0, 0, 1.0, 0)]
        visit, moves = self.visit, 0

        def put_off(state: State, one: int, two: int, reach: float) -> None:
            waiting.append((state, one, two, reach, moves + 1))

        self.visit = put_off  # type: ignore[method-assign]
        while waiting:
            before = len(waiting) - 1
            *history, moves = waiting.pop()
            try:
                visit(*history)
                if not moves % CHECK_MOVES:
                    self.check_moves(moves)
            except PASSED:
                raise
            except Exception as error:
                raise _at(f"{moves:,} moves", error) from error
            if self.histories >= self.next_check:
                self.check_memory()
            if len(waiting) > before + 1:
                waiting[before:] = waiting[before:][::-1]

    def visit(self, state: State, one: int, two: int, reach: float) -> None:
        """Walk below a state reached by the sequences `one` and `two` and by chance with probability `reach`."""
        self.histories += 1
        game = self.game
        player = game.player(state)
        if player == NOBODY:
            self.end(game.payoff(state), one, two, reach)
        elif player in (ONE, TWO):
            self.decide(state, player, one, two, reach)
        elif player == CHANCE:
            self.chance(state, game.chances(state), one, two, reach)
        else:
            raise TroubleError(f"player() must be ONE, TWO, CHANCE or NOBODY, not {player!r}")

    def end(self, payoff: float | tuple[float, float], one: int, two: int, reach: float) -> None:
        """Note what an end of the game pays."""
        try:
            if isinstance(payoff, tuple):
                payoff, other = payoff
                both = payoff + other
            else:
                both = 0.0
            if both != self.sum:
                self.check_sum(both)
            if self.sum:
                payoff -= self.sum / 2
            finite = -math.inf < payoff < math.inf
        except (TypeError, ValueError):
            raise TroubleError(f"payoff() must return a number or a pair of two, not {payoff!r}") from None
        if not finite:
            raise TroubleError(f"the payoff {payoff} is not a finite number")
        if payoff and reach:
            self.rows.append(one)
            self.columns.append(two)
            self.entries.append(reach * payoff)
            if payoff > self.largest:
                self.largest = payoff
            elif -payoff > self.largest:
                self.largest = -payoff
        if self.histories >= self.next_check:
            self.check_memory()

    def check_sum(self, both: float) -> None:
        """Refuse payoffs that sum to something else than those before."""
        if self.sum is None:
            self.sum = both
        elif abs(both - self.sum) > TOLERANCE * max(1.0, abs(self.sum)):
            raise TroubleError(
                f"the game is not zero-sum: the payoffs sum to {both:g} here and to {self.sum:g} elsewhere"
            )
        elif both != both:
            raise TroubleError("a payoff is not a finite number")

    def chance(self, state: State, chances: Sequence[tuple[Hashable, float]], one: int, two: int, reach: float) -> None:
        """Walk below every outcome of a chance move, also one of probability 0: a strategy says what is done there."""
        if not isinstance(chances, KEPT):
            chances = tuple(chances)
        total = 0.0
        for outcome, probability in chances:
            if not 0.0 <= probability <= 1.0 + TOLERANCE:
                raise TroubleError(f"chance gives {outcome} the probability {probability}")
            total += probability
        if abs(total - 1.0) > TOLERANCE:
            raise TroubleError(f"the probabilities of chance sum to {total:.12g}, not to 1")
        child, visit = self.game.child, self.visit
        try:
            for outcome, probability in chances:
                visit(child(state, outcome), one, two, reach * probability)
        except PASSED:
            raise
        except Exception as error:
            raise _at(outcome, error) from error

    def infoset(self, state: State, player: int, parent: int) -> tuple[int, Sequence[Hashable]]:
        """The number of the infoset of a decision, and its actions, after checking that they make sense."""
        infoset: Hashable = self.game.infoset(state)
        actions: Sequence[Hashable] = self.game.actions(state)
        decisions = self.decisions[player]
        if self.refine:
            infoset = (infoset, parent)
        if not isinstance(actions, KEPT):
            actions = tuple(actions)
        number = decisions.index.get(infoset)
        if number is None:
            actions = tuple(actions)
            if not actions:
                raise TroubleError(f"the player to move has no action at infoset {self.describe(infoset)}")
            if len(set(actions)) != len(actions):
                raise TroubleError(f"infoset {self.describe(infoset)} offers an action twice")
            if len({str(action) for action in actions}) != len(actions):
                raise TroubleError(f"infoset {self.describe(infoset)} offers two actions that read the same")
            number = decisions.add(infoset, parent, actions)
            self.names.add(number, infoset, actions)
        else:
            known = decisions.actions[number]
            if known != actions and known != tuple(actions):
                raise TroubleError(
                    f"infoset {self.describe(infoset)} offers {_list(actions)} here and {_list(known)} elsewhere; "
                    "a player cannot tell its states apart, so the actions must be the same"
                )
            if decisions.parents[number] != parent:
                raise TroubleError(
                    f"imperfect recall: infoset {self.describe(infoset)} of player {player + 1} is reached by "
                    "different own actions; make the infosets remember them, or have them refined "
                    "(--refine, refine=True)"
                )
        return number, actions

    def decide(self, state: State, player: int, one: int, two: int, reach: float) -> None:
        """Walk below every action of a decision."""
        number, actions = self.infoset(state, player, one if player == ONE else two)
        sequence = self.decisions[player].first[number]
        child, visit = self.game.child, self.visit
        try:
            if player == ONE:
                for action in actions:
                    visit(child(state, action), sequence, two, reach)
                    sequence += 1
            else:
                for action in actions:
                    visit(child(state, action), one, sequence, reach)
                    sequence += 1
        except PASSED:
            raise
        except Exception as error:
            raise _at(action, error) from error

    @property
    def describe(self) -> Callable[[Hashable], str]:
        """How an infoset reads, on one line; a refined one by what the rules call it."""
        return partial(described_refined if self.refine else described, self.game)

    @property
    def found(self) -> Found:
        """What was found so far."""
        one, two = self.decisions
        infosets, sequences = len(one.index) + len(two.index), one.sequences + two.sequences
        return Found(self.histories, len(self.entries), infosets, sequences, self.names.bytes, self.recorded)

    def check_moves(self, moves: int) -> None:
        """Refuse a history that goes on and on."""
        check_moves(moves, self.found, self.memory)

    def check_memory(self) -> None:
        """Refuse a game that is about to take more memory than there is."""
        self.next_check = self.histories + CHECK_EVERY
        if self.progress is not None:
            self.progress(self.histories)
        need = self.found.making
        if need > self.memory:
            raise RueError(
                f"{getattr(self.game, 'name', self.game)} does not fit: after {self.histories:,} histories it needs "
                f"{readable(need)} and {readable(self.memory)} are free; choose smaller parameters, "
                "or sample it by rules alone (--by-rules, by_rules=True)"
            )


def check_moves(moves: int, found: Found, memory: float) -> None:
    """Refuse a history that takes more memory than any history of a game may take that is to fit."""
    need, most = moves_bytes(moves, found), A_HISTORY_AT_MOST * memory
    if need > most:
        raise TroubleError(
            f"the game does not seem to end: one history takes {readable(need)} so far, and no more than "
            f"{readable(most)} of the {readable(memory)} that are free are left to one; let it end, or free memory"
        )


def described(game: Game, infoset: Hashable) -> str:
    """An infoset as a person reads it, on one line."""
    try:
        return " ".join(game.describe(infoset).split())
    except Exception as error:
        raise RulesError(f"{game}: describe({infoset!r}) must return a text ({error})") from error


def described_refined(game: Game, infoset: Hashable) -> str:
    """The same for one that was split by what the player did."""
    return described(game, infoset[0] if isinstance(infoset, tuple) else infoset)


def trouble_of(error: Exception) -> TroubleError:
    """An error of the rules themselves is a trouble too."""
    if isinstance(error, TroubleError):
        return error
    return TroubleError(f"the rules raised {type(error).__name__}: {error}")


def _at(action: Hashable, error: Exception) -> TroubleError:
    """The trouble to raise one step closer to the root: it remembers the path."""
    trouble = trouble_of(error)
    trouble.path.append(action)
    return trouble


def _list(actions: Sequence[Hashable]) -> str:
    return "/".join(str(action) for action in actions)
