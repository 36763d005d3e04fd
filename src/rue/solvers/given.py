"""Strategies that are given instead of learned, at some infosets.

What is given is played at every iteration and is part of the average as it stands; a best response plays it too. At
such an infoset nothing is chosen, so nothing can be gained there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from rue.checked import shown
from rue.errors import RueError
from rue.forms.lines import Given
from rue.forms.public_tree import PublicTree
from rue.forms.sequence_form import numbers
from rue.forms.treeplex import Floats, Treeplex

SUM_TOLERANCE = 1e-6


class GivenTables(NamedTuple):
    """What a player is given on a card game, as the compiled kernels see it."""

    first: Any
    """For each decision of each place where it begins in `chance`, -1 where nothing is given; empty without any."""
    chance: Any
    """Actions times hands for each such decision."""


def laid_over(strategy: Floats, given: Floats | None) -> Floats:
    """A strategy with what is given in its place, where it is a number.

    >>> laid_over(np.array([0.5, 0.5]), np.array([np.nan, 1.0])).tolist()
    [0.5, 1.0]
    """
    return strategy if given is None else np.where(np.isnan(given), strategy, given)


def with_given(
    treeplexes: tuple[Treeplex, Treeplex], averages: Sequence[Floats], given: Sequence[Floats | None]
) -> tuple[Floats, Floats]:
    """Averages as masses of each sequence: as they are accumulated, or, where some are given, strategies."""
    one, two = averages
    if any(own is not None for own in given):
        both = zip(treeplexes, averages, given, strict=True)
        one, two = (laid_over(treeplex.strategy(mass), own) for treeplex, mass, own in both)
    return one, two


def check_given(chances: Floats, where: str) -> None:
    """Refuse chances, actions times infosets, of which a column is neither a strategy nor left to learn throughout."""
    learns = np.isnan(chances).all(axis=0)
    fine = (chances >= 0.0).all(axis=0) & (np.abs(chances.sum(axis=0) - 1.0) <= SUM_TOLERANCE)
    if not (learns | fine).all():
        raise RueError(f"what is given at {where} is no strategy: chances that sum to 1, or nan for all actions")


def check_pair(given: Any) -> None:
    """Refuse what is not something for each player, or None."""
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise RueError(f"what is given is a pair, one for each player, not {shown(given)}")


def given_sequences(treeplex: Treeplex, given: Floats | None, player: int) -> Floats | None:
    """What a player is given in sequence form, checked: a number a sequence, nan where it is learned."""
    if given is None:
        return None
    chances = numbers(treeplex, given, f"what player {player + 1} is given").copy()
    for infoset, name in enumerate(treeplex.infosets):
        check_given(chances[treeplex.of(infoset)][:, None], f"infoset {name!r}")
    return chances


def given_tables(tree: PublicTree, given: Given, player: int, dtype: Any) -> GivenTables:
    """What a player is given on a card game, checked, as tables for the kernels."""
    own = {key: np.array(chances, dtype=np.float64) for key, chances in given.items() if key[1] == player}
    if not own:
        return GivenTables(np.zeros(0, np.int64), np.zeros(0, dtype))
    first = np.full(tree.decision_count, -1, dtype=np.int64)
    chances: list[Floats] = []
    used = 0
    for (place, _, row), block in own.items():
        decision = tree.decision(place, player, row)
        shape = decision.actions, tree.shape(place, player)[1]
        where = f"{tree.where(player, decision.at.start)}"
        if block.shape != shape:
            raise RueError(f"what is given at {where} needs {shape[0]} actions times {shape[1]} hands")
        check_given(block, where)
        first[decision.number] = used
        chances.append(block.ravel())
        used += block.size
    return GivenTables(first, np.concatenate(chances).astype(dtype))
