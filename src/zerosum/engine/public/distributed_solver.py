"""A solver of a card game whose deals are held by workers: other processes, on this machine or on others.

The solver itself holds the first place. For each player's share of an iteration, and for each evaluation:

    open     the solver walks down the first place and sends its rows to all workers
    walk     each worker walks the deals that it holds (`zerosum.engine.public.deal_worker`)
    close    the solver receives the values of the deals and walks up the first place

The result is bit for bit that of a single solver, for any number of workers. If a worker is lost, it is replaced, all
workers return to the last save, or to the beginning, and the iterations since are walked again.
"""

from __future__ import annotations

import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from zerosum.algorithms.algorithm import Algorithm
from zerosum.engine.fixed_strategies import overlay
from zerosum.engine.forms.public.tree import PublicDecision, PublicTree, normalize_columns
from zerosum.engine.forms.sequence.treeplex import Floats
from zerosum.engine.public.solver import PublicSolver
from zerosum.engine.public.staged_pass import DealValues, StagedPass
from zerosum.engine.solver import Arrays, copy_arrays
from zerosum.support.array_file import PART_SUFFIX, ArrayFile, ArrayPart, SplitArray
from zerosum.support.errors import ZerosumError
from zerosum.support.thread_safety import cached_property

Answer = TypeVar("Answer")
MAX_LOSSES = 8
"""The number of losses of workers in a row after which the run gives up."""


class WorkerLostError(Exception):
    """A worker has ended, or its machine has."""


class WorkerGroup(ABC):
    """The workers of a distributed solver, each with the deals that it holds."""

    deals: Sequence[Sequence[int]]

    @abstractmethod
    def call_each(self, calls: Mapping[int, tuple[Any, ...]]) -> list[Any]:
        """Call methods of workers and return the results; raise `WorkerLostError` if a worker is lost.

        `calls` has the name of a method of `DealWorker` and its arguments by the number of the worker.
        """

    @abstractmethod
    def replace_lost(self) -> None:
        """Start new workers in place of lost ones, without any numbers yet."""

    @abstractmethod
    def restart(self) -> None:
        """Return all workers to the beginning of the run."""

    def call_all(self, *call: Any) -> list[Any]:
        """Make the same call to all workers and return the results."""
        return self.call_each(dict.fromkeys(range(len(self.deals)), call))

    def walk(self, size: int, *call: Any) -> list[DealValues]:
        """Let all workers walk their deals and return the values; `size` is the bytes of the values of a deal."""
        return self.call_all(*call)

    def call_worker(self, worker: int, *call: Any) -> Any:
        """Call a method of a single worker and return the result."""
        return self.call_each({worker: call})[0]


class DistributedSolver(PublicSolver):
    """Iterates with a group of workers."""

    def __init__(
        self, tree: PublicTree, algorithm: Algorithm, horizon: int, group: WorkerGroup, **choices: Any
    ) -> None:
        self.group = group
        self._saved: tuple[Path, int] | None = None
        super().__init__(tree, algorithm, horizon, **choices)
        self._worker_of = {deal: worker for worker, deals in enumerate(group.deals) for deal in deals}

    def count_numbers(self, player: int) -> tuple[int, int]:
        rows, width = self.form.get_shape(0, player)
        return self.form.slice_place(0, player).stop, rows * width

    def held_decisions(self) -> list[PublicDecision]:
        return list(self.form.iterate_decisions_at(0))

    def load(self) -> None:
        super().load()
        self._again(lambda: self.group.call_all("load"))

    def _run(self, iterations: int, nodes: int | None) -> None:
        target = self.iteration + iterations
        self._again(lambda: self._walk_to(target))

    def _walk_to(self, target: int) -> None:
        while self.iteration < target:
            before = self.iteration
            for player in (self.rule.first, 1 - self.rule.first):
                self._walk(self.update_pass(player), None, "run_update", before, player)

    def _again(self, step: Callable[[], Answer]) -> Answer:
        """Take a step with the workers; if one is lost, return to the last save, walk back to this point and retry."""
        reached = self.iteration
        for _ in range(MAX_LOSSES):
            try:
                self._walk_to(reached)
                return step()
            except WorkerLostError:
                self._go_back()
        raise self._given_up()

    def _go_back(self) -> None:
        """Return to the last save, or to the beginning."""
        for _ in range(MAX_LOSSES):
            try:
                self.group.replace_lost()
                if self._saved is not None:
                    self._load_file(*self._saved)
                else:
                    self.group.restart()
                    self.stores = self._allocate_store(0), self._allocate_store(1)
                    self.iteration = 0
                return
            except WorkerLostError:
                continue
        raise self._given_up()

    def _given_up(self) -> ZerosumError:
        return ZerosumError(
            f"workers were lost {MAX_LOSSES} times in a row: solve {self.form.name} on one machine, or on others"
        )

    def compute_row_values(self, place: int, entering: Floats, player: int, best: bool = False) -> Floats:
        if place:
            worker = self._worker_of[int(self.form.place_deals[place])]
            call = "compute_row_values", place, entering, player, best
            rows: Floats = self._again(lambda: self.group.call_worker(worker, *call))
            return rows
        return self._again(lambda: self._first_rows(entering, player, best))

    def evaluate_average_and_best(self, player: int) -> None:
        self._again(lambda: self._evaluate(player, True, True))

    def _evaluate(self, player: int, best: bool, with_average: bool = False, entering: Floats | None = None) -> None:
        staged = self.evaluation_pass(player, best, with_average)
        self._walk(staged, entering, "run_evaluation", player, best, with_average)

    def _walk(self, staged: StagedPass, entering: Floats | None, *call: Any) -> None:
        """Do a pass whose deals the workers walk."""
        rows = staged.open(entering)
        staged.close(self.group.walk(staged.deal_bytes, *call, rows))

    def _first_rows(self, entering: Floats, player: int, best: bool) -> Floats:
        self._evaluate(player, best, entering=entering)
        count, width = self.form.get_shape(0, player)
        return np.array(self.evaluation_scratch.value[0, 0, : count * width].reshape(count, width))

    def strategy(self, place: int, player: int, first: int, actions: int) -> Floats:
        if not place:
            return super().strategy(place, player, first, actions)
        at = self.form.slice_decision(place, player, first, actions)
        worker = self._worker_of[int(self.form.place_deals[place])]
        block = self._again(lambda: self.group.call_worker(worker, "average_block", player, at.start, at.stop))
        learned = normalize_columns((block.view(np.float16) if self.half else block).reshape(actions, -1))
        return overlay(learned, self.fixed.get((place, player, first)))

    def averages(self) -> tuple[Any, Any]:
        raise ZerosumError(f"the strategies of {self.form.name} are held by its workers: save the run and load it")

    def check_finite(self) -> None:
        super().check_finite()
        self._again(lambda: self.group.call_all("check_finite"))

    @property
    def state_bytes(self) -> int:
        return super().state_bytes + self._worker_bytes

    @property
    def bytes(self) -> int:
        return super().bytes + self._worker_bytes

    @cached_property
    def _worker_bytes(self) -> int:
        """The bytes of the state that the workers hold."""
        return sum(int(size) for size in self._again(lambda: self.group.call_all("held_bytes")))

    def collect_state(self, file: Path) -> dict[str, Any]:
        """Return the first place and the parts of arrays that the workers have written beside a run's file."""
        stamp = f"{file.name}.{self.iteration}-{uuid.uuid4().hex[:8]}"
        workers = range(len(self.group.deals))
        calls = {n: ("save_part", file.absolute().with_name(f"{stamp}-{n}{PART_SUFFIX}")) for n in workers}
        state = self.state()
        parts: dict[str, list[ArrayPart]] = {name: [] for name in state}
        for part in chain.from_iterable(self._again(lambda: self.group.call_each(calls))):
            parts[part.array].append(part)
        return {
            name: SplitArray(array, len(array) + sum(part.length for part in parts[name]), parts[name])
            for name, array in state.items()
        }

    def mark_saved(self, file: Path) -> None:
        self._saved = file, self.iteration

    def load_saved(self, saved: ArrayFile, iteration: int) -> None:
        """Continue from a saved run; each worker reads its part of it."""
        file = saved.file.absolute()
        self._saved = file, iteration
        self._again(lambda: self._load_file(file, iteration))

    def _load_file(self, file: Path, iteration: int) -> None:
        self.group.call_all("load_part", file, iteration)
        state, saved = self.state(), ArrayFile(file)
        try:
            copy_arrays(state, {name: saved.read_range(name, 0, len(array)) for name, array in state.items()})
        finally:
            saved.close()
        self.iteration = iteration

    def restore(self, state: Arrays, iteration: int) -> None:  # type: ignore[override]
        raise ZerosumError("a run on several machines can only be restored from its file: use load_saved")
