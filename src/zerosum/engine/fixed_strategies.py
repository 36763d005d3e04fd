"""Strategies that are fixed instead of learned, at some infosets.

A fixed strategy is played in every iteration, by the average and by a best response, so nothing can be gained there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zerosum.engine.forms.sequence.sequence_form import check_vector
from zerosum.engine.forms.sequence.treeplex import Floats, Treeplex
from zerosum.support.errors import ZerosumError
from zerosum.support.validation import short_repr

if TYPE_CHECKING:
    from zerosum.engine.forms.public.lines import FixedDecisions
    from zerosum.engine.forms.public.tree import PublicTree

GivenSequences = tuple[Floats | None, Floats | None]
"""What is fixed of each player, a number for each sequence: nan where it is learned; None where that is everywhere."""
FREE: GivenSequences = (None, None)
"""Nothing is fixed."""
SUM_TOLERANCE = 1e-6


class FixedTables(NamedTuple):
    """A player's fixed strategies on a card game, for the kernels."""

    first: Any
    """Where the strategy of each decision of each place begins in `chance`, -1 if it is not fixed; empty if none is."""
    chance: Any
    """The strategies: (actions, hands) for each fixed decision, one after the other."""


def overlay(strategy: Floats, fixed: Floats | None) -> Floats:
    """Return a strategy with the fixed one in its place, where that is not NaN.

    >>> overlay(np.array([0.5, 0.5]), np.array([np.nan, 1.0])).tolist()
    [0.5, 1.0]
    """
    return strategy if fixed is None else np.where(np.isnan(fixed), strategy, fixed)


def overlay_averages(
    treeplexes: tuple[Treeplex, Treeplex], averages: Sequence[Floats], fixed: Sequence[Floats | None]
) -> tuple[Floats, Floats]:
    """Return averages as masses of each sequence: as they are accumulated or, if anything is fixed, as strategies."""
    first, second = averages
    if any(strategy is not None for strategy in fixed):
        players = zip(treeplexes, averages, fixed, strict=True)
        first, second = (overlay(treeplex.strategy(mass), strategy) for treeplex, mass, strategy in players)
    return first, second


def check_fixed(chances: Floats, where: str) -> None:
    """Refuse an (actions, infosets) array if a column is neither a strategy nor all NaN."""
    is_learned = np.isnan(chances).all(axis=0)
    is_strategy = (chances >= 0.0).all(axis=0) & (np.abs(chances.sum(axis=0) - 1.0) <= SUM_TOLERANCE)
    if not (is_learned | is_strategy).all():
        raise ZerosumError(f"the fixed strategy at {where} must sum to 1 over the actions, or be nan for all of them")


def check_pair(fixed: Any) -> None:
    """Refuse a value that is not a pair."""
    if not isinstance(fixed, tuple | list) or len(fixed) != 2:
        raise ZerosumError(f"give a pair of strategies, one for each player, not {short_repr(fixed)}")


def fixed_sequences(treeplex: Treeplex, fixed: Floats | None, player: int) -> Floats | None:
    """Check a player's fixed strategies in sequence form: a number for each sequence, NaN where it is learned."""
    if fixed is None:
        return None
    chances = check_vector(treeplex, fixed, f"the fixed strategy of player {player + 1}").copy()
    for infoset, name in enumerate(treeplex.infosets):
        check_fixed(chances[treeplex.of(infoset)][:, None], f"infoset {name!r}")
    return chances


def fixed_tables(tree: PublicTree, fixed: FixedDecisions, player: int, dtype: Any) -> FixedTables:
    """Check a player's fixed strategies on a card game; return them as tables for the kernels."""
    strategies = {key: np.array(chances, dtype=np.float64) for key, chances in fixed.items() if key[1] == player}
    if not strategies:
        return FixedTables(np.zeros(0, np.int64), np.zeros(0, dtype))
    first = np.full(tree.decision_count, -1, dtype=np.int64)
    chances: list[Floats] = []
    used = 0
    for (place, _, row), block in strategies.items():
        decision = tree.decision(place, player, row)
        shape = decision.actions, tree.shape(place, player)[1]
        where = f"{tree.describe_index(player, decision.at.start)}"
        if block.shape != shape:
            raise ZerosumError(f"the fixed strategy at {where} must have {shape[0]} actions times {shape[1]} hands")
        check_fixed(block, where)
        first[decision.number] = used
        chances.append(block.ravel())
        used += block.size
    return FixedTables(first, np.concatenate(chances).astype(dtype))
