"""The payoffs of a game between the sequences of its players: a sparse matrix, and how kernels apply it to a plan."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zerosum.engine.forms.sequence.treeplex import WIDEST, Floats, Indices, Integers
from zerosum.engine.updates.blocks import Row, block
from zerosum.native.decorators import inline, kernel

FIRST_ENTRY = 0
"""The first column of an operator's groups."""


class Payoffs(NamedTuple):
    """A sparse matrix, row by row and sorted by column in each: those of row s are from start[s] to start[s + 1]."""

    start: Integers
    column: Indices
    entry: Floats
    width: int
    """The number of columns."""

    @staticmethod
    def from_entries(entries: Floats, rows: Integers, columns: Integers, shape: tuple[int, int]) -> Payoffs:
        """Return the matrix of some entries; those of one place are summed in their order, and zeros are left out.

        >>> entries, rows, columns = np.array([1.0, 2.0, 0.5]), np.array([1, 0, 1]), np.array([0, 1, 0])
        >>> Payoffs.from_entries(entries, rows, columns, (2, 2)).entry.tolist()
        [2.0, 1.5]
        """
        places = rows.astype(np.int64) * shape[1] + columns
        order = np.argsort(places, kind="stable")
        places = places[order]
        new = np.diff(places, prepend=-1) > 0
        sums = np.bincount(np.cumsum(new) - 1, entries[order]).astype(
            np.float64
        )  # without entries it is an array of integers
        row, column = np.divmod(places[new][sums != 0.0], shape[1])
        start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=shape[0]))])
        return Payoffs(start.astype(np.int64), column.astype(np.uint32), sums[sums != 0.0], shape[1])

    def transposed(self, sign: float = 1.0) -> Payoffs:
        """Return the matrix with rows and columns exchanged, times a sign."""
        order = np.argsort(self.column, kind="stable")
        rows = np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))
        start = np.concatenate([[0], np.cumsum(np.bincount(self.column, minlength=self.width))])
        return Payoffs(start, rows[order].astype(np.uint32), sign * self.entry[order], len(self.start) - 1)


class Operator(NamedTuple):
    """A sparse matrix for kernels, which turns the opponent's plan into a gradient.

    Rows with the same number of entries K are stored side by side in groups of up to `WIDEST`: a (K, W) piece of
    `column` and of `entry`, the W axis contiguous, so that one loop over W computes W rows.
    """

    groups: Integers
    """A row for each group: first entry, entries K of each row, width W, first index in `row`."""
    row: Indices
    column: Indices
    entry: Floats

    @staticmethod
    def from_payoffs(matrix: Payoffs) -> Operator:
        """Group the rows of a sparse matrix.

        >>> payoffs = Payoffs.from_entries(np.array([2.0, 3.0]), np.array([0, 2]), np.array([1, 0]), (3, 2))
        >>> Operator.from_payoffs(payoffs)
        Operator(groups=array([[0, 1, 2, 0]]), row=array([0, 2], dtype=uint32), column=array([1, 0], dtype=uint32), ...)
        """
        count = np.diff(matrix.start)
        groups: list[tuple[int, int, int, int]] = []
        rows: list[Integers] = []
        places: list[Integers] = []
        first = place = 0
        for entries in sorted(set(count[count > 0].tolist())):
            same_count = np.flatnonzero(count == entries)
            for piece in np.array_split(same_count, -(-len(same_count) // WIDEST)):
                groups.append((first, entries, len(piece), place))
                rows.append(piece)
                places.append((matrix.start[piece] + np.arange(entries)[:, None]).ravel())
                first += entries * len(piece)
                place += len(piece)
        order = np.concatenate(places) if places else np.zeros(0, dtype=np.int64)
        return Operator(
            np.array(groups, dtype=np.int64).reshape(-1, 4),
            np.concatenate(rows or [order]).astype(np.uint32),
            matrix.column[order],
            matrix.entry[order],
        )

    def apply_to_plan(self, plan: Floats, rows: int) -> Floats:
        """Return the operator applied to a plan: a number for each of `rows` rows."""
        gradient = np.zeros(rows)
        multiply(self, plan, gradient, np.zeros(WIDEST))
        return gradient


EMPTY_PAYOFFS = Payoffs(np.zeros(1, np.int64), np.zeros(0, np.uint32), np.zeros(0), 0)
"""The payoffs of a game whose strategies are read without its rules."""


@inline
def apply_group(operator: Operator, plan: Row, gradient: Row, g: int, total: Row) -> None:
    """Apply the rows of one group of the operator to a plan; `total` is scratch."""
    first, K, W, place = operator.groups[g]
    column = block(operator.column, first, K, W)
    entry = block(operator.entry, first, K, W)
    for w in range(W):
        total[w] = entry[0, w] * plan[column[0, w]]
    for k in range(1, K):
        for w in range(W):
            total[w] += entry[k, w] * plan[column[k, w]]
    row = block(operator.row, place, 1, W)[0]
    for w in range(W):
        gradient[row[w]] = total[w]


@kernel
def multiply(operator: Operator, plan: Row, gradient: Row, work: Row) -> None:
    """Compute gradient = operator @ plan; the gradient must be zero where the operator has no entry.

    plan      a number for each sequence of the opponent
    gradient  a number for each sequence of the player
    work      (width of the widest group,): scratch

    The plain twin is `apply_matrix` in `tests/twins/payoff_matrix.py`.
    """
    for g in range(len(operator.groups)):
        apply_group(operator, plan, gradient, g, work)
