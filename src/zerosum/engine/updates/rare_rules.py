"""The kernel that applies the formulas that few runs use.

The kernels that update blocks call it by its address, which `zerosum.engine.updates.custom_rule` puts into the rule.
"""

from __future__ import annotations

from zerosum.engine.updates import accumulation, matching
from zerosum.engine.updates.blocks import Block, Row
from zerosum.engine.updates.formulas import try_all
from zerosum.native.decorators import kernel

FORMULA_MODULES = accumulation, matching
"""The modules whose formulas are entered by being imported."""
apply_requested = try_all()


@kernel
def apply_formula(number: int, target: Block, source: Block, weight: Block, step: Row, work: Block, c: Row) -> None:
    """Apply the formula of a number (`zerosum.engine.updates.formulas.formula_number`) to a block of infosets.

    target  (A, W): the strategy to write from the score; or the accumulated regret to update
    source  (A, W): the score; or the instantaneous regret, which may be overwritten
    weight  (A, W): the weights of a weighted rule, written by accumulation and read by matching
    step    (W,): the step size of each infoset
    work    (3 or more, W or more): scratch rows
    c       the coefficients of the iteration (columns: `zerosum.algorithms.kernel_rule`)

    The plain twin is `Decision` in `tests/reference.py`.
    """
    apply_requested(number, target, source, weight, step, work, c)
