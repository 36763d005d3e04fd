"""When a run is saved, and what: now and then on the way, so seldom that it costs little, and at the end."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rue.container as container
from rue.algorithms.recipe import to_data
from rue.container import RUN
from rue.disk import check_writable
from rue.provenance import provenance
from rue.results.points import Point
from rue.runs.home import Home

if TYPE_CHECKING:
    from rue.runs.opened import Opened
    from rue.runs.run import Run

SHARE = 0.02
"""Of the time of a run that saving it on the way may take."""
SHORTEST = 0.1
"""Seconds between two saves, at least."""
SMALL = 16 << 20
"""Bytes up to which a run is saved at once, by rules once it has begun, so that what cannot be saved is known early."""
ASSUMED = 200e6
"""Bytes a second that a disk is expected to take, before one was measured."""


class Keeper:
    """Saves a run, and takes up one that was saved. `about` says what the run is."""

    def __init__(self, home: Home, about: Mapping[str, Any], saved: Opened | None = None) -> None:
        self.home, self.about = home, dict(about)
        self._saved = saved
        self.seconds = 0.0 if saved is None else saved.seconds
        self.parts: list[dict[str, Any]] = [*([] if saved is None else saved.parts), provenance()]
        self.saves, self.spent = 0, 0.0
        """How often the run was saved on the way, and how many seconds that took."""
        self._due = 0.0

    def begin(self, run: Run) -> list[Point]:
        """The run starts: give its solver the saved state, if there is one; returns the curve so far."""
        solver, curve = run.solver, list[Point]()
        if self._saved is not None:
            curve = list(self._saved.settled_curve(run.clock))
            self._saved.restore(solver)
        self.parts[-1]["from"] = solver.iteration
        self._fixed = {**solver.fixed(), **run.problem.fixed(solver)}
        size = solver.kept_bytes + sum(array.nbytes for array in self._fixed.values())
        self.home.check_room(size)
        self._saved = None
        self._due = time.perf_counter()
        if size > SMALL:
            self._due += size / ASSUMED / SHARE
        return curve

    def pass_by(self, run: Run) -> None:
        """Between two batches: save the run if the last save was long enough ago for what it took."""
        began = time.perf_counter()
        if began < self._due or (not run.iteration and run.solver.grows):
            return
        self.save(run)
        ended = time.perf_counter()
        self.saves, self.spent = self.saves + 1, self.spent + ended - began
        self._due = ended + max(SHORTEST, (ended - began) / SHARE)

    def save(self, run: Run) -> None:
        """Save what the run has reached."""
        solver = run.solver
        with solver.turns:
            solver.check_finite()
            self.parts[-1]["to"] = solver.iteration
            header = {
                "format": RUN,
                "kind": solver.kind,
                **self.about,
                "algorithm": to_data(solver.algorithm),
                "iteration": solver.iteration,
                "nodes": solver.nodes,
                "seconds": run.seconds,
                "stopped": run.stopped,
                "settled": run.settled if run.stopped is not None else True,
                "clock": run.clock,
                "curve": [list(asdict(point).values()) for point in run.curve],
                "numbers": {**solver.numbers(), **run.problem.told()},
                "parts": self.parts,
            }
            arrays: dict[str, Any] = {**self._fixed, **solver.kept(self.home.file), **solver.shown()}
            if run.stopped not in (None, "interrupted"):
                header, arrays = run.problem.finished(solver, header, arrays)
            container.write(self.home.file, header, arrays)
            solver.remember(self.home.file.absolute())
            self.home.clear_parts()

    def close(self) -> None:
        """Give up the place the run is saved to."""
        self.home.close()


class ResultKeeper(Keeper):
    """Writes the result of a run to a JSON file when it is over, and nothing on the way."""

    def __init__(self, path: Path) -> None:
        check_writable(path)
        self.path, self.seconds = path, 0.0

    def begin(self, run: Run) -> list[Point]:
        return []

    def pass_by(self, run: Run) -> None:
        pass

    def save(self, run: Run) -> None:
        run.final().save(self.path)

    def close(self) -> None:
        pass
