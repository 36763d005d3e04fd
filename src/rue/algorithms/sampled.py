"""The names of the catalogue that sample, and the prefixes that discount them by periods of nodes touched."""

from __future__ import annotations

from dataclasses import replace

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.averages import Power
from rue.algorithms.choices import Discount
from rue.algorithms.sampling import PERIOD, ChanceSampling, ExternalSampling, OutcomeSampling, PublicChanceSampling
from rue.algorithms.schedules import Schedule
from rue.errors import RueError

STEP = 0.5
"""The step of VR-MCCFR's baselines in its paper."""


def mccfr() -> Algorithm:
    """External sampling, regret matching, uniform average."""
    return Algorithm(sampling=ExternalSampling())


def mccfr_plus() -> Algorithm:
    """External sampling with regret floored at zero."""
    return Algorithm(accumulate=Discount(floor=True), sampling=ExternalSampling())


def os_mccfr(explore: float = 0.6) -> Algorithm:
    """Outcome sampling; the player who learns explores with this probability."""
    return Algorithm(sampling=OutcomeSampling(explore=explore))


def vr_mccfr(step: float = STEP, explore: float = 0.6) -> Algorithm:
    """Outcome sampling with baselines: running means of the sampled values with this step."""
    return Algorithm(sampling=OutcomeSampling(explore=explore, baseline=step))


def cs_cfr() -> Algorithm:
    """Chance sampling: one outcome of every chance move, all actions."""
    return Algorithm(sampling=ChanceSampling())


def pcs_cfr() -> Algorithm:
    """Public chance sampling: one board, all private cards, all actions."""
    return Algorithm(sampling=PublicChanceSampling())


def linear(algorithm: Algorithm, period: float = PERIOD) -> Algorithm:
    """After period n regret and average times n/(n+1)."""
    _check_sampled(algorithm, "linear", "lcfr")
    return _by_periods(algorithm, Discount(1, 1), Power(1), period)


def discounted(
    algorithm: Algorithm, alpha: Schedule = 1.5, beta: Schedule = 0, gamma: Schedule = 2, period: float = PERIOD
) -> Algorithm:
    """After period n the discounts of DCFR with t = n."""
    _check_sampled(algorithm, "discounted", "dcfr")
    return _by_periods(algorithm, Discount(alpha, beta), Power(gamma), period)


def initial_discount(algorithm: Algorithm, factor: float = 0.1, period: float = PERIOD) -> Algorithm:
    """After the first period regret and average times `factor`, and never again."""
    _check_sampled(algorithm, "initial-discount", "lcfr")
    return _by_periods(algorithm, Discount(), Power(), period, factor)


def _check_sampled(algorithm: Algorithm, prefix: str, instead: str) -> None:
    if algorithm.sampling is None:
        raise RueError(
            f"{prefix}- discounts by nodes touched and goes before a name that samples, as in {prefix}-mccfr; "
            f"for full traversals there is {instead}"
        )
    if algorithm.average != Power() or algorithm.sampling.initial != 1:
        raise RueError(f"{prefix}- discounts by nodes touched, and this algorithm does already")


def _by_periods(algorithm: Algorithm, regret: Discount, average: Power, period: float, initial: float = 1) -> Algorithm:
    assert algorithm.sampling is not None
    return replace(
        algorithm,
        accumulate=replace(regret, floor=algorithm.accumulate.floor),
        average=average,
        sampling=replace(algorithm.sampling, period=period, initial=initial),
    )
