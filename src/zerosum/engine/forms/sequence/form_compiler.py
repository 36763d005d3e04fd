"""From the rules of a game to its sequence form, with the tree of its histories where walks sample it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TypeVar

import numpy as np

from zerosum.engine.forms.sequence.enumeration import SEQUENCE_TYPES, Enumeration, RulesError, as_invalid_rules
from zerosum.engine.forms.sequence.history_tree import DATA, FIRST_CHILD, N_CHILDREN, N_COLUMNS, PLAYER, HistoryTree
from zerosum.engine.forms.sequence.payoff_matrix import Payoffs
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.treeplex import Treeplex
from zerosum.games.catalogue import as_game, check_is_game
from zerosum.games.game import CHANCE, TERMINAL, Game, State
from zerosum.support.errors import ZerosumError, report_out_of_memory
from zerosum.support.system import available_bytes

E = TypeVar("E", bound=Enumeration)
Progress = Callable[[int], None]


@report_out_of_memory
def compile_game(
    game: Game,
    *,
    refine: bool = False,
    sampled: bool = False,
    progress: Progress | None = None,
    memory: int | None = None,
) -> SequenceForm:
    """Enumerate the histories of a game and store it as two treeplexes and a payoff matrix.

    With `refine`, an infoset that the rules merge although the player took different actions before it (imperfect
    recall) is split by these actions; otherwise such a game is rejected. With `sampled`, the histories are stored
    as well, for sampled walks; otherwise they are enumerated again when they are needed. `progress` is called at
    intervals with the number of histories visited; `memory` is the number of bytes that may be used (default: the free
    memory).

    >>> from zerosum.games.catalogue import create_game
    >>> form = compile_game(create_game("kuhn"))
    >>> form.infosets, form.sequences, len(form.payoffs.entry)
    (12, 26, 30)
    """
    check_is_game(game)
    if sampled:
        recorder = _enumerate(HistoryRecorder, game, refine, progress, memory)
        tree = recorder.build_tree()
        return _build_form(recorder, lambda: tree)
    enumeration = _enumerate(Enumeration, game, refine, progress, memory)
    return _build_form(enumeration, lambda: _enumerate(HistoryRecorder, game, refine, None, memory).build_tree())


def as_sequence_form(game: SequenceForm | Game | str | Path, sampled: bool = False) -> SequenceForm:
    """Return a game in sequence form, compiled from its rules or its name if it is not in that form.

    >>> as_sequence_form("kuhn").infosets
    12
    """
    if isinstance(game, SequenceForm):
        return game
    return compile_game(as_game(game), sampled=sampled)


class HistoryRecorder(Enumeration):
    """An enumeration that also stores the tree of histories."""

    recorded = True

    def __init__(self, game: Game, refine: bool, progress: Callable[[int], None] | None, memory: int) -> None:
        super().__init__(game, refine, progress, memory)
        self.nodes = array("i", (0,) * N_COLUMNS)
        self.chances, self.payoffs = array("d"), array("d")
        self.pending_nodes = [0]
        """The nodes of the histories to come, the next one last."""

    def visit(self, state: State, sequence_one: int, sequence_two: int, reach: float) -> None:
        self.node = self.pending_nodes.pop()
        super().visit(state, sequence_one, sequence_two, reach)

    def add_end(self, payoff: float | tuple[float, float], sequence_one: int, sequence_two: int, reach: float) -> None:
        self.nodes[N_COLUMNS * self.node + PLAYER] = TERMINAL
        self.nodes[N_COLUMNS * self.node + DATA] = len(self.payoffs)
        super().add_end(payoff, sequence_one, sequence_two, reach)
        self.payoffs.append((payoff[0] if isinstance(payoff, tuple) else payoff) - (self.payoff_sum or 0.0) / 2)

    def visit_outcomes(
        self,
        state: State,
        chances: Sequence[tuple[Hashable, float]],
        sequence_one: int,
        sequence_two: int,
        reach: float,
    ) -> None:
        chances = chances if isinstance(chances, SEQUENCE_TYPES) else tuple(chances)
        probabilities = [probability for _, probability in chances]
        is_uniform = len(set(probabilities)) == 1
        self._allocate_children(CHANCE, len(probabilities), -1 if is_uniform else len(self.chances))
        if not is_uniform:
            sums = list(accumulate(probabilities))
            if probabilities[-1] == 0.0:  # nothing is left for outcomes that never come
                last = sums.index(sums[-1])
                sums[last:] = [1.0] * (len(sums) - last)
            self.chances.extend(sums)
        super().visit_outcomes(state, chances, sequence_one, sequence_two, reach)

    def number_infoset(self, state: State, player: int, parent: int) -> tuple[int, Sequence[Hashable]]:
        number, actions = super().number_infoset(state, player, parent)
        self._allocate_children(player, len(actions), self.decisions[player].first[number])
        return number, actions

    def _allocate_children(self, player: int, count: int, data: int) -> None:
        """Fill the node of the current history, and allocate and push its children."""
        first = len(self.nodes) // N_COLUMNS
        row = N_COLUMNS * self.node
        self.nodes[row + PLAYER], self.nodes[row + N_CHILDREN] = player, count
        self.nodes[row + FIRST_CHILD], self.nodes[row + DATA] = first, data
        self.nodes.extend((0,) * (N_COLUMNS * count))
        self.pending_nodes.extend(range(first + count - 1, first - 1, -1))

    def build_tree(self) -> HistoryTree:
        """Return the recorded tree, with the slots of the second player after those of the first; call it once."""
        nodes = np.frombuffer(self.nodes, np.int32).reshape(-1, N_COLUMNS)
        slots_one, slots_two = (decisions.sequences for decisions in self.decisions)
        nodes[nodes[:, PLAYER] == 1, DATA] += slots_one
        widest = max((len(actions) for decisions in self.decisions for actions in decisions.actions), default=1)
        return HistoryTree(
            nodes,
            np.frombuffer(self.chances, np.float64) if self.chances else np.zeros(0),
            np.frombuffer(self.payoffs, np.float64),
            (slots_one, slots_two),
            sum(decisions.depth for decisions in self.decisions),
            widest,
        )


def _enumerate(kind: type[E], game: Game, refine: bool, progress: Progress | None, memory: int | None) -> E:
    """Enumerate a game; raise an error that says what is wrong with its rules."""
    enumeration = kind(game, refine, progress, available_bytes() if memory is None else memory)
    name = getattr(game, "name", str(game))
    try:
        try:
            enumeration.visit(game.root(), 0, 0, 1.0)
        except RecursionError:
            enumeration = kind(game, refine, progress, enumeration.memory)
            enumeration.visit_with_stack()
        return enumeration
    except (ZerosumError, MemoryError):
        raise
    except SystemExit:
        raise RulesError(f"{name}: the rules called exit") from None
    except Exception as error:
        rules_error = as_invalid_rules(error)
        raise RulesError(f"{name}: {rules_error} ({rules_error.describe_path()})") from error


def _build_form(enumeration: Enumeration, record: Callable[[], HistoryTree]) -> SequenceForm:
    (first, rows), (second, columns) = (
        Treeplex.build(infosets.parents, list(infosets.index), infosets.actions) for infosets in enumeration.decisions
    )
    payoffs = Payoffs.from_entries(
        np.frombuffer(enumeration.entries, dtype=np.float64),
        rows[np.frombuffer(enumeration.rows, np.int32)],
        columns[np.frombuffer(enumeration.columns, np.int32)],
        (first.sequences, second.sequences),
    )
    return SequenceForm(
        getattr(enumeration.game, "name", str(enumeration.game)),
        (first, second),
        payoffs,
        enumeration.largest_payoff,
        shift=(enumeration.payoff_sum or 0.0) / 2,
        histories=enumeration.histories,
        describe=enumeration.describe,
        record_histories=record,
        rules=enumeration.game,
        slot_sequences=(rows, columns),
        counts=enumeration.counts,
    )
