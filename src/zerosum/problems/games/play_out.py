"""Play out strategies over every history of a game: the reach and the expected payoff of each infoset."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zerosum.engine.forms.sequence.history_tree import DATA, PLAYER
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.games.game import CHANCE, TERMINAL


class ReachAndValues(NamedTuple):
    """The reach and the expected payoff of each infoset of both players under a pair of strategies."""

    reach: tuple[Floats, Floats]
    evs: tuple[Floats, Floats]
    value: float
    """The value for the first player."""


def play_out(form: SequenceForm, strategies: tuple[Floats, Floats]) -> ReachAndValues:
    """Return the reach and the expected payoff of each infoset.

    With r[h] the chance of a history h and u[h] what the player expects after it: reach[I] is the sum of r[h] over the
    histories of I, and ev[I] the sum of r[h] u[h], divided by it.

    >>> import zerosum
    >>> pennies = zerosum.compile_game(zerosum.game("matrix([[1, -1], [-1, 1]])"))
    >>> play_out(pennies, (np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.75, 0.25]))).evs
    (array([0.5]), array([-0.5]))
    """
    tree, slots = form.history_tree, form.renumber
    nodes = tree.nodes
    assert slots is not None
    sigma = np.concatenate([strategy[number] for strategy, number in zip(strategies, slots, strict=True)])
    levels = tree.levels()
    reach, worth, chance = np.ones(len(nodes)), np.zeros(len(nodes)), np.ones(len(nodes))
    ends = nodes[:, PLAYER] == TERMINAL
    worth[ends] = tree.payoff[nodes[ends, DATA]]
    for parents, moves, children in levels:
        is_chance, data = nodes[parents, PLAYER] == CHANCE, nodes[parents, DATA]
        decided = sigma[np.where(is_chance, 0, data + moves)]
        chance[children] = np.where(is_chance, tree.chance_probabilities(parents, moves), decided)
        reach[children] = reach[parents] * chance[children]
    for parents, _, children in reversed(levels):
        np.add.at(worth, parents, chance[children] * worth[children])
    reaches: list[Floats] = []
    evs: list[Floats] = []
    for player, treeplex in enumerate(form.treeplexes):
        histories = np.flatnonzero(nodes[:, PLAYER] == player)
        infoset = treeplex.owner[slots[player][nodes[histories, DATA] - player * tree.n_slots[0]]]
        infoset_reach: Floats = np.bincount(infoset, reach[histories], len(treeplex.infosets)).astype(np.float64)
        earned = (1 - 2 * player) * np.bincount(infoset, reach[histories] * worth[histories], len(infoset_reach))
        reaches.append(infoset_reach)
        evs.append(
            np.divide(earned, infoset_reach, out=np.zeros(len(infoset_reach)), where=infoset_reach > 0) + form.shift
        )
    return ReachAndValues((reaches[0], reaches[1]), (evs[0], evs[1]), float(worth[0]) + form.shift)
