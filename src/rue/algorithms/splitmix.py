"""SplitMix64 (Steele, Lea & Flood 2014): 64 random bits from a state that grows by the golden ratio."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

GOLDEN = 0x9E3779B97F4A7C15
"""What is added to the state before each draw."""
MASK = 2**64 - 1
UNIT = 2.0**-53
"""The upper 53 bits times this are a number from [0, 1)."""


def mixer(kind: Callable[[int], Any]) -> Callable[[Any], Any]:
    """The function that mixes the bits of a state, for states of a kind: int, or np.uint64 and arrays of it.

    >>> mix = mixer(int)
    >>> hex(mix(GOLDEN)), hex(mix(2 * GOLDEN & MASK))
    ('0xe220a8397b1dcdaf', '0x6e789e6aa1b965f4')
    """
    first, second, mask = kind(0xBF58476D1CE4E5B9), kind(0x94D049BB133111EB), kind(MASK)
    by_27, by_30, by_31 = kind(27), kind(30), kind(31)

    def mix(z: Any) -> Any:
        z = (z ^ (z >> by_30)) * first & mask
        z = (z ^ (z >> by_27)) * second & mask
        return z ^ (z >> by_31)

    return mix


def first_state(seed: int) -> NDArray[np.uint64]:
    """The state that a seed stands for: an array of one number, which a draw moves on."""
    state: NDArray[np.uint64] = np.random.SeedSequence(seed).generate_state(1, np.uint64)  # type: ignore[assignment]
    return state
