"""The named algorithms that sample, and the prefixes that discount them by periods of nodes touched."""

from __future__ import annotations

from dataclasses import replace

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.averages import Power
from zerosum.algorithms.choices import Discount
from zerosum.algorithms.sampling import PERIOD, ChanceSampling, ExternalSampling, OutcomeSampling, PublicChanceSampling
from zerosum.algorithms.schedules import Schedule
from zerosum.support.errors import ZerosumError

STEP = 0.5
"""The step of the baselines in the paper on VR-MCCFR."""


def mccfr() -> Algorithm:
    """External sampling, regret matching, uniform average."""
    return Algorithm(sampling=ExternalSampling())


def mccfr_plus() -> Algorithm:
    """External sampling with regret floored at zero."""
    return Algorithm(accumulate=Discount(floor=True), sampling=ExternalSampling())


def os_mccfr(explore: float = 0.6) -> Algorithm:
    """Outcome sampling; the player who is updated explores with this probability."""
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
    """Multiply regret and average by n/(n+1) after period n."""
    _check_sampled(algorithm, "linear", "lcfr")
    return _discount_periodically(algorithm, Discount(1, 1), Power(1), period)


def discounted(
    algorithm: Algorithm, alpha: Schedule = 1.5, beta: Schedule = 0, gamma: Schedule = 2, period: float = PERIOD
) -> Algorithm:
    """Apply the discounts of DCFR for t = n after period n."""
    _check_sampled(algorithm, "discounted", "dcfr")
    return _discount_periodically(algorithm, Discount(alpha, beta), Power(gamma), period)


def initial_discount(algorithm: Algorithm, factor: float = 0.1, period: float = PERIOD) -> Algorithm:
    """Multiply regret and average by `factor` once, after the first period."""
    _check_sampled(algorithm, "initial-discount", "lcfr")
    return _discount_periodically(algorithm, Discount(), Power(), period, factor)


def _check_sampled(algorithm: Algorithm, prefix: str, alternative: str) -> None:
    if algorithm.sampling is None:
        raise ZerosumError(
            f"{prefix}- discounts by nodes touched, so it needs a name that samples, as in {prefix}-mccfr; "
            f"for full traversals there is {alternative}"
        )
    if algorithm.average != Power() or algorithm.sampling.initial != 1:
        raise ZerosumError(f"this algorithm discounts by nodes touched already: leave out {prefix}-")


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
