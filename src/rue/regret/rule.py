"""The choices of a rule and the numbers of its iterations, as the kernels see them."""

from __future__ import annotations

from typing import NamedTuple

DISCOUNTED, EXPONENTIAL, CUSTOM, IMMEDIATE = 0, 1, 2, 3
REGRET_MATCHING, TEMPERATURE, NORMAL_HEDGE, SOFTMAX, PROJECTION, EXPONENTIAL_MATCHING = 0, 1, 2, 3, 4, 5
NOTHING, LAST_REGRET, PROPAGATED = 0, 1, 2
ACCUMULATE_EXPONENTIAL = -1
"""What the kernel of rare rules is asked for besides matching."""

# Columns of the coefficients of an iteration.
POSITIVE = 0
"""Factor of the accumulated regret where it is positive, before the iteration's regret is added; of that regret itself
in the immediate rule."""
NEGATIVE = 1
"""The same where it is not positive."""
KEEP = 2
"""Factor of the accumulated average before the iteration's plan is added."""
WEIGHT = 3
"""Factor of the iteration's plan."""
EXPONENT = 4
"""Exponent of temperature matching."""
PREDICT_POSITIVE = 5
"""Factor of positive regret when it is matched together with a prediction."""
PREDICT_NEGATIVE = 6
STEP = 7
"""Factor of the step sizes."""
FACTOR = 8
"""Factor of r^power in the exponential rule."""
SCALE = 9
"""Factor of r in the exponential rule."""
ITERATION = 10
COEFFICIENTS = 11


class Rule(NamedTuple):
    """The choices of an algorithm that are not numbers of t, as integers for the kernels."""

    accumulate: int = DISCOUNTED
    match: int = REGRET_MATCHING
    predict: int = NOTHING
    floor: int = 0
    instant: int = 0
    simultaneous: int = 0
    first: int = 0
    """The player who updates first, where updates alternate."""
    both_plans: int = 0
    power: int = 0
    address: int = 0
    """Where a rule of one's own begins in memory."""
    rare: int = 0
    """Where the kernel of rare rules (`rue.regret.rare`) begins in memory, if the rule needs it."""
