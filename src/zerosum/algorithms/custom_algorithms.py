"""User-defined algorithms: a rule is one function, and a Python file may hold rules and other algorithms."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace

from zerosum.algorithms.algorithm import Algorithm, Order
from zerosum.algorithms.averages import Average, Power
from zerosum.algorithms.choices import CustomRule
from zerosum.support.errors import ZerosumError, suggest_names
from zerosum.support.user_modules import load_module, split_file_and_name

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
    """Return an algorithm that accumulates and matches regret with a user-defined function.

    `function(t, instant, regret, strategy, memory)` updates a block of W infosets with A actions each:

    - `t`: the iteration, from 1
    - `instant`: the regrets of the iteration, shape (A, W)
    - `regret`: the state of the rule, shape (A, W), which the function updates
    - `strategy`: the old strategy, shape (A, W), which the function overwrites; each column must sum to 1
    - `memory`: more state, shape (memory * A, W), zero at first

    It is compiled by numba, so it must be defined in a file or a notebook cell, and refer to nothing outside itself but
    numpy, math and numbers. The other arguments are those of `Algorithm`.

    >>> def lazy(t, instant, regret, strategy, memory):
    ...     regret += instant  # and never learns from it
    >>> rule(lazy, average=Power(2)).name
    'lazy'
    """
    accumulate = CustomRule(function, memory)
    names = list(inspect.signature(function).parameters)
    if len(names) != len(PARAMETERS):
        raise ZerosumError(
            f"a rule takes ({', '.join(PARAMETERS)}), but {function_name(function)} takes ({', '.join(names)})"
        )
    return Algorithm(
        name=name or function_name(function),
        accumulate=accumulate,
        average=average or Power(),  # type: ignore[arg-type]
        order=order,
        both_plans=both_plans,
        instant=instant,
    )


def load_algorithm_file(text: str) -> Algorithm:
    """Return the algorithm that `path/to/rule.py:name` names: a combination of choices or a `zerosum.rule`."""
    path, name = split_file_and_name(text, "a name", "path/to/rule.py:my_rule")
    variables = vars(load_module(path))
    algorithms = [key for key, value in variables.items() if isinstance(value, Algorithm)]
    if not name:
        example = (algorithms or ["my_rule"])[0]
        raise ZerosumError(f"{path} does not say which of its names is the algorithm: write {path}:{example}")
    if name not in variables:
        missing = "it has no zerosum.Algorithm: create one with zerosum.rule(function)"
        raise ZerosumError(f"{path} has no {name}; {suggest_names(name, algorithms) if algorithms else missing}")
    chosen = variables[name]
    if not isinstance(chosen, Algorithm):
        raise ZerosumError(f"{name} in {path} is not a zerosum.Algorithm: create one with zerosum.rule(function)")
    return replace(chosen, name=" ".join(text.split()))


def function_name(function: Callable[..., object]) -> str:
    """Return the name of a function, or its text if it has none."""
    return str(getattr(function, "__name__", function))
