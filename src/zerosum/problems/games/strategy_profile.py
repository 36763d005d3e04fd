"""A strategy matched to a game: two behaviour strategies as arrays, or an error message about the first mismatch."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from zerosum.engine.fixed_strategies import GivenSequences, overlay_fixed_strategy
from zerosum.engine.forms.sequence.sequence_form import SequenceForm, name_infosets
from zerosum.engine.forms.sequence.treeplex import Floats, Treeplex
from zerosum.games.catalogue import is_openspiel_game
from zerosum.problems.kinds import GAME, describe_kind
from zerosum.problems.options import Fill, StartOptions
from zerosum.results.strategy import InfosetEntry, Strategy, StrategyLike, StrategySource
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.options import check_options, option_name
from zerosum.support.text import quote
from zerosum.support.thread_safety import cached_property

TOLERANCE = 1e-6
"""How far the probabilities of an infoset may be from 1 in sum; they are then divided by their sum."""
MAX_COMPARED = 20_000
"""Names that are searched for the one closest to an unknown name."""


@dataclass(frozen=True, eq=False)
class StrategyProfile:
    """The behaviour strategies of both players on a form: sigma[s] for each sequence s, 1 for the empty one."""

    source: str
    form: SequenceForm
    strategies: tuple[Floats, Floats]
    filled: int = 0
    """How many infosets the strategy did not mention."""

    @cached_property
    def plans(self) -> tuple[Floats, Floats]:
        first, second = (
            treeplex.plan(sigma) for treeplex, sigma in zip(self.form.treeplexes, self.strategies, strict=True)
        )
        return first, second

    def with_fixed(self, fixed: GivenSequences) -> StrategyProfile:
        """Return the same profile with the fixed strategies in its place."""
        first, second = (
            overlay_fixed_strategy(sigma, values) for sigma, values in zip(self.strategies, fixed, strict=True)
        )
        return replace(self, strategies=(first, second))


def as_game_strategy(value: Any) -> Strategy:
    """Return a value as the strategy of a game; raise an error if it is of another kind of problem."""
    if isinstance(value, StrategySource) and value.problem_kind != GAME:
        raise ZerosumError(
            f"{value.source} is a strategy of a {describe_kind(value)}: use it with the problem it was solved for"
        )
    return Strategy.from_value(value)


def match_strategy(form: SequenceForm, source: StrategyLike, fill: Fill | None = None) -> StrategyProfile:
    """Match a strategy to a game: every infoset and action must be the game's, and no infoset may be missing.

    An action that is left out has probability 0. With `fill="uniform"`, infosets that are left out play uniformly.

    >>> import zerosum
    >>> pennies = zerosum.compile_game(zerosum.game("matrix([[1, -1], [-1, 1]])"))
    >>> match_strategy(pennies, {"row": {"1": 1.0}}, "uniform").plans
    (array([1., 0., 1.]), array([1. , 0.5, 0.5]))
    >>> match_strategy(pennies, {"row": {"1": 1.0}})
    Traceback (most recent call last):
    ...
    zerosum.ZerosumError: the strategy says nothing about 'column' of player 2; play uniformly there ...
    """
    check_options(StartOptions, {"fill": fill})
    strategy = Strategy.from_value(source)
    names = InfosetIndex(form)
    arrays = build_strategy_arrays(names, strategy)
    mentioned = [~np.isnan(sigma[treeplex.first]) for sigma, treeplex in zip(arrays, form.treeplexes, strict=True)]
    missing = int(sum((~infosets).sum() for infosets in mentioned))
    if missing and fill is None:
        raise ZerosumError(describe_missing_infoset(names, strategy, mentioned, missing))
    first, second = (
        np.where(np.isnan(sigma), treeplex.uniform_strategy(), sigma)
        for sigma, treeplex in zip(arrays, form.treeplexes, strict=True)
    )
    return StrategyProfile(strategy.source, form, (first, second), missing)


def build_strategy_arrays(names: InfosetIndex, strategy: Strategy) -> tuple[Floats, Floats]:
    """Return a strategy as arrays, a probability for each sequence of both players: NaN where it says nothing."""
    form = names.form
    if strategy.numbered and _find_openspiel_rules(form) is None:
        raise ZerosumError(
            f"{strategy.source} has OpenSpiel's action numbers, and {form.name} is not a game of OpenSpiel: "
            "name one like openspiel:leduc_poker"
        )
    first, second = (np.full(treeplex.sequences, np.nan) for treeplex in form.treeplexes)
    for entry in strategy.entries:
        player, number = names.find(entry, strategy)
        treeplex, sigma = form.treeplexes[player], (first, second)[player]
        if not np.isnan(sigma[treeplex.first[number]]):
            raise ZerosumError(f"{strategy.source} has the infoset {quote(entry.infoset)} twice")
        sigma[treeplex.sequences_of(number)] = _normalize_probabilities(treeplex, number, entry, strategy)
    return first, second


def _find_openspiel_rules(form: SequenceForm) -> Any:
    """Return the rules of a form that was compiled from a game of OpenSpiel; None for others."""
    return form.rules if form.rules is not None and is_openspiel_game(getattr(form.rules, "name", "")) else None


class InfosetIndex:
    """The infosets of a form by name: that of zerosum, and that of OpenSpiel if the game is OpenSpiel's."""

    def __init__(self, form: SequenceForm) -> None:
        self.form = form
        self.listed = list(name_infosets(form))
        self.places = {text: (player, number) for player, number, text in self.listed}
        self.by_information_state: dict[str, list[tuple[int, int]]] = {}
        if _find_openspiel_rules(form) is not None:
            for player, treeplex in enumerate(form.treeplexes):
                for number, infoset in enumerate(treeplex.infosets):
                    if isinstance(infoset, tuple) and len(infoset) == 2 and isinstance(infoset[1], str):  # not refined
                        self.by_information_state.setdefault(infoset[1], []).append((player, number))

    def find(self, entry: InfosetEntry, strategy: Strategy) -> tuple[int, int]:
        """Return the player, 0 or 1, and the number of the infoset of an entry."""
        if entry.infoset in self.places:
            matches = [self.places[entry.infoset]]
        else:
            matches = self.by_information_state.get(entry.infoset, [])
        rules = _find_openspiel_rules(self.form)
        if not matches and rules is not None:
            matches = self.by_information_state.get(rules.information_state(entry.infoset), [])
        wanted = [place for place in matches if entry.player is None or place[0] == entry.player - 1]
        if len(wanted) > 1:
            raise ZerosumError(
                f"{strategy.source}: both players have an infoset {quote(entry.infoset)}: name the player"
            )
        if matches and not wanted:
            raise ZerosumError(
                f"{strategy.source}: the infoset {quote(entry.infoset)} is player {matches[0][0] + 1}'s, "
                f"not player {entry.player}'s"
            )
        if not wanted:
            hint = f"one of its infosets is {quote(self.listed[0][2])}" if self.listed else "it has none"
            if len(self.places) <= MAX_COMPARED:
                close = suggest_names(entry.infoset, self.places, 1)
                hint = close if close.startswith("did you mean") else hint
            raise ZerosumError(f"{strategy.source}: {self.form.name} has no infoset {quote(entry.infoset)}; {hint}")
        return wanted[0]


def _normalize_probabilities(treeplex: Treeplex, number: int, entry: InfosetEntry, strategy: Strategy) -> Floats:
    """Return the probabilities of the actions of an infoset, in the order of the game, with the sum 1."""
    where = f"{strategy.source}: the infoset {quote(entry.infoset)}"
    actions = treeplex.actions[number]
    texts = [str(int(action)) if strategy.numbered else str(action) for action in actions]  # type: ignore[call-overload]
    place = {text: k for k, text in enumerate(texts)}
    if len(place) < len(texts):
        raise ZerosumError(f"{where} has two actions of the same name: its strategy is ambiguous")
    chances = np.zeros(len(texts))
    for action, chance in entry.actions.items():
        if not math.isfinite(chance) or chance < 0.0 or chance > 1.0 + TOLERANCE:
            raise ZerosumError(f"{where} has {chance:g} for {quote(action)}, which is not a probability")
        if action in place:
            chances[place[action]] = chance
        elif not (strategy.numbered and chance == 0.0):  # OpenSpiel lists what is not allowed with 0
            raise ZerosumError(f"{where} has no action {quote(action)}; its actions are {', '.join(texts)}")
    total = float(chances.sum())
    if abs(total - 1.0) > TOLERANCE:
        raise ZerosumError(f"{where} has probabilities that sum to {total:g}, not to 1")
    return chances / total


def describe_missing_infoset(names: InfosetIndex, strategy: Strategy, mentioned: list[np.ndarray], missing: int) -> str:
    """Return the error message about the first infoset that a strategy does not mention."""
    player, _, text = next(place for place in names.listed if not mentioned[place[0]][place[1]])
    more = f" and {missing - 1:,} more of {len(names.listed):,} infosets" if missing > 1 else ""
    return (
        f"{strategy.source} says nothing about {quote(text)} of player {player + 1}{more}; "
        f"play uniformly there ({option_name('fill', 'uniform')})"
    )
