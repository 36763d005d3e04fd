"""Compiling a user-defined rule: a function over a block of infosets, which the walks call like the catalogue's rules.

The rule is compiled separately, into a function that C could call, and the kernels get its address. A block holds many
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

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.choices import CustomRule
from zerosum.algorithms.custom_algorithms import function_name
from zerosum.algorithms.kernel_rule import FIRST_FORMULA, OTHER, KernelRule
from zerosum.engine.updates.custom_call import RULE_OPTIONS
from zerosum.engine.updates.formulas import formula_number
from zerosum.engine.updates.rare_rules import apply_formula
from zerosum.native.kernel_call import KernelCall
from zerosum.support.errors import ZerosumError
from zerosum.support.files import write_atomically
from zerosum.support.signals import defer_interrupt
from zerosum.support.source_hash import cache_folder, kernel_version

NO_LOCATOR = "no locator available"
"""The words of numba's error where it cannot write its cache."""


def user_rule(function: Callable[..., Any]) -> Any:
    """Compile the rule itself into the function that kernels call."""
    from numba import njit

    return njit(forceinline=True, **RULE_OPTIONS)(function)


def rule_signature(number: Any) -> Any:
    """Return the signature of the function that kernels call.

    Its arguments: t, the addresses of `instant`, `regret`, `strategy` and `memory`, the numbers of actions and of
    infosets, the number of rows of `memory`.
    """
    from numba.core import types

    return types.void(number, *[types.CPointer(number)] * 4, *[types.intp] * 3)


def compile_rule(algorithm: Algorithm, dtype: Any) -> KernelRule:
    """Return the choices of an algorithm for kernels that work with a dtype, with the addresses of what they call."""
    rule = algorithm.kernel_rule
    if isinstance(algorithm.accumulate, CustomRule):
        return rule._replace(custom_address=_rule_address(algorithm.accumulate, np.dtype(dtype).name))
    if rule.accumulate == OTHER:
        rule = rule._replace(accumulate=formula_number(algorithm.accumulate.formula))
    if rule.match == OTHER:
        rule = rule._replace(match=formula_number(algorithm.match.formula))
    if max(rule.accumulate, rule.match) >= FIRST_FORMULA:
        rule = rule._replace(formulas_address=rare_rules(dtype).address)
    return rule


def rare_rules(dtype: Any) -> KernelCall:
    """Return the kernel of rare formulas for a dtype, bound to empty arrays: only its address is used."""
    row, block = np.zeros(0, dtype), np.zeros((0, 0), dtype)
    return apply_formula.bind(0, block, block, block, row, block, row)


def _rule_address(custom: CustomRule, dtype_name: str) -> int:
    """Return where a compiled rule begins in memory; it stays there as long as the process lives."""
    import numba

    module = _load_rule_module(custom)
    if dtype_name not in module.callable:
        signature = rule_signature(getattr(numba, dtype_name))
        with defer_interrupt():
            compiled = _with_cache(lambda cache: numba.cfunc(signature, cache=cache, **RULE_OPTIONS)(module.call))
            module.callable.setdefault(dtype_name, compiled)  # one for all threads: an address in use must stay valid
    return int(module.callable[dtype_name].address)


def _with_cache(compile_function: Callable[[bool], Any]) -> Any:
    """Compile with numba's cache, or without it where its folder cannot be written."""
    try:
        return compile_function(True)
    except RuntimeError as error:
        if NO_LOCATOR not in str(error):
            raise
        return compile_function(False)


def _load_rule_module(custom: CustomRule) -> Any:
    """Import the module of a rule, after writing it to the cache if it is not there."""
    source = _rule_module_source(rule_source(custom.function), custom.function)
    name = f"zerosum_rule_{hashlib.blake2b((source + TAIL + kernel_version()).encode(), digest_size=8).hexdigest()}"
    if name in sys.modules:
        return sys.modules[name]
    path = cache_folder() / "rules" / f"{name}.py"
    if not path.exists():
        _check_rule(source, custom)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, "\n".join([HEAD, source, TAIL]).encode())
        except (OSError, ZerosumError) as error:
            reason = error if isinstance(error, ZerosumError) else f"cannot write {path}: {error.strerror or error}"
            raise ZerosumError(f"{reason}; $ZEROSUM_CACHE_DIR names another folder for machine code") from None
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise ZerosumError(f"the rule {function_name(custom.function)} cannot be compiled: {error}") from error
    return module


def rule_source(function: Callable[..., Any]) -> str:
    """Return the source of a rule, without its decorators."""
    plain = getattr(function, "py_func", function)
    if plain.__closure__:
        raise ZerosumError(
            f"the rule {function_name(function)} refers to variables around it: pass numbers as globals or defaults"
        )
    try:
        lines = textwrap.dedent(inspect.getsource(plain)).splitlines()
    except (OSError, TypeError):
        raise ZerosumError(f"the rule {function_name(function)} must be written in a file or a notebook cell") from None
    start = next((i for i, line in enumerate(lines) if line.startswith("def ")), None)
    if start is None:
        raise ZerosumError(f"the rule {function_name(function)} must be a function written with def")
    return "\n".join(lines[start:]) + "\n"


HEAD = """from __future__ import annotations

import math

import numpy as np
from numba import carray

from zerosum.engine.updates.custom_rule import user_rule
"""
TAIL = """
def call(t, instant, regret, strategy, memory, A, W, rows):
    new_strategy = carray(strategy, (A, W))
    try:
        custom(t, carray(instant, (A, W)), carray(regret, (A, W)), new_strategy, carray(memory, (rows, W)))
    except Exception:
        new_strategy[:] = np.nan


callable = {}
"""
"""The function that kernels call. It cannot raise an error, so the strategy becomes NaN, which the solver reports."""


def _rule_module_source(source: str, function: Callable[..., Any]) -> str:
    """Return the source of the rule's module; a function encloses the numbers that the rule refers to."""
    body = f"{_global_numbers(function)}\n\n@user_rule\n{source}\n\nreturn {function_name(function)}"
    return f"def _rule():\n{textwrap.indent(body, '    ')}\n\n\ncustom = _rule()\n"


def _check_rule(source: str, custom: CustomRule) -> None:
    """Refuse a rule that cannot be compiled or whose strategies are not probabilities, before a run."""
    import numba

    name = function_name(custom.function)
    namespace: dict[str, Any] = {}
    generator = np.random.default_rng(0)
    try:
        exec(compile(HEAD + source, f"<the rule {name}>", "exec"), namespace)
        checked = numba.njit(error_model="numpy", boundscheck=True)(namespace["custom"].py_func)
        checked.compile((numba.float64, *[numba.float64[:, ::1]] * 4))
    except Exception as error:
        raise ZerosumError(f"the rule {name} cannot be compiled: {_reason(error)}") from error
    for A in (1, 2, 3):
        regret, strategy = np.zeros((A, 4)), np.full((A, 4), 1.0 / A)
        memory = np.zeros((custom.memory * A, 4))
        for t in range(1, 5):
            instant = generator.normal(size=(A, 4))
            try:
                checked(float(t), instant, regret, strategy, memory)
            except Exception as error:
                raise ZerosumError(
                    f"the rule {name} fails in iteration {t}: {type(error).__name__}: {error}"
                ) from error
            if not (np.abs(strategy.sum(axis=0) - 1.0).max() < 1e-6 and strategy.min() > -1e-9):
                raise ZerosumError(
                    f"the rule {name} writes a strategy whose columns are not probabilities that sum to 1: "
                    f"{strategy[:, 0].tolist()} in iteration {t}"
                )


def _reason(error: Exception) -> str:
    """Return the line of numba's long message that says what is wrong."""
    lines = [line.strip() for line in str(error).splitlines()]
    skipped = ("Failed in", "During:", "File ", "- Resolution")
    return next((line for line in lines if line and not line.startswith(skipped)), type(error).__name__)


def _global_numbers(function: Callable[..., Any]) -> str:
    """Return the numbers and modules that a rule refers to, as assignments and imports."""
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
