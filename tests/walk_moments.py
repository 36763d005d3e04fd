"""What many walks add to numbers, each from the same start: means and standard errors, counted by compiled loops."""

from __future__ import annotations

from typing import Any

import numpy as np

from rue.native.compiled import exactly

ROUNDING = 1e-9
"""Less than this is no change."""


def nothing_yet(size: int) -> Any:
    """For each of so many numbers: the sum of what was added, that of its squares, how often it changed."""
    return np.zeros((3, size))


@exactly
def note(numbers: Any, before: Any, found: Any) -> None:
    """Count what one walk has added to numbers, and take it back."""
    for place in range(len(numbers)):
        added = numbers[place] - before[place]
        if added != 0.0:
            found[0, place] += added
            found[1, place] += added * added
            found[2, place] += abs(added) > ROUNDING
            numbers[place] = before[place]


def moments(found: Any, walks: int) -> tuple[Any, Any, Any]:
    """The mean of what a walk added, its standard error, and how often it was something."""
    sums, squares, often = found
    mean = sums / walks
    return mean, np.sqrt(np.maximum(squares / walks - mean**2, 1e-30) / walks), often
