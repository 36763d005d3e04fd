"""Start a run from a strategy instead of from uniform play.

The regret that a run starts with is, at every infoset I,

    R[I, a] = weight * C[I] M[I] * sigma[I, a]

sigma is the given strategy; C[I] M[I] bounds the values that an iteration can see at I, whatever both players do
(`rue.forms.bounds`), and 1 stands in where it is 0. Regret matching draws sigma from it, so iteration 1 plays the given
strategy; under temperature matching with exponent p the regret is proportional to sigma^(1/p) instead. Nothing else
changes: the average starts empty and iteration 1 counts as the first.

It still converges. Regret matching keeps, with Delta the range of an iteration's values at I and A actions,

    sum over a of R^T[I, a]+^2  <=  |R^0[I]|^2 + T Delta^2 A

for any start R^0 (Zinkevich et al. 2007 have R^0 = 0), and the regret of the T iterations alone is at most R^T because
R^0 is not negative. Divided by T it vanishes like sqrt(|R^0|^2 + T Delta^2 A) / T. Discounts only lower what is kept of
R^0.

The weight says how far the start is trusted: the larger it is, the longer the strategy is stayed near, and the longer
it takes to leave a poor one. This is not the warm start of Brown and Sandholm (AAAI 2016): their substitute regrets let
a run go on as if it had made many iterations, but the next one does not play the strategy.
"""

from __future__ import annotations

import math

from rue.algorithms.algorithm import Algorithm
from rue.algorithms.choices import Custom, ExponentialMatching, RegretMatching
from rue.checked import is_number, shown
from rue.errors import RueError

WEIGHT = 1.0


def check_weight(weight: float) -> None:
    """Refuse a weight that is none."""
    if not (is_number(weight) and math.isfinite(weight) and weight > 0.0):
        raise RueError(f"the weight of a start must be a number above 0, not {shown(weight)}")


def check_startable(algorithm: Algorithm) -> None:
    """Refuse what no strategy can be put into."""
    name = algorithm.name
    if algorithm.exact:
        raise RueError(f"{name} starts from nothing: a start goes with algorithms that iterate, like dcfr")
    if algorithm.sampling is not None:
        raise RueError(f"{name} samples, and a start goes with algorithms that walk every history, like dcfr")
    matching = isinstance(algorithm.match, RegretMatching | ExponentialMatching)
    if not matching or isinstance(algorithm.accumulate, Custom):
        raise RueError(f"{name} does not match regret: a start goes with regret matching, as in cfr+, dcfr and pcfr+")
