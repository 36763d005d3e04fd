"""The memory of a run besides the form: matrices, regrets and strategies, the linear program and the result.

The constants are upper bounds in bytes, measured by benchmarks/growth.py.
"""

from __future__ import annotations

from itertools import chain, islice
from sys import getsizeof

from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.forms.sequence.memory import GameCounts
from zerosum.engine.forms.sequence.sequence_form import SequenceForm

BYTES_PER_NUMBER = 8
ARRAYS = 5
"""The numbers of each sequence: regret, strategy, plan, average, gradient."""
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


def run_bytes(form: SequenceForm, algorithm: Algorithm) -> int:
    """Return the bytes at the peak of a run, up to its result."""
    entries, sequences = len(form.payoffs.entry), form.sequences
    result = BASE_BYTES + int((BYTES_PER_DECISION + name_bytes(form)) * form.infosets) + BYTES_PER_ACTION * sequences
    if algorithm.exact:
        return (
            LINEAR_PROGRAM_LIBRARIES
            + BYTES_PER_PROGRAM_ENTRY * entries
            + BYTES_PER_PROGRAM_SEQUENCE * sequences
            + result
        )
    learned = BYTES_PER_NUMBER * (ARRAYS + algorithm.extra_arrays) * sequences
    counts = game_counts(form)
    if algorithm.sampling is not None and not counts.recorded:  # the histories are enumerated again, to be stored
        learned += counts._replace(recorded=True).peak_bytes
    return learned + max(BYTES_PER_ENTRY_BUILDING * entries, BYTES_PER_ENTRY * entries + result)


def name_bytes(form: SequenceForm) -> float:
    """Return the mean bytes of the name of an infoset, estimated from a sample."""
    step = 1 + form.infosets // SAMPLED_NAMES
    infosets = islice(chain.from_iterable(treeplex.infosets for treeplex in form.treeplexes), None, None, step)
    sizes = [getsizeof(form.describe(infoset)) for infoset in infosets]
    return sum(sizes) / max(1, len(sizes))


def peak_bytes(form: SequenceForm, run_bytes: int) -> int:
    """Return the bytes at the peak of building a form and of a run on it, which takes `run_bytes`."""
    counts = game_counts(form)
    return max(counts.peak_bytes, counts.form_bytes + run_bytes)


def game_counts(form: SequenceForm) -> GameCounts:
    """Return the sizes of the game, as counted when the form was built."""
    return form.counts or GameCounts(form.histories, len(form.payoffs.entry), form.infosets, form.sequences)
