"""The named algorithms: each a combination of choices, as its paper defines it, registered under its name."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

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
from zerosum.algorithms.sampling import ChanceSampling, ExternalSampling, OutcomeSampling, PublicChanceSampling
from zerosum.algorithms.schedules import Schedule
from zerosum.support.call_syntax import Linear
from zerosum.support.errors import ZerosumError

Builder = TypeVar("Builder", bound=Callable[..., Algorithm])
LOSSES = {"bounded": None, "chips": 1.0}
"""The unit of losses for theoretical steps; None divides losses by three times the largest instead."""
_MONOMIAL = re.compile(
    r"^(?P<sign>[+-]?)(?P<number>\d+\.?\d*(?:e[+-]?\d+)?|\.\d+)?\*?(?P<t>t(?:\^(?P<tp>\d))?)?\*?"
    r"(?P<r>r(?:\^(?P<rp>\d))?)?(?P<over>/t(?:\^(?P<op>\d))?)?$"
)


@dataclass(frozen=True)
class AlgorithmEntry:
    """A named algorithm: the function that builds it from its parameters, a summary in one line, its source."""

    build: Callable[..., Algorithm]
    summary: str
    paper: str


ALGORITHMS: dict[str, AlgorithmEntry] = {}
"""The named algorithms, in the order of the papers."""


def named(name: str, summary: str, paper: str) -> Callable[[Builder], Builder]:
    """Register the decorated function in `ALGORITHMS`; its parameters are those that may follow the name."""

    def register(build: Builder) -> Builder:
        ALGORITHMS[name] = AlgorithmEntry(build, summary, paper)
        return build

    return register


@named("cfr", "R += r, regret matching, uniform average", "Zinkevich et al. 2007")
def cfr() -> Algorithm:
    return Algorithm()


@named("cfr+", "regret floored at zero, average weight t^2", "Tammelin 2014; dcfr")
def cfr_plus() -> Algorithm:
    """R = max(0, R + r), weight t^2 in the average (dcfr's choice; Tammelin's t is `cfr+(average=1)`)."""
    return Algorithm(accumulate=Discount(floor=True), average=Power(2))


@named("lcfr", "iteration t weighs t in regret and average", "dcfr")
def lcfr() -> Algorithm:
    return Algorithm(accumulate=Discount(1, 1), average=Power(1))


@named("lcfr+", "LCFR with a floor at zero", "dcfr")
def lcfr_plus() -> Algorithm:
    return Algorithm(accumulate=Discount(1, 1, floor=True), average=Power(1))


@named("dcfr", "discounted regret and average, (1.5, 0, 2) by default", "dcfr")
def dcfr(alpha: Schedule = 1.5, beta: Schedule = 0, gamma: Schedule = 2, *, immediate: bool = False) -> Algorithm:
    """Positive regret times t^alpha/(t^alpha+1), negative t^beta/(t^beta+1), average (t/(t+1))^gamma.

    `immediate` multiplies the regret of the iteration instead of the accumulated one, as ecfr describes it.
    """
    return Algorithm(accumulate=Discount(alpha, beta, immediate=immediate), average=Power(gamma))


@named("icfr", "CFR with instant updates", "icfr")
def icfr() -> Algorithm:
    return Algorithm(instant=True)


@named("icfr+", "CFR+ (weight t) with instant updates", "icfr")
def icfr_plus() -> Algorithm:
    return Algorithm(accumulate=Discount(floor=True), average=Power(1), instant=True)


@named("idcfr", "DCFR with instant updates", "icfr")
def idcfr(alpha: Schedule = 1.5, beta: Schedule = 0, gamma: Schedule = 2, *, immediate: bool = False) -> Algorithm:
    return replace(dcfr(alpha, beta, gamma, immediate=immediate), instant=True)


@named("dcfr+", "DCFR with a floor at zero", "icfr; Xu et al. 2024")
def dcfr_plus(alpha: Schedule = 1.5, gamma: Schedule = 2) -> Algorithm:
    return Algorithm(accumulate=Discount(alpha, -math.inf, floor=True), average=Power(gamma))


@named("idcfr+", "DCFR+ with instant updates", "icfr")
def idcfr_plus(alpha: Schedule = 1.5, gamma: Schedule = 2) -> Algorithm:
    return replace(dcfr_plus(alpha, gamma), instant=True)


@named("hybrid-cfr+", "DeepStack's: RM+, simultaneous, late uniform average", "icfr")
def hybrid_cfr_plus(skip: float = 0.5) -> Algorithm:
    return Algorithm(accumulate=Discount(floor=True), average=Power(0, skip), order="simultaneous")


@named("ecfr", "regret weighted by e^(r - mean r), parameter b", "ecfr")
def ecfr(b: str | float = "-r^2", scale: float = 1.0) -> Algorithm:
    """R += e^L1 r where r > 0, e^L1 b elsewhere; b like -r^2, 0.001, r^3, 1/t, t*r."""
    factor, t_power, power = parse_monomial(b)
    return Algorithm(accumulate=Exponential(factor, t_power, power, scale), match=ExponentialMatching())


@named("hedge", "exponential weights on regret", "Freund & Schapire 1997")
def hedge(eta: Schedule | None = None) -> Algorithm:
    """sigma proportional to exp(eta R); without eta, steps that decrease like 1/sqrt(t)."""
    return Algorithm(match=Softmax(Anytime() if eta is None else Fixed(eta)))


@named("ftrl", "OFTRL without a prediction", "spcfr")
def ftrl(
    steps: str = "theory",
    regulariser: str = "entropy",
    factor: float | None = None,
    kappa: float | None = None,
    eta: Schedule | None = None,
    losses: str = "bounded",
) -> Algorithm:
    return oftrl(steps, regulariser, factor, kappa, eta, "none", losses)


@named("oftrl", "stable-predictive OFTRL, steps by theory or tuned", "spcfr")
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
    return Algorithm(match=match, prediction=prediction or "none")  # None is how the word `none` is parsed


@named("pcfr+", "predictive RM+, average weight t^2", "Farina et al. 2021")
def pcfr_plus(prediction: Prediction | None = "propagated", gamma: Schedule = 2) -> Algorithm:
    """Predictive RM+; the prediction is the last gradient, propagated again, or the last regret (prediction=last)."""
    return Algorithm(
        accumulate=Discount(floor=True),
        average=Power(gamma),
        prediction=prediction or "none",
        prediction_discounted=True,
    )


@named("pdcfr+", "predictive DCFR+, (2.3, 5) by default", "Xu et al. 2024")
def pdcfr_plus(alpha: Schedule = 2.3, gamma: Schedule = 5, prediction: Prediction | None = "propagated") -> Algorithm:
    return replace(dcfr_plus(alpha, gamma), prediction=prediction or "none", prediction_discounted=True)


@named("hs-dcfr", "DCFR with hyper-parameter schedules", "Zhang et al. 2024")
def hs_dcfr(gamma: float = 30) -> Algorithm:
    """DCFR with schedules: alpha = 1 + 3t/n, beta = -1 - 2t/n, gamma decreasing by 5 over the run."""
    return dcfr(Linear(1, 4), Linear(-1, -3), _decrease_by_five(gamma))


@named("hs-pcfr+", "PCFR+ with a schedule for its average", "Zhang et al. 2024")
def hs_pcfr_plus(gamma: float = 30, prediction: Prediction | None = "propagated") -> Algorithm:
    return pcfr_plus(prediction, _decrease_by_five(gamma))


def _decrease_by_five(gamma: float) -> Linear:
    """Return the schedule gamma - 5t/n."""
    if isinstance(gamma, bool) or not isinstance(gamma, int | float) or not 5 <= gamma < math.inf:
        raise ZerosumError(f"gamma must be a number of at least 5, not {gamma!r}")
    return Linear(gamma, gamma - 5)


@named("mccfr", "external sampling: opponent and chance sampled", "Lanctot et al. 2009; dcfr")
def mccfr() -> Algorithm:
    return Algorithm(sampling=ExternalSampling())


@named("mccfr+", "external sampling, regret floored at zero", "Burch 2017; dcfr")
def mccfr_plus() -> Algorithm:
    return Algorithm(accumulate=Discount(floor=True), sampling=ExternalSampling())


@named("os-mccfr", "outcome sampling: one history a walk", "Lanctot et al. 2009")
def os_mccfr(explore: float = 0.6) -> Algorithm:
    return Algorithm(sampling=OutcomeSampling(explore=explore))


@named("vr-mccfr", "outcome sampling with baselines", "Schmid et al. 2019")
def vr_mccfr(step: float = 0.5, explore: float = 0.6) -> Algorithm:
    """Outcome sampling whose baselines are running means with this step, by default that of the paper."""
    return Algorithm(sampling=OutcomeSampling(explore=explore, baseline=step))


@named("cs-cfr", "chance sampled, all actions walked", "Zinkevich et al. 2007")
def cs_cfr() -> Algorithm:
    return Algorithm(sampling=ChanceSampling())


@named("pcs-cfr", "the board sampled, all private cards walked", "Johanson et al. 2012")
def pcs_cfr() -> Algorithm:
    return Algorithm(sampling=PublicChanceSampling())


def parse_monomial(b: str | float) -> tuple[float, int, int]:
    """Read b of ECFR, a number times a power of t times a power of r: (factor, power of t, power of r).

    >>> parse_monomial("-r^2"), parse_monomial("1/t^2"), parse_monomial("t*r"), parse_monomial(-0.0001)
    ((-1.0, 0, 2), (1.0, -2, 0), (1.0, 1, 1), (-0.0001, 0, 0))
    """
    if isinstance(b, int | float) and not isinstance(b, bool):
        return float(b), 0, 0
    match = _MONOMIAL.match(b.replace(" ", "").replace("**", "^")) if isinstance(b, str) else None
    if match is None or not (match["number"] or match["t"] or match["r"]):
        raise ZerosumError(f"cannot read b={b}: write a number, or a product like -r^2, r^3, 1/t, t*r, -r^2/t")
    factor = float(match["number"] or 1.0) * (-1.0 if match["sign"] == "-" else 1.0)
    t_power = (int(match["tp"] or 1) if match["t"] else 0) - (int(match["op"] or 1) if match["over"] else 0)
    return factor, t_power, int(match["rp"] or 1) if match["r"] else 0
