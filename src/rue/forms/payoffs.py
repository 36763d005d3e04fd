"""The payoffs of a game between the sequences of its players: a sparse matrix, and how kernels apply it to a plan."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rue.forms.treeplex import WIDEST, Floats, Indices, Integers
from rue.native.kernel import Call, Kernel

FIRST_ENTRY = 0
"""The first column of an operator's groups."""
MULTIPLY = Kernel("rue.forms.kernels:multiply")


class Payoffs(NamedTuple):
    """A sparse matrix, row by row and sorted by column in each: those of row s are from start[s] to start[s + 1]."""

    start: Integers
    column: Indices
    entry: Floats
    width: int
    """How many columns there are."""

    @staticmethod
    def of(entries: Floats, rows: Integers, columns: Integers, shape: tuple[int, int]) -> Payoffs:
        """The matrix of some entries; those of one place are summed in their order, and zeros left out.

        >>> Payoffs.of(np.array([1.0, 2.0, 0.5]), np.array([1, 0, 1]), np.array([0, 1, 0]), (2, 2)).entry.tolist()
        [2.0, 1.5]
        """
        places = rows.astype(np.int64) * shape[1] + columns
        order = np.argsort(places, kind="stable")
        places = places[order]
        new = np.diff(places, prepend=-1) > 0
        sums = np.bincount(np.cumsum(new) - 1, entries[order]).astype(np.float64)  # of nothing it makes integers
        row, column = np.divmod(places[new][sums != 0.0], shape[1])
        start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=shape[0]))])
        return Payoffs(start.astype(np.int64), column.astype(np.uint32), sums[sums != 0.0], shape[1])

    def transposed(self, sign: float = 1.0) -> Payoffs:
        """The matrix with rows and columns exchanged, times a sign."""
        order = np.argsort(self.column, kind="stable")
        rows = np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))
        start = np.concatenate([[0], np.cumsum(np.bincount(self.column, minlength=self.width))])
        return Payoffs(start, rows[order].astype(np.uint32), sign * self.entry[order], len(self.start) - 1)


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
    def of(matrix: Payoffs) -> Operator:
        """The operator of a sparse matrix.

        >>> Operator.of(Payoffs.of(np.array([2.0, 3.0]), np.array([0, 2]), np.array([1, 0]), (3, 2)))
        Operator(groups=array([[0, 1, 2, 0]]), row=array([0, 2], dtype=uint32), column=array([1, 0], dtype=uint32), ...)
        """
        count = np.diff(matrix.start)
        groups: list[tuple[int, int, int, int]] = []
        rows: list[Integers] = []
        places: list[Integers] = []
        first = place = 0
        for entries in sorted(set(count[count > 0].tolist())):
            alike = np.flatnonzero(count == entries)
            for piece in np.array_split(alike, -(-len(alike) // WIDEST)):
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

    def times(self, plan: Floats, rows: int) -> Floats:
        """The operator applied to a plan: a number for each of so many rows."""
        gradient = np.zeros(rows)
        self.call(plan, gradient)()
        return gradient

    def call(self, plan: Floats, gradient: Floats) -> Call:
        """What fills a gradient, which must be zero, with the operator applied to a plan."""
        return Call(MULTIPLY, (self, plan, gradient, np.zeros(WIDEST)))


NO_PAYOFFS = Payoffs(np.zeros(1, np.int64), np.zeros(0, np.uint32), np.zeros(0), 0)
"""Of a game that is only looked at."""
