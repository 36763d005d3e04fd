"""What solving a form takes of memory besides the form: matrices, what is learned, the linear program and the result.

The constants are bytes, upper ones of what benchmarks/growth.py measures.
"""

from __future__ import annotations

from itertools import chain, islice
from sys import getsizeof

from rue.algorithms.algorithm import Algorithm
from rue.forms.footprint import Found
from rue.forms.sequence_form import SequenceForm

NUMBER = 8
ARRAYS = 5
"""Numbers of each sequence: regret, strategy, plan, average, gradient."""
AN_ENTRY = 28
"""Of a payoff, in the matrices of both players."""
AN_ENTRY_ARRANGED = 52
"""The same, while the matrices are made."""
A_DECISION = 430
"""Of an infoset in the result, without its name."""
A_CHANCE = 45
"""Of an action there."""
LINEAR_PROGRAMS = 52 << 20
"""Of scipy and HiGHS, once they are loaded."""
A_PROGRAM_ENTRY = 200
"""Of a payoff in the linear program, and in what HiGHS makes of it."""
A_PROGRAM_SEQUENCE = 1500
BESIDES = 1 << 19
"""What a run takes whatever it solves."""
LOOKED_AT = 500
"""Infosets whose names are read to tell how long names are."""


def solving(form: SequenceForm, algorithm: Algorithm) -> int:
    """Bytes at the peak of a run, up to its result."""
    entries, sequences = len(form.payoffs.entry), form.sequences
    result = BESIDES + int((A_DECISION + name_bytes(form)) * form.infosets) + A_CHANCE * sequences
    if algorithm.exact:
        return LINEAR_PROGRAMS + A_PROGRAM_ENTRY * entries + A_PROGRAM_SEQUENCE * sequences + result
    learned = NUMBER * (ARRAYS + algorithm.stored) * sequences
    found = found_in(form)
    if algorithm.sampling is not None and not found.recorded:  # the histories are found again, to be kept
        learned += found._replace(recorded=True).making
    return learned + max(AN_ENTRY_ARRANGED * entries, AN_ENTRY * entries + result)


def name_bytes(form: SequenceForm) -> float:
    """About how many bytes the name of an infoset takes."""
    step = 1 + form.infosets // LOOKED_AT
    infosets = islice(chain.from_iterable(treeplex.infosets for treeplex in form.treeplexes), None, None, step)
    found = [getsizeof(form.describe(infoset)) for infoset in infosets]
    return sum(found) / max(1, len(found))


def peak(form: SequenceForm, run: int) -> int:
    """Bytes at the peak of making a form and of a run on it that takes so many."""
    found = found_in(form)
    return max(found.making, found.made + run)


def found_in(form: SequenceForm) -> Found:
    """What was found of its game."""
    return form.found or Found(form.histories, len(form.payoffs.entry), form.infosets, form.sequences)
