"""Scratch arrays of the walk: shapes, allocation, bytes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from zerosum.algorithms.kernel_rule import PROPAGATED, KernelRule
from zerosum.engine.forms.public.columns import WAYS_TO_PAY
from zerosum.engine.forms.public.extents import Extents
from zerosum.engine.public.decisions import WORK_ROWS
from zerosum.engine.public.ends import TOTAL
from zerosum.engine.public.walk import Scratch
from zerosum.engine.updates.vector_memory import LANES

EVALUATION_BYTES = 8
"""Bytes of a number in an evaluation."""
INTEGER_ARRAYS = {"starts": np.int64, "stack": np.int64}
"""The dtypes of arrays that do not hold the numbers of a walk."""
ALIGNED_ARRAYS = ("lanes", "sums")
"""Arrays that begin at a cache line."""
Shapes = dict[str, tuple[int, ...]]


def compute_scratch_shapes(extents: Extents, threads: int, prediction: bool = False, own_reach: bool = False) -> Shapes:
    """Return the shape of each array of `Scratch`."""
    levels, widest, largest = extents.levels, extents.widest, extents.largest
    pieces = extents.pieces if threads > 1 else 0
    return {
        "reach": (threads, levels, largest + LANES),
        "value": (threads, levels, largest + widest),
        "prediction": (threads, levels, largest if prediction else 0),
        "own_reach": (threads, levels, largest if own_reach else 0),
        "lanes": (threads, 3, LANES * (widest + LANES)),
        "sums": (threads, (TOTAL + 1) * LANES),
        "strategy": (threads, extents.actions * widest),
        "score": (threads, extents.actions * widest),
        "work": (threads, WORK_ROWS, widest),
        "starts": (threads, 1 + WAYS_TO_PAY, LANES),
        "amounts": (threads, WAYS_TO_PAY, LANES),
        "stack": (threads, levels, 2),
        "parts": (threads, 2 if prediction else 1, pieces, extents.entering_pieces if pieces else 0),
    }


def allocate_scratch(shapes: Shapes, dtype: Any) -> Scratch:
    """Allocate scratch arrays."""
    arrays = {}
    for name, shape in shapes.items():
        allocate = allocate_aligned_zeros if name in ALIGNED_ARRAYS else np.zeros
        arrays[name] = allocate(shape, INTEGER_ARRAYS.get(name, dtype))
    return Scratch(**arrays)


def add_prediction_room(scratch: Scratch, shapes: Shapes) -> Scratch:
    """Return the same arrays with room for the value of the player's own average beside that of a best response."""
    dtype = scratch.reach.dtype
    return scratch._replace(prediction=np.zeros(shapes["value"], dtype), parts=np.zeros(shapes["parts"], dtype))


def compute_deal_values_shape(extents: Extents, deals: int, prediction: bool) -> tuple[int, int, int]:
    """Return the shape of the values of some deals of the first place."""
    return 2 if prediction else 1, deals, extents.entering


def count_scratch_bytes(extents: Extents, rule: KernelRule, threads: int, number_bytes: int) -> int:
    """Return the bytes that iterations and evaluations take; numbers of iterations have `number_bytes` bytes."""
    weighted = bool(rule.weighted)
    alone, both = (compute_scratch_shapes(extents, threads, predicted, weighted) for predicted in (False, True))
    iteration = both if rule.predict == PROPAGATED else alone
    numbers = sum(math.prod(shape) for shape in iteration.values())
    evaluated = sum(math.prod(shape) for shape in (*alone.values(), both["value"], both["parts"]))
    return number_bytes * numbers + EVALUATION_BYTES * evaluated


def count_deal_value_bytes(extents: Extents, rule: KernelRule, number_bytes: int) -> int:
    """Return the bytes that the values of all deals take in an iteration and in an evaluation together."""
    iteration = compute_deal_values_shape(extents, extents.deals, rule.predict == PROPAGATED)
    evaluation = compute_deal_values_shape(extents, extents.deals, True)
    return number_bytes * math.prod(iteration) + EVALUATION_BYTES * math.prod(evaluation)


def allocate_aligned_zeros(shape: tuple[int, ...], dtype: Any) -> Any:
    """Return zeros that begin at a cache line, so that no vector lies in two of them."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(size + 64, np.uint8)
    first = -raw.ctypes.data % 64
    return raw[first : first + size].view(dtype).reshape(shape)
