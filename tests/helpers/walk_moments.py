"""What many walks add to numbers, each from the same start: means and standard errors, counted by compiled loops."""

from __future__ import annotations

from typing import Any

import numpy as np

from zerosum.native.decorators import exact_kernel

ROUNDING = 1e-9
"""Less than this is no change."""


def nothing_yet(size: int) -> Any:
    """Return empty sums for a number of entries: of changes, of their squares, and of their count."""
    return np.zeros((3, size))


@exact_kernel
def note(numbers: Any, before: Any, sums_and_squares: Any) -> None:
    """Record the changes that one walk, and undo them."""
    for place in range(len(numbers)):
        added = numbers[place] - before[place]
        if added != 0.0:
            sums_and_squares[0, place] += added
            sums_and_squares[1, place] += added * added
            sums_and_squares[2, place] += abs(added) > ROUNDING
            numbers[place] = before[place]


def moments(sums_and_squares: Any, walks: int) -> tuple[Any, Any, Any]:
    """Return the mean change by a walk, its standard error, and the number of changes."""
    sums, squares, n_changed = sums_and_squares
    mean = sums / walks
    return mean, np.sqrt(np.maximum(squares / walks - mean**2, 1e-30) / walks), n_changed
