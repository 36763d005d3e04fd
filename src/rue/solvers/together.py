"""Threads that work on one pass: they meet at points and take jobs, by counting in shared memory.

A call of a kernel costs more than a small pass, so threads stay inside one call for many passes and wait for each
other there. They wait actively for a moment and then let others have the processor.
"""

from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from rue.native.compiled import apart
from rue.solvers.team import ARRIVED, FINISHED, FOR_EACH, LEFT, SHARED

PATIENCE = 2000
"""Looks at a counter before a thread lets others have the processor."""


def _place(context: Any, builder: Any, shared: Any, arguments: Any) -> Any:
    """Where the counter of an intrinsic's call lies."""
    return builder.gep(make_array(shared)(context, builder, value=arguments[0]).data, [arguments[1]])


@intrinsic
def count(typing_context: Any, shared: Any, counter: Any, step: Any) -> Any:
    """Add a step to a counter, as one for all threads; returns what it was before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.atomic_rmw("add", _place(context, builder, shared, arguments), arguments[2], "seq_cst")

    return types.int64(shared, types.intp, types.int64), generate


@intrinsic
def set_counter(typing_context: Any, shared: Any, counter: Any, number: Any) -> Any:
    """Let a counter say a number, after all that was written before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store_atomic(arguments[2], _place(context, builder, shared, arguments), "seq_cst", 8)
        return context.get_dummy_value()

    return types.void(shared, types.intp, types.int64), generate


@intrinsic
def counted(typing_context: Any, shared: Any, counter: Any) -> Any:
    """What a counter says now, to any thread."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(_place(context, builder, shared, arguments), "seq_cst", 8)

    return types.int64(shared, types.intp), generate


@intrinsic
def give_way(typing_context: Any) -> Any:
    """Let another thread have the processor."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        name = "SwitchToThread" if sys.platform == "win32" else "sched_yield"
        known = builder.module.globals.get(name)
        builder.call(known or ir.Function(builder.module, ir.FunctionType(ir.IntType(32), []), name), [])
        return context.get_dummy_value()

    return types.void(), generate


@apart
def meet(shared, meetings, threads):  # type: ignore[no-untyped-def]
    """Wait until all threads have come to this meeting, `meetings` being how many there were before."""
    count(shared, ARRIVED, 1)
    wait_for(shared, ARRIVED, (meetings + 1) * threads)


@apart
def wait_for(shared, counter, number):  # type: ignore[no-untyped-def]
    """Wait until a counter has come to a number."""
    looks = 0
    while counted(shared, counter) < number:
        looks += 1
        if looks > PATIENCE:
            give_way()


@apart
def find_work(shared, finished, threads):  # type: ignore[no-untyped-def]
    """Take a part of a job that another thread offers, the last part first.

    Returns the thread times 2^32 plus the part, or -1 once so many jobs are finished. An offer holds until all that was
    taken of it is returned, so what is taken belongs to the job that is offered now.
    """
    looks = 0
    while counted(shared, FINISHED) < finished:
        for other in range(threads):
            counter = SHARED + other * FOR_EACH + LEFT
            if counted(shared, counter) > 0:
                left = count(shared, counter, -1)
                if left > 0:
                    return (other << 32) + left - 1
        looks += 1
        if looks > PATIENCE:
            give_way()
    return -1
