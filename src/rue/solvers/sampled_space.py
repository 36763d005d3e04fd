"""What sampled walks over the tree of histories are given, and their kernels (`rue.solvers.sampled_walk`)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rue.native.kernel import Kernel

EXTERNAL = 0
OUTCOME = 1


class Histories(NamedTuple):
    """The arrays of `rue.forms.history_tree.HistoryTree`."""

    nodes: np.ndarray
    chance: np.ndarray
    payoff: np.ndarray


class Table(NamedTuple):
    """What is learnt, a number for each slot of the history tree."""

    regret: np.ndarray
    average: np.ndarray
    baseline: np.ndarray
    """What the first player gets after an action, by a running mean; empty without baselines."""
    before: np.ndarray
    """The regret before the last walk that changed it, and, in the first slot of an infoset, the number of that walk in
    `changed`; both empty unless walks are made against the last two plans."""
    changed: np.ndarray


class Space(NamedTuple):
    """Scratch arrays; a row a decision on the way."""

    state: np.ndarray
    """Of the random generator."""
    touched: np.ndarray
    """One number: the nodes touched so far."""
    frame: np.ndarray
    """(depth, 2)"""
    sigma: np.ndarray
    """(depth, actions)"""
    value: np.ndarray
    """(depth, actions): u after each action."""
    reach: np.ndarray
    """(depth, 2): each walk uses it its own way."""
    instant: np.ndarray
    """The regret of the walk, for each slot; only for chance sampling."""
    seen: np.ndarray
    """The last walk that saw a slot; only for chance sampling."""
    met: np.ndarray
    """The infosets that the walk saw; only for chance sampling."""
    exponent: np.ndarray
    """One number: that of temperature matching, in this iteration."""


class Way(NamedTuple):
    """How to sample."""

    kind: int
    floor: int
    explore: float
    step: float
    """Of the baselines; 0 without."""
    both_plans: int = 0
    """Whether a second walk is made against the opponent's plan before the last walk."""
    first_exponent: float = 1.0
    last_exponent: float = 1.0
    """Of temperature matching, when the run begins and when `nodes` are touched."""
    nodes: float = 1.0


SAMPLE_MANY = Kernel("rue.solvers.sampled_walk:sample_many")
DISCOUNT = Kernel("rue.solvers.sampled_walk:discount")
