"""How large counterfactual values can be: what the step sizes of Hedge and FTRL are scaled by.

At an infoset I, whatever both players do, |q[I, a]| <= C[I] M[I]. M[I] is the largest payoff at an end below I. C[I]
bounds the probability of getting to I if its owner tries to:

    C[I] = min(sum over the histories h in I of chance(h), C[J])

with J the owner's infoset before I (1 if there is none): the opponent can at best play to every history of I, and
getting to I means having got to J.
"""

from __future__ import annotations

import numpy as np

from rue.forms.history_tree import CHILD, COUNT, DATA, WHO, HistoryTree
from rue.forms.sequence_form import SequenceForm
from rue.forms.treeplex import Floats, Integers, Treeplex
from rue.games.game import CHANCE

Both = tuple[Floats, Floats]
"""A number for each infoset of the two players."""


def largest_values(form: SequenceForm) -> Both:
    """C[I] M[I] of every infoset of both players.

    >>> from rue.forms.compile import compile_game
    >>> from rue.games.catalogue import make
    >>> [bound.max().round(3).item() for bound in largest_values(compile_game(make("kuhn")))]
    [0.667, 0.667]
    """
    (one, two), (most_one, most_two) = chances_and_amounts(form)
    return one * most_one, two * most_two


def chances_and_amounts(form: SequenceForm) -> tuple[Both, Both]:
    """C[I] and M[I] of every infoset of both players; 1 and the largest payoff where the histories are not known."""
    if form.record is None or form.renumber is None:
        one, two = (np.ones(len(treeplex.infosets)) for treeplex in form.treeplexes)
        return (one, two), (form.largest_payoff * one, form.largest_payoff * two)
    tree = form.history_tree
    levels, above, chance = _levels(tree)
    below = np.zeros(len(tree.nodes))
    ends = tree.nodes[:, COUNT] == 0
    below[ends] = np.abs(tree.payoff[tree.nodes[ends, DATA]])
    for level in levels[:0:-1]:
        np.maximum.at(below, above[level], below[level])
    found = []
    for player, treeplex in enumerate(form.treeplexes):
        here = (tree.nodes[:, WHO] == player) & ~ends
        slots = tree.nodes[here, DATA] - (tree.slots[0] if player else 0)
        infosets = treeplex.owner[form.renumber[player][slots]]
        largest = np.zeros(len(treeplex.infosets))
        np.maximum.at(largest, infosets, below[here])
        mass = np.zeros(len(largest))
        np.add.at(mass, infosets, chance[here])
        found.append((_reached(treeplex, mass), largest))
    return (found[0][0], found[1][0]), (found[0][1], found[1][1])


def _levels(tree: HistoryTree) -> tuple[list[Integers], Integers, Floats]:
    """The histories by their number of moves; the history before each; the product of the chances on the way."""
    above = np.zeros(len(tree.nodes), dtype=np.int64)
    chance = np.ones(len(tree.nodes))
    levels = [np.zeros(1, dtype=np.int64)]
    while len(levels[-1]):
        count = tree.nodes[levels[-1], COUNT].astype(np.int64)
        parents = np.repeat(levels[-1], count)
        number = np.arange(len(parents)) - np.repeat(np.cumsum(count) - count, count)
        children = tree.nodes[parents, CHILD] + number
        above[children] = parents
        chance[children] = chance[parents] * _probability(tree, parents, number)
        levels.append(children)
    return levels[:-1], above, chance


def _probability(tree: HistoryTree, parents: Integers, number: Integers) -> Floats:
    """The probability of each child: 1 unless chance moves."""
    mover, count, _, data = tree.nodes[parents].T
    probability = np.where(mover == CHANCE, 1.0 / count, 1.0)
    drawn = np.flatnonzero((mover == CHANCE) & (data >= 0))
    at = data[drawn] + number[drawn]
    before = np.where(number[drawn] > 0, tree.chance[at - 1], 0.0)
    probability[drawn] = tree.chance[at] - before
    return probability


def _reached(treeplex: Treeplex, mass: Floats) -> Floats:
    """C[I], from the top down."""
    reached = np.ones(len(mass) + 1)  # the last one stands before the first infosets
    for _, _, width, infoset in treeplex.tree.blocks:
        here = slice(infoset, infoset + width)
        reached[here] = np.minimum(mass[here], reached[treeplex.owner[treeplex.tree.parent[here]]])
    return reached[:-1]
