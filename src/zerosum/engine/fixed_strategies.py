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
"""Each player's fixed strategy, a number for each sequence, NaN where it is learned; None if nothing is fixed."""
FREE: GivenSequences = (None, None)
SUM_TOLERANCE = 1e-6


class FixedTables(NamedTuple):
    """A player's fixed strategies on a card game, for the kernels."""

    first: Any
    """For each decision of each place the start of its strategy in `chance`, -1 if it is learned; empty if all are."""
    chance: Any
    """The strategies: (actions, hands) for each fixed decision, one after the other."""


def overlay_fixed_strategy(strategy: Floats, fixed: Floats | None) -> Floats:
    """Return a strategy with the fixed one in its place, where that is not NaN.

    >>> overlay_fixed_strategy(np.array([0.5, 0.5]), np.array([np.nan, 1.0])).tolist()
    [0.5, 1.0]
    """
    return strategy if fixed is None else np.where(np.isnan(fixed), strategy, fixed)


def overlay_averages(
    treeplexes: tuple[Treeplex, Treeplex], averages: Sequence[Floats], fixed: Sequence[Floats | None]
) -> tuple[Floats, Floats]:
    """Return averages as a mass for each sequence: as accumulated or, if anything is fixed, as strategies."""
    first, second = averages
    if any(strategy is not None for strategy in fixed):
        players = zip(treeplexes, averages, fixed, strict=True)
        first, second = (
            overlay_fixed_strategy(treeplex.strategy(mass), strategy) for treeplex, mass, strategy in players
        )
    return first, second


def check_strategy_columns(chances: Floats, where: str) -> None:
    """Refuse an (actions, infosets) array with a column that is neither a strategy nor all NaN."""
    is_learned = np.isnan(chances).all(axis=0)
    is_strategy = (chances >= 0.0).all(axis=0) & (np.abs(chances.sum(axis=0) - 1.0) <= SUM_TOLERANCE)
    if not (is_learned | is_strategy).all():
        raise ZerosumError(f"the fixed strategy at {where} must sum to 1 over the actions, or be nan for all of them")


def check_strategy_pair(fixed: Any) -> None:
    """Refuse fixed strategies that are not a pair, one for each player."""
    if not isinstance(fixed, tuple | list) or len(fixed) != 2:
        raise ZerosumError(f"give a pair of strategies, one for each player, not {short_repr(fixed)}")


def check_fixed_sequences(treeplex: Treeplex, fixed: Floats | None, player: int) -> Floats | None:
    """Check a player's fixed strategies in sequence form: a number for each sequence, NaN where it is learned."""
    if fixed is None:
        return None
    chances = check_vector(treeplex, fixed, f"the fixed strategy of player {player + 1}").copy()
    for infoset, name in enumerate(treeplex.infosets):
        check_strategy_columns(chances[treeplex.sequences_of(infoset)][:, None], f"infoset {name!r}")
    return chances


def build_fixed_tables(tree: PublicTree, fixed: FixedDecisions, player: int, dtype: Any) -> FixedTables:
    """Check a player's fixed strategies on a card game; return them as tables for the kernels."""
    first = np.full(tree.decision_count if any(key[1] == player for key in fixed) else 0, -1, dtype=np.int64)
    chances, used = [np.zeros(0)], 0
    for (place, mover, row), strategy in fixed.items():
        if mover == player:
            block = np.array(strategy, dtype=np.float64)
            decision = tree.find_decision(place, player, row)
            shape = decision.actions, tree.get_shape(place, player)[1]
            where = tree.describe_decision_at(player, decision.at.start)
            if block.shape != shape:
                raise ZerosumError(f"the fixed strategy at {where} must have {shape[0]} actions times {shape[1]} hands")
            check_strategy_columns(block, where)
            first[decision.number] = used
            chances.append(block.ravel())
            used += block.size
    return FixedTables(first, np.concatenate(chances).astype(dtype))
