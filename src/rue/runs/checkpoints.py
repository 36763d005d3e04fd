"""Where a run is evaluated, and what its curve tells of the time that is left."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rue.results.points import Point

POINTS_A_DECADE = 12
FORESEEABLE = 5
"""Points of a curve before anything is told of its future."""
FARTHEST = 10.0
"""Powers of e of the time so far beyond which nothing is told."""


def checkpoints(iterations: int, per_decade: int = POINTS_A_DECADE) -> Iterator[int]:
    """The iterations, or numbers of nodes, at which a run is evaluated: log-spaced, the last one included.

    >>> list(checkpoints(20, 4))
    [1, 2, 3, 6, 10, 18, 20]
    """
    last, step = 0, 0
    while last < iterations:
        point = min(iterations, round(10 ** (step / per_decade)))
        if point > last:
            yield point
            last = point
        step += 1


def in_every_run(target: int, per_decade: int = POINTS_A_DECADE) -> bool:
    """Whether a checkpoint is one of every run that gets so far, not only of a run that ends there.

    >>> in_every_run(100), in_every_run(107)
    (True, False)
    """
    step = round(math.log10(target) * per_decade)
    return any(round(10 ** (near / per_decade)) == target for near in (step - 1, step, step + 1))


def foreseen(curve: Sequence[Point], until: float) -> float | None:
    """The second at which a curve gets to an exploitability if it falls as fast as since a quarter of its time.

    That is a straight line of log exploitability over log time. None while nothing can be told.

    >>> curve = [Point(n, n / 10, 8 / n, 16 / n, 0.0) for n in (1, 2, 4, 8, 16)]
    >>> foreseen(curve, 0.25)
    3.2
    >>> foreseen(curve[:2], 0.25) is foreseen(curve, 0.0) is None
    True
    """
    if len(curve) < FORESEEABLE:
        return None
    last = curve[-1]
    before = next(point for point in curve if 4.0 * point.seconds >= last.seconds)
    if not (until > 0.0 and 0.0 < last.exploitability < before.exploitability and before.seconds < last.seconds):
        return None
    slope = math.log(before.exploitability / last.exploitability) / math.log(last.seconds / before.seconds)
    steps = math.log(max(1.0, last.exploitability / until)) / slope
    return last.seconds * math.exp(steps) if steps < FARTHEST else None
