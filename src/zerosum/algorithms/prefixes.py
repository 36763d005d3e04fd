"""Prefixes that change one choice of a named algorithm, such as `nh-` in nh-dcfr."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, TypeVar

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.averages import Power
from zerosum.algorithms.choices import Discount, NormalHedge, RegretMatching
from zerosum.algorithms.sampling import PERIOD
from zerosum.algorithms.schedules import Schedule, Uniform
from zerosum.support.call_syntax import Linear
from zerosum.support.errors import ZerosumError

Change = TypeVar("Change", bound=Callable[..., Algorithm])


@dataclass(frozen=True)
class Prefix:
    """A change of one choice, written before a base name; its parameters are positional or named.

    `defaults` are its arguments where the name has none, `base` is an example of a name that it applies to.
    """

    apply: Callable[..., Algorithm]
    summary: str
    paper: str
    defaults: tuple[float, ...] = ()
    base: str = "lcfr"

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters that it adds."""
        return tuple(inspect.signature(self.apply).parameters)[1:]


PREFIXES: dict[str, Prefix] = {}
"""The prefixes by name, without the hyphen."""


def named_prefix(
    name: str, summary: str, paper: str, defaults: tuple[float, ...] = (), base: str = "lcfr"
) -> Callable[[Change], Change]:
    """Register the decorated function, which takes an algorithm and parameters, in `PREFIXES`."""

    def register(apply: Change) -> Change:
        PREFIXES[name] = Prefix(apply, summary, paper, defaults, base)
        return apply

    return register


def _require_regret_matching(algorithm: Algorithm, name: str) -> None:
    if algorithm.match != RegretMatching():
        raise ZerosumError(f"{name}- replaces regret matching, which this algorithm does not use: leave out {name}-")


@named_prefix("nh", "NormalHedge in place of regret matching, as in nh-dcfr", "dcfr")
def normal_hedge(algorithm: Algorithm) -> Algorithm:
    _require_regret_matching(algorithm, "nh")
    return replace(algorithm, match=NormalHedge())


@named_prefix("optimistic", "the last regret counts twice, as in optimistic-lcfr", "dcfr")
def optimistic(algorithm: Algorithm) -> Algorithm:
    """Match on R + r."""
    if algorithm.prediction != "none":
        raise ZerosumError("this algorithm has a prediction already: leave out optimistic-")
    return replace(algorithm, prediction="last")


@named_prefix("trm", "R+ to a power, as in trm-lcfr(1.005, 0.995) or trm-cfr(random=1)", "trm", (1.005, 0.995))
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


@named_prefix("rtrm", "trm with regret against the last two plans", "trm", (1.005, 0.995))
@wraps(temperature, assigned=())
def recent(*args: Any, **kwargs: Any) -> Algorithm:
    return replace(temperature(*args, **kwargs), both_plans=True)


@named_prefix("linear", "sampled: times n/(n+1) after period n, as in linear-mccfr(1e7)", "dcfr", base="mccfr")
def linear(algorithm: Algorithm, period: float = PERIOD) -> Algorithm:
    _require_sampling(algorithm, "linear", "lcfr")
    return _discount_periodically(algorithm, Discount(1, 1), Power(1), period)


@named_prefix(
    "discounted", "sampled: DCFR's discounts after each period, as in discounted-mccfr(1.5, 0, 2)", "dcfr", base="mccfr"
)
def discounted(
    algorithm: Algorithm, alpha: Schedule = 1.5, beta: Schedule = 0, gamma: Schedule = 2, period: float = PERIOD
) -> Algorithm:
    _require_sampling(algorithm, "discounted", "dcfr")
    return _discount_periodically(algorithm, Discount(alpha, beta), Power(gamma), period)


@named_prefix(
    "initial-discount",
    "sampled: times 1/10 after the first period, as in initial-discount-mccfr",
    "dcfr",
    base="mccfr",
)
def initial_discount(algorithm: Algorithm, factor: float = 0.1, period: float = PERIOD) -> Algorithm:
    _require_sampling(algorithm, "initial-discount", "lcfr")
    return _discount_periodically(algorithm, Discount(), Power(), period, factor)


def _require_sampling(algorithm: Algorithm, name: str, alternative: str) -> None:
    if algorithm.sampling is None:
        raise ZerosumError(
            f"{name}- discounts by nodes touched, so it needs a name that samples, as in {name}-mccfr; "
            f"for full traversals there is {alternative}"
        )
    if algorithm.average != Power() or algorithm.sampling.initial != 1:
        raise ZerosumError(f"this algorithm discounts by nodes touched already: leave out {name}-")


def _discount_periodically(
    algorithm: Algorithm, regret: Discount, average: Power, period: float, initial: float = 1
) -> Algorithm:
    assert algorithm.sampling is not None
    return replace(
        algorithm,
        accumulate=replace(regret, floor=algorithm.accumulate.floor),
        average=average,
        sampling=replace(algorithm.sampling, period=period, initial=initial),
    )
