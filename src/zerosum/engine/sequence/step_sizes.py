"""Upper bounds on counterfactual values, and the step sizes of Hedge and FTRL, which are scaled by them.

At an infoset I, whatever both players do, |q[I, a]| <= C[I] M[I]. M[I] is the largest payoff at an end below I. C[I]
bounds the probability of reaching I if its player tries to:

    C[I] = min(sum over the histories h in I of chance(h), C[J])

with J the player's infoset before I (1 if there is none): the opponent can at best play to every history of I, and
reaching I requires reaching J.
"""

from __future__ import annotations

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.choices import Anytime, Projection, Theory
from zerosum.engine.forms.sequence.history_tree import DATA, N_CHILDREN, PLAYER
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.forms.sequence.treeplex import Floats, Treeplex


def compute_step_sizes(algorithm: Algorithm, form: SequenceForm, n: int) -> tuple[Floats, Floats]:
    """Return a factor for each infoset of both players, which kernels multiply by the factor of the iteration.

    Losses are scaled by their largest value at an infoset, so that theoretical steps see losses with a dual norm of at
    most 1/3; if the steps have a unit, by the unit and the probability of reaching the infoset. The algorithm is one
    with steps, and n the number of iterations that it is set up for.
    """
    first, second = (
        _compute_player_step_sizes(algorithm, treeplex, n, *bounds)
        for treeplex, bounds in zip(form.treeplexes, compute_reach_and_payoff_bounds(form), strict=True)
    )
    return first, second


def _compute_player_step_sizes(
    algorithm: Algorithm, treeplex: Treeplex, n: int, reach: Floats, payoff: Floats
) -> Floats:
    steps = algorithm.steps
    actions = np.array([len(choice) for choice in treeplex.actions], dtype=np.float64)
    bounds = reach * payoff
    largest = np.where(bounds > 0.0, bounds, 1.0)
    if isinstance(steps, Anytime):
        return np.asarray(np.sqrt(8.0 * np.log(actions)) / (2.0 * largest))
    assert isinstance(steps, Theory)
    factor = 1.0 if steps.factor is None else steps.factor
    scaled = factor * compute_stability(treeplex, n**-0.25 if steps.kappa is None else steps.kappa)
    if steps.unit is not None:
        return np.asarray(scaled / (steps.unit * np.where(reach > 0.0, reach, 1.0)))
    norm = np.sqrt(actions) if isinstance(algorithm.match, Projection) else 1.0
    return np.asarray(scaled / (3.0 * norm * largest))


def compute_stability(treeplex: Treeplex, kappa: float) -> Floats:
    """Return the stability kappa_j = gamma_j / (2 sqrt(n_j) B_j) of each infoset (spcfr eq. 14 to 16).

    Going down, gamma starts at kappa; below a decision with n actions it is divided by 2 sqrt(n), below an
    observation with n outcomes by sqrt(n). B_j^2 = 1 + the largest B_k^2 below, B_k^2 = the sum of the B_j^2 below.
    With these, plans move by at most kappa an iteration when losses have a norm of at most 1/3.

    >>> from zerosum.engine.forms.sequence.form_compiler import compile_game
    >>> from zerosum.games.catalogue import create_game
    >>> compute_stability(compile_game(create_game("rps")).treeplexes[0], 0.1)
    array([0.02886751])
    """
    tree = treeplex.tree
    below = np.zeros(treeplex.sequences)
    squared = np.zeros(len(tree.parent))
    for start, actions, width, infoset in tree.blocks[::-1]:
        block = slice(infoset, infoset + width)
        squared[block] = 1.0 + below[start : start + actions * width].reshape(actions, width).max(axis=0)
        np.add.at(below, tree.parent[block], squared[block])
    outcomes = np.bincount(tree.parent, minlength=treeplex.sequences)
    gamma = np.zeros(len(tree.parent))
    observation = np.full(treeplex.sequences, float(kappa))
    number = np.zeros(len(tree.parent))
    for start, actions, width, infoset in tree.blocks:
        block = slice(infoset, infoset + width)
        gamma[block] = observation[tree.parent[block]] / np.sqrt(outcomes[tree.parent[block]])
        observation[start : start + actions * width] = np.tile(gamma[block] / (2.0 * np.sqrt(actions)), actions)
        number[block] = actions
    return gamma / (2.0 * np.sqrt(number) * np.sqrt(squared))


def compute_value_bounds(form: SequenceForm) -> tuple[Floats, Floats]:
    """Return C[I] M[I] of every infoset of both players.

    >>> from zerosum.engine.forms.sequence.form_compiler import compile_game
    >>> from zerosum.games.catalogue import create_game
    >>> [bound.max().round(3).item() for bound in compute_value_bounds(compile_game(create_game("kuhn")))]
    [0.667, 0.667]
    """
    first, second = (reach * payoff for reach, payoff in compute_reach_and_payoff_bounds(form))
    return first, second


def compute_reach_and_payoff_bounds(form: SequenceForm) -> list[tuple[Floats, Floats]]:
    """Return C[I] and M[I] of every infoset, for each player; 1 and the largest payoff if the form has no histories."""
    if form.record_histories is None or form.slot_sequences is None:
        ones = [np.ones(len(treeplex.infosets)) for treeplex in form.treeplexes]
        return [(reach, form.largest_payoff * reach) for reach in ones]
    tree = form.history_tree
    levels = tree.list_moves_by_level()
    below, chance = np.zeros(len(tree.nodes)), np.ones(len(tree.nodes))
    ends = tree.nodes[:, N_CHILDREN] == 0
    below[ends] = np.abs(tree.payoff[tree.nodes[ends, DATA]])
    for parents, moves, children in levels:
        chance[children] = chance[parents] * tree.find_chance_probabilities(parents, moves)
    for parents, _, children in reversed(levels):
        np.maximum.at(below, parents, below[children])
    bounds = []
    for player, treeplex in enumerate(form.treeplexes):
        is_own = (tree.nodes[:, PLAYER] == player) & ~ends
        slots = tree.nodes[is_own, DATA] - (tree.n_slots[0] if player else 0)
        infosets = treeplex.owner[form.slot_sequences[player][slots]]
        payoff = np.zeros(len(treeplex.infosets))
        np.maximum.at(payoff, infosets, below[is_own])
        mass = np.zeros(len(payoff))
        np.add.at(mass, infosets, chance[is_own])
        reach = np.ones(len(mass) + 1)  # the last entry stands for the empty sequence
        for _, _, width, infoset in treeplex.tree.blocks:
            block = slice(infoset, infoset + width)
            reach[block] = np.minimum(mass[block], reach[treeplex.owner[treeplex.tree.parent[block]]])
        bounds.append((reach[:-1], payoff))
    return bounds
