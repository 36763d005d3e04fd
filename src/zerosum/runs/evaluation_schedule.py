"""When a run is evaluated: at logarithmic intervals, within a share of the running time, and densely near its target.

Whether an evaluation is affordable follows from constant costs of evaluations and iterations, never from a clock: a run
has the same points on every machine, interrupted or not. A clock position counts iterations, or the nodes touched
where they end the run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zerosum.results.curve import Point

POINTS_PER_DECADE = 12
EVALUATION_SHARE = 0.08
"""The share of a run's work that evaluations may take; the one at its end is not counted."""
FREE_SECONDS = 0.1
"""Seconds of evaluations that are always affordable, however short the run."""
FINE_RATIO = 1.04
"""The ratio of successive clock positions when the target exploitability is near."""
NEAR_RATIO = 3.0
"""The target is near from this multiple of it on."""
PREDICTION_TRUST = 0.9
"""The share of the predicted distance, on a log scale, after which the run is evaluated again."""
DEFAULT_SLOPE = 2.0
"""The power of t with which exploitability is assumed to fall until the curve shows it: that of DCFR on hold'em."""
MAX_SLOPE = 4.0
"""The steepest fall that a prediction assumes."""
MAX_POSITION = 10**30
"""Beyond any clock position of a run."""
MAX_LOG_DISTANCE = 10.0
"""Logarithm of the multiple of the present clock position beyond which nothing is predicted."""


def iterate_checkpoints(iterations: int, per_decade: int = POINTS_PER_DECADE) -> Iterator[int]:
    """Yield clock positions at equal logarithmic intervals, `iterations` included.

    >>> list(iterate_checkpoints(20, 4))
    [1, 2, 3, 6, 10, 18, 20]
    """
    last, step = 0, 0
    while last < iterations:
        point = min(iterations, round(10 ** (step / per_decade)))
        if point > last:
            yield point
            last = point
        step += 1


def is_checkpoint(position: int, per_decade: int = POINTS_PER_DECADE) -> bool:
    """Return whether a clock position is a checkpoint of every run that gets there, not only of one that ends there.

    >>> is_checkpoint(100), is_checkpoint(107)
    (True, False)
    """
    step = round(math.log10(position) * per_decade)
    return any(round(10 ** (candidate / per_decade)) == position for candidate in (step - 1, step, step + 1))


@dataclass(frozen=True)
class EvaluationSchedule:
    """Decides when a run is evaluated; `until` is the target exploitability that ends it, if any.

    >>> schedule = EvaluationSchedule()
    >>> positions = schedule.iterate_candidates(7)
    >>> [next(positions) for _ in range(8)]
    [7, 8, 10, 12, 15, 18, 22, 26]
    >>> later = schedule.iterate_candidates(1)
    >>> next(t for t in later if schedule.should_evaluate(t, [], work_seconds=0.1 * t, cost=0.3))
    38
    """

    until: float | None = None

    def iterate_candidates(self, first: int) -> Iterator[int]:
        """Yield the clock positions from `first` on at which an evaluation is considered, without end."""
        fine = 1
        for checkpoint in iterate_checkpoints(MAX_POSITION):
            while self.until is not None and fine < checkpoint:
                if fine >= first:
                    yield fine
                fine = max(fine + 1, math.floor(FINE_RATIO * fine))
            fine = max(fine, checkpoint + 1)
            if checkpoint >= first:
                yield checkpoint

    def should_evaluate(
        self, position: int, curve: Sequence[tuple[int, float]], work_seconds: float, cost: float
    ) -> bool:
        """Decide whether to evaluate at a clock position.

        `curve` has the clock position and the exploitability of each evaluation so far, each of which took `cost`
        seconds; `work_seconds` is the work of the iterations so far.
        """
        evaluation_seconds = (len(curve) + 1) * cost
        affordable = evaluation_seconds <= max(FREE_SECONDS, EVALUATION_SHARE * (work_seconds + evaluation_seconds))
        if self.until is None or not curve:
            return affordable and (self.until is None or is_checkpoint(position))
        if affordable:
            return is_checkpoint(position) or curve[-1][1] <= NEAR_RATIO * self.until
        crossing = predict_crossing(curve, self.until, PREDICTION_TRUST)
        return crossing is not None and crossing <= position and position >= math.floor(FINE_RATIO * curve[-1][0])


def predict_crossing(curve: Sequence[tuple[int, float]], until: float, trust: float = 1.0) -> float | None:
    """Predict the clock position at which a curve reaches an exploitability; None if it cannot be predicted.

    The curve is continued as a straight line of log exploitability over log position, with the slope between its last
    points, for a share `trust` of the distance.

    >>> round(predict_crossing([(1, 8.0), (2, 4.0), (4, 2.0)], 0.25), 9)
    32.0
    >>> predict_crossing([], 0.25) is predict_crossing([(1, 8.0), (2, 4.0)], 0.0) is None
    True
    """
    if not curve or until <= 0.0:
        return None
    position, height = curve[-1]
    slopes = [
        math.log(earlier_height / height) / math.log(position / earlier)
        for earlier, earlier_height in curve[-3:-1]
        if earlier_height > height > 0.0 and earlier < position
    ]
    log_distance = trust * math.log(max(1.0, height / until)) / min(max(slopes, default=DEFAULT_SLOPE), MAX_SLOPE)
    return position * math.exp(log_distance) if log_distance < MAX_LOG_DISTANCE else None


def get_coordinates(point: Point, by_nodes: bool) -> tuple[int, float]:
    """Return the clock position of a point, in nodes or iterations, and its exploitability."""
    return (point.nodes or 0) if by_nodes else point.iteration, point.exploitability
