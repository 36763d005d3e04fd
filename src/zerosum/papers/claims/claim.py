"""A claim about the curves of a figure, and the verdict on it.

Each claim has the paper's words in short and a test on the curves. It holds, does not hold, is not judged because the
runs were too short for it, or there is no difference: less than rounding makes (the same runs with payoffs times 1.1,
3, 7.3 and so on), or than repeats can distinguish. A run is judged by the geometric mean of its last third in log t,
not by its last point. Nothing is asserted: the verdict is printed with its evidence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from zerosum.papers.claims.intervals import VerdictWord
from zerosum.papers.curve import Curve

CurvesByPanel = Mapping[str, Mapping[str, Curve]]
"""Panel -> label -> curve."""
VerdictWithEvidence = tuple[VerdictWord, str]
"""A verdict and its evidence."""


@dataclass(frozen=True)
class Verdict:
    """The text of a claim, the verdict on it, and the numbers that show it."""

    claim: str
    word: VerdictWord
    evidence: str


@dataclass(frozen=True)
class Claim:
    """A statement about the curves of a panel, which `decide` tests.

    `labels` are the curves it speaks of, () for all; `needs` is the length that they must have for a verdict.
    """

    text: str
    panel: str
    labels: tuple[str, ...]
    needs: float
    decide: Callable[[CurvesByPanel], VerdictWithEvidence]
    other_panels: tuple[str, ...] = ()
    """Panels whose curves with the same labels it compares with those of `panel`."""

    def judge(self, curves: CurvesByPanel) -> Verdict:
        """Return the verdict."""
        labels = self.labels or tuple(curves[self.panel])
        lines = [(panel, label) for panel in (self.panel, *self.other_panels) for label in labels]
        missing = [
            f"{label} of {panel}" if self.other_panels else label
            for panel, label in lines
            if label not in curves[panel]
        ]
        if missing or not labels:
            return Verdict(self.text, "not judged", f"{missing[0] if missing else 'nothing'} was not run")
        reached = min(curves[panel][label].last for panel, label in lines)
        if reached < self.needs:
            return Verdict(self.text, "not judged", f"needs {self.needs:,.0f}, the runs end at {reached:,.0f}")
        return Verdict(self.text, *self.decide(curves))


class Pair(NamedTuple):
    """Two curves of a panel: the one that is said to be better, and the other."""

    panel: str
    better: str
    worse: str

    def claim(self, text: str, needs: float, decide: Callable[[Curve, Curve], VerdictWithEvidence]) -> Claim:
        """Return a claim that the two curves decide."""
        return claim_about(text, self.panel, (self.better, self.worse), needs, decide)


def claim_about(
    text: str, panel: str, labels: tuple[str, ...], needs: float, decide: Callable[..., VerdictWithEvidence]
) -> Claim:
    """Return a claim that the curves with some labels decide, which `decide` gets in their order."""
    return Claim(text, panel, labels, needs, lambda curves: decide(*(curves[panel][label] for label in labels)))


def with_threshold(text: str, least: float, most: float = math.inf) -> str:
    """Return the text of a claim with the number that decides it, where the paper's words have none.

    >>> with_threshold("far ahead", 10), with_threshold("alike", 0.5, 2), with_threshold("worse", 1)
    ('far ahead (at least 10 times)', 'alike (within 2 times)', 'worse')
    """
    if most < math.inf:
        return f"{text} (within {most:g} times)" if most > 1 else text
    return f"{text} (at least {least:g} times)" if least != 1 else text
