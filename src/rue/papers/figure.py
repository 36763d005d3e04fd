"""What a figure is made of: panels of lines, each a run of an algorithm on a game, and claims about them."""

from __future__ import annotations

from typing import Any, Literal

from rue.errors import RueError
from rue.names import names_spot
from rue.papers.claims import Claim
from rue.records import dataclass
from rue.results.unit import Unit

Scale = Literal["full", "gallery", "quick"]
"""As long as the paper's runs; what two cores do in about three hours; what they do in ten minutes."""
Measure = Literal["exploitability", "distance", "mistake", "space"]
"""What a run is judged by: exploitability; the distance of its average from the equilibrium; the probability that the
current strategy gives to all but the best action; the numbers that are stored for each action of an infoset."""
Axes = Literal["log-log", "linear-log", "log-linear", "linear"]
"""Across and up."""
Drawing = Literal["curves", "dots", "pairs", "treeplex", "tree"]
"""Curves; what each line ends with; what lines end with in pairs, one of each against the other; two kinds of trees."""
LIBRATUS = "libratus:"
"""How the names of the games begin whose files are not in the package."""


@dataclass(frozen=True)
class Size:
    """A number at each scale; the gallery's is the paper's, and quick's the gallery's, if they are not given.

    >>> Size(1000, quick=50).at("gallery"), Size(1000, quick=50).at("quick")
    (1000, 50)
    """

    full: int
    gallery: int | None = None
    quick: int | None = None

    def at(self, scale: Scale) -> int:
        """The number at a scale."""
        gallery = self.full if self.gallery is None else self.gallery
        return {"full": self.full, "gallery": gallery, "quick": gallery if self.quick is None else self.quick}[scale]


@dataclass(frozen=True)
class Line:
    """A line of a panel: what it is called in the picture, and the algorithm."""

    label: str
    algorithm: str


def simultaneous(*lines: Line) -> tuple[Line, ...]:
    """The same lines with both players updated at once.

    >>> simultaneous(Line("CFR", "cfr"), Line("DCFR", "dcfr(1.5, 0, 2)"))[1].algorithm
    'dcfr(1.5, 0, 2, order=simultaneous)'
    """

    def named(algorithm: str) -> str:
        return f"{algorithm.removesuffix(')')}{', ' if '(' in algorithm else '('}order=simultaneous)"

    return tuple(Line(line.label, named(line.algorithm)) for line in lines)


@dataclass(frozen=True)
class Panel:
    """One picture: a game, the runs on it and the axes.

    `game` may hold `{}`, which stands for the number of a repeat: 0, 1, ... `length` counts iterations, or nodes where
    x is nodes. `starts` begins the repeats from random regrets with seeds of their own.
    """

    title: str
    game: str
    lines: tuple[Line, ...]
    length: Size
    x: Literal["iterations", "nodes"] = "iterations"
    along: Literal["iterations", "nodes"] | None = None
    """What the curves are drawn along, if not what the length counts."""
    repeats: Size = Size(1)
    starts: bool = False
    most_lines: Size | None = None
    """How many of the lines are run, the first ones; all of them if it is not given."""
    roundings: Size = Size(8, quick=1)
    """How many of the scales of payoffs (`jobs.PAYOFFS`) a run that is not repeated is made with."""
    measure: Measure = "exploitability"
    axes: Axes = "log-log"
    window: tuple[float, float] | None = None
    """The part of the horizontal axis that is drawn, if not all of it; all of it where the runs are too short."""
    drawn: bool = True
    """False for runs that only a claim needs."""

    def run(self, line: Line) -> str:
        """What is run for a line, in words."""
        return f"{line.algorithm} on {self.game}"

    def lines_at(self, scale: Scale) -> tuple[Line, ...]:
        """The lines that are run at a scale."""
        return self.lines if self.most_lines is None else self.lines[: self.most_lines.at(scale)]

    @property
    def rounded(self) -> bool:
        """Whether its runs are made with several scales of the payoffs: those that nothing is drawn for."""
        return self.x == "iterations" and not self.starts and self.measure == "exploitability"

    @property
    def unit(self) -> str:
        """What exploitability is measured in."""
        return "mbb/g" if names_spot(self.game) else Unit().published.name


@dataclass(frozen=True)
class Figure:
    """A figure or table of a paper: its key, its panels and claims, what was chosen or left out, and the section that
    it illustrates if it has no number there."""

    key: str
    title: str
    panels: tuple[Panel, ...]
    claims: tuple[Claim, ...] = ()
    notes: str = ""
    drawing: Drawing = "curves"
    section: str = ""

    @property
    def paper(self) -> str:
        """The paper's key."""
        return self.key.partition("-")[0]

    @property
    def place(self) -> str:
        """Where it is found in the paper, by its key: `figure 1`, `table 1`; `ours` if nowhere."""
        number = self.key.partition("-")[2]
        if self.section:
            return self.section
        if number.startswith("table"):
            return f"table {number.removeprefix('table')}"
        return f"figure {number}" if number.isdecimal() else "ours"

    @property
    def about(self) -> dict[str, Any]:
        """What it is, ready for JSON."""
        names = {"key": self.key, "title": self.title, "place": self.place}
        return {**names, "libratus": self.needs_libratus, "claims": [claim.text for claim in self.claims]}

    @property
    def needs_libratus(self) -> bool:
        """Whether it needs the files of the Libratus endgames."""
        return any(panel.game.startswith(LIBRATUS) for panel in self.panels)


@dataclass(frozen=True)
class Most:
    """Upper limits on what is run, for those in a hurry; None where the scale decides."""

    iterations: int | None = None
    nodes: int | None = None
    repeats: int | None = None
    only: str = ""
    """A part of the panel and the label of the lines that are run, as in "subgame 1: CFR+"; all if it is empty."""

    def __post_init__(self) -> None:
        for what in ("iterations", "nodes", "repeats"):
            number = getattr(self, what)
            if number is not None and number < 1:
                raise RueError(f"{what} must be at least 1, not {number}")

    def lines(self, panel: Panel, scale: Scale) -> list[Line]:
        """The lines of a panel that are run."""
        asked = self.only.lower()
        return [line for line in panel.lines_at(scale) if asked in f"{panel.title}: {line.label}".lower()]

    def length(self, panel: Panel, scale: Scale) -> int:
        """How long the runs of a panel are."""
        most = self.nodes if panel.x == "nodes" else self.iterations
        length = panel.length.at(scale)
        return length if most is None else min(length, most)

    def count(self, panel: Panel, scale: Scale) -> int:
        """How often the runs of a panel are repeated."""
        count = panel.repeats.at(scale)
        return count if self.repeats is None else min(count, self.repeats)

    def scales(self, panel: Panel, scale: Scale) -> int:
        """How many scales of the payoffs the runs of a panel are made with."""
        count = panel.roundings.at(scale) if panel.rounded and self.count(panel, scale) == 1 else 1
        return count if self.repeats is None else min(count, self.repeats)
