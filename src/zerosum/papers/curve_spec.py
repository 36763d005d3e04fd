"""One run of a figure as data: the game, the algorithm, the length, and the points at which it is measured."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass

from zerosum.engine.limits import UNLIMITED, Limits
from zerosum.engine.solver import BaseSolver
from zerosum.papers.curve import WINDOW_START
from zerosum.papers.figure import LengthUnit, Measure
from zerosum.runs.evaluation_schedule import iterate_checkpoints

EVEN_POINTS = 50
PAYOFF_SCALES = (1.0, 1.1, 3.0, 7.3, 1.3, 1.7, 2.3, 5.0)
"""Factors of the payoffs: runs that differ by nothing else show the effect of rounding."""


@dataclass(frozen=True)
class CurveSpec:
    """A run: a game, an algorithm, a length, seeds, and what is measured at which points."""

    game: str
    algorithm: str
    length: int
    length_unit: LengthUnit = "iterations"
    seed: int = 0
    start_seed: int | None = None
    x_axis: LengthUnit | None = None
    """What the curve is drawn along, if not the unit of its length."""
    measure: Measure = "exploitability"
    payoff_scale: float = 1.0
    """A factor of every payoff: in exact arithmetic it would change nothing but the unit."""
    even_points: bool = False
    """Whether evenly spaced points are measured in addition to logarithmic ones."""
    only_window: bool = False
    """Whether only the points over which the curve is judged are measured: the last third of log t."""

    def __str__(self) -> str:
        return f"{self.algorithm} on {self.game}"

    @property
    def points(self) -> list[int]:
        """The iterations or nodes at which the run is measured."""
        points = set(iterate_checkpoints(self.length))
        if self.even_points:
            points |= {round(self.length * part / EVEN_POINTS) for part in range(1, EVEN_POINTS + 1)}
        first = self.length**WINDOW_START - 1e-9 if self.only_window else 1
        return sorted(point for point in points if point >= first)

    def limits(self, threads: int) -> Limits:
        """Return when the run ends; while it is watched for its first perfect iteration it has no horizon."""
        if self.length_unit == "nodes":
            return Limits(nodes=self.length, threads=threads)
        return Limits(iterations=UNLIMITED if self.measure == "mistake" else self.length, threads=threads)

    def position(self, solver: BaseSolver) -> int:
        """Return how far a solver is, in the unit of the length."""
        return (solver.nodes or 0) if self.length_unit == "nodes" else solver.iteration

    def x_of(self, solver: BaseSolver) -> float:
        """Return the x of the point that a solver has reached."""
        return float(solver.iteration if self.x_axis == "iterations" else self.position(solver))

    def advance(self, solver: BaseSolver, point: int, batch: int) -> None:
        """Run a batch of iterations, but not beyond a point."""
        if self.length_unit == "nodes":
            solver.run(batch, point)
        else:
            solver.run(min(batch, point - solver.iteration))

    def key(self, fingerprint: str, code: str) -> str:
        """Return a hash of the run, the data of its game and the code."""
        text = repr((sorted(asdict(self).items(), key=lambda item: item[0]), fingerprint, code))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
