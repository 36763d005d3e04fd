"""A curve, or the mean of repeated runs with its band."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from typing import Any

from zerosum.results.curve import compute_mean_and_margin
from zerosum.support.validation import decode_number

WINDOW_START = 2 / 3
"""The window by which runs are judged begins at this share of the logarithm of their length."""
BYTES = "bytes"
"""The note that holds the memory of a solver, with all that its walk needs."""
RUN_DIGITS = 5
"""Significant digits of the stored curves of single runs."""


@dataclass(frozen=True)
class Curve:
    """The curve of a line with its band.

    Repeated runs (other seeds or other spots) give their mean with its 95% interval. A single run that was repeated
    with scaled payoffs gives its own curve, and the lowest and the highest of all as its band: the effect of rounding.

    >>> round(Curve("cfr", "cfr", (1, 100), (1.0, 0.01), (1.0, 0.01), (1.0, 0.01)).height_at(10), 9)
    0.1
    """

    label: str
    algorithm: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    seconds: float = 0.0
    """The computing time, summed over all runs."""
    repeats: int = 1
    notes: dict[str, float] = field(default_factory=dict)
    runs: tuple[tuple[float, ...], ...] = ()
    """The heights of every run, if there are several: of repeats in their order, or with the original payoffs first."""
    description: str = ""
    """The run: an algorithm on a game."""
    length: int = 0
    """The number of iterations or nodes."""
    version: str = ""
    """The version that computed it."""

    @property
    def last_x(self) -> float:
        """The x of the last point."""
        return self.x[-1]

    @property
    def last_y(self) -> float:
        """The height of the last point."""
        return self.y[-1]

    @property
    def window_start(self) -> float:
        """The first x of the window by which it is judged: the last third of the logarithm of its length."""
        return float(self.last_x**WINDOW_START)

    def to_json(self) -> dict[str, Any]:
        """Return all fields for JSON, without the band if there is none."""
        content = asdict(self)
        if self.low == self.high == self.y:
            del content["low"], content["high"]
        return content

    @staticmethod
    def from_json(content: Mapping[str, Any]) -> Curve:
        """Return the curve that `to_json` described; raise one of the `DAMAGE_ERRORS` if the content is not a curve."""
        fields = {"low": content["y"], "high": content["y"], **content}
        for name in ("x", "y", "low", "high"):
            fields[name] = tuple(map(decode_number, fields[name]))
        fields["runs"] = tuple(tuple(map(decode_number, run)) for run in fields["runs"])
        for number in (fields.get("seconds", 0.0), *fields.get("notes", {}).values()):
            decode_number(number)
        lists = [*(fields[name] for name in ("x", "y", "low", "high")), *fields["runs"]]
        if not fields["x"] or len({len(numbers) for numbers in lists}) > 1:
            raise ValueError("a curve has no points, or not all of them")
        return Curve(**fields)

    def split_band(self) -> tuple[Curve, Curve]:
        """Return the lower and the upper edge of the band as curves."""
        return replace(self, y=self.low), replace(self, y=self.high)

    def single_runs(self) -> Iterator[Curve]:
        """Yield the curve of each run alone."""
        for heights in self.runs or (self.y,):
            yield replace(self, y=heights, low=heights, high=heights, repeats=1, runs=())

    def compute_mean_height(self, first: float | None = None, last: float = math.inf) -> float:
        """Return the geometric mean over a span of log x; by default over the window that the curve is judged by.

        >>> x = tuple(float(number) for number in range(1, 1001))
        >>> y = tuple(1 / number for number in x)
        >>> round(Curve("cfr", "cfr", x, y, y, y).compute_mean_height(), 6) == round(1 / math.sqrt(100 * 1000), 6)
        True
        """
        first, last = self.window_start if first is None else first, min(last, self.last_x)
        points = sorted({min(first, last), *self.list_points_between(first, last), last})
        heights = [math.log(max(self.height_at(x), 5e-324)) for x in points]
        if len(points) == 1:
            return math.exp(heights[0])
        steps = [math.log(b / a) for a, b in pairwise(points)]
        middles = [(a + b) / 2 for a, b in pairwise(heights)]
        weighted = math.fsum(step * height for step, height in zip(steps, middles, strict=True))
        return math.exp(weighted / math.fsum(steps))

    def height_at(self, x: float) -> float:
        """Return the height at x, interpolated between points on logarithmic axes."""
        after = bisect_left(self.x, x)
        if after in (0, len(self.x)):
            return self.y[min(after, len(self.x) - 1)]
        (x_before, x_after), (before, height_after) = self.x[after - 1 : after + 1], self.y[after - 1 : after + 1]
        share = math.log(x / x_before) / math.log(x_after / x_before)
        if before <= 0 or height_after <= 0:
            return before + share * (height_after - before)
        return math.exp(math.log(before) + share * math.log(height_after / before))

    def list_points_between(self, first: float, last: float) -> list[float]:
        """Return the points of x in a span."""
        return [x for x in self.x if first <= x <= last]

    def find_first_below(self, y: float) -> float | None:
        """Return the first x at which the curve is at or below a height, or None."""
        return next((x for x, height in zip(self.x, self.y, strict=True) if height <= y), None)


def combine_runs(label: str, runs: Sequence[Curve], scaled: bool) -> Curve:
    """Return the curve of a line from those of its runs, at the points that all of them have.

    scaled: the runs differ by the scale of the payoffs alone; the first is returned, with the lowest and the highest of
    all as its band. Others are repeats, and their mean is returned; sampled ones pass a point at slightly different
    numbers of nodes.
    """
    if len(runs) == 1:
        return replace(runs[0], label=label)
    count = min(len(run.x) for run in runs)
    heights = list(zip(*(run.y[:count] for run in runs), strict=True))
    rounded = tuple(tuple(float(f"{y:.{RUN_DIGITS}g}") for y in run.y[:count]) for run in runs)
    shared: dict[str, Any] = {"label": label, "seconds": sum(run.seconds for run in runs), "runs": rounded}
    if scaled:
        low, high = tuple(map(min, heights)), tuple(map(max, heights))
        return replace(runs[0], x=runs[0].x[:count], y=runs[0].y[:count], low=low, high=high, **shared)
    means = [compute_mean_and_margin(numbers) for numbers in heights]
    return Curve(
        algorithm=runs[0].algorithm,
        x=tuple(math.fsum(run.x[i] for run in runs) / len(runs) for i in range(count)),
        y=tuple(middle for middle, _ in means),
        low=tuple(middle - margin for middle, margin in means),
        high=tuple(middle + margin for middle, margin in means),
        repeats=len(runs),
        **shared,
    )
