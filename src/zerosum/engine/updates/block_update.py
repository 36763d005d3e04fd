"""One update of a block: accumulate the regret, add the prediction, match the strategy.

The formulas are chosen once per block by comparing small integers, so that one compiled kernel serves the catalogue.
Formulas that few runs use are in a separate kernel (`zerosum.engine.updates.rare_rules`), and so are user-defined rules
(`zerosum.engine.updates.custom_rule`): both are called by their addresses.
"""

from __future__ import annotations

from typing import Any

from zerosum.algorithms.kernel_rule import (
    CUSTOM,
    DISCOUNTED,
    IMMEDIATE,
    ITERATION,
    LAST_REGRET,
    NEGATIVE,
    NOTHING,
    POSITIVE,
    PREDICT_NEGATIVE,
    PREDICT_POSITIVE,
    REGRET_MATCHING,
    KernelRule,
)
from zerosum.engine.updates.accumulation import accumulate_discounted, accumulate_immediate
from zerosum.engine.updates.blocks import Block, Row
from zerosum.engine.updates.matching import regret_matching
from zerosum.native.decorators import inline, intrinsic, kernel
from zerosum.native.numba_api import arrayobj, cgutils, ir, types


@inline
def update_block(
    rule: KernelRule, c: Row, instant: Block, prediction: Block, regret: Block, strategy: Block, weight: Block,
    step: Row, memory: Block, score: Block, work: Block,
) -> None:  # fmt: skip
    """Update `regret` and `strategy` of a block of W infosets with A actions.

    rule        the choices of the algorithm
    c           the coefficients of the iteration (columns: `zerosum.algorithms.kernel_rule`)
    instant     (A, W): the instantaneous regret
    prediction  (A, W): the predicted regret of the next iteration, read if the rule propagates it
    regret      (A, W): the accumulated regret
    strategy    (A, W): the old strategy on entry, the new one afterwards
    weight      (A, W): the weights of a weighted rule
    step        (W,): the step size of each infoset
    memory      (K A, W): the memory of a user-defined rule
    score       (A, W): scratch, filled if the rule predicts
    work        (3 or more, W or more): scratch rows

    The plain twin is `Decision` in `tests/reference.py`.
    """
    if rule.accumulate == CUSTOM:
        call_custom_rule(rule.custom_address, c[ITERATION], instant, regret, strategy, memory)
        return
    if rule.accumulate == DISCOUNTED:
        accumulate_discounted(regret, instant, c[POSITIVE], c[NEGATIVE], rule.floor)
    elif rule.accumulate == IMMEDIATE:
        accumulate_immediate(regret, instant, c[POSITIVE], c[NEGATIVE], rule.floor)
    else:
        call_kernel(rule.formulas_address, (rule.accumulate, regret, instant, weight, step, work, c))
    if rule.predict == NOTHING:
        match_score(rule, c, strategy, regret, weight, step, work)
    else:
        predicted = instant if rule.predict == LAST_REGRET else prediction
        add_prediction(score, regret, predicted, c[PREDICT_POSITIVE], c[PREDICT_NEGATIVE])
        match_score(rule, c, strategy, score, weight, step, work)


@kernel
def add_prediction(score: Block, regret: Block, prediction: Block, positive: float, negative: float) -> None:
    """Set score = d R + prediction, with d = `positive` where R > 0 and `negative` elsewhere."""
    A, W = regret.shape
    for a in range(A):
        for w in range(W):
            old = regret[a, w]
            score[a, w] = old * (positive if old > 0.0 else negative) + prediction[a, w]


@inline
def match_score(rule: KernelRule, c: Row, strategy: Block, score: Block, weight: Block, step: Row, work: Block) -> None:
    """Write the strategy that a rule matches to a score; the arguments are those of `update_block`."""
    if rule.match == REGRET_MATCHING:
        regret_matching(strategy, score, work)
    else:
        call_kernel(rule.formulas_address, (rule.match, strategy, score, weight, step, work, c))


@intrinsic
def call_custom_rule(
    typing_context: Any, address: Any, t: Any, instant: Any, regret: Any, strategy: Any, memory: Any
) -> Any:
    """Update a block of infosets with the user-defined rule at an address; the arguments are those of `update_block`.

    The rule gets t, the addresses of the four arrays, A, W and the number of rows of `memory`.
    """

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        array_types = signature.args[2:]
        arrays = [
            arrayobj.make_array(array_type)(context, builder, value=value)
            for array_type, value in zip(array_types, values[2:], strict=True)
        ]
        shape, (rows, _) = (cgutils.unpack_tuple(builder, array.shape) for array in arrays[1::2])
        arguments = [values[1], *(array.data for array in arrays), *shape, rows]
        function = ir.FunctionType(ir.VoidType(), [argument.type for argument in arguments])
        builder.call(builder.inttoptr(values[0], function.as_pointer()), arguments)
        return context.get_dummy_value()

    return types.void(types.int64, regret.dtype, instant, regret, strategy, memory), generate


@intrinsic
def call_kernel(typing_context: Any, address: Any, arguments: Any) -> Any:
    """Call the kernel at an address with a tuple of arrays and integers, in slots (`zerosum.native.signatures`)."""
    slot = ir.IntType(64)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        slots = [ir.Constant(slot, 0)]
        for argument, value in zip(arguments, cgutils.unpack_tuple(builder, values[1]), strict=True):
            if isinstance(argument, types.Array):
                array = arrayobj.make_array(argument)(context, builder, value=value)
                slots += [builder.ptrtoint(array.data, slot), *cgutils.unpack_tuple(builder, array.shape)]
            else:
                slots.append(context.cast(builder, value, argument, types.int64))
        packed, result, status = (cgutils.alloca_once(builder, slot, size) for size in (len(slots), 1, 1))
        for k, value in enumerate(slots):
            builder.store(value, builder.gep(packed, [ir.Constant(slot, k)]))
        pointers = [result, status, packed]
        function = ir.FunctionType(ir.IntType(32), [pointer.type for pointer in pointers])
        builder.call(builder.inttoptr(values[0], function.as_pointer()), pointers)
        return context.get_dummy_value()

    return types.void(types.int64, arguments), generate
