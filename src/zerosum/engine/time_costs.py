"""Estimated running times in one thread, from constants that benchmarks/ measures.

Estimates use them, and so does the schedule of evaluations, which must be the same on every machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.forms.sequence.sequence_form import SequenceForm

if TYPE_CHECKING:
    from zerosum.engine.forms.public.tree import PublicTree

SECONDS_PER_ENTRY = 1.0e-9
"""For each payoff entry and player."""
SECONDS_PER_SEQUENCE = 3.0e-9
"""For each sequence, besides the update."""
SECONDS_PER_EVALUATED_SEQUENCE = 6.0e-9
SECONDS_PER_CALL = 1e-4
"""Around the kernels of an evaluation."""
SECONDS_PER_ACTION = 7.5e-9
"""For each hand and action in public form, evaluated for both players."""
SECONDS_PER_NODE = 2e-8
"""For each node that a sampled walk touches."""
SECONDS_PER_HAND_NODE = 3e-9
"""The same where all hands are walked side by side, for each hand."""


def estimate_sequence_iteration(form: SequenceForm, algorithm: Algorithm) -> float:
    """Return the seconds of an iteration in sequence form."""
    products = 2 * SECONDS_PER_ENTRY * len(form.payoffs.entry)
    return products + (SECONDS_PER_SEQUENCE + 1e-9 * algorithm.cost_ns) * form.sequences


def estimate_sequence_evaluation(form: SequenceForm) -> float:
    """Return the seconds of an evaluation in sequence form."""
    products = 2 * SECONDS_PER_ENTRY * len(form.payoffs.entry)
    return SECONDS_PER_CALL + products + SECONDS_PER_EVALUATED_SEQUENCE * form.sequences


def estimate_public_iteration(tree: PublicTree, algorithm: Algorithm) -> float:
    """Return the seconds of an iteration in public form."""
    return 1e-9 * algorithm.cost_ns * sum(tree.store_sizes)


def estimate_public_evaluation(tree: PublicTree) -> float:
    """Return the seconds of an evaluation in public form."""
    return 4 * SECONDS_PER_CALL + SECONDS_PER_ACTION * sum(tree.store_sizes)
