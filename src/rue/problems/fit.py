"""A strategy laid over a game: two behaviour strategies as arrays, or one sentence that names the first misfit."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import numpy as np

from rue.errors import RueError, nearest
from rue.forms.infoset_names import named_infosets
from rue.forms.sequence_form import SequenceForm
from rue.forms.treeplex import Floats, Treeplex
from rue.games.openspiel import OpenSpiel
from rue.once import cached_property
from rue.records import dataclass
from rue.results.strategy import Entry, Strategy, StrategyLike
from rue.solvers.given import laid_over
from rue.words import quoted

Fill = Literal["uniform"]
"""What an infoset plays about which a strategy says nothing."""
TOLERANCE = 1e-6
"""How far the probabilities of an infoset may be from 1 in sum; they are then divided by their sum."""
GivenSequences = tuple[Floats | None, Floats | None]
"""What is given each player, a number for each sequence: nan where it is learned; None where that is everywhere."""
FREE: GivenSequences = (None, None)
"""Nothing is given."""
MOST_COMPARED = 20_000
"""Names among which the nearest to a wrong one is looked for."""


@dataclass(frozen=True, eq=False)
class Profile:
    """The behaviour strategies of both players on a form: sigma[s] for each sequence s, 1 for the empty one."""

    source: str
    form: SequenceForm
    strategies: tuple[Floats, Floats]
    filled: int = 0
    """The infosets about which nothing was said."""

    @cached_property
    def plans(self) -> tuple[Floats, Floats]:
        """The plans of the two strategies."""
        one, two = (tree.plan(own) for tree, own in zip(self.form.treeplexes, self.strategies, strict=True))
        return one, two

    def with_given(self, given: GivenSequences) -> Profile:
        """The same with what is given in its place."""
        one, two = (laid_over(own, fixed) for own, fixed in zip(self.strategies, given, strict=True))
        return replace(self, strategies=(one, two))


def check_fill(fill: str | None) -> Fill | None:
    """Refuse what is no way to complete a strategy."""
    if fill is None:
        return None
    if fill == "uniform":
        return "uniform"
    raise RueError(f"fill must be uniform, or be left out, not {fill!r}")


def fit(form: SequenceForm, given: StrategyLike, fill: Fill | None = None) -> Profile:
    """Lay a strategy over a game: every infoset and action must be the game's, every infoset must be there.

    An action that is left out has probability 0. With `fill="uniform"`, infosets that are left out play uniformly.

    >>> import rue
    >>> pennies = rue.compile_game(rue.game("matrix([[1, -1], [-1, 1]])"))
    >>> fit(pennies, {"row": {"1": 1.0}}, "uniform").plans
    (array([1., 0., 1.]), array([1. , 0.5, 0.5]))
    >>> fit(pennies, {"row": {"1": 1.0}})
    Traceback (most recent call last):
    ...
    rue.errors.RueError: the strategy says nothing about 'column' of player 2; play uniformly there (--fill uniform, ...
    """
    check_fill(fill)
    strategy = Strategy.of(given)
    names = Names(form)
    laid = lay(names, strategy)
    said = [~np.isnan(own[treeplex.first]) for own, treeplex in zip(laid, form.treeplexes, strict=True)]
    missing = int(sum((~each).sum() for each in said))
    if missing and fill is None:
        raise RueError(silence(names, strategy, said, missing))
    one, two = (
        np.where(np.isnan(own), treeplex.uniform_strategy(), own)
        for own, treeplex in zip(laid, form.treeplexes, strict=True)
    )
    return Profile(strategy.source, form, (one, two), missing)


def lay(names: Names, strategy: Strategy) -> tuple[Floats, Floats]:
    """What a strategy says about a game, a number for each sequence: nan where it says nothing."""
    form = names.form
    _check_kind(form, strategy)
    one, two = (np.full(treeplex.sequences, np.nan) for treeplex in form.treeplexes)
    for entry in strategy.entries:
        player, number = names.find(entry, strategy)
        treeplex, own = form.treeplexes[player], (one, two)[player]
        if not np.isnan(own[treeplex.first[number]]):
            raise RueError(f"{strategy.source} has the infoset {quoted(entry.infoset)} twice")
        own[treeplex.of(number)] = _probabilities(treeplex, number, entry, strategy)
    return one, two


def _check_kind(form: SequenceForm, strategy: Strategy) -> None:
    if strategy.numbered and not isinstance(form.rules, OpenSpiel):
        raise RueError(
            f"{strategy.source} has OpenSpiel's action numbers, and {form.name} is not a game of OpenSpiel: "
            "name one like openspiel:leduc_poker"
        )


class Names:
    """The infosets of a form by what they are called: by rue, and by OpenSpiel where the game is OpenSpiel's."""

    def __init__(self, form: SequenceForm) -> None:
        self.form = form
        self.listed = [(player, number, text) for player, number, text in named_infosets(form)]
        self.known = {text: (player, number) for player, number, text in self.listed}
        self.spiel: dict[str, list[tuple[int, int]]] = {}
        if isinstance(form.rules, OpenSpiel):
            for player, treeplex in enumerate(form.treeplexes):
                for number, infoset in enumerate(treeplex.infosets):
                    state = _information_state(infoset)
                    if state is not None:
                        self.spiel.setdefault(state, []).append((player, number))

    def find(self, entry: Entry, strategy: Strategy) -> tuple[int, int]:
        """The player, 0 or 1, and the number of the infoset that an entry is about."""
        found = [self.known[entry.infoset]] if entry.infoset in self.known else self.spiel.get(entry.infoset, [])
        if not found and isinstance(self.form.rules, OpenSpiel):
            state = self.form.rules.information_state(entry.infoset)
            found = self.spiel.get(state, []) if state is not None else []
        wanted = [place for place in found if entry.player is None or place[0] == entry.player - 1]
        if len(wanted) > 1:
            raise RueError(f"{strategy.source}: both players have an infoset {quoted(entry.infoset)}: name the player")
        if found and not wanted:
            raise RueError(
                f"{strategy.source}: the infoset {quoted(entry.infoset)} is player {found[0][0] + 1}'s, "
                f"not player {entry.player}'s"
            )
        if not wanted:
            hint = f"one of its own is {quoted(self.listed[0][2])}" if self.listed else "it has none"
            if len(self.known) <= MOST_COMPARED:
                close = nearest(entry.infoset, self.known, 1)
                hint = close if close.startswith("did you mean") else hint
            raise RueError(f"{strategy.source}: {self.form.name} has no infoset {quoted(entry.infoset)}; {hint}")
        return wanted[0]


def _information_state(infoset: object) -> str | None:
    """OpenSpiel's text of an infoset; None where it was refined."""
    whole = isinstance(infoset, tuple) and len(infoset) == 2 and isinstance(infoset[1], str)
    return infoset[1] if whole else None  # type: ignore[index]


def _probabilities(treeplex: Treeplex, number: int, entry: Entry, strategy: Strategy) -> Floats:
    """The probabilities of an infoset's actions, in their order."""
    where = f"{strategy.source}: the infoset {quoted(entry.infoset)}"
    actions = treeplex.actions[number]
    texts = [str(int(action)) if strategy.numbered else str(action) for action in actions]  # type: ignore[call-overload]
    place = {text: k for k, text in enumerate(texts)}
    if len(place) < len(texts):
        raise RueError(f"{where} has two actions of the same name: its strategy cannot be told")
    chances = np.zeros(len(texts))
    for action, chance in entry.actions.items():
        if not math.isfinite(chance) or chance < 0.0 or chance > 1.0 + TOLERANCE:
            raise RueError(f"{where} has {chance:g} for {quoted(action)}, which is not a probability")
        if action in place:
            chances[place[action]] = chance
        elif not (strategy.numbered and chance == 0.0):  # OpenSpiel lists what is not allowed with 0
            raise RueError(f"{where} has no action {quoted(action)}; its actions are {', '.join(texts)}")
    total = float(chances.sum())
    if abs(total - 1.0) > TOLERANCE:
        raise RueError(f"{where} has probabilities that sum to {total:g}, not to 1")
    return chances / total


def silence(names: Names, strategy: Strategy, said: list[np.ndarray], missing: int) -> str:
    """The sentence that names the first infoset about which nothing is said."""
    player, _, text = next(each for each in names.listed if not said[each[0]][each[1]])
    more = f" and {missing - 1:,} more of {len(names.listed):,} infosets" if missing > 1 else ""
    return (
        f"{strategy.source} says nothing about {quoted(text)} of player {player + 1}{more}; "
        "play uniformly there (--fill uniform, fill='uniform')"
    )
