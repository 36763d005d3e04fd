"""Random numbers and sampled choices, and the update that all sampled walks make (kernels)."""

from __future__ import annotations

import numpy as np

from zerosum.engine.updates.blocks import Index, Row
from zerosum.native.decorators import exact_inline
from zerosum.support.splitmix import GOLDEN, UNIT, make_mixer

STEP, BY_11 = np.uint64(GOLDEN), np.uint64(11)
mix = exact_inline(make_mixer(np.uint64))


@exact_inline
def draw_uniform(state: Row) -> float:
    """Draw a number of 53 bits from [0, 1); `state` is an array of one 64-bit number."""
    state[0] = state[0] + STEP
    return np.float64(mix(state[0]) >> BY_11) * UNIT


@exact_inline
def match_regret(regret: Row, slot: Index, count: Index, sigma: Row, row: Index) -> None:
    """Set sigma[row, a] = R+[a] / sum of R+, uniform if no regret is positive; `slot` is the infoset's first regret."""
    total = 0.0
    for a in range(count):
        positive = max(regret[slot + a], 0.0)
        sigma[row, a] = positive
        total += positive
    if total > 0.0:
        for a in range(count):
            sigma[row, a] /= total
    else:
        for a in range(count):
            sigma[row, a] = 1.0 / count


@exact_inline
def sample_action(sigma: Row, row: Index, count: Index, u: float) -> Index:
    """Return the action that u in [0, 1) falls on; never one of probability zero."""
    sum_so_far = 0.0
    last = 0
    for a in range(count):
        if sigma[row, a] > 0.0:
            sum_so_far += sigma[row, a]
            last = a
            if u < sum_so_far:
                break
    return last


@exact_inline
def sample_outcome(chance: Row, index: Index, count: Index, u: float) -> Index:
    """Return the outcome of a chance move that u in [0, 1) falls on.

    Its cumulative probabilities begin at `chance[index]`; a negative index means that all outcomes are equally likely.
    """
    if index < 0:
        return min(int(u * count), count - 1)
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        if u < chance[index + middle]:
            high = middle
        else:
            low = middle + 1
    return low


@exact_inline
def add_regret(regret: Row, slot: Index, r: float, floor: Index) -> None:
    """Add to a regret: R += r, or max(0, R + r) with a floor."""
    total = regret[slot] + r
    regret[slot] = max(total, 0.0) if floor else total
