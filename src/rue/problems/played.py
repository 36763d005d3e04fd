"""Strategies played out over every history of a game: how often infosets are got to, and what they then earn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rue.forms.history_tree import CHILD, COUNT, DATA, WHO, HistoryTree
from rue.forms.sequence_form import SequenceForm
from rue.forms.treeplex import Floats, Integers
from rue.games.game import CHANCE, NOBODY


class Played(NamedTuple):
    """A pair of strategies played out: for each player and infoset how often it is got to, and what it then earns."""

    reach: tuple[Floats, Floats]
    evs: tuple[Floats, Floats]
    value: float
    """The first player's."""


def played(form: SequenceForm, strategies: tuple[Floats, Floats]) -> Played:
    """How often each infoset is got to and what it earns.

    With r[h] the chance of a history h and u[h] what the player expects after it: reach[I] is the sum of r[h] over the
    histories of I, and ev[I] the sum of r[h] u[h], divided by it.

    >>> import rue
    >>> pennies = rue.compile_game(rue.game("matrix([[1, -1], [-1, 1]])"))
    >>> played(pennies, (np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.75, 0.25]))).evs
    (array([0.5]), array([-0.5]))
    """
    tree, slots = form.history_tree, form.renumber
    nodes = tree.nodes
    assert slots is not None
    sigma = np.concatenate([own[number] for own, number in zip(strategies, slots, strict=True)])
    levels = _levels(tree)
    reach, worth, chance = np.ones(len(nodes)), np.zeros(len(nodes)), np.ones(len(nodes))
    ends = nodes[:, WHO] == NOBODY
    worth[ends] = tree.payoff[nodes[ends, DATA]]
    for parents, order in levels:
        children = nodes[parents, CHILD] + order
        chance[children] = _chances(tree, sigma, parents, order)
        reach[children] = reach[parents] * chance[children]
    for parents, order in reversed(levels):
        children = nodes[parents, CHILD] + order
        np.add.at(worth, parents, chance[children] * worth[children])
    reaches: list[Floats] = []
    evs: list[Floats] = []
    for player, treeplex in enumerate(form.treeplexes):
        own = np.flatnonzero(nodes[:, WHO] == player)
        infoset = treeplex.owner[slots[player][nodes[own, DATA] - player * tree.slots[0]]]
        met: Floats = np.bincount(infoset, reach[own], len(treeplex.infosets)).astype(np.float64)
        earned = (1 - 2 * player) * np.bincount(infoset, reach[own] * worth[own], len(met))
        reaches.append(met)
        evs.append(np.divide(earned, met, out=np.zeros(len(met)), where=met > 0) + form.shift)
    return Played((reaches[0], reaches[1]), (evs[0], evs[1]), float(worth[0]) + form.shift)


def _levels(tree: HistoryTree) -> list[tuple[Integers, Integers]]:
    """The moves of the tree from the root on, level by level: the history they start from, and their number there."""
    found = []
    here = np.zeros(1, dtype=np.int64)
    while (here := here[tree.nodes[here, COUNT] > 0]).size:
        count = tree.nodes[here, COUNT].astype(np.int64)
        order = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        parents = np.repeat(here, count)
        found.append((parents, order))
        here = tree.nodes[parents, CHILD] + order
    return found


def _chances(tree: HistoryTree, sigma: Floats, parents: Integers, order: Integers) -> Floats:
    """How likely each move is: by the strategies, or by the sums of chances (-1 stands for moves that are alike)."""
    who, data = tree.nodes[parents, WHO], tree.nodes[parents, DATA]
    sums = np.append(tree.chance, 0.0)
    listed = (who == CHANCE) & (data >= 0)
    at = np.where(listed, data + order, 0)
    drawn = sums[at] - np.where(order > 0, sums[at - 1], 0.0)
    alike = 1.0 / tree.nodes[parents, COUNT]
    decided = sigma[np.where(who == CHANCE, 0, data + order)]
    return np.where(who != CHANCE, decided, np.where(listed, drawn, alike))
