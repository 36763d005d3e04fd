"""A sparse matrix times a plan: the plain twin of `zerosum.engine.forms.sequence.payoff_matrix`."""

from __future__ import annotations

from typing import Any


def apply_matrix(payoffs: Any, plan: Any) -> list[float]:
    """gradient[s] = the sum of A[s, r] * plan[r] over the stored entries of row s."""
    gradient = []
    for begin, end in zip(payoffs.start[:-1], payoffs.start[1:], strict=True):
        entries = zip(payoffs.entry[begin:end], payoffs.column[begin:end], strict=True)
        gradient.append(sum(float(entry) * float(plan[column]) for entry, column in entries))
    return gradient
