"""The catalogue of algorithms: the algorithm that a name or a file stands for.

A name is a base (`cfr`, `dcfr(1.5, 0.5, 2)`, `oftrl(theory)`, `mccfr`) after any of the prefixes `nh-`, `optimistic-`,
`trm-`, `rtrm-`, `linear-`, `discounted-` and `initial-discount-`, each of which changes one choice of the base.
Every name also takes `average`, `skip`, `order` and `first`.
"""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import Any

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.averages import Power
from zerosum.algorithms.named_algorithms import ALGORITHMS
from zerosum.algorithms.prefixes import PREFIXES, Prefix
from zerosum.support.call_syntax import Call, bind_arguments, list_default_arguments, parse_call
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.user_modules import names_python_object
from zerosum.support.validation import short_repr

EXACT = "lp"
"""The name of the exact solution, which is not a combination of choices."""
PAPERS = {
    "dcfr": "Solving Imperfect-Information Games via Discounted Regret Minimization",
    "spcfr": "Stable-Predictive Optimistic Counterfactual Regret Minimization",
    "ecfr": "Solving Imperfect-Information Games via Exponential Counterfactual Regret Minimization",
    "icfr": "Efficient CFR with Instant Updates",
    "trm": "Temperature Regret Matching",
}
"""The papers by their keys; `paper` fields cite them in small letters."""


def describe_algorithms() -> dict[str, list[dict[str, Any]]]:
    """Return all base names and prefixes with their parameters, summaries and papers, as JSON holds them."""
    bases: list[dict[str, Any]] = [
        {
            "name": name,
            "parameters": list_default_arguments(entry.build),
            "summary": entry.summary,
            "paper": entry.paper,
        }
        for name, entry in ALGORITHMS.items()
    ]
    exact = {"summary": "the exact solution, by linear programming", "paper": "Koller et al. 1994"}
    bases.append({"name": EXACT, "parameters": {}, **exact})
    prefixes: list[dict[str, Any]] = []
    for name, prefix in PREFIXES.items():
        defaults = list_default_arguments(prefix.apply)
        parameters = {key: defaults[key] for key in prefix.parameters}
        about = {"summary": prefix.summary, "paper": prefix.paper}
        prefixes.append({"name": f"{name}-", "parameters": parameters, **about})
    return {"algorithms": bases, "prefixes": prefixes}


_COMMON = ("average", "skip", "order", "first")
"""The parameters that every name takes."""


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
        from zerosum.algorithms.custom_algorithms import load_algorithm_file

        return load_algorithm_file(name)
    if name.strip().lower() == EXACT:
        return Algorithm(EXACT, exact=True)
    call = parse_call(name)
    prefixes, base = _split_prefixes(call.name)
    build = ALGORITHMS[base].build
    own_parameters = inspect.signature(build).parameters
    common = {key: call.kwargs.pop(key) for key in _COMMON if key in call.kwargs and key not in own_parameters}
    changes = [PREFIXES[prefix] for prefix in prefixes]
    prefix_call, base_call = _split_arguments(call, changes)
    try:
        arguments = bind_arguments(base_call, build)
        _refuse_two_powers(common, arguments.arguments)
        chosen = build(*arguments.args, **arguments.kwargs)
        for prefix, change in zip(reversed(prefixes), reversed(changes), strict=True):
            if not change.parameters:
                chosen = change.apply(chosen)
                continue
            arguments = bind_arguments(Call(call.name, [chosen, *prefix_call.args], prefix_call.kwargs), change.apply)
            _check_exponent(prefix, arguments.arguments)
            _refuse_two_powers(common, arguments.arguments)
            chosen = change.apply(*arguments.args, **arguments.kwargs)
        return _apply_common_parameters(chosen, common, " ".join(name.split()))
    except ZerosumError as error:
        if str(error).startswith(call.name):
            raise
        raise ZerosumError(f"{name}: {error}") from None


def _split_prefixes(name: str) -> tuple[list[str], str]:
    """Return the prefixes and the base of a name."""
    prefixes: list[str] = []
    base = name
    while base not in ALGORITHMS:
        prefix = next((prefix for prefix in PREFIXES if base.startswith(f"{prefix}-")), None)
        if prefix is None or prefix in prefixes:
            raise _unknown_name_error(name, base)
        prefixes.append(prefix)
        base = base.removeprefix(f"{prefix}-")
    return prefixes, base


def _unknown_name_error(name: str, base: str) -> ZerosumError:
    if base == EXACT:
        return ZerosumError(
            f"{EXACT} is the exact solution, which has no parameters and no prefixes: write just {EXACT}"
        )
    plain = [*ALGORITHMS, EXACT]
    hint = suggest_names(name, [*plain, *(f"{p}-{a}" for p in PREFIXES for a in ALGORITHMS)] if "-" in name else plain)
    if not hint.startswith("did you mean"):
        hint = suggest_names(name, plain)
    return ZerosumError(f"there is no algorithm {short_repr(name)}: {hint}")


def _split_arguments(call: Call, changes: list[Prefix]) -> tuple[Call, Call]:
    """Split the arguments of a name between its prefixes and its base.

    Positional arguments belong to the prefixes if one of them has parameters.
    """
    change = next((change for change in changes if change.parameters), None)
    if change is None:
        return Call(call.name), call
    prefix_arguments = {key: value for key, value in call.kwargs.items() if key in change.parameters}
    base_arguments = {key: value for key, value in call.kwargs.items() if key not in change.parameters}
    positional = call.args if call.args or prefix_arguments else list(change.defaults)
    return Call(call.name, positional, prefix_arguments), Call(call.name, [], base_arguments)


def _refuse_two_powers(common: dict[str, Any], arguments: dict[str, Any]) -> None:
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


def _apply_common_parameters(chosen: Algorithm, common: dict[str, Any], name: str) -> Algorithm:
    """Return an algorithm with its name and the parameters that every name takes."""
    fields = {"average": "power", "skip": "skip"}
    assert isinstance(chosen.average, Power)
    average = replace(chosen.average, **{fields[key]: common[key] for key in fields if key in common})
    others = {key: common[key] for key in ("order", "first") if key in common}
    return replace(chosen, name=name, average=average, **others)
