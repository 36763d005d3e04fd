"""Starting a run from a strategy other than uniform play.

The regret that a run starts with is, at every infoset I,

    R[I, a] = weight * C[I] M[I] * sigma[I, a]

sigma is the given strategy; C[I] M[I] bounds the values that an iteration can see at I, whatever both players do
(`zerosum.engine.sequence.step_sizes`), with 1 in place of 0. Regret matching gives sigma, so
iteration 1 plays the given strategy; under temperature matching with exponent p the regret is proportional to
sigma^(1/p) instead. Nothing else changes: the average starts empty and iteration 1 counts as the first.

It still converges. Regret matching keeps, with Delta the range of an iteration's values at I and A actions,

    sum over a of R^T[I, a]+^2  <=  |R^0[I]|^2 + T Delta^2 A

for any start R^0 (Zinkevich et al. 2007 have R^0 = 0), and the regret of the T iterations alone is at most R^T because
R^0 is not negative. Divided by T it vanishes like sqrt(|R^0|^2 + T Delta^2 A) / T. Discounts only lower what is kept of
R^0.

The weight says how far the start is trusted: the larger it is, the longer a run stays near the strategy, and the longer
it takes to leave a poor one. This is not the warm start of Brown and Sandholm (AAAI 2016): their substitute regrets let
a run continue as if after many iterations, but the next one does not play the strategy.
"""

from __future__ import annotations

import math
from typing import Any

from zerosum.algorithms.algorithm import Algorithm
from zerosum.algorithms.choices import CustomRule, ExponentialMatching, RegretMatching
from zerosum.support.errors import ZerosumError
from zerosum.support.validation import is_number, short_repr


def check_start_weight(weight: float) -> None:
    """Refuse a weight that is not a positive number."""
    if not (is_number(weight) and math.isfinite(weight) and weight > 0.0):
        raise ZerosumError(f"the weight of a start must be a number above 0, not {short_repr(weight)}")


def check_can_start(algorithm: Algorithm) -> None:
    """Refuse an algorithm that cannot start from a strategy."""
    name = algorithm.name
    if algorithm.exact:
        raise ZerosumError(f"{name} cannot start from a strategy: use an algorithm that iterates, like dcfr")
    if algorithm.sampling is not None:
        raise ZerosumError(
            f"{name} samples, so it cannot start from a strategy: use an algorithm that does not, like dcfr"
        )
    matching = isinstance(algorithm.match, RegretMatching | ExponentialMatching)
    if not matching or isinstance(algorithm.accumulate, CustomRule):
        raise ZerosumError(f"{name} does not match regret, so it cannot start from a strategy: use cfr+, dcfr or pcfr+")


def compute_initial_regret(bound: Any, sigma: Any, weight: float, exponent: float) -> Any:
    """Return weight * C M * sigma^(1/p): `bound` is C M, 1 where it is 0, and `exponent` is p."""
    return weight * bound * sigma ** (1.0 / exponent)
