"""The general form of a game: two treeplexes and a sparse payoff matrix between their sequences."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rue.checked import shown
from rue.errors import RueError
from rue.forms.payoffs import Operator, Payoffs
from rue.forms.treeplex import Floats, Integers, Treeplex
from rue.once import cached_property
from rue.records import dataclass

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from rue.forms.footprint import Found
    from rue.forms.history_tree import HistoryTree
    from rue.games.game import Game


@dataclass(frozen=True, eq=False, repr=False)
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
    payoffs: Payoffs
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
    found: Found | None = field(default=None, repr=False)
    """How much of it was found, which its memory follows from."""

    def __repr__(self) -> str:
        """On one line."""
        return f"SequenceForm({self.name}: {self.infosets:,} infosets, {self.sequences:,} sequences)"

    @cached_property
    def history_tree(self) -> HistoryTree:
        """Every history of the game, for sampled walks."""
        if self.record is None:
            raise RueError(f"the form of {self.name} has no histories to sample: make it by compile_game")
        return self.record()

    def scaled(self, times: float) -> SequenceForm:
        """The same game with every payoff times a positive number."""
        if times == 1.0:
            return self
        entries, record = self.payoffs._replace(entry=times * self.payoffs.entry), self.record
        return replace(
            self,
            payoffs=entries,
            largest_payoff=times * self.largest_payoff,
            shift=times * self.shift,
            record=None if record is None else lambda: _scaled(self.history_tree, times),
        )

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
        payoffs = self.payoffs
        tables = [payoffs.entry, payoffs.column.astype(np.int64), payoffs.start, np.array([self.shift])]
        for treeplex in self.treeplexes:
            tables += [treeplex.tree.blocks, treeplex.tree.parent]
        for table in tables:
            digest.update(np.ascontiguousarray(table).tobytes())
        return digest.hexdigest()

    @property
    def payoff(self) -> csr_array:
        """A as scipy has it."""
        from scipy.sparse import csr_array

        start, column, entry, width = self.payoffs
        return csr_array((entry, column.astype(np.int64), start), shape=(len(start) - 1, width))

    @cached_property
    def operators(self) -> tuple[Operator, Operator]:
        """The gradient operators A and -A^T of the two players."""
        return Operator.of(self.payoffs), Operator.of(self.payoffs.transposed(-1.0))

    def gradients(self, one: Floats, two: Floats) -> tuple[Floats, Floats]:
        """A y and -A^T x, in the unit of the rules."""
        one, two = (numbers(tree, plan, "a plan") for tree, plan in zip(self.treeplexes, (one, two), strict=True))
        return self.operators[0].times(two, len(one)), self.operators[1].times(one, len(two))

    def value(self, one: Floats, two: Floats) -> float:
        """What the first player expects from two plans, x^T A y + shift."""
        return float(np.asarray(one) @ self.gradients(one, two)[0]) + self.shift


def _scaled(tree: HistoryTree, times: float) -> HistoryTree:
    return tree._replace(payoff=times * tree.payoff)


def numbers(treeplex: Treeplex, given: Any, what: str) -> Floats:
    """What somebody gives as a number for each sequence of a player; kernels would read beyond anything shorter."""
    try:
        found = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        found = np.zeros(0)
    if found.shape != (treeplex.sequences,):
        raise RueError(f"{what} needs {treeplex.sequences} numbers, one for each sequence, unlike {shown(given)}")
    return found
