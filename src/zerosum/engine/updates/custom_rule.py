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
from zerosum.engine.updates.rare_rules import apply_formula, find_formula_number
from zerosum.native.decorators import OPTIONS
from zerosum.native.kernel_call import KernelCall
from zerosum.support.errors import ZerosumError
from zerosum.support.files import write_atomically
from zerosum.support.source_hash import cache_folder, kernel_version
from zerosum.support.system import defer_interrupt

RULE_OPTIONS = {name: OPTIONS[name] for name in ("error_model", "fastmath", "nogil")}
"""A user-defined rule may allocate memory: it runs where numba is loaded."""
NO_LOCATOR = "no locator available"
"""The words of numba's error where it cannot write its cache."""


def compile_rule(algorithm: Algorithm, dtype: Any) -> KernelRule:
    """Return the choices of an algorithm for kernels that work with a dtype, with the addresses of what they call."""
    rule = algorithm.kernel_rule
    if isinstance(algorithm.accumulate, CustomRule):
        return rule._replace(custom_address=_compile_user_rule(algorithm.accumulate, np.dtype(dtype).name))
    if rule.accumulate == OTHER:
        rule = rule._replace(accumulate=find_formula_number(algorithm.accumulate.formula))
    if rule.match == OTHER:
        rule = rule._replace(match=find_formula_number(algorithm.match.formula))
    if max(rule.accumulate, rule.match) >= FIRST_FORMULA:
        rule = rule._replace(formulas_address=bind_rare_rules(dtype).address)
    return rule


def bind_rare_rules(dtype: Any) -> KernelCall:
    """Bind the kernel of rare formulas for a dtype to empty arrays: only its address is used."""
    row, block = np.zeros(0, dtype), np.zeros((0, 0), dtype)
    return apply_formula.bind(0, block, block, block, row, block, row)


def _compile_user_rule(custom: CustomRule, dtype_name: str) -> int:
    """Return the address of a compiled rule; it stays valid as long as the process lives."""
    import numba

    module = _load_rule_module(custom)
    if dtype_name not in module.callable:
        types, number = numba.types, getattr(numba, dtype_name)
        signature = types.void(number, *[types.CPointer(number)] * 4, *[types.intp] * 3)

        def compile_call(cache: bool) -> Any:
            return numba.cfunc(signature, cache=cache, **RULE_OPTIONS)(module.call)

        with defer_interrupt():
            try:
                compiled = compile_call(True)
            except RuntimeError as error:  # numba cannot write to the folder of its cache
                if NO_LOCATOR not in str(error):
                    raise
                compiled = compile_call(False)
            module.callable.setdefault(dtype_name, compiled)  # one for all threads: an address in use must stay valid
    return int(module.callable[dtype_name].address)


def inline_rule(function: Callable[..., Any]) -> Any:
    """Compile the rule itself, to be inlined into the function that kernels call."""
    from numba import njit

    return njit(forceinline=True, **RULE_OPTIONS)(function)


def _load_rule_module(custom: CustomRule) -> Any:
    """Import the module of a rule, after writing it to the cache if it is not there."""
    source = write_module_source(custom.function)
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


HEAD = """from __future__ import annotations

import math

import numpy as np
from numba import carray

from zerosum.engine.updates.custom_rule import inline_rule
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


def write_module_source(function: Callable[..., Any]) -> str:
    """Return the source of a rule's module; a function encloses the numbers that the rule refers to."""
    name, plain = function_name(function), getattr(function, "py_func", function)
    if plain.__closure__:
        raise ZerosumError(f"the rule {name} refers to enclosing variables: pass numbers as globals or defaults")
    try:
        lines = textwrap.dedent(inspect.getsource(plain)).splitlines()
    except (OSError, TypeError):
        raise ZerosumError(f"the rule {name} must be written in a file or a notebook cell") from None
    start = next((number for number, line in enumerate(lines) if line.startswith("def ")), None)
    if start is None:
        raise ZerosumError(f"the rule {name} must be a function written with def")
    body = "\n".join([*_define_globals(plain), "", "@inline_rule", *lines[start:], "", f"return {name}"])
    return f"def _rule():\n{textwrap.indent(body, '    ')}\n\n\ncustom = _rule()\n"


def _define_globals(function: Callable[..., Any]) -> list[str]:
    """Return assignments and imports of the numbers and modules that a rule refers to."""
    lines = []
    for name in function.__code__.co_names:
        if name in ("math", "np", "numpy"):
            continue
        value = function.__globals__.get(name)
        if isinstance(value, bool | int | float):
            lines.append(f"{name} = {value!r}" if math.isfinite(value) else f"{name} = float('{value}')")
        elif isinstance(value, ModuleType) and value.__name__ in ("math", "numpy"):
            lines.append(f"import {value.__name__} as {name}")
    return lines


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
        raise ZerosumError(f"the rule {name} cannot be compiled: {_extract_reason(error)}") from error
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


def _extract_reason(error: Exception) -> str:
    """Return the line of numba's long message that says what is wrong."""
    lines = [line.strip() for line in str(error).splitlines()]
    skipped = ("Failed in", "During:", "File ", "- Resolution")
    return next((line for line in lines if line and not line.startswith(skipped)), type(error).__name__)
