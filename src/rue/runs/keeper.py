"""When a run is saved, and what: now and then on the way, so seldom that it costs little, and at the end."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from rue.algorithms.algorithm import Algorithm
from rue.disk import check_writable
from rue.errors import RueError
from rue.python_files import names_file, split
from rue.result import Point, Result
from rue.runs import container
from rue.runs.content import fixed, kind_of, moving, numbers
from rue.runs.machine import provenance
from rue.runs.place import Place, is_result
from rue.runs.recipe import to_data
from rue.runs.tables import arrays_of_result
from rue.solvers.limits import Limits
from rue.solvers.periods import Periodic
from rue.solvers.rules_solver import RulesSolver
from rue.solvers.run import Start
from rue.solvers.state import check_finite

if TYPE_CHECKING:
    from rue.holdem.spots import Spot
    from rue.runs.opened import Opened
    from rue.solvers.iterate import Iterating

FORMAT = "rue-run"
SHARE = 0.02
"""Of the time of a run that saving it on the way may take."""
SHORTEST = 0.1
"""Seconds between two saves, at least."""
SMALL = 16 << 20
"""Bytes up to which a run is saved at once, by rules once it has begun, so that what cannot be saved is known early."""
ASSUMED = 200e6
"""Bytes a second that a disk is expected to take, before one was measured."""


class Keeper:
    """Saves a run, and takes up one that was saved: see `rue.solvers.iterate.Keeping`."""

    def __init__(self, place: Place, about: Mapping[str, Any], saved: Opened | None = None) -> None:
        self.place, self.about = place, dict(about)
        self._saved = saved
        self.curve: Sequence[Point] = ()
        self.seconds = 0.0 if saved is None else saved.seconds
        self.parts: list[dict[str, Any]] = [*([] if saved is None else saved.parts), provenance()]
        self.saves, self.spent = 0, 0.0
        """How often the run was saved on the way, and how many seconds that took."""
        self._due = 0.0

    def begin(self, solver: Iterating) -> None:
        """Give the solver its state; save a small run at once."""
        if self._saved is not None:
            self.curve = self._saved.settled_curve(self._clock(solver))
            self._saved.restore(solver)
        self.parts[-1]["from"] = solver.iteration
        self._fixed = fixed(solver)
        self._numbers = numbers(solver)
        size = sum(array.nbytes for array in (*solver.state().values(), *self._fixed.values()))
        self.place.check_room(size)
        self._saved = None
        self._due = time.perf_counter()
        if size > SMALL:
            self._due += size / ASSUMED / SHARE

    def _clock(self, solver: Iterating) -> str:
        """What the points of the curve are spaced by."""
        by_nodes = isinstance(solver, Periodic) and Limits(**self.about["limits"]).end(solver.algorithm) is not None
        return "nodes" if by_nodes else "iterations"

    def pass_by(self, solver: Iterating, curve: Sequence[Point], seconds: float) -> None:
        """Save the run if the last save was long enough ago for what it took."""
        began = time.perf_counter()
        if began < self._due or (not solver.iteration and isinstance(solver, RulesSolver)):
            return
        self._save(solver, curve, seconds, None, True)
        ended = time.perf_counter()
        self.saves, self.spent = self.saves + 1, self.spent + ended - began
        self._due = ended + max(SHORTEST, (ended - began) / SHARE)

    def finish(self, solver: Iterating, curve: Sequence[Point], seconds: float, stopped: str, settled: bool) -> None:
        """Save what the run reached."""
        self._save(solver, curve, seconds, stopped, settled)

    def _save(
        self, solver: Iterating, curve: Sequence[Point], seconds: float, stopped: str | None, settled: bool
    ) -> None:
        state = solver.state()
        check_finite(solver, state)
        self.parts[-1]["to"] = solver.iteration
        header = {
            "format": FORMAT,
            "kind": kind_of(solver),
            **self.about,
            "algorithm": to_data(solver.algorithm),
            "iteration": solver.iteration,
            "nodes": solver.nodes,
            "seconds": seconds,
            "stopped": stopped,
            "settled": settled,
            "clock": self._clock(solver),
            "curve": [list(asdict(point).values()) for point in curve],
            "numbers": self._numbers | numbers(solver, moving=True),
            "parts": self.parts,
        }
        arrays: dict[str, NDArray[Any]] = {**self._fixed, **state, **moving(solver)}
        self._write(solver, header, arrays, stopped)

    def _write(self, solver: Iterating, header: dict[str, Any], arrays: dict[str, NDArray[Any]], stopped: Any) -> None:
        streets = header.get("streets")
        if streets is not None and stopped not in (None, "interrupted"):
            from rue.runs.cut import cut

            header, arrays = cut(solver, header, streets)
        container.write(self.place.file, header, arrays)


@dataclass
class Kept:
    """A place that was opened for a run: `keeper` saves it there; None where only the result is wanted."""

    path: Path
    keeper: Keeper | None

    def result(self, result: Result) -> Result:
        """Save what a keeper does not: a result in JSON, or the exact solution."""
        if self.keeper is None:
            result.save(self.path)
        elif result.stopped == "exact":
            content = result.summary()
            header = {"format": FORMAT, "kind": "exact", **self.keeper.about, "result": content}
            header["parts"] = self.keeper.parts
            container.write(self.keeper.place.file, header, arrays_of_result(result))
        return result


@contextmanager
def keeping_general(
    out: str | Path,
    text: str | None,
    algorithm: Algorithm | None,
    limits: Limits,
    start: Start,
    refine: bool = False,
    overwrite: bool = False,
) -> Iterator[Kept]:
    """A place for a new run on a game, which `text` names if it can be named."""
    path = Path(out)
    if is_result(path):
        check_writable(path)
        yield Kept(path, None)
        return
    about = {
        "game": text,
        "source": None if text is None else file_fingerprint(text),
        "algorithm": None if algorithm is None else to_data(algorithm),
        "limits": _limits(limits),
        "seed": start.seed,
        "start_seed": start.start_seed,
        "start_from": None if start.strategy is None else f"{start.strategy.source}, weight {start.weight:g}",
        "refine": refine,
    }
    with _placed(path, overwrite) as place:
        yield Kept(path, Keeper(place, about))


@contextmanager
def keeping_spot(
    out: str | Path,
    spot: Spot,
    algorithm: Algorithm,
    limits: Limits,
    seed: int | None = None,
    isomorphism: bool = True,
    half: bool = False,
    streets: str | Sequence[str] | None = None,
    overwrite: bool = False,
) -> Iterator[Kept]:
    """A place for a new run on a hold'em spot."""
    from rue.holdem.files import from_mapping, to_mapping
    from rue.runs.cut import kept_streets

    path = Path(out)
    if is_result(path):
        raise RueError(f"a hold'em run is saved as a folder or a file in .rue, not as {path.name}")
    content = to_mapping(spot)
    if from_mapping(content) != spot:
        raise RueError(f"{spot} cannot be written down and read back, so its run cannot be saved")
    about = {
        "spot": content,
        "algorithm": to_data(algorithm),
        "limits": _limits(limits),
        "seed": seed,
        "isomorphism": isomorphism,
        "half": half,
        "streets": kept_streets(streets, spot),
    }
    with _placed(path, overwrite) as place:
        yield Kept(path, Keeper(place, about))


@contextmanager
def _placed(path: Path, overwrite: bool) -> Iterator[Place]:
    place = Place(path, new=True, overwrite=overwrite)
    try:
        yield place
    finally:
        place.close()


def file_fingerprint(text: str) -> str | None:
    """A fingerprint of the file of a game that is one of Python; None for the games of a catalogue."""
    if not names_file(text):
        return None
    path, _ = split(text, "a class", "path/to/game.py:MyGame")
    try:
        return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
    except OSError as error:
        raise RueError(f"cannot read {path}: {error.strerror or error}") from None


def _limits(limits: Limits) -> dict[str, Any]:
    """The limits of a run, without the threads, which change nothing."""
    return {key: value for key, value in asdict(limits).items() if key != "threads"}
