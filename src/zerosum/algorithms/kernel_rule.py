"""Numeric codes and coefficient columns, written by the algorithms and read by the kernels."""

from __future__ import annotations

from typing import NamedTuple

# Values of `KernelRule.accumulate`.
DISCOUNTED, IMMEDIATE, CUSTOM = 0, 1, 2
# Values of `KernelRule.match`.
REGRET_MATCHING = 0
# Values of both for all other formulas.
OTHER = -1
"""A formula that gets its number when the rule is compiled (`zerosum.engine.updates.custom_rule`)."""
FIRST_FORMULA = 3
"""The number of the first of these formulas (`zerosum.engine.updates.rare_rules`)."""
# Values of `KernelRule.predict`.
NOTHING, LAST_REGRET, PROPAGATED = 0, 1, 2

# Columns of the coefficients of an iteration.
POSITIVE = 0
"""Factor of the accumulated regret where it is positive, before the iteration's regret is added; of that regret itself
in the immediate rule."""
NEGATIVE = 1
"""The same where it is not positive."""
AVERAGE_FACTOR = 2
"""Factor of the accumulated average before the iteration's plan is added."""
ITERATION_WEIGHT = 3
"""Factor of the iteration's plan."""
EXPONENT = 4
"""Exponent of temperature matching."""
PREDICT_POSITIVE = 5
"""Factor of positive regret when it is matched together with a prediction."""
PREDICT_NEGATIVE = 6
"""The same of other regret."""
STEP = 7
"""Factor of the step sizes."""
PARAMETER_1, PARAMETER_2, PARAMETER_3 = 8, 9, 10
"""Free for a rule that has parameters which no column above holds; the exponential rule is one."""
ITERATION = 11
"""The number of the iteration, from 1."""
N_COEFFICIENTS = 12


class KernelRule(NamedTuple):
    """The choices of an algorithm that do not depend on t, as integers for the kernels."""

    accumulate: int = DISCOUNTED
    match: int = REGRET_MATCHING
    predict: int = NOTHING
    floor: int = 0
    """1 keeps accumulated regret at zero or above."""
    instant: int = 0
    """1 passes up the value under the strategy just updated."""
    simultaneous: int = 0
    first: int = 0
    """The player who updates first, where updates alternate."""
    both_plans: int = 0
    """1 takes regret against the opponent's current and previous plan."""
    weighted: int = 0
    """1 stores a weight for each action, which also weighs the average: e^L1 of the exponential rule."""
    has_steps: int = 0
    """1 reads the step sizes of infosets."""
    custom_address: int = 0
    """The address of a user-defined rule."""
    formulas_address: int = 0
    """The address of the kernel `apply_formula`, if the rule needs it."""
