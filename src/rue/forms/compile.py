"""From rules to the general form: two treeplexes and a payoff matrix, and the tree of histories for sampled walks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

from rue.errors import RueError, tells_lack_of_memory
from rue.forms.enumeration import Enumeration, RulesError, trouble_of
from rue.forms.histories import Recording
from rue.forms.history_tree import HistoryTree
from rue.forms.payoffs import Payoffs
from rue.forms.sequence_form import SequenceForm
from rue.forms.treeplex import Treeplex
from rue.games.catalogue import check_rules, rules_of
from rue.games.game import Game
from rue.machine import available_bytes

__all__ = ["RulesError", "compile_game"]

E = TypeVar("E", bound=Enumeration)
Progress = Callable[[int], None]


@tells_lack_of_memory
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
    recall) is split by what the player did; without, it is refused. With `sampled`, the histories are kept as well, for
    sampled walks; without, they are enumerated again when one is asked for. `progress` is called now and then with the
    number of histories seen; `memory` is the number of bytes that may be used (default: what is free).

    >>> from rue.games.catalogue import make
    >>> form = compile_game(make("kuhn"))
    >>> form.infosets, form.sequences, len(form.payoffs.entry)
    (12, 26, 30)
    """
    check_rules(game)
    if sampled:
        recorded = _walk(Recording, game, refine, progress, memory)
        tree = recorded.tree
        return _form(recorded, lambda: tree)
    walk = _walk(Enumeration, game, refine, progress, memory)
    return _form(walk, lambda: _walk(Recording, game, refine, None, memory).tree)


def form_of(given: SequenceForm | Game | str | Path, sampled: bool = False) -> SequenceForm:
    """A game in sequence form: as it is, or compiled from its rules or its name.

    >>> form_of("kuhn").infosets
    12
    """
    if isinstance(given, SequenceForm):
        return given
    return compile_game(rules_of(given), sampled=sampled)


def _walk(kind: type[E], game: Game, refine: bool, progress: Progress | None, memory: int | None) -> E:
    """Enumerate a game; whatever its rules do wrong is told in a sentence."""
    walk = kind(game, refine, progress, available_bytes() if memory is None else memory)
    name = getattr(game, "name", str(game))
    try:
        try:
            walk.visit(game.root(), 0, 0, 1.0)
        except RecursionError:
            walk = kind(game, refine, progress, walk.memory)
            walk.visit_all()
        return walk
    except (RueError, MemoryError):
        raise
    except SystemExit:
        raise RulesError(f"{name}: the rules called exit") from None
    except Exception as error:
        trouble = trouble_of(error)
        raise RulesError(f"{name}: {trouble} ({trouble.where})") from error


def _form(walk: Enumeration, record: Callable[[], HistoryTree]) -> SequenceForm:
    """Arrange what was found."""
    game = walk.game
    built = [Treeplex.build(d.parents, list(d.index), d.actions) for d in walk.decisions]
    (one, rows), (two, columns) = built
    payoffs = Payoffs.of(
        np.frombuffer(walk.entries, dtype=np.float64),
        rows[np.frombuffer(walk.rows, np.int32)],
        columns[np.frombuffer(walk.columns, np.int32)],
        (one.sequences, two.sequences),
    )
    return SequenceForm(
        getattr(game, "name", str(game)),
        (one, two),
        payoffs,
        walk.largest,
        0.0 if walk.sum is None else walk.sum / 2,
        walk.histories,
        walk.describe,
        record,
        game,
        (rows, columns),
        walk.found,
    )
