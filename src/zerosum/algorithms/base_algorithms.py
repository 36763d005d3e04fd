"""The algorithms that names begin with: each a combination of choices, as its paper defines it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from functools import wraps

from zerosum.algorithms.algorithm import Algorithm, Prediction
from zerosum.algorithms.averages import Power
from zerosum.algorithms.choices import (
    Anytime,
    Discount,
    Exponential,
    ExponentialMatching,
    Fixed,
    Projection,
    Softmax,
    Steps,
    Theory,
)
from zerosum.algorithms.schedules import Schedule
from zerosum.support.call_syntax import Linear
from zerosum.support.errors import ZerosumError

INFINITE = math.inf
LOSSES = {"bounded": None, "chips": 1.0}
"""The unit of losses for theoretical steps; None divides losses by three times the largest instead."""


def cfr() -> Algorithm:
    """R += r, regret matching, uniform average."""
    return Algorithm()


def cfr_plus() -> Algorithm:
    """R = max(0, R + r), weight t^2 in the average (dcfr's choice; Tammelin's t is `cfr+(average=1)`)."""
    return Algorithm(accumulate=Discount(floor=True), average=Power(2))


def lcfr() -> Algorithm:
    """Iteration t has weight t in the regret and in the average."""
    return Algorithm(accumulate=Discount(1, 1), average=Power(1))


def lcfr_plus() -> Algorithm:
    """Linear CFR with a floor at zero."""
    return Algorithm(accumulate=Discount(1, 1, floor=True), average=Power(1))


def dcfr(alpha: Schedule = 1.5, beta: Schedule = 0, gamma: Schedule = 2, *, immediate: bool = False) -> Algorithm:
    """Positive regret times t^alpha/(t^alpha+1), negative t^beta/(t^beta+1), average (t/(t+1))^gamma.

    `immediate` multiplies the regret of the iteration instead of the accumulated one, as ecfr describes it.
    """
    return Algorithm(accumulate=Discount(alpha, beta, immediate=immediate), average=Power(gamma))


def dcfr_plus(alpha: Schedule = 1.5, gamma: Schedule = 2) -> Algorithm:
    """DCFR with a floor at zero."""
    return Algorithm(accumulate=Discount(alpha, -INFINITE, floor=True), average=Power(gamma))


def instant(build: Callable[..., Algorithm]) -> Callable[..., Algorithm]:
    """Return the builder of the same algorithm with instant updates: values of the strategy just updated (icfr)."""

    @wraps(build)
    def build_instant(*args: Schedule, **kwargs: Schedule) -> Algorithm:
        return replace(build(*args, **kwargs), instant=True)

    return build_instant


def icfr_plus() -> Algorithm:
    """CFR+ with weight t in the average, as icfr defines ICFR+."""
    return replace(cfr_plus(), average=Power(1))


def hybrid_cfr_plus(skip: float = 0.5) -> Algorithm:
    """DeepStack's hybrid: RM+, simultaneous updates, uniform average of the later iterations."""
    return Algorithm(accumulate=Discount(floor=True), average=Power(0, skip), order="simultaneous")


def ecfr(b: str | float = "-r^2", scale: float = 1.0) -> Algorithm:
    """R += e^L1 r where r > 0, e^L1 b elsewhere; b like -r^2, 0.001, r^3, 1/t, t*r."""
    factor, t_power, power = parse_monomial(b)
    return Algorithm(accumulate=Exponential(factor, t_power, power, scale), match=ExponentialMatching())


def hedge(eta: Schedule | None = None) -> Algorithm:
    """sigma proportional to exp(eta R); without eta, steps that decrease like 1/sqrt(t)."""
    return Algorithm(match=Softmax(Anytime() if eta is None else Fixed(eta)))


def oftrl(
    steps: str = "theory",
    regulariser: str = "entropy",
    factor: float | None = None,
    kappa: float | None = None,
    eta: Schedule | None = None,
    prediction: Prediction | None = "propagated",
    losses: str = "bounded",
) -> Algorithm:
    """Optimistic follow the regularised leader with stable predictions; steps theory, tuned, fixed or anytime.

    Theoretical steps are scaled for losses of at most 1/3 (losses=bounded), or used as they are (losses=chips).
    """
    chosen: Steps
    if losses not in LOSSES:
        raise ZerosumError(f"losses must be {' or '.join(LOSSES)}, not {losses!r}")
    if losses != "bounded" and steps not in ("theory", "tuned"):
        raise ZerosumError(f"losses={losses} needs theoretical steps, as in oftrl(theory, losses={losses})")
    unit = LOSSES[losses]
    if steps == "fixed":
        if eta is None:
            raise ZerosumError("fixed needs a step size, as in oftrl(fixed, eta=0.1)")
        chosen = Fixed(eta)
    elif eta is not None:
        raise ZerosumError(f"eta needs fixed steps, as in oftrl(fixed, eta={eta})")
    elif steps == "tuned":
        chosen = Theory(kappa, factor, unit)
    elif factor is not None:
        raise ZerosumError(f"factor needs tuned steps, as in oftrl(tuned, factor={factor})")
    elif steps == "theory":
        chosen = Theory(kappa, unit=unit)
    elif steps == "anytime":
        chosen = Anytime()
    else:
        raise ZerosumError(f"steps must be theory, tuned, fixed or anytime, not {steps!r}")
    if regulariser not in ("entropy", "euclidean"):
        raise ZerosumError(f"regulariser must be entropy or euclidean, not {regulariser!r}")
    match = Softmax(chosen) if regulariser == "entropy" else Projection(chosen)
    return Algorithm(match=match, prediction=prediction or "none")


def ftrl(
    steps: str = "theory",
    regulariser: str = "entropy",
    factor: float | None = None,
    kappa: float | None = None,
    eta: Schedule | None = None,
    losses: str = "bounded",
) -> Algorithm:
    """Follow the regularised leader: OFTRL without a prediction."""
    return oftrl(steps, regulariser, factor, kappa, eta, "none", losses)


def pcfr_plus(prediction: Prediction | None = "propagated", gamma: Schedule = 2) -> Algorithm:
    """Predictive RM+; the prediction is the last gradient, propagated again, or the last regret (prediction=last)."""
    accumulate = Discount(floor=True)
    return _predictive(Algorithm(accumulate=accumulate, average=Power(gamma)), prediction)


def pdcfr_plus(alpha: Schedule = 2.3, gamma: Schedule = 5, prediction: Prediction | None = "propagated") -> Algorithm:
    """Predictive DCFR+: discounted and floored regret plus a prediction."""
    return _predictive(dcfr_plus(alpha, gamma), prediction)


def _predictive(algorithm: Algorithm, prediction: Prediction | None) -> Algorithm:
    """Add a prediction to the discounted regret; None, which is how `none` is parsed, is no prediction."""
    return replace(algorithm, prediction=prediction or "none", prediction_discounted=True)


def hs_dcfr(gamma: float = 30) -> Algorithm:
    """DCFR with schedules: alpha = 1 + 3t/n, beta = -1 - 2t/n, gamma decreasing by 5 over the run."""
    return dcfr(Linear(1, 4), Linear(-1, -3), _decreasing_power(gamma))


def hs_pcfr_plus(gamma: float = 30, prediction: Prediction | None = "propagated") -> Algorithm:
    """PCFR+ whose average has the schedule gamma - 5t/n."""
    return pcfr_plus(prediction, _decreasing_power(gamma))


def _decreasing_power(gamma: float) -> Linear:
    """Return the schedule gamma - 5t/n."""
    if isinstance(gamma, bool) or not isinstance(gamma, int | float) or not 5 <= gamma < math.inf:
        raise ZerosumError(f"gamma must be a number of at least 5, not {gamma!r}")
    return Linear(gamma, gamma - 5)


_MONOMIAL = re.compile(
    r"^(?P<sign>[+-]?)(?P<number>\d+\.?\d*(?:e[+-]?\d+)?|\.\d+)?\*?(?P<t>t(?:\^(?P<tp>\d))?)?\*?"
    r"(?P<r>r(?:\^(?P<rp>\d))?)?(?P<over>/t(?:\^(?P<op>\d))?)?$"
)


def parse_monomial(b: str | float) -> tuple[float, int, int]:
    """Read b of ECFR, a number times a power of t times a power of r: (factor, power of t, power of r).

    >>> parse_monomial("-r^2"), parse_monomial("1/t^2"), parse_monomial("t*r"), parse_monomial(-0.0001)
    ((-1.0, 0, 2), (1.0, -2, 0), (1.0, 1, 1), (-0.0001, 0, 0))
    """
    if not isinstance(b, str):
        return (float(b), 0, 0) if not isinstance(b, bool) and isinstance(b, int | float) else _monomial_error(b)
    match = _MONOMIAL.match(b.replace(" ", "").replace("**", "^"))
    if match is None or not (match["number"] or match["t"] or match["r"]):
        return _monomial_error(b)
    factor = float(match["number"] or 1.0) * (-1.0 if match["sign"] == "-" else 1.0)
    t_power = (int(match["tp"] or 1) if match["t"] else 0) - (int(match["op"] or 1) if match["over"] else 0)
    return factor, t_power, int(match["rp"] or 1) if match["r"] else 0


def _monomial_error(b: object) -> tuple[float, int, int]:
    raise ZerosumError(f"cannot read b={b}: write a number, or a product like -r^2, r^3, 1/t, t*r, -r^2/t")
