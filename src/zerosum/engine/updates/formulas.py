"""Formulas that few runs use: each is entered by its decorator, and one kernel holds them all.

That kernel is compiled separately, so most runs need not wait for it, and a new formula needs no other change.
"""

from __future__ import annotations

from collections.abc import Callable

from zerosum.algorithms.kernel_rule import FIRST_FORMULA
from zerosum.engine.updates.blocks import Block, Row
from zerosum.native.decorators import Kernel, inline, kernel

Formula = Callable[[Block, Block, Block, Row, Block, Row], None]
"""f(target, source, weight, step, work, c): see `apply_formula`."""
FORMULAS: dict[str, Kernel[..., None]] = {}
"""Every formula by the name of its function, which the entry of a rule (`zerosum.algorithms.choices`) gives."""


def formula(function: Formula) -> Kernel[..., None]:
    """Enter a formula: the function that accumulates regret or matches a strategy to it."""
    FORMULAS[function.__name__] = kernel(function)
    return FORMULAS[function.__name__]


def formula_number(name: str) -> int:
    """Return the number by which kernels know a formula."""
    return FIRST_FORMULA + list(FORMULAS).index(name)


@inline
def no_formula(number: int, target: Block, source: Block, weight: Block, step: Row, work: Block, c: Row) -> None:
    """Do nothing: no formula has the number."""


def try_formula(number: int, apply: Kernel[..., None], otherwise: Kernel[..., None]) -> Kernel[..., None]:
    """Return the part of a kernel that applies a formula if its number is asked for, and tries the others if not."""

    @inline
    def choose(requested: int, target: Block, source: Block, weight: Block, step: Row, work: Block, c: Row) -> None:
        if requested == number:
            apply(target, source, weight, step, work, c)
        else:
            otherwise(requested, target, source, weight, step, work, c)

    return choose


def try_all() -> Kernel[..., None]:
    """Return the part of a kernel that applies the formula of a number."""
    choose: Kernel[..., None] = no_formula
    for name, apply in FORMULAS.items():
        choose = try_formula(formula_number(name), apply, choose)
    return choose
