"""About how long things take one thread, by constants as benchmarks/ has them: for estimates, and for where runs are
evaluated, which must be the same on every machine."""

from __future__ import annotations

from rue.algorithms.algorithm import Algorithm
from rue.forms.public_tree import PublicTree
from rue.forms.sequence_form import SequenceForm

AN_ENTRY = 1.0e-9
"""Of the payoffs, for each player."""
A_SEQUENCE = 3.0e-9
"""Besides what an algorithm takes to learn."""
A_JUDGED_SEQUENCE = 6.0e-9
A_CALL = 1e-4
"""Around the kernels."""
AN_ACTION = 7.5e-9
"""Of an infoset with one hand in public form, when it is judged for both players."""
A_NODE = 2e-8
"""That a sampled walk touches, one after the other."""
A_LANE = 3e-9
"""The same where all hands are walked side by side."""


def iteration_of(form: SequenceForm, algorithm: Algorithm) -> float:
    """Seconds of an iteration in sequence form."""
    return 2 * AN_ENTRY * len(form.payoffs.entry) + (A_SEQUENCE + 1e-9 * algorithm.nanoseconds) * form.sequences


def judgement_of(form: SequenceForm) -> float:
    """Seconds of an evaluation in sequence form."""
    return A_CALL + 2 * AN_ENTRY * len(form.payoffs.entry) + A_JUDGED_SEQUENCE * form.sequences


def public_iteration_of(tree: PublicTree, algorithm: Algorithm) -> float:
    """Seconds of an iteration in public form."""
    return 1e-9 * algorithm.nanoseconds * sum(tree.store)


def public_judgement_of(tree: PublicTree) -> float:
    """Seconds of an evaluation in public form."""
    return 4 * A_CALL + AN_ACTION * sum(tree.store)
