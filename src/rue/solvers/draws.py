"""Kernels that draw: a small random generator, and the choice of an action or an outcome (numba)."""

import numpy as np

from rue.algorithms.splitmix import GOLDEN, UNIT, mixer
from rue.native.compiled import exact_part

STEP, BY_11 = np.uint64(GOLDEN), np.uint64(11)
mix = exact_part(mixer(np.uint64))


@exact_part
def draw(state):
    """A number from [0, 1) of 53 bits."""
    state[0] = state[0] + STEP
    return np.float64(mix(state[0]) >> BY_11) * UNIT


@exact_part
def match(regret, slot, count, sigma, row):
    """sigma[a] = R+[a] / sum of R+, uniform where no regret is positive."""
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


@exact_part
def pick(sigma, row, count, u):
    """The action that u in [0, 1) falls on; never one of probability zero."""
    sum_so_far = 0.0
    last = 0
    for a in range(count):
        if sigma[row, a] > 0.0:
            sum_so_far += sigma[row, a]
            last = a
            if u < sum_so_far:
                break
    return last


@exact_part
def outcome(chance, at, count, u):
    """The outcome of a chance move that u in [0, 1) falls on; at < 0 means that all are alike."""
    if at < 0:
        return min(int(u * count), count - 1)
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        if u < chance[at + middle]:
            high = middle
        else:
            low = middle + 1
    return low
