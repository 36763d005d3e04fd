"""Saving a run: at its end and from time to time before, so rarely that it costs little."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zerosum.algorithms.serialization import encode_algorithm
from zerosum.results.curve import Point
from zerosum.runs.provenance import collect_provenance
from zerosum.runs.run_location import RunLocation, locate_run_file
from zerosum.support import array_file
from zerosum.support.array_file import RUN_FORMAT

if TYPE_CHECKING:
    from zerosum.runs.run import Run
    from zerosum.runs.saved_run import SavedRun

SAVING_SHARE = 0.02
"""The share of a run's time that saving may take before its end."""
MIN_INTERVAL = 0.1
"""The shortest time between two saves, in seconds."""
SMALL_RUN_BYTES = 16 << 20
"""A run up to this size is saved soon after its start, so that what cannot be saved is known early."""
ASSUMED_BYTES_PER_SECOND = 200e6
"""The speed of the disk that is assumed until a save was measured."""


class RunSaver:
    """Saves a run at its location, and restores it first if it was saved before."""

    def __init__(self, location: RunLocation, fields: Mapping[str, Any], saved: SavedRun | None = None) -> None:
        """`fields` describe the run in its file: problem, limits and start."""
        self.location, self.fields = location, dict(fields)
        self._saved = saved
        self.seconds = 0.0 if saved is None else saved.seconds
        self.segments: list[dict[str, Any]] = [*([] if saved is None else saved.segments), collect_provenance()]
        self.saves, self.spent = 0, 0.0
        """The number of saves before the end, and the seconds they took."""
        self._due = 0.0

    def begin(self, run: Run) -> list[Point]:
        """Restore the saved state, if there is one, when the run starts; return the curve so far."""
        solver, curve = run.solver, list[Point]()
        if self._saved is not None:
            curve = list(self._saved.scheduled_curve(run.clock))
            self._saved.restore(solver)
        self.segments[-1]["from"] = solver.iteration
        self._fixed = {**solver.static_arrays(), **run.problem.codec().static_arrays(run.problem, solver)}
        size = solver.state_bytes + sum(array.nbytes for array in self._fixed.values())
        self.location.check_free_space(size)
        self._saved = None
        self._due = time.perf_counter()
        if size > SMALL_RUN_BYTES:
            self._due += size / ASSUMED_BYTES_PER_SECOND / SAVING_SHARE
        return curve

    def save_if_due(self, run: Run) -> None:
        """Save the run, between two batches, if the last save was long enough ago for the time that it took."""
        start = time.perf_counter()
        # A solver that discovers its game as it goes has nothing to save before its first iteration.
        if start < self._due or (not run.iteration and run.solver.discovers_game):
            return
        self.save(run)
        end = time.perf_counter()
        self.saves, self.spent = self.saves + 1, self.spent + end - start
        self._due = end + max(MIN_INTERVAL, (end - start) / SAVING_SHARE)

    def is_saving_to(self, path: Path) -> bool:
        """Return whether a path names the folder or file that this saver writes."""
        return locate_run_file(path).resolve() == self.location.file.resolve()

    def save(self, run: Run) -> None:
        solver = run.solver
        with solver.lock:
            solver.check_finite()
            self.segments[-1]["to"] = solver.iteration
            header = {
                "format": RUN_FORMAT,
                "kind": solver.kind,
                **self.fields,
                "algorithm": encode_algorithm(solver.algorithm),
                "iteration": solver.iteration,
                "nodes": solver.nodes,
                "seconds": run.seconds,
                "stopped": run.stopped,
                "settled": run.last_point_is_scheduled if run.stopped is not None else True,
                "clock": run.clock,
                "curve": [list(asdict(point).values()) for point in run.curve],
                "numbers": run.problem.codec().collect_header_numbers(run.problem, solver),
                "parts": self.segments,
            }
            arrays: dict[str, Any] = {
                **self._fixed,
                **solver.collect_state(self.location.file),
                **solver.display_arrays(),
            }
            if run.stopped not in (None, "interrupted"):
                header, arrays = run.problem.codec().trim_finished(run.problem, solver, header, arrays)
            array_file.write_array_file(self.location.file, header, arrays)
            solver.mark_saved(self.location.file.absolute())
            self.location.remove_unused_parts()
