"""The general form of a game: two treeplexes and a sparse payoff matrix between their sequences."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy.sparse as sparse

from rue.errors import RueError
from rue.forms.treeplex import WIDEST, Floats, Indices, Integers, Treeplex

if TYPE_CHECKING:
    from rue.forms.history_tree import HistoryTree
    from rue.games.game import Game


FIRST_ENTRY = 0
"""The first column of an operator's groups."""


class Operator(NamedTuple):
    """A sparse matrix as the compiled kernels see it: applied to a plan it gives a gradient.

    Rows with the same number of entries K stand side by side in groups of up to `WIDEST`: a (K, W) piece of
    `column` and of `entry`, the W axis contiguous, so that one loop over W serves as many rows.
    """

    groups: Integers
    """A row a group: first entry, entries K of each row, width W, first place in `row`."""
    row: Indices
    column: Indices
    entry: Floats

    @staticmethod
    def of(matrix: sparse.csr_array) -> Operator:
        """The operator of a sparse matrix.

        >>> Operator.of(sparse.csr_array([[0.0, 2.0], [0.0, 0.0], [3.0, 0.0]]))
        Operator(groups=array([[0, 1, 2, 0]]), row=array([0, 2], dtype=uint32), column=array([1, 0], dtype=uint32), ...)
        """
        start = matrix.indptr.astype(np.int64)
        count = np.diff(start)
        groups: list[tuple[int, int, int, int]] = []
        rows: list[Integers] = []
        places: list[Integers] = []
        first = place = 0
        for entries in np.unique(count[count > 0]):
            alike = np.flatnonzero(count == entries)
            for piece in np.array_split(alike, -(-len(alike) // WIDEST)):
                groups.append((first, int(entries), len(piece), place))
                rows.append(piece)
                places.append((start[piece] + np.arange(entries)[:, None]).ravel())
                first += int(entries) * len(piece)
                place += len(piece)
        order = np.concatenate(places) if places else np.zeros(0, dtype=np.int64)
        return Operator(
            np.array(groups, dtype=np.int64).reshape(-1, 4),
            np.concatenate(rows or [order]).astype(np.uint32),
            matrix.indices[order].astype(np.uint32),
            matrix.data[order],
        )


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """A two-player zero-sum game: the first player gets x^T A y (+ `shift`) for plans x and y.

    A[s, r] sums chance probability times payoff over the ends of the game that the sequences s and r lead to.

    >>> import rue
    >>> form = rue.compile_game(rue.game("matrix([[1, 0.9], [-0.7, 1]])"))
    >>> form.value(*(treeplex.uniform_plan() for treeplex in form.treeplexes))
    0.55
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
    record: Callable[[], HistoryTree] | None = field(default=None, repr=False)
    """Gives the tree of histories; use `history_tree`."""
    rules: Game | None = field(default=None, repr=False)
    """What the form was made from."""
    renumber: tuple[Integers, Integers] | None = field(default=None, repr=False)
    """The sequence of each slot of the history tree, for each player."""

    @cached_property
    def history_tree(self) -> HistoryTree:
        """Every history of the game, for sampled walks."""
        if self.record is None:
            raise RueError(f"the form of {self.name} has no histories to sample: make it by compile_game")
        return self.record()

    def where(self, player: int, sequence: int) -> str:
        """The infoset of a player's sequence, in words."""
        treeplex = self.treeplexes[player]
        infoset = int(treeplex.owner[sequence])
        if infoset < 0:
            return f"the start of player {player + 1}"
        return f"infoset {self.describe(treeplex.infosets[infoset])!r} of player {player + 1}"

    @property
    def infosets(self) -> int:
        """The infosets of both players together."""
        return sum(len(treeplex.infosets) for treeplex in self.treeplexes)

    @property
    def sequences(self) -> int:
        """The sequences of both players together, the two empty ones included."""
        return sum(treeplex.sequences for treeplex in self.treeplexes)

    def plans(self, averages: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
        """The plans of accumulated averages, a number for each sequence."""
        one, two = (tree.plan(tree.strategy(own)) for tree, own in zip(self.treeplexes, averages, strict=True))
        return one, two

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the game: its treeplexes and its payoffs."""
        digest = hashlib.blake2b(digest_size=16)
        payoff = self.payoff.tocsr()
        tables = [payoff.data, payoff.indices.astype(np.int64), payoff.indptr.astype(np.int64), np.array([self.shift])]
        for treeplex in self.treeplexes:
            tables += [treeplex.tree.blocks, treeplex.tree.parent]
        for table in tables:
            digest.update(np.ascontiguousarray(table).tobytes())
        return digest.hexdigest()

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
