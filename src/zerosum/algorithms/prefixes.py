"""Prefixes that change one choice of an algorithm, such as `nh-`; those for sampling are in `sampled_algorithms`."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import wraps
from typing import Any

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.choices import NormalHedge, RegretMatching
from zerosum.algorithms.schedules import Schedule, Uniform
from zerosum.support.call_syntax import Linear
from zerosum.support.errors import ZerosumError


def _require_regret_matching(algorithm: Algorithm, prefix: str) -> None:
    if algorithm.match != RegretMatching():
        raise ZerosumError(
            f"{prefix}- replaces regret matching, which this algorithm does not use: leave out {prefix}-"
        )


def normal_hedge(algorithm: Algorithm) -> Algorithm:
    """NormalHedge in place of regret matching."""
    _require_regret_matching(algorithm, "nh")
    return replace(algorithm, match=NormalHedge())


def optimistic(algorithm: Algorithm) -> Algorithm:
    """Match on R + r: the last regret counts twice."""
    if algorithm.prediction != "none":
        raise ZerosumError("this algorithm has a prediction already: leave out optimistic-")
    return replace(algorithm, prediction="last")


def temperature(
    algorithm: Algorithm,
    first: Schedule = 1.005,
    last: float | None = None,
    random: float | None = None,
    seed: int = 0,
) -> Algorithm:
    """sigma proportional to R+^beta: beta constant, changing from first to last, or drawn from (0, 2 random)."""
    _require_regret_matching(algorithm, "trm")
    exponent: Schedule = first
    if random is not None:
        if isinstance(random, bool) or not isinstance(random, int | float) or not 0 < random < math.inf:
            raise ZerosumError(f"random must be a positive number, not {random!r}")
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise ZerosumError(f"seed must be a whole number, not {seed!r}")
        exponent = Uniform(float(random), seed)
    elif last is not None:
        if isinstance(first, bool) or not isinstance(first, int | float):
            raise ZerosumError(f"first and last must be numbers, not {first!r} and {last!r}")
        exponent = Linear(first, last)
    return replace(algorithm, match=RegretMatching(exponent))


@wraps(temperature, assigned=())
def recent(*args: Any, **kwargs: Any) -> Algorithm:
    """Temperature regret matching with regret against the opponent's current and previous plan."""
    return replace(temperature(*args, **kwargs), both_plans=True)
