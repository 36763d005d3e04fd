"""What a prefix does to an algorithm: it changes one choice. Those of sampled runs are in `sampled`."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import wraps
from typing import Any

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.choices import NormalHedge, RegretMatching
from rue.algorithms.schedules import Schedule, Uniform
from rue.errors import RueError
from rue.names import Linear


def _matching(algorithm: Algorithm, prefix: str) -> None:
    if algorithm.match != RegretMatching():
        raise RueError(f"{prefix}- replaces regret matching, and this algorithm has none")


def normal_hedge(algorithm: Algorithm) -> Algorithm:
    """NormalHedge in place of regret matching."""
    _matching(algorithm, "nh")
    return replace(algorithm, match=NormalHedge())


def optimistic(algorithm: Algorithm) -> Algorithm:
    """Match on R + r: the last regret counts twice."""
    if algorithm.prediction != "none":
        raise RueError("optimistic- adds a prediction, and this algorithm has one already")
    return replace(algorithm, prediction="last")


def temperature(
    algorithm: Algorithm,
    first: Schedule = 1.005,
    last: float | None = None,
    random: float | None = None,
    seed: int = 0,
) -> Algorithm:
    """sigma proportional to R+^beta: beta fixed, from first to last, or drawn from (0, 2 random)."""
    _matching(algorithm, "trm")
    exponent: Schedule = first
    if random is not None:
        if isinstance(random, bool) or not isinstance(random, int | float) or not 0 < random < math.inf:
            raise RueError(f"random must be a positive number, not {random!r}")
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise RueError(f"seed must be a whole number, not {seed!r}")
        exponent = Uniform(float(random), seed)
    elif last is not None:
        if isinstance(first, bool) or not isinstance(first, int | float):
            raise RueError(f"first and last must be numbers, not {first!r} and {last!r}")
        exponent = Linear(first, last)
    return replace(algorithm, match=RegretMatching(exponent))


@wraps(temperature, assigned=())
def recent(*args: Any, **kwargs: Any) -> Algorithm:
    """Temperature regret matching with regret against the opponent's current and previous plan."""
    return replace(temperature(*args, **kwargs), both_plans=True)
