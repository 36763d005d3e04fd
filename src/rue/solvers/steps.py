"""The step size of every infoset, for Hedge and FTRL."""

from __future__ import annotations

import numpy as np

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.choices import Anytime, Projection, Theory
from rue.forms.bounds import chances_and_amounts
from rue.forms.sequence_form import SequenceForm
from rue.forms.treeplex import Floats, Treeplex


def step_sizes(algorithm: Algorithm, form: SequenceForm, player: int, n: int) -> Floats:
    """A factor for each infoset of a player; the kernels multiply it by the iteration's own factor.

    Losses are scaled by the largest that an infoset can see (`rue.forms.bounds`), so that those of theory have a dual
    norm of at most 1/3; if these have a unit, by the unit and the chance of getting to the infoset.
    """
    steps, treeplex = algorithm.steps, form.treeplexes[player]
    actions = np.array([len(choice) for choice in treeplex.actions], dtype=np.float64)
    if not isinstance(steps, Anytime | Theory):
        return np.ones(len(actions))
    chance, amount = (both[player] for both in chances_and_amounts(form))
    bounds = chance * amount
    largest = np.where(bounds > 0.0, bounds, 1.0)
    if isinstance(steps, Anytime):
        return np.asarray(np.sqrt(8.0 * np.log(actions)) / (2.0 * largest))
    norm = np.sqrt(actions) if isinstance(algorithm.match, Projection) else 1.0
    kappa = n**-0.25 if steps.kappa is None else steps.kappa
    factor = 1.0 if steps.factor is None else steps.factor
    if steps.unit is not None:
        return np.asarray(factor * stability(treeplex, kappa) / (steps.unit * np.where(chance > 0.0, chance, 1.0)))
    return np.asarray(factor * stability(treeplex, kappa) / (3.0 * norm * largest))


def stability(treeplex: Treeplex, kappa: float) -> Floats:
    """The stability kappa_j = gamma_j / (2 sqrt(n_j) B_j) of each infoset (spcfr eq. 14 to 16).

    Going down, gamma starts at kappa; below a decision with n actions it is divided by 2 sqrt(n), below an
    observation with n outcomes by sqrt(n). B_j^2 = 1 + the largest B_k^2 below, B_k^2 = the sum of the B_j^2 below.
    With these, plans move by at most kappa an iteration when losses have a norm of at most 1/3.

    >>> from rue.forms.compile import compile_game
    >>> from rue.games.catalogue import make
    >>> stability(compile_game(make("rps")).treeplexes[0], 0.1)
    array([0.02886751])
    """
    tree = treeplex.tree
    below = np.zeros(treeplex.sequences)
    squared = np.zeros(len(tree.parent))
    for start, actions, width, infoset in tree.blocks[::-1]:
        here = slice(infoset, infoset + width)
        squared[here] = 1.0 + below[start : start + actions * width].reshape(actions, width).max(axis=0)
        np.add.at(below, tree.parent[here], squared[here])
    outcomes = np.bincount(tree.parent, minlength=treeplex.sequences)
    gamma = np.zeros(len(tree.parent))
    observation = np.full(treeplex.sequences, float(kappa))
    number = np.zeros(len(tree.parent))
    for start, actions, width, infoset in tree.blocks:
        here = slice(infoset, infoset + width)
        gamma[here] = observation[tree.parent[here]] / np.sqrt(outcomes[tree.parent[here]])
        observation[start : start + actions * width] = np.tile(gamma[here] / (2.0 * np.sqrt(actions)), actions)
        number[here] = actions
    return gamma / (2.0 * np.sqrt(number) * np.sqrt(squared))
