"""The catalogue of algorithms: names with parameters for the combinations of choices that the papers define.

A name is a base (`cfr`, `dcfr(1.5, 0.5, 2)`, `oftrl(theory)`, `mccfr`) after any of the prefixes `nh-`, `optimistic-`,
`trm-`, `rtrm-`, `linear-`, `discounted-` and `initial-discount-`, each of which changes one choice of the base.
Every name also takes `average`, `skip`, `order` and `first`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from zerosum.algorithms import base_algorithms, prefixes, sampled_algorithms
from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.averages import Power
from zerosum.support.call_syntax import Call, bind, parse
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.user_modules import names_python_object
from zerosum.support.validation import short_repr

EXACT = "lp"
"""The name of the exact solution, which is not a combination of choices."""


@dataclass(frozen=True)
class AlgorithmEntry:
    """An entry of the catalogue: its builder, its summary in one line, its source."""

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
"""The papers by their keys; `paper` fields cite them in small letters."""

ALGORITHMS: dict[str, AlgorithmEntry] = {
    "cfr": AlgorithmEntry(base_algorithms.cfr, "R += r, regret matching, uniform average", "Zinkevich et al. 2007"),
    "cfr+": AlgorithmEntry(
        base_algorithms.cfr_plus, "regret floored at zero, average weight t^2", "Tammelin 2014; dcfr"
    ),
    "lcfr": AlgorithmEntry(base_algorithms.lcfr, "iteration t weighs t in regret and average", "dcfr"),
    "lcfr+": AlgorithmEntry(base_algorithms.lcfr_plus, "LCFR with a floor at zero", "dcfr"),
    "dcfr": AlgorithmEntry(base_algorithms.dcfr, "discounted regret and average, (1.5, 0, 2) by default", "dcfr"),
    "icfr": AlgorithmEntry(base_algorithms.instant(base_algorithms.cfr), "CFR with instant updates", "icfr"),
    "icfr+": AlgorithmEntry(
        base_algorithms.instant(base_algorithms.icfr_plus), "CFR+ (weight t) with instant updates", "icfr"
    ),
    "idcfr": AlgorithmEntry(base_algorithms.instant(base_algorithms.dcfr), "DCFR with instant updates", "icfr"),
    "dcfr+": AlgorithmEntry(base_algorithms.dcfr_plus, "DCFR with a floor at zero", "icfr; Xu et al. 2024"),
    "idcfr+": AlgorithmEntry(base_algorithms.instant(base_algorithms.dcfr_plus), "DCFR+ with instant updates", "icfr"),
    "hybrid-cfr+": AlgorithmEntry(
        base_algorithms.hybrid_cfr_plus, "DeepStack's: RM+, simultaneous, late uniform average", "icfr"
    ),
    "ecfr": AlgorithmEntry(base_algorithms.ecfr, "regret weighted by e^(r - mean r), parameter b", "ecfr"),
    "hedge": AlgorithmEntry(base_algorithms.hedge, "exponential weights on regret", "Freund & Schapire 1997"),
    "ftrl": AlgorithmEntry(base_algorithms.ftrl, "OFTRL without a prediction", "spcfr"),
    "oftrl": AlgorithmEntry(base_algorithms.oftrl, "stable-predictive OFTRL, steps by theory or tuned", "spcfr"),
    "pcfr+": AlgorithmEntry(base_algorithms.pcfr_plus, "predictive RM+, average weight t^2", "Farina et al. 2021"),
    "pdcfr+": AlgorithmEntry(base_algorithms.pdcfr_plus, "predictive DCFR+, (2.3, 5) by default", "Xu et al. 2024"),
    "hs-dcfr": AlgorithmEntry(base_algorithms.hs_dcfr, "DCFR with hyper-parameter schedules", "Zhang et al. 2024"),
    "hs-pcfr+": AlgorithmEntry(
        base_algorithms.hs_pcfr_plus, "PCFR+ with a schedule for its average", "Zhang et al. 2024"
    ),
    "mccfr": AlgorithmEntry(
        sampled_algorithms.mccfr, "external sampling: opponent and chance sampled", "Lanctot et al. 2009; dcfr"
    ),
    "mccfr+": AlgorithmEntry(
        sampled_algorithms.mccfr_plus, "external sampling, regret floored at zero", "Burch 2017; dcfr"
    ),
    "os-mccfr": AlgorithmEntry(
        sampled_algorithms.os_mccfr, "outcome sampling: one history a walk", "Lanctot et al. 2009"
    ),
    "vr-mccfr": AlgorithmEntry(sampled_algorithms.vr_mccfr, "outcome sampling with baselines", "Schmid et al. 2019"),
    "cs-cfr": AlgorithmEntry(sampled_algorithms.cs_cfr, "chance sampled, all actions walked", "Zinkevich et al. 2007"),
    "pcs-cfr": AlgorithmEntry(
        sampled_algorithms.pcs_cfr, "the board sampled, all private cards walked", "Johanson et al. 2012"
    ),
}
"""Every base name, in the order of the papers."""


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


PREFIXES: dict[str, Prefix] = {
    "nh": Prefix(prefixes.normal_hedge, "NormalHedge in place of regret matching, as in nh-dcfr", "dcfr"),
    "optimistic": Prefix(prefixes.optimistic, "the last regret counts twice, as in optimistic-lcfr", "dcfr"),
    "trm": Prefix(
        prefixes.temperature, "R+ to a power, as in trm-lcfr(1.005, 0.995) or trm-cfr(random=1)", "trm", (1.005, 0.995)
    ),
    "rtrm": Prefix(prefixes.recent, "trm with regret against the last two plans", "trm", (1.005, 0.995)),
    "linear": Prefix(
        sampled_algorithms.linear,
        "sampled: times n/(n+1) after period n, as in linear-mccfr(1e7)",
        "dcfr",
        base="mccfr",
    ),
    "discounted": Prefix(
        sampled_algorithms.discounted,
        "sampled: DCFR's discounts after each period, as in discounted-mccfr(1.5, 0, 2)",
        "dcfr",
        base="mccfr",
    ),
    "initial-discount": Prefix(
        sampled_algorithms.initial_discount,
        "sampled: times 1/10 after the first period, as in initial-discount-mccfr",
        "dcfr",
        base="mccfr",
    ),
}
"""The prefixes of base names."""

_COMMON = ("average", "skip", "order", "first")


def algorithm(name: str | Algorithm) -> Algorithm:
    """Return the algorithm of a name like `dcfr`, `cfr+(average=1)`, `nh-dcfr`, `idcfr+(skip=0.5)` or `rule.py:mine`.

    >>> algorithm("dcfr(1.5, 0.5, 2)").accumulate
    Discount(alpha=1.5, beta=0.5, floor=False, immediate=False)
    >>> algorithm("trm-lcfr(1.005, 0.995)").match
    RegretMatching(exponent=Linear(first=1.005, last=0.995))
    """
    if isinstance(name, Algorithm):
        return name
    if not isinstance(name, str):
        raise ZerosumError(f"an algorithm is a name or an Algorithm, not {name!r:.60}")
    if names_python_object(name):
        from zerosum.algorithms.algorithm_file import load_algorithm_file

        return load_algorithm_file(name)
    if name.strip().lower() == EXACT:
        return Algorithm(EXACT, exact=True)
    call = parse(name)
    prefixes, base = _split_prefixes(call.name)
    common = {key: call.kwargs.pop(key) for key in _COMMON if key in call.kwargs and not _has_parameter(base, key)}
    prefix_call, base_call = _split_arguments(call, prefixes)
    try:
        build = ALGORITHMS[base].build
        arguments = bind(base_call, build)
        _check_average(common, arguments.arguments)
        chosen = build(*arguments.args, **arguments.kwargs)
        for prefix in reversed(prefixes):
            chosen = _apply_prefix(prefix, chosen, prefix_call, common)
        return replace(_apply_common(chosen, common), name=" ".join(name.split()))
    except ZerosumError as error:
        if str(error).startswith(call.name):
            raise
        raise ZerosumError(f"{name}: {error}") from None


def _split_arguments(call: Call, prefixes: list[str]) -> tuple[Call, Call]:
    """Split the arguments of a name between its prefix and its base.

    Positional arguments belong to the prefix that has parameters, if there is one.
    """
    changes = [PREFIXES[prefix] for prefix in prefixes if PREFIXES[prefix].parameters]
    if not changes:
        return Call(call.name), call
    names = changes[0].parameters
    prefix_call = Call(call.name, call.args, {k: v for k, v in call.kwargs.items() if k in names})
    base_call = Call(call.name, [], {k: v for k, v in call.kwargs.items() if k not in names})
    if not prefix_call.args and not prefix_call.kwargs:
        prefix_call = Call(call.name, list(changes[0].defaults))
    return prefix_call, base_call


def _apply_prefix(prefix: str, chosen: Algorithm, call: Call, common: dict[str, Any]) -> Algorithm:
    """Return an algorithm with the change of a prefix."""
    change = PREFIXES[prefix]
    if not change.parameters:
        return change.apply(chosen)
    arguments = bind(Call(call.name, [chosen, *call.args], call.kwargs), change.apply)
    _check_exponent(prefix, arguments.arguments)
    _check_average(common, arguments.arguments)
    return change.apply(*arguments.args, **arguments.kwargs)


def _check_average(common: dict[str, Any], arguments: dict[str, Any]) -> None:
    """Refuse two powers of the average."""
    if "average" in common and "gamma" in arguments:
        raise ZerosumError("gamma and average are the same power of t: give only one of them")


def _check_exponent(prefix: str, arguments: dict[str, Any]) -> None:
    """Refuse parameters of trm- and rtrm- that contradict each other; other prefixes have none of them."""
    if "random" in arguments and ("first" in arguments or "last" in arguments):
        raise ZerosumError(
            f"a random exponent has no first and last: write {prefix}-cfr(1.005, 0.995) or {prefix}-cfr(random=1); "
            "write the parameters of the base by name, as in trm-dcfr(alpha=1.5, beta=0)"
        )
    if "seed" in arguments and "random" not in arguments:
        raise ZerosumError("seed needs a random exponent, as in trm-cfr(random=1, seed=3)")


def _has_parameter(base: str, key: str) -> bool:
    """Return whether a base has a parameter that bears one of the common names."""
    return key in inspect.signature(ALGORITHMS[base].build).parameters


def _split_prefixes(name: str) -> tuple[list[str], str]:
    """Return the prefixes and the base of a name."""
    prefixes: list[str] = []
    rest = name
    while rest not in ALGORITHMS:
        prefix = next((prefix for prefix in PREFIXES if rest.startswith(f"{prefix}-")), None)
        if prefix is None or prefix in prefixes:
            if rest == EXACT:
                raise ZerosumError(
                    f"{EXACT} is the exact solution, which has no parameters and no prefixes: write just {EXACT}"
                )
            combinations = [*ALGORITHMS, *(f"{p}-{a}" for p in PREFIXES for a in ALGORITHMS)]
            valid = combinations if "-" in name else [*ALGORITHMS, EXACT]
            hint = suggest_names(name, valid)
            if not hint.startswith("did you mean"):
                hint = suggest_names(name, [*ALGORITHMS, EXACT])
            raise ZerosumError(f"there is no algorithm {short_repr(name)}: {hint}")
        prefixes.append(prefix)
        rest = rest.removeprefix(f"{prefix}-")
    return prefixes, rest


def _apply_common(chosen: Algorithm, common: dict[str, Any]) -> Algorithm:
    """Return an algorithm with the parameters that every name takes."""
    fields = {"average": "power", "skip": "skip"}
    assert isinstance(chosen.average, Power)
    average = replace(chosen.average, **{fields[key]: common[key] for key in fields if key in common})
    return replace(chosen, average=average, **{key: common[key] for key in ("order", "first") if key in common})
