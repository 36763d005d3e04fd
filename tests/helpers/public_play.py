"""A card game in both forms, infoset by infoset, for the tests of the public form."""

from __future__ import annotations

from typing import Any

import numpy as np

import zerosum
from zerosum.engine.forms.public.poker import InfosetName, map_sequences
from zerosum.engine.forms.public.tree import PublicTree
from zerosum.engine.forms.sequence.sequence_form import SequenceForm
from zerosum.engine.public.solver import PublicSolver


class Both:
    """A game in both forms and the place of each sequence of the general form in the store of the public one."""

    def __init__(self, form: SequenceForm, tree: PublicTree, name: InfosetName) -> None:
        """`name` is the general form's infoset of a hand, a board and the betting so far."""
        self.form, self.tree = form, tree
        self.stored = map_sequences(form, tree, name)

    def strategies(self, seed: int) -> tuple[Any, Any]:
        """Random play."""
        generator = np.random.default_rng(seed)
        first, second = (t.strategy(generator.exponential(size=t.sequences)) for t in self.form.treeplexes)
        return first, second

    def solver(self, algorithm: str, horizon: int = 50, threads: int = 1) -> PublicSolver:
        return PublicSolver(self.tree, zerosum.algorithm(algorithm), horizon, threads, np.float64)

    def public(self, player: int, values: Any) -> Any:
        """Values of the general form as the public form stores them."""
        stored = np.zeros(self.tree.store_sizes[player])
        stored[self.stored[player][1:]] = values[1:]
        return stored

    def general(self, player: int, values: Any) -> Any:
        """Values of the public form's store as the general form has them, without the empty sequence."""
        return values[self.stored[player][1:]]


def counterfactual_values(treeplex: Any, gradient: Any, strategy: Any) -> Any:
    """q of every action, bottom-up."""
    value = gradient.copy()
    for start, actions, width, infoset in treeplex.tree.blocks[::-1]:
        block = slice(start, start + actions * width)
        mean = (value[block] * strategy[block]).reshape(actions, width).sum(axis=0)
        np.add.at(value, treeplex.tree.parent[infoset : infoset + width], mean)
    return value


def instantaneous_regret(treeplex: Any, gradient: Any, strategy: Any) -> Any:
    """q - v of every action."""
    value = counterfactual_values(treeplex, gradient, strategy)
    for start, actions, width, _ in treeplex.tree.blocks:
        block = slice(start, start + actions * width)
        mean = (value[block] * strategy[block]).reshape(actions, width).sum(axis=0)
        value[block] -= np.tile(mean, actions)
    return value
