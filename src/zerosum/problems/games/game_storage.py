"""The rules of a game by name or file, and how games and their runs are stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from zerosum.engine.fixed_strategies import (
    FREE,
    GivenSequences,
    check_fixed_sequences,
    overlay_averages,
    overlay_fixed_strategy,
)
from zerosum.engine.forms.sequence.payoff_matrix import EMPTY_PAYOFFS
from zerosum.engine.forms.sequence.sequence_form import SequenceForm, name_infosets
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.games.catalogue import check_is_game, create_game, is_gambit_file, may_read_file
from zerosum.games.game import Game
from zerosum.problems.codec import Codec, collect_saved_result_fields
from zerosum.problems.lock_set import collect_lock_fields, read_saved_locks
from zerosum.results.game_result import GameResult, check_result
from zerosum.results.result import Decision
from zerosum.support.errors import ZerosumError
from zerosum.support.options import option_name
from zerosum.support.user_modules import fingerprint_named_file, names_python_object
from zerosum.support.validation import decode_bool, decode_text, path_as_text

if TYPE_CHECKING:
    from zerosum.problems.games.game_problem import GameProblem
    from zerosum.problems.games.rules_problem import RulesProblem
    from zerosum.runs.saved_run import SavedRun

Played = TypeVar("Played", bound="GameProblem | RulesProblem")
GameLike = str | Path | Game | SequenceForm
"""A name like `leduc(suits=3)`, a file, rules, or a game already compiled."""


class GameSource:
    """The rules of a game, and the text that names them, if any; a game already compiled has neither.

    >>> source = GameSource("leduc( suits=3 )")
    >>> source.text, source.rules.name
    ('leduc( suits=3 )', 'leduc(suits=3)')
    """

    def __init__(self, game: GameLike) -> None:
        game = path_as_text(game)
        if not isinstance(game, str | SequenceForm):
            check_is_game(game)
        self.text = game if isinstance(game, str) else None
        self.rules: Any = (
            create_game(game) if isinstance(game, str) else None if isinstance(game, SequenceForm) else game
        )

    def __getstate__(self) -> dict[str, Any]:
        """The state for another process: a name, from which it builds the rules, or the rules."""
        return {"text": self.text, "rules": None if self.text is not None else self.rules}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.text, self.rules = state["text"], state["rules"] if state["text"] is None else create_game(state["text"])

    @property
    def name(self) -> str:
        return getattr(self.rules, "name", str(self.rules))

    @property
    def file_fingerprint(self) -> str | None:
        """A hash of the file that the game is named by; None if it is named otherwise."""
        if self.text is None:
            return None
        return self.rules.fingerprint if is_gambit_file(self.text) else fingerprint_named_file(self.text)


class GameCodec(Codec[Played]):
    """The storage of games in sequence form and of their runs."""

    run_formats: ClassVar[tuple[str, ...]] = ("sequences", "slots", "boards", "exact")

    def to_json(self, problem: Played) -> dict[str, Any]:
        """Return the name of the game, the fingerprint of its file if it has one, whether it is refined, its locks."""
        source, locks = problem.source, problem.locks
        game = {"game": source.text, "source": source.file_fingerprint, "refine": problem.refine}
        return {**game, **(locks.to_json() if locks else {})}

    def from_json(self, header: Mapping[str, Any], game: GameLike | None = None) -> Played:
        return self.problem_class(resolve_saved_game(header, game), header["refine"])

    def check_json(self, header: Mapping[str, Any]) -> None:
        decode_bool(header["refine"])
        decode_text(header["numbers"]["name"])
        for value in (header["game"], header["source"], header["numbers"]["fingerprint"]):
            decode_text("" if value is None else value)

    def read_result(self, saved: SavedRun) -> GameResult:
        stated, numbers = saved.header["numbers"], collect_saved_result_fields(saved)
        result = GameResult(
            game=stated["name"],
            infosets=stated["infosets"],
            sequences=stated["sequences"],
            decisions=tuple(self.read_decisions(saved)),
            seed=None if saved.kind in ("sequences", "exact") else saved.seed or 0,
            **numbers,
            **collect_lock_fields(*read_saved_locks(saved.header), numbers),
        )
        check_result(result)
        return result

    def read_decisions(self, saved: SavedRun) -> Iterable[Decision]:
        """Return the decisions at the infosets in a saved run."""
        from zerosum.engine.forms.sequence.serialization import read_plans, treeplexes_from_arrays

        treeplexes = treeplexes_from_arrays(saved.read_arrays())
        form = SequenceForm(saved.header["numbers"]["name"], treeplexes, EMPTY_PAYOFFS, 0.0)
        fixed = read_fixed_strategies(saved)
        for player, (treeplex, strategy) in enumerate(zip(treeplexes, fixed, strict=True)):
            check_fixed_sequences(treeplex, strategy, player)
        averages = overlay_averages(treeplexes, read_saved_averages(saved), fixed)
        return list_decisions(form, read_plans(treeplexes, averages), fixed)


def resolve_saved_game(header: Mapping[str, Any], game: GameLike | None) -> GameLike:
    """Return the game of a saved run; a Python file must be named again, as `game`, to be run."""
    text, name = header["game"], header["numbers"]["name"]
    if game is not None:
        return game
    if not isinstance(text, str):
        raise ZerosumError(f"this run plays {name}, whose game was passed as an object: pass it again (game=)")
    if names_python_object(text):
        raise ZerosumError(
            f"this run plays {text}, a Python file, which is run only if you name it ({option_name('game', text)})"
        )
    if is_gambit_file(text) or may_read_file(text):
        raise ZerosumError(
            f"this run plays {text}, a file, which is read only if you name it ({option_name('game', text)})"
        )
    return text


def read_saved_averages(saved: SavedRun) -> list[NDArray[Any]]:
    """Return the accumulated averages of both players, a number for each sequence, from any format of a run."""
    if saved.kind != "slots":
        return [saved.read_array(f"{'sums' if saved.kind == 'boards' else 'average'}{player}") for player in (0, 1)]
    slots = saved.read_array("average")
    averages = []
    for player in (0, 1):
        order = saved.read_array(f"order{player}")
        values, slots = slots[: len(order)], slots[len(order) :]
        if order.ndim != 1 or len(values) != len(order) or order.max(initial=0) >= len(order):
            raise ValueError("its strategies do not fit its infosets")
        averages.append(np.zeros(len(order)))
        averages[-1][order] = values
    return averages


def read_fixed_strategies(saved: SavedRun) -> GivenSequences:
    """Return the strategies of the locks of a saved run."""
    if not saved.header.get("locks"):
        return FREE
    arrays = saved.read_arrays()
    return arrays.get("given0"), arrays.get("given1")


def list_decisions(form: SequenceForm, plans: tuple[Floats, Floats], fixed: GivenSequences = FREE) -> list[Decision]:
    """Return the decisions of the plans of both players; fixed strategies also at infosets that they never reach."""
    reaches = [plan[treeplex.tree.parent] for treeplex, plan in zip(form.treeplexes, plans, strict=True)]
    sides = zip(form.treeplexes, plans, fixed, strict=True)
    strategies = [overlay_fixed_strategy(treeplex.strategy(plan), strategy) for treeplex, plan, strategy in sides]
    decisions = []
    for player, number, text in name_infosets(form):
        treeplex = form.treeplexes[player]
        chances = strategies[player][treeplex.sequences_of(number)]
        actions = {str(a): float(p) for a, p in zip(treeplex.actions[number], chances, strict=True)}
        decisions.append(Decision(player + 1, text, float(reaches[player][number]), actions))
    return decisions
