"""Where a run is evaluated: spaced by logarithms, no more than can be afforded, and close to where it is to end.

What is afforded follows from what evaluations and iterations cost by constants (`BaseSolver.worked`), never from a
clock: a run has the same points on every machine, cut into pieces or not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rue.records import dataclass
from rue.results.points import Point

POINTS_A_DECADE = 12
SHARE = 0.08
"""Of the work of a run that evaluations may take; the one at its end comes on top."""
FREE = 0.1
"""Seconds of evaluations that nobody minds, however short the run."""
CLOSER = 1.04
"""How far apart evaluations are where an exploitability is about to be reached."""
NEAR = 3.0
"""Times the exploitability that is wanted: from there on it is about to be reached."""
CAUTION = 0.9
"""The share of the way that a curve is trusted to go on as it did."""
FALL = 2.0
"""The power of t that exploitability is expected to fall with before a curve tells: that of DCFR on hold'em."""
STEEPEST = 4.0
LARGEST = 10**30
"""Beyond any place."""
FARTHEST = 10.0
"""Powers of e of the way so far beyond which nothing is told."""


def checkpoints(iterations: int, per_decade: int = POINTS_A_DECADE) -> Iterator[int]:
    """Iterations, or numbers of nodes, spaced by logarithms, the last one included.

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


def on_grid(place: int, per_decade: int = POINTS_A_DECADE) -> bool:
    """Whether a place is one of the checkpoints of every run that gets so far, not only of a run that ends there.

    >>> on_grid(100), on_grid(107)
    (True, False)
    """
    step = round(math.log10(place) * per_decade)
    return any(round(10 ** (near / per_decade)) == place for near in (step - 1, step, step + 1))


@dataclass(frozen=True)
class Looks:
    """Decides where a run is evaluated; `until` is the exploitability that ends it, if any.

    >>> looks = Looks()
    >>> places = looks.places(7)
    >>> [next(places) for _ in range(8)]
    [7, 8, 10, 12, 15, 18, 22, 26]
    >>> next(place for place in looks.places(1) if looks.worth(place, [], worked=0.1 * place, cost=0.3))
    38
    """

    until: float | None = None

    def places(self, first: int) -> Iterator[int]:
        """The places from the first on at which an evaluation is considered, without end."""
        close = 1
        for place in checkpoints(LARGEST):
            while self.until is not None and close < place:
                if close >= first:
                    yield close
                close = max(close + 1, math.floor(CLOSER * close))
            close = max(close, place + 1)
            if place >= first:
                yield place

    def worth(self, place: int, curve: Sequence[tuple[int, float]], worked: float, cost: float) -> bool:
        """Whether to evaluate at a place, after evaluations that found (place, exploitability) and so much work."""
        spent = (len(curve) + 1) * cost
        affordable = spent <= max(FREE, SHARE * (worked + spent))
        if self.until is None or not curve:
            return affordable and (self.until is None or on_grid(place))
        if affordable:
            return on_grid(place) or curve[-1][1] <= NEAR * self.until
        reached = crossing(curve, self.until, CAUTION)
        return reached is not None and reached <= place and place >= math.floor(CLOSER * curve[-1][0])


def crossing(curve: Sequence[tuple[int, float]], until: float, caution: float = 1.0) -> float | None:
    """The place at which a curve gets to an exploitability if it falls as steeply as between its last points.

    That is a straight line of log exploitability over log place. None while nothing can be told.

    >>> round(crossing([(1, 8.0), (2, 4.0), (4, 2.0)], 0.25), 9)
    32.0
    >>> crossing([], 0.25) is crossing([(1, 8.0), (2, 4.0)], 0.0) is None
    True
    """
    if not curve or until <= 0.0:
        return None
    place, height = curve[-1]
    falls = [
        math.log(up / height) / math.log(place / at) for at, up in curve[-3:-1] if up > height > 0.0 and at < place
    ]
    steps = caution * math.log(max(1.0, height / until)) / min(max(falls, default=FALL), STEEPEST)
    return place * math.exp(steps) if steps < FARTHEST else None


def height(point: Point, by_nodes: bool) -> tuple[int, float]:
    """A point of a curve as it is looked at here: its place, in iterations or nodes, and its exploitability."""
    return (point.nodes or 0) if by_nodes else point.iteration, point.exploitability
