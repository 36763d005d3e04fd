"""Upper bounds on counterfactual values, by which the step sizes of Hedge and FTRL are scaled.

At an infoset I, whatever both players do, |q[I, a]| <= C[I] M[I]. M[I] is the largest payoff at an end below I. C[I]
bounds the probability of getting to I if its owner tries to:

    C[I] = min(sum over the histories h in I of chance(h), C[J])

with J the owner's infoset before I (1 if there is none): the opponent can at best play to every history of I, and
reaching I requires reaching J.
"""

from __future__ import annotations

import numpy as np

from zerosum.engine.forms.sequence.history_tree import DATA, N_CHILDREN, PLAYER
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.treeplex import Floats, Treeplex

Both = tuple[Floats, Floats]
"""A number for each infoset of the two players."""


def value_bounds(form: SequenceForm) -> Both:
    """Return C[I] M[I] of every infoset of both players.

    >>> from zerosum.engine.forms.sequence.form_compiler import compile_game
    >>> from zerosum.games.catalogue import create_game
    >>> [bound.max().round(3).item() for bound in value_bounds(compile_game(create_game("kuhn")))]
    [0.667, 0.667]
    """
    (reach_one, reach_two), (payoff_one, payoff_two) = reach_and_payoff_bounds(form)
    return reach_one * payoff_one, reach_two * payoff_two


def reach_and_payoff_bounds(form: SequenceForm) -> tuple[Both, Both]:
    """Return C[I] and M[I] of every infoset of both players; 1 and the largest payoff if the form has no histories."""
    if form.record is None or form.renumber is None:
        first, second = (np.ones(len(treeplex.infosets)) for treeplex in form.treeplexes)
        return (first, second), (form.largest_payoff * first, form.largest_payoff * second)
    tree = form.history_tree
    levels = tree.levels()
    below, chance = np.zeros(len(tree.nodes)), np.ones(len(tree.nodes))
    ends = tree.nodes[:, N_CHILDREN] == 0
    below[ends] = np.abs(tree.payoff[tree.nodes[ends, DATA]])
    for parents, moves, children in levels:
        chance[children] = chance[parents] * tree.chance_probabilities(parents, moves)
    for parents, _, children in reversed(levels):
        np.maximum.at(below, parents, below[children])
    bounds = []
    for player, treeplex in enumerate(form.treeplexes):
        is_own = (tree.nodes[:, PLAYER] == player) & ~ends
        slots = tree.nodes[is_own, DATA] - (tree.n_slots[0] if player else 0)
        infosets = treeplex.owner[form.renumber[player][slots]]
        largest = np.zeros(len(treeplex.infosets))
        np.maximum.at(largest, infosets, below[is_own])
        mass = np.zeros(len(largest))
        np.add.at(mass, infosets, chance[is_own])
        bounds.append((_reach_bounds(treeplex, mass), largest))
    return (bounds[0][0], bounds[1][0]), (bounds[0][1], bounds[1][1])


def _reach_bounds(treeplex: Treeplex, mass: Floats) -> Floats:
    """Return C[I], from the top down."""
    reached = np.ones(len(mass) + 1)  # the last entry stands for the empty sequence
    for _, _, width, infoset in treeplex.tree.blocks:
        block = slice(infoset, infoset + width)
        reached[block] = np.minimum(mass[block], reached[treeplex.owner[treeplex.tree.parent[block]]])
    return reached[:-1]
