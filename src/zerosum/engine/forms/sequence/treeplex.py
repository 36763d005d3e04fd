"""A player's decisions, stored for solving: a treeplex in blocks of similar infosets.

An infoset has a parent sequence (the player's last action before it, or the empty sequence 0) and A actions, each
a sequence. A *block* is W infosets of one depth with A actions each: an (A, W) piece of every array
over sequences, the W axis contiguous, so that one loop over W serves as many infosets. Blocks are stored top-down:
the parent of every infoset lies in an earlier block.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.support.thread_safety import cached_property

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Indices = NDArray[np.uint32]
"""Indices that kernels gather from and scatter to: unsigned, because every signed index is tested for its sign."""

WIDEST = 256
"""The largest number of infosets of a block: with a few actions its arrays stay in the first-level cache."""
FIRST, ACTIONS, WIDTH, INFOSET = 0, 1, 2, 3
"""Columns of the blocks."""


class Tree(NamedTuple):
    """A treeplex for kernels."""

    blocks: Integers
    """A row for each block: first sequence, actions A, width W, first infoset."""
    parent: Indices
    """The parent sequence of each infoset."""


@dataclass(frozen=True, eq=False)
class Treeplex:
    """The decisions of one player: infosets in block order, each with its parent sequence and its actions.

    >>> tree, _ = Treeplex.build([0, 0, 1], ["a", "b", "c"], [("x", "y"), ("x", "y"), ("u", "v", "w")])
    >>> tree.sequences, tree.infosets, tree.tree.blocks.tolist()
    (8, ('a', 'b', 'c'), [[1, 2, 2, 0], [5, 3, 1, 2]])
    >>> tree.behaviour(tree.uniform_plan())["c"]
    {'u': 0.333..., 'v': 0.333..., 'w': 0.333...}
    """

    tree: Tree
    infosets: tuple[Hashable, ...]
    actions: tuple[tuple[Hashable, ...], ...]
    sequences: int

    @staticmethod
    def build(
        parents: Sequence[int], infosets: Sequence[Hashable], actions: Sequence[tuple[Hashable, ...]]
    ) -> tuple[Treeplex, Integers]:
        """Arrange infosets in blocks; return the treeplex and the new number of each sequence.

        The infosets may be in any order that puts parents first. `parents` has the parent sequence of each, numbered
        in that order: 0 for the empty one, then the actions of the first infoset, of the second, and so on.
        """
        count = np.array([len(choice) for choice in actions], dtype=np.int64)
        first = 1 + np.concatenate([[0], np.cumsum(count)[:-1]]).astype(np.int64)
        total = 1 + int(count.sum())
        parent = np.asarray(parents, dtype=np.int64)
        owner = np.full(total, -1, dtype=np.int64)
        owner[1:] = np.repeat(np.arange(len(infosets)), count)
        depth = np.zeros(len(infosets), dtype=np.int64)
        for infoset, sequence in enumerate(parent):
            if sequence:
                depth[infoset] = depth[owner[sequence]] + 1

        renumber = np.zeros(total, dtype=np.int64)
        order: list[int] = []
        blocks: list[tuple[int, int, int, int]] = []
        next_sequence = 1
        by_depth = np.argsort(depth, kind="stable")
        for at_depth in np.split(by_depth, np.flatnonzero(np.diff(depth[by_depth])) + 1) if len(depth) else ():
            for choices in sorted(set(count[at_depth].tolist())):
                similar = at_depth[count[at_depth] == choices]
                similar = similar[np.argsort(renumber[parent[similar]], kind="stable")]
                pieces = -(-len(similar) // WIDEST)
                for piece in np.array_split(similar, pieces):
                    width = len(piece)
                    blocks.append((next_sequence, choices, width, len(order)))
                    for action in range(choices):
                        renumber[first[piece] + action] = next_sequence + action * width + np.arange(width)
                    order.extend(piece.tolist())
                    next_sequence += choices * width
        tree = Tree(np.array(blocks, dtype=np.int64).reshape(-1, 4), renumber[parent[order]].astype(np.uint32))
        return Treeplex(tree, tuple(infosets[i] for i in order), tuple(actions[i] for i in order), total), renumber

    @cached_property
    def index(self) -> dict[Hashable, int]:
        """The number of each infoset."""
        return {infoset: number for number, infoset in enumerate(self.infosets)}

    @cached_property
    def first(self) -> Integers:
        """The sequence of the first action of each infoset."""
        first = [start + np.arange(width) for start, _, width, _ in self.tree.blocks]
        return np.concatenate(first or [[]]).astype(np.int64)

    @cached_property
    def stride(self) -> Integers:
        """The difference of the sequences of two adjacent actions of each infoset: the width of its block."""
        widths = self.tree.blocks[:, WIDTH]
        return np.repeat(widths, widths)

    @cached_property
    def owner(self) -> Integers:
        """The infoset of each sequence; -1 for the empty one."""
        owner = np.full(self.sequences, -1, dtype=np.int64)
        for start, actions, width, infoset in self.tree.blocks:
            owner[start : start + actions * width] = np.tile(infoset + np.arange(width), actions)
        return owner

    def sequences_of(self, infoset: int) -> Integers:
        """Return the sequences of an infoset's actions, in the order of the actions."""
        sequences: Integers = self.first[infoset] + self.stride[infoset] * np.arange(len(self.actions[infoset]))
        return sequences

    def uniform_strategy(self) -> Floats:
        """Return the strategy with equal probabilities at every infoset; entry 0, the empty sequence, is 1."""
        return self.strategy(np.zeros(self.sequences))

    def plan(self, strategy: Floats) -> Floats:
        """Return the plan of a behaviour strategy: x[I, a] = x[parent of I] * strategy[I, a]."""
        plan = np.ones(self.sequences)
        for start, actions, width, infoset in self.tree.blocks:
            reach = plan[self.tree.parent[infoset : infoset + width]]
            block = slice(start, start + actions * width)
            plan[block] = (strategy[block].reshape(actions, width) * reach).ravel()
        return plan

    def uniform_plan(self) -> Floats:
        """Return the plan that takes every action of an infoset with the same probability."""
        return self.plan(self.uniform_strategy())

    def strategy(self, plan: Floats) -> Floats:
        """Return the behaviour strategy of a plan, or of any sum of plans; uniform at infosets it does not reach."""
        strategy = np.ones(self.sequences)
        for start, actions, width, _ in self.tree.blocks:
            block = slice(start, start + actions * width)
            mass = plan[block].reshape(actions, width)
            total = mass.sum(axis=0)
            unreached = total <= 0.0  # a comparison with NaN is false, so NaN is not mistaken for uniform play
            strategy[block] = np.where(unreached, 1.0 / actions, mass / np.where(unreached, 1.0, total)).ravel()
        return strategy

    def behaviour(self, plan: Floats) -> dict[Hashable, dict[Hashable, float]]:
        """Return the strategy of a plan as infoset -> {action: probability}."""
        strategy = self.strategy(plan)
        return {
            infoset: dict(zip(self.actions[i], strategy[self.sequences_of(i)].tolist(), strict=True))
            for i, infoset in enumerate(self.infosets)
        }

    def is_plan(self, plan: Floats, tolerance: float = 1e-9) -> bool:
        """Return whether a vector is a plan: x[empty] = 1, x >= 0, the actions of an infoset sum to its reach."""
        if abs(plan[0] - 1.0) > tolerance or plan.min() < -tolerance:
            return False
        total = np.zeros(len(self.infosets))
        np.add.at(total, self.owner[1:], plan[1:])
        return bool(np.abs(total - plan[self.tree.parent]).max(initial=0.0) <= tolerance)
