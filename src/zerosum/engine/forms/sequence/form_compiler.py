"""From the rules of a game to its sequence form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from zerosum.engine.forms.sequence.enumeration import Enumeration, RulesError, as_invalid_rules
from zerosum.engine.forms.sequence.payoff_matrix import Payoffs
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.treeplex import Treeplex
from zerosum.games.catalogue import as_game, check_is_game
from zerosum.games.game import Game
from zerosum.support.errors import ZerosumError, report_out_of_memory
from zerosum.support.system import available_bytes

if TYPE_CHECKING:
    from zerosum.engine.forms.sequence.history_tree import HistoryTree

__all__ = ["RulesError", "compile_game"]

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
    recall) is split by these actions; without, it is refused. With `sampled`, the histories are stored as well, for
    sampled walks; without, they are enumerated again when they are needed. `progress` is called now and then with the
    number of histories visited; `memory` is the number of bytes that may be used (default: the free memory).

    >>> from zerosum.games.catalogue import create_game
    >>> form = compile_game(create_game("kuhn"))
    >>> form.infosets, form.sequences, len(form.payoffs.entry)
    (12, 26, 30)
    """
    check_is_game(game)

    def record(progress: Progress | None) -> Any:
        from zerosum.engine.forms.sequence.history_recorder import HistoryRecorder

        return _enumerate(HistoryRecorder, game, refine, progress, memory)

    if sampled:
        recorded = record(progress)
        tree = recorded.tree
        return _build_form(recorded, lambda: tree)
    walk = _enumerate(Enumeration, game, refine, progress, memory)
    return _build_form(walk, lambda: record(None).tree)


def as_sequence_form(game: SequenceForm | Game | str | Path, sampled: bool = False) -> SequenceForm:
    """Return a game in sequence form, compiled from its rules or its name if it is not in that form.

    >>> as_sequence_form("kuhn").infosets
    12
    """
    if isinstance(game, SequenceForm):
        return game
    return compile_game(as_game(game), sampled=sampled)


def _enumerate(kind: type[E], game: Game, refine: bool, progress: Progress | None, memory: int | None) -> E:
    """Enumerate a game; raise an error that says what is wrong with its rules."""
    walk = kind(game, refine, progress, available_bytes() if memory is None else memory)
    name = getattr(game, "name", str(game))
    try:
        try:
            walk.visit(game.root(), 0, 0, 1.0)
        except RecursionError:
            walk = kind(game, refine, progress, walk.memory)
            walk.visit_all()
        return walk
    except (ZerosumError, MemoryError):
        raise
    except SystemExit:
        raise RulesError(f"{name}: the rules called exit") from None
    except Exception as error:
        trouble = as_invalid_rules(error)
        raise RulesError(f"{name}: {trouble} ({trouble.where})") from error


def _build_form(walk: Enumeration, record: Callable[[], HistoryTree]) -> SequenceForm:
    """Build the form from an enumeration."""
    game = walk.game
    built = [Treeplex.build(d.parents, list(d.index), d.actions) for d in walk.decisions]
    (first, rows), (second, columns) = built
    payoffs = Payoffs.of(
        np.frombuffer(walk.entries, dtype=np.float64),
        rows[np.frombuffer(walk.rows, np.int32)],
        columns[np.frombuffer(walk.columns, np.int32)],
        (first.sequences, second.sequences),
    )
    return SequenceForm(
        getattr(game, "name", str(game)),
        (first, second),
        payoffs,
        walk.largest,
        0.0 if walk.sum is None else walk.sum / 2,
        walk.histories,
        walk.describe,
        record,
        game,
        (rows, columns),
        walk.counts,
    )
