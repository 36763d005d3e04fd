"""Figures as data: panels of lines, each a run of an algorithm on a game, and claims about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from zerosum.papers.claim import Claim
from zerosum.problems.kinds import find_kind_by_name
from zerosum.results.payoff_unit import Unit
from zerosum.support.errors import ZerosumError

Scale = Literal["full", "gallery", "quick"]
"""As long as in the papers; all figures in about three hours on two cores; all in ten minutes."""
Measure = Literal["exploitability", "distance", "mistake", "space"]
"""What is measured: exploitability; the distance of the average from the equilibrium; the probability of all but the
best action in the current strategy; how many numbers are stored for each action of an infoset."""
Axes = Literal["log-log", "linear-log", "log-linear", "linear-linear"]
"""Scales of the horizontal and the vertical axis."""
Drawing = Literal["curves", "dots", "pairs", "treeplex", "tree"]
"""Curves; a dot for what each line is judged by; pairs of lines, one against the other; two kinds of trees."""
LengthUnit = Literal["iterations", "nodes"]
Lines = dict[str, str]
"""The lines of a panel: label in the picture -> algorithm."""
LIBRATUS = "libratus:"
"""Prefix of the names of games whose files are not in the package."""


@dataclass(frozen=True)
class ByScale:
    """A number at each scale; by default the gallery's is the paper's, and the quick one is the gallery's.

    >>> ByScale(1000, quick=50).at_scale("gallery"), ByScale(1000, quick=50).at_scale("quick")
    (1000, 50)
    """

    full: int
    gallery: int | None = None
    quick: int | None = None

    def at_scale(self, scale: Scale, limit: int | None = None) -> int:
        """Return the number at a scale, at most a limit."""
        gallery = self.full if self.gallery is None else self.gallery
        quick = gallery if self.quick is None else self.quick
        number = {"full": self.full, "gallery": gallery, "quick": quick}[scale]
        return number if limit is None else min(number, limit)


def label_by_name(*algorithms: str) -> Lines:
    """Return lines that are labelled with the names of their algorithms, in capitals.

    >>> label_by_name("cfr+", "dcfr(1.5, -inf, 2)")
    {'CFR+': 'cfr+', 'DCFR(1.5, -inf, 2)': 'dcfr(1.5, -inf, 2)'}
    """
    return {algorithm.upper().replace("INF", "inf"): algorithm for algorithm in algorithms}


def make_simultaneous(lines: Lines) -> Lines:
    """Return the same lines with both players updated at once.

    >>> make_simultaneous({"CFR": "cfr", "DCFR": "dcfr(1.5, 0, 2)"})
    {'CFR': 'cfr(order=simultaneous)', 'DCFR': 'dcfr(1.5, 0, 2, order=simultaneous)'}
    """
    return {
        label: f"{algorithm.removesuffix(')')}{', ' if '(' in algorithm else '('}order=simultaneous)"
        for label, algorithm in lines.items()
    }


@dataclass(frozen=True)
class Panel:
    """One picture: a game, the runs on it and the axes.

    `game` may contain `{}`, which stands for the number of a repeat: 0, 1, ...
    """

    title: str
    game: str
    lines: Lines
    length: ByScale
    length_unit: LengthUnit = "iterations"
    x_axis: LengthUnit | None = None
    """The unit of the horizontal axis, if not that of the length."""
    repeats: ByScale = ByScale(1)
    random_starts: bool = False
    """Whether repeats start from random regrets, each with another seed."""
    most_lines: ByScale | None = None
    """The number of lines that are run, from the first; by default all."""
    payoff_scales: ByScale = ByScale(8, quick=1)
    """The number of scales of the payoffs (`curve_job.PAYOFF_SCALES`) that a line without repeats is run with."""
    measure: Measure = "exploitability"
    axes: Axes = "log-log"
    window: tuple[float, float] | None = None
    """The part of the horizontal axis that is drawn, unless the runs are too short; by default all of it."""
    is_drawn: bool = True
    """False for runs that only a claim needs."""

    def describe_run(self, label: str) -> str:
        """Return the run of a line as text."""
        return f"{self.lines[label]} on {self.game}"

    @property
    def has_payoff_scales(self) -> bool:
        """Whether lines without repeats are run with several scales of the payoffs: those that are not random."""
        return self.length_unit == "iterations" and not self.random_starts and self.measure == "exploitability"

    @property
    def unit(self) -> str:
        return "mbb/g" if find_kind_by_name(self.game) is not None else Unit().paper_measure.name

    @property
    def x_label(self) -> str:
        return "nodes touched" if (self.x_axis or self.length_unit) == "nodes" else "iterations"

    @property
    def y_label(self) -> str:
        return {
            "exploitability": f"exploitability ({self.unit})",
            "distance": "distance of the average from equilibrium",
            "mistake": "probability of the worse actions",
            "space": "numbers for each action of an infoset",
        }[self.measure]


@dataclass(frozen=True)
class Figure:
    """A figure or table of a paper."""

    key: str
    title: str
    panels: tuple[Panel, ...]
    claims: tuple[Claim, ...] = ()
    notes: str = ""
    """Our choices where the paper is silent, and what is left out."""
    drawing: Drawing = "curves"
    section: str = ""
    """The section that it illustrates if it has no number in the paper."""

    @property
    def paper(self) -> str:
        return self.key.partition("-")[0]

    @property
    def reference(self) -> str:
        """The place in the paper, like `figure 1` or `table 1`; `ours` if it is not there."""
        number = self.key.partition("-")[2]
        if number.startswith("table"):
            return f"table {number.removeprefix('table')}"
        return self.section or (f"figure {number}" if number.isdecimal() else "ours")

    def to_json(self) -> dict[str, Any]:
        """Return the texts that describe the figure, for JSON."""
        names = {"key": self.key, "title": self.title, "place": self.reference}
        return {**names, "libratus": self.needs_libratus, "claims": [claim.text for claim in self.claims]}

    @property
    def needs_libratus(self) -> bool:
        return any(panel.game.startswith(LIBRATUS) for panel in self.panels)


@dataclass(frozen=True)
class FigureLimits:
    """Upper limits on the runs of a figure; None where the scale decides."""

    iterations: int | None = None
    nodes: int | None = None
    repeats: int | None = None
    only: str = ""
    """A part of the title of the panel and the label of the lines to run, as in "subgame 1: CFR+"; "" for all."""

    def __post_init__(self) -> None:
        for name in ("iterations", "nodes", "repeats"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise ZerosumError(f"{name} must be at least 1, not {number}")

    def choose_lines(self, panel: Panel, scale: Scale) -> Lines:
        """Return the lines of a panel that are run."""
        count = len(panel.lines) if panel.most_lines is None else panel.most_lines.at_scale(scale)
        lines, part = list(panel.lines.items())[:count], self.only.lower()
        return {label: algorithm for label, algorithm in lines if part in f"{panel.title}: {label}".lower()}
