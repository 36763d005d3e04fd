"""A saved run, read: what was solved, how far it got, its curve and its strategy. Nothing of it is run."""

from __future__ import annotations

import math
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from rue.algorithms.algorithm import Algorithm
from rue.errors import RueError
from rue.forms.sequence_form import SequenceForm
from rue.result import Point, Result, check_result
from rue.runs.container import Container
from rue.runs.content import GENERAL, HOLDEM
from rue.runs.place import existing
from rue.runs.recipe import algorithm_of
from rue.runs.tables import decisions_of_result, plans_of, treeplexes_of, unpacked
from rue.solvers.limits import Limits

if TYPE_CHECKING:
    from rue.holdem.solve import HoldemResult
    from rue.solvers.iterate import Iterating

FORMAT = "rue-run"
DAMAGE = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, AssertionError, RecursionError)
"""What a file that says something else than it should makes go wrong."""
RUNNING = "running"
"""Why a run stopped whose file does not say so: it was killed, or it still goes on."""
CUT = "cut"
"""The kind of a hold'em run that kept some streets only."""
STRATEGY = "strategy"
"""The kind of a hold'em file that holds no run, only what it reached."""


class Opened:
    """A run on the disk. Every text and number of it is checked before it is used.

    >>> import rue, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = rue.solve("kuhn", "cfr+", iterations=50, out=f"{folder}/run")
    ...     with Opened(f"{folder}/run") as run:
    ...         run.kind, run.iteration, run.stopped, len(run.curve) > 5
    ('sequences', 50, 'iterations', True)
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._container = Container(existing(self.path))
        try:
            self._read(self._container.header)
        except DAMAGE as error:
            self.close()
            raise self._told(error) from None

    def __enter__(self) -> Opened:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._container.close()

    def _told(self, error: BaseException) -> RueError:
        if isinstance(error, RueError):
            return error if str(self.path) in str(error) else RueError(f"{self.path} cannot be used: {error}")
        return RueError(f"{self.path} is damaged: {type(error).__name__} {error}".rstrip())

    def _read(self, header: dict[str, Any]) -> None:
        if header.get("format") != FORMAT:
            raise RueError(f"{self.path} is not a saved run")
        self.header = header
        self.kind = _text(header["kind"])
        if self.kind not in (*GENERAL, *HOLDEM, "rules", "exact", CUT, STRATEGY):
            raise RueError(f"{self.path} holds a run of a kind that this rue does not know, {self.kind!r}")
        self.iteration, self.seconds, self.stopped = 0, 0.0, "exact"
        self.nodes: int | None = None
        self.curve: tuple[Point, ...] = ()
        self.parts: list[dict[str, Any]] = [dict(part) for part in header["parts"]]
        _text(self.parts[-1]["rue"])
        if self.kind == "exact":
            return
        self.iteration = _count(header["iteration"])
        self.nodes = None if header["nodes"] is None else _count(header["nodes"])
        self.seconds = _number(header["seconds"])
        self.curve = tuple(_point(row) for row in header["curve"])
        self.stopped = RUNNING if header["stopped"] is None else _text(header["stopped"])
        self.settled = _flag(header["settled"])
        _text(header["clock"])
        self.limits = Limits(**{key: _limit(value) for key, value in header["limits"].items()})
        self.seed = None if header["seed"] is None else _count(header["seed"])
        self._check_kind(header)

    def _check_kind(self, header: dict[str, Any]) -> None:
        """What only some kinds of runs have."""
        _text(header["algorithm"]["name"])
        numbers = {**header["numbers"]}
        for name in ("name", *(("layout",) if "spot" in header else ())):
            _text(numbers[name])
        for name in ("infosets", "sequences", "bytes"):
            _count(numbers.get(name, 0))
        if ("spot" in header) != (self.kind in (*HOLDEM, CUT, STRATEGY)):
            raise ValueError("a spot and its kind do not go together")
        if "spot" in header:
            _flag(header["isomorphism"]), _flag(header["half"])
            _text(header.get("was", self.kind))
            if header["streets"] is not None:
                [_text(street) for street in header["streets"]]
            return
        _flag(header["refine"])
        for name in ("game", "source"):
            if header[name] is not None:
                _text(header[name])
        self.start_seed = None if header["start_seed"] is None else _count(header["start_seed"])
        if self.kind in GENERAL:
            _text(numbers["fingerprint"])

    @property
    def name(self) -> str:
        """What was solved."""
        if "spot" in self.header:
            return _text(self.header["numbers"]["name"])
        content = self.header["result"]["game"] if self.kind == "exact" else self.header["numbers"]["name"]
        return _text(content)

    def settled_curve(self, clock: str) -> tuple[Point, ...]:
        """The points that a run without a stop would have, too, if its points are spaced by the same clock."""
        return self.curve if self.settled and clock == self.header["clock"] else self.curve[:-1]

    def algorithm(self, given: str | Algorithm | None = None) -> Algorithm:
        """The algorithm of the run; one with functions of one's own has to be given again."""
        try:
            return algorithm_of(self.header["algorithm"], given)
        except DAMAGE as error:
            raise self._told(error) from None

    def array(self, name: str) -> NDArray[Any]:
        """One array of the file."""
        return self._container.array(name)

    @property
    def names(self) -> list[str]:
        """The arrays of the file."""
        return self._container.names

    def restore(self, solver: Iterating) -> None:
        """Give a solver the state of the run."""
        try:
            solver.restore(self._container.arrays(), self.iteration)
        except DAMAGE as error:
            raise self._told(error) from None

    def result(self) -> Result | HoldemResult:
        """What the run has reached, as `rue.solve` or `rue.holdem.solve` returned it."""
        try:
            if "spot" in self.header:
                from rue.runs.spots import holdem_result

                return holdem_result(self)
            return self._result()
        except DAMAGE as error:
            raise self._told(error) from None

    def _result(self) -> Result:
        if self.kind == "exact":
            content = dict(self.header["result"])
            content["curve"] = tuple(Point(**point) for point in content["curve"])
            decisions = decisions_of_result(self._container.arrays())
            known = {key: content[key] for key in Result.__dataclass_fields__ if key in content}
            result = Result(**{**known, "decisions": decisions})
        else:
            numbers = self.header["numbers"]
            last = self.curve[-1] if self.curve else Point(0, 0.0, math.nan, math.nan, math.nan)
            result = Result(
                game=_text(numbers["name"]),
                algorithm=_text(self.header["algorithm"]["name"]),
                iterations=self.iteration,
                seconds=last.seconds if self.curve and self.stopped != RUNNING else self.seconds,
                exploitability=last.exploitability,
                nash_conv=last.nash_conv,
                value=last.value,
                infosets=_count(numbers["infosets"]),
                sequences=_count(numbers["sequences"]),
                curve=self.curve,
                decisions=tuple(self._decisions()),
                stopped=self.stopped,
                rue=_text(self.parts[-1]["rue"]),
                nodes=self.nodes,
                seed=None if self.kind == "sequences" else self.seed or 0,
                bytes=numbers.get("bytes"),
            )
        check_result(result)
        return result

    def _decisions(self) -> Any:
        from rue.solvers.run import decisions_of

        if self.kind == "rules":
            return self._rules_decisions()
        arrays = {name: self.array(name) for name in ("names", "blocks0", "parent0", "blocks1", "parent1")}
        treeplexes = treeplexes_of(arrays)
        empty = sparse.csr_array((treeplexes[0].sequences, treeplexes[1].sequences))
        return decisions_of(SequenceForm(self.name, treeplexes, empty, 0.0), plans_of(treeplexes, self._averages()))

    def _averages(self) -> list[NDArray[Any]]:
        """The accumulated averages of both players, a number for each sequence."""
        if self.kind in ("sequences", "boards"):
            return [self.array(f"{'average' if self.kind == 'sequences' else 'sums'}{p}") for p in (0, 1)]
        if self.kind != "slots":
            raise ValueError(f"it is of an unknown kind, {self.kind!r}")
        slots = self.array("average")
        found = []
        for player in (0, 1):
            order = self.array(f"order{player}")
            own, slots = slots[: len(order)], slots[len(order) :]
            if order.ndim != 1 or len(own) != len(order) or order.max(initial=0) >= len(order):
                raise ValueError("its strategies do not fit its infosets")
            found.append(np.zeros(len(order)))
            found[-1][order] = own
        return found

    def _rules_decisions(self) -> Any:
        from rue.solvers.rules_solver import decisions_of
        from rue.solvers.rules_table import RulesTable

        arrays = self._container.arrays()
        table = RulesTable(baselines=arrays["baseline"].size > 0)
        table.restore(arrays)
        texts = dict(zip(table.actions, unpacked(arrays["names"]), strict=True))
        known = {key: _text(texts[slot]) for slots in table.slots for key, slot in slots.items()}
        return decisions_of(table, known.__getitem__)

    @cached_property
    def about(self) -> dict[str, Any]:
        """What was solved, how, by which code and where, ready for JSON."""
        keys = (
            "game",
            "spot",
            "limits",
            "seed",
            "start_seed",
            "start_from",
            "refine",
            "isomorphism",
            "half",
            "streets",
            "parts",
        )
        return {key: self.header[key] for key in keys if self.header.get(key) is not None}


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} should be a text")
    return value


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 2**53:
        raise ValueError(f"{value!r} should be a number from 0 on")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{value!r} should be true or false")
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} should be a finite number")
    return value


def _limit(value: Any) -> Any:
    return None if value is None else _number(value)


def _point(row: list[Any]) -> Point:
    iteration, seconds, exploitability, nash_conv, value, nodes = row
    return Point(
        _count(iteration),
        _number(seconds),
        _number(exploitability),
        _number(nash_conv),
        _number(value),
        None if nodes is None else _count(nodes),
    )
