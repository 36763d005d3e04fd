"""The general form of a game: two treeplexes and a sparse payoff matrix between their sequences."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse as sparse

from rue.forms.treeplex import Floats, Treeplex


class Operator(NamedTuple):
    """A sparse matrix by rows, as the compiled kernels see it: applied to a plan it gives a gradient."""

    start: np.ndarray[tuple[int], np.dtype[np.int64]]
    column: np.ndarray[tuple[int], np.dtype[np.int32]]
    entry: Floats

    @staticmethod
    def of(matrix: sparse.csr_array) -> Operator:
        """The operator of a sparse matrix."""
        return Operator(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), matrix.data.copy())


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """A two-player zero-sum game: the first player gets x^T A y (+ `shift`) for plans x and y.

    A[s, r] sums chance probability times payoff over the ends of the game that the sequences s and r lead to.
    """

    name: str
    treeplexes: tuple[Treeplex, Treeplex]
    payoff: sparse.csr_array
    """A, with a row for each sequence of the first player."""
    largest_payoff: float
    """The largest absolute payoff at an end of the game."""
    shift: float = 0.0
    """Half of the constant sum of a constant-sum game, taken off both players' payoffs."""
    histories: int = 0
    """Nodes of the game tree: decisions, chance moves and ends."""
    describe: Callable[[Hashable], str] = str
    """How an infoset reads."""

    @property
    def infosets(self) -> int:
        """The infosets of both players together."""
        return sum(len(treeplex.infosets) for treeplex in self.treeplexes)

    @property
    def sequences(self) -> int:
        """The sequences of both players together, the two empty ones included."""
        return sum(treeplex.sequences for treeplex in self.treeplexes)

    @cached_property
    def operators(self) -> tuple[Operator, Operator]:
        """The gradient operators A and -A^T of the two players."""
        return Operator.of(self.payoff), Operator.of(sparse.csr_array(-self.payoff.T))

    def gradients(self, one: Floats, two: Floats) -> tuple[Floats, Floats]:
        """A y and -A^T x, in the unit of the rules."""
        return self.payoff @ two, -(self.payoff.T @ one)

    def value(self, one: Floats, two: Floats) -> float:
        """What the first player expects from two plans, x^T A y + shift."""
        return float(one @ (self.payoff @ two)) + self.shift
