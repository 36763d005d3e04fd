"""A rule of one's own: one function over a block of infosets, called by the same walk as the catalogue's rules.

The rule is compiled alone, into a function that C could call, and the kernels are given its address. A block holds many
infosets, so the call costs next to nothing, and no kernel has to be compiled again.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import math
import sys
import textwrap
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from rue.algorithms.algorithm import Algorithm, Order
from rue.algorithms.averages import Average, Power
from rue.algorithms.choices import Custom
from rue.disk import write_atomically
from rue.errors import RueError
from rue.interrupt import held_back
from rue.native.kernel import Call, Kernel
from rue.regret.rule import EXPONENTIAL, REGRET_MATCHING, Rule
from rue.sources import cache_folder, kernel_version

RARE = Kernel("rue.regret.rare:rare")
NO_LOCATOR = "no locator available"
"""What numba says where it cannot keep what it compiles."""
PARAMETERS = ["t", "instant", "regret", "strategy", "memory"]


def rule(
    function: Callable[..., None],
    *,
    memory: int = 0,
    average: Average | Callable[[int], float] | None = None,
    order: Order = "alternating",
    both_plans: bool = False,
    instant: bool = False,
    name: str | None = None,
) -> Algorithm:
    """An algorithm whose accumulate and match are a function of your own.

    `function(t, instant, regret, strategy, memory)` learns at a block of W infosets with A actions each: t is the
    iteration (from 1), `instant` the (A, W) regrets of the iteration, `regret` an (A, W) array that is yours to
    keep, `strategy` the (A, W) array to write, whose columns must be probability vectors, and `memory` a
    (memory * A, W) array, zero at first. It is compiled by numba, so it must be defined in a file or a notebook
    cell, use numpy and math, and refer to nothing outside itself but these two modules and numbers.

    The other choices are those of `Algorithm`; the average is uniform unless you say otherwise.

    >>> def lazy(t, instant, regret, strategy, memory):
    ...     regret += instant  # and never learns from it
    >>> rule(lazy, average=Power(2)).name
    'lazy'
    """
    if not callable(function):
        raise RueError(f"a rule is a function, not {function!r}")
    names = list(inspect.signature(function).parameters)
    if len(names) != len(PARAMETERS):
        raise RueError(f"a rule takes ({', '.join(PARAMETERS)}), and {_name(function)} takes ({', '.join(names)})")
    if isinstance(memory, bool) or not isinstance(memory, int) or memory < 0:
        raise RueError(f"memory must be a whole number of arrays, not {memory!r}")
    return Algorithm(
        name=name or _name(function),
        accumulate=Custom(function, memory),
        average=average or Power(),  # type: ignore[arg-type]
        order=order,
        both_plans=both_plans,
        instant=instant,
    )


def compiled_rule(algorithm: Algorithm, dtype: Any) -> Rule:
    """The choices of an algorithm for the kernels, with the addresses of its own rule and of rare ones, if it has any,
    for numbers of a kind."""
    rule = algorithm.rule
    if isinstance(algorithm.accumulate, Custom):
        return rule._replace(address=_address(algorithm.accumulate, np.dtype(dtype).name))
    if rule.match != REGRET_MATCHING or rule.accumulate == EXPONENTIAL:
        return rule._replace(rare=rare_rules(dtype).address)
    return rule


def rare_rules(dtype: Any) -> Call:
    """The kernel of rare rules for numbers of a kind, at nothing."""
    row, block = np.zeros(0, dtype), np.zeros((0, 0), dtype)
    return Call(RARE, (REGRET_MATCHING, 0, row, block, block, block, row, block))


def _address(custom: Custom, number: str) -> int:
    """Where the compiled rule begins in memory; it stays there as long as the process lives."""
    import numba

    from rue.regret.custom import RULE_OPTIONS, call_signature

    module = _loaded(custom)
    if number not in module.callable:
        signature = call_signature(getattr(numba, number))
        with held_back():
            made = _compiled(lambda kept: numba.cfunc(signature, cache=kept, **RULE_OPTIONS)(module.call))
            module.callable.setdefault(number, made)  # of threads that come at once one wins: no address is let go
    return int(module.callable[number].address)


def _compiled(by: Callable[[bool], Any]) -> Any:
    """What a compiler makes, kept in the cache if that can be written, as it may not be where others made it."""
    try:
        return by(True)
    except RuntimeError as error:
        if NO_LOCATOR not in str(error):
            raise
        return by(False)


def _loaded(custom: Custom) -> Any:
    """The module of a rule, from the cache or written to it."""
    own = _own(rule_source(custom.function), custom.function)
    name = f"rue_rule_{hashlib.blake2b((own + TAIL + kernel_version()).encode(), digest_size=8).hexdigest()}"
    if name in sys.modules:
        return sys.modules[name]
    path = cache_folder() / "rules" / f"{name}.py"
    if not path.exists():
        _try(own, custom)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, "\n".join([HEAD, own, TAIL]).encode())
        except (OSError, RueError) as error:
            said = error if isinstance(error, RueError) else f"cannot write {path}: {error.strerror or error}"
            raise RueError(f"{said}; $RUE_CACHE_DIR names another folder for machine code") from None
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise RueError(f"the rule {_name(custom.function)} cannot be compiled: {error}") from error
    return module


def rule_source(function: Callable[..., Any]) -> str:
    """The text of a rule, without its decorators."""
    plain = getattr(function, "py_func", function)
    if plain.__closure__:
        raise RueError(f"the rule {_name(function)} refers to variables around it: pass numbers as globals or defaults")
    try:
        lines = textwrap.dedent(inspect.getsource(plain)).splitlines()
    except (OSError, TypeError):
        raise RueError(f"the rule {_name(function)} must be written in a file or a notebook cell") from None
    start = next((i for i, line in enumerate(lines) if line.startswith("def ")), None)
    if start is None:
        raise RueError(f"the rule {_name(function)} must be a function written with def")
    return "\n".join(lines[start:]) + "\n"


HEAD = """from __future__ import annotations

import math

import numpy as np
from numba import carray

from rue.regret.custom import own
"""
TAIL = """
def call(t, instant, regret, strategy, memory, A, W, rows):
    played = carray(strategy, (A, W))
    try:
        custom(t, carray(instant, (A, W)), carray(regret, (A, W)), played, carray(memory, (rows, W)))
    except Exception:
        played[:] = np.nan


callable = {}
"""
"""What the kernels call. An error cannot leave it: it shows in the strategy, which is then found not to be finite."""


def _own(source: str, function: Callable[..., Any]) -> str:
    """The rule as a text; the numbers it refers to are in a scope of their own."""
    inside = textwrap.indent(f"{_globals(function)}\n\n@own\n{source}\n\nreturn {_name(function)}", "    ")
    return f"def _rule():\n{inside}\n\n\ncustom = _rule()\n"


def _try(own: str, custom: Custom) -> None:
    """Refuse a rule that cannot be compiled or whose strategies are not probabilities, before a run."""
    import numba

    name = _name(custom.function)
    space: dict[str, Any] = {}
    generator = np.random.default_rng(0)
    try:
        exec(compile(HEAD + own, f"<the rule {name}>", "exec"), space)
        tried = numba.njit(error_model="numpy", boundscheck=True)(space["custom"].py_func)
        tried.compile((numba.float64, *[numba.float64[:, ::1]] * 4))
    except Exception as error:
        raise RueError(f"the rule {name} cannot be compiled: {_reason(error)}") from error
    for A in (1, 2, 3):
        regret, strategy = np.zeros((A, 4)), np.full((A, 4), 1.0 / A)
        memory = np.zeros((custom.memory * A, 4))
        for t in range(1, 5):
            instant = generator.normal(size=(A, 4))
            try:
                tried(float(t), instant, regret, strategy, memory)
            except Exception as error:
                raise RueError(f"the rule {name} fails in iteration {t}: {type(error).__name__}: {error}") from error
            if not (np.abs(strategy.sum(axis=0) - 1.0).max() < 1e-6 and strategy.min() > -1e-9):
                raise RueError(
                    f"the rule {name} writes a strategy whose columns are not probabilities that sum to 1: "
                    f"{strategy[:, 0].tolist()} in iteration {t}"
                )


def _reason(error: Exception) -> str:
    """The line of numba's long messages that says what is wrong."""
    lines = [line.strip() for line in str(error).splitlines()]
    told = [line for line in lines if line and not line.startswith(("Failed in", "During:", "File ", "- Resolution"))]
    return told[0] if told else type(error).__name__


def _globals(function: Callable[..., Any]) -> str:
    """The numbers a rule refers to, as assignments."""
    plain = getattr(function, "py_func", function)
    lines = []
    for name in plain.__code__.co_names:
        if name in ("math", "np", "numpy"):
            continue
        value = plain.__globals__.get(name)
        if isinstance(value, bool | int | float):
            lines.append(f"{name} = {value!r}" if math.isfinite(value) else f"{name} = float('{value}')")
        elif isinstance(value, ModuleType) and value.__name__ in ("math", "numpy"):
            lines.append(f"import {value.__name__} as {name}")
    return "\n".join(lines)


def _name(function: Callable[..., Any]) -> str:
    return str(getattr(function, "__name__", function))
