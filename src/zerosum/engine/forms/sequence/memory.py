"""Memory that a game takes: while its form is built, afterwards, and during a run up to the result.

The constants are upper bounds in bytes, measured by benchmarks/growth.py.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from zerosum.algorithms.algorithm import Algorithm
    from zerosum.engine.forms.sequence.sequence_form import SequenceForm

BYTES_PER_END = 96
"""For an end with a payoff other than 0, while the payoff matrix is sorted and summed."""
BYTES_PER_STORED_END = 45
"""For the same end afterwards, in the matrix and in memory that is not returned to the system."""
BYTES_PER_INFOSET = 220
"""For the entries of an infoset in tables, without its name in the rules."""
BYTES_PER_SEQUENCE = 36
BYTES_PER_HISTORY = 26
"""For a history that is stored for sampled walks."""
BYTES_PER_MOVE = 2200
"""For a move of a very long history: its infoset and the end beside it, enumerated, solved and saved."""
MAX_HISTORY_SHARE = 1 / 12
"""The share of memory that one history may take; a game with a longer one is assumed never to end."""

BYTES_PER_NUMBER = 8
ARRAYS = 5
"""The arrays with a number for each sequence: regret, strategy, plan, average, gradient."""
BYTES_PER_ENTRY = 28
"""For each payoff, in the matrices of both players."""
BYTES_PER_ENTRY_BUILDING = 52
"""For each payoff, while the matrices are built."""
BYTES_PER_DECISION = 430
"""For each infoset in the result, without its name."""
BYTES_PER_ACTION = 45
"""For each action in the result."""
LINEAR_PROGRAM_LIBRARIES = 52 << 20
"""For scipy and HiGHS."""
BYTES_PER_PROGRAM_ENTRY = 200
"""For each payoff in the linear program, and in the data that HiGHS derives from it."""
BYTES_PER_PROGRAM_SEQUENCE = 1500
BASE_BYTES = 1 << 19
"""For any run, whatever it solves."""
SAMPLED_NAMES = 500
"""The infosets whose names are measured to estimate the length of all names."""


class GameCounts(NamedTuple):
    """The numbers of histories, ends, infosets and sequences of a game."""

    histories: float
    ends: float
    """Ends with a payoff other than 0."""
    infosets: float = 0
    sequences: float = 0
    named: float = 0
    """Bytes of the infosets and actions of the rules."""
    recorded: bool = False
    """Whether the histories are stored."""

    @property
    def peak_bytes(self) -> int:
        """Bytes at the peak, while the form is built."""
        return int(BYTES_PER_END * self.ends + self._other_bytes)

    @property
    def form_bytes(self) -> int:
        """Bytes of the finished form."""
        return int(BYTES_PER_STORED_END * self.ends + self._other_bytes)

    @property
    def _other_bytes(self) -> float:
        stored = BYTES_PER_HISTORY * self.histories if self.recorded else 0
        return BYTES_PER_INFOSET * self.infosets + BYTES_PER_SEQUENCE * self.sequences + self.named + stored

    @property
    def bytes_per_move(self) -> float:
        """Bytes of a move of a very long history."""
        return BYTES_PER_MOVE + self.named / max(1, self.infosets)


def estimate_run_bytes(form: SequenceForm, algorithm: Algorithm) -> int:
    """Return the bytes at the peak of a run, up to its result, without those of the form."""
    entries, sequences = len(form.payoffs.entry), form.sequences
    result = (
        BASE_BYTES
        + int((BYTES_PER_DECISION + estimate_name_bytes(form)) * form.infosets)
        + BYTES_PER_ACTION * sequences
    )
    if algorithm.exact:
        program = BYTES_PER_PROGRAM_ENTRY * entries + BYTES_PER_PROGRAM_SEQUENCE * sequences
        return LINEAR_PROGRAM_LIBRARIES + program + result
    learned = BYTES_PER_NUMBER * (ARRAYS + algorithm.extra_arrays) * sequences
    counts = get_game_counts(form)
    if algorithm.sampling is not None and not counts.recorded:  # the histories are enumerated again, to be stored
        learned += counts._replace(recorded=True).peak_bytes
    return learned + max(BYTES_PER_ENTRY_BUILDING * entries, BYTES_PER_ENTRY * entries + result)


def estimate_peak_bytes(form: SequenceForm, run_bytes: int) -> int:
    """Return the bytes at the peak of building a form and of a run on it, which takes `run_bytes`."""
    counts = get_game_counts(form)
    return max(counts.peak_bytes, counts.form_bytes + run_bytes)


def estimate_name_bytes(form: SequenceForm) -> float:
    """Return the mean bytes of the name of an infoset, estimated from a sample."""
    step = 1 + form.infosets // SAMPLED_NAMES
    infosets = islice(chain.from_iterable(treeplex.infosets for treeplex in form.treeplexes), None, None, step)
    sizes = [sys.getsizeof(form.describe(infoset)) for infoset in infosets]
    return sum(sizes) / max(1, len(sizes))


def get_game_counts(form: SequenceForm) -> GameCounts:
    """Return the sizes of the game, as counted when the form was built."""
    return form.counts or GameCounts(form.histories, len(form.payoffs.entry), form.infosets, form.sequences)


class NameSizeEstimator:
    """Estimates the bytes of the infosets and actions of the rules from one infoset in `EVERY`.

    All of them are stored elsewhere too, so that an object can be identified by its address.

    >>> names, infosets = NameSizeEstimator(), [f"infoset {number}" for number in range(1600)]
    >>> for number, infoset in enumerate(infosets):
    ...     names.add(number, infoset)
    >>> 60 < names.bytes / 1600 < 70
    True
    """

    EVERY = 16

    def __init__(self) -> None:
        self.bytes = 0
        self._seen: set[int] = set()

    def add(self, number: int, *named: Hashable) -> None:
        """Count the next infoset: its name and its actions."""
        if not number % self.EVERY:
            self.bytes += self.EVERY * self._measure(named)

    def _measure(self, named: tuple[Hashable, ...]) -> int:
        """Return the bytes of objects and of their parts, except those that were counted before."""
        size, pending = 0, list[Any](named)
        while pending:
            value = pending.pop()
            if id(value) not in self._seen:
                self._seen.add(id(value))
                size += sys.getsizeof(value)
                if isinstance(value, tuple | frozenset):
                    pending += value
                elif isinstance(fields := getattr(value, "__dict__", None), dict):
                    size += sys.getsizeof(fields)
                    pending += (part for part in fields.values() if isinstance(part, str | tuple))
        return size
