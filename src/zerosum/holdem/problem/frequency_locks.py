"""The strategy of a range with requested overall frequencies that is closest to another strategy.

Let w[h] be how likely hand h is held, s the strategy to stay close to and f[a] the requested frequencies, of some
actions or of all. The closest of all strategies sigma with sum over h of w[h] sigma[a, h] = f[a] sum of w are those
that move the least probability between actions:

    sum over h of w[h] (1/2) sum over a of |sigma[a, h] - s[a, h]|

The frequencies themselves have to move by this minimum, and many strategies attain it. The one among them that loses
the least EV is returned, by sum over h, a of w[h] (s[a, h] - sigma[a, h]) EV[a, h]: to fold more, the worst calls fold.
Both are a linear program over the probability m[h, b, a] that hand h moves from action b to action a.
"""

from __future__ import annotations

import numpy as np

from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.problems.locks import TOLERANCE
from zerosum.support.errors import ZerosumError

EXACT = 1e-12
"""The largest rounding error of a frequency."""
SCALE = 1e3
"""The linear program multiplies probabilities by this, because its solver takes 1e-7 for 0."""


def find_closest_strategy(strategy: Floats, weights: Floats, evs: Floats, frequencies: Floats, fixed: Floats) -> Floats:
    """Return the closest strategy with requested frequencies.

    strategy: the strategy to stay close to, shape (actions, hands), as that of `evs` and `fixed`.
    weights: how likely each hand is held.
    evs: the EV of each action with each hand.
    frequencies: the requested frequency of each action, nan for the actions that are free.
    fixed: the strategies of hands that must not change, nan for the others.

    >>> calls = np.array([[0.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    >>> evs = np.array([[0.0, 0.0, 0.0], [5.0, 0.5, -1.0]])
    >>> free = np.full((2, 3), np.nan)
    >>> find_closest_strategy(calls, np.ones(3), evs, np.array([0.5, np.nan]), free).round(9).tolist()
    [[0.0, 0.5, 1.0], [1.0, 0.5, 0.0]]
    """
    start = np.where(np.isnan(fixed), strategy, fixed)
    likely = weights / weights.sum() if weights.any() else np.full(len(weights), 1.0 / len(weights))
    missing = np.where(np.abs(frequencies - start @ likely) < EXACT, 0.0, frequencies - start @ likely)
    room = start * likely * np.isnan(fixed[0])
    named = ~np.isnan(frequencies)
    more, less = np.where(named & (missing > 0), missing, 0.0), np.where(named & (missing < 0), -missing, 0.0)
    short = float(more.sum() - less.sum())
    sources, targets = np.flatnonzero(less).tolist(), np.flatnonzero(more).tolist()
    sources += np.flatnonzero(~named).tolist() if short > 0 else []
    targets += np.flatnonzero(~named).tolist() if short < 0 else []
    if (room.sum(axis=1) + TOLERANCE < less).any() or room[~named].sum() + TOLERANCE < short:
        raise ZerosumError("the hands that are not locked otherwise cannot make up for it: ask for other frequencies")
    if not sources or not targets:
        return start
    moved = _move_probability(room, evs, (sources, targets), (more, less))
    change = np.divide(moved, likely, out=np.zeros_like(moved), where=likely > 0)
    changed = np.clip(start + change, 0.0, None)
    return np.asarray(np.where(np.isnan(fixed), changed / changed.sum(axis=0), fixed))


def _move_probability(
    room: Floats, evs: Floats, between: tuple[list[int], list[int]], amounts: tuple[Floats, Floats]
) -> Floats:
    """Return the probability that each action of each hand gains when probability moves at the least loss of EV.

    room: how much each action of each hand can give. between: the actions that give and those that receive.
    amounts: how much each action must receive and give in all, 0 for free actions.
    """
    from scipy import sparse
    from scipy.optimize import linprog

    sources, targets = between
    most = room[sources].sum()
    more = amounts[0] * min(1.0, most / max(amounts[0].sum(), EXACT))  # all there is, not more by rounding
    less = np.minimum(amounts[1], room.sum(axis=1))
    hands = np.flatnonzero(room[sources].any(axis=0))
    pairs = [(b, a) for b in sources for a in targets]
    count = len(hands)
    cost = np.concatenate([evs[b, hands] - evs[a, hands] for b, a in pairs])
    identity = sparse.eye_array(count, format="csr")
    leaves = sparse.block_array([[identity if b == source else 0 * identity for b, _ in pairs] for source in sources])
    exact = [(targets, 1, more), (sources, 0, less)]
    rows = [
        (np.repeat([float(pair[end] == action) for pair in pairs], count), total[action])
        for actions, end, total in exact
        for action in actions
        if total[action] > 0
    ]
    solution = linprog(
        cost,
        A_ub=leaves.tocsr(),
        b_ub=SCALE * np.concatenate([room[source, hands] for source in sources]),
        A_eq=np.array([row for row, _ in rows]),
        b_eq=SCALE * np.array([total for _, total in rows]),
        method="highs",
    )
    if solution.status != 0:
        raise ZerosumError(f"no strategy has these frequencies: {solution.message}")
    change = np.zeros_like(room)
    for (b, a), moved in zip(pairs, np.maximum(solution.x / SCALE, 0.0).reshape(len(pairs), count), strict=True):
        change[b, hands] -= moved
        change[a, hands] += moved
    return change
