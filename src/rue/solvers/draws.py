"""Kernels that draw: a small random generator, and the choice of an action or an outcome (numba)."""

import numpy as np

from rue.regret.compiled import exact_part

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
S11, S27, S30, S31 = np.uint64(11), np.uint64(27), np.uint64(30), np.uint64(31)
UNIT = 2.0**-53


def first_state(seed: int) -> np.ndarray:
    """The state of the generator that a seed stands for: an array of one number, which `draw` moves on."""
    return np.random.SeedSequence(seed).generate_state(1, np.uint64)


@exact_part
def draw(state):
    """A number from [0, 1) of 53 bits (SplitMix64, Steele, Lea & Flood 2014)."""
    z = state[0] + GOLDEN
    state[0] = z
    z = (z ^ (z >> S30)) * FIRST
    z = (z ^ (z >> S27)) * SECOND
    z = z ^ (z >> S31)
    return np.float64(z >> S11) * UNIT


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
