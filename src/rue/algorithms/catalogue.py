"""The catalogue: a name, with parameters, for each combination of choices that the papers define.

A name is a base (`cfr`, `dcfr(1.5, 0.5, 2)`, `oftrl(theory)`, `mccfr`), and before it any of the prefixes `nh-`,
`optimistic-`, `trm-`, `rtrm-`, `linear-`, `discounted-` and `initial-discount-`, which change one choice of the base.
Every name also takes `average`, `skip`, `order` and `first`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rue.algorithms import bases, changes, sampled
from rue.algorithms.algorithm import Algorithm
from rue.algorithms.averages import Power
from rue.algorithms.files import load_file
from rue.checked import shown
from rue.errors import RueError, nearest
from rue.names import Call, bind, parse
from rue.python_files import names_file
from rue.records import dataclass

EXACT = "lp"
"""The name of the exact solution, which is no combination of choices."""


@dataclass(frozen=True)
class Entry:
    """A name of the catalogue: how to build it, what it is in a line, where it comes from."""

    build: Callable[..., Algorithm]
    summary: str
    paper: str


PAPERS = {
    "dcfr": "Solving Imperfect-Information Games via Discounted Regret Minimization",
    "spcfr": "Stable-Predictive Optimistic Counterfactual Regret Minimization",
    "ecfr": "Solving Imperfect-Information Games via Exponential Counterfactual Regret Minimization",
    "icfr": "Efficient CFR with Instant Updates",
    "trm": "Temperature Regret Matching",
}
"""The papers that a key in small letters stands for."""

ALGORITHMS: dict[str, Entry] = {
    "cfr": Entry(bases.cfr, "R += r, regret matching, uniform average", "Zinkevich et al. 2007"),
    "cfr+": Entry(bases.cfr_plus, "regret floored at zero, average weight t^2", "Tammelin 2014; dcfr"),
    "lcfr": Entry(bases.lcfr, "iteration t weighs t in regret and average", "dcfr"),
    "lcfr+": Entry(bases.lcfr_plus, "LCFR with a floor at zero", "dcfr"),
    "dcfr": Entry(bases.dcfr, "discounted regret and average, (1.5, 0, 2) by default", "dcfr"),
    "icfr": Entry(bases.instant(bases.cfr), "CFR with instant updates", "icfr"),
    "icfr+": Entry(bases.instant(bases.icfr_plus), "CFR+ (weight t) with instant updates", "icfr"),
    "idcfr": Entry(bases.instant(bases.dcfr), "DCFR with instant updates", "icfr"),
    "dcfr+": Entry(bases.dcfr_plus, "DCFR with a floor at zero", "icfr; Xu et al. 2024"),
    "idcfr+": Entry(bases.instant(bases.dcfr_plus), "DCFR+ with instant updates", "icfr"),
    "hybrid-cfr+": Entry(bases.hybrid_cfr_plus, "DeepStack's: RM+, simultaneous, late uniform average", "icfr"),
    "ecfr": Entry(bases.ecfr, "regret weighted by e^(r - mean r), parameter b", "ecfr"),
    "hedge": Entry(bases.hedge, "exponential weights on regret", "Freund & Schapire 1997"),
    "ftrl": Entry(bases.ftrl, "OFTRL without a prediction", "spcfr"),
    "oftrl": Entry(bases.oftrl, "stable-predictive OFTRL, steps by theory or tuned", "spcfr"),
    "pcfr+": Entry(bases.pcfr_plus, "predictive RM+, average weight t^2", "Farina et al. 2021"),
    "pdcfr+": Entry(bases.pdcfr_plus, "predictive DCFR+, (2.3, 5) by default", "Xu et al. 2024"),
    "hs-dcfr": Entry(bases.hs_dcfr, "DCFR with hyper-parameter schedules", "Zhang et al. 2024"),
    "hs-pcfr+": Entry(bases.hs_pcfr_plus, "PCFR+ with a schedule for its average", "Zhang et al. 2024"),
    "mccfr": Entry(sampled.mccfr, "external sampling: opponent and chance sampled", "Lanctot et al. 2009; dcfr"),
    "mccfr+": Entry(sampled.mccfr_plus, "external sampling, regret floored at zero", "Burch 2017; dcfr"),
    "os-mccfr": Entry(sampled.os_mccfr, "outcome sampling: one history a walk", "Lanctot et al. 2009"),
    "vr-mccfr": Entry(sampled.vr_mccfr, "outcome sampling with baselines", "Schmid et al. 2019"),
    "cs-cfr": Entry(sampled.cs_cfr, "chance sampled, all actions walked", "Zinkevich et al. 2007"),
    "pcs-cfr": Entry(sampled.pcs_cfr, "the board sampled, all private cards walked", "Johanson et al. 2012"),
}
"""Every base name, in the order of the papers."""


@dataclass(frozen=True)
class Prefix:
    """A change of one choice, written before a base name: the parameters that it adds are given by place or by name.

    `given` are the values when none is typed, `base` is a name that the prefix goes with.
    """

    apply: Callable[..., Algorithm]
    summary: str
    paper: str
    given: tuple[float, ...] = ()
    base: str = "lcfr"

    @property
    def takes(self) -> tuple[str, ...]:
        """The parameters that it adds."""
        return tuple(inspect.signature(self.apply).parameters)[1:]


PREFIXES: dict[str, Prefix] = {
    "nh": Prefix(changes.normal_hedge, "NormalHedge in place of regret matching, as in nh-dcfr", "dcfr"),
    "optimistic": Prefix(changes.optimistic, "the last regret counts twice, as in optimistic-lcfr", "dcfr"),
    "trm": Prefix(
        changes.temperature, "R+ to a power, as in trm-lcfr(1.005, 0.995) or trm-cfr(random=1)", "trm", (1.005, 0.995)
    ),
    "rtrm": Prefix(changes.recent, "trm with regret against the last two plans", "trm", (1.005, 0.995)),
    "linear": Prefix(
        sampled.linear, "sampled: times n/(n+1) after period n, as in linear-mccfr(1e7)", "dcfr", base="mccfr"
    ),
    "discounted": Prefix(
        sampled.discounted,
        "sampled: DCFR's discounts after each period, as in discounted-mccfr(1.5, 0, 2)",
        "dcfr",
        base="mccfr",
    ),
    "initial-discount": Prefix(
        sampled.initial_discount,
        "sampled: times 1/10 after the first period, as in initial-discount-mccfr",
        "dcfr",
        base="mccfr",
    ),
}
"""What may stand before a base name."""

_COMMON = ("average", "skip", "order", "first")


def algorithm(name: str | Algorithm) -> Algorithm:
    """The algorithm of a name like `dcfr`, `cfr+(average=1)`, `nh-dcfr`, `idcfr+(skip=0.5)` or `rule.py:mine`.

    >>> algorithm("dcfr(1.5, 0.5, 2)").accumulate
    Discount(alpha=1.5, beta=0.5, floor=False, immediate=False)
    >>> algorithm("trm-lcfr(1.005, 0.995)").match
    RegretMatching(exponent=Linear(first=1.005, last=0.995))
    """
    if isinstance(name, Algorithm):
        return name
    if not isinstance(name, str):
        raise RueError(f"an algorithm is a name or an Algorithm, not {name!r:.60}")
    if names_file(name):
        return load_file(name)
    if name.strip().lower() == EXACT:
        return Algorithm(EXACT, exact=True)
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
        given = bind(rest, entry.build)
        built = entry.build(*given.args, **given.kwargs)
        _check_average(common, given.arguments)
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
            hint = nearest(name, valid)
            if not hint.startswith("did you mean"):
                hint = nearest(name, [*ALGORITHMS, EXACT])
            raise RueError(f"there is no algorithm {shown(name)}: {hint}")
        prefixes.append(prefix)
        rest = rest.removeprefix(f"{prefix}-")
    return prefixes, rest


def _with_common(built: Algorithm, common: dict[str, Any]) -> Algorithm:
    given = {"average": "power", "skip": "skip"}
    assert isinstance(built.average, Power)
    built = replace(built, average=replace(built.average, **{given[k]: common[k] for k in given if k in common}))
    return replace(built, **{key: common[key] for key in ("order", "first") if key in common})
