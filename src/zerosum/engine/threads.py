"""Threads that work together on a kernel call: each calls the kernel with its number, and they meet inside.

A kernel call costs more than a small pass, so threads stay inside one call for many passes. They wait for each other
and share jobs by counting in shared memory: they spin for a moment, then they yield the processor.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zerosum.native.decorators import intrinsic, kernel
from zerosum.native.kernel_call import KernelCall, compile_missing
from zerosum.native.numba_api import arrayobj, ir, types
from zerosum.support.system import defer_interrupt

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

Counters = NDArray[np.int64]
"""The counters that threads share: `SHARED` numbers, then `PER_THREAD` numbers for each thread."""
ARRIVED, TAKEN, FINISHED = 0, 8, 16
"""Shared counters of arrivals at a barrier, jobs taken and jobs finished: in different cache lines."""
SHARED = 24
LEFT, OFFERED, RETURNED = 0, 1, 8
"""Counters of each thread: the parts of its job that any thread may still take, the number of that job, and the parts
that are done."""
PER_THREAD = 16
SPINS = 2000
"""The number of times that a thread reads a counter before it yields the processor."""


def _locate_counter(context: Any, builder: Any, shared: Any, arguments: Any) -> Any:
    """Return the address of the counter that an intrinsic is called with."""
    return builder.gep(arrayobj.make_array(shared)(context, builder, value=arguments[0]).data, [arguments[1]])


@intrinsic
def fetch_add(typing_context: Any, shared: Any, counter: Any, step: Any) -> Any:
    """Add to a counter, atomically; return its value before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.atomic_rmw("add", _locate_counter(context, builder, shared, arguments), arguments[2], "seq_cst")

    return types.int64(shared, types.intp, types.int64), generate


@intrinsic
def atomic_store(typing_context: Any, shared: Any, counter: Any, value: Any) -> Any:
    """Set a counter; a thread that reads the new value also sees all earlier writes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store_atomic(arguments[2], _locate_counter(context, builder, shared, arguments), "seq_cst", 8)
        return context.get_dummy_value()

    return types.void(shared, types.intp, types.int64), generate


@intrinsic
def atomic_load(typing_context: Any, shared: Any, counter: Any) -> Any:
    """Return the value of a counter."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(_locate_counter(context, builder, shared, arguments), "seq_cst", 8)

    return types.int64(shared, types.intp), generate


@intrinsic
def yield_thread(typing_context: Any) -> Any:
    """Yield the processor to another thread."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        name = "SwitchToThread" if sys.platform == "win32" else "sched_yield"
        function = builder.module.globals.get(name)
        builder.call(function or ir.Function(builder.module, ir.FunctionType(ir.IntType(32), []), name), [])
        return context.get_dummy_value()

    return types.void(), generate


@kernel
def wait_at_barrier(shared: Counters, barriers: int, threads: int) -> None:
    """Wait until all threads have arrived; `barriers` is the number of barriers before this one."""
    fetch_add(shared, ARRIVED, 1)
    wait_until(shared, ARRIVED, (barriers + 1) * threads)


@kernel
def wait_until(shared: Counters, counter: int, value: int) -> None:
    """Wait until a counter has reached a value."""
    reads = 0
    while atomic_load(shared, counter) < value:
        reads += 1
        if reads > SPINS:
            yield_thread()


@kernel
def steal_work(shared: Counters, finished: int, threads: int) -> int:
    """Wait for a part of a job that another thread offers, and take it, the last part first.

    Returns the thread times 2^32 plus the part, or -1 once `finished` jobs are finished. An offer lasts until all its
    taken parts are returned, so a part that is taken belongs to the job that is offered now.
    """
    reads = 0
    while atomic_load(shared, FINISHED) < finished:
        for other in range(threads):
            counter = SHARED + other * PER_THREAD + LEFT
            if atomic_load(shared, counter) > 0:
                left = fetch_add(shared, counter, -1)
                if left > 0:
                    return (other << 32) + left - 1
        reads += 1
        if reads > SPINS:
            yield_thread()
    return -1


Binder = Callable[[Counters, int, int], KernelCall]
"""Binds a kernel for one thread, from the shared counters, the number of the thread and the number of threads."""


class KernelThreads:
    """Threads that call a kernel together; they stay for the next call."""

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._size = 0

    def bind_calls(self, bind: Binder, threads: int) -> list[KernelCall]:
        """Return a call for each thread."""
        shared = np.zeros(SHARED + threads * PER_THREAD, np.int64)
        return [bind(shared, thread, threads) for thread in range(threads)]

    def run(self, bind: Binder, threads: int) -> None:
        """Call a kernel in a number of threads; the result does not depend on that number."""
        first, *others = self.bind_calls(bind, threads)
        compile_missing([first])
        if not others:
            first()
            return
        if self._pool is None or self._size < len(others):
            from concurrent.futures import ThreadPoolExecutor

            self._size = len(others)
            self._pool = ThreadPoolExecutor(self._size)
        with defer_interrupt():  # the others would wait forever for a thread that Ctrl-C has kept from arriving
            futures = [self._pool.submit(other) for other in others]
            first()
            for future in futures:
                future.result()
