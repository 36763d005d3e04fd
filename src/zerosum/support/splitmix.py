"""The SplitMix64 random generator (Steele, Lea & Flood 2014): 64 bits from a state that grows by the golden ratio."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

GOLDEN = 0x9E3779B97F4A7C15
"""The increment of the state before each draw."""
MASK = 2**64 - 1
UNIT = 2.0**-53
"""Turns the upper 53 bits into a number in [0, 1)."""


def make_mixer(integer: Callable[[int], Any]) -> Callable[[Any], Any]:
    """Return the function that mixes the bits of a state of type `integer`: int, or np.uint64 and its arrays.

    >>> mix = make_mixer(int)
    >>> hex(mix(GOLDEN)), hex(mix(2 * GOLDEN & MASK))
    ('0xe220a8397b1dcdaf', '0x6e789e6aa1b965f4')
    """
    first, second, mask = integer(0xBF58476D1CE4E5B9), integer(0x94D049BB133111EB), integer(MASK)
    by_27, by_30, by_31 = integer(27), integer(30), integer(31)

    def mix(z: Any) -> Any:
        z = (z ^ (z >> by_30)) * first & mask
        z = (z ^ (z >> by_27)) * second & mask
        return z ^ (z >> by_31)

    return mix


def initial_state(seed: int) -> NDArray[np.uint64]:
    """Return the state for a seed: an array of one number, which each draw advances."""
    state: NDArray[np.uint64] = np.random.SeedSequence(seed).generate_state(1, np.uint64)  # type: ignore[assignment]
    return state
