"""The catalogue: a name, with parameters, for each combination of choices that the papers define.

A name is a base (`cfr`, `dcfr(1.5, 0.5, 2)`, `oftrl(theory)`, `mccfr`), and before it any of the prefixes `nh-`,
`optimistic-`, `trm-`, `rtrm-`, `linear-`, `discounted-` and `initial-discount-`, which change one choice of the base.
Every name also takes `average`, `skip` and `order`.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from rue.algorithms.choices import (
    Algorithm,
    Anytime,
    Discount,
    Exponential,
    ExponentialMatching,
    Fixed,
    NormalHedge,
    Power,
    Prediction,
    Projection,
    RegretMatching,
    Softmax,
    Steps,
    Theory,
)
from rue.algorithms.files import load_file
from rue.algorithms.sampled import (
    cs_cfr,
    discounted,
    initial_discount,
    linear,
    mccfr,
    mccfr_plus,
    os_mccfr,
    pcs_cfr,
    vr_mccfr,
)
from rue.algorithms.schedules import Schedule, Uniform
from rue.errors import RueError, nearest
from rue.files import names_file
from rue.names import Call, Linear, bind, parse

INFINITE = math.inf
EXACT = "lp"
"""The exact solution, which is no combination of choices: `rue.solve` knows it by this name."""


@dataclass(frozen=True)
class Entry:
    """A name of the catalogue: how to build it, what it is in a line, where it comes from."""

    build: Callable[..., Algorithm]
    summary: str
    paper: str


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


def dcfr(alpha: Schedule = 1.5, beta: Schedule = 0, gamma: Schedule = 2) -> Algorithm:
    """Positive regret times t^alpha/(t^alpha+1), negative t^beta/(t^beta+1), average (t/(t+1))^gamma."""
    return Algorithm(accumulate=Discount(alpha, beta), average=Power(gamma))


def dcfr_plus(alpha: Schedule = 1.5, gamma: Schedule = 2) -> Algorithm:
    """DCFR with a floor at zero."""
    return Algorithm(accumulate=Discount(alpha, -INFINITE, floor=True), average=Power(gamma))


def instant(build: Callable[..., Algorithm]) -> Callable[..., Algorithm]:
    """The same algorithm with the value passed up taken from the strategy just updated (icfr)."""

    def built(*args: Schedule, **kwargs: Schedule) -> Algorithm:
        return replace(build(*args, **kwargs), instant=True)

    built.__wrapped__ = build  # type: ignore[attr-defined]
    return built


def icfr_plus() -> Algorithm:
    """CFR+ with weight t in the average, as icfr defines ICFR+."""
    return replace(cfr_plus(), average=Power(1))


def hybrid_cfr_plus(skip: float = 0.5) -> Algorithm:
    """DeepStack's hybrid: RM+, simultaneous updates, uniform average of the later iterations."""
    return Algorithm(accumulate=Discount(floor=True), average=Power(0, skip), order="simultaneous")


def ecfr(b: str | float = "-r^2", scale: float = 1.0) -> Algorithm:
    """R += e^L1 r where r > 0, e^L1 b elsewhere; b like -r^2, 0.001, r^3, 1/t, t*r."""
    factor, t_power, power = monomial(b)
    return Algorithm(accumulate=Exponential(factor, t_power, power, scale), match=ExponentialMatching())


def hedge(eta: Schedule | None = None) -> Algorithm:
    """sigma proportional to exp(eta R); without eta, steps that fall like 1/sqrt(t)."""
    return Algorithm(match=Softmax(Anytime() if eta is None else Fixed(eta)))


def oftrl(
    steps: str = "theory",
    regulariser: str = "entropy",
    factor: float | None = None,
    kappa: float | None = None,
    eta: Schedule | None = None,
    prediction: Prediction | None = "propagated",
) -> Algorithm:
    """Optimistic follow the regularised leader with stable predictions; steps theory, tuned, fixed or anytime."""
    chosen: Steps
    if steps == "fixed":
        if eta is None:
            raise RueError("fixed needs a step size, as in oftrl(fixed, eta=0.1)")
        chosen = Fixed(eta)
    elif eta is not None:
        raise RueError(f"eta goes with fixed steps, as in oftrl(fixed, eta={eta})")
    elif steps == "tuned":
        chosen = Theory(kappa, factor)
    elif factor is not None:
        raise RueError(f"factor goes with tuned steps, as in oftrl(tuned, factor={factor})")
    elif steps == "theory":
        chosen = Theory(kappa)
    elif steps == "anytime":
        chosen = Anytime()
    else:
        raise RueError(f"steps must be theory, tuned, fixed or anytime, not {steps!r}")
    if regulariser not in ("entropy", "euclidean"):
        raise RueError(f"regulariser must be entropy or euclidean, not {regulariser!r}")
    match = Softmax(chosen) if regulariser == "entropy" else Projection(chosen)
    return Algorithm(match=match, prediction=prediction or "none")


def ftrl(
    steps: str = "theory",
    regulariser: str = "entropy",
    factor: float | None = None,
    kappa: float | None = None,
    eta: Schedule | None = None,
) -> Algorithm:
    """Follow the regularised leader: OFTRL without a prediction."""
    return oftrl(steps, regulariser, factor, kappa, eta, "none")


def pcfr_plus(prediction: Prediction | None = "propagated", gamma: Schedule = 2) -> Algorithm:
    """Predictive RM+; the prediction is the last gradient propagated anew, or the last regret (prediction=last)."""
    accumulate = Discount(floor=True)
    return _predictive(Algorithm(accumulate=accumulate, average=Power(gamma)), prediction)


def pdcfr_plus(alpha: Schedule = 2.3, gamma: Schedule = 5, prediction: Prediction | None = "propagated") -> Algorithm:
    """Predictive DCFR+: discounted and floored regret plus a prediction."""
    return _predictive(dcfr_plus(alpha, gamma), prediction)


def _predictive(algorithm: Algorithm, prediction: Prediction | None) -> Algorithm:
    """The same with a prediction added to the discounted regret; None, the typed word `none`, is no prediction."""
    return replace(algorithm, prediction=prediction or "none", prediction_discounted=True)


def hs_dcfr(gamma: float = 30) -> Algorithm:
    """DCFR with schedules: alpha = 1 + 3t/n, beta = -1 - 2t/n, gamma falling by 5 over the run."""
    return dcfr(Linear(1, 4), Linear(-1, -3), _falling(gamma))


def hs_pcfr_plus(gamma: float = 30, prediction: Prediction | None = "propagated") -> Algorithm:
    """PCFR+ whose average has the schedule gamma - 5t/n."""
    return pcfr_plus(prediction, _falling(gamma))


def _falling(gamma: float) -> Linear:
    """gamma - 5t/n."""
    if isinstance(gamma, bool) or not isinstance(gamma, int | float) or not 5 <= gamma < math.inf:
        raise RueError(f"gamma must be a number of at least 5, not {gamma!r}")
    return Linear(gamma, gamma - 5)


PAPERS = {
    "dcfr": "Solving Imperfect-Information Games via Discounted Regret Minimization",
    "spcfr": "Stable-Predictive Optimistic Counterfactual Regret Minimization",
    "ecfr": "Solving Imperfect-Information Games via Exponential Counterfactual Regret Minimization",
    "icfr": "Efficient CFR with Instant Updates",
    "trm": "Temperature Regret Matching",
}
"""The papers that a key in small letters stands for."""

ALGORITHMS: dict[str, Entry] = {
    "cfr": Entry(cfr, "R += r, regret matching, uniform average", "Zinkevich et al. 2007"),
    "cfr+": Entry(cfr_plus, "regret floored at zero, average weight t^2", "Tammelin 2014; dcfr"),
    "lcfr": Entry(lcfr, "iteration t weighs t in regret and average", "dcfr"),
    "lcfr+": Entry(lcfr_plus, "LCFR with a floor at zero", "dcfr"),
    "dcfr": Entry(dcfr, "discounted regret and average, (1.5, 0, 2) by default", "dcfr"),
    "icfr": Entry(instant(cfr), "CFR with instant updates", "icfr"),
    "icfr+": Entry(instant(icfr_plus), "CFR+ (weight t) with instant updates", "icfr"),
    "idcfr": Entry(instant(dcfr), "DCFR with instant updates", "icfr"),
    "dcfr+": Entry(dcfr_plus, "DCFR with a floor at zero", "icfr; Xu et al. 2024"),
    "idcfr+": Entry(instant(dcfr_plus), "DCFR+ with instant updates", "icfr"),
    "hybrid-cfr+": Entry(hybrid_cfr_plus, "DeepStack's: RM+, simultaneous, late uniform average", "icfr"),
    "ecfr": Entry(ecfr, "regret weighted by e^(r - mean r), parameter b", "ecfr"),
    "hedge": Entry(hedge, "exponential weights on regret", "Freund & Schapire 1997"),
    "ftrl": Entry(ftrl, "OFTRL without a prediction", "spcfr"),
    "oftrl": Entry(oftrl, "stable-predictive OFTRL, steps by theory or tuned", "spcfr"),
    "pcfr+": Entry(pcfr_plus, "predictive RM+, average weight t^2", "Farina et al. 2021"),
    "pdcfr+": Entry(pdcfr_plus, "predictive DCFR+, (2.3, 5) by default", "Xu et al. 2024"),
    "hs-dcfr": Entry(hs_dcfr, "DCFR with hyper-parameter schedules", "Zhang et al. 2024"),
    "hs-pcfr+": Entry(hs_pcfr_plus, "PCFR+ with a schedule for its average", "Zhang et al. 2024"),
    "mccfr": Entry(mccfr, "external sampling: opponent and chance sampled", "Lanctot et al. 2009; dcfr"),
    "mccfr+": Entry(mccfr_plus, "external sampling, regret floored at zero", "Burch 2017; dcfr"),
    "os-mccfr": Entry(os_mccfr, "outcome sampling: one history a walk", "Lanctot et al. 2009"),
    "vr-mccfr": Entry(vr_mccfr, "outcome sampling with baselines", "Schmid et al. 2019"),
    "cs-cfr": Entry(cs_cfr, "chance sampled, all actions walked", "Zinkevich et al. 2007"),
    "pcs-cfr": Entry(pcs_cfr, "the board sampled, all private cards walked", "Johanson et al. 2012"),
}
"""Every base name, in the order of the papers."""


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


def recent(
    algorithm: Algorithm,
    first: Schedule = 1.005,
    last: float | None = None,
    random: float | None = None,
    seed: int = 0,
) -> Algorithm:
    """Temperature regret matching with regret against the opponent's current and previous plan."""
    return replace(temperature(algorithm, first, last, random, seed), both_plans=True)


@dataclass(frozen=True)
class Prefix:
    """A change of one choice, written before a base name; `takes` are the parameters it adds, by place or by name.

    `given` are the values when none is typed, `base` is a name that the prefix goes with.
    """

    apply: Callable[..., Algorithm]
    summary: str
    paper: str
    takes: tuple[str, ...] = ()
    given: tuple[float, ...] = ()
    base: str = "lcfr"


_TEMPERATURE = ("first", "last", "random", "seed")
PREFIXES: dict[str, Prefix] = {
    "nh": Prefix(normal_hedge, "NormalHedge in place of regret matching, as in nh-dcfr", "dcfr"),
    "optimistic": Prefix(optimistic, "the last regret counts twice, as in optimistic-lcfr", "dcfr"),
    "trm": Prefix(
        temperature,
        "R+ to a power, as in trm-lcfr(1.005, 0.995) or trm-cfr(random=1)",
        "trm",
        _TEMPERATURE,
        given=(1.005, 0.995),
    ),
    "rtrm": Prefix(recent, "trm with regret against the last two plans", "trm", _TEMPERATURE, given=(1.005, 0.995)),
    "linear": Prefix(
        linear, "sampled: times n/(n+1) after period n, as in linear-mccfr(1e7)", "dcfr", ("period",), base="mccfr"
    ),
    "discounted": Prefix(
        discounted,
        "sampled: DCFR's discounts after each period, as in discounted-mccfr(1.5, 0, 2)",
        "dcfr",
        ("alpha", "beta", "gamma", "period"),
        base="mccfr",
    ),
    "initial-discount": Prefix(
        initial_discount,
        "sampled: times 1/10 after the first period, as in initial-discount-mccfr",
        "dcfr",
        ("factor", "period"),
        base="mccfr",
    ),
}
"""What may stand before a base name."""

_COMMON = ("average", "skip", "order")


def algorithm(name: str | Algorithm) -> Algorithm:
    """The algorithm of a name like `dcfr`, `cfr+(average=1)`, `nh-dcfr`, `idcfr+(skip=0.5)` or `rule.py:mine`.

    >>> algorithm("dcfr(1.5, 0.5, 2)").accumulate
    Discount(alpha=1.5, beta=0.5, floor=False)
    >>> algorithm("trm-lcfr(1.005, 0.995)").match
    RegretMatching(exponent=Linear(first=1.005, last=0.995))
    """
    if isinstance(name, Algorithm):
        return name
    if names_file(name):
        return load_file(name)
    call = parse(name)
    prefixes, base = _parts(call.name)
    common = {key: call.kwargs.pop(key) for key in _COMMON if key in call.kwargs and not _own(base, key)}
    entry = ALGORITHMS[base]
    own = [prefix for prefix in prefixes if PREFIXES[prefix].takes]
    if own:
        takes = PREFIXES[own[0]].takes
        mine = Call(call.name, call.args, {k: v for k, v in call.kwargs.items() if k in takes})
        rest = Call(call.name, [], {k: v for k, v in call.kwargs.items() if k not in takes})
        if not mine.args and not mine.kwargs:
            mine = Call(call.name, list(PREFIXES[own[0]].given))
    else:
        mine, rest = Call(call.name), call
    try:
        built = _build(entry.build, rest)
        _check_average(common, bind(rest, entry.build).arguments)
        for prefix in reversed(prefixes):
            change = PREFIXES[prefix]
            if change.takes:
                arguments = bind(Call(call.name, [built, *mine.args], mine.kwargs), change.apply)
                _check_exponent(prefix, arguments.arguments)
                _check_average(common, arguments.arguments)
                built = change.apply(*arguments.args, **arguments.kwargs)
            else:
                built = change.apply(built)
        return replace(_with_common(built, common), name=" ".join(name.split()))
    except RueError as error:
        if str(error).startswith(call.name):
            raise
        raise RueError(f"{name}: {error}") from None


def _check_average(common: dict[str, Any], given: dict[str, Any]) -> None:
    """Refuse two powers of the average."""
    if "average" in common and "gamma" in given:
        raise RueError("gamma and average are the same power of t: give one of them")


def _check_exponent(prefix: str, given: dict[str, Any]) -> None:
    """Refuse parameters of trm- and rtrm- that contradict each other; other prefixes have none of them."""
    if "random" in given and ("first" in given or "last" in given):
        raise RueError(
            f"a random exponent has no first and last: write {prefix}-cfr(1.005, 0.995) or {prefix}-cfr(random=1); "
            "the parameters of the base are named, as in trm-dcfr(alpha=1.5, beta=0)"
        )
    if "seed" in given and "random" not in given:
        raise RueError("seed goes with a random exponent, as in trm-cfr(random=1, seed=3)")


def _build(build: Callable[..., Algorithm], call: Call) -> Algorithm:
    arguments = bind(call, build)
    return build(*arguments.args, **arguments.kwargs)


def _own(base: str, key: str) -> bool:
    """Whether a base has a parameter of its own under a common name."""
    return key in inspect.signature(ALGORITHMS[base].build).parameters


def _parts(name: str) -> tuple[list[str], str]:
    """The prefixes and the base of a name."""
    prefixes: list[str] = []
    rest = name
    while rest not in ALGORITHMS:
        prefix = next((prefix for prefix in PREFIXES if rest.startswith(f"{prefix}-")), None)
        if prefix is None or prefix in prefixes:
            if rest == EXACT:
                raise RueError(f"{EXACT} is the exact solution: it takes no parameters and no prefix")
            known = [*ALGORITHMS, *(f"{p}-{a}" for p in PREFIXES for a in ALGORITHMS)]
            valid = known if "-" in name else [*ALGORITHMS, EXACT]
            raise RueError(f"there is no algorithm {name!r}: {nearest(name, valid)}")
        prefixes.append(prefix)
        rest = rest.removeprefix(f"{prefix}-")
    return prefixes, rest


def _with_common(built: Algorithm, common: dict[str, Any]) -> Algorithm:
    if "average" in common:
        built = replace(built, average=replace(built.average, power=common["average"]))
    if "skip" in common:
        built = replace(built, average=replace(built.average, skip=common["skip"]))
    if "order" in common:
        built = replace(built, order=common["order"])
    return built


_MONOMIAL = re.compile(
    r"^(?P<sign>[+-]?)(?P<number>\d+\.?\d*(?:e[+-]?\d+)?|\.\d+)?\*?(?P<t>t(?:\^(?P<tp>\d))?)?\*?"
    r"(?P<r>r(?:\^(?P<rp>\d))?)?(?P<over>/t(?:\^(?P<op>\d))?)?$"
)


def monomial(b: str | float) -> tuple[float, int, int]:
    """Read b of ECFR, a number times a power of t times a power of r: (factor, power of t, power of r).

    >>> monomial("-r^2"), monomial("1/t^2"), monomial("t*r"), monomial(-0.0001)
    ((-1.0, 0, 2), (1.0, -2, 0), (1.0, 1, 1), (-0.0001, 0, 0))
    """
    if not isinstance(b, str):
        return (float(b), 0, 0) if not isinstance(b, bool) and isinstance(b, int | float) else _unreadable(b)
    match = _MONOMIAL.match(b.replace(" ", "").replace("**", "^"))
    if match is None or not (match["number"] or match["t"] or match["r"]):
        return _unreadable(b)
    factor = float(match["number"] or 1.0) * (-1.0 if match["sign"] == "-" else 1.0)
    t_power = (int(match["tp"] or 1) if match["t"] else 0) - (int(match["op"] or 1) if match["over"] else 0)
    return factor, t_power, int(match["rp"] or 1) if match["r"] else 0


def _unreadable(b: object) -> tuple[float, int, int]:
    raise RueError(f"cannot read b={b}: write a number, or a product like -r^2, r^3, 1/t, t*r, -r^2/t")
