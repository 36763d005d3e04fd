"""The kernel of formulas that few runs use: each accumulates regret or matches a strategy to it.

It is compiled separately, so most runs need not wait for it. The kernels that update blocks call it by its address,
which `zerosum.engine.updates.custom_rule` puts into the rule.
"""

from __future__ import annotations

from zerosum.algorithms.kernel_rule import FIRST_FORMULA
from zerosum.engine.updates.accumulation import FORMULAS as ACCUMULATION_FORMULAS
from zerosum.engine.updates.blocks import Block, Row
from zerosum.engine.updates.matching import FORMULAS as MATCHING_FORMULAS
from zerosum.native.decorators import Kernel, inline, kernel
from zerosum.support.errors import ZerosumError

FORMULAS: tuple[Kernel[..., None], ...] = (*ACCUMULATION_FORMULAS, *MATCHING_FORMULAS)
"""Kernels know a formula by its position here plus FIRST_FORMULA, `zerosum.algorithms.choices` by its name."""


def find_formula_number(name: str) -> int:
    """Return the number by which kernels know a formula.

    >>> find_formula_number("softmaxx")
    Traceback (most recent call last):
    zerosum.ZerosumError: no rule has the formula softmaxx: add the kernel to FORMULAS in matching.py or accumulation.py
    """
    names = [formula.py_func.__name__ for formula in FORMULAS]
    if name not in names:
        files = "matching.py or accumulation.py"
        raise ZerosumError(f"no rule has the formula {name}: add the kernel to FORMULAS in {files}")
    return FIRST_FORMULA + names.index(name)


@inline
def apply_no_formula(number: int, target: Block, source: Block, weight: Block, step: Row, work: Block, c: Row) -> None:
    """Do nothing: no formula has the number."""


def add_branch(number: int, formula: Kernel[..., None], otherwise: Kernel[..., None]) -> Kernel[..., None]:
    """Return the part of a kernel that applies a formula if its number is requested, and tries the others if not."""

    @inline
    def choose(requested: int, target: Block, source: Block, weight: Block, step: Row, work: Block, c: Row) -> None:
        if requested == number:
            formula(target, source, weight, step, work, c)
        else:
            otherwise(requested, target, source, weight, step, work, c)

    return choose


apply_requested: Kernel[..., None] = apply_no_formula
for formula_number, formula in enumerate(FORMULAS, FIRST_FORMULA):
    apply_requested = add_branch(formula_number, formula, apply_requested)


@kernel
def apply_formula(number: int, target: Block, source: Block, weight: Block, step: Row, work: Block, c: Row) -> None:
    """Apply the formula of a number to a block of infosets.

    target  (A, W): the strategy to write from the score; or the accumulated regret to update
    source  (A, W): the score; or the instantaneous regret, which may be overwritten
    weight  (A, W): the weights of a weighted rule, written by accumulation and read by matching
    step    (W,): the step size of each infoset
    work    (3 or more, W or more): scratch rows
    c       the coefficients of the iteration (columns: `zerosum.algorithms.kernel_rule`)

    The plain twin is `Decision` in `tests/reference.py`.
    """
    apply_requested(number, target, source, weight, step, work, c)
