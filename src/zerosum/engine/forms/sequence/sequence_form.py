"""The general form of a game: two treeplexes and a sparse payoff matrix between their sequences; names of infosets."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from zerosum.engine.forms.sequence.payoff_matrix import Operator, Payoffs
from zerosum.engine.forms.sequence.treeplex import Floats, Integers, Treeplex
from zerosum.support.errors import ZerosumError
from zerosum.support.thread_safety import cached_property
from zerosum.support.validation import short_repr

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from zerosum.engine.forms.sequence.history_tree import HistoryTree
    from zerosum.engine.forms.sequence.memory import GameCounts
    from zerosum.games.game import Game


@dataclass(frozen=True, eq=False, repr=False)
class SequenceForm:
    """A two-player zero-sum game: the first player gets x^T A y (+ `shift`) for plans x and y.

    A[s, r] sums chance probability times payoff over the ends of the game that the sequences s and r lead to.

    >>> import zerosum
    >>> form = zerosum.compile_game(zerosum.game("matrix([[1, 0.9], [-0.7, 1]])"))
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
    """Describes an infoset."""
    record_histories: Callable[[], HistoryTree] | None = None
    """Returns the tree of histories; use `history_tree`."""
    rules: Game | None = None
    """The rules that the form was compiled from."""
    slot_sequences: tuple[Integers, Integers] | None = None
    """The sequence of each slot of the history tree, for each player."""
    counts: GameCounts | None = None
    """The numbers that its memory is computed from."""

    def __repr__(self) -> str:
        return f"SequenceForm({self.name}: {self.infosets:,} infosets, {self.sequences:,} sequences)"

    @cached_property
    def history_tree(self) -> HistoryTree:
        """Every history of the game, for sampled walks."""
        if self.record_histories is None:
            raise ZerosumError(f"the form of {self.name} has no histories to sample: build it by compile_game")
        return self.record_histories()

    def scaled(self, times: float) -> SequenceForm:
        """Return the same game with every payoff times a positive number."""
        if times == 1.0:
            return self

        def record() -> HistoryTree:
            tree = self.history_tree
            return tree._replace(payoff=times * tree.payoff)

        return replace(
            self,
            payoffs=self.payoffs._replace(entry=times * self.payoffs.entry),
            largest_payoff=times * self.largest_payoff,
            shift=times * self.shift,
            record_histories=None if self.record_histories is None else record,
        )

    def describe_sequence(self, player: int, sequence: int) -> str:
        """Describe the infoset of a player's sequence."""
        treeplex = self.treeplexes[player]
        infoset = int(treeplex.owner[sequence])
        if infoset < 0:
            return f"the start of player {player + 1}"
        return f"infoset {self.describe(treeplex.infosets[infoset])!r} of player {player + 1}"

    @property
    def infosets(self) -> int:
        """The number of infosets of both players."""
        return sum(len(treeplex.infosets) for treeplex in self.treeplexes)

    @property
    def sequences(self) -> int:
        """The number of sequences of both players, the two empty ones included."""
        return sum(treeplex.sequences for treeplex in self.treeplexes)

    def plans_from_averages(self, averages: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
        """Return the plans of accumulated averages, which have a number for each sequence."""
        first, second = (tree.plan(tree.strategy(sums)) for tree, sums in zip(self.treeplexes, averages, strict=True))
        return first, second

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
        """A as a sparse array of scipy."""
        from scipy.sparse import csr_array

        start, column, entry, width = self.payoffs
        return csr_array((entry, column.astype(np.int64), start), shape=(len(start) - 1, width))

    @cached_property
    def operators(self) -> tuple[Operator, Operator]:
        """The gradient operators A and -A^T of the two players."""
        return Operator.from_payoffs(self.payoffs), Operator.from_payoffs(self.payoffs.transposed(-1.0))

    def gradients(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Return A y and -A^T x, in the unit of the rules."""
        x, y = (check_vector(tree, plan, "a plan") for tree, plan in zip(self.treeplexes, (x, y), strict=True))
        return self.operators[0].apply_to_plan(y, len(x)), self.operators[1].apply_to_plan(x, len(y))

    def value(self, x: Floats, y: Floats) -> float:
        """Return the first player's expected payoff when the plans x and y are played: x^T A y + shift."""
        return float(np.asarray(x) @ self.gradients(x, y)[0]) + self.shift


def check_vector(treeplex: Treeplex, value: Any, what: str) -> Floats:
    """Check an array with a number for each sequence of a player; kernels would read beyond a shorter one."""
    try:
        vector = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        vector = np.zeros(0)
    if vector.shape != (treeplex.sequences,):
        raise ZerosumError(
            f"{what} needs {treeplex.sequences} numbers, one for each sequence, unlike {short_repr(value)}"
        )
    return vector


def name_infosets(form: SequenceForm) -> Iterator[tuple[int, int, str]]:
    """Yield player (0 or 1), number and name of every infoset of a form; all names are different.

    >>> import zerosum
    >>> list(name_infosets(zerosum.compile_game(zerosum.game("coin-toss"))))
    [(0, 0, 'heads'), (0, 1, 'tails'), (1, 0, 'guess')]
    """
    taken: set[str] = set()
    for player, treeplex in enumerate(form.treeplexes):
        for number, infoset in enumerate(treeplex.infosets):
            yield player, number, make_unique_name(form.describe(infoset), player + 1, number, taken)


def make_unique_name(infoset: str, player: int, number: int, taken: set[str]) -> str:
    """Return a unique name of an infoset and add it to the names `taken` so far.

    >>> taken = {"guess"}
    >>> make_unique_name("guess", 2, 7, taken), make_unique_name("guess", 2, 8, taken)
    ('player 2: guess', 'player 2: guess #8')
    """
    text = infoset
    if text in taken:
        text = f"player {player}: {infoset}"
    if text in taken:
        text = f"{text} #{number}"
    taken.add(text)
    return text
